// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a host is told about one turn, before it and after it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::supervise::{Exit, KillReason};

use super::parsed::Counts;

/// What surrounds the agent's process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// A launcher confines the whole process, so the agent's own sandbox is switched off: it would hide
    /// commands from the event stream, and it cannot be built inside another one everywhere.
    Outer,
    /// Nothing does; the agent's own sandbox, where it has one, is switched on.
    Own,
}

/// One turn of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnRequest {
    /// The host's program, by its absolute path (see [`crate::supervise::find_program`]).
    pub program: PathBuf,
    /// Further arguments from the suite. Hosts put them where their program takes options.
    pub arguments: Vec<String>,
    /// Further environment from the suite; secrets have no place here.
    pub environment: BTreeMap<String, String>,
    /// The URL at which the model answers, when it is not the host's own service.
    pub endpoint: Option<String>,
    /// The search path of the agent's commands.
    pub search_path: String,
    /// The model that the suite asks for.
    pub model: Option<String>,
    /// The reasoning effort that the suite asks for.
    pub effort: Option<String>,
    /// The file that holds this turn's message.
    pub prompt: PathBuf,
    /// The trial's work folder.
    pub work: PathBuf,
    /// The trial's own home, fresh before the first turn.
    pub home: PathBuf,
    /// The trial's own folder for temporary files; not below [`TurnRequest::home`].
    pub temporary: PathBuf,
    /// Where the host may have its program put the last message; outside the work folder.
    pub last_message: PathBuf,
    /// The thread to continue, as the first turn's [`super::Parsed::thread_id`] gave it.
    pub thread: Option<String>,
    /// Whether a later turn will continue this thread.
    pub more_turns: bool,
    /// Whether a skill is installed in the home.
    pub skills: bool,
    /// What surrounds the process.
    pub boundary: Boundary,
}

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment, without secrets.
    pub environment: BTreeMap<String, String>,
    /// The file for standard input.
    pub stdin: PathBuf,
    /// Where it starts.
    pub current_directory: PathBuf,
    /// Folders that have to exist before it starts, all of them below the trial's home.
    pub folders: Vec<PathBuf>,
}

/// The usage that the thread had reported before this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Previous<'a> {
    /// This turn is the first of its thread.
    First,
    /// The turn before reported these figures for this thread.
    Reported {
        /// The thread.
        thread: &'a str,
        /// [`super::Usage::reported`] of the turn before.
        counts: Counts,
    },
    /// There was a turn before, and what it reported is unknown.
    Unknown,
}

/// What one turn left behind.
#[derive(Debug, Clone, Copy)]
pub struct TurnRecord<'a> {
    /// Standard output, byte for byte.
    pub events: &'a [u8],
    /// Standard error, byte for byte.
    pub stderr: &'a [u8],
    /// How the process ended.
    pub exit: Exit,
    /// Which limit ended it, if one did.
    pub killed_for: Option<KillReason>,
    /// The model that was asked for.
    pub model: Option<&'a str>,
    /// The effort that was asked for.
    pub effort: Option<&'a str>,
    /// What the thread had reported before.
    pub previous: Previous<'a>,
    /// The host's own record of its thread (see [`super::Host::ledgers`]), when it was kept.
    pub ledger: Option<&'a [u8]>,
}

/// Why a turn cannot be put into a command line.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// A value that the host's program would misread.
    #[error("host `{host}`: {what} `{found}`: expected {expected}")]
    Value {
        /// The host.
        host: &'static str,
        /// What the value is for.
        what: &'static str,
        /// The value.
        found: String,
        /// What it has to be.
        expected: &'static str,
    },
    /// A value that the host needs.
    #[error("host `{host}`: {what} is missing; set it in the suite")]
    Missing {
        /// The host.
        host: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// A path that cannot be passed as an argument.
    #[error("host `{host}`: {path}: expected a path in UTF-8")]
    Path {
        /// The host.
        host: &'static str,
        /// The path.
        path: PathBuf,
    },
}

impl TurnRequest {
    /// The environment that every host starts from.
    pub(super) fn base_environment(
        &self,
        host: &'static str,
    ) -> Result<BTreeMap<String, String>, HostError> {
        let mut environment = self.environment.clone();
        for (name, value) in [
            ("PATH", self.search_path.clone()),
            ("HOME", text(host, &self.home)?),
            ("TMPDIR", text(host, &self.temporary)?),
            ("LANG", "C.UTF-8".to_owned()),
        ] {
            environment.insert(name.to_owned(), value);
        }
        Ok(environment)
    }

    /// The model, checked to be one that cannot be taken for an option.
    pub(super) fn checked_model(&self, host: &'static str) -> Result<&str, HostError> {
        let model = self.model.as_deref().ok_or(HostError::Missing {
            host,
            what: "the model",
        })?;
        let expected = "letters, digits and `-_.:/@[]`, not beginning with `-`";
        plain(host, "model", model, "-_.:/@[]", expected)
    }

    /// The effort, checked to be one plain word.
    pub(super) fn checked_effort(&self, host: &'static str) -> Result<Option<&str>, HostError> {
        let expected = "letters, digits, `-` and `_`, not beginning with `-`";
        self.effort
            .as_deref()
            .map(|effort| plain(host, "effort", effort, "-_", expected))
            .transpose()
    }

    /// The thread to continue, checked likewise.
    pub(super) fn checked_thread(&self, host: &'static str) -> Result<Option<&str>, HostError> {
        let expected = "letters, digits, `-` and `_`, not beginning with `-`";
        self.thread
            .as_deref()
            .map(|thread| plain(host, "thread", thread, "-_", expected))
            .transpose()
    }
}

/// `path` as an argument.
pub(super) fn text(host: &'static str, path: &std::path::Path) -> Result<String, HostError> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| HostError::Path {
            host,
            path: path.to_owned(),
        })
}

fn plain<'a>(
    host: &'static str,
    what: &'static str,
    value: &'a str,
    also: &str,
    expected: &'static str,
) -> Result<&'a str, HostError> {
    let fits = |character: char| character.is_ascii_alphanumeric() || also.contains(character);
    if value.is_empty() || value.starts_with('-') || !value.chars().all(fits) {
        return Err(HostError::Value {
            host,
            what,
            found: value.to_owned(),
            expected,
        });
    }
    Ok(value)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A request with every field set to something ordinary.
    pub(in crate::hosts) fn request() -> TurnRequest {
        TurnRequest {
            program: "/opt/agent".into(),
            arguments: vec![],
            environment: BTreeMap::new(),
            endpoint: None,
            search_path: "/usr/bin:/bin".into(),
            model: Some("some-model".into()),
            effort: Some("xhigh".into()),
            prompt: "/t/prompt".into(),
            work: "/t/work".into(),
            home: "/t/home".into(),
            temporary: "/t/tmp".into(),
            last_message: "/t/last".into(),
            thread: None,
            more_turns: false,
            skills: false,
            boundary: Boundary::Own,
        }
    }

    #[test]
    fn refuses_values_that_are_options_or_code() {
        for model in ["", "--yolo", "a b", "a\"b", "a\n"] {
            let turn = TurnRequest {
                model: Some(model.into()),
                ..request()
            };
            assert!(turn.checked_model("codex").is_err(), "{model:?}");
        }
        let turn = TurnRequest {
            effort: Some("x\"\nsandbox=\"off".into()),
            ..request()
        };
        assert!(turn.checked_effort("codex").is_err());
        let turn = TurnRequest {
            model: None,
            ..request()
        };
        assert!(
            turn.checked_model("codex")
                .unwrap_err()
                .to_string()
                .contains("missing")
        );
        assert_eq!(request().checked_model("codex").unwrap(), "some-model");
    }

    #[test]
    fn the_suite_cannot_move_the_home() {
        let mut turn = request();
        turn.environment.insert("HOME".into(), "/root".into());
        turn.environment
            .insert("BASE_URL".into(), "http://127.0.0.1:1".into());
        let environment = turn.base_environment("codex").unwrap();
        assert_eq!(environment["HOME"], "/t/home");
        assert_eq!(environment["BASE_URL"], "http://127.0.0.1:1");
    }
}
