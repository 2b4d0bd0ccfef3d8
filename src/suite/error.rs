// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a suite, and where.

use std::fmt::Write;
use std::ops::Range;
use std::path::PathBuf;

/// A suite that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// `suite.toml` breaks a rule. All broken rules are told together.
    #[error("{}", list(.0))]
    Rules(Vec<Problem>),
    /// A file that the suite names cannot be used.
    #[error("`{file}`: {problem}")]
    File {
        /// Which file.
        file: PathBuf,
        /// What was found and what was expected.
        problem: String,
    },
}

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The suite's file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

fn list(problems: &[Problem]) -> String {
    let mut text = String::new();
    for (index, problem) in problems.iter().enumerate() {
        let Problem {
            file,
            line,
            column,
            message,
        } = problem;
        let separator = if index == 0 { "" } else { "\n" };
        let _ = write!(text, "{separator}{file}:{line}:{column}: {message}");
    }
    text
}

/// Turns byte offsets into lines and columns.
#[derive(Debug)]
pub(super) struct Places<'a> {
    pub file: &'a str,
    pub text: &'a str,
}

impl Places<'_> {
    pub(super) fn problem(&self, span: Range<usize>, message: impl Into<String>) -> Problem {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        Problem {
            file: self.file.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }
}
