// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a supervisor is told: one strict JSON file, so that a trial's evidence can hold exactly what was run.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::relay::Relay;

/// The largest job file that is read, in bytes.
const JOB_FILE_BYTES: u64 = 4 << 20;

/// One agent process to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Program (an absolute path) and its arguments.
    pub argv: Vec<String>,
    /// The whole environment of the agent; nothing is inherited. The supervisor adds `DECKPROOF_TURN`, a mark
    /// by which processes of this turn are found.
    pub environment: BTreeMap<String, String>,
    /// Environment variables whose values stand in private files, so that no secret is in the job file.
    #[serde(default)]
    pub secrets: BTreeMap<String, PathBuf>,
    /// Where the agent starts; must exist.
    pub current_directory: PathBuf,
    /// A file that becomes the agent's standard input.
    pub stdin: PathBuf,
    /// Where its standard output goes: must not exist, and must lie outside `watch`.
    pub stdout: PathBuf,
    /// Where its standard error goes: must not exist, and must lie outside `watch`.
    pub stderr: PathBuf,
    /// Wall-clock limit in milliseconds, at least 1.
    pub time_limit_ms: u64,
    /// How long the agent has between the polite signal and the final one, in milliseconds.
    pub grace_ms: u64,
    /// Folders whose total size counts against [`Limits::work_bytes`] and [`Limits::work_files`].
    pub watch: Vec<PathBuf>,
    /// Bounds on what the agent may use up.
    pub limits: Limits,
    /// The way out of a closed network, if there is one; a launcher fills it in.
    #[serde(default)]
    pub relay: Option<Relay>,
    /// A file that is locked while the supervisor lives; made when absent.
    pub lock: PathBuf,
    /// Where the [`super::Outcome`] is written, once, at the very end; must not exist.
    pub result: PathBuf,
}

/// Bounds on one agent's use of the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Bytes in standard output, and as many again in standard error.
    pub log_bytes: u64,
    /// Allocated bytes in all watched folders together.
    pub work_bytes: u64,
    /// Files and folders in all watched folders together.
    pub work_files: u64,
    /// Bytes in any one file (the kernel stops the write).
    pub file_bytes: u64,
    /// Processes and their children alive at one time.
    pub processes: u64,
    /// Resident bytes of all processes together; pages that they share count for each.
    pub memory_bytes: u64,
    /// Processor time of all processes together, in milliseconds; without it there is no such limit.
    #[serde(default)]
    pub cpu_ms: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            log_bytes: 256 << 20,
            work_bytes: 4 << 30,
            work_files: 200_000,
            file_bytes: 2 << 30,
            processes: 512,
            memory_bytes: 16 << 30,
            cpu_ms: None,
        }
    }
}

/// Why a job cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The file could not be read.
    #[error("{path}: cannot read the job: {source}")]
    Read {
        /// The job file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no job.
    #[error("{path}: not a job of this version of deckproof: {source}")]
    Parse {
        /// The job file.
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// The file is larger than a job can be.
    #[error("{path}: a job file has at most {JOB_FILE_BYTES} bytes")]
    TooLarge {
        /// The job file.
        path: PathBuf,
    },
    /// A field holds something that cannot be run.
    #[error("job field `{field}`: found {found}, expected {expected}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it has to hold.
        expected: &'static str,
    },
}

impl Job {
    /// Reads and checks a job file.
    ///
    /// # Errors
    /// When it cannot be read, is no strict JSON of a job, or [`Job::check`] refuses it.
    pub fn read(path: &Path) -> Result<Self, JobError> {
        let read_error = |source| JobError::Read {
            path: path.to_owned(),
            source,
        };
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).map_err(read_error)?;
        file.take(JOB_FILE_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(read_error)?;
        if bytes.len() as u64 > JOB_FILE_BYTES {
            return Err(JobError::TooLarge {
                path: path.to_owned(),
            });
        }
        let job: Self = serde_json::from_slice(&bytes).map_err(|source| JobError::Parse {
            path: path.to_owned(),
            source,
        })?;
        job.check()?;
        Ok(job)
    }

    /// Checks what can be checked without touching the disk.
    ///
    /// # Errors
    /// Names the first field that cannot be used.
    pub fn check(&self) -> Result<(), JobError> {
        self.check_program()?;
        self.check_environment()?;
        self.check_paths()?;
        if self.time_limit_ms == 0 {
            return Err(field("time_limit_ms", "0", "at least 1"));
        }
        if self.limits.log_bytes == 0 {
            return Err(field("limits.log_bytes", "0", "at least 1"));
        }
        Ok(())
    }

    fn check_program(&self) -> Result<(), JobError> {
        let Some(program) = self.argv.first() else {
            return Err(field(
                "argv",
                "an empty list",
                "a program and its arguments",
            ));
        };
        if !Path::new(program).is_absolute() {
            return Err(field("argv", program, "a program by its absolute path"));
        }
        match self.argv.iter().find(|word| word.contains('\0')) {
            Some(word) => Err(field(
                "argv",
                &format!("{word:?}"),
                "words without a NUL byte",
            )),
            None => Ok(()),
        }
    }

    fn check_environment(&self) -> Result<(), JobError> {
        let names = self.environment.keys().chain(self.secrets.keys());
        for name in names {
            if name.is_empty() || name.contains(['=', '\0']) {
                let expected = "variable names without `=` and NUL";
                return Err(field("environment", &format!("{name:?}"), expected));
            }
        }
        for (name, value) in &self.environment {
            if value.contains('\0') {
                return Err(field("environment", name, "values without a NUL byte"));
            }
        }
        match self
            .secrets
            .keys()
            .find(|name| self.environment.contains_key(*name))
        {
            Some(name) => Err(field(
                "secrets",
                name,
                "names that `environment` does not set too",
            )),
            None => Ok(()),
        }
    }

    fn check_paths(&self) -> Result<(), JobError> {
        let outputs = [
            ("stdout", &self.stdout),
            ("stderr", &self.stderr),
            ("result", &self.result),
        ];
        for (name, path) in outputs {
            if !path.is_absolute() {
                return Err(field(name, &path.display().to_string(), "an absolute path"));
            }
            if self.watch.iter().any(|folder| path.starts_with(folder)) {
                let expected = "a path outside every folder that the agent may write";
                return Err(field(name, &path.display().to_string(), expected));
            }
        }
        if self.stdout == self.stderr || self.stdout == self.result || self.stderr == self.result {
            return Err(field(
                "stdout",
                &self.stdout.display().to_string(),
                "a file of its own",
            ));
        }
        Ok(())
    }
}

fn field(field: &'static str, found: &str, expected: &'static str) -> JobError {
    JobError::Field {
        field,
        found: found.to_owned(),
        expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            argv: vec!["/bin/true".to_owned()],
            environment: BTreeMap::new(),
            secrets: BTreeMap::new(),
            current_directory: "/".into(),
            stdin: "/dev/null".into(),
            stdout: "/x/out".into(),
            stderr: "/x/err".into(),
            time_limit_ms: 1,
            grace_ms: 1,
            watch: vec!["/x/work".into()],
            limits: Limits::default(),
            relay: None,
            lock: "/x/lock".into(),
            result: "/x/result.json".into(),
        }
    }

    fn refused(change: impl FnOnce(&mut Job)) -> String {
        let mut job = job();
        change(&mut job);
        job.check()
            .map(|()| String::new())
            .unwrap_or_else(|error| error.to_string())
    }

    #[test]
    fn accepts_and_round_trips() {
        job().check().unwrap();
        let text = serde_json::to_string(&job()).unwrap();
        assert_eq!(serde_json::from_str::<Job>(&text).unwrap(), job());
    }

    #[test]
    fn refuses_what_cannot_run() {
        assert!(refused(|job| job.argv.clear()).contains("`argv`"));
        assert!(refused(|job| job.argv[0] = "true".into()).contains("absolute"));
        assert!(refused(|job| job.argv.push("a\0b".into())).contains("NUL"));
        assert!(refused(|job| job.time_limit_ms = 0).contains("`time_limit_ms`"));
        assert!(refused(|job| job.limits.log_bytes = 0).contains("log_bytes"));
        assert!(
            refused(|job| _ = job.environment.insert("A=B".into(), "1".into())).contains("A=B")
        );
        assert!(refused(|job| _ = job.environment.insert("A".into(), "\0".into())).contains("NUL"));
    }

    #[test]
    fn refuses_logs_that_the_agent_could_write() {
        assert!(refused(|job| job.stdout = "/x/work/out".into()).contains("`stdout`"));
        assert!(refused(|job| job.result = "/x/work/deep/r.json".into()).contains("`result`"));
        assert!(refused(|job| job.stderr = job.stdout.clone()).contains("file of its own"));
        assert!(refused(|job| job.stderr = "err".into()).contains("absolute"));
    }

    #[test]
    fn refuses_a_secret_that_is_also_plain() {
        let message = refused(|job| {
            job.environment.insert("KEY".into(), "1".into());
            job.secrets.insert("KEY".into(), "/x/key".into());
        });
        assert!(message.contains("`secrets`"), "{message}");
    }

    #[test]
    fn refuses_loose_json() {
        let text = serde_json::to_string(&job()).unwrap();
        let unknown = text.replacen('{', r#"{"extra":1,"#, 1);
        let twice = text.replacen('{', r#"{"time_limit_ms":1,"#, 1);
        let trailing = format!("{text} 1");
        for bad in [unknown, twice, trailing] {
            assert!(serde_json::from_str::<Job>(&bad).is_err(), "{bad}");
        }
    }
}
