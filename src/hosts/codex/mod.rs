// SPDX-License-Identifier: MIT OR Apache-2.0
//! Codex (`codex exec --json`), as measured with version 0.171.

mod command;
mod events;
mod ledger;
#[cfg(test)]
mod samples;

use std::path::{Path, PathBuf};

use super::{Habits, Host, HostError, Invocation, Parsed, TurnRecord, TurnRequest};

/// The Codex command line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Codex;

impl Host for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn habits(&self) -> Habits {
        Habits {
            shows_calls: true,
            keeps_directory: false,
        }
    }

    fn version_arguments(&self) -> Option<&'static [&'static str]> {
        Some(&["--version"])
    }

    fn service(&self) -> &'static [&'static str] {
        &["api.openai.com:443"]
    }

    fn login(&self) -> Option<&'static str> {
        Some(".codex/auth.json")
    }

    fn command(&self, turn: &TurnRequest) -> Result<Invocation, HostError> {
        command::invocation(turn)
    }

    fn ledgers(&self, home: &Path) -> Vec<PathBuf> {
        ledger::files(home)
    }

    fn parse(&self, record: &TurnRecord<'_>) -> Parsed {
        events::parse(record)
    }
}
