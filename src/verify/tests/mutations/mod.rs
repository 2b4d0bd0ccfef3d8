// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whatever is done to a valid experiment, it passes exactly when an independent reading of the
//! rules says so. `DECKPROOF_MUTATIONS=20000` runs the full number; `DECKPROOF_BINARY=FILE` asks that
//! program too, for every 25th.

mod bend;
mod directed;
mod doc;
pub(super) mod evidence;
mod oracle;
mod raw;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use evidence::{Evidence, Sealing, Stage};
use oracle::{Answer, Oracle};

use crate::summary::testing::Lab;
use crate::summary::{self, Verdict};

const DEFAULT_MUTATIONS: u64 = 150;
const SEED: u64 = 20_261_130;

fn count() -> u64 {
    let text = std::env::var("DECKPROOF_MUTATIONS").ok();
    text.and_then(|text| text.parse().ok())
        .unwrap_or(DEFAULT_MUTATIONS)
}

/// The exit code, and why there is no verdict.
fn outcome(stage: &Stage) -> (u8, String) {
    // What `summarize` does, step by step; there is no summary on file for `verify` to look at.
    match super::verify(&stage.root).and_then(|verified| summary::derive(&verified)) {
        Ok(summary) if summary.result == Verdict::Pass => (0, String::new()),
        Ok(summary) => (1, summary.failed_gates.join(", ")),
        Err(error) => (2, error.to_string()),
    }
}

/// The exit code of the real program's `summarize`, when there is one to ask.
fn of_binary(stage: &Stage, number: u64) -> Option<u8> {
    let binary = std::env::var_os("DECKPROOF_BINARY").filter(|_| number.is_multiple_of(25))?;
    let mut command = Command::new(binary);
    command.arg("summarize").arg(&stage.root);
    let status = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    let _ = fs_err::remove_file(stage.root.join("summary.json"));
    status.code().and_then(|code| u8::try_from(code).ok())
}

/// How often each outcome came.
#[derive(Debug, Default)]
struct Tally {
    codes: [u64; 3],
    unjudged: u64,
    /// Those that the real program was asked about too.
    asked: u64,
    by_sealing: BTreeMap<&'static str, [u64; 3]>,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, kind: &'static str, answer: Answer, (code, why): (u8, String), what: &str) {
        self.codes[usize::from(code)] += 1;
        self.by_sealing.entry(kind).or_default()[usize::from(code)] += 1;
        match answer {
            Answer::Unjudged => self.unjudged += 1,
            _ if (answer == Answer::Pass) == (code == 0) => {}
            _ => self.wrong.push(format!(
                "{kind}: {what}: exit {code} ({why}), the oracle says {answer:?}"
            )),
        }
    }

    fn finish(self) {
        println!(
            "exits 0, 1, 2: {:?}, {} not judged, {} by the program too; {:?}",
            self.codes, self.unjudged, self.asked, self.by_sealing
        );
        assert!(
            self.wrong.is_empty(),
            "{} disagreements:\n{}",
            self.wrong.len(),
            self.wrong.join("\n")
        );
        assert!(
            self.codes.iter().all(|count| *count > 0),
            "every outcome must occur: {:?}",
            self.codes
        );
    }
}

/// An experiment on disk to bend, and what judges it.
fn stage() -> (Lab, Stage, Oracle) {
    let lab = Lab::good();
    let stage = Stage::new(&lab.root);
    let oracle = Oracle::of(&stage.good);
    for path in oracle.strange() {
        println!("newer than the oracle, and not judged by it: {path}");
    }
    assert_eq!(outcome(&stage), (0, String::new()));
    assert_eq!(oracle.judge(&stage.root), Answer::Pass);
    (lab, stage, oracle)
}

#[test]
fn bent_documents_pass_only_when_the_oracle_says_so() {
    let (_lab, mut stage, oracle) = stage();
    let good = Evidence::read(&stage.root);
    let mut sealed = good.clone();
    sealed.seal(Sealing::Everything);
    assert_eq!(
        sealed.files(),
        good.files(),
        "sealing a good experiment changes nothing"
    );
    let mut rng = ChaCha20Rng::seed_from_u64(SEED);
    let mut tally = Tally::default();
    for number in 0..count() {
        let (bent, sealing, what) = bend::bent(&good, &mut rng);
        stage.apply(&bent, sealing == Sealing::Everything);
        let kind = match sealing {
            Sealing::Nothing => "not sealed",
            Sealing::Chain => "chain sealed",
            Sealing::Everything => "all sealed",
        };
        let answer = oracle.judge(&stage.root);
        let outcome = outcome(&stage);
        if let Some(code) = of_binary(&stage, number) {
            assert_eq!(
                code, outcome.0,
                "the program and the library: {what:?}, {}",
                outcome.1
            );
            tally.asked += 1;
        }
        tally.add(kind, answer, outcome, &format!("{what:?}"));
        stage.restore();
    }
    assert_eq!(outcome(&stage), (0, String::new()), "the stage is put back");
    tally.finish();
}

#[test]
fn bent_files_pass_only_when_the_oracle_says_so() {
    let (_lab, mut stage, oracle) = stage();
    let mut rng = ChaCha20Rng::seed_from_u64(SEED + 1);
    let mut tally = Tally::default();
    for number in 0..count() {
        let what = raw::bend(&mut stage, &mut rng);
        let answer = oracle.judge(&stage.root);
        let outcome = outcome(&stage);
        if let Some(code) = of_binary(&stage, number) {
            assert_eq!(
                code, outcome.0,
                "the program and the library: {what}, {}",
                outcome.1
            );
            tally.asked += 1;
        }
        tally.add("raw", answer, outcome, &what);
        stage.restore();
    }
    assert_eq!(outcome(&stage), (0, String::new()), "the stage is put back");
    // Bytes alone make no other valid experiment.
    tally.codes[1] += 1;
    tally.finish();
}
