// SPDX-License-Identifier: MIT OR Apache-2.0
//! `selfcheck`: shows that the checks of a case can pass and can fail, before money hangs on them.
//!
//! A check that never fails proves nothing, and one that never passes fails good agents. So the suite
//! names decks whose worth is known (`[[case.known]]`): gold ones must pass every check, broken ones
//! must fail the checks that they name. A third kind needs no deck: what an agent leaves that did
//! nothing, which no case may take for done. All of them go the way of a trial's deck: stored,
//! rendered, checked.

mod decks;
mod judged;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use deckproof_renderers::batch::Renderers;
use serde::Serialize;

use crate::execute::{Engine, ExecuteError, Progress, renderer_options};
use crate::experiment::records::{CheckRecord, CheckStatus};
use crate::suite::{Id, Loaded};

/// What `selfcheck` found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SelfCheck {
    /// Always `deckproof.selfcheck.v1`.
    pub schema: &'static str,
    /// Every known deck of every case and arm, in the suite's order.
    pub decks: Vec<JudgedDeck>,
    /// What is wrong with cases as a whole, in words.
    pub problems: Vec<String>,
    /// Checks that no known deck fails. Not wrong by itself: some need decks that are hard to make.
    pub never_failed: Vec<String>,
}

/// One known deck, checked for one arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgedDeck {
    /// The case.
    pub case: Id,
    /// The arm that it stands in for.
    pub arm: Id,
    /// What it is to show.
    pub kind: Kind,
    /// Its path in the suite; absent when there is no deck.
    pub artifact: Option<String>,
    /// What the checks say, sorted by name.
    pub checks: Vec<CheckRecord>,
    /// Where they say something else than they should, in words.
    pub problems: Vec<String>,
}

/// What a known deck is to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It is as the case wants it: every check passes.
    Gold,
    /// It is bad in a declared way: the named checks fail.
    Broken,
    /// Nothing was done: not every check passes.
    Untouched,
}

/// Why decks cannot be checked at all.
#[derive(Debug, thiserror::Error)]
pub enum SelfCheckError {
    /// A known deck cannot be read.
    #[error("`{}`: {problem}", path.display())]
    Deck {
        /// The deck.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// There is no such case.
    #[error("the suite has no case `{0}`")]
    Case(String),
    /// Rendering or storing failed on our side.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl SelfCheck {
    /// Whether every known deck is judged as it should be.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.problems.is_empty() && self.decks.iter().all(|deck| deck.problems.is_empty())
    }
}

/// Checks the known decks of the suite, or of the one case `only`.
///
/// # Errors
/// [`SelfCheckError`]. A deck that is bad in any way is no error; its checks say so.
pub fn run(
    loaded: &Loaded,
    only: Option<&str>,
    engine: Engine,
    progress: &Progress,
) -> Result<SelfCheck, SelfCheckError> {
    let scratch = tempfile::tempdir()?;
    let mut renderers = Renderers::new(renderer_options(engine));
    let mut bench = decks::bench(scratch.path(), &mut renderers);
    let mut found = SelfCheck {
        schema: "deckproof.selfcheck.v1",
        decks: Vec::new(),
        problems: Vec::new(),
        never_failed: Vec::new(),
    };
    let wanted = |id: &Id| only.is_none_or(|only| id.as_str() == only);
    let cases: Vec<_> = loaded
        .suite
        .case
        .iter()
        .filter(|case| wanted(case.id.get()))
        .collect();
    if let (true, Some(only)) = (cases.is_empty(), only) {
        return Err(SelfCheckError::Case(only.to_owned()));
    }
    for case in cases {
        let known = decks::examine_all(loaded, case, &mut bench, progress)?;
        for arm in &loaded.suite.arm {
            judged::arm(loaded, case, arm, &known, &mut found)?;
        }
    }
    Ok(found)
}

/// The names of the checks that do not pass.
fn failing(checks: &[CheckRecord]) -> impl Iterator<Item = &CheckRecord> {
    checks
        .iter()
        .filter(|check| check.status != CheckStatus::Pass)
}
