// SPDX-License-Identifier: MIT OR Apache-2.0
//! A seed experiment of 2,000 cases summarized here and by the usual way, a Python process
//! (`reference_way.py`); and how fast evidence is hashed beside `openssl speed sha256`.
//!
//! Processor time hardly depends on what else the machine does; time on the wall is what people wait.
//! Ratios are what counts.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark says what it measured and stops when it cannot"
)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use deckproof_packets::bulk;
use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::store::{MAX_OBJECT, Store};
use deckproof_reviews::seed::{Document, summarize_seed};
use rustix::time::{ClockId, clock_gettime};

#[path = "../../reviews/tests/support/mod.rs"]
mod support;

/// The program's own.
#[global_allocator]
static GLOBAL: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CASES: usize = 2_000;

/// Processor time of this process.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap(),
        time.tv_nsec.try_into().unwrap(),
    )
}

/// The least of several runs.
fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> (Duration, T) {
    let mut one = || {
        let start = now();
        let result = work();
        (now() - start, result)
    };
    let mut best = one();
    for _ in 1..runs {
        let next = one();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

/// Where a suite and its runs lie.
fn places(folder: &Path) -> [PathBuf; 2] {
    ["suite.json", "runs.json"].map(|name| folder.join(name))
}

/// Writes a suite and its runs, and says where.
fn records(folder: &Path) -> [PathBuf; 2] {
    let modes: Vec<&str> = (0..CASES).map(|at| ["create", "revise"][at % 2]).collect();
    let pair = support::pair(&modes);
    let paths = places(folder);
    for (path, document) in paths.iter().zip([&pair.suite, &pair.runs]) {
        std::fs::write(path, serde_json::to_vec(document).unwrap()).unwrap();
    }
    paths
}

/// All that the command does with them: whether the candidate passed.
fn summarized(folder: &Path) -> bool {
    let bytes = places(folder).map(|path| bulk::read(&path, u64::MAX).unwrap());
    let document = |file, bytes| Document { file, bytes };
    let summary =
        summarize_seed(document("suite", &bytes[0]), document("runs", &bytes[1])).unwrap();
    std::fs::write(folder.join("out.json"), summary.text()).unwrap();
    summary.verdict().exit_code() == 0
}

/// Wall time and processor time of a process.
type Times = [f64; 2];

/// The least of several runs of a process, which tells its processor time on stderr, and what the
/// last one printed.
fn processes(runs: usize, mut command: impl FnMut() -> Command) -> (Times, Vec<u8>) {
    let mut best = [f64::INFINITY; 2];
    let mut printed = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        let output = command().output().unwrap();
        let wall = start.elapsed().as_secs_f64();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{told}");
        best = least(best, [wall, told.trim().parse().unwrap()]);
        printed = output.stdout;
    }
    (best, printed)
}

fn least(one: Times, other: Times) -> Times {
    [one[0].min(other[0]), one[1].min(other[1])]
}

fn summaries() {
    let folder = tempfile::tempdir().unwrap();
    let paths = records(folder.path());
    let megabytes: f64 = paths
        .iter()
        .map(|path| std::fs::metadata(path).unwrap().len() as f64 / 1e6)
        .sum();
    let here = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["once".as_ref(), folder.path()]);
        command
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/reference_way.py");
    let there = || {
        let mut command = Command::new("python3");
        command.arg("-S").arg(script).args(&paths);
        command
    };
    // One after the other and again, so that a machine that gets slower does so for both.
    let mut best = [[f64::INFINITY; 2]; 2];
    for _ in 0..5 {
        let (ours, _) = processes(6, here);
        let (theirs, printed) = processes(2, there);
        let written = std::fs::read(folder.path().join("out.json")).unwrap();
        assert!(written == printed, "the two summaries differ");
        best = [least(best[0], ours), least(best[1], theirs)];
    }
    let [ours, theirs] = best;
    println!(
        "seed experiment of {CASES} cases, {megabytes:.1} MB, a process each; on the wall, and by processors"
    );
    let show = |name: &str, times: Times| {
        println!(
            "  {name:<11} {:8.1} ms {:8.1} ms",
            times[0] * 1e3,
            times[1] * 1e3
        );
    };
    show("here", ours);
    show("in Python", theirs);
    println!(
        "  ratio       {:8.1}    {:8.1}",
        theirs[0] / ours[0],
        theirs[1] / ours[1]
    );
}

fn hashing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(folder.path().join("objects"));
    let bytes: Vec<u8> = (0..256_u32 << 20)
        .map(|at| (at ^ (at >> 11)) as u8)
        .collect();
    let hash = store.put(&bytes).unwrap();
    let file = || std::fs::File::open(store.path(&hash)).unwrap();
    let size = bytes.len() as f64 / 1e6;
    drop(bytes);
    let (time, found) = best(5, || Sha256Hex::of_reader(file(), MAX_OBJECT).unwrap().0);
    assert_eq!(found, hash);
    let ours = size / time.as_secs_f64();
    let output = Command::new("openssl")
        .args(["speed", "-mr", "-seconds", "2", "-bytes", "16384", "sha256"])
        .output();
    let text = output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    let theirs = text
        .lines()
        .find_map(|line| {
            line.strip_prefix("+F:")?
                .rsplit(':')
                .next()?
                .parse::<f64>()
                .ok()
        })
        .map(|bytes| bytes / 1e6);
    println!("hashing an object of {size:.0} MB, read from its file");
    println!("  here        {ours:8.0} MB/s");
    match theirs {
        Some(theirs) => println!(
            "  openssl     {theirs:8.0} MB/s\n  ratio       {:8.2}",
            ours / theirs
        ),
        None => println!("  openssl is not there to compare with"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|one| one != "--bench")
        .collect();
    // `once FOLDER` is the process that is measured. For profilers: `dump FOLDER` writes the records,
    // `loop FOLDER TIMES` summarizes them.
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["dump", folder] => {
            records(Path::new(folder));
            return;
        }
        ["once", folder] => {
            assert!(summarized(Path::new(folder)));
            eprintln!("{}", now().as_secs_f64());
            return;
        }
        ["loop", folder, times] => {
            for _ in 0..times.parse().unwrap() {
                let (time, passed) = best(1, || summarized(Path::new(folder)));
                assert!(passed);
                println!("{:.1} ms", time.as_secs_f64() * 1e3);
            }
            return;
        }
        _ => {}
    }
    summaries();
    hashing();
}
