// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits of what was counted: how many cases and runs, how sure the statistics are, and whose
//! figures are in the medians.

use super::Grounds;
use crate::experiment::records::{CheckStatus, Outcome};
use crate::summary::statistics::Statistics;
use crate::summary::trials::Trial;
use crate::words::{counted, part, with};

pub(super) fn samples(grounds: &Grounds<'_>) -> Vec<String> {
    let suite = &grounds.verified.experiment.suite;
    let mut list = Vec::new();
    list.push(match suite.schedule.repetitions {
        1 => "How figures vary from run to run: each cell is one run.".to_owned(),
        n => format!("That figures are stable: each cell is the median of {n} runs."),
    });
    let cases = suite.case.len();
    list.push(match cases {
        1 => "Anything about jobs unlike the 1 of this suite; one case is no rate.".to_owned(),
        cases => format!(
            "Anything about jobs unlike the {cases} of this suite; a median over {cases} is no rate."
        ),
    });
    list.push(
        "That the baselines would cost the same today: their figures are those that the suite states."
            .to_owned(),
    );
    list
}

pub(super) fn statistics(grounds: &Grounds<'_>) -> Vec<String> {
    let all = grounds.statistics;
    let mut list = Vec::new();
    let few = all.costs.iter().filter(|one| one.ratio.few_cases).count();
    if few > 0 {
        let most = all.costs.iter().map(|one| one.cases).max().unwrap_or(0);
        list.push(format!(
            "That the {} of cost ratios {} as sure as {} level says: {} are too few, and such intervals too narrow.",
            with(few, "interval", "intervals"),
            with(few, "is", "are"),
            with(few, "its", "their"),
            counted(most, "case")
        ));
    }
    let nulls = tests(all).filter(|found| *found).count();
    if nulls > 0 {
        list.push(format!(
            "That there is no difference where a test finds none ({}): the smallest that would have been found stands beside {}.",
            part(nulls, tests(all).count(), "test"),
            with(nulls, "it", "each")
        ));
    }
    let declared: usize = all.families.iter().map(|family| family.tests.len()).sum();
    let loose = tests(all).count().saturating_sub(declared);
    if loose > 1 {
        list.push(format!(
            "That a p value below the level is a finding: {loose} tests are in no family that the suite declares, and are not corrected for their number."
        ));
    }
    let cut_off: usize = all
        .costs
        .iter()
        .filter(|one| one.against.is_none())
        .map(|one| one.cut_off)
        .sum();
    if cut_off > 0 {
        list.push(format!(
            "What trials that ran out of time would have cost: {} at least so much, and in the medians as that.",
            with(cut_off, "1 figure is", "the figures are")
        ));
    }
    list
}

/// Whether each test is a null result.
fn tests(all: &Statistics) -> impl Iterator<Item = bool> {
    let costs = all.costs.iter().flat_map(|one| &one.tests);
    let passes = all.passes.iter().map(|one| &one.test);
    let scores = all.scores.iter().flat_map(|one| &one.tests);
    let known = costs
        .chain(passes)
        .chain(scores)
        .filter(|one| one.p.is_some());
    known.map(|one| one.detectable.is_some())
}

/// The tokens and times of trials that made no sound deck are in the medians all the same.
pub(super) fn failed(grounds: &Grounds<'_>) -> Vec<String> {
    let failed = grounds.count(|trial| has_failed(trial));
    if failed == 0 {
        return Vec::new();
    }
    vec![format!(
        "That tokens and times are those of sound decks: {} failed, and {} figures are in the medians.",
        part(failed, grounds.trials.len(), "trial"),
        with(failed, "its", "their")
    )]
}

fn has_failed(trial: &Trial<'_>) -> bool {
    let mut checks = trial.judged.checks.iter();
    trial.ended.outcome != Outcome::Completed
        || trial.ended.run.exit_code != Some(0)
        || checks.any(|check| check.status != CheckStatus::Pass)
}
