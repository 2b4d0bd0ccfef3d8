// SPDX-License-Identifier: MIT OR Apache-2.0
//! The real codex and claude programs as reviewers of a packet, against a scripted model service.
//!
//! DECKPROOF_CODEX and DECKPROOF_CLAUDE name the programs, as for tests/real_hosts.rs.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    dead_code,
    reason = "a helper that fails is a test that fails, and one that skips says so"
)]

mod model_server;
#[path = "it/support.rs"]
mod support;

use std::path::{Path, PathBuf};

use model_server::{Server, Step, say};
use serde_json::{Value, json};
use support::{Ran, TinySuite, program, run};

fn agent(name: &str) -> Option<PathBuf> {
    let variable = format!("DECKPROOF_{}", name.to_uppercase());
    let found = std::env::var_os(&variable).map(PathBuf::from);
    if found.is_none() {
        println!("skipped: {variable} does not name the {name} program");
    }
    found.map(|path| path.canonicalize().unwrap())
}

/// A suite whose one comparison a model has to review, executed.
fn experiment() -> (TinySuite, PathBuf) {
    let suite = TinySuite::new();
    suite.edit("suite.toml", "[\"scripted\"]", "[\"model\"]");
    // One arm is enough here, and asks for no ratios.
    let text = std::fs::read_to_string(suite.path("suite.toml")).unwrap();
    let (head, rest) = text.split_once("[[arm]]\nid = \"old\"").unwrap();
    let (_, rest) = rest.split_once("[[case]]").unwrap();
    let (body, rest) = rest
        .split_once("[[baseline]]\ncase = \"one-slide\"\narm = \"old\"")
        .unwrap();
    let (_, tail) = rest.split_once("[review]").unwrap();
    suite.write("suite.toml", &format!("{head}[[case]]{body}[review]{tail}"));
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    (suite, experiment)
}

/// A reply that keeps the rules, with `mark` in every reason.
fn reply(mark: &str) -> Value {
    let judgement = |label: &str, what: &str| {
        json!({"score": 4, "pass": true,
            "rationale": format!("{mark}: the one slide of {label} has a sound {what}.")})
    };
    let label = |label: &str| json!({"dimensions": {"content": judgement(label, "title"), "craft": judgement(label, "margin")}});
    json!({"guess": null, "labels": {"A": label("A"), "B": label("B")},
        "overall_rationale": format!("{mark}: both slides say the same, and neither is better.")})
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn answer(text: String) -> Step {
    say(leaked(text), 1000, 0, 100)
}

/// Runs `review run` with a host that reaches the scripted service and nothing else.
fn review(name: &str, experiment: &Path, server: &Server) -> Option<Ran> {
    let agent = agent(name)?;
    let mut command = program();
    command.args(["review", "run"]).arg(experiment);
    command.args(["--host", name, "--program"]).arg(agent);
    let target = format!("127.0.0.1:{}", server.port);
    command.args(["--reach", &target, "--time-limit", "300"]);
    if name == "claude" {
        command.args(["--model", "claude-sonnet-4-5"]);
        command
            .arg("--environment")
            .arg(format!("ANTHROPIC_BASE_URL=http://{target}"));
        command.args(["--environment", "CLAUDE_CODE_MAX_RETRIES=0"]);
        command.args(["--pass-environment", "ANTHROPIC_API_KEY"]);
        command.env("ANTHROPIC_API_KEY", "test-key");
    } else {
        command.args(["--model", "gpt-5.5", "--effort", "high"]);
        let url = format!("model_providers.scripted.base_url=\"http://{target}/v1\"");
        for setting in [
            "model_provider=\"scripted\"",
            "model_providers.scripted.name=\"scripted\"",
            &url,
            "model_providers.scripted.wire_api=\"responses\"",
            "model_providers.scripted.env_key=\"SCRIPTED_KEY\"",
            "model_providers.scripted.request_max_retries=0",
            "model_providers.scripted.stream_max_retries=0",
        ] {
            command.args(["--argument", "--config", "--argument", setting]);
        }
        command.args(["--pass-environment", "SCRIPTED_KEY"]);
        command.env("SCRIPTED_KEY", "test-key");
    }
    Some(command.output().unwrap().into())
}

fn records(experiment: &Path) -> Vec<Value> {
    let journal = std::fs::read_to_string(experiment.join("journal.jsonl")).unwrap();
    let events = journal
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    events
        .filter_map(|record| record["event"].get("reviewer_ran").cloned())
        .collect()
}

/// How many pictures the service was shown.
fn pictures(server: &Server) -> usize {
    let text: String = server.requests().iter().map(Value::to_string).collect();
    text.matches("data:image/png;base64,").count()
        + text.matches("\"media_type\":\"image/png\"").count()
}

#[test]
fn both_review_a_packet_with_its_pictures() {
    for name in ["codex", "claude"] {
        let (_suite, experiment) = experiment();
        let server = Server::start(vec![answer(reply(name).to_string())]);
        let Some(ran) = review(name, &experiment, &server) else {
            continue;
        };
        let records = records(&experiment);
        assert_eq!(
            ran.code, 0,
            "{name}: {}\n{}\n{records:?}",
            ran.stdout, ran.stderr
        );
        assert_eq!(pictures(&server), 2, "{name}");
        assert_eq!(records.len(), 1);
        assert_eq!(records[0]["audit"]["passed"], true, "{records:?}");
        assert!(
            !records[0]["thread"].as_str().unwrap().starts_with("run-"),
            "{name}: thread observed"
        );
        run(["verify", experiment.to_str().unwrap()]).expect(0);
        run(["summarize", experiment.to_str().unwrap()]).expect(0);
    }
}

#[test]
fn replies_that_are_no_reviews_are_refused() {
    let mut over = reply("over");
    over["labels"]["B"]["dimensions"]["craft"]["score"] = json!(6);
    let mut unblinding = reply("unblinding");
    unblinding["labels"]["A"]["is_candidate"] = json!(true);
    let mut partial = reply("partial");
    partial["labels"].as_object_mut().unwrap().remove("B");
    let script = [
        [
            answer("Deck A is nicer.".to_owned()),
            answer(over.to_string()),
        ],
        [answer(unblinding.to_string()), answer(partial.to_string())],
    ];
    for name in ["codex", "claude"] {
        for steps in &script {
            let (_suite, experiment) = experiment();
            let server = Server::start(steps.to_vec());
            let Some(ran) = review(name, &experiment, &server) else {
                continue;
            };
            let records = records(&experiment);
            assert_eq!(
                ran.code, 1,
                "{name}: {}\n{}\n{records:?}",
                ran.stdout, ran.stderr
            );
            let malformed = records
                .iter()
                .filter(|one| one["outcome"].get("malformed").is_some());
            assert_eq!(malformed.count(), 2, "{name}: {records:?}");
            run(["verify", experiment.to_str().unwrap()]).expect(0);
            run(["summarize", experiment.to_str().unwrap()]).expect(1);
        }
    }
}
