// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the figures are not entitled to say. A verdict without this list would be read as more than
//! it is, so it is derived like everything else, stands last in every form of the summary, and is
//! never empty.

mod decks;
mod figures;
mod runs;
#[cfg(test)]
mod tests;

use super::document::{Control, ReviewedComparison};
use super::statistics::Statistics;
use super::trials::Trial;
use crate::verify::Verified;

/// What the list is derived from.
pub(super) struct Grounds<'a> {
    pub verified: &'a Verified,
    pub trials: &'a [Trial<'a>],
    pub controls: &'a [Control],
    pub compared: &'a [ReviewedComparison],
    pub statistics: &'a Statistics,
}

impl Grounds<'_> {
    fn count(&self, holds: impl Fn(&Trial<'_>) -> bool) -> usize {
        self.trials.iter().filter(|trial| holds(trial)).count()
    }

    fn fails(&self, control: &str) -> bool {
        let mut controls = self.controls.iter();
        controls.any(|one| one.name == control && !one.passed)
    }
}

/// The list, from the weightiest to the least.
pub(super) fn list(grounds: &Grounds<'_>) -> Vec<String> {
    let groups = [
        decks::reviewers(grounds),
        decks::reviewing(grounds),
        decks::blinding(grounds),
        decks::missing(grounds),
        figures::samples(grounds),
        figures::statistics(grounds),
        figures::failed(grounds),
        runs::times(grounds),
        runs::models(grounds),
        runs::identities(grounds),
        runs::isolation(grounds),
        runs::attempts(grounds),
        decks::renderers(grounds),
        decks::ties(grounds),
    ];
    groups.into_iter().flatten().collect()
}
