// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the Codex parser on recorded streams, and on small ones of our own.

use crate::supervise::{Exit, KillReason};

use super::super::testing::{record, shared_streams};
use super::super::{
    Counts, FailureClass, Host as _, Parsed, Previous, TerminalState, ToolStatus, TraceEvent,
    TurnRecord,
};
use super::Codex;

fn parse(events: &[u8]) -> Parsed {
    Codex.parse(&record(events, Exit::Code(0)))
}

fn state(parsed: &Parsed) -> &'static str {
    match parsed.terminal {
        TerminalState::Completed => "completed",
        TerminalState::Failed { .. } => "failed",
        TerminalState::Truncated => "truncated",
        TerminalState::Missing => "missing",
    }
}

fn class(parsed: &Parsed) -> &'static str {
    match parsed.failure {
        FailureClass::None => "none",
        FailureClass::AgentFailed => "agent",
        FailureClass::TimedOut => "time",
        FailureClass::Infrastructure { .. } => "infrastructure",
    }
}

/// Stream, exit code (negative: a signal), terminal state, class, calls, and input and output tokens.
type Expected = (
    &'static str,
    i32,
    &'static str,
    &'static str,
    u64,
    Option<(u64, u64)>,
);

const RECORDED: [Expected; 28] = [
    ("compact", 0, "completed", "none", 1, Some((19000, 1010))),
    (
        "denied_danger-full-access",
        0,
        "completed",
        "none",
        10,
        Some((11000, 110)),
    ),
    (
        "denied_workspace-write",
        0,
        "completed",
        "none",
        6,
        Some((11000, 110)),
    ),
    ("err_400", 1, "failed", "agent", 0, None),
    ("err_429", 1, "failed", "infrastructure", 0, None),
    ("err_500", 1, "failed", "infrastructure", 0, None),
    (
        "err_500_retry_ok",
        0,
        "completed",
        "none",
        0,
        Some((1000, 50)),
    ),
    ("err_malformed_json", 1, "failed", "infrastructure", 0, None),
    (
        "err_server_down",
        -9,
        "truncated",
        "infrastructure",
        0,
        None,
    ),
    ("err_truncated", 1, "failed", "infrastructure", 0, None),
    (
        "err_truncated_retry_ok",
        0,
        "completed",
        "none",
        0,
        Some((1000, 50)),
    ),
    ("fail_usage", 1, "failed", "agent", 1, None),
    ("kill9_full", -9, "truncated", "agent", 1, None),
    ("mcp", 0, "completed", "none", 2, Some((3000, 30))),
    ("multi1", 0, "completed", "none", 1, Some((2100, 80))),
    ("multi2", 0, "completed", "none", 1, Some((6200, 240))),
    ("multi3", 0, "completed", "none", 0, Some((9200, 251))),
    ("no_usage", 0, "completed", "none", 0, None),
    ("otel", 0, "completed", "none", 1, Some((3000, 70))),
    ("reroute", 0, "completed", "none", 0, Some((100, 1))),
    ("say", 0, "completed", "none", 0, Some((1000, 50))),
    ("sbx_ww", 0, "completed", "none", 9, Some((11000, 110))),
    (
        "schema_violated",
        0,
        "completed",
        "none",
        0,
        Some((1000, 10)),
    ),
    ("sigint", 1, "truncated", "agent", 1, None),
    // Its sub-agent's tokens are nowhere, so its own are no usage.
    ("subagent", 0, "completed", "none", 1, None),
    ("tools55", 0, "completed", "none", 3, Some((4600, 260))),
    ("websearch", 0, "completed", "none", 1, Some((1000, 10))),
    ("say", 3, "completed", "agent", 0, Some((1000, 50))),
];

#[test]
fn reads_every_recorded_stream() {
    let Some(streams) = shared_streams("codex_") else {
        return;
    };
    for name in streams.keys() {
        assert!(
            RECORDED.iter().any(|row| row.0 == name),
            "{name} has no expectation"
        );
    }
    for (name, code, terminal, failure, calls, tokens) in RECORDED {
        let exit = if code < 0 {
            Exit::Signal(-code)
        } else {
            Exit::Code(code)
        };
        let parsed = Codex.parse(&record(&streams[name], exit));
        let usage = parsed
            .usage
            .turn
            .map(|turn| (turn.input_tokens, turn.output_tokens));
        let found = (
            name,
            code,
            state(&parsed),
            class(&parsed),
            parsed.tool_calls,
            usage,
        );
        assert_eq!(found, (name, code, terminal, failure, calls, tokens));
        assert_eq!(parsed.usage.known, tokens.is_some(), "{name}");
        assert!(
            parsed.unknown_events.is_empty(),
            "{name}: {:?}",
            parsed.unknown_events
        );
        assert!(parsed.thread_id.is_some(), "{name}");
        assert_eq!(parsed.repeated_call_ids, 0, "{name}");
    }
}

#[test]
fn subtracts_along_a_recorded_thread() {
    let Some(streams) = shared_streams("codex_multi") else {
        return;
    };
    let mut previous: Option<(String, Counts)> = None;
    for (name, tokens) in [("1", (2100, 80)), ("2", (4100, 160)), ("3", (3000, 11))] {
        let given = match &previous {
            None => Previous::First,
            Some((thread, counts)) => Previous::Reported {
                thread,
                counts: *counts,
            },
        };
        let parsed = Codex.parse(&TurnRecord {
            previous: given,
            ..record(&streams[name], Exit::Code(0))
        });
        let turn = parsed.usage.turn.unwrap();
        assert_eq!((turn.input_tokens, turn.output_tokens), tokens);
        previous = Some((parsed.thread_id.unwrap(), parsed.usage.reported.unwrap()));
    }
}

#[test]
fn sees_who_answered() {
    let Some(streams) = shared_streams("codex_") else {
        return;
    };
    assert_eq!(
        parse(&streams["reroute"]).observed_model.as_deref(),
        Some("gpt-5.5-mini-other")
    );
    assert_eq!(parse(&streams["say"]).observed_model, None);
}

#[test]
fn reads_a_stream_of_our_own() {
    let parsed = parse(include_bytes!("../samples/codex/tools.jsonl"));
    assert_eq!(parsed.tool_calls, 3);
    assert_eq!(parsed.failure, FailureClass::None);
    assert_eq!(parsed.anomalies, ["2 keys are given twice"]);
    let commands: Vec<_> = parsed
        .trace
        .iter()
        .filter_map(TraceEvent::call_id)
        .collect();
    assert_eq!(commands, ["item_1", "item_2", "item_3"]);
    let expected = TraceEvent::Command {
        id: "item_1".into(),
        command: "/bin/bash -lc 'cat task/brief.md'".into(),
        exit_code: Some(0),
        status: ToolStatus::Completed,
    };
    assert_eq!(parsed.trace[2], expected);
    let round_trip: Parsed =
        serde_json::from_str(&serde_json::to_string(&parsed).unwrap()).unwrap();
    assert_eq!(round_trip, parsed);
}

fn stream(lines: &[&str]) -> Vec<u8> {
    let mut all = vec![
        r#"{"type":"thread.started","thread_id":"t"}"#,
        r#"{"type":"turn.started"}"#,
    ];
    all.extend(lines);
    (all.join("\n") + "\n").into_bytes()
}

fn usage(input: &str, cached: &str, output: &str) -> String {
    format!(
        r#"{{"type":"turn.completed","usage":{{"input_tokens":{input},"cached_input_tokens":{cached},"output_tokens":{output}}}}}"#
    )
}

#[test]
fn unknown_usage_is_never_zero() {
    for (input, cached, output) in [
        ("0", "0", "0"),
        ("10", "0", "0"),
        ("0", "0", "10"),
        ("10", "11", "1"),
        ("10.0", "0", "1"),
        ("-10", "0", "1"),
        ("true", "0", "1"),
        ("\"10\"", "0", "1"),
        ("10", "null", "1"),
        ("18446744073709551615", "0", "1"),
    ] {
        let parsed = parse(&stream(&[&usage(input, cached, output)]));
        assert!(
            !parsed.usage.known && parsed.usage.turn.is_none(),
            "{input} {cached} {output}"
        );
        assert!(
            parsed.usage.basis.starts_with("unknown: "),
            "{}",
            parsed.usage.basis
        );
        assert_eq!(parsed.terminal, TerminalState::Completed);
    }
    let without = parse(&stream(&[r#"{"type":"turn.completed"}"#]));
    assert!(!without.usage.known);
}

#[test]
fn a_figure_that_falls_is_not_cumulative() {
    let parsed = parse(&stream(&[&usage("150", "0", "20"), &usage("15", "0", "2")]));
    assert!(!parsed.usage.known, "{:?}", parsed.usage);
    assert_eq!(parsed.anomalies, ["2 ends of a turn, expected one"]);
    let parsed = parse(&stream(&[
        &usage("150", "0", "20"),
        &usage("165", "0", "22"),
    ]));
    assert_eq!(parsed.usage.turn.unwrap().input_tokens, 165);
}

#[test]
fn needs_the_turn_before_to_subtract() {
    let events = stream(&[&usage("100", "0", "20")]);
    let with = |previous| {
        Codex
            .parse(&TurnRecord {
                previous,
                ..record(&events, Exit::Code(0))
            })
            .usage
    };
    let counts = Counts::checked(60, Some(0), 5, None).unwrap();
    let turn = with(Previous::Reported {
        thread: "t",
        counts,
    })
    .turn
    .unwrap();
    assert_eq!((turn.input_tokens, turn.output_tokens), (40, 15));
    assert!(
        !with(Previous::Reported {
            thread: "other",
            counts
        })
        .known
    );
    assert!(!with(Previous::Unknown).known);
    let more = Counts::checked(101, Some(0), 5, None).unwrap();
    assert!(
        !with(Previous::Reported {
            thread: "t",
            counts: more
        })
        .known
    );
}

#[test]
fn every_record_under_one_id_is_kept() {
    let call = |state: &str, command: &str| {
        format!(
            r#"{{"type":"item.{state}","item":{{"id":"item_1","type":"command_execution","command":"{command}","exit_code":0,"status":"completed"}}}}"#
        )
    };
    let parsed = parse(&stream(&[
        &call("started", "ls"),
        &call("completed", "cat /secret"),
        &call("completed", "ls"),
        &call("completed", "ls"),
        &usage("10", "0", "1"),
    ]));
    let commands: Vec<&str> = parsed
        .trace
        .iter()
        .filter_map(|event| match event {
            TraceEvent::Command { command, .. } => Some(command.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(commands, ["ls", "cat /secret", "ls"]);
    assert_eq!((parsed.tool_calls, parsed.repeated_call_ids), (3, 2));
}

#[test]
fn what_it_does_not_know_is_kept_and_counted() {
    let parsed = parse(&stream(&[
        r#"{"type":"item.completed","item":{"id":"i","type":"teleport","to":"/etc"}}"#,
        r#"{"type":"item.completed","item":{"id":"i","type":"teleport","to":"/etc"}}"#,
        r#"{"type":"turn.paused"}"#,
        r#"{"type":"item.completed"}"#,
        "not json",
        "[]",
        &usage("10", "0", "1"),
    ]));
    let kinds: Vec<(&str, u64)> = parsed
        .unknown_events
        .iter()
        .map(|event| (event.kind.as_str(), event.count))
        .collect();
    let expected = [
        ("(not JSON)", 1),
        ("(not an object)", 1),
        ("item teleport", 2),
        ("item without content", 1),
        ("turn.paused", 1),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn an_interrupted_call_is_a_call() {
    let parsed = Codex.parse(&record(
        &stream(&[
            r#"{"type":"item.started","item":{"id":"a","type":"command_execution","command":"sleep 9","exit_code":null,"status":"in_progress"}}"#,
        ]),
        Exit::Signal(15),
    ));
    assert_eq!(parsed.terminal, TerminalState::Truncated);
    assert_eq!(parsed.tool_calls, 1);
    assert!(matches!(
        parsed.trace.last(),
        Some(TraceEvent::Command {
            status: ToolStatus::Interrupted,
            ..
        })
    ));
}

#[test]
fn failures_are_kept_apart() {
    let nothing = TurnRecord {
        stderr: b"\nError: no rollout found for thread\n",
        ..record(b"", Exit::Code(1))
    };
    let parsed = Codex.parse(&nothing);
    assert_eq!(parsed.terminal, TerminalState::Missing);
    match parsed.failure {
        FailureClass::Infrastructure { reason } => assert!(reason.contains("no rollout found")),
        other => panic!("{other:?}"),
    }
    let events = stream(&[r#"{"type":"turn.failed","error":{"message":"usage limit"}}"#]);
    let timed_out = TurnRecord {
        killed_for: Some(KillReason::Time),
        ..record(&events, Exit::Signal(15))
    };
    assert_eq!(Codex.parse(&timed_out).failure, FailureClass::TimedOut);
    // The agent's own words are no reason for another attempt.
    let words = stream(&[
        r#"{"type":"item.completed","item":{"id":"a","type":"agent_message","text":"rate limit, status 503"}}"#,
    ]);
    assert_eq!(
        Codex.parse(&record(&words, Exit::Code(1))).failure,
        FailureClass::AgentFailed
    );
}

#[test]
fn refused_calls_show_from_standard_error() {
    let events = stream(&[&usage("10", "0", "1")]);
    let parsed = Codex.parse(&TurnRecord {
        stderr: b"x\n2026 ERROR codex_core::tools::router: error=rm -f refused\n",
        ..record(&events, Exit::Code(0))
    });
    let notices = parsed
        .trace
        .iter()
        .filter(|event| matches!(event, TraceEvent::Notice { .. }));
    assert_eq!(notices.count(), 1);
}

fn with_ledger(events: &[u8], ledger: &str) -> Parsed {
    let exit = Exit::Code(0);
    Codex.parse(&TurnRecord {
        ledger: Some(ledger.as_bytes()),
        ..record(events, exit)
    })
}

#[test]
fn the_ledger_shows_what_the_stream_hides() {
    let events = include_bytes!("../samples/codex/tools.jsonl");
    let ledger = include_str!("../samples/codex/ledger.jsonl");
    let parsed = with_ledger(events, ledger);
    assert_eq!(parsed.tool_calls, 5);
    assert!(parsed.tool_calls_complete, "{:?}", parsed.anomalies);
    assert_eq!(parsed.observed_model.as_deref(), Some("gpt-5.5"));
    assert_eq!(parsed.observed_effort.as_deref(), Some("high"));
    assert_eq!(parsed.host_version.as_deref(), Some("0.171.0"));
    assert_eq!(parsed.usage.turn.unwrap().total_tokens, 4200);
    let [.., image, command] = parsed.trace.as_slice() else {
        panic!("no trace")
    };
    assert!(matches!(image, TraceEvent::Tool { tool, .. } if tool == "view_image"));
    assert!(
        matches!(command, TraceEvent::Command { command, .. } if command == "cat /t/other/secret")
    );
}

#[test]
fn a_ledger_that_was_tampered_with_shows() {
    let events = include_bytes!("../samples/codex/tools.jsonl");
    let ledger = include_str!("../samples/codex/ledger.jsonl");
    let without: String = ledger
        .lines()
        .filter(|line| !line.contains("brief.md"))
        .map(|l| l.to_owned() + "\n")
        .collect();
    let parsed = with_ledger(events, &without);
    assert!(!parsed.tool_calls_complete);
    assert!(
        parsed
            .anomalies
            .iter()
            .any(|text| text.contains("not in the ledger"))
    );
    assert_eq!(parsed.tool_calls, 5);

    let parsed = with_ledger(
        events,
        &ledger.replace("\"input_tokens\":4000", "\"input_tokens\":4001"),
    );
    assert!(!parsed.usage.known, "{:?}", parsed.usage);

    let parsed = with_ledger(events, &ledger.replace("thread-1", "thread-2"));
    assert!(!parsed.tool_calls_complete && parsed.observed_model.is_none());
    assert_eq!(parsed.tool_calls, 3);
    assert_eq!(with_ledger(events, "").anomalies.len(), 2);
}

#[test]
fn a_failed_turn_has_a_cost_too() {
    let events = b"{\"type\":\"thread.started\",\"thread_id\":\"thread-1\"}\n\
        {\"type\":\"turn.failed\",\"error\":{\"message\":\"x\"}}\n";
    let parsed = with_ledger(events, include_str!("../samples/codex/ledger.jsonl"));
    assert_eq!(parsed.usage.turn.unwrap().input_tokens, 4000);
    assert_eq!(parsed.usage.reported, None);
}
