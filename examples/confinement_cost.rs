// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures what supervision costs: the time that each wall adds to one trial, and the processor time that Deckproof
//! itself takes while an agent does nothing. Figures, no verdict: they depend on the machine and on its load.
//!
//! ```sh
//! cargo build && cargo run --example confinement_cost            # 20 starts each, then 20 s of sleep
//! cargo run --example confinement_cost -- target/release/deckproof 50
//! ```
#![allow(clippy::print_stdout, reason = "figures are what it is for")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use deckproof::supervise::{Bubblewrap, Direct, Job, Launcher, Limits, Network, Room, Supervised};

type Anything<T> = Result<T, Box<dyn Error>>;

fn main() -> Anything<()> {
    let mut words = std::env::args().skip(1);
    let program = words.next().map_or_else(beside, |word| Ok(word.into()))?;
    let program = program.canonicalize()?;
    let times: usize = words.next().map_or(Ok(20), |word| word.parse())?;
    let bare = Bubblewrap::detect("/usr/bin:/bin")?;
    let full = bare.clone().with_helper(program.clone());
    let relay = Network::Relay(vec!["127.0.0.1:9".to_owned()]);
    let ways: [(&str, &dyn Launcher, Network); 4] = [
        ("nothing around it", &Direct, Network::Private),
        ("namespaces", &bare, Network::Private),
        ("namespaces, Landlock, seccomp", &full, Network::Private),
        ("the same and a relay", &full, relay.clone()),
    ];
    println!("one start of /bin/true under a supervisor, {times} times, in ms (median, best):");
    for (name, launcher, network) in ways {
        let mut taken = Vec::new();
        for _ in 0..times {
            let begun = Instant::now();
            start(&program, launcher, &network, &["/bin/true"])?
                .1
                .wait()?;
            taken.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        taken.sort_by(f64::total_cmp);
        let middle = taken.get(times / 2).copied().unwrap_or_default();
        let best = taken.first().copied().unwrap_or_default();
        println!("  {name:32} {middle:7.1} {best:7.1}");
    }
    let (_folder, supervised) = start(&program, &full, &relay, &["/bin/sleep", "22"])?;
    std::thread::sleep(Duration::from_secs(1));
    let pids = [supervised.supervisor_pid(), std::process::id()];
    let before = pids.map(ticks);
    std::thread::sleep(Duration::from_secs(20));
    let after = pids.map(ticks);
    let second = rustix::param::clock_ticks_per_second() as f64;
    println!("processor time in 20 s of an agent that sleeps, in percent of a core:");
    for ((name, before), after) in ["supervisor", "its parent"].iter().zip(before).zip(after) {
        println!(
            "  {name:32} {:7.2}",
            (after - before) / second / 20.0 * 100.0
        );
    }
    supervised.wait()?;
    Ok(())
}

/// The program that was built together with this example.
fn beside() -> Anything<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own
        .parent()
        .and_then(Path::parent)
        .ok_or("no folder above this program")?;
    Ok(folder.join("deckproof"))
}

fn start(
    program: &Path,
    launcher: &dyn Launcher,
    network: &Network,
    argv: &[&str],
) -> Anything<(tempfile::TempDir, Supervised)> {
    let folder = tempfile::tempdir()?;
    let root = folder.path().canonicalize()?;
    let work = root.join("work");
    std::fs::create_dir(&work)?;
    std::fs::write(root.join("prompt"), "")?;
    let job = Job {
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        environment: BTreeMap::new(),
        secrets: BTreeMap::new(),
        current_directory: work.clone(),
        stdin: root.join("prompt"),
        stdout: root.join("stdout"),
        stderr: root.join("stderr"),
        time_limit_ms: 120_000,
        grace_ms: 100,
        watch: vec![work.clone()],
        limits: Limits::default(),
        relay: None,
        lock: root.join("lock"),
        result: root.join("result"),
    };
    let room = Room {
        readable: Vec::new(),
        writable: vec![work],
        network: network.clone(),
    };
    let supervised = Supervised::start(&launcher.wrap(&job, &room)?, program)?;
    Ok((folder, supervised))
}

/// Processor time of a process so far, in clock ticks.
fn ticks(pid: u32) -> f64 {
    let line = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let rest = line.rsplit(')').next().unwrap_or_default();
    let fields = rest.split_ascii_whitespace().skip(11).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum()
}
