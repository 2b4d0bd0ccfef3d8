// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limits of how it was run: whose times they are, which models and programs ran, kept apart how
//! far, and what was interrupted.

use std::collections::{BTreeMap, BTreeSet};

use super::Grounds;
use crate::experiment::records::{Outcome, Timing};
use crate::suite::{HostKind, Isolation};
use crate::summary::controls::{is_lone_rerun, isolation_word};
use crate::words::{counted, part, with};

pub(super) fn times(grounds: &Grounds<'_>) -> Vec<String> {
    let all = grounds.trials.len();
    let recorded = grounds.count(|trial| trial.ended.run.timing == Timing::Recorded);
    let mut list = Vec::new();
    if recorded > 0 {
        list.push(format!(
            "How long agents take on this machine: the times of {} are those of recordings.",
            part(recorded, all, "trial")
        ));
    }
    let by_hand = grounds
        .count(|trial| matches!(trial.ended.run.timing, Timing::ByHand | Timing::LowerBound));
    if by_hand > 0 {
        list.push(format!(
            "What the agents of {} did, used and took: people ran them, and what is known is what they said.",
            part(by_hand, all, "trial")
        ));
    }
    let shared = contended(grounds);
    if shared > 0 {
        list.push(format!(
            "How long an agent takes alone: {} ran beside others of {} case, on one machine and perhaps on one account.",
            part(shared, all, "trial"),
            with(shared, "its", "their")
        ));
    }
    list
}

/// Measured trials that started together with another.
fn contended(grounds: &Grounds<'_>) -> usize {
    let mut launches: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for trial in grounds.trials {
        for attempt in &trial.history.attempts {
            let key = (trial.planned.group, attempt.started.launch);
            *launches.entry(key).or_default() += 1;
        }
    }
    grounds.count(|trial| {
        let key = (trial.planned.group, trial.ended.run.launch);
        trial.ended.run.timing == Timing::Measured
            && launches.get(&key).is_some_and(|count| *count > 1)
            && grounds.verified.experiment.plan.schedule == crate::suite::ScheduleKind::Paired
    })
}

pub(super) fn models(grounds: &Grounds<'_>) -> Vec<String> {
    let mut list = Vec::new();
    if grounds.fails("same_model_and_effort") {
        list.push("That the skill made the difference: models or efforts differ.".to_owned());
    }
    let all = grounds.trials.len();
    let unseen = grounds.count(|trial| trial.ended.trace.observed_model.is_none());
    if unseen > 0 {
        list.push(format!(
            "Which model ran in {}: nothing but the request names it.",
            part(unseen, all, "trial")
        ));
    }
    let baselines = &grounds.verified.experiment.suite.baseline;
    let unstated = baselines
        .iter()
        .filter(|one| one.model.is_none() || one.effort.is_none())
        .count();
    if unstated > 0 {
        list.push(format!(
            "That candidates and baselines had one model and effort: {} {} not state {}.",
            part(unstated, baselines.len(), "baseline"),
            with(unstated, "does", "do"),
            with(unstated, "its own", "theirs")
        ));
    }
    list
}

/// Sessions and programs that nothing names.
pub(super) fn identities(grounds: &Grounds<'_>) -> Vec<String> {
    let mut list = Vec::new();
    let all = grounds.trials.len();
    let nameless = grounds.count(|trial| trial.ended.trace.thread_id.is_none());
    if nameless > 0 {
        list.push(format!(
            "That every trial was a session of its own: {} {} not name {}.",
            part(nameless, all, "trial"),
            with(nameless, "does", "do"),
            with(nameless, "its own", "theirs")
        ));
    }
    let unhashed = grounds.count(|trial| trial.ended.run.program_sha256.is_none());
    if unhashed > 0 {
        list.push(format!(
            "Which program ran in {}: no hash of it is on record.",
            part(unhashed, all, "trial")
        ));
    }
    list
}

pub(super) fn isolation(grounds: &Grounds<'_>) -> Vec<String> {
    let all = grounds.trials.len();
    let mut list = Vec::new();
    let levels: BTreeSet<_> = grounds
        .trials
        .iter()
        .map(|one| one.ended.run.isolation)
        .collect();
    for level in levels
        .into_iter()
        .filter(|level| *level < Isolation::Prevented)
    {
        let count = grounds.count(|one| one.ended.run.isolation == level);
        list.push(format!(
            "That agents could not read what they must not: the isolation of {} is `{}`.",
            part(count, all, "trial"),
            isolation_word(level)
        ));
    }
    let blind = grounds.count(|one| {
        one.arm.host == HostKind::Command && one.ended.run.isolation < Isolation::Prevented
    });
    if blind > 0 {
        list.push(format!(
            "What the agents of {} did: a plain command leaves no trace to audit.",
            part(blind, all, "trial")
        ));
    }
    list
}

pub(super) fn attempts(grounds: &Grounds<'_>) -> Vec<String> {
    let mut list = interrupted(grounds);
    list.extend(alone(grounds));
    let broken = grounds.count(|one| matches!(one.ended.outcome, Outcome::InfrastructureFailed(_)));
    if broken > 0 {
        list.push(format!(
            "That the agents of {} are to blame: the infrastructure failed them to the last attempt.",
            part(broken, grounds.trials.len(), "trial")
        ));
    }
    let left_over = grounds.count(|one| !one.ended.run.leftover_processes.is_empty());
    if left_over > 0 {
        list.push(format!(
            "That the times of {} are complete: processes were still there at the end, and were ended.",
            part(left_over, grounds.trials.len(), "trial")
        ));
    }
    list
}

/// Attempts that a stop of `execute` cut off, and those that the infrastructure did.
fn interrupted(grounds: &Grounds<'_>) -> Vec<String> {
    let attempts = || {
        let trials = grounds.verified.history.trials.values();
        trials.flat_map(|one| &one.attempts)
    };
    let cut_off = attempts().filter(|one| one.ended.is_none()).count();
    let mut list = Vec::new();
    if cut_off > 0 {
        list.push(format!(
            "That every run counts: {} {} cut off with `execute`, by whoever stopped it, and run again.",
            counted(cut_off, "attempt"),
            with(cut_off, "was", "were")
        ));
    }
    let again = grounds.trials.iter().map(|trial| {
        let earlier = trial.history.attempts.iter().rev().skip(1);
        earlier.filter(|attempt| attempt.ended.is_some()).count()
    });
    let again: usize = again.sum();
    if again > 0 {
        list.push(format!(
            "That the first try counts: {} failed by the infrastructure, and {} not in the figures.",
            counted(again, "attempt"),
            with(again, "is", "are")
        ));
    }
    list
}

/// Trials that ran again without their partner.
fn alone(grounds: &Grounds<'_>) -> Vec<String> {
    let mut list = Vec::new();
    for (index, one) in grounds.trials.iter().enumerate() {
        let later = grounds.trials.iter().skip(index + 1);
        let group = later.take_while(|other| other.planned.group == one.planned.group);
        for other in group.filter(|other| is_lone_rerun(one, other)) {
            list.push(format!(
                "That {} and {} had the machine alike: they started together, but one was cut off and ran again alone.",
                one.id(),
                other.id()
            ));
        }
    }
    list
}
