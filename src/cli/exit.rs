// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three exit codes.

use std::process::ExitCode;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: it holds.
    Holds,
    /// 1: a valid result that falls short.
    FallsShort,
    /// 2: unusable input, evidence or set-up, or an internal error.
    Unusable,
}

impl Exit {
    /// The exit code.
    #[must_use]
    pub fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }

    /// The exit code as a number.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::FallsShort => 1,
            Self::Unusable => 2,
        }
    }
}
