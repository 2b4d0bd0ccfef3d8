// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can go wrong with a browser.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the browser could not do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// No executable at any of the known places.
    #[error(
        "Chromium not found at {}; install Debian's package chromium-headless-shell",
        list(tried)
    )]
    NotFound {
        /// The paths that were tried.
        tried: Vec<PathBuf>,
    },
    /// It did not start at any level of isolation.
    #[error("{executable}: does not start: {reason}")]
    Launch {
        /// What was started.
        executable: PathBuf,
        /// What each attempt said.
        reason: String,
    },
    /// The process ended, or was ended by a watchdog.
    #[error("the browser is gone: {reason}")]
    Gone {
        /// Why, as far as is known.
        reason: String,
    },
    /// No answer before the deadline.
    #[error("no answer to {method} in time")]
    Timeout {
        /// What was asked or awaited.
        method: String,
    },
    /// The browser refused a command.
    #[error("{method}: {message}")]
    Refused {
        /// The command.
        method: String,
        /// The browser's words.
        message: String,
    },
    /// An answer that does not have the shape of the protocol.
    #[error("{method}: answer not understood: {reason}")]
    Malformed {
        /// The command or event.
        method: String,
        /// What is wrong.
        reason: String,
    },
    /// A file or pipe operation on this side.
    #[error("{context}: {source}")]
    Io {
        /// What was being done.
        context: String,
        /// The system's answer.
        source: io::Error,
    },
}

impl BrowserError {
    pub(crate) fn io(context: impl Into<String>, source: io::Error) -> Self {
        Self::Io {
            context: context.into(),
            source,
        }
    }

    /// Whether the browser must be replaced: it is gone, or no longer answers.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        !matches!(self, Self::Refused { .. } | Self::Malformed { .. })
    }
}

fn list(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(" or ")
}
