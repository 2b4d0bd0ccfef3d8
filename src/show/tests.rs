// SPDX-License-Identifier: MIT OR Apache-2.0
//! A trial is shown call by call, whatever its agent wrote, finished or not.

use serde_json::json;

use super::*;
use crate::experiment::Experiment;
use crate::summary::testing::{FirstAttempt, Lab, Script};

const TRIAL: &str = "case-one.web.1";

fn shown(lab: &Lab) -> TrialShown {
    show(&lab.root, TRIAL).unwrap()
}

#[test]
fn everything_of_a_trial_is_there_with_its_place() {
    let lab = Lab::good();
    let shown = shown(&lab);
    let text = shown.to_text();
    for part in [
        "case-one.web.1  HTML deck, completed",
        "30.000 s, measured, from 2026-01-02T03:04:05Z to 2026-01-02T03:04:35Z",
        "500: 400 input, of them 100 cached, 100 output (as the host says)",
        "asked for m-1, effort high; observed m-1",
        "thread of case-one.web.1",
        "pass  artifact_exists",
        "deck, entry index.html",
        "Pictures, drawn by chromium 1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let ended = shown.attempts[0].ended.as_ref().unwrap();
    let slides = shown.pictures.iter().flat_map(|one| &one.slides);
    let mut files = 0;
    for file in ended.files.iter().chain(slides) {
        let size = fs_err::metadata(lab.path(&file.path)).unwrap().len();
        assert_eq!(size, file.bytes, "{file:?}");
        files += 1;
    }
    assert_eq!(files, 6);
    let json: serde_json::Value = serde_json::from_slice(&shown.to_bytes().unwrap()).unwrap();
    assert_eq!(json["schema"], "deckproof.show.v1");
    assert_eq!(json["checks"].as_array().unwrap().len(), 3);
}

/// Puts a trace of `events` in the place of every trial's.
fn traced(events: serde_json::Value) -> TrialShown {
    let lab = Lab::good();
    // The trace of a verified experiment is what it is; another one is shown by the same function.
    let verified = verify::check(&lab.root).unwrap();
    let store = Experiment::open(&lab.root).unwrap().store();
    let bytes = serde_json::to_vec(&events).unwrap();
    let object = Object {
        sha256: store.put(&bytes).unwrap(),
        bytes: bytes.len() as u64,
    };
    let mut verified = verified;
    let id: TrialId = TRIAL.parse().unwrap();
    let history = verified.history.trials.get_mut(&id).unwrap();
    history.attempts[0].ended.as_mut().unwrap().trace.events = object;
    of(&verified, &id).unwrap()
}

#[test]
fn calls_and_turns_are_numbered_in_order() {
    let text = traced(json!([
        {"event": "turn_started"},
        {"event": "message", "text": "I start\u{1b}[2J\nnow"},
        {"event": "command", "id": "a", "command": "ls task", "exit_code": 0, "status": "completed"},
        {"event": "tool", "id": "b", "server": "files", "tool": "read", "arguments": {"path": "x"}, "status": "denied"},
        {"event": "file_change", "id": "c", "changes": [{"path": "out.html", "kind": "add"}], "status": "completed"},
        {"event": "turn_ended", "state": "completed"},
        {"event": "turn_started"},
        {"event": "web_search", "id": "d", "query": "q".repeat(900), "status": "failed"},
        {"event": "turn_ended", "state": {"failed": {"message": "quota"}}}
    ]))
    .to_text();
    let (_, text) = text.split_once("What the agent did").unwrap();
    let at = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("no {part}: {text}"))
    };
    let places = [
        at("turn 1"),
        at("call 1"),
        at("completed, exit code 0"),
        at("ls task"),
        at("call 2"),
        at("DENIED"),
        at("files/read {\"path\":\"x\"}"),
        at("call 3"),
        at("add out.html"),
        at("turn 2"),
        at("call 4"),
        at("… (900 characters in all)"),
        at("FAILED: quota"),
    ];
    assert!(places.is_sorted(), "{places:?}: {text}");
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn a_trace_that_is_none_is_said_to_be_so() {
    let shown = traced(json!({"event": "turn_started"}));
    let ended = shown.attempts[0].ended.as_ref().unwrap();
    assert!(ended.trace_problem.is_some());
    assert!(shown.to_text().contains("the trace cannot be read"));
    assert!(traced(json!([])).to_text().contains("nothing is on record"));
}

#[test]
fn every_attempt_is_shown() {
    let lab = Lab::run(&Script {
        retried: Some((TRIAL, FirstAttempt::CutOff)),
        ..Script::default()
    });
    let text = shown(&lab).to_text();
    assert!(
        text.contains("Run of attempt 1\n  cut off with `execute`"),
        "{text}"
    );
    assert!(text.contains("Run of attempt 2"), "{text}");
}

#[test]
fn an_experiment_that_is_not_finished_shows_what_there_is() {
    let lab = Lab::run(&Script {
        unfinished: true,
        ..Script::default()
    });
    assert_eq!(shown(&lab).checks.len(), 3);
}

#[test]
fn another_trial_is_refused_with_an_example() {
    let lab = Lab::good();
    for name in ["case-one.web.2", "", "case-one", "../x"] {
        let error = show(&lab.root, name).unwrap_err().to_string();
        assert!(error.contains("such as `case-one.web.1`"), "{error}");
    }
}
