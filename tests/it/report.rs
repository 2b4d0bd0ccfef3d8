// SPDX-License-Identifier: MIT OR Apache-2.0
//! `deckproof report`: one file that holds everything, made of evidence that holds.

use std::fs;

use crate::support::{TinySuite, run};

#[test]
fn a_report_is_one_file_and_spoils_nothing() {
    let suite = TinySuite::new();
    let experiment = suite.run_through();
    let folder = experiment.to_str().unwrap();
    run(["summarize", folder]).expect(0);
    let ran = run(["report", folder]).expect(0);
    assert!(ran.stdout.contains("report.html"), "{}", ran.stdout);
    let report = fs::read_to_string(experiment.join("report.html")).unwrap();
    assert!(report.contains("data:image/png;base64,"));
    for remote in ["src=\"http", "href=\"http", "url(http", "<script"] {
        assert!(!report.contains(remote), "{remote}");
    }
    assert!(!report.contains(suite.folder.path().to_str().unwrap()));
    run(["verify", folder]).expect(0);
    run(["report", folder]).expect(0);
    assert_eq!(
        fs::read_to_string(experiment.join("report.html")).unwrap(),
        report
    );
}

#[test]
fn trials_are_listed_and_shown_and_arms_compared() {
    let suite = TinySuite::new();
    let experiment = suite.run_through();
    let folder = experiment.to_str().unwrap();
    let csv = run(["summarize", folder, "--csv"]).expect(0).stdout;
    let mut lines = csv.lines();
    assert!(lines.next().unwrap().starts_with("trial,case,arm,format,"));
    let line = lines.next().unwrap().to_owned();
    let cells: Vec<_> = line.split(',').collect();
    let shown = run(["show", folder, cells[0]]).expect(0).stdout;
    assert!(
        shown.starts_with(cells[0]) && shown.contains("event log"),
        "{shown}"
    );
    let json = run(["show", folder, cells[0], "--json"]).expect(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["trial"], cells[0]);
    let refused = run(["show", folder, "none.such.1"]).expect(2);
    assert!(refused.stderr.contains("such as"), "{}", refused.stderr);
    let arm = cells[2];
    let refused = run(["compare", folder, arm, "no-such-arm"]).expect(2);
    assert!(
        refused.stderr.contains("expected one of"),
        "{}",
        refused.stderr
    );
    let mut arms = csv
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(2));
    let other = arms.find(|other| *other != arm).unwrap();
    let text = run(["compare", folder, arm, other]).expect(0).stdout;
    assert!(text.contains("What distinguishes them"), "{text}");
    let json = run(["compare", folder, arm, other, "--json"])
        .expect(0)
        .stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["schema"], "deckproof.compare.v1");
    run(["verify", folder]).expect(0);
}

#[test]
fn unusable_evidence_has_no_report() {
    let suite = TinySuite::new();
    let experiment = suite.prepare();
    let refused = run(["report", experiment.to_str().unwrap()]).expect(2);
    assert!(
        refused.stderr.contains("deckproof execute"),
        "{}",
        refused.stderr
    );
    assert!(!experiment.join("report.html").exists());
}
