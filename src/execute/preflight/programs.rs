// SPDX-License-Identifier: MIT OR Apache-2.0
//! The agents' programs: where they are, their hashes, and the versions that they state themselves,
//! asked inside the same room as trials.

use std::path::PathBuf;

use super::super::process::{Launch, SEARCH_PATH, host_name, named_program};
use super::super::{Options, programs};
use super::Subject;
use crate::experiment::records::CheckedProgram;
use crate::hosts;
use crate::suite::{Arm, HostKind};
use crate::supervise::{Job, Limits, Network, Room, Supervised, find_program};

/// How long a program may take to say its version.
const PATIENCE_MS: u64 = 60_000;
/// The most characters of a version that are kept.
const MOST_CHARACTERS: usize = 200;

/// The programs of all arms that run one.
pub(super) fn all(subject: &Subject<'_>) -> Vec<CheckedProgram> {
    let runs = |arm: &&Arm| !matches!(arm.host, HostKind::Replay | HostKind::Manual);
    let arms = subject.suite.arm.iter().filter(runs);
    arms.map(|arm| CheckedProgram {
        arm: arm.id.get().clone(),
        sha256: match named_program(arm) {
            (name, true) => name.parse().ok().and_then(|path| (subject.sealed)(&path)),
            (name, false) => find_program(name, SEARCH_PATH)
                .ok()
                .and_then(|path| programs::hash(&path)),
        },
        version: None,
    })
    .collect()
}

/// Asks every program that states a version for it. One that does not answer has none.
pub(super) fn ask_versions(
    subject: &Subject<'_>,
    launch: &Launch,
    options: &Options,
    found: &mut [CheckedProgram],
) {
    for one in found {
        let arm = subject
            .suite
            .arm
            .iter()
            .find(|arm| *arm.id.get() == one.arm);
        let asked = arm.and_then(|arm| {
            let host = hosts::host(host_name(arm.host))?;
            let arguments = host.version_arguments()?;
            let (name, _) = named_program(arm);
            let program = find_program(name, SEARCH_PATH).ok()?;
            ask(subject, launch, options, program, arguments)
        });
        one.version = asked;
    }
}

fn ask(
    subject: &Subject<'_>,
    launch: &Launch,
    options: &Options,
    program: PathBuf,
    arguments: &[&str],
) -> Option<String> {
    let program = programs::real(program);
    let folder = subject
        .folder
        .with_file_name(format!("version-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("home")).ok()?;
    let said = run(launch, options, &folder, &program, arguments);
    _ = std::fs::remove_dir_all(&folder);
    said
}

fn run(
    launch: &Launch,
    options: &Options,
    folder: &std::path::Path,
    program: &std::path::Path,
    arguments: &[&str],
) -> Option<String> {
    std::fs::write(folder.join("stdin"), "").ok()?;
    let home = folder.join("home");
    let mut argv = vec![program.to_str()?.to_owned()];
    argv.extend(arguments.iter().map(|word| (*word).to_owned()));
    let environment = [
        ("PATH", SEARCH_PATH.to_owned()),
        ("HOME", home.to_str()?.to_owned()),
    ];
    let job = Job {
        argv,
        environment: environment
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
        secrets: std::collections::BTreeMap::new(),
        current_directory: home.clone(),
        stdin: folder.join("stdin"),
        stdout: folder.join("stdout"),
        stderr: folder.join("stderr"),
        time_limit_ms: PATIENCE_MS,
        grace_ms: 100,
        watch: vec![home.clone()],
        limits: Limits::default(),
        relay: None,
        lock: folder.join("lock"),
        result: folder.join("result"),
    };
    let room = Room {
        readable: programs::installation(program).into_iter().collect(),
        writable: vec![home],
        network: Network::Private,
    };
    let job = launch.launcher().wrap(&job, &room).ok()?;
    Supervised::start(&job, &options.program)
        .ok()?
        .wait()
        .ok()?;
    let text = std::fs::read_to_string(&job.stdout).ok()?;
    let plain = |c: &char| c.is_ascii_graphic() || *c == ' ';
    let line = text.lines().next()?.chars().filter(plain);
    Some(line.take(MOST_CHARACTERS).collect::<String>()).filter(|line| !line.is_empty())
}
