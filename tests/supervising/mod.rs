// SPDX-License-Identifier: MIT OR Apache-2.0
//! A trial's folder with a job in it, for tests that run real processes.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(
    missing_debug_implementations,
    missing_docs,
    reason = "nobody else sees it"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use deckproof::supervise::{Ended, Job, Limits, Supervised, WaitError};

/// The program under test.
pub const EXE: &str = env!("CARGO_BIN_EXE_deckproof");

/// A folder of its own, and a job that runs a shell script in it.
pub struct Bench {
    folder: tempfile::TempDir,
    pub job: Job,
}

impl Bench {
    pub fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("work")).unwrap();
        std::fs::write(root.join("prompt"), "").unwrap();
        let job = Job {
            argv: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
            environment: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
            secrets: BTreeMap::new(),
            current_directory: root.join("work"),
            stdin: root.join("prompt"),
            stdout: root.join("stdout"),
            stderr: root.join("stderr"),
            time_limit_ms: 60_000,
            grace_ms: 500,
            watch: vec![root.join("work")],
            limits: Limits::default(),
            relay: None,
            lock: root.join("lock"),
            result: root.join("ended.json"),
        };
        Self { folder, job }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub fn run(&self) -> Result<Ended, WaitError> {
        Supervised::start(&self.job, EXE.as_ref()).unwrap().wait()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.job.stdout).unwrap()).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.job.stderr).unwrap()).into_owned()
    }
}

/// The living processes that have `word` as one of their arguments.
pub fn running(word: &str) -> Vec<i32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        let Ok(line) = std::fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        if line
            .split(|byte| *byte == 0)
            .any(|argument| argument == word.as_bytes())
        {
            found.push(pid);
        }
    }
    found
}

/// Waits until `holds`, at most 30 seconds.
pub fn until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "waited too long until {what}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}
