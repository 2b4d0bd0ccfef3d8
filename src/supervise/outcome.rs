// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a supervisor reports: how the agent ended, or why it never started.

use serde::{Deserialize, Serialize};

/// The content of a result file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The agent ran and everything it started is gone.
    Ended(Ended),
    /// The agent did not run, or its processes could not be ended.
    Refused(Refusal),
}

/// How an agent process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// The exit of the process that was started (not of its children).
    pub exit: Exit,
    /// Whether the time limit ended it.
    pub timed_out: bool,
    /// Which limit ended it, if one did.
    pub killed_for: Option<KillReason>,
    /// Wall time by a monotonic clock from just before the start to the exit, at least 1 millisecond.
    pub duration_ms: u64,
    /// Wall-clock start, RFC 3339 in UTC with milliseconds.
    pub started_at: String,
    /// Wall-clock end, RFC 3339 in UTC with milliseconds.
    pub ended_at: String,
    /// Processes that were alive after the agent had ended by itself; they were killed.
    pub leftover_processes: Vec<Leftover>,
    /// The limits that the kernel itself kept, in words; the others were watched.
    #[serde(default)]
    pub kernel_limits: Vec<String>,
    /// Targets that the agent tried to reach through the relay and that were refused, as `host:port`.
    #[serde(default)]
    pub refused_connections: Vec<String>,
}

/// An exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Exit {
    /// The process returned this code.
    Code(i32),
    /// This signal ended the process.
    Signal(i32),
}

impl Exit {
    /// Whether the process returned 0.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(formatter, "exit code {code}"),
            Self::Signal(signal) => write!(formatter, "signal {signal}"),
        }
    }
}

/// The limit that ended an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KillReason {
    /// [`super::Job::time_limit_ms`].
    Time,
    /// [`super::Limits::log_bytes`].
    LogBytes,
    /// [`super::Limits::work_bytes`].
    WorkBytes,
    /// [`super::Limits::work_files`].
    WorkFiles,
    /// [`super::Limits::processes`].
    Processes,
    /// [`super::Limits::memory_bytes`].
    Memory,
    /// [`super::Limits::cpu_ms`].
    Cpu,
}

impl std::fmt::Display for KillReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Time => "wall time",
            Self::LogBytes => "bytes of output",
            Self::WorkBytes => "bytes in its folders",
            Self::WorkFiles => "files in its folders",
            Self::Processes => "processes",
            Self::Memory => "memory",
            Self::Cpu => "processor time",
        })
    }
}

/// A process that outlived the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leftover {
    /// Its process id.
    pub pid: i32,
    /// Its command line, words joined by blanks, at most 200 characters.
    pub command: String,
}

/// Why there is no end to report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The kind of refusal.
    pub reason: RefusalReason,
    /// The whole message, for people.
    pub message: String,
}

/// The kinds of refusal; all are failures of the set-up, none is the agent's fault but the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    /// The program is missing or cannot be executed.
    Program,
    /// The current directory is missing.
    CurrentDirectory,
    /// The standard input file cannot be opened.
    Stdin,
    /// A log file exists already or cannot be made.
    Logs,
    /// A secret's file cannot be read.
    Secret,
    /// The system refused a resource.
    System,
    /// Processes of the agent could not be ended in time.
    Survivors,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_a_fixed_shape() {
        let ended = Ended {
            exit: Exit::Signal(9),
            timed_out: true,
            killed_for: Some(KillReason::Time),
            duration_ms: 5,
            started_at: "2026-01-01T00:00:00.000Z".into(),
            ended_at: "2026-01-01T00:00:00.005Z".into(),
            leftover_processes: vec![],
            kernel_limits: vec!["memory".into()],
            refused_connections: vec![],
        };
        let text = serde_json::to_string(&Outcome::Ended(ended)).unwrap();
        assert!(
            text.starts_with(
                r#"{"ended":{"exit":{"signal":9},"timed_out":true,"killed_for":"time""#
            )
        );
        assert!(serde_json::from_str::<Outcome>(&text).is_ok());
        let unknown = text.replace(r#""timed_out""#, r#""more":1,"timed_out""#);
        assert!(serde_json::from_str::<Outcome>(&unknown).is_err());
    }
}
