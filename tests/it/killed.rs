// SPDX-License-Identifier: MIT OR Apache-2.0
//! `execute` killed hard at many moments, and started again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{TinySuite, failed_gates, program, review_all, run};

/// How often each trial's attempt ended, by the journal.
fn ended(experiment: &Path) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for line in fs::read_to_string(experiment.join("journal.jsonl"))
        .unwrap()
        .lines()
    {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(trial) = record["event"]["attempt_ended"]["trial"].as_str() {
            *counts.entry(trial.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// Starts `execute` and kills it after `delay`. Returns whether it had ended before.
fn execute_for(experiment: &Path, delay: Duration) -> bool {
    let mut child = program()
        .arg("execute")
        .arg(experiment)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    thread::sleep(delay);
    let ended = child.try_wait().unwrap().is_some();
    child.kill().unwrap();
    child.wait().unwrap();
    ended
}

#[test]
fn twenty_kills_lose_nothing_and_pay_for_nothing_twice() {
    let suite = TinySuite::new();
    // An undisturbed run says how long the moments can be apart.
    let measured = TinySuite::new();
    let experiment = measured.prepare();
    let start = Instant::now();
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    let whole = start.elapsed();

    let experiment = suite.prepare();
    let mut kills = 0;
    for moment in 0..20_u32 {
        let delay = whole * (moment + 1) / 21;
        if execute_for(&experiment, delay) {
            break;
        }
        kills += 1;
        let counts = ended(&experiment);
        assert!(
            counts.values().all(|count| *count == 1),
            "{counts:?} after {kills} kills"
        );
    }
    assert!(
        kills >= 3,
        "the run ended after {kills} kills, so that nothing was tried"
    );
    run(["execute", experiment.to_str().unwrap()]).expect(0);
    let counts = ended(&experiment);
    assert_eq!(counts.len(), 2);
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
    review_all(&experiment, |_| {});
    run(["summarize", experiment.to_str().unwrap()]).expect(0);
    run(["verify", experiment.to_str().unwrap()]).expect(0);
    assert!(failed_gates(&experiment).is_empty());
}
