// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a deck could not be rendered, and whose fault that is.
//!
//! The difference decides an exit code: a bad deck is a failed check of its trial, while a missing
//! browser says nothing about the deck and makes the evidence unusable.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why [`crate::Renderer::render`] gave no pictures.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The entry file is absent.
    #[error("{path}: not found, expected the deck's entry file")]
    EntryMissing {
        /// Where it should have been.
        path: PathBuf,
    },
    /// The entry exists, but is no regular file of the artifact, or cannot be read.
    #[error("{path}: {found}, expected {expected}")]
    BadEntry {
        /// The entry.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// The deck was read, and has nothing to draw.
    #[error("{path}: no slide found ({reason})")]
    NoSlides {
        /// The entry.
        path: PathBuf,
        /// What was looked for.
        reason: String,
    },
    /// More slides than the limit.
    #[error("{path}: more than {limit} slides")]
    TooManySlides {
        /// The entry.
        path: PathBuf,
        /// The limit.
        limit: u32,
    },
    /// A selection names only slides that the deck has not got.
    #[error("{path}: slides {wanted} asked for, but the deck has {count}")]
    NoSuchSlide {
        /// The entry.
        path: PathBuf,
        /// The selection as written.
        wanted: String,
        /// How many slides the deck has.
        count: u32,
    },
    /// The deck kept its renderer busy beyond a limit.
    #[error("{path}: {what} took longer than {seconds} s")]
    DeckTimeout {
        /// The entry.
        path: PathBuf,
        /// The step that did not end.
        what: String,
        /// The limit.
        seconds: u64,
    },
    /// The deck brought its renderer down, or used more memory than it may.
    #[error("{path}: the deck ended its renderer ({reason})")]
    DeckCrash {
        /// The entry.
        path: PathBuf,
        /// What was observed.
        reason: String,
    },
    /// The renderer refused the deck, or gave something that is no set of pictures.
    #[error("{path}: {reason}")]
    BadOutput {
        /// The entry.
        path: PathBuf,
        /// What was found, and what was expected.
        reason: String,
    },
    /// A program, font or file of the machine that the renderer cannot do without.
    #[error("{what} not found: {reason}")]
    ToolMissing {
        /// The program or file, and the package that has it.
        what: String,
        /// What was tried.
        reason: String,
    },
    /// A program of the machine did not do its part, with no deck to blame.
    #[error("{what}: {reason}")]
    ToolFailed {
        /// The program.
        what: String,
        /// What it did.
        reason: String,
    },
    /// A file operation of Deckproof's own failed (disk full, no permission).
    #[error("{context}: {source}")]
    Io {
        /// What was being done, and to which file.
        context: String,
        /// The system's answer.
        source: io::Error,
    },
}

impl RenderError {
    /// True when the machine is at fault and nothing was learnt about the deck.
    #[must_use]
    pub fn is_infrastructure(&self) -> bool {
        matches!(
            self,
            Self::ToolMissing { .. } | Self::ToolFailed { .. } | Self::Io { .. }
        )
    }

    /// A short, stable name for records and for `--json`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::EntryMissing { .. } => "entry-missing",
            Self::BadEntry { .. } => "bad-entry",
            Self::NoSlides { .. } => "no-slides",
            Self::TooManySlides { .. } => "too-many-slides",
            Self::NoSuchSlide { .. } => "no-such-slide",
            Self::DeckTimeout { .. } => "deck-timeout",
            Self::DeckCrash { .. } => "deck-crash",
            Self::BadOutput { .. } => "bad-output",
            Self::ToolMissing { .. } => "tool-missing",
            Self::ToolFailed { .. } => "tool-failed",
            Self::Io { .. } => "io",
        }
    }

    /// Wraps a failure of Deckproof's own file work; `context` says what was being done.
    #[must_use]
    pub fn io(context: impl Into<String>, source: io::Error) -> Self {
        Self::Io {
            context: context.into(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_machine_is_infrastructure() {
        let deck = RenderError::DeckTimeout {
            path: "a".into(),
            what: "slide 3".into(),
            seconds: 5,
        };
        let tool = RenderError::ToolMissing {
            what: "chromium".into(),
            reason: "no".into(),
        };
        let disk = RenderError::io("write x", io::Error::other("disk full"));
        assert!(!deck.is_infrastructure());
        assert!(tool.is_infrastructure() && disk.is_infrastructure());
        assert_eq!(deck.to_string(), "a: slide 3 took longer than 5 s");
    }
}
