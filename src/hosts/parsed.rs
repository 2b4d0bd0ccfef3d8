// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was read from a turn: the answer of every host, in one shape.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::failure::FailureClass;
use super::trace::TraceEvent;

/// What one turn came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parsed {
    /// Every event in order.
    pub trace: Vec<TraceEvent>,
    /// The host's id of the conversation.
    pub thread_id: Option<String>,
    /// How the turn ended, by what the stream says.
    pub terminal: TerminalState,
    /// What it used.
    pub usage: Usage,
    /// Calls of tools in the trace; every record counts, repeated ids too.
    pub tool_calls: u64,
    /// Calls of tools whose id an earlier call has already.
    pub repeated_call_ids: u64,
    /// Whether the stream is a complete ledger of the calls, by what is known of the host.
    pub tool_calls_complete: bool,
    /// Event types that are not known, with their numbers, in order of type. An audit fails on any.
    pub unknown_events: Vec<UnknownEvent>,
    /// Oddities of the stream, for people: lines that are no JSON, invalid UTF-8, keys given twice.
    pub anomalies: Vec<String>,
    /// The model that was asked for.
    pub requested_model: Option<String>,
    /// The effort that was asked for.
    pub requested_effort: Option<String>,
    /// The model that answered, where something observes it; else nothing is verified.
    pub observed_model: Option<String>,
    /// The effort that the host used, where something observes it.
    pub observed_effort: Option<String>,
    /// The version that the host states in its stream.
    pub host_version: Option<String>,
    /// What the host says it loaded, when it says so.
    pub loaded: Option<Loaded>,
    /// Whose failure it is, if it is one.
    pub failure: FailureClass,
}

/// How a stream ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TerminalState {
    /// It says that the turn is complete.
    Completed,
    /// It says that the turn failed.
    Failed {
        /// Why.
        message: String,
    },
    /// It stops without an end.
    Truncated,
    /// There is no stream.
    Missing,
}

/// Tokens. Input includes cached input, output includes reasoning, on every host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// Tokens read, cached ones included.
    pub input_tokens: u64,
    /// Of those, read from a cache; unknown when the host does not tell.
    pub cached_input_tokens: Option<u64>,
    /// Tokens written, reasoning included.
    pub output_tokens: u64,
    /// Of those, reasoning; unknown when the host does not tell.
    pub reasoning_output_tokens: Option<u64>,
    /// Input and output together.
    pub total_tokens: u64,
}

/// What a turn used. Nothing and all-zero are unknown, never 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// The last figure of the stream as it stands there (in normal form).
    pub reported: Option<Counts>,
    /// This turn's own part. Present exactly when `known`.
    pub turn: Option<Counts>,
    /// The rule by which `turn` follows from what was reported, or why it does not.
    pub basis: String,
    /// Whether `turn` is the whole usage of the turn.
    pub known: bool,
}

/// An event type that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnknownEvent {
    /// The type as the host states it.
    pub kind: String,
    /// How many there were.
    pub count: u64,
}

/// What a host says it loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loaded {
    /// Tools that the agent had.
    pub tools: Vec<String>,
    /// Skills.
    pub skills: Vec<String>,
    /// MCP servers.
    pub mcp_servers: Vec<String>,
    /// Plugins.
    pub plugins: Vec<String>,
    /// Instructions beside the host's own and the messages of the script.
    pub instructions: Vec<String>,
}

impl Counts {
    /// Checked figures, or why they cannot be right.
    ///
    /// # Errors
    /// When input or output is zero, a part is larger than its whole, or the sum overflows.
    pub fn checked(
        input: u64,
        cached: Option<u64>,
        output: u64,
        reasoning: Option<u64>,
    ) -> Result<Self, String> {
        let total = input
            .checked_add(output)
            .ok_or("the sum of tokens overflows")?;
        if input == 0 || output == 0 {
            return Err(format!(
                "input {input} and output {output} tokens: a zero is unknown"
            ));
        }
        if let Some(cached) = cached.filter(|cached| *cached > input) {
            return Err(format!("{cached} cached tokens of {input} input tokens"));
        }
        if let Some(reasoning) = reasoning.filter(|reasoning| *reasoning > output) {
            return Err(format!(
                "{reasoning} reasoning tokens of {output} output tokens"
            ));
        }
        Ok(Self {
            input_tokens: input,
            cached_input_tokens: cached,
            output_tokens: output,
            reasoning_output_tokens: reasoning,
            total_tokens: total,
        })
    }

    /// These figures and `more` together.
    ///
    /// # Errors
    /// When a sum overflows.
    pub fn plus(self, more: Self) -> Result<Self, String> {
        let add = |one: u64, two: u64| one.checked_add(two).ok_or("the sum of tokens overflows");
        let both = |one: Option<u64>, two: Option<u64>| match (one, two) {
            (Some(one), Some(two)) => add(one, two).map(Some),
            _ => Ok(None),
        };
        Self::checked(
            add(self.input_tokens, more.input_tokens)?,
            both(self.cached_input_tokens, more.cached_input_tokens)?,
            add(self.output_tokens, more.output_tokens)?,
            both(self.reasoning_output_tokens, more.reasoning_output_tokens)?,
        )
    }

    /// These figures less `earlier` ones of the same thread.
    ///
    /// # Errors
    /// When any figure went down, or what is left is no usage.
    pub fn since(self, earlier: Self) -> Result<Self, String> {
        let less = |now: u64, then: u64| {
            now.checked_sub(then)
                .ok_or_else(|| format!("a cumulative figure fell from {then} to {now}"))
        };
        let both = |now: Option<u64>, then: Option<u64>| match (now, then) {
            (Some(now), Some(then)) => less(now, then).map(Some),
            _ => Ok(None),
        };
        Self::checked(
            less(self.input_tokens, earlier.input_tokens)?,
            both(self.cached_input_tokens, earlier.cached_input_tokens)?,
            less(self.output_tokens, earlier.output_tokens)?,
            both(
                self.reasoning_output_tokens,
                earlier.reasoning_output_tokens,
            )?,
        )
    }
}

impl Usage {
    /// Usage that is known to be `turn`.
    pub(super) fn known(reported: Counts, turn: Counts, basis: &str) -> Self {
        Self {
            reported: Some(reported),
            turn: Some(turn),
            basis: basis.to_owned(),
            known: true,
        }
    }

    /// Usage that is not known, and why.
    pub(super) fn unknown(reported: Option<Counts>, why: impl Into<String>) -> Self {
        Self {
            reported,
            turn: None,
            basis: format!("unknown: {}", why.into()),
            known: false,
        }
    }
}

/// Counts the calls in a trace, and those that repeat an id.
pub(super) fn count_calls(trace: &[TraceEvent]) -> (u64, u64) {
    let mut seen = BTreeMap::<&str, u64>::new();
    for id in trace.iter().filter_map(TraceEvent::call_id) {
        *seen.entry(id).or_default() += 1;
    }
    let all: u64 = seen.values().sum();
    // A call without an id repeats nothing.
    let nameless = seen.remove("").unwrap_or(0);
    (all, all - nameless - seen.len() as u64)
}

/// Counts the unknown events in a trace.
pub(super) fn count_unknown(trace: &[TraceEvent]) -> Vec<UnknownEvent> {
    let mut seen = BTreeMap::<&str, u64>::new();
    for event in trace {
        if let TraceEvent::Unknown { kind } = event {
            *seen.entry(kind).or_default() += 1;
        }
    }
    seen.into_iter()
        .map(|(kind, count)| UnknownEvent {
            kind: kind.to_owned(),
            count,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_figures_that_cannot_be_right() {
        assert!(Counts::checked(0, None, 0, None).is_err());
        assert!(Counts::checked(5, None, 0, None).is_err());
        assert!(Counts::checked(5, Some(6), 1, None).is_err());
        assert!(Counts::checked(5, None, 1, Some(2)).is_err());
        assert!(Counts::checked(u64::MAX, None, 1, None).is_err());
        assert_eq!(
            Counts::checked(5, Some(5), 1, Some(1))
                .unwrap()
                .total_tokens,
            6
        );
    }

    #[test]
    fn subtracts_cumulative_figures() {
        let first = Counts::checked(2100, Some(1400), 80, Some(25)).unwrap();
        let second = Counts::checked(6200, Some(4900), 240, Some(80)).unwrap();
        let turn = second.since(first).unwrap();
        assert_eq!(
            (turn.input_tokens, turn.output_tokens, turn.total_tokens),
            (4100, 160, 4260)
        );
        assert_eq!(
            (turn.cached_input_tokens, turn.reasoning_output_tokens),
            (Some(3500), Some(55))
        );
        assert!(first.since(second).is_err());
        assert!(
            first.since(first).is_err(),
            "nothing new is unknown, not zero"
        );
    }

    #[test]
    fn counts_every_record_and_its_repeats() {
        let search = |id: &str| TraceEvent::WebSearch {
            id: id.into(),
            query: String::new(),
            status: super::super::ToolStatus::Completed,
        };
        let trace = [
            search("a"),
            search("a"),
            search("b"),
            search(""),
            search(""),
        ];
        assert_eq!(count_calls(&trace), (5, 1));
        assert_eq!(count_calls(&[TraceEvent::TurnStarted]), (0, 0));
    }
}
