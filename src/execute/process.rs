// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a trial to one supervised process: folders, environment, command line, limits.

use std::path::{Path, PathBuf};

use deckproof_packets::atomic;
use deckproof_packets::hash::Sha256Hex;

use super::secrets::Secrets;
use super::{ExecuteError, network, programs};
use crate::experiment::plan::PlannedTrial;
use crate::experiment::{Experiment, TrialId};
use crate::hosts::{self, Boundary, Host, Invocation, TurnRequest};
use crate::suite::{Arm, HostKind, Isolation, TrialLimits};
use crate::supervise::{
    Bubblewrap, Direct, IsolationLevel, Job, Launcher, Limits, Room, find_program,
};

/// The search path of agents: the machine's own folders, nobody's home.
pub(crate) const SEARCH_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// From the polite signal to the final one.
const GRACE_MS: u64 = 2_000;

/// How agents are confined on this machine.
#[derive(Debug)]
pub(crate) struct Launch {
    launcher: Box<dyn Launcher>,
    /// The program that confines, when one does.
    program: Option<PathBuf>,
    missing: String,
}

/// The strongest launcher that works here. `program` is this very program, which has to be inside
/// the room of an agent whose network is a relay.
pub(crate) fn choose_launcher(program: &Path) -> Launch {
    let helper = program
        .canonicalize()
        .unwrap_or_else(|_| program.to_owned());
    match Bubblewrap::detect(SEARCH_PATH) {
        Ok(bubblewrap) => Launch {
            program: Some(bubblewrap.program().to_owned()),
            launcher: Box::new(bubblewrap.with_helper(helper)),
            missing: String::new(),
        },
        Err(error) => Launch {
            launcher: Box::new(Direct),
            program: None,
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

    /// How agents are confined here, for people.
    pub(super) fn told(&self) -> String {
        let level = super::isolation_name(self.reached());
        match self.missing.as_str() {
            "" => format!("isolation `{level}`: {}", self.launcher.walls()),
            missing => format!("isolation `{level}`: {missing}"),
        }
    }

    /// The level for a host: where nothing confines an agent, its calls are looked at afterwards,
    /// provided that they show.
    pub(super) fn reached_by(&self, host: &dyn Host) -> Isolation {
        if self.reached() == Isolation::None && host.habits().shows_calls {
            return Isolation::Audited;
        }
        self.reached()
    }

    /// The program that confines agents, when one does.
    pub(super) fn program(&self) -> Option<&Path> {
        self.program.as_deref()
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
}

/// The process of an attempt, turn by turn, and who reads what it leaves.
#[derive(Debug)]
pub(super) struct Prepared<'a> {
    launch: &'a Launch,
    arm: &'a Arm,
    folders: Folders,
    pub host: Box<dyn Host>,
    pub program: PathBuf,
    pub home: PathBuf,
    pub model: Option<String>,
    pub effort: Option<String>,
    /// The messages in order, as objects: the opening and the replies.
    pub messages: Vec<Sha256Hex>,
    /// The same as files.
    message_files: Vec<PathBuf>,
    /// Wall-clock limits of all turns together and of each.
    pub time_limit_ms: u64,
    pub turn_limit_ms: u64,
    limits: Limits,
    /// The first command line as the host built it, before the launcher wrapped it.
    pub argv: Vec<String>,
    /// Names of the environment variables that the agent sees.
    pub environment: Vec<String>,
    /// What the agent is let in with.
    pub secrets: Secrets,
}

/// Builds all that one attempt needs. What can fail before money is spent fails here.
pub(super) fn prepare<'a>(
    experiment: &Experiment,
    launch: &'a Launch,
    planned: &PlannedTrial,
    arm: &'a Arm,
    folders: &Folders,
) -> Result<Prepared<'a>, ExecuteError> {
    let problem = |problem: String| unusable(arm, problem);
    let host = hosts::host(host_name(arm.host))
        .ok_or_else(|| problem(format!("there is no host `{}`", host_name(arm.host))))?;
    let program = program(experiment, arm, folders).map_err(&problem)?;
    let (messages, message_files) = place_messages(experiment, planned, folders)?;
    let secrets = Secrets::place(arm, host.as_ref(), &folders.run, &folders.home)?;
    let schedule = &experiment.suite.schedule;
    let trial_limit = schedule.time_limit_seconds;
    let turn_limit = schedule.turn_time_limit_seconds.unwrap_or(trial_limit);
    let mut prepared = Prepared {
        launch,
        arm,
        folders: folders.clone(),
        host,
        program,
        home: folders.home.clone(),
        model: arm.model.clone(),
        effort: arm.effort.clone(),
        messages,
        message_files,
        time_limit_ms: trial_limit.saturating_mul(1000),
        turn_limit_ms: turn_limit.saturating_mul(1000),
        limits: limits(&schedule.limits),
        argv: Vec::new(),
        environment: Vec::new(),
        secrets,
    };
    let first = prepared.invocation(0, None)?;
    prepared.environment = first.environment.keys().cloned().collect();
    let passed = prepared.secrets.files.keys().cloned();
    prepared.environment.extend(passed);
    prepared.environment.sort();
    prepared.argv = first.argv;
    prepared.job(0, None, 1)?;
    Ok(prepared)
}

fn limits(suite: &TrialLimits) -> Limits {
    let bytes = |megabytes: u64| megabytes.saturating_mul(1 << 20);
    Limits {
        log_bytes: bytes(suite.log_mb),
        work_bytes: bytes(suite.work_mb),
        work_files: suite.work_files,
        file_bytes: bytes(suite.file_mb),
        processes: suite.processes,
        memory_bytes: bytes(suite.memory_mb),
        cpu_ms: suite
            .cpu_seconds
            .map(|seconds| seconds.saturating_mul(1000)),
    }
}

fn unusable(arm: &Arm, problem: String) -> ExecuteError {
    ExecuteError::Arm {
        arm: arm.id.get().to_string(),
        problem,
    }
}

/// Puts the opening and the replies into files of the run folder.
fn place_messages(
    experiment: &Experiment,
    planned: &PlannedTrial,
    folders: &Folders,
) -> Result<(Vec<Sha256Hex>, Vec<PathBuf>), ExecuteError> {
    let messages = experiment.messages(planned)?;
    let mut files = Vec::new();
    for (number, message) in (1..).zip(&messages) {
        let file = folders.run.join(format!("message-{number}.md"));
        atomic::write(&file, &experiment.store().get(message)?, 0o644)?;
        files.push(file);
    }
    Ok((messages, files))
}

impl Prepared<'_> {
    /// The command line of turn `index`, from 0, of the conversation `thread`.
    fn invocation(&self, index: usize, thread: Option<String>) -> Result<Invocation, ExecuteError> {
        let message = self.message_files.get(index).cloned().unwrap_or_default();
        let mut request = request(self.launch, self.arm, &self.folders, &self.program, message);
        request.thread = thread;
        let invocation = self
            .host
            .command(&request)
            .map_err(|error| unusable(self.arm, error.to_string()))?;
        for folder in &invocation.folders {
            fs_err::create_dir_all(folder)?;
        }
        Ok(invocation)
    }

    /// The job of turn `index`, inside its room.
    pub(super) fn job(
        &self,
        index: usize,
        thread: Option<String>,
        time_limit_ms: u64,
    ) -> Result<Job, ExecuteError> {
        let invocation = self.invocation(index, thread)?;
        let file = |name: &str| self.folders.run.join(format!("{name}-{}", index + 1));
        let job = Job {
            argv: invocation.argv,
            environment: invocation.environment,
            secrets: self.secrets.files.clone(),
            current_directory: invocation.current_directory,
            stdin: invocation.stdin,
            stdout: file("stdout"),
            stderr: file("stderr"),
            time_limit_ms,
            grace_ms: GRACE_MS,
            watch: vec![self.folders.root.clone()],
            limits: self.limits.clone(),
            relay: None,
            lock: self.folders.run.join("lock"),
            result: file("result"),
        };
        let room = room(self.arm, self.host.as_ref(), &self.folders, &self.program);
        self.launch
            .launcher()
            .wrap(&job, &room)
            .map_err(|error| unusable(self.arm, error.to_string()))
    }
}

/// The word of a host.
pub(crate) fn host_name(host: HostKind) -> &'static str {
    match host {
        HostKind::Command => "command",
        HostKind::Replay => "replay",
        HostKind::Codex => "codex",
        HostKind::Claude => "claude",
        HostKind::Gemini => "gemini",
        HostKind::Opencode => "opencode",
        HostKind::Manual => "manual",
    }
}

/// The program that an arm names, and whether it is a file of the suite.
pub(super) fn named_program(arm: &Arm) -> (&str, bool) {
    let name = match (&arm.program, &arm.command) {
        (Some(program), _) => program.as_str(),
        (None, Some(command)) => command.first().map_or("", String::as_str),
        (None, None) => host_name(arm.host),
    };
    let in_suite = arm.host == HostKind::Command && name.contains('/') && !name.starts_with('/');
    (name, in_suite)
}

/// The agent's program. One that lies in the suite is copied out of the store, so that the sealed
/// bytes run and no others.
fn program(experiment: &Experiment, arm: &Arm, folders: &Folders) -> Result<PathBuf, String> {
    let (name, in_suite) = named_program(arm);
    if !in_suite {
        let found = find_program(name, SEARCH_PATH).map_err(|error| error.to_string())?;
        return Ok(programs::real(found));
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
        environment: arm.environment.clone(),
        endpoint: arm.endpoint.as_ref().map(|one| one.url().to_owned()),
        search_path: SEARCH_PATH.to_owned(),
        model: arm.model.clone(),
        effort: arm.effort.clone(),
        prompt,
        work: folders.work.clone(),
        home: folders.home.clone(),
        temporary: folders.temporary.clone(),
        last_message: folders.home.join("last-message"),
        thread: None,
        // A conversation that is kept leaves the host's own record of it, which is the second source.
        more_turns: true,
        skills: false,
        boundary: if confined {
            Boundary::Outer
        } else {
            Boundary::Own
        },
    }
}

/// What the agent may see, change and reach.
fn room(arm: &Arm, host: &dyn Host, folders: &Folders, program: &Path) -> Room {
    let mut readable = vec![folders.task.clone()];
    readable.extend(programs::installation(program));
    let writable = vec![
        folders.work.clone(),
        folders.home.clone(),
        folders.temporary.clone(),
    ];
    Room {
        readable,
        writable,
        network: network::of(arm, host),
    }
}
