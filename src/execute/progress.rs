// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `execute` says while it works: plain lines on standard error, or nothing.

use std::fmt::Display;

/// Where progress goes.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    quiet: bool,
}

impl Progress {
    /// Progress that says everything, or with `quiet` nothing.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// One line.
    pub fn line(&self, what: impl Display) {
        if !self.quiet {
            eprintln!("{what}");
        }
    }
}
