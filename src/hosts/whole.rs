// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the turns of one trial come to together. `execute` derives it once and `verify` again, from
//! the same recorded bytes.

use std::collections::BTreeSet;

use super::{
    Counts, FailureClass, Host, Loaded, Parsed, TerminalState, TraceEvent, TurnRecord, Usage,
};

/// All turns of a trial as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// Every event in order.
    pub trace: Vec<TraceEvent>,
    /// The conversation, when all turns are of one.
    pub thread_id: Option<String>,
    /// How the last turn ended.
    pub terminal: TerminalState,
    /// Whose failure it is, if it is one.
    pub failure: FailureClass,
    /// What all turns used together; unknown when any of them is.
    pub usage: Option<Counts>,
    /// The rule behind that figure, or why there is none.
    pub basis: String,
    /// Calls of tools.
    pub tool_calls: u64,
    /// Whether the calls are known to be complete, in every turn.
    pub calls_complete: bool,
    /// Events of unknown types.
    pub unknown_events: u64,
    /// Oddities, for people.
    pub anomalies: Vec<String>,
    /// The models that answered.
    pub observed_model: Option<String>,
    /// The efforts that the host used.
    pub observed_effort: Option<String>,
    /// The version that the host states.
    pub host_version: Option<String>,
    /// What the host says it loaded.
    pub loaded: Option<Loaded>,
}

impl Whole {
    /// The turns as one; `None` without any.
    #[must_use]
    pub fn of(turns: &[Parsed]) -> Option<Self> {
        let last = turns.last()?;
        let (usage, basis) = usage(turns);
        let threads: BTreeSet<_> = turns.iter().map(|turn| &turn.thread_id).collect();
        let mut anomalies = named(turns, |turn| turn.anomalies.clone());
        if threads.len() > 1 {
            anomalies.push("the turns are not of one conversation".to_owned());
        }
        Some(Self {
            trace: turns.iter().flat_map(|turn| turn.trace.clone()).collect(),
            thread_id: last.thread_id.clone().filter(|_| threads.len() == 1),
            terminal: last.terminal.clone(),
            failure: last.failure.clone(),
            usage,
            basis,
            tool_calls: turns.iter().map(|turn| turn.tool_calls).sum(),
            calls_complete: turns.iter().all(|turn| turn.tool_calls_complete),
            unknown_events: turns
                .iter()
                .flat_map(|turn| &turn.unknown_events)
                .map(|unknown| unknown.count)
                .sum(),
            anomalies,
            observed_model: joined(turns, |turn| turn.observed_model.as_deref()),
            observed_effort: joined(turns, |turn| turn.observed_effort.as_deref()),
            host_version: joined(turns, |turn| turn.host_version.as_deref()),
            loaded: loaded(turns),
        })
    }
}

/// Reads one turn of `host`, of which its records also show `other_threads` other conversations.
#[must_use]
pub fn read_turn(host: &dyn Host, record: &TurnRecord<'_>, other_threads: u32) -> Parsed {
    let mut parsed = host.parse(record);
    if other_threads > 0 {
        let why = format!(
            "{other_threads} other conversations in its home, whose tokens it does not report"
        );
        parsed.anomalies.push(why.clone());
        parsed.usage = Usage::unknown(parsed.usage.reported, why);
        parsed.tool_calls_complete = false;
    }
    parsed
}

/// The sum over the turns. One turn that is not known makes the sum unknown: it would be too small.
fn usage(turns: &[Parsed]) -> (Option<Counts>, String) {
    let mut sum: Option<Counts> = None;
    for (number, turn) in (1..).zip(turns) {
        let Some(counts) = turn.usage.turn else {
            let basis = match turns.len() {
                1 => turn.usage.basis.clone(),
                _ => format!("turn {number}: {}", turn.usage.basis),
            };
            return (None, basis);
        };
        sum = match sum {
            None => Some(counts),
            Some(before) => match before.plus(counts) {
                Ok(sum) => Some(sum),
                Err(why) => return (None, format!("unknown: {why}")),
            },
        };
    }
    let bases: Vec<&str> = turns.iter().map(|turn| turn.usage.basis.as_str()).collect();
    let basis = match bases.as_slice() {
        [one] => (*one).to_owned(),
        [first, .., last] => format!(
            "sum of {} turns; the first: {first}; the last: {last}",
            turns.len()
        ),
        [] => String::new(),
    };
    (sum, basis)
}

/// The different words of the turns, in order, as one text.
fn joined<'a>(turns: &'a [Parsed], word: impl Fn(&'a Parsed) -> Option<&'a str>) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    for found in turns.iter().filter_map(word) {
        if !words.contains(&found) {
            words.push(found);
        }
    }
    Some(words.join(", ")).filter(|text| !text.is_empty())
}

fn named(turns: &[Parsed], lines: impl Fn(&Parsed) -> Vec<String>) -> Vec<String> {
    let several = turns.len() > 1;
    let of_turn = |(number, turn): (u32, &Parsed)| {
        let prefix = if several {
            format!("turn {number}: ")
        } else {
            String::new()
        };
        lines(turn)
            .into_iter()
            .map(move |line| format!("{prefix}{line}"))
            .collect::<Vec<_>>()
    };
    (1..).zip(turns).flat_map(of_turn).collect()
}

fn loaded(turns: &[Parsed]) -> Option<Loaded> {
    let mut all: Option<Loaded> = None;
    for loaded in turns.iter().filter_map(|turn| turn.loaded.clone()) {
        let all = all.get_or_insert_with(Loaded::default);
        for (into, from) in [
            (&mut all.tools, loaded.tools),
            (&mut all.skills, loaded.skills),
            (&mut all.mcp_servers, loaded.mcp_servers),
            (&mut all.plugins, loaded.plugins),
            (&mut all.instructions, loaded.instructions),
        ] {
            for name in from {
                if !into.contains(&name) {
                    into.push(name);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::testing::record;
    use super::super::{Codex, Previous};
    use super::*;
    use crate::supervise::Exit;

    fn turn(thread: &str, input: u64, previous: Previous<'_>) -> Parsed {
        let stream = format!(
            "{{\"type\":\"thread.started\",\"thread_id\":\"{thread}\"}}\n{{\"type\":\"turn.started\"}}\n\
             {{\"type\":\"turn.completed\",\"usage\":{{\"input_tokens\":{input},\"output_tokens\":{input}}}}}\n"
        );
        Codex.parse(&TurnRecord {
            previous,
            ..record(stream.as_bytes(), Exit::Code(0))
        })
    }

    #[test]
    fn turns_add_up_by_their_own_parts() {
        let first = turn("t", 100, Previous::First);
        let counts = first.usage.reported.unwrap();
        let second = turn(
            "t",
            250,
            Previous::Reported {
                thread: "t",
                counts,
            },
        );
        let whole = Whole::of(&[first.clone(), second]).unwrap();
        assert_eq!(whole.usage.unwrap().total_tokens, 500);
        assert!(whole.basis.starts_with("sum of 2 turns"), "{}", whole.basis);
        assert_eq!(whole.thread_id.as_deref(), Some("t"));
        let alone = Whole::of(std::slice::from_ref(&first)).unwrap();
        assert_eq!(alone.basis, first.usage.basis);
        assert!(Whole::of(&[]).is_none());
    }

    #[test]
    fn one_unknown_turn_makes_all_unknown() {
        let first = turn("t", 100, Previous::First);
        let second = turn("t", 250, Previous::Unknown);
        let whole = Whole::of(&[first.clone(), second]).unwrap();
        assert_eq!(whole.usage, None);
        assert!(whole.basis.starts_with("turn 2: "), "{}", whole.basis);
        let other = turn("u", 100, Previous::First);
        let whole = Whole::of(&[first, other]).unwrap();
        assert_eq!((whole.thread_id, whole.anomalies.len()), (None, 1));
    }
}
