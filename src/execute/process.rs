// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a trial to one supervised process: folders, environment, command line, limits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use deckproof_packets::atomic;

use super::ExecuteError;
use crate::experiment::plan::PlannedTrial;
use crate::experiment::{Experiment, TrialId};
use crate::hosts::{self, Boundary, Host, TurnRequest};
use crate::suite::{Arm, HostKind, Isolation};
use crate::supervise::{
    Bubblewrap, Direct, IsolationLevel, Job, Launcher, Limits, Network, Room, find_program,
};

/// The search path of agents: the machine's own folders, nobody's home.
pub(crate) const SEARCH_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// From the polite signal to the final one.
const GRACE_MS: u64 = 2_000;

/// How agents are confined on this machine.
#[derive(Debug)]
pub(crate) struct Launch {
    launcher: Box<dyn Launcher>,
    missing: String,
}

/// The strongest launcher that works here.
pub(crate) fn choose_launcher() -> Launch {
    match Bubblewrap::detect(SEARCH_PATH) {
        Ok(bubblewrap) => Launch {
            launcher: Box::new(bubblewrap),
            missing: String::new(),
        },
        Err(error) => Launch {
            launcher: Box::new(Direct),
            missing: error.to_string(),
        },
    }
}

impl Launch {
    pub(crate) fn launcher(&self) -> &dyn Launcher {
        self.launcher.as_ref()
    }

    pub(crate) fn reached(&self) -> Isolation {
        match self.launcher.level() {
            IsolationLevel::Prevented => Isolation::Prevented,
            IsolationLevel::Audited => Isolation::Audited,
            IsolationLevel::None => Isolation::None,
        }
    }

    pub(crate) fn missing(&self) -> &str {
        &self.missing
    }
}

/// The folders of one attempt, by absolute path.
#[derive(Debug, Clone)]
pub(super) struct Folders {
    /// Everything that the agent may write.
    pub root: PathBuf,
    /// Its current directory.
    pub work: PathBuf,
    pub home: PathBuf,
    pub temporary: PathBuf,
    /// Where its deck goes.
    pub output: PathBuf,
    /// Our own files of this attempt, out of its reach.
    pub run: PathBuf,
    pub task: PathBuf,
}

impl Folders {
    /// Makes the folders afresh; what an attempt that was cut off left is removed.
    pub(super) fn make(
        experiment: &Experiment,
        trial: &TrialId,
        attempt: u32,
    ) -> Result<Self, ExecuteError> {
        let layout = &experiment.layout;
        let root = layout.work(trial);
        let work = root.join("work");
        let folders = Self {
            output: work.join("output"),
            home: root.join("home"),
            temporary: root.join("tmp"),
            run: layout.runs().join(format!("{trial}.{attempt}")),
            task: layout.task_tree(trial),
            root,
            work,
        };
        super::tasks::remove(&folders.root)?;
        super::tasks::remove(&folders.run)?;
        for folder in [
            &folders.output,
            &folders.home,
            &folders.temporary,
            &folders.run,
        ] {
            fs_err::create_dir_all(folder)?;
        }
        std::os::unix::fs::symlink(&folders.task, folders.work.join("task"))?;
        Ok(folders)
    }

    pub(super) fn stdout(&self) -> PathBuf {
        self.run.join("stdout")
    }

    pub(super) fn stderr(&self) -> PathBuf {
        self.run.join("stderr")
    }
}

/// One process to start, and who reads what it leaves.
#[derive(Debug)]
pub(super) struct Prepared {
    pub job: Job,
    pub host: Box<dyn Host>,
    pub program: PathBuf,
    /// The command line as the host built it, before the launcher wrapped it.
    pub argv: Vec<String>,
    /// Names of the environment variables that the agent sees.
    pub environment: Vec<String>,
}

/// Builds the job of one attempt.
pub(super) fn prepare(
    experiment: &Experiment,
    launch: &Launch,
    planned: &PlannedTrial,
    arm: &Arm,
    folders: &Folders,
) -> Result<Prepared, ExecuteError> {
    let problem = |problem: String| ExecuteError::Arm {
        arm: arm.id.get().to_string(),
        problem,
    };
    let host = hosts::host(host_name(arm.host))
        .ok_or_else(|| problem(format!("there is no host `{}`", host_name(arm.host))))?;
    let program = program(experiment, arm, folders).map_err(&problem)?;
    let prompt = folders.run.join("prompt.md");
    atomic::write(
        &prompt,
        &experiment.store().get(&planned.prompt_sha256)?,
        0o644,
    )?;
    let request = request(launch, arm, folders, &program, prompt);
    let invocation = host
        .command(&request)
        .map_err(|error| problem(error.to_string()))?;
    for folder in &invocation.folders {
        fs_err::create_dir_all(folder)?;
    }
    let secrets = secrets(arm, folders)?;
    let mut environment: Vec<_> = invocation.environment.keys().cloned().collect();
    environment.extend(secrets.keys().cloned());
    environment.sort();
    let job = Job {
        argv: invocation.argv.clone(),
        environment: invocation.environment,
        secrets,
        current_directory: invocation.current_directory,
        stdin: invocation.stdin,
        stdout: folders.stdout(),
        stderr: folders.stderr(),
        time_limit_ms: experiment
            .suite
            .schedule
            .time_limit_seconds
            .saturating_mul(1000),
        grace_ms: GRACE_MS,
        watch: vec![folders.root.clone()],
        limits: Limits::default(),
        relay: None,
        lock: folders.run.join("lock"),
        result: folders.run.join("result"),
    };
    let room = room(arm, folders, &program);
    let job = launch
        .launcher()
        .wrap(&job, &room)
        .map_err(|error| problem(error.to_string()))?;
    Ok(Prepared {
        job,
        host,
        program,
        argv: invocation.argv,
        environment,
    })
}

pub(super) fn host_name(host: HostKind) -> &'static str {
    match host {
        HostKind::Command => "command",
        HostKind::Replay => "replay",
        HostKind::Codex => "codex",
        HostKind::Claude => "claude",
    }
}

/// The agent's program. One that lies in the suite is copied out of the store, so that the sealed
/// bytes run and no others.
fn program(experiment: &Experiment, arm: &Arm, folders: &Folders) -> Result<PathBuf, String> {
    let name = match (&arm.program, &arm.command) {
        (Some(program), _) => program.as_str(),
        (None, Some(command)) => command.first().map_or("", String::as_str),
        (None, None) => host_name(arm.host),
    };
    let in_suite = arm.host == HostKind::Command && name.contains('/') && !name.starts_with('/');
    if !in_suite {
        return find_program(name, SEARCH_PATH).map_err(|error| error.to_string());
    }
    let path = name.parse().map_err(|error| format!("{error}"))?;
    let bytes = experiment.input(&path).map_err(|error| error.to_string())?;
    // Beside the task, not in the run folder: the room shows it to the agent.
    let copy = folders.root.join("program").join(path.name());
    let write = || -> std::io::Result<()> {
        fs_err::create_dir_all(folders.root.join("program"))?;
        atomic::write(&copy, &bytes, 0o555)
    };
    write().map_err(|error| error.to_string())?;
    Ok(copy)
}

fn request(
    launch: &Launch,
    arm: &Arm,
    folders: &Folders,
    program: &Path,
    prompt: PathBuf,
) -> TurnRequest {
    let mut arguments: Vec<String> = match (&arm.host, &arm.command) {
        (HostKind::Command, Some(command)) => command.iter().skip(1).cloned().collect(),
        _ => Vec::new(),
    };
    arguments.extend(arm.arguments.iter().cloned());
    let confined = launch.reached() == Isolation::Prevented;
    TurnRequest {
        program: program.to_owned(),
        arguments,
        environment: BTreeMap::new(),
        search_path: SEARCH_PATH.to_owned(),
        model: arm.model.clone(),
        effort: arm.effort.clone(),
        prompt,
        work: folders.work.clone(),
        home: folders.home.clone(),
        temporary: folders.temporary.clone(),
        last_message: folders.home.join("last-message"),
        thread: None,
        more_turns: false,
        skills: false,
        boundary: if confined {
            Boundary::Outer
        } else {
            Boundary::Own
        },
    }
}

/// The values of the variables that the suite passes on, each in a private file: neither the job
/// nor the evidence holds them.
fn secrets(arm: &Arm, folders: &Folders) -> Result<BTreeMap<String, PathBuf>, ExecuteError> {
    let mut secrets = BTreeMap::new();
    for (index, name) in arm.pass_environment.iter().enumerate() {
        let value = std::env::var(name).map_err(|_| ExecuteError::Arm {
            arm: arm.id.get().to_string(),
            problem: format!("`{name}` is not set; the suite passes this variable to the agent"),
        })?;
        let path = folders.run.join(format!("secret-{index}"));
        atomic::write_new(&path, value.as_bytes(), 0o600)?;
        secrets.insert(name.clone(), path);
    }
    Ok(secrets)
}

/// Removes the files of [`secrets`] once the agent has ended.
pub(super) fn forget_secrets(job: &Job) {
    for path in job.secrets.values() {
        let _ = fs_err::remove_file(path);
    }
}

/// What the agent may see and change. Agents that talk to a model need the network.
fn room(arm: &Arm, folders: &Folders, program: &Path) -> Room {
    let mut readable = vec![folders.task.clone()];
    let system = ["/usr", "/bin", "/sbin", "/lib"]
        .iter()
        .any(|root| program.starts_with(root));
    if let (false, Some(folder)) = (system, program.parent()) {
        readable.push(folder.to_owned());
    }
    let network = match arm.host {
        HostKind::Command | HostKind::Replay => Network::Private,
        HostKind::Codex | HostKind::Claude => Network::Host,
    };
    let writable = vec![
        folders.work.clone(),
        folders.home.clone(),
        folders.temporary.clone(),
    ];
    Room {
        readable,
        writable,
        network,
    }
}
