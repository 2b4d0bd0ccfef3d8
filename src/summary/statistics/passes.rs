// SPDX-License-Identifier: MIT OR Apache-2.0
//! What passes on one side alone: checks arm against arm, reviewers' acceptance arm against
//! baseline, counted by McNemar's test over cases.

use deckproof_reviews::statistics::{mcnemar, shown};

use super::document::{PassComparison, Passing};
use super::plan::Plan;
use super::tests_of::{self, Tested};
use super::{Against, Facts, Pair};
use crate::summary::figures::Cell;

/// One comparison and its test.
#[derive(Debug)]
pub(super) struct Passes {
    pub text: PassComparison,
    pub test: Tested,
}

/// Compares what passes; `None` when there is no case in which both sides are known.
pub(super) fn compare(plan: &Plan, pair: &Pair<'_>, facts: &Facts<'_>) -> Option<Passes> {
    let sides: Vec<(bool, bool)> = pair
        .cells
        .iter()
        .filter_map(|(own, other)| match other {
            Against::Arm(other) => Some((sound(own, facts), sound(other, facts))),
            Against::Baseline => accepted(own, facts),
        })
        .collect();
    if sides.is_empty() {
        return None;
    }
    let count = |wanted: (bool, bool)| sides.iter().filter(|one| **one == wanted).count();
    let (arm_only, other_only) = (count((true, false)), count((false, true)));
    let counted = mcnemar(arm_only, other_only);
    let test = tests_of::mcnemar(plan, &counted);
    let text = PassComparison {
        arm: pair.arm.clone(),
        against: pair.against(),
        passing: match pair.against() {
            Some(_) => Passing::Checks,
            None => Passing::Reviewers,
        },
        both: count((true, true)),
        arm_only,
        other_only,
        neither: count((false, false)),
        test: test.text(),
        mid_p: shown(counted.mid_p),
    };
    Some(Passes { text, test })
}

/// Every trial of a cell ended well and passed all its checks.
fn sound(cell: &Cell<'_>, facts: &Facts<'_>) -> bool {
    let mut trials = cell.trials.iter();
    trials.all(|trial| !facts.failed.contains(trial.id()))
}

/// Whether every reviewer accepts the candidates of a cell, and whether every one accepts their
/// baseline; `None` while there is none of them or one is missing.
fn accepted(cell: &Cell<'_>, facts: &Facts<'_>) -> Option<(bool, bool)> {
    let compared = facts.complete(cell)?;
    let dimensions = || {
        let reviews = compared.iter().flat_map(|one| &one.reviews);
        reviews.flat_map(|one| &one.review.dimensions)
    };
    Some((
        dimensions().all(|one| one.candidate.pass),
        dimensions().all(|one| one.baseline.pass),
    ))
}
