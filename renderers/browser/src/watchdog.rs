// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ends a browser that uses too much memory or whose work has overrun its last deadline.
//!
//! It runs beside the client on its own thread, because a client that is blocked in a write to a
//! hung browser can watch nothing.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::BrowserError;
use crate::process::kill_group;

/// How often memory is looked at.
const PERIOD: Duration = Duration::from_millis(150);

/// When a browser is ended for its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimits {
    /// Most bytes that one process may have resident.
    pub process_bytes: u64,
    /// Most bytes that all its processes may have resident and unshared.
    pub total_bytes: u64,
}

impl Default for MemoryLimits {
    fn default() -> Self {
        Self {
            process_bytes: 1_536 << 20,
            total_bytes: 2_048 << 20,
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    deadline: Option<Instant>,
    verdict: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Watchdog {
    shared: Arc<Mutex<Shared>>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub(crate) fn start(group: Pid, limits: MemoryLimits) -> Result<Self, BrowserError> {
        let shared = Arc::new(Mutex::new(Shared::default()));
        let (stop, stopped) = channel();
        let seen = Arc::clone(&shared);
        let watch = move || {
            while stopped.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if let Some(reason) = fault(&seen, group, limits) {
                    lock(&seen).verdict = Some(reason);
                    kill_group(group);
                    return;
                }
            }
        };
        let thread = thread::Builder::new()
            .name("browser-watchdog".to_owned())
            .spawn(watch)
            .map_err(|source| BrowserError::io("start the browser's watchdog", source))?;
        Ok(Self {
            shared,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Sets or clears the moment after which the browser is ended whatever it does.
    pub(crate) fn deadline(&self, deadline: Option<Instant>) {
        lock(&self.shared).deadline = deadline;
    }

    /// Why the browser was ended, if it was.
    pub(crate) fn verdict(&self) -> Option<String> {
        lock(&self.shared).verdict.clone()
    }

    /// Ends the thread. To be called before the group's leader is waited for, so that a number
    /// which belongs to someone else by then is never killed.
    pub(crate) fn stop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // The thread cannot panic, and there is nobody to tell.
            let _ = thread.join();
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fault(shared: &Mutex<Shared>, group: Pid, limits: MemoryLimits) -> Option<String> {
    let late = lock(shared)
        .deadline
        .is_some_and(|deadline| Instant::now() > deadline);
    if late {
        return Some("it did not answer within its last deadline".to_owned());
    }
    let usage = usage(group);
    let reason = |what: &str, found: u64, limit: u64| {
        Some(format!(
            "{what} used {} MB of memory, at most {} MB are allowed",
            found >> 20,
            limit >> 20
        ))
    };
    if usage.largest > limits.process_bytes {
        return reason("one of its processes", usage.largest, limits.process_bytes);
    }
    if usage.total > limits.total_bytes {
        return reason("it", usage.total, limits.total_bytes);
    }
    None
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Usage {
    largest: u64,
    total: u64,
}

/// Whether any process of a group still runs. One that only waits to be buried does not.
pub(crate) fn runs(group: Pid) -> bool {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return false;
    };
    entries.flatten().any(|entry| {
        let path = entry.path();
        is_member(&path, group) && memory(&path).is_some()
    })
}

/// Adds up the memory of all processes of a group. A process that ends meanwhile counts nothing.
fn usage(group: Pid) -> Usage {
    let mut usage = Usage::default();
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return usage;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if is_member(&path, group) {
            let (resident, unshared) = memory(&path).unwrap_or_default();
            usage.largest = usage.largest.max(resident);
            usage.total += unshared;
        }
    }
    usage
}

fn is_member(process: &Path, group: Pid) -> bool {
    let numeric = process.file_name().is_some_and(|name| {
        name.to_string_lossy()
            .bytes()
            .all(|byte| byte.is_ascii_digit())
    });
    numeric && group_of(process) == Some(group.as_raw_nonzero().get())
}

/// The process group from `/proc/PID/stat`: the third field after the command's closing bracket.
fn group_of(process: &Path) -> Option<i32> {
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(2)?.parse().ok()
}

/// Resident bytes, and those of them that are the process's own.
fn memory(process: &Path) -> Option<(u64, u64)> {
    let status = std::fs::read_to_string(process.join("status")).ok()?;
    Some((
        status_bytes(&status, "VmRSS:")?,
        status_bytes(&status, "RssAnon:")?,
    ))
}

fn status_bytes(status: &str, name: &str) -> Option<u64> {
    let rest = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = rest.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command};

    fn sleeper() -> Child {
        Command::new("sleep")
            .arg("600")
            .process_group(0)
            .spawn()
            .unwrap()
    }

    #[test]
    fn a_group_has_memory_and_an_absent_one_has_none() {
        let mut child = sleeper();
        let group = Pid::from_child(&child);
        let found = usage(group);
        kill_group(group);
        child.wait().unwrap();
        assert!(found.largest > 0);
        assert_eq!(usage(group), Usage::default());
    }

    #[test]
    fn too_much_memory_ends_the_group_and_says_why() {
        let mut child = sleeper();
        let limits = MemoryLimits {
            process_bytes: 1,
            total_bytes: 1 << 40,
        };
        let dog = Watchdog::start(Pid::from_child(&child), limits).unwrap();
        child.wait().unwrap();
        assert!(dog.verdict().unwrap().contains("memory"));
    }

    #[test]
    fn a_passed_deadline_ends_the_group() {
        let mut child = sleeper();
        let dog = Watchdog::start(Pid::from_child(&child), MemoryLimits::default()).unwrap();
        assert_eq!(dog.verdict(), None);
        dog.deadline(Some(Instant::now()));
        child.wait().unwrap();
        assert!(dog.verdict().unwrap().contains("deadline"));
    }
}
