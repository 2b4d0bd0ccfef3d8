// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bad candidates: each is a failed check of its own trial, and the other trial finishes.

use std::fs;
use std::path::Path;

use crate::support::{TinySuite, failed_gates, good_agent, review_all, run};

/// Runs the suite with `agent` in one arm and tells what the summary says of it.
#[track_caller]
fn with_agent(agent: &str) -> (TinySuite, String, Vec<String>) {
    let suite = TinySuite::new();
    suite.agent("new.sh", agent);
    suite.edit(
        "suite.toml",
        "time_limit_seconds = 60",
        "time_limit_seconds = 5",
    );
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    review_all(&experiment, |_| {});
    let summary = run(["summarize", experiment.to_str().unwrap()]).expect(1);
    run(["verify", experiment.to_str().unwrap()]).expect(0);
    let gates = failed_gates(&experiment);
    assert!(
        gates.contains(&"mechanical_checks".to_owned()),
        "{}",
        summary.stdout
    );
    assert_eq!(judged(&experiment), 2, "the other trial is judged too");
    (suite, summary.stdout, gates)
}

fn judged(experiment: &Path) -> usize {
    fs::read_to_string(experiment.join("journal.jsonl"))
        .unwrap()
        .matches("\"trial_judged\"")
        .count()
}

#[test]
fn no_deck_at_all() {
    let (_suite, text, _) = with_agent(
        "#!/bin/sh\ncat >/dev/null\necho '{\"deckproof_usage\":{\"input_tokens\":5,\"output_tokens\":1}}'\n",
    );
    assert!(text.contains("artifact_exists"), "{text}");
}

#[test]
fn an_agent_that_crashes() {
    let (_suite, text, _) = with_agent(&good_agent().replace("echo done", "exit 7"));
    assert!(text.contains('7'), "{text}");
}

#[test]
fn an_agent_that_never_ends() {
    let (_suite, text, _) = with_agent("#!/bin/sh\nsleep 1000\n");
    assert!(text.contains("time"), "{text}");
}

#[test]
fn a_deck_that_is_a_link() {
    let (_suite, text, _) = with_agent(
        "#!/bin/sh\ncat >/dev/null\nln -s /etc/passwd output/index.html\necho '{\"deckproof_usage\":{\"input_tokens\":5,\"output_tokens\":1}}'\n",
    );
    assert!(text.contains("symbolic link"), "{text}");
}

#[test]
fn a_deck_with_the_wrong_words() {
    let (_suite, text, gates) =
        with_agent(&good_agent().replace("Plan for spring", "Plan for autumn"));
    assert!(text.contains("required_copy"), "{text}");
    assert_eq!(gates, ["mechanical_checks"]);
}

#[test]
fn a_task_that_the_agent_changed_is_put_back_and_told() {
    let agent = good_agent().replace(
        "echo done",
        "(chmod -R u+w task/ && echo changed > task/brief.md) 2>/dev/null || true; echo done",
    );
    let suite = TinySuite::new();
    suite.agent("new.sh", &agent);
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    review_all(&experiment, |_| {});
    let code = run(["summarize", experiment.to_str().unwrap()]).code;
    // The kernel prevents the change where it can; where it cannot, the control fails.
    let failed = failed_gates(&experiment);
    assert!(
        (code == 0 && failed.is_empty()) || (code == 1 && failed == ["protocol_controls"]),
        "{code} {failed:?}"
    );
    run(["verify", experiment.to_str().unwrap()]).expect(0);
}

#[test]
fn usage_that_is_not_stated_is_unknown_and_passes_nothing() {
    let suite = TinySuite::new();
    let silent = good_agent()
        .lines()
        .filter(|line| !line.contains("deckproof_usage"))
        .collect::<Vec<_>>()
        .join("\n");
    suite.agent("new.sh", &silent);
    suite.edit(
        "suite.toml",
        "usage_limit = { max_total_tokens = 10000 }",
        "",
    );
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    review_all(&experiment, |_| {});
    run(["summarize", experiment.to_str().unwrap()]).expect(1);
    assert_eq!(failed_gates(&experiment), ["median_token_improvement"]);
}

#[test]
fn a_review_that_finds_the_new_deck_worse_fails_that_gate_alone() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    // Worse for both labels would be worse for the candidate whichever it is.
    review_all(&experiment, |response| {
        for label in ["A", "B"] {
            response["labels"][label]["dimensions"]["craft"]["pass"] = false.into();
        }
    });
    run(["summarize", experiment.to_str().unwrap()]).expect(1);
    assert_eq!(failed_gates(&experiment), ["semantic_non_regression"]);
}

#[test]
fn figures_that_miss_their_limit_fail_their_gate_alone() {
    for (from, to, gate) in [
        (
            "total_tokens = 2000",
            "total_tokens = 800",
            "median_token_improvement",
        ),
        (
            "duration_ms = 3600000",
            "duration_ms = 1",
            "median_duration_improvement",
        ),
    ] {
        let suite = TinySuite::new();
        suite.edit("suite.toml", from, to);
        let experiment = suite.run_through();
        run(["summarize", experiment.to_str().unwrap()]).expect(1);
        assert_eq!(failed_gates(&experiment), [gate]);
    }
}

/// A deck that is another one each time it is drawn, and one that shows programs something else.
#[test]
fn a_deck_that_does_not_keep_still_or_to_one_face_fails_its_checks() {
    let say = "<script>const say=text=>{const p=document.createElement('p');p.style='position:fixed;left:100px;top:600px';p.textContent=text;document.body.append(p)};";
    let worker = format!(
        "{say}new Worker(URL.createObjectURL(new Blob(['postMessage(Math.random())']))).onmessage=e=>say(e.data)</script>"
    );
    let faces = format!("{say}if(navigator.webdriver)say('For programs')</script>");
    for (script, expected) in [(worker, "deterministic"), (faces, "same_for_viewers")] {
        let suite = TinySuite::new();
        suite.agent(
            "new.sh",
            &good_agent().replace("</body>", &format!("{script}</body>")),
        );
        suite.edit(
            "suite.toml",
            "not_blank = {}",
            "not_blank = {}\ndeterministic = {}\nsame_for_viewers = {}\nno_overflow = {}\nkeyboard_navigation = {}",
        );
        let experiment = suite.run_through();
        let ran = run(["summarize", experiment.to_str().unwrap()]).expect(1);
        assert_eq!(failed_gates(&experiment), ["mechanical_checks"]);
        let failed = |name: &str| {
            ran.stdout.contains(&format!("{name}:")) || ran.stdout.contains(&format!("{name} "))
        };
        assert!(failed(expected), "{expected} in {}", ran.stdout);
        assert!(
            !failed("no_overflow") && !failed("keyboard_navigation"),
            "{}",
            ran.stdout
        );
        run(["verify", experiment.to_str().unwrap()]).expect(0);
    }
}
