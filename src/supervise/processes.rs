// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sees and ends every descendant of this process, however it tried to get away.
//!
//! A process that calls `setsid`, forks twice or ignores hang-ups still has a parent. Because the supervisor
//! is a subreaper, a process whose parent dies becomes its child, so walking parents from /proc finds all.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, Signal, WaitOptions};

use super::outcome::Leftover;

/// The longest command line that is kept, in characters.
const COMMAND_CHARACTERS: usize = 200;

/// One process as /proc shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: i32,
    parent: i32,
    group: i32,
    state: u8,
    start: u64,
    resident_pages: u64,
    /// Its own and that of its children that it has waited for, in clock ticks.
    cpu_ticks: u64,
}

impl Process {
    /// Whether it still runs code (a zombie only waits to be reaped).
    pub(super) fn is_alive(&self) -> bool {
        !matches!(self.state, b'Z' | b'X')
    }

    /// Whether it is the first process of a process namespace, runs the program `name`, and was
    /// started by `starter` itself, which may have ended: so it is what `starter` keeps a room with.
    pub(super) fn begins_namespace(&self, starter: i32, name: &[u8]) -> bool {
        if ![own_pid(), starter].contains(&self.parent) {
            return false;
        }
        let status = std::fs::read(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let status = String::from_utf8_lossy(&status);
        let field = |key: &str| {
            let mut lines = status.lines();
            lines.find_map(|line| line.strip_prefix(key)).map(str::trim)
        };
        let first = field("NSpid:").is_some_and(|numbers| {
            let mut numbers = numbers.split_ascii_whitespace();
            numbers.next_back() == Some("1") && numbers.next().is_some()
        });
        // The kernel keeps 15 bytes of a name.
        let kept = name.get(..15).unwrap_or(name);
        first && field("Name:").is_some_and(|found| found.as_bytes() == kept)
    }
}

/// The living and dead descendants of this process, in order of process id.
pub(super) fn descendants() -> std::io::Result<Vec<Process>> {
    Ok(below(own_pid(), all_processes()?))
}

/// The process id of this process.
fn own_pid() -> i32 {
    i32::try_from(std::process::id()).unwrap_or(i32::MAX)
}

fn all_processes() -> std::io::Result<Vec<Process>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc")? {
        let Ok(entry) = entry else { continue };
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        // A process that ended meanwhile has no status any more, which is no error.
        found.extend(read_process(pid));
    }
    Ok(found)
}

fn read_process(pid: i32) -> Option<Process> {
    parse_stat(pid, &std::fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads a line of /proc/PID/stat; the name in it may hold any byte, blanks and brackets included.
fn parse_stat(pid: i32, line: &[u8]) -> Option<Process> {
    let close = line.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(line.get(close + 1..)?).ok()?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    Some(Process {
        pid,
        state: *fields.first()?.as_bytes().first()?,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        start: fields.get(19)?.parse().ok()?,
        resident_pages: fields.get(21)?.parse().unwrap_or(0),
        cpu_ticks: cpu_ticks(fields.get(11..15)?),
    })
}

/// User and system time, of a process and of its children.
fn cpu_ticks(fields: &[&str]) -> u64 {
    let ticks = fields.iter().filter_map(|field| field.parse::<u64>().ok());
    ticks.fold(0, u64::saturating_add)
}

/// Processor time of all `processes`, and of those that this process has reaped since `before`, in milliseconds.
pub(super) fn cpu_ms(processes: &[Process], before: u64) -> u64 {
    let living = processes
        .iter()
        .fold(reaped_ticks().saturating_sub(before), |sum, process| {
            sum.saturating_add(process.cpu_ticks)
        });
    living.saturating_mul(1000) / rustix::param::clock_ticks_per_second().max(1)
}

/// Processor time of all children that this process has reaped so far, in clock ticks.
pub(super) fn reaped_ticks() -> u64 {
    let line = std::fs::read("/proc/self/stat").unwrap_or_default();
    let close = line.iter().rposition(|byte| *byte == b')').unwrap_or(0);
    let rest = line.get(close..).unwrap_or_default();
    let fields: Vec<&str> = std::str::from_utf8(rest)
        .unwrap_or_default()
        .split_ascii_whitespace()
        .collect();
    // After the bracket come the fields from the third on; 16 and 17 are those of children.
    cpu_ticks(fields.get(14..16).unwrap_or_default())
}

/// Those of `all` that descend from `root`.
fn below(root: i32, all: Vec<Process>) -> Vec<Process> {
    let mut children: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
    for process in all {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found = Vec::new();
    let mut next = vec![root];
    while let Some(parent) = next.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            next.push(child.pid);
            found.push(child);
        }
    }
    found.sort_by_key(|process| process.pid);
    found
}

/// Resident bytes of all `processes` together.
pub(super) fn resident_bytes(processes: &[Process]) -> u64 {
    let page = rustix::param::page_size() as u64;
    processes.iter().fold(0, |sum, process| {
        sum.saturating_add(process.resident_pages.saturating_mul(page))
    })
}

/// What `processes` are, for the record.
pub(super) fn describe(processes: &[Process]) -> Vec<Leftover> {
    let alive = processes.iter().filter(|process| process.is_alive());
    alive
        .map(|process| Leftover {
            pid: process.pid,
            command: command_of(process.pid),
        })
        .collect()
}

fn command_of(pid: i32) -> String {
    let folder = format!("/proc/{pid}");
    let folder = Path::new(&folder);
    let line = std::fs::read(folder.join("cmdline")).unwrap_or_default();
    let mut text = String::from_utf8_lossy(&line)
        .replace('\0', " ")
        .trim_end()
        .to_owned();
    if text.is_empty() {
        let name = std::fs::read(folder.join("comm")).unwrap_or_default();
        text = format!("[{}]", String::from_utf8_lossy(&name).trim_end());
    }
    text.chars().take(COMMAND_CHARACTERS).collect()
}

/// Reaps the dead children of this process except `spared`, whose exit status belongs to its owner.
pub(super) fn reap(processes: &[Process], spared: i32) {
    let own = own_pid();
    let dead = processes
        .iter()
        .filter(|process| process.parent == own && !process.is_alive());
    for process in dead.filter(|process| process.pid != spared) {
        if let Some(pid) = Pid::from_raw(process.pid) {
            // Nothing to do when it cannot be reaped: the next walk sees it again.
            _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }
}

/// Sends `signal` to every one of `processes` that is still the process that was seen.
pub(super) fn signal_all(processes: &[Process], signal: Signal) {
    for process in processes.iter().filter(|process| process.is_alive()) {
        signal_one(process, signal);
    }
}

/// A process id can be given to a stranger between the look and the signal, so the signal goes through a
/// handle that was compared after it was opened.
fn signal_one(process: &Process, signal: Signal) {
    let Some(pid) = Pid::from_raw(process.pid) else {
        return;
    };
    let Ok(handle) = rustix::process::pidfd_open(pid, PidfdFlags::empty()) else {
        return;
    };
    if is_same(process) {
        // A failure means that it has just ended; the caller looks again anyway.
        _ = rustix::process::pidfd_send_signal(&handle, signal);
    }
}

fn is_same(process: &Process) -> bool {
    read_process(process.pid).is_some_and(|now| now.start == process.start)
}

/// Kills until no descendant is left, or until `patience` has passed. The agent's own process has to have been
/// waited for before, as this reaps whatever dies.
/// Returns the processes that could not be ended (none, in all but pathological cases).
///
/// A walk through /proc that finds nothing proves nothing: a process that forks and exits all the time can be
/// missed by every walk. The kernel's word that there is no child does prove it, because whatever lives has
/// an ancestor that is our child.
pub(super) fn kill_all(patience: Duration) -> std::io::Result<Vec<Process>> {
    let give_up = Instant::now() + patience;
    let mut pause = Duration::from_micros(100);
    loop {
        if reap_all()? {
            return Ok(Vec::new());
        }
        let found = descendants()?;
        kill_groups(&found);
        signal_all(&found, Signal::KILL);
        if kill_newest()? {
            return Ok(Vec::new());
        }
        if Instant::now() >= give_up {
            return Ok(descendants()?
                .into_iter()
                .filter(Process::is_alive)
                .collect());
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// A signal to a process group reaches all of its members at once, also those that are being forked.
fn kill_groups(processes: &[Process]) {
    let own = rustix::process::getpgrp().as_raw_nonzero().get();
    let groups: BTreeSet<i32> = processes
        .iter()
        .filter(|process| is_same(process))
        .map(|process| process.group)
        .collect();
    for group in groups.into_iter().filter(|group| *group != own) {
        if let Some(group) = Pid::from_raw(group) {
            // A failure means that it is gone.
            _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

/// Hunts for processes that change their group and fork away: they are among the newest of the machine, and
/// our children, so looking at those few is faster than they are. Returns whether no child is left.
fn kill_newest() -> std::io::Result<bool> {
    let own = own_pid();
    for _ in 0..200 {
        let newest = newest_process().unwrap_or(0);
        for pid in (newest.saturating_sub(24)..=newest).rev() {
            let ours = read_process(pid).filter(|process| process.parent == own);
            if let (Some(_), Some(pid)) = (ours, Pid::from_raw(pid)) {
                // The id of a child of ours is given to nobody else before we reap the child.
                _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
        if reap_all()? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The id of the process that was made last, as the kernel states it.
fn newest_process() -> Option<i32> {
    std::fs::read_to_string("/proc/loadavg")
        .ok()?
        .split_ascii_whitespace()
        .last()?
        .parse()
        .ok()
}

/// Reaps every dead child. Returns whether there is no child left, dead or alive.
fn reap_all() -> std::io::Result<bool> {
    loop {
        match rustix::process::wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) => return Ok(false),
            Err(rustix::io::Errno::CHILD) => return Ok(true),
            Err(error) => return Err(error.into()),
        }
    }
}

/// The variable by which the processes of one turn know each other, and we them.
pub(super) const MARK: &str = "DECKPROOF_TURN";

/// The mark of the turn whose supervisor has this process id and writes this result.
pub(super) fn mark(supervisor: u32, result: &Path) -> String {
    use std::hash::{Hash as _, Hasher as _};
    let mut hasher = std::hash::DefaultHasher::new();
    result.hash(&mut hasher);
    format!("{:016x}-{supervisor}", hasher.finish())
}

/// Kills the processes that carry `mark` in their environment: what is left of an agent whose supervisor was
/// itself killed. Best effort, as a process can drop its environment; confinement does not depend on it.
pub(super) fn kill_marked(mark: &str, patience: Duration) -> std::io::Result<()> {
    let wanted = format!("{MARK}={mark}");
    let give_up = Instant::now() + patience;
    loop {
        let mut found = all_processes()?;
        found.retain(|process| process.is_alive() && has_variable(process.pid, &wanted));
        if found.is_empty() || Instant::now() >= give_up {
            return Ok(());
        }
        signal_all(&found, Signal::KILL);
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn has_variable(pid: i32, wanted: &str) -> bool {
    std::fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32) -> Process {
        Process {
            pid,
            parent,
            group: pid,
            state: b'S',
            start: 1,
            resident_pages: 1,
            cpu_ticks: 0,
        }
    }

    #[test]
    fn reads_a_name_full_of_brackets() {
        let line = b"7 (a) R 1 (b)) S 3 5 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 99 1000 12 1";
        let found = parse_stat(7, line).unwrap();
        let expected = Process {
            pid: 7,
            parent: 3,
            group: 5,
            state: b'S',
            start: 99,
            resident_pages: 12,
            cpu_ticks: 5 + 6 + 7 + 8,
        };
        assert_eq!(found, expected);
        assert_eq!(parse_stat(7, b"7 (a"), None);
        assert_eq!(parse_stat(7, b"7 (a) S x"), None);
    }

    #[test]
    fn finds_descendants_only() {
        let all = vec![
            process(9, 4),
            process(2, 1),
            process(4, 2),
            process(5, 1),
            process(1, 0),
        ];
        let found: Vec<i32> = below(2, all).iter().map(|process| process.pid).collect();
        assert_eq!(found, [4, 9]);
    }

    #[test]
    fn survives_a_circle_of_parents() {
        let found = below(2, vec![process(3, 2), process(2, 3)]);
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn sees_its_own_child() {
        let mut child = std::process::Command::new("/bin/sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let found = descendants().unwrap();
        let seen = found.iter().find(|process| process.pid == pid).copied();
        signal_one(&seen.unwrap(), Signal::KILL);
        let status = child.wait().unwrap();
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(9)
        );
    }
}
