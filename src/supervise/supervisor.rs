// SPDX-License-Identifier: MIT OR Apache-2.0
//! The supervisor process: the order in which one agent is started, watched, ended and reported.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::DumpableBehavior;

use super::cgroup::Cgroup;
use super::inside;
use super::job::{Job, JobError};
use super::outcome::{Ended, Exit, Leftover, Outcome, Refusal, RefusalReason};
use super::processes;
use super::pump::Flow;
use super::relay::{self, Answering};
use super::spawn::{self, Agent};
use super::watch::{Stop, Watch, is_abandoned};

/// How long killing goes on before the supervisor gives up and says so.
const KILL_PATIENCE: Duration = Duration::from_secs(20);

/// Why a supervisor could not even report.
#[derive(Debug, thiserror::Error)]
enum SupervisorError {
    #[error(transparent)]
    Job(#[from] JobError),
    #[error("{path}: another supervisor holds this lock; wait for it to end")]
    Locked { path: std::path::PathBuf },
    #[error("{path}: {what}: {source}")]
    File {
        path: std::path::PathBuf,
        what: &'static str,
        source: std::io::Error,
    },
    #[error("{path}: exists already; a result is written once")]
    ResultExists { path: std::path::PathBuf },
    #[error("supervising the agent: {0}")]
    System(#[from] std::io::Error),
}

/// Runs the agent of the job file at `job_path` and returns the exit code of the supervisor: 0 when a result
/// was written, 1 when the parent went away (no result), 2 when the job could not be taken on. Under the path
/// `--inside` it is the helper inside a closed network instead, and returns the exit code of its agent.
#[must_use]
pub fn supervise_main(job_path: &Path) -> u8 {
    if job_path == Path::new(inside::INSIDE) {
        let words = std::env::args_os()
            .skip(3)
            .map(|word| word.to_string_lossy().into_owned());
        return inside::main(&words.collect::<Vec<_>>());
    }
    match supervise(job_path) {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            eprintln!("deckproof supervisor: {error}");
            2
        }
    }
}

/// Whether a result was written.
fn supervise(job_path: &Path) -> Result<bool, SupervisorError> {
    detach();
    let job = Job::read(job_path)?;
    let _lock = take_lock(&job.lock)?;
    if std::fs::symlink_metadata(&job.result).is_ok() {
        return Err(SupervisorError::ResultExists { path: job.result });
    }
    if is_abandoned()? {
        return Ok(false);
    }
    let Some(outcome) = run(&job)? else {
        return Ok(false);
    };
    write_result(&job.result, &outcome)?;
    Ok(true)
}

/// Leaves the terminal's session, adopts orphans, and hides our memory from other processes of this user.
/// None of the three can be refused to an ordinary process, and a refusal shows in what is measured later.
fn detach() {
    _ = rustix::process::setsid();
    _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    _ = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

fn take_lock(path: &Path) -> Result<File, SupervisorError> {
    let file_error = |source| SupervisorError::File {
        path: path.to_owned(),
        what: "the lock cannot be taken",
        source,
    };
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(file_error)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(SupervisorError::Locked {
            path: path.to_owned(),
        }),
        Err(std::fs::TryLockError::Error(error)) => Err(file_error(error)),
    }
}

/// Kills all descendants when dropped, so that no early return and no panic leaves an agent running.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        // There is nobody left to tell.
        _ = processes::kill_all(KILL_PATIENCE);
    }
}

/// Runs the agent; `None` when our parent went away meanwhile.
fn run(job: &Job) -> Result<Option<Outcome>, SupervisorError> {
    // Made before the guard, so that it outlives the agent's last process on every way out.
    let mut cgroup = Cgroup::make(&job.limits);
    let guard = Guard;
    let relay = match job.relay.as_ref().map(relay::answer).transpose() {
        Ok(relay) => relay,
        Err(error) => {
            return Ok(Some(Outcome::Refused(spawn::system("the relay's socket")(
                error,
            ))));
        }
    };
    let mut agent = match cgroup.within(|| spawn::start(job)) {
        Ok(agent) => agent,
        Err(refusal) => return Ok(Some(Outcome::Refused(refusal))),
    };
    let mut watch = Watch::new(job, &mut agent, &cgroup)?;
    let stop = watch.until_stop()?;
    if stop == Stop::Limit(super::KillReason::Time) {
        watch.ask_to_end()?;
    }
    drop(watch);
    let leftovers = if stop == Stop::Ended {
        leftovers(agent.pid, &job.argv)?
    } else {
        Vec::new()
    };
    if stop != Stop::Ended {
        agent.child.kill()?;
    }
    let status = agent.child.wait()?;
    let duration = agent.started.elapsed();
    let ended_at = spawn::utc_now();
    let survivors = processes::kill_all(KILL_PATIENCE)?;
    drop(guard);
    if stop == Stop::Abandoned {
        return Ok(None);
    }
    if !survivors.is_empty() {
        return Ok(Some(Outcome::Refused(survived(&processes::describe(
            &survivors,
        )))));
    }
    let started_at = std::mem::take(&mut agent.started_at);
    let over = drain(agent)?;
    let killed_for = match stop {
        Stop::Limit(reason) => Some(reason),
        Stop::Ended | Stop::Abandoned if over => Some(super::KillReason::LogBytes),
        Stop::Ended | Stop::Abandoned => cgroup.reached(),
    };
    Ok(Some(Outcome::Ended(Ended {
        exit: exit_of(status),
        timed_out: killed_for == Some(super::KillReason::Time),
        killed_for,
        duration_ms: u64::try_from(duration.as_millis())
            .unwrap_or(u64::MAX)
            .max(1),
        started_at,
        ended_at,
        leftover_processes: leftovers,
        kernel_limits: cgroup.kept(),
        refused_connections: relay.as_ref().map(Answering::refused).unwrap_or_default(),
    })))
}

/// What is there besides the agent, which has just ended, and the first process of its room, which
/// ends after it.
fn leftovers(agent: i32, argv: &[String]) -> std::io::Result<Vec<Leftover>> {
    let mut found = processes::descendants()?;
    let room = argv.first().map(Path::new).and_then(Path::file_name);
    let own = |process: &processes::Process| {
        room.is_some_and(|room| process.begins_namespace(agent, room.as_encoded_bytes()))
    };
    found.retain(|process| process.pid != agent && !own(process));
    Ok(processes::describe(&found))
}

/// Copies what is still in the pipes. Every writer is dead, so they end at once.
/// Returns whether a log went over its limit.
fn drain(agent: Agent) -> std::io::Result<bool> {
    let give_up = Instant::now() + Duration::from_secs(10);
    let mut over = false;
    for mut pump in agent.pumps {
        loop {
            match pump.copy()? {
                Flow::Closed => break,
                Flow::Over => {
                    over = true;
                    break;
                }
                Flow::Open if Instant::now() >= give_up => break,
                Flow::Open => std::thread::sleep(Duration::from_millis(1)),
            }
        }
        pump.finish()?;
    }
    Ok(over)
}

fn survived(processes: &[Leftover]) -> Refusal {
    let list: Vec<String> = processes
        .iter()
        .take(10)
        .map(|left| format!("{} {}", left.pid, left.command))
        .collect();
    let message = format!(
        "{} processes of the agent could not be ended within {} s: {}",
        processes.len(),
        KILL_PATIENCE.as_secs(),
        list.join(", ")
    );
    spawn::refusal(RefusalReason::Survivors, message)
}

fn exit_of(status: std::process::ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt as _;
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
    }
}

fn write_result(path: &Path, outcome: &Outcome) -> Result<(), SupervisorError> {
    let write_error = |source| SupervisorError::File {
        path: path.to_owned(),
        what: "the result cannot be written",
        source,
    };
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut text = serde_json::to_vec(outcome).map_err(|error| write_error(error.into()))?;
    text.push(b'\n');
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(write_error)?;
    file.write_all(&text).map_err(write_error)?;
    file.as_file().sync_all().map_err(write_error)?;
    file.persist_noclobber(path)
        .map_err(|error| write_error(error.error))?;
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(write_error)
}
