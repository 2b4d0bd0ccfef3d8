// SPDX-License-Identifier: MIT OR Apache-2.0
//! Claude Code (`claude -p --output-format stream-json`), as measured with version 2.1.

mod command;
mod events;
#[cfg(test)]
mod samples;
mod usage;

use super::{Habits, Host, HostError, Invocation, Parsed, TurnRecord, TurnRequest};

/// The Claude Code command line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Claude;

impl Host for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn habits(&self) -> Habits {
        Habits {
            shows_calls: true,
            keeps_directory: true,
        }
    }

    fn version_arguments(&self) -> Option<&'static [&'static str]> {
        Some(&["--version"])
    }

    fn service(&self) -> &'static [&'static str] {
        &["api.anthropic.com:443"]
    }

    fn login(&self) -> Option<&'static str> {
        Some(".claude/.credentials.json")
    }

    fn command(&self, turn: &TurnRequest) -> Result<Invocation, HostError> {
        command::invocation(turn)
    }

    fn parse(&self, record: &TurnRecord<'_>) -> Parsed {
        events::parse(record)
    }
}
