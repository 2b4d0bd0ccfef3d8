// SPDX-License-Identifier: MIT OR Apache-2.0
//! A whole experiment, step by step, and what each step leaves.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{TinySuite, copy, failed_gates, program, run};

#[test]
fn an_experiment_passes_from_seal_to_verdict() {
    let suite = TinySuite::new();
    let experiment = suite.run_through();
    let folder = experiment.to_str().unwrap();
    run(["review", "status", folder]).expect(0);
    run(["packet", "verify", folder]).expect(0);
    let summary = run(["summarize", folder]).expect(0);
    assert!(summary.stdout.contains("scripted"), "{}", summary.stdout);
    run(["verify", folder]).expect(0);
    assert!(failed_gates(&experiment).is_empty());
    let private = fs::metadata(experiment.join("private"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(private & 0o777, 0o700);
}

#[test]
fn a_verdict_is_the_same_bytes_everywhere() {
    let suite = TinySuite::new();
    let experiment = suite.run_through();
    let moved = suite.folder.path().join("elsewhere/deeper");
    fs::create_dir_all(moved.parent().unwrap()).unwrap();
    copy(&experiment, &moved);
    let mut summaries = Vec::new();
    for (folder, zone, language) in [
        (&experiment, "Pacific/Kiritimati", "de_DE.UTF-8"),
        (&moved, "America/Adak", "C"),
    ] {
        let output = program()
            .args(["summarize", "--json"])
            .arg(folder)
            .env("TZ", zone)
            .env("LC_ALL", language)
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success());
        summaries.push((
            output.stdout,
            fs::read(folder.join("summary.json")).unwrap(),
        ));
    }
    assert_eq!(summaries[0], summaries[1]);
    assert_eq!(summaries[0].0, summaries[0].1);
}

#[test]
fn execute_again_does_nothing_again() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    let before = fs::read(experiment.join("journal.jsonl")).unwrap();
    let again = run(["execute", experiment.to_str().unwrap()]).expect(0);
    assert!(
        again.stdout.contains("0 attempts in this run"),
        "{}",
        again.stdout
    );
    assert_eq!(fs::read(experiment.join("journal.jsonl")).unwrap(), before);
}

#[test]
fn what_is_not_finished_has_no_verdict() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    let refused = run(["summarize", experiment.to_str().unwrap()]).expect(2);
    assert!(
        refused.stderr.contains("deckproof execute"),
        "{}",
        refused.stderr
    );
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    // No review yet: a valid result that falls short.
    run(["summarize", experiment.to_str().unwrap()]).expect(1);
    assert_eq!(failed_gates(&experiment), ["semantic_non_regression"]);
    run(["review", "status", experiment.to_str().unwrap()]).expect(1);
}

#[test]
fn a_packet_can_be_handed_over_as_one_file() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    let packet = fs::read_dir(experiment.join("packets"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let (one, two) = (
        suite.folder.path().join("1.zip"),
        suite.folder.path().join("2.zip"),
    );
    for zip in [&one, &two] {
        run([
            "packet",
            "export",
            packet.to_str().unwrap(),
            "--out",
            zip.to_str().unwrap(),
        ])
        .expect(0);
    }
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    run(["packet", "verify", one.to_str().unwrap()]).expect(0);
    let wrong = run([
        "packet",
        "export",
        experiment.to_str().unwrap(),
        "--out",
        two.to_str().unwrap(),
    ])
    .expect(2);
    assert!(wrong.stderr.contains("packets/ID"), "{}", wrong.stderr);
    // Whoever names the experiment or no packet at all is led to the list, and deletes nothing.
    let folder = experiment.to_str().unwrap();
    let nope = experiment.join("packets/nope");
    let nope = nope.to_str().unwrap();
    for (refused, found) in [
        (
            run(["review", "open", folder]),
            "is an experiment; expected one packet",
        ),
        (
            run(["review", "open", nope]),
            "does not exist; expected a packet",
        ),
        (
            run(["packet", "export", nope, "--out", "never.zip"]),
            "does not exist; expected a packet",
        ),
    ] {
        let said = refused.expect(2).stderr;
        let list = format!("`deckproof packet list {folder}`");
        assert!(said.contains(found) && said.contains(&list), "{said}");
        assert!(
            !said.contains("remove") && !said.contains("os error"),
            "{said}"
        );
    }
    let bytes = fs::read(&one).unwrap();
    fs::write(&one, &bytes[..bytes.len() - 1]).unwrap();
    run(["packet", "verify", one.to_str().unwrap()]).expect(2);
}

#[test]
fn a_noted_head_shows_that_newest_records_were_cut_off() {
    let suite = TinySuite::new();
    let experiment = suite.run_through();
    let folder = experiment.to_str().unwrap();
    run(["summarize", folder]).expect(0);
    let held = run(["verify", folder]).expect(0);
    assert!(held.stdout.contains("PASS"), "{}", held.stdout);
    let head = held
        .stdout
        .split_whitespace()
        .find(|word| word.len() == 64)
        .unwrap();
    run(["verify", folder, "--expect-head", head]).expect(0);

    // The newest review, taken out by somebody who leaves the chain whole.
    let journal = fs::read_to_string(experiment.join("journal.jsonl")).unwrap();
    let lines: Vec<_> = journal.lines().collect();
    let last: serde_json::Value = serde_json::from_str(lines[lines.len() - 1]).unwrap();
    let file = last["event"]["review_accepted"]["file"].as_str().unwrap();
    fs::remove_file(experiment.join("reviews").join(file)).unwrap();
    fs::remove_file(experiment.join("summary.json")).unwrap();
    fs::write(
        experiment.join("journal.jsonl"),
        lines[..lines.len() - 1].join("\n") + "\n",
    )
    .unwrap();
    let before = serde_json::json!({ "sequence": lines.len() - 2, "sha256": last["previous"] });
    fs::write(experiment.join("journal.head"), before.to_string()).unwrap();
    let told = run(["verify", folder, "--expect-head", head]).expect(2);
    assert!(told.stderr.contains("cut off"), "{}", told.stderr);
}
