// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statistics beside the verdict: what was compared, by how much, how surely, and what could not
//! have been seen (product.md 10.4).
//!
//! Every arm is compared with its sealed baseline and with every other arm. None of it gates unless
//! the sealed suite says so, and nothing is chosen after the figures are known.

mod claims;
mod costs;
mod document;
mod passes;
mod plan;
mod scores;
#[cfg(test)]
mod tests;
mod tests_of;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use deckproof_reviews::gates::Gate;

pub use document::{
    CostComparison, FamilyTestText, FamilyText, Favours, IntervalText, NonInferiorityText,
    PassComparison, Passing, PlanText, ScoreComparison, Statistics, TestText,
};
pub(crate) use text::against_words;
pub(super) use text::{
    CLAIM_TITLES, COST_TITLES, FAMILY_TITLES, NULL_TITLES, PASS_TITLES, SCORE_TITLES, claim_rows,
    cost_rows_of, family_rows, null_rows, pass_rows, score_rows,
};

use super::document::{FailedCheck, ReviewedComparison};
use super::figures::Cell;
use crate::experiment::TrialId;
use crate::suite::{Arm, CostMeasure, FamilyTest, Format, Id, Measure, Suite};
use crate::verify::VerifyError;
use costs::Costs;
use passes::Passes;
use plan::Plan;
use scores::Scores;
use tests_of::Tested;

/// What one cell is compared with.
enum Against<'a> {
    /// Its sealed baseline.
    Baseline,
    /// Another arm's cell of the same case.
    Arm(&'a Cell<'a>),
}

/// One arm, what it is compared with, and their cells case by case.
struct Pair<'a> {
    arm: &'a Id,
    other: Option<&'a Id>,
    cells: Vec<(&'a Cell<'a>, Against<'a>)>,
}

impl Pair<'_> {
    fn against(&self) -> Option<Id> {
        self.other.cloned()
    }
}

/// What is known of trials beside their costs.
struct Facts<'a> {
    /// Trials that failed mechanically.
    failed: BTreeSet<&'a TrialId>,
    compared: BTreeMap<&'a TrialId, &'a ReviewedComparison>,
}

impl<'a> Facts<'a> {
    fn of(failed: &'a [FailedCheck], compared: &'a [ReviewedComparison]) -> Self {
        Self {
            failed: failed.iter().map(|one| &one.trial).collect(),
            compared: compared.iter().map(|one| (&one.trial, one)).collect(),
        }
    }

    /// The comparisons of a cell, when every trial has one with every required review: one case
    /// alone would tell a reviewer who is still to come what the others found.
    fn complete(&self, cell: &Cell<'_>) -> Option<Vec<&'a ReviewedComparison>> {
        let of = |one: &ReviewedComparison| one.missing.is_empty() && !one.reviews.is_empty();
        let all = cell.trials.iter().map(|trial| {
            let found = self.compared.get(trial.id()).copied();
            found.filter(|one| of(one))
        });
        all.collect()
    }
}

type Key = (Id, Option<Id>);

/// Everything that was compared, to be asked for by claims and families.
#[derive(Debug, Default)]
struct Results {
    costs: BTreeMap<(Key, CostMeasure), Costs>,
    passes: BTreeMap<Key, Passes>,
    scores: BTreeMap<(Id, String), Scores>,
}

impl Results {
    fn costs(&self, arm: &Id, against: Option<&Id>, measure: CostMeasure) -> Option<&Costs> {
        let key = (arm.clone(), against.cloned());
        self.costs.get(&(key, measure))
    }

    fn tested(&self, test: &FamilyTest) -> Option<&Tested> {
        let (arm, against) = (test.arm.get(), test.against.as_ref().map(|one| one.get()));
        let tests = match test.measure {
            Measure::Tokens => &self.costs(arm, against, CostMeasure::Tokens)?.tests,
            Measure::Duration => &self.costs(arm, against, CostMeasure::Duration)?.tests,
            Measure::Passes => {
                let key = (arm.clone(), against.cloned());
                return self.passes.get(&key).map(|one| &one.test);
            }
            Measure::Score => {
                let key = (arm.clone(), test.dimension.clone()?);
                &self.scores.get(&key)?.tests
            }
        };
        tests.iter().find(|one| one.method == test.method)
    }
}

/// All statistics, and the gates that the sealed plan asks for.
pub(super) fn of(
    suite: &Suite,
    cells: &[Cell<'_>],
    failed: &[FailedCheck],
    compared: &[ReviewedComparison],
) -> Result<(Statistics, Vec<Gate>), VerifyError> {
    let plan = Plan::of(&suite.statistics)?;
    let facts = Facts::of(failed, compared);
    let keys = keys(suite);
    let mut results = Results::default();
    for (arm, other) in &keys {
        let pair = pair(cells, arm, other.as_ref());
        for measure in [CostMeasure::Tokens, CostMeasure::Duration] {
            let costs = costs::compare(&plan, &pair, measure);
            let key = ((arm.clone(), other.clone()), measure);
            results.costs.insert(key, costs);
        }
        if let Some(passes) = passes::compare(&plan, &pair, &facts) {
            results.passes.insert((arm.clone(), other.clone()), passes);
        }
        if other.is_none() {
            for dimension in &suite.review.dimensions {
                let name = &dimension.name;
                if let Some(scores) = scores::compare(&plan, &pair, name, &facts) {
                    results.scores.insert((arm.clone(), name.clone()), scores);
                }
            }
        }
    }
    let mut gates = Vec::new();
    let mut non_inferiority = Vec::new();
    for claim in &suite.statistics.non_inferiority {
        let (text, gate) = claims::non_inferiority(claim, &results)?;
        non_inferiority.push(text);
        gates.extend(gate);
    }
    let mut families = Vec::new();
    for family in &suite.statistics.family {
        let (text, gate) = claims::family(&plan, family, &results);
        families.push(text);
        gates.extend(gate);
    }
    let statistics = Statistics {
        plan: plan.text.clone(),
        costs: in_order(&keys, |key| {
            [CostMeasure::Tokens, CostMeasure::Duration]
                .iter()
                .filter_map(|measure| results.costs.get(&(key.clone(), *measure)))
                .map(|one| one.text.clone())
                .collect()
        }),
        passes: in_order(&keys, |key| {
            let found = results.passes.get(key);
            found.map(|one| one.text.clone()).into_iter().collect()
        }),
        scores: in_order(&keys, |(arm, other)| {
            let dimensions = suite.review.dimensions.iter().filter(|_| other.is_none());
            dimensions
                .filter_map(|one| results.scores.get(&(arm.clone(), one.name.clone())))
                .map(|one| one.text.clone())
                .collect()
        }),
        non_inferiority,
        families,
    };
    Ok((statistics, gates))
}

/// Two arms of one experiment, the first against the second.
#[derive(Debug)]
pub(super) struct Between {
    pub costs: Vec<CostComparison>,
    /// None or one.
    pub passes: Vec<PassComparison>,
}

/// Compares two arms by the sealed plan, whichever of them is named first.
pub(super) fn between(
    suite: &Suite,
    cells: &[Cell<'_>],
    failed: &[FailedCheck],
    compared: &[ReviewedComparison],
    [one, other]: &[Id; 2],
) -> Result<Between, VerifyError> {
    let plan = Plan::of(&suite.statistics)?;
    let facts = Facts::of(failed, compared);
    let pair = pair(cells, one, Some(other));
    let costs = [CostMeasure::Tokens, CostMeasure::Duration]
        .map(|measure| costs::compare(&plan, &pair, measure).text);
    let passes = passes::compare(&plan, &pair, &facts);
    Ok(Between {
        costs: costs.to_vec(),
        passes: passes.map(|one| one.text).into_iter().collect(),
    })
}

/// What no test of two arms found, with what would have been.
pub(super) fn not_found(between: &Between) -> Vec<Vec<String>> {
    text::null_rows_of(&between.costs, &between.passes, &[])
}

fn in_order<T>(keys: &[Key], of: impl Fn(&Key) -> Vec<T>) -> Vec<T> {
    keys.iter().flat_map(of).collect()
}

/// Every arm with its baseline, every two arms, HTML before PPTX and otherwise in the suite's order,
/// and what claims and families ask for beside them.
fn keys(suite: &Suite) -> Vec<Key> {
    let id = |arm: &Arm| arm.id.get().clone();
    let mut keys: Vec<Key> = suite.arm.iter().map(|arm| (id(arm), None)).collect();
    for (at, one) in suite.arm.iter().enumerate() {
        for other in suite.arm.iter().skip(at + 1) {
            keys.push(match (one.format, other.format) {
                (Format::Pptx, Format::Html) => (id(other), Some(id(one))),
                _ => (id(one), Some(id(other))),
            });
        }
    }
    let plan = &suite.statistics;
    let claims = plan
        .non_inferiority
        .iter()
        .map(|one| (&one.arm, &one.against));
    let tests = plan.family.iter().flat_map(|family| &family.test);
    for (arm, against) in claims.chain(tests.map(|one| (&one.arm, &one.against))) {
        let key = (
            arm.get().clone(),
            against.as_ref().map(|one| one.get().clone()),
        );
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

/// The cells of a pair, case by case.
fn pair<'a>(cells: &'a [Cell<'a>], arm: &'a Id, other: Option<&'a Id>) -> Pair<'a> {
    let mut others: BTreeMap<&Id, &Cell<'a>> = BTreeMap::new();
    if let Some(other) = other {
        let of_other = cells.iter().filter(|cell| cell.arm.id.get() == other);
        others.extend(of_other.map(|cell| (cell.case.id.get(), cell)));
    }
    let own = cells.iter().filter(|cell| cell.arm.id.get() == arm);
    let against = |cell: &'a Cell<'a>| match other {
        None => Some((cell, Against::Baseline)),
        Some(_) => {
            let found = others.get(cell.case.id.get()).copied();
            found.map(|found| (cell, Against::Arm(found)))
        }
    };
    Pair {
        arm,
        other,
        cells: own.filter_map(against).collect(),
    }
}
