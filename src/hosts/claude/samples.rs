// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the Claude parser on recorded streams, and on small ones of our own.

use crate::supervise::Exit;

use super::super::testing::{record, shared_streams};
use super::super::{
    Change, FailureClass, Host as _, Parsed, Previous, TerminalState, ToolStatus, TraceEvent,
    TurnRecord,
};
use super::Claude;

fn words(parsed: &Parsed) -> (&'static str, &'static str) {
    let state = match parsed.terminal {
        TerminalState::Completed => "completed",
        TerminalState::Failed { .. } => "failed",
        TerminalState::Truncated => "truncated",
        TerminalState::Missing => "missing",
    };
    let class = match parsed.failure {
        FailureClass::None => "none",
        FailureClass::AgentFailed => "agent",
        FailureClass::TimedOut => "time",
        FailureClass::Infrastructure { .. } => "infrastructure",
    };
    (state, class)
}

/// Stream, exit code (negative: a signal), terminal state and class, calls, and input and output tokens.
type Expected = (
    &'static str,
    i32,
    (&'static str, &'static str),
    u64,
    Option<(u64, u64)>,
);

const RECORDED: [Expected; 21] = [
    ("allow", 0, ("completed", "none"), 6, Some((12650, 385))),
    ("budget", 1, ("failed", "agent"), 1, Some((900_000, 5000))),
    ("dontask", 0, ("completed", "none"), 6, Some((12650, 385))),
    ("err_429", 1, ("failed", "infrastructure"), 0, None),
    ("err_500", 1, ("failed", "infrastructure"), 0, None),
    ("err_server_down", 1, ("failed", "infrastructure"), 0, None),
    (
        "err_truncated",
        0,
        ("completed", "none"),
        0,
        Some((3000, 30)),
    ),
    ("image", 0, ("completed", "none"), 0, Some((1400, 50))),
    ("kill9", -9, ("truncated", "agent"), 1, None),
    ("max_turns", 1, ("failed", "agent"), 2, Some((2000, 20))),
    ("mcp", 0, ("completed", "none"), 2, Some((3400, 70))),
    ("multi1", 0, ("completed", "none"), 1, Some((3500, 80))),
    // These two are later turns; read as first ones, their two kinds of figures disagree.
    ("multi2_resume", 0, ("completed", "none"), 1, None),
    ("multi3_continue", 0, ("completed", "none"), 0, None),
    (
        "other_model_reply",
        0,
        ("completed", "none"),
        0,
        Some((1400, 50)),
    ),
    ("say", 0, ("completed", "none"), 0, Some((1430, 50))),
    (
        "schema_violated",
        0,
        ("completed", "none"),
        0,
        Some((2000, 20)),
    ),
    ("sigint", 0, ("failed", "agent"), 1, Some((1000, 10))),
    ("sigterm", 143, ("truncated", "agent"), 1, None),
    ("streamin", 0, ("completed", "none"), 0, Some((4000, 30))),
    ("subagent", 0, ("completed", "none"), 1, Some((4477, 87))),
];

#[test]
fn reads_every_recorded_stream() {
    let Some(streams) = shared_streams("claude_") else {
        return;
    };
    assert_eq!(streams.len(), RECORDED.len());
    for (name, code, state, calls, tokens) in RECORDED {
        let exit = if code < 0 {
            Exit::Signal(-code)
        } else {
            Exit::Code(code)
        };
        let parsed = Claude.parse(&record(&streams[name], exit));
        let usage = parsed
            .usage
            .turn
            .map(|turn| (turn.input_tokens, turn.output_tokens));
        let found = (name, code, words(&parsed), parsed.tool_calls, usage);
        assert_eq!(
            found,
            (name, code, state, calls, tokens),
            "{}",
            parsed.usage.basis
        );
        assert!(
            parsed.unknown_events.is_empty(),
            "{name}: {:?}",
            parsed.unknown_events
        );
        assert!(parsed.thread_id.is_some(), "{name}");
        assert_eq!(parsed.host_version.as_deref(), Some("2.1.332"), "{name}");
    }
}

#[test]
fn adds_up_along_a_recorded_session() {
    let Some(streams) = shared_streams("claude_multi") else {
        return;
    };
    let mut previous: Option<(String, super::super::Counts)> = None;
    let turns = [
        ("1", (3500, 80)),
        ("2_resume", (7600, 160)),
        ("3_continue", (5500, 11)),
    ];
    for (name, tokens) in turns {
        let given = match &previous {
            None => Previous::First,
            Some((thread, counts)) => Previous::Reported {
                thread,
                counts: *counts,
            },
        };
        let parsed = Claude.parse(&TurnRecord {
            previous: given,
            ..record(&streams[name], Exit::Code(0))
        });
        let turn = parsed
            .usage
            .turn
            .unwrap_or_else(|| panic!("{name}: {}", parsed.usage.basis));
        assert_eq!((turn.input_tokens, turn.output_tokens), tokens);
        previous = Some((parsed.thread_id.unwrap(), parsed.usage.reported.unwrap()));
    }
}

#[test]
fn sees_who_answered_and_what_was_loaded() {
    let Some(streams) = shared_streams("claude_") else {
        return;
    };
    let read = |name: &str| Claude.parse(&record(&streams[name], Exit::Code(0)));
    let other = read("other_model_reply");
    assert_eq!(other.observed_model.as_deref(), Some("claude-other-served"));
    let say = read("say");
    assert_eq!(say.observed_model.as_deref(), Some("claude-sonnet-4-5"));
    let loaded = say.loaded.unwrap();
    assert!(loaded.skills.contains(&"dataviz".to_owned()));
    assert_eq!(loaded.plugins.len(), 3);
    assert_eq!(read("err_500").observed_model, None);
}

#[test]
fn reads_calls_with_their_outcome() {
    let Some(streams) = shared_streams("claude_") else {
        return;
    };
    let allow = Claude.parse(&record(&streams["allow"], Exit::Code(0)));
    let codes: Vec<_> = allow
        .trace
        .iter()
        .filter_map(|event| match event {
            TraceEvent::Command {
                exit_code, status, ..
            } => Some((*exit_code, *status)),
            _ => None,
        })
        .collect();
    let ok = (Some(0), ToolStatus::Completed);
    assert_eq!(codes, [ok, (Some(3), ToolStatus::Failed), ok]);
    let dontask = Claude.parse(&record(&streams["dontask"], Exit::Code(0)));
    let denied = dontask.trace.iter().filter(|event| {
        matches!(
            event,
            TraceEvent::Command {
                status: ToolStatus::Denied,
                ..
            } | TraceEvent::FileChange {
                status: ToolStatus::Denied,
                ..
            }
        )
    });
    assert_eq!(denied.count(), 4);
}

fn stream(lines: &[&str]) -> Vec<u8> {
    let mut all = vec![
        r#"{"type":"system","subtype":"init","session_id":"s","tools":["Bash"],"skills":["one"]}"#,
    ];
    all.extend(lines);
    (all.join("\n") + "\n").into_bytes()
}

const RESULT: &str = r#"{"type":"result","session_id":"s","subtype":"success","is_error":false,"modelUsage":{"m":{"inputTokens":10,"outputTokens":5,"cacheReadInputTokens":0,"cacheCreationInputTokens":0}},"model_usage_since_last_result":{"m":{"inputTokens":10,"outputTokens":5,"cacheReadInputTokens":0,"cacheCreationInputTokens":0}}}"#;

fn parse(lines: &[&str], exit: Exit) -> Parsed {
    Claude.parse(&record(&stream(lines), exit))
}

#[test]
fn failure_is_never_told_by_subtype() {
    assert_eq!(parse(&[RESULT], Exit::Code(0)).failure, FailureClass::None);
    assert_eq!(
        parse(&[RESULT], Exit::Code(1)).failure,
        FailureClass::AgentFailed
    );
    let error = RESULT.replace(r#""is_error":false"#, r#""is_error":true"#);
    assert_eq!(
        parse(&[&error], Exit::Code(0)).failure,
        FailureClass::AgentFailed
    );
    let silent = RESULT.replace(r#""is_error":false,"#, "");
    assert_eq!(
        parse(&[&silent], Exit::Code(0)).failure,
        FailureClass::AgentFailed
    );
    // One bad result of two is enough.
    assert_eq!(
        parse(&[&error, RESULT], Exit::Code(0)).failure,
        FailureClass::AgentFailed
    );
    // None at all is truncated, whatever the exit code.
    let cut = parse(&[], Exit::Code(0));
    assert_eq!((words(&cut)), ("truncated", "agent"));
}

#[test]
fn refusals_by_the_service_are_its_failure() {
    let with = |status: &str| {
        let result = RESULT.replace(
            r#""is_error":false"#,
            &format!(
                r#""is_error":true,"terminal_reason":"api_error","api_error_status":{status}"#
            ),
        );
        words(&parse(&[&result], Exit::Code(1))).1
    };
    for status in ["401", "403", "429", "500", "529", "null"] {
        assert_eq!(with(status), "infrastructure", "{status}");
    }
    for status in ["400", "404", "413"] {
        assert_eq!(with(status), "agent", "{status}");
    }
}

#[test]
fn unknown_usage_is_never_zero() {
    for (from, to) in [
        (r#""inputTokens":10"#, r#""inputTokens":0"#),
        (r#""outputTokens":5"#, r#""outputTokens":5.0"#),
        (
            r#""cacheReadInputTokens":0"#,
            r#""cacheReadInputTokens":-1"#,
        ),
        (r#""model_usage_since_last_result""#, r#""renamed""#),
        (r#""modelUsage""#, r#""renamed""#),
    ] {
        let parsed = parse(&[&RESULT.replace(from, to)], Exit::Code(0));
        assert!(!parsed.usage.known, "{to}");
    }
    assert!(parse(&[RESULT], Exit::Code(0)).usage.known);
    // Two results that each claim to be the whole session's first.
    assert!(!parse(&[RESULT, RESULT], Exit::Code(0)).usage.known);
}

#[test]
fn keeps_every_call_and_what_it_does_not_know() {
    let call = |name: &str, input: &str| {
        format!(
            r#"{{"type":"assistant","session_id":"s","message":{{"model":"m","content":[{{"type":"tool_use","id":"a","name":"{name}","input":{input}}}]}}}}"#
        )
    };
    let parsed = parse(
        &[
            &call("Bash", r#"{"command":"ls"}"#),
            &call("Bash", r#"{"command":"cat /secret"}"#),
            &call("Write", r#"{"file_path":"/x/y","content":""}"#),
            &call("mcp__db__query", r#"{"sql":"1"}"#),
            r#"{"type":"hologram"}"#,
            r#"{"type":"system","subtype":"hypnosis"}"#,
            RESULT,
        ],
        Exit::Code(0),
    );
    assert_eq!((parsed.tool_calls, parsed.repeated_call_ids), (4, 3));
    let change = Change {
        path: "/x/y".into(),
        kind: "write".into(),
    };
    assert!(parsed.trace.contains(&TraceEvent::FileChange {
        id: "a".into(),
        changes: vec![change],
        status: ToolStatus::Interrupted,
    }));
    let kinds: Vec<&str> = parsed
        .unknown_events
        .iter()
        .map(|event| &*event.kind)
        .collect();
    assert_eq!(kinds, ["hologram", "system hypnosis"]);
}
