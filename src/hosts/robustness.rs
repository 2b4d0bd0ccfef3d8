// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties that hold for any bytes: parsers and the audit never panic, and never find success in ruins.

use proptest::prelude::*;

use crate::supervise::Exit;

use super::audit::{Grounds, Verdict, audit};
use super::testing::record;
use super::{FailureClass, Habits, Host, Parsed, ToolStatus, TraceEvent, host};

const STREAMS: [(&str, &str); 4] = [
    ("codex", include_str!("samples/codex/tools.jsonl")),
    ("claude", include_str!("samples/claude/tools.jsonl")),
    ("gemini", include_str!("samples/gemini/tools.jsonl")),
    ("opencode", include_str!("samples/opencode/tools.jsonl")),
];

fn hosts() -> Vec<Box<dyn Host>> {
    ["codex", "claude", "command"]
        .iter()
        .filter_map(|name| host(name))
        .collect()
}

/// What has to hold of every answer.
fn check(parsed: &Parsed) {
    assert_eq!(parsed.usage.known, parsed.usage.turn.is_some());
    if let Some(turn) = parsed.usage.turn {
        assert!(turn.input_tokens > 0 && turn.output_tokens > 0);
        assert_eq!(turn.total_tokens, turn.input_tokens + turn.output_tokens);
    }
    let calls = parsed
        .trace
        .iter()
        .filter(|event| event.call_id().is_some())
        .count() as u64;
    assert_eq!(parsed.tool_calls, calls);
    let text = serde_json::to_string(parsed).unwrap();
    assert_eq!(&serde_json::from_str::<Parsed>(&text).unwrap(), parsed);
}

fn grounds() -> Grounds {
    Grounds {
        work: "/nonexistent/t/work".into(),
        home: "/nonexistent/t/home".into(),
        temporary: "/nonexistent/t/tmp".into(),
        readable: vec![],
        forbidden: vec!["/nonexistent/t/other".into()],
    }
}

fn command(command: &str) -> Verdict {
    let mut parsed = host("codex").unwrap().parse(&record(b"", Exit::Code(0)));
    parsed.trace = vec![TraceEvent::Command {
        id: "a".into(),
        command: command.into(),
        exit_code: None,
        status: ToolStatus::Completed,
    }];
    audit(
        &[&parsed],
        &grounds(),
        Habits {
            shows_calls: true,
            keeps_directory: false,
        },
    )
    .verdict
}

#[test]
fn our_own_streams_are_whole() {
    for (name, stream) in STREAMS {
        let parsed = host(name)
            .unwrap()
            .parse(&record(stream.as_bytes(), Exit::Code(0)));
        assert_eq!(parsed.failure, FailureClass::None, "{name}");
        assert!(parsed.usage.known && parsed.tool_calls > 0, "{name}");
        check(&parsed);
    }
}

#[test]
fn a_stream_that_is_cut_anywhere_is_no_success() {
    for (name, stream) in STREAMS {
        let host = host(name).unwrap();
        let whole = stream.trim_end().len();
        for end in 0..whole {
            let cut = stream.as_bytes().get(..end).unwrap();
            let parsed = host.parse(&record(cut, Exit::Code(0)));
            assert_ne!(
                parsed.failure,
                FailureClass::None,
                "{name} cut at {end} of {whole}"
            );
            // opencode's steps have figures of their own, which stay true.
            assert!(
                name == "opencode" || !parsed.usage.known,
                "{name} cut at {end}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for host in hosts() {
            let record = super::TurnRecord { ledger: Some(&bytes), ..record(&bytes, Exit::Code(0)) };
            check(&host.parse(&record));
        }
    }

    #[test]
    fn damaged_streams_are_read(at in 0_usize..5000, with in any::<u8>(), twice in any::<bool>()) {
        for (name, stream) in STREAMS {
            let mut bytes = stream.as_bytes().to_vec();
            let place = at % bytes.len();
            if let Some(byte) = bytes.get_mut(place) {
                *byte = with;
            }
            if twice {
                bytes.extend_from_within(..);
            }
            check(&host(name).unwrap().parse(&record(&bytes, Exit::Code(0))));
        }
    }

    #[test]
    fn any_command_is_followed(text in "[ -~\n]{0,120}") {
        command(&text);
    }

    #[test]
    fn shell_like_text_is_followed(
        words in proptest::collection::vec(
            prop::sample::select(vec![
                "cd", "..", "/", "ls", "$(", ")", "`", "'", "\"", "<<E", "\n", "E", "|", "&&", ";", "{", "}",
                "(", "$X", "X=..", "for", "in", "do", "done", "bash -c", "python3 -c", ">", "~", "*", "#", "\\",
            ]),
            0..40,
        ),
    ) {
        command(&words.join(" "));
        command(&words.concat());
    }

    /// A command that reads beside the work folder is found, whatever stands before it.
    #[test]
    fn what_leaves_is_found_behind_anything_harmless(
        before in proptest::collection::vec(
            prop::sample::select(vec![
                "ls", "pwd", "cd .", "echo '..'", "true", "mkdir -p a/b", "x=1", "cat a/b/../c",
            ]),
            0..6,
        ),
        joint in prop::sample::select(vec![" && ", "; ", "\n", " || ", " | "]),
    ) {
        let harmless = before.join(joint);
        prop_assert_eq!(command(&harmless), Verdict::Pass);
        let harmful = format!("{harmless}{joint}cat ../other/deck");
        prop_assert_eq!(command(&harmful), Verdict::Fail);
    }
}
