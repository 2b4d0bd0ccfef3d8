// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trials that a person runs, scripts of several messages, the preflight, and the spending cap.

use std::fs;
use std::path::Path;

use crate::support::{TinySuite, failed_gates, good_agent, html_deck, program, review_all, run};

fn records(experiment: &Path, kind: &str) -> Vec<serde_json::Value> {
    let journal = fs::read_to_string(experiment.join("journal.jsonl")).unwrap();
    let records = journal
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    records
        .map(|record| record["event"][kind].clone())
        .filter(|event| !event.is_null())
        .collect()
}

#[test]
fn a_person_runs_a_trial_by_its_sheet() {
    let suite = TinySuite::new();
    suite.edit(
        "suite.toml",
        "host = \"command\"\ncommand = [\"agents/old.sh\"]",
        "host = \"manual\"",
    );
    let experiment = suite.prepare();
    let folder = experiment.to_str().unwrap();
    let trial = "one-slide.old.1";
    run(["collect", folder, trial]).expect(2);
    let waits = run(["execute", folder]).expect(1);
    assert!(waits.stdout.contains("RUN-SHEET.md"), "{}", waits.stdout);
    let root = experiment.join("work").join(trial);
    let sheet = fs::read_to_string(root.join("RUN-SHEET.md")).unwrap();
    assert!(sheet.contains("TARGET_FORMAT: HTML"), "{sheet}");
    run(["execute", folder]).expect(1);
    assert_eq!(
        records(&experiment, "attempt_started").len(),
        2,
        "prepared once"
    );

    run(["collect", folder, "one-slide.new.1"]).expect(2);
    run(["collect", folder, trial, "--begin"]).expect(0);
    fs::write(
        root.join("work/output/index.html"),
        html_deck("Plan for spring"),
    )
    .unwrap();
    run(["collect", folder, trial, "--input-tokens", "500"]).expect(2);
    let done = run([
        "collect",
        folder,
        trial,
        "--input-tokens",
        "500",
        "--output-tokens",
        "60",
    ])
    .expect(0);
    assert!(
        done.stdout.contains("its deck is stored"),
        "{}",
        done.stdout
    );
    run(["collect", folder, trial]).expect(2);
    run(["execute", folder]).expect(0);
    review_all(&experiment, |_| {});
    let summary = run(["summarize", folder]).expect(0);
    assert!(
        summary.stdout.contains("people ran them"),
        "{}",
        summary.stdout
    );
    run(["verify", folder]).expect(0);
    let by_hand = &records(&experiment, "attempt_ended")[1];
    assert_eq!(by_hand["run"]["timing"], "by_hand");
    assert_eq!(by_hand["usage"]["total_tokens"], 560);
}

#[test]
fn a_time_that_nobody_took_is_a_lower_bound_and_passes_nothing() {
    let suite = TinySuite::new();
    suite.edit(
        "suite.toml",
        "host = \"command\"\ncommand = [\"agents/old.sh\"]",
        "host = \"manual\"",
    );
    let experiment = suite.prepare();
    let folder = experiment.to_str().unwrap();
    run(["execute", folder]).expect(1);
    let output = experiment.join("work/one-slide.old.1/work/output/index.html");
    fs::write(output, html_deck("Plan for spring")).unwrap();
    run([
        "collect",
        folder,
        "one-slide.old.1",
        "--input-tokens",
        "5",
        "--output-tokens",
        "6",
    ])
    .expect(0);
    run(["execute", folder]).expect(0);
    review_all(&experiment, |_| {});
    run(["summarize", folder]).expect(1);
    assert_eq!(failed_gates(&experiment), ["median_duration_improvement"]);
}

#[test]
fn a_program_hears_every_message_of_the_script() {
    let suite = TinySuite::new();
    let agent = good_agent().replace(
        "cat > prompt.txt",
        "cat >> heard.txt; cp heard.txt output/heard.txt",
    );
    suite.agent("new.sh", &agent);
    suite.agent("old.sh", &agent);
    suite.write("reply.md", "Shorter, please.\n");
    suite.edit(
        "suite.toml",
        "spec = \"spec.json\"",
        "spec = \"spec.json\"\nreplies = [\"reply.md\"]",
    );
    let experiment = suite.prepare();
    let folder = experiment.to_str().unwrap();
    let ran = run(["execute", folder]).expect(0);
    assert!(ran.stderr.contains("turn 2 of 2"), "{}", ran.stderr);
    for ended in records(&experiment, "attempt_ended") {
        assert_eq!(ended["turns"].as_array().unwrap().len(), 2);
        assert_eq!(ended["usage"]["total_tokens"], 1200);
    }
    review_all(&experiment, |_| {});
    run(["summarize", folder]).expect(0);
    run(["verify", folder]).expect(0);
}

#[test]
fn a_script_ends_where_a_turn_fails() {
    let suite = TinySuite::new();
    let agent = good_agent().replace("echo done", "test ! -e twice; touch twice");
    suite.agent("new.sh", &agent);
    suite.write("reply.md", "Again.\n");
    suite.edit(
        "suite.toml",
        "spec = \"spec.json\"",
        "spec = \"spec.json\"\nreplies = [\"reply.md\", \"brief.md\"]",
    );
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    let ended = records(&experiment, "attempt_ended");
    let new = ended
        .iter()
        .find(|one| one["trial"] == "one-slide.new.1")
        .unwrap();
    assert!(new["outcome"]["agent_failed"].is_string(), "{new}");
    assert_eq!(new["turns"].as_array().unwrap().len(), 2);
    run(["verify", experiment.to_str().unwrap()]).expect(0);
}

#[test]
fn the_preflight_says_what_is_missing_and_execute_listens() {
    let suite = TinySuite::new();
    suite.edit(
        "suite.toml",
        "command = [\"agents/new.sh\"]",
        "command = [\"no-such-agent\"]",
    );
    let folder = suite.folder.path().join("suite");
    run(["seal", folder.to_str().unwrap()]).expect(0);
    let told = run(["check", folder.to_str().unwrap()]).expect(1);
    assert!(
        told.stdout.contains("MISSING  program of new"),
        "{}",
        told.stdout
    );
    let experiment = suite.prepare();
    let refused = run(["execute", experiment.to_str().unwrap()]).expect(2);
    assert!(
        refused.stderr.contains("program of new"),
        "{}",
        refused.stderr
    );
    assert!(records(&experiment, "attempt_started").is_empty());
    assert_eq!(records(&experiment, "checked")[0]["passed"], false);
}

#[test]
fn a_preflight_tries_every_way_out_and_counts_while_nothing_changes() {
    let suite = TinySuite::new();
    suite.edit(
        "suite.toml",
        "isolation = \"none\"",
        "isolation = \"prevented\"",
    );
    let experiment = suite.prepare();
    let folder = experiment.to_str().unwrap();
    let told = run(["check", folder]);
    if told.stdout.contains("isolation is `none`") {
        return println!("skipped: nothing confines agents here");
    }
    let told = told.expect(0);
    assert!(
        told.stdout.contains("read the private mapping: prevented"),
        "{}",
        told.stdout
    );
    let ran = run(["execute", folder]).expect(0);
    assert!(!ran.stderr.contains("preflight"), "{}", ran.stderr);
    assert_eq!(records(&experiment, "checked").len(), 1);
    run(["verify", folder]).expect(0);
}

const PRICES: &str = "
[[price]]
model = \"m\"
input_per_million = 1000
output_per_million = \"5000\"

[budget]
currency = \"EUR\"
spending_cap = \"2.5\"
reserve_per_trial = 1
";

#[test]
fn a_spending_cap_stops_before_the_next_trial() {
    let suite = TinySuite::new();
    suite.edit(
        "suite.toml",
        "kind = \"paired\"\nmin_overlap_percent = 0",
        "kind = \"sequential\"\nrepetitions = 2",
    );
    for arm in ["new", "old"] {
        suite.edit(
            "suite.toml",
            &format!("command = [\"agents/{arm}.sh\"]"),
            &format!("model = \"m\"\ncommand = [\"agents/{arm}.sh\"]"),
        );
    }
    let text = fs::read_to_string(suite.path("suite.toml")).unwrap();
    suite.write("suite.toml", &(text + PRICES));
    let experiment = suite.prepare();
    // Each trial takes 500 and 100 tokens, which cost 1.00; a second one fits, a third does not.
    let stopped = run(["execute", experiment.to_str().unwrap()]).expect(1);
    assert!(
        stopped.stdout.contains("spending cap of 2.50 EUR"),
        "{}",
        stopped.stdout
    );
    assert_eq!(records(&experiment, "attempt_ended").len(), 2);
    run(["execute", experiment.to_str().unwrap()]).expect(1);
    assert_eq!(records(&experiment, "attempt_ended").len(), 2);
    run(["verify", experiment.to_str().unwrap()]).expect(0);
}

#[test]
fn a_key_that_an_agent_prints_or_builds_in_is_no_evidence() {
    let suite = TinySuite::new();
    let agent = good_agent().replace(
        "echo done",
        "env; echo \"<!-- $SECRET_KEY -->\" >> output/index.html",
    );
    suite.agent("new.sh", &agent);
    suite.edit(
        "suite.toml",
        "command = [\"agents/new.sh\"]",
        "command = [\"agents/new.sh\"]\npass_environment = [\"SECRET_KEY\"]",
    );
    let experiment = suite.prepare();
    let output = program()
        .arg("execute")
        .arg(&experiment)
        .env("SECRET_KEY", "correct-horse-battery")
        .output()
        .unwrap();
    assert!(output.status.success());
    let ended = records(&experiment, "attempt_ended");
    let new = ended
        .iter()
        .find(|one| one["trial"] == "one-slide.new.1")
        .unwrap();
    assert_eq!(new["run"]["redacted"][0], "SECRET_KEY");
    assert!(
        new["artifact"]["refused"]
            .as_str()
            .unwrap()
            .contains("SECRET_KEY"),
        "{new}"
    );
    let found = std::process::Command::new("grep")
        .args(["-rqF", "correct-horse-battery"])
        .arg(&experiment)
        .status()
        .unwrap();
    assert!(!found.success());
    run(["verify", experiment.to_str().unwrap()]).expect(0);
}

/// Rewrites the journal line of the first ended attempt, and makes the chain whole again.
fn forge(experiment: &Path, change: impl Fn(&mut serde_json::Value)) {
    use sha2::Digest;
    let hash = |bytes: &[u8]| {
        let digest = sha2::Sha256::digest(bytes);
        digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    let file = experiment.join("journal.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let (mut lines, mut previous, mut forged) = (Vec::new(), hash(b""), false);
    for line in text.lines() {
        let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
        let ended = &mut record["event"]["attempt_ended"];
        if ended.is_object() && !forged {
            change(ended);
            forged = true;
        } else if ended.is_null() {
            record["event"]
                .as_object_mut()
                .unwrap()
                .remove("attempt_ended");
        }
        record["previous"] = previous.clone().into();
        let line = serde_json::to_string(&record).unwrap();
        previous = hash(line.as_bytes());
        lines.push(line);
    }
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let head = serde_json::json!({ "sequence": lines.len() - 1, "sha256": previous });
    fs::write(experiment.join("journal.head"), head.to_string()).unwrap();
}

#[test]
fn a_record_that_says_other_than_its_logs_is_refused() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    type Change = fn(&mut serde_json::Value);
    let changes: [(&str, Change); 7] = [
        ("usage", |one| {
            one["usage"]["input_tokens"] = 5.into();
            one["usage"]["total_tokens"] = 105.into();
        }),
        ("usage of turn 1", |one| {
            one["turns"][0]["used"] = serde_json::Value::Null
        }),
        ("trace", |one| {
            one["trace"]["events"] = one["run"]["stderr"].clone()
        }),
        ("outcome", |one| {
            one["outcome"] = serde_json::json!({"agent_failed": "x"})
        }),
        ("messages", |one| {
            one["turns"][0]["message_sha256"] = one["run"]["stderr"]["sha256"].clone()
        }),
        ("model", |one| one["trace"]["observed_model"] = "m".into()),
        ("of its turns", |one| one["turns"] = serde_json::json!([])),
    ];
    for (what, change) in changes {
        let copy = suite.folder.path().join("copy");
        crate::support::copy(&experiment, &copy);
        forge(&copy, change);
        let refused = run(["verify", copy.to_str().unwrap()]).expect(2);
        assert!(refused.stderr.contains(what), "{what}: {}", refused.stderr);
        let removed = std::process::Command::new("chmod")
            .args(["-R", "u+rwX"])
            .arg(&copy)
            .status();
        assert!(removed.unwrap().success());
        fs::remove_dir_all(&copy).unwrap();
    }
    forge(&experiment, |_| {});
    run(["verify", experiment.to_str().unwrap()]).expect(0);
}
