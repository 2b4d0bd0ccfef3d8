// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the figures are not entitled to say. A verdict without this list would be read as more than
//! it is.

use std::collections::BTreeSet;

use deckproof_reviews::review::ReviewerType;

use super::controls::{is_lone_rerun, isolation_word};
use super::document::{Control, ReviewCounts, ReviewedComparison};
use super::trials::Trial;
use crate::experiment::records::{Outcome, Timing};
use crate::suite::{HostKind, Isolation, Suite};
use crate::verify::Verified;

/// The list, from the weightiest to the least.
pub(super) fn list(
    verified: &Verified,
    trials: &[Trial<'_>],
    controls: &[Control],
    compared: &[ReviewedComparison],
) -> Vec<String> {
    let suite = &verified.experiment.suite;
    let groups = [
        reviewers(compared),
        samples(suite),
        times(trials),
        models(suite, trials, controls),
        isolation(trials),
        attempts(verified, trials),
        renderers(verified, trials),
        ties(super::reviews::counts(compared)),
    ];
    groups.into_iter().flatten().collect()
}

fn reviewers(compared: &[ReviewedComparison]) -> Vec<String> {
    let of = |kind| {
        let reviews = compared.iter().flat_map(|one| &one.reviews);
        reviews
            .filter(|one| one.review.reviewer_type == kind)
            .count()
    };
    let mut list = Vec::new();
    let scripted = of(ReviewerType::Scripted);
    if scripted > 0 {
        list.push(format!(
            "That anybody looked at the decks: {scripted} reviews are by a scripted reviewer, a program that looked at nothing."
        ));
    }
    if of(ReviewerType::Human) == 0 {
        list.push("That a person finds the candidate no worse: no person reviewed it.".to_owned());
    }
    let most = compared.iter().map(|one| one.reviews.len()).max();
    if most.is_some_and(|most| most < 2) {
        list.push("That reviewers agree: no comparison has more than one review.".to_owned());
    }
    list
}

fn samples(suite: &Suite) -> Vec<String> {
    let mut list = Vec::new();
    let repetitions = suite.schedule.repetitions;
    list.push(match repetitions {
        1 => "How figures vary from run to run: each cell is one run.".to_owned(),
        n => format!("That figures are stable: each cell is the median of {n} runs."),
    });
    let cases = suite.case.len();
    list.push(format!(
        "Anything about jobs unlike the {cases} of this suite; a median over {cases} is no rate."
    ));
    list.push(
        "That the baselines would cost the same today: their figures are those that the suite states."
            .to_owned(),
    );
    list
}

fn times(trials: &[Trial<'_>]) -> Vec<String> {
    let recorded = trials
        .iter()
        .filter(|trial| trial.ended.run.timing == Timing::Recorded)
        .count();
    let mut list = Vec::new();
    if recorded > 0 {
        list.push(format!(
            "How long agents take on this machine: the times of {recorded} of {} trials are those of recordings.",
            trials.len()
        ));
    }
    let by_hand = trials
        .iter()
        .filter(|trial| matches!(trial.ended.run.timing, Timing::ByHand | Timing::LowerBound))
        .count();
    if by_hand > 0 {
        list.push(format!(
            "What the agents of {by_hand} of {} trials did, used and took: people ran them, and what is known is what they said.",
            trials.len()
        ));
    }
    list
}

fn models(suite: &Suite, trials: &[Trial<'_>], controls: &[Control]) -> Vec<String> {
    let mut list = Vec::new();
    let unequal = |control: &&Control| control.name == "same_model_and_effort" && !control.passed;
    if controls.iter().any(|control| unequal(&control)) {
        list.push("That the skill made the difference: models or efforts differ.".to_owned());
    }
    let unseen = trials
        .iter()
        .filter(|trial| trial.ended.trace.observed_model.is_none())
        .count();
    if unseen > 0 {
        list.push(format!(
            "Which model ran in {unseen} of {} trials: nothing but the request names it.",
            trials.len()
        ));
    }
    let unstated = suite
        .baseline
        .iter()
        .filter(|one| one.model.is_none() || one.effort.is_none())
        .count();
    if unstated > 0 {
        list.push(format!(
            "That candidates and baselines had one model and effort: {unstated} of {} baselines do not state theirs.",
            suite.baseline.len()
        ));
    }
    let nameless = trials
        .iter()
        .filter(|trial| trial.ended.trace.thread_id.is_none())
        .count();
    if nameless > 0 {
        list.push(format!(
            "That every trial was a session of its own: {nameless} of {} do not name theirs.",
            trials.len()
        ));
    }
    list
}

fn isolation(trials: &[Trial<'_>]) -> Vec<String> {
    let mut list = Vec::new();
    let levels: BTreeSet<_> = trials.iter().map(|one| one.ended.run.isolation).collect();
    for level in levels
        .into_iter()
        .filter(|level| *level < Isolation::Prevented)
    {
        let count = trials
            .iter()
            .filter(|one| one.ended.run.isolation == level)
            .count();
        list.push(format!(
            "That agents could not read what they must not: the isolation of {count} of {} trials is `{}`.",
            trials.len(),
            isolation_word(level)
        ));
    }
    let blind = trials
        .iter()
        .filter(|one| {
            one.arm.host == HostKind::Command && one.ended.run.isolation < Isolation::Prevented
        })
        .count();
    if blind > 0 {
        list.push(format!(
            "What the agents of {blind} trials did: a plain command leaves no trace to audit."
        ));
    }
    list
}

fn attempts(verified: &Verified, trials: &[Trial<'_>]) -> Vec<String> {
    let all = verified
        .history
        .trials
        .values()
        .flat_map(|one| &one.attempts);
    let cut_off = all.filter(|attempt| attempt.ended.is_none()).count();
    let mut list = Vec::new();
    if cut_off > 0 {
        list.push(format!(
            "That every run counts: {cut_off} attempts were cut off with `execute` and run again."
        ));
    }
    for (index, one) in trials.iter().enumerate() {
        let group = trials.iter().skip(index + 1);
        for other in group.take_while(|other| other.planned.group == one.planned.group) {
            if is_lone_rerun(one, other) {
                list.push(format!(
                    "That {} and {} had the machine alike: they started together, but one was cut off and ran again alone.",
                    one.id(),
                    other.id()
                ));
            }
        }
    }
    let broken = trials
        .iter()
        .filter(|one| matches!(one.ended.outcome, Outcome::InfrastructureFailed(_)))
        .count();
    if broken > 0 {
        list.push(format!(
            "That the agents of {broken} trials are to blame: the infrastructure failed them to the last attempt."
        ));
    }
    let left_over = trials
        .iter()
        .filter(|one| !one.ended.run.leftover_processes.is_empty())
        .count();
    if left_over > 0 {
        list.push(format!(
            "That the times of {left_over} trials are complete: processes were still there at the end, and were ended."
        ));
    }
    list
}

fn renderers(verified: &Verified, trials: &[Trial<'_>]) -> Vec<String> {
    let candidates = trials.iter().filter_map(|one| one.judged.render.as_ref());
    let baselines = verified.history.baselines.values().map(|one| &one.render);
    let loose: BTreeSet<_> = candidates
        .chain(baselines)
        .filter(|render| !render.renderer.deterministic)
        .map(|render| render.renderer.name.as_str())
        .collect();
    let sentence = |name: &str| {
        format!(
            "That the pictures would be the same again: the renderer {name} does not promise it."
        )
    };
    loose.into_iter().map(sentence).collect()
}

fn ties(counts: ReviewCounts) -> Vec<String> {
    if counts.ties == 0 {
        return Vec::new();
    }
    let all = counts.wins + counts.ties + counts.losses;
    vec![format!(
        "That candidates and baselines are equally good where scores are equal ({} of {all}): not worse is all that was asked.",
        counts.ties
    )]
}
