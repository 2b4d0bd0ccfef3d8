// SPDX-License-Identifier: MIT OR Apache-2.0
//! Derives the usage of a Claude Code turn from its `result` events.
//!
//! `modelUsage` is cumulative over the session, resumed turns included; `model_usage_since_last_result` is
//! not, and was measured to equal the truth, sub-agents included. `usage` omits sub-agents and is 0 when a
//! budget ends the turn, so it is not used. Input excludes cache in all of them.

use serde_json::Value;

use super::super::fields::number;
use super::super::{Counts, Previous, Usage};

const BASIS: &str = "claude: sum of model_usage_since_last_result over all results and models";

/// The usage of the turn whose results are `results`, in the session `session`.
pub(super) fn usage(results: &[Value], session: Option<&str>, previous: Previous<'_>) -> Usage {
    let Some(last) = results.last() else {
        return Usage::unknown(None, "the stream has no result");
    };
    let reported = match total(last.get("modelUsage")) {
        Ok(sum) => match sum.counts() {
            Ok(counts) => counts,
            Err(why) => return Usage::unknown(None, why),
        },
        Err(why) => return Usage::unknown(None, why),
    };
    match turn(results).and_then(|turn| agree(turn, reported, session, previous)) {
        Ok(turn) => Usage::known(reported, turn, BASIS),
        Err(why) => Usage::unknown(Some(reported), why),
    }
}

fn turn(results: &[Value]) -> Result<Counts, String> {
    let mut sum = Sum::default();
    for result in results {
        sum.add(total(result.get("model_usage_since_last_result"))?)?;
    }
    sum.counts()
}

/// The cumulative figures say the same in another way; when they do not, neither is known.
fn agree(
    turn: Counts,
    reported: Counts,
    session: Option<&str>,
    previous: Previous<'_>,
) -> Result<Counts, String> {
    let cumulative = match previous {
        Previous::First => reported,
        Previous::Unknown => return Ok(turn),
        Previous::Reported { thread, .. } if Some(thread) != session => {
            return Err(format!(
                "session {session:?} does not continue session {thread}"
            ));
        }
        Previous::Reported { counts, .. } => reported.since(counts)?,
    };
    if cumulative == turn {
        return Ok(turn);
    }
    Err(format!(
        "model_usage_since_last_result has {} tokens, modelUsage grew by {}",
        turn.total_tokens, cumulative.total_tokens
    ))
}

#[derive(Debug, Default, Clone, Copy)]
struct Sum {
    input: u64,
    cached: u64,
    output: u64,
}

impl Sum {
    fn add(&mut self, more: Self) -> Result<(), String> {
        let add = |one: u64, two: u64| one.checked_add(two).ok_or("the sum of tokens overflows");
        self.input = add(self.input, more.input)?;
        self.cached = add(self.cached, more.cached)?;
        self.output = add(self.output, more.output)?;
        Ok(())
    }

    fn counts(self) -> Result<Counts, String> {
        // Thinking is counted as output; how much of it is thinking was always 0 and so is not known.
        Counts::checked(self.input, Some(self.cached), self.output, None)
    }
}

/// The sum over the models of a usage table.
fn total(table: Option<&Value>) -> Result<Sum, String> {
    let table = table
        .and_then(Value::as_object)
        .ok_or("a table of usage by model is missing")?;
    let mut sum = Sum::default();
    for (model, usage) in table {
        let whole = |key: &str| {
            number(usage, key).ok_or_else(|| format!("{model}: `{key}` is no whole number"))
        };
        let cached = whole("cacheReadInputTokens")?;
        let input = whole("inputTokens")?
            .checked_add(cached)
            .and_then(|sum| sum.checked_add(whole("cacheCreationInputTokens").ok()?))
            .ok_or_else(|| format!("{model}: the sum of input tokens is no whole number"))?;
        sum.add(Sum {
            input,
            cached,
            output: whole("outputTokens")?,
        })?;
    }
    Ok(sum)
}
