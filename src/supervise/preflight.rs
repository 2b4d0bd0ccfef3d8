// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tries every way out of an agent's room before any money is spent, with the very launcher that trials use.
//!
//! The attempts are ordinary commands of an ordinary agent; whether one got through is judged from what
//! changed outside, or from a secret that shows in its output, never from what it says about itself.

use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

use super::client::{StartError, Supervised, WaitError};
use super::job::{Job, Limits};
use super::launcher::{LaunchError, Launcher, Network, Room};

/// What a secret file holds; only somebody who read it can show it.
const SECRET: &str = "secret-";

/// Tells the runs of one process apart.
static RUNS: AtomicU32 = AtomicU32::new(0);

/// One attempt and whether it was kept in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// What was tried, in words.
    pub attempt: String,
    /// Whether it got nowhere.
    pub held: bool,
}

/// Why the attempts could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PreflightError {
    /// The folder for them cannot be used.
    #[error("{path}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The room cannot be built.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// The supervisor cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The attempts did not end.
    #[error(transparent)]
    Wait(#[from] WaitError),
    /// The room is no room to work in: the agent could not do what it has to.
    #[error("inside its room an agent cannot {what}; it said: {said}")]
    Unusable {
        /// What failed.
        what: &'static str,
        /// What was said.
        said: String,
    },
}

/// Makes the attempts inside a room below `folder`, which must not exist, and removes it again.
/// `exe` is this very program.
///
/// # Errors
/// When the attempts cannot be made, or an agent could not work in such a room at all.
pub fn preflight(
    launcher: &dyn Launcher,
    exe: &Path,
    folder: &Path,
) -> Result<Vec<Probe>, PreflightError> {
    let folder_error = |source| PreflightError::Folder {
        path: folder.to_owned(),
        source,
    };
    std::fs::create_dir(folder).map_err(folder_error)?;
    let ground = Ground {
        root: folder.canonicalize().map_err(folder_error)?,
    };
    let found = ground
        .prepare()
        .map_err(folder_error)
        .and_then(|()| ground.probe(launcher, exe));
    let removed = std::fs::remove_dir_all(&ground.root);
    let probes = found?;
    removed.map_err(folder_error)?;
    Ok(probes)
}

/// The folders of a made-up trial and of what lies around it.
struct Ground {
    root: PathBuf,
}

/// The attempts: a name, and a command in which ROOT, PORT and SECONDS are replaced. Its output is looked at for a secret.
const ATTEMPTS: [(&str, &str); 14] = [
    ("read another trial's work", "cat ROOT/other/deck"),
    (
        "read it through its own folder",
        "cat ROOT/work/../other/deck",
    ),
    (
        "read it through a link",
        "ln -s ROOT/other/deck link; cat link",
    ),
    (
        "read it through a hard link",
        "ln ROOT/other/deck hard; cat hard",
    ),
    (
        "read it through another process",
        "cat /proc/*/root/ROOT/other/deck",
    ),
    ("read the private mapping", "cat ROOT/private/mapping"),
    (
        "find it with a search of the disk",
        "find ROOT -name mapping -exec cat {} +",
    ),
    (
        "read the supervisor's environment",
        "tr '\\0' '\\n' < /proc/$PPID/environ | grep secret-",
    ),
    ("write beside its folder", "echo x > ROOT/planted"),
    (
        "write into its own log",
        "echo x >> ROOT/stdout-planted; ls ROOT/run && echo secret-run",
    ),
    (
        "change its task",
        "echo x > ROOT/task/brief; rm -f ROOT/task/brief; mv ROOT/task ROOT/task2",
    ),
    ("change its prompt", "echo x > /proc/self/fd/0"),
    (
        "reach a service of this machine",
        "bash -c 'echo hello > /dev/tcp/127.0.0.1/PORT'",
    ),
    (
        "leave a process behind",
        "setsid sleep SECONDS & (setsid nohup sleep SECONDS &)",
    ),
];

impl Ground {
    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn prepare(&self) -> std::io::Result<()> {
        for name in ["work", "home", "task", "other", "private", "run"] {
            std::fs::create_dir(self.path(name))?;
        }
        std::fs::write(self.path("task/brief"), "the task\n")?;
        std::fs::write(self.path("prompt"), "the prompt\n")?;
        std::fs::write(self.path("other/deck"), format!("{SECRET}deck\n"))?;
        std::fs::write(self.path("private/mapping"), format!("{SECRET}mapping\n"))
    }

    fn probe(&self, launcher: &dyn Launcher, exe: &Path) -> Result<Vec<Probe>, PreflightError> {
        self.check_usable(launcher, exe)?;
        let socket_error = |source| PreflightError::Folder {
            path: self.root.clone(),
            source,
        };
        let service = TcpListener::bind("127.0.0.1:0").map_err(socket_error)?;
        service.set_nonblocking(true).map_err(socket_error)?;
        let port = service
            .local_addr()
            .map_err(socket_error)?
            .port()
            .to_string();
        // A length of sleep by which the processes of this very run are found.
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let seconds = format!("86399.{}{run:04}", std::process::id());
        let mut probes = Vec::new();
        for (number, (attempt, command)) in ATTEMPTS.iter().enumerate() {
            let root = self.root.display().to_string();
            let script = command
                .replace("ROOT", &root)
                .replace("PORT", &port)
                .replace("SECONDS", &seconds);
            let said = self.run(launcher, exe, &format!("attempt-{number}"), &script)?;
            let connected = match service.accept() {
                Ok(_) => true,
                Err(error) => error.kind() != ErrorKind::WouldBlock,
            };
            let held =
                !said.contains(SECRET) && !connected && self.is_unchanged() && !stays(&seconds);
            probes.push(Probe {
                attempt: (*attempt).to_owned(),
                held,
            });
            self.restore().map_err(socket_error)?;
        }
        Ok(probes)
    }

    /// A room in which nothing works would hold everything.
    fn check_usable(&self, launcher: &dyn Launcher, exe: &Path) -> Result<(), PreflightError> {
        let script = format!(
            "cat {root}/task/brief - && echo made > {root}/work/made && cat {root}/work/made && echo x > $HOME/x",
            root = self.root.display()
        );
        let said = self.run(launcher, exe, "usable", &script)?;
        if said == "the task\nthe prompt\nmade\n" && self.path("home/x").exists() {
            return Ok(());
        }
        Err(PreflightError::Unusable {
            what: "read its task and write its work",
            said,
        })
    }

    fn run(
        &self,
        launcher: &dyn Launcher,
        exe: &Path,
        name: &str,
        script: &str,
    ) -> Result<String, PreflightError> {
        let file = |suffix: &str| self.path("run").join(format!("{name}{suffix}"));
        let home = self.path("home").display().to_string();
        let environment = [("PATH", "/usr/bin:/bin".to_owned()), ("HOME", home)];
        let job = Job {
            argv: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
            environment: environment
                .map(|(name, value)| (name.to_owned(), value))
                .into(),
            secrets: std::collections::BTreeMap::new(),
            current_directory: self.path("work"),
            stdin: self.path("prompt"),
            stdout: file(".out"),
            stderr: file(".err"),
            time_limit_ms: 20_000,
            grace_ms: 100,
            watch: vec![self.path("work"), self.path("home")],
            limits: Limits::default(),
            relay: None,
            lock: file(".lock"),
            result: file(".json"),
        };
        let room = Room {
            readable: vec![self.path("task")],
            writable: vec![self.path("work"), self.path("home")],
            network: Network::Private,
        };
        Supervised::start(&launcher.wrap(&job, &room)?, exe)?.wait()?;
        let mut said = Vec::new();
        for log in [&job.stdout, &job.stderr] {
            said.extend(std::fs::read(log).map_err(|source| PreflightError::Folder {
                path: log.clone(),
                source,
            })?);
        }
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    fn is_unchanged(&self) -> bool {
        let holds = |name: &str, text: &str| {
            std::fs::read_to_string(self.path(name)).is_ok_and(|found| found == text)
        };
        holds("task/brief", "the task\n")
            && holds("prompt", "the prompt\n")
            && !self.path("planted").exists()
            && !self.path("stdout-planted").exists()
            && !self.path("task2").exists()
    }

    fn restore(&self) -> std::io::Result<()> {
        for name in ["work", "home", "task", "task2", "other", "private"] {
            match std::fs::remove_dir_all(self.path(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for name in ["planted", "stdout-planted"] {
            match std::fs::remove_file(self.path(name)) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        std::fs::remove_dir_all(self.path("run"))?;
        self.prepare()
    }
}

/// Whether a process of the last attempt is still there.
fn stays(seconds: &str) -> bool {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return true;
    };
    entries.flatten().any(|entry| {
        std::fs::read(entry.path().join("cmdline")).is_ok_and(|line| {
            line.split(|byte| *byte == 0)
                .any(|word| word == seconds.as_bytes())
        })
    })
}
