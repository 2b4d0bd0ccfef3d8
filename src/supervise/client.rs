// SPDX-License-Identifier: MIT OR Apache-2.0
//! The side of `deckproof` that starts supervisors and waits for them.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::Duration;

use super::SUPERVISE_COMMAND;
use super::job::{Job, JobError};
use super::outcome::{Ended, Outcome, Refusal, RefusalReason};
use super::processes;

/// How long what is left of a killed supervisor's agent is looked for.
const LAST_PATIENCE: Duration = Duration::from_secs(10);
/// The largest result that is read, in bytes.
const RESULT_BYTES: u64 = 64 << 20;

/// Why a supervisor was not started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The job cannot be run.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The result file is there before the agent ran.
    #[error("{path}: exists already; a turn is run once, so remove it or give another path")]
    ResultExists {
        /// The result file.
        path: PathBuf,
    },
    /// The job file could not be written.
    #[error("{path}: cannot write the job: {source}")]
    Write {
        /// The job file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The supervisor could not be started.
    #[error("{path}: cannot be started as a supervisor: {source}")]
    Spawn {
        /// The program that was to supervise.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// Why there is no [`Ended`]. All of these are failures of the infrastructure, not of the agent.
#[derive(Debug, thiserror::Error)]
pub enum WaitError {
    /// The supervisor says why the agent did not run, or that it could not be ended.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The supervisor is gone and left no result. What was left of its agent has been killed.
    #[error("the supervisor ended ({status}) without writing {path}")]
    NoResult {
        /// The result file.
        path: PathBuf,
        /// How the supervisor ended.
        status: ExitStatus,
    },
    /// The result is unreadable.
    #[error("{path}: no result of a supervisor: {source}")]
    Result {
        /// The result file.
        path: PathBuf,
        /// Where and why.
        source: std::io::Error,
    },
    /// The system refused to wait.
    #[error("waiting for the supervisor: {0}")]
    System(#[from] std::io::Error),
}

impl WaitError {
    /// Whether an unconfined agent may have brought this about: it can kill its supervisor. Who retries such an
    /// attempt lets the agent ask for another one.
    #[must_use]
    pub fn may_be_the_agents_doing(&self) -> bool {
        match self {
            Self::NoResult { status, .. } => {
                std::os::unix::process::ExitStatusExt::signal(status).is_some()
            }
            Self::Refused(refusal) => refusal.reason == RefusalReason::Survivors,
            Self::Result { .. } | Self::System(_) => false,
        }
    }
}

/// A running supervisor. Dropping it ends the agent and leaves no result.
#[derive(Debug)]
pub struct Supervised {
    child: Child,
    /// Held open for as long as the agent may run.
    control: Option<ChildStdin>,
    result: PathBuf,
}

impl Supervised {
    /// Starts the supervisor `exe` (this very program) for `job`. The job file is written beside the result,
    /// with the extension `job.json`.
    ///
    /// # Errors
    /// When the job is refused, its result exists, or the system refuses.
    pub fn start(job: &Job, exe: &Path) -> Result<Self, StartError> {
        job.check()?;
        if std::fs::symlink_metadata(&job.result).is_ok() {
            return Err(StartError::ResultExists {
                path: job.result.clone(),
            });
        }
        let path = job.result.with_extension("job.json");
        write_job(job, &path).map_err(|source| StartError::Write {
            path: path.clone(),
            source,
        })?;
        let mut child = Command::new(exe)
            .arg(SUPERVISE_COMMAND)
            .arg(&path)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|source| StartError::Spawn {
                path: exe.to_owned(),
                source,
            })?;
        let control = child.stdin.take();
        Ok(Self {
            child,
            control,
            result: job.result.clone(),
        })
    }

    /// The process id of the supervisor.
    #[must_use]
    pub fn supervisor_pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the end of the agent and of everything that it started.
    ///
    /// # Errors
    /// When there is no end to report; see [`WaitError`].
    pub fn wait(mut self) -> Result<Ended, WaitError> {
        // `Child::wait` would close a control pipe left in the child; ours was taken out of it.
        let status = self.child.wait()?;
        self.result(status)
    }

    /// Looks whether the agent has ended, without waiting.
    ///
    /// # Errors
    /// As [`Supervised::wait`].
    pub fn try_wait(&mut self) -> Result<Option<Ended>, WaitError> {
        match self.child.try_wait()? {
            None => Ok(None),
            Some(status) => self.result(status).map(Some),
        }
    }

    fn result(&self, status: ExitStatus) -> Result<Ended, WaitError> {
        let result = read_result(&self.result, status);
        if matches!(result, Err(WaitError::NoResult { .. })) {
            let mark = processes::mark(self.child.id(), &self.result);
            processes::kill_marked(&mark, LAST_PATIENCE)?;
        }
        result
    }

    /// Ends the agent and everything that it started, and waits until all of it is gone. There is no result,
    /// unless the agent had already ended.
    pub fn cancel(self) {
        drop(self);
    }
}

impl Drop for Supervised {
    fn drop(&mut self) {
        drop(self.control.take());
        // A supervisor that cannot be waited for has been reaped already.
        _ = self.child.wait();
    }
}

/// Waits until no supervisor holds the lock file at `path`. Returns at once when there is no such file.
///
/// # Errors
/// When the file cannot be opened or locked.
pub fn wait_for_lock(path: &Path) -> std::io::Result<()> {
    match OpenOptions::new().write(true).open(path) {
        Ok(file) => file.lock().and_then(|()| file.unlock()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn write_job(job: &Job, path: &Path) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec_pretty(job)?)?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

fn read_result(path: &Path, status: ExitStatus) -> Result<Ended, WaitError> {
    use std::io::Read as _;
    let result_error = |source| WaitError::Result {
        path: path.to_owned(),
        source,
    };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(WaitError::NoResult {
                path: path.to_owned(),
                status,
            });
        }
        Err(error) => return Err(result_error(error)),
    };
    let mut text = Vec::new();
    file.take(RESULT_BYTES)
        .read_to_end(&mut text)
        .map_err(result_error)?;
    match serde_json::from_slice(&text).map_err(|error| result_error(error.into()))? {
        Outcome::Ended(ended) => Ok(ended),
        Outcome::Refused(refusal) => Err(WaitError::Refused(refusal)),
    }
}
