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
