// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all trials came to, for the last lines of a run. The verdict is made elsewhere.

use std::collections::BTreeMap;

use crate::cost::{self, Money};
use crate::experiment::TrialId;
use crate::experiment::records::{AttemptEnded, Outcome};
use crate::suite::Suite;

/// The totals in lines: how trials ended, tokens, cost where prices are stated, time of the agents.
pub(super) fn lines(suite: &Suite, ended: &BTreeMap<TrialId, AttemptEnded>) -> Vec<String> {
    if ended.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("trials: {}", outcomes(ended))];
    let known: Vec<u64> = ended
        .values()
        .filter_map(|one| one.usage.total_tokens)
        .collect();
    let tokens: u64 = known.iter().fold(0, |sum, one| sum.saturating_add(*one));
    lines.push(format!(
        "tokens: {tokens}{}",
        besides(ended.len() - known.len())
    ));
    if !suite.price.is_empty() {
        lines.push(costs(suite, ended));
    }
    let milliseconds: u64 = ended
        .values()
        .fold(0, |sum, one| sum.saturating_add(one.run.duration_ms));
    lines.push(format!(
        "time of the agents: {}.{} s",
        milliseconds / 1000,
        milliseconds % 1000 / 100
    ));
    lines
}

fn outcomes(ended: &BTreeMap<TrialId, AttemptEnded>) -> String {
    let word = |one: &AttemptEnded| match one.outcome {
        Outcome::Completed => "completed",
        Outcome::AgentFailed(_) => "failed",
        Outcome::TimedOut => "timed out",
        Outcome::InfrastructureFailed(_) => "failed by the infrastructure",
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in ended.values() {
        *counts.entry(word(one)).or_default() += 1;
    }
    let words: Vec<String> = counts
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    words.join(", ")
}

fn costs(suite: &Suite, ended: &BTreeMap<TrialId, AttemptEnded>) -> String {
    let cost = |one: &AttemptEnded| {
        let model = one.trace.requested_model.as_deref();
        cost::of(suite, model, &one.usage)
    };
    let known: Vec<Money> = ended.values().filter_map(cost).collect();
    let sum = known
        .iter()
        .try_fold(Money::default(), |sum, one| sum.plus(*one));
    let currency = suite
        .budget
        .as_ref()
        .map_or(String::new(), |budget| format!(" {}", budget.currency));
    match sum {
        Some(sum) => format!(
            "cost: {sum}{currency}{}",
            besides(ended.len() - known.len())
        ),
        None => "cost: more than can be counted".to_owned(),
    }
}

fn besides(unknown: usize) -> String {
    match unknown {
        0 => String::new(),
        count => format!(", and those of {count} trials, which are unknown"),
    }
}
