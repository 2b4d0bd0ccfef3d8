// SPDX-License-Identifier: MIT OR Apache-2.0
//! Confines an agent by bubblewrap: namespaces of its own, and of the disk only what its room names.
//!
//! Paths are the same inside as outside, so neither a host's arguments nor the audit has to translate any.
//! No environment is passed by arguments: those are readable in /proc, and the environment may hold secrets.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::SUPERVISE_COMMAND;
use super::cgroup;
use super::inside::{self, Inside};
use super::job::Job;
use super::landlock::{self, Rules};
use super::launcher::{IsolationLevel, LaunchError, Launcher, Network, Room};
use super::program::{ProgramError, find_program};
use super::relay::Relay;

/// System folders that every agent may read.
const SYSTEM_FOLDERS: [&str; 1] = ["/usr"];
/// Folders that are links into /usr on merged systems, and real folders on others.
const MERGED_FOLDERS: [&str; 6] = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/// The parts of /etc that programs need to start, to find fonts, and to trust certificates. The folder as a
/// whole holds secrets (shadow, keys), which a root-owned agent could read.
const ETC_ENTRIES: [&str; 24] = [
    "alternatives",
    "ca-certificates",
    "ca-certificates.conf",
    "fonts",
    "group",
    "host.conf",
    "hosts",
    "java-17-openjdk",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "libreoffice",
    "locale.alias",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "passwd",
    "profile",
    "protocols",
    "python3",
    "resolv.conf",
    "services",
    "ssl/certs",
];
/// Settings of the whole machine below /proc. Their owner is the machine's root, and an agent that root started is
/// that user to the kernel, whatever number it sees itself under: it could have a program of its choice run outside.
const KERNEL_FOLDERS: [&str; 7] = [
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/scsi",
    "/proc/acpi",
];
/// Folders in memory that every agent has for itself, of at most [`OWN_BYTES`] each.
const OWN_FOLDERS: [&str; 2] = ["/tmp", "/dev/shm"];
/// What fits into each of an agent's own folders, which take memory and not disk, in bytes.
const OWN_BYTES: &str = "1073741824";
/// How many tasks the helper may need for relayed connections.
const RELAY_TASKS: u64 = 512;
/// How many of the last words of [`arguments`] come after every mount.
const CLOSING_WORDS: usize = 7;
/// The user inside: not root, because some agents refuse root, and never a user of the machine.
const USER: &str = "1000";

/// Why bubblewrap cannot be used on this machine.
#[derive(Debug, thiserror::Error)]
pub enum BubblewrapError {
    /// It is not installed.
    #[error("{0} (on Debian: apt install bubblewrap); without it the isolation level is `none`")]
    Missing(#[from] ProgramError),
    /// It is installed and does not work here.
    #[error("{path}: a confined /bin/true failed: {message}; the isolation level here is `none`")]
    Fails {
        /// The program.
        path: PathBuf,
        /// What it said.
        message: String,
    },
}

/// Starts agents inside bubblewrap.
#[derive(Debug, Clone)]
pub struct Bubblewrap {
    program: PathBuf,
    helper: Option<PathBuf>,
    /// The version of Landlock that the helper puts around the agent; 0 is none.
    landlock: u8,
}

impl Bubblewrap {
    /// Finds `bwrap` on `search_path` and tries it with every namespace that trials use.
    ///
    /// # Errors
    /// When it is missing, or the kernel refuses one of the namespaces.
    pub fn detect(search_path: &str) -> Result<Self, BubblewrapError> {
        let found = Self {
            program: find_program("bwrap", search_path)?,
            helper: None,
            landlock: 0,
        };
        found.probe()?;
        Ok(found)
    }

    /// Names this very program, by an absolute path without links, as the helper that a relay and Landlock need
    /// inside. Where the kernel has Landlock, it is around every agent from now on.
    #[must_use]
    pub fn with_helper(mut self, program: PathBuf) -> Self {
        self.helper = Some(program);
        self.landlock = landlock::supported_version();
        self
    }

    /// The program that is run; its bytes are worth recording.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    fn probe(&self) -> Result<(), BubblewrapError> {
        let room = Room {
            readable: Vec::new(),
            writable: Vec::new(),
            network: Network::Private,
        };
        let fails = |message| BubblewrapError::Fails {
            path: self.program.clone(),
            message,
        };
        let output = Command::new(&self.program)
            .args(arguments(&room, Path::new("/")))
            .arg("/bin/true")
            .env_clear()
            .stdin(Stdio::null())
            .output()
            .map_err(|error| fails(error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        Err(fails(
            String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        ))
    }
}

impl Launcher for Bubblewrap {
    fn level(&self) -> IsolationLevel {
        IsolationLevel::Prevented
    }

    fn name(&self) -> &'static str {
        "bubblewrap"
    }

    fn walls(&self) -> String {
        let landlock = match self.helper {
            Some(_) => format!(
                "system calls by seccomp; {}",
                landlock::describe(self.landlock)
            ),
            None => "neither Landlock nor seccomp, as there is no helper".to_owned(),
        };
        format!("namespaces by bubblewrap; {landlock}")
    }

    fn wrap(&self, job: &Job, room: &Room) -> Result<Job, LaunchError> {
        for path in room.readable.iter().chain(&room.writable) {
            check_path(path)?;
        }
        check_path(&job.current_directory)?;
        check_visible(&job.current_directory, room)?;
        if let Some(program) = job.argv.first() {
            check_visible(Path::new(program), room)?;
        }
        let mut wrapped = job.clone();
        let mut inside = Inside {
            argv: job.argv.clone(),
            ..Inside::default()
        };
        if let Network::Relay(targets) = &room.network {
            self.relay(&mut wrapped, &mut inside, targets)?;
        }
        inside.rules = self.rules(room);
        let tasks = cgroup::tasks(job.limits.processes);
        inside.processes = Some(tasks.saturating_add(RELAY_TASKS));
        wrapped.argv = vec![self.program.display().to_string()];
        wrapped.argv.extend(self.words(job, room, &inside)?);
        // The start folder is stated to bubblewrap; outside, the agent's launcher needs none of its own.
        wrapped.current_directory = PathBuf::from("/");
        Ok(wrapped)
    }
}

impl Bubblewrap {
    /// The arguments of bubblewrap, with the helper before the agent where something is left for it to do.
    fn words(&self, job: &Job, room: &Room, inside: &Inside) -> Result<Vec<String>, LaunchError> {
        let mut words = arguments(room, &job.current_directory);
        if self.helper.is_none() && inside.relay.is_none() {
            words.extend(job.argv.iter().cloned());
            return Ok(words);
        }
        let helper = self.helper.as_ref().ok_or(LaunchError::NoHelper)?;
        check_path(helper)?;
        let helper = helper.display().to_string();
        // Before the last words, which close the room.
        let closing = words.split_off(words.len() - CLOSING_WORDS);
        push(&mut words, &["--ro-bind", &helper, &helper]);
        if let Some(socket) = &inside.relay {
            let socket = socket.display().to_string();
            push(&mut words, &["--ro-bind", &socket, &socket]);
        }
        words.extend(closing);
        push(&mut words, &[&helper, SUPERVISE_COMMAND]);
        words.extend(inside.arguments());
        Ok(words)
    }

    /// Puts the relay's socket into the room, and the proxy into the environment.
    fn relay(
        &self,
        wrapped: &mut Job,
        inside: &mut Inside,
        targets: &[String],
    ) -> Result<(), LaunchError> {
        let is_target = |target: &&String| {
            let parts = target.rsplit_once(':');
            parts.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
        };
        if let Some(bad) = targets.iter().find(|target| !is_target(target)) {
            return Err(LaunchError::Target { found: bad.clone() });
        }
        let socket = socket_path(&wrapped.result);
        inside.relay = Some(socket.clone());
        inside.forwards = inside::loopback_ports(targets);
        let proxy = format!("http://127.0.0.1:{}", inside::PROXY_PORT);
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            wrapped.environment.insert(name.to_owned(), proxy.clone());
        }
        for name in ["NO_PROXY", "no_proxy"] {
            wrapped
                .environment
                .insert(name.to_owned(), "127.0.0.1,localhost".to_owned());
        }
        wrapped.relay = Some(Relay {
            socket,
            targets: targets.to_vec(),
        });
        Ok(())
    }

    /// The room once more, for Landlock. Links and what this machine lacks need no rule.
    fn rules(&self, room: &Room) -> Rules {
        if self.landlock == 0 {
            return Rules::default();
        }
        let mut readable: Vec<PathBuf> = SYSTEM_FOLDERS.map(PathBuf::from).into();
        readable.extend(MERGED_FOLDERS.map(PathBuf::from));
        readable.extend(ETC_ENTRIES.map(|entry| Path::new("/etc").join(entry)));
        readable.push("/proc".into());
        readable.retain(|path| path.exists());
        readable.extend(room.readable.iter().cloned());
        let mut writable: Vec<PathBuf> = OWN_FOLDERS.map(PathBuf::from).into();
        writable.extend(room.writable.iter().cloned());
        Rules {
            version: self.landlock,
            readable,
            usable: vec!["/dev".into()],
            writable,
        }
    }
}

/// A socket's path may have some 100 bytes, which an experiment's folder may exceed; so it gets a short one of
/// its own, always the same for one turn.
fn socket_path(result: &Path) -> PathBuf {
    use std::hash::{Hash as _, Hasher as _};
    let mut hasher = std::hash::DefaultHasher::new();
    result.hash(&mut hasher);
    PathBuf::from(format!("/tmp/deckproof-{:016x}/relay", hasher.finish()))
}

/// A path with a link in it would be mounted where the agent does not expect it.
fn check_path(path: &Path) -> Result<(), LaunchError> {
    let refuse = |expected| LaunchError::Path {
        path: path.to_owned(),
        expected,
    };
    match path.canonicalize() {
        Err(_) => Err(refuse("missing; a path of an agent's room has to exist")),
        Ok(real) if real != path => Err(refuse("expected an absolute path without links")),
        Ok(_) if path == Path::new("/") => Err(refuse("the whole disk is no room for an agent")),
        Ok(_) if path.to_str().is_none() => Err(refuse("expected a path in UTF-8")),
        Ok(_) => Ok(()),
    }
}

fn check_visible(path: &Path, room: &Room) -> Result<(), LaunchError> {
    let system = SYSTEM_FOLDERS.iter().chain(&MERGED_FOLDERS).map(Path::new);
    let own = room
        .readable
        .iter()
        .chain(&room.writable)
        .map(PathBuf::as_path);
    if system.chain(own).any(|root| path.starts_with(root)) {
        return Ok(());
    }
    let expected = "not visible inside the agent's room; add its folder to what the agent may read";
    Err(LaunchError::Path {
        path: path.to_owned(),
        expected,
    })
}

fn arguments(room: &Room, start: &Path) -> Vec<String> {
    let mut words: Vec<String> = [
        "--unshare-user",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        "--die-with-parent",
        "--new-session",
    ]
    .map(str::to_owned)
    .into();
    if room.network != Network::Host {
        words.push("--unshare-net".to_owned());
    }
    push(
        &mut words,
        &[
            "--uid",
            USER,
            "--gid",
            USER,
            "--cap-drop",
            "ALL",
            "--hostname",
            "trial",
        ],
    );
    push(&mut words, &["--proc", "/proc", "--dev", "/dev"]);
    for folder in KERNEL_FOLDERS {
        push(&mut words, &["--ro-bind-try", folder, folder]);
    }
    for folder in OWN_FOLDERS {
        push(&mut words, &["--size", OWN_BYTES, "--tmpfs", folder]);
    }
    system_mounts(&mut words);
    room_mounts(&mut words, room);
    // The mount points themselves lie in memory too, without a limit.
    let start = start.display().to_string();
    push(
        &mut words,
        &[
            "--remount-ro",
            "/dev",
            "--remount-ro",
            "/",
            "--chdir",
            &start,
            "--",
        ],
    );
    words
}

fn push(words: &mut Vec<String>, more: &[&str]) {
    words.extend(more.iter().map(|word| (*word).to_owned()));
}

fn system_mounts(words: &mut Vec<String>) {
    for folder in SYSTEM_FOLDERS {
        push(words, &["--ro-bind", folder, folder]);
    }
    for folder in MERGED_FOLDERS {
        match std::fs::read_link(folder) {
            Ok(target) => push(words, &["--symlink", &target.display().to_string(), folder]),
            Err(_) => push(words, &["--ro-bind-try", folder, folder]),
        }
    }
    for entry in ETC_ENTRIES {
        let path = format!("/etc/{entry}");
        push(words, &["--ro-bind-try", &path, &path]);
    }
}

/// Outer folders come before inner ones, whichever list they are in, so that none hides another.
fn room_mounts(words: &mut Vec<String>, room: &Room) {
    let readable = room
        .readable
        .iter()
        .map(|path| (path.as_os_str(), "--ro-bind"));
    let writable = room
        .writable
        .iter()
        .map(|path| (path.as_os_str(), "--bind"));
    let mut mounts: Vec<(&OsStr, &str)> = readable.chain(writable).collect();
    mounts.sort_by_key(|(path, _)| path.len());
    for (path, how) in mounts {
        let path = path.to_string_lossy();
        push(words, &[how, &path, &path]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_outer_before_inner() {
        let room = Room {
            readable: vec!["/t/work/task".into()],
            writable: vec!["/t/work".into()],
            network: Network::Host,
        };
        let words = arguments(&room, Path::new("/t/work")).join(" ");
        let outer = words.find("--bind /t/work /t/work").unwrap();
        let inner = words.find("--ro-bind /t/work/task /t/work/task").unwrap();
        assert!(outer < inner);
        assert!(!words.contains("--unshare-net"));
        assert!(words.ends_with("--chdir /t/work --"));
    }

    #[test]
    fn refuses_rooms_that_cannot_be() {
        assert!(check_path(Path::new("/nonexistent")).is_err());
        assert!(check_path(Path::new("/")).is_err());
        assert!(check_path(Path::new("/usr/../usr")).is_err());
        check_path(Path::new("/usr")).unwrap();
        let room = Room {
            readable: vec![],
            writable: vec![],
            network: Network::Private,
        };
        assert!(check_visible(Path::new("/root/agent"), &room).is_err());
        check_visible(Path::new("/usr/bin/env"), &room).unwrap();
    }

    #[test]
    fn says_what_is_missing() {
        let error = Bubblewrap::detect("/nonexistent").unwrap_err().to_string();
        assert!(
            error.contains("bwrap") && error.contains("apt install"),
            "{error}"
        );
    }
}
