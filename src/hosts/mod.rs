// SPDX-License-Identifier: MIT OR Apache-2.0
//! How each kind of agent is driven, and how what it reports is read.
//!
//! A host turns a [`TurnRequest`] into a command line and the recorded bytes of a turn into [`Parsed`]: an
//! ordered, host-neutral trace, a terminal state, and usage with the rule it was derived by. Nothing here
//! starts a process or trusts what an agent says about itself. What a new host has to answer is in
//! docs/adding-a-host.md.

use std::path::{Path, PathBuf};

pub mod audit;
mod claude;
mod codex;
mod command;
mod failure;
mod fields;
mod gauge;
mod gemini;
mod lines;
mod loose;
mod opencode;
mod parsed;
pub mod replay;
#[cfg(test)]
mod robustness;
#[cfg(test)]
mod testing;
mod trace;
mod turn;
mod whole;

pub use claude::Claude;
pub use codex::Codex;
pub use command::Command;
pub use failure::FailureClass;
pub use gauge::Gauge;
pub use gemini::Gemini;
pub use lines::{MOST_LINE_BYTES, MOST_LINES};
pub use opencode::Opencode;
pub use parsed::{Counts, Loaded, Parsed, TerminalState, UnknownEvent, Usage};
pub use trace::{Change, ToolStatus, TraceEvent};
pub use turn::{Boundary, HostError, Invocation, Previous, TurnRecord, TurnRequest};
pub use whole::{Whole, read_turn};

/// How a host's calls and commands are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habits {
    /// Whether the trace shows calls at all.
    pub shows_calls: bool,
    /// Whether a change of directory lasts from one command to the next.
    pub keeps_directory: bool,
}

/// A kind of agent.
pub trait Host: std::fmt::Debug + Send + Sync {
    /// The name by which a suite asks for it.
    fn name(&self) -> &'static str;

    /// How its trace is to be read by an audit.
    fn habits(&self) -> Habits;

    /// The arguments that make its program print its version, when it has one.
    fn version_arguments(&self) -> Option<&'static [&'static str]>;

    /// What to run for one turn.
    ///
    /// # Errors
    /// When the request holds something that this host cannot be told.
    fn command(&self, turn: &TurnRequest) -> Result<Invocation, HostError>;

    /// The `host:port` pairs of its own model service; empty when there is no one such service.
    fn service(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a later turn can only go on with the conversation of the one before. A program that
    /// keeps what it needs in its folders is simply run again.
    fn needs_thread(&self) -> bool {
        true
    }

    /// Where its program looks for a login, below the home.
    fn login(&self) -> Option<&'static str> {
        None
    }

    /// The files below a trial's home in which the host itself records its threads, oldest first. They are
    /// kept only when the request says that more turns follow.
    fn ledgers(&self, home: &Path) -> Vec<PathBuf> {
        _ = home;
        Vec::new()
    }

    /// Reads what one turn left behind. Never fails: what cannot be read is part of the answer.
    fn parse(&self, record: &TurnRecord<'_>) -> Parsed;
}

/// The hosts that run a process, by name. (`replay` and `manual` run none.)
#[must_use]
pub fn host(name: &str) -> Option<Box<dyn Host>> {
    match name {
        "codex" => Some(Box::new(Codex)),
        "claude" => Some(Box::new(Claude)),
        "gemini" => Some(Box::new(Gemini)),
        "opencode" => Some(Box::new(Opencode)),
        "command" => Some(Box::new(Command)),
        _ => None,
    }
}
