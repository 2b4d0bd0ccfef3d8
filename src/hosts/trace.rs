// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ordered events of a turn in the same words for every host, as checks, the audit and people read them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::parsed::TerminalState;

/// One event. Outputs of tools are not repeated here: they are in the raw log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum TraceEvent {
    /// A turn began.
    TurnStarted,
    /// A turn ended.
    TurnEnded {
        /// How.
        state: TerminalState,
    },
    /// The agent said something.
    Message {
        /// What.
        text: String,
    },
    /// The agent showed some of its thinking.
    Reasoning {
        /// What.
        text: String,
    },
    /// A shell command.
    Command {
        /// The host's id of the call.
        id: String,
        /// The command as the host states it.
        command: String,
        /// Its exit code, where the host tells.
        exit_code: Option<i64>,
        /// How it went.
        status: ToolStatus,
    },
    /// Files made, changed or deleted by a tool for that.
    FileChange {
        /// The host's id of the call.
        id: String,
        /// Which files.
        changes: Vec<Change>,
        /// How it went.
        status: ToolStatus,
    },
    /// Any other tool.
    Tool {
        /// The host's id of the call.
        id: String,
        /// The server that offers the tool, when it is not the host itself.
        server: Option<String>,
        /// The tool's name.
        tool: String,
        /// What it was called with.
        arguments: Value,
        /// How it went.
        status: ToolStatus,
    },
    /// A search of the web.
    WebSearch {
        /// The host's id of the call.
        id: String,
        /// What for.
        query: String,
        /// How it went.
        status: ToolStatus,
    },
    /// Something that the host itself reports: a retry, a warning, another model.
    Notice {
        /// What.
        message: String,
    },
    /// An event that this version of deckproof does not know.
    Unknown {
        /// The type that the host gave it.
        kind: String,
    },
}

/// How a call of a tool went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolStatus {
    /// It worked.
    Completed,
    /// It ran and failed.
    Failed,
    /// It was refused before it ran.
    Denied,
    /// It was begun and the stream does not show its end.
    Interrupted,
    /// The host gives no status, or one that is not known.
    Unknown,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The path as the host states it.
    pub path: String,
    /// The host's word for the kind of change: `add`, `update`, `delete`, `write`, `edit`.
    pub kind: String,
}

impl TraceEvent {
    /// The id of the call, when the event is a call of a tool.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        match self {
            Self::Command { id, .. }
            | Self::FileChange { id, .. }
            | Self::Tool { id, .. }
            | Self::WebSearch { id, .. } => Some(id),
            _ => None,
        }
    }

    pub(super) fn set_status(&mut self, now: ToolStatus) {
        match self {
            Self::Command { status, .. }
            | Self::FileChange { status, .. }
            | Self::Tool { status, .. }
            | Self::WebSearch { status, .. } => *status = now,
            _ => {}
        }
    }

    pub(super) fn set_exit_code(&mut self, code: Option<i64>) {
        if let Self::Command { exit_code, .. } = self {
            *exit_code = code;
        }
    }

    /// Whether `other` is the same call of the same tool, whatever became of it.
    pub(super) fn is_same_call(&self, other: &Self) -> bool {
        let (mut one, mut two) = (self.clone(), other.clone());
        for event in [&mut one, &mut two] {
            event.set_status(ToolStatus::Unknown);
            event.set_exit_code(None);
        }
        one == two
    }
}
