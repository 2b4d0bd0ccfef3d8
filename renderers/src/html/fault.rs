// SPDX-License-Identifier: MIT OR Apache-2.0
//! What stops a deck half-way, before it is known which deck it was.

use std::path::Path;

use deckproof_browser::BrowserError;
use thiserror::Error;

use crate::RenderError;

#[derive(Debug, Error)]
pub(super) enum Fault {
    #[error("{0}")]
    Crashed(String),
    #[error("{what} took longer than {seconds} s")]
    Slow { what: String, seconds: u64 },
    #[error("no slide found: {0}")]
    NoSlides(String),
    #[error("more than {0} slides")]
    TooMany(u32),
    #[error("{0}")]
    Odd(String),
    #[error("{0}")]
    NotThere(String),
    #[error(transparent)]
    Browser(#[from] BrowserError),
}

impl Fault {
    /// Whether the browser has to be replaced before the next deck.
    pub(super) fn spoils_browser(&self) -> bool {
        match self {
            Self::Browser(error) => error.is_fatal(),
            Self::Crashed(_) | Self::Slow { .. } => true,
            Self::NoSlides(_) | Self::TooMany(_) | Self::Odd(_) | Self::NotThere(_) => false,
        }
    }

    /// The public error for the deck at `path`. A browser that ends while a deck runs in it is the
    /// deck's doing: nothing else runs there.
    pub(super) fn of(self, path: &Path) -> RenderError {
        let path = path.to_owned();
        match self {
            Self::Crashed(reason) => RenderError::DeckCrash { path, reason },
            Self::Slow { what, seconds } => RenderError::DeckTimeout {
                path,
                what,
                seconds,
            },
            Self::NoSlides(reason) => RenderError::NoSlides { path, reason },
            Self::TooMany(limit) => RenderError::TooManySlides { path, limit },
            Self::Odd(reason) => RenderError::BadOutput { path, reason },
            Self::NotThere(found) => RenderError::BadEntry {
                path,
                found,
                expected: "a page that loads".to_owned(),
            },
            Self::Browser(BrowserError::Gone { reason }) => RenderError::DeckCrash { path, reason },
            Self::Browser(BrowserError::Refused { method, message }) => RenderError::BadOutput {
                path,
                reason: format!("{method}: {message}"),
            },
            Self::Browser(error) => RenderError::ToolFailed {
                what: "Chromium".to_owned(),
                reason: error.to_string(),
            },
        }
    }
}
