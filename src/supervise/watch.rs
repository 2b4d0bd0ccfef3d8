// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waits for the agent, its output, its limits and our own parent, asleep for nearly all of the time.

use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Pid, PidfdFlags, Signal};

use super::cgroup::Cgroup;
use super::job::Job;
use super::outcome::KillReason;
use super::processes;
use super::pump::Flow;
use super::sizes;
use super::spawn::Agent;

/// The shortest and longest pause between two looks at the agent's processes and folders.
const LOOK_PAUSE: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(5)];
/// A look may take at most this part of the time, so that a large work folder costs no core.
const LOOK_SHARE: u32 = 200;

/// Why the watch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The agent's own process ended.
    Ended,
    /// A limit was reached.
    Limit(KillReason),
    /// Nobody holds our control pipe any more.
    Abandoned,
}

/// A watched agent.
#[derive(Debug)]
pub(super) struct Watch<'job> {
    job: &'job Job,
    agent: &'job mut Agent,
    cgroup: &'job Cgroup,
    handle: OwnedFd,
    next_look: Instant,
    /// Processor time of earlier children, which is none of the agent's.
    cpu_before: u64,
}

impl<'job> Watch<'job> {
    pub(super) fn new(
        job: &'job Job,
        agent: &'job mut Agent,
        cgroup: &'job Cgroup,
    ) -> std::io::Result<Self> {
        let pid = Pid::from_child(&agent.child);
        let handle = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
        Ok(Self {
            job,
            agent,
            cgroup,
            handle,
            next_look: Instant::now(),
            cpu_before: processes::reaped_ticks(),
        })
    }

    /// Watches until the agent ends, a limit is reached, or our parent is gone.
    pub(super) fn until_stop(&mut self) -> std::io::Result<Stop> {
        // A limit too far away for the clock is no limit.
        let limit = Duration::from_millis(self.job.time_limit_ms);
        let deadline = self.agent.started.checked_add(limit);
        loop {
            if let Some(stop) = self.wait(deadline)? {
                return Ok(stop);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(Stop::Limit(KillReason::Time));
            }
            if let Some(reason) = self.look()? {
                return Ok(Stop::Limit(reason));
            }
        }
    }

    /// Asks every process to end and waits for the agent itself, at most for the job's grace.
    pub(super) fn ask_to_end(&mut self) -> std::io::Result<()> {
        processes::signal_all(&processes::descendants()?, Signal::TERM);
        let deadline = Instant::now() + Duration::from_millis(self.job.grace_ms.min(60_000));
        while Instant::now() < deadline {
            match self.wait(Some(deadline))? {
                Some(Stop::Ended | Stop::Abandoned) => break,
                Some(Stop::Limit(_)) | None => {}
            }
        }
        Ok(())
    }

    /// Sleeps until something happens, and copies output. `None` when nothing decisive has happened.
    fn wait(&mut self, deadline: Option<Instant>) -> std::io::Result<Option<Stop>> {
        let until = deadline.map_or(self.next_look, |deadline| deadline.min(self.next_look));
        let stdin = std::io::stdin();
        let control = stdin.as_fd();
        let [mut ended, mut abandoned] = [false; 2];
        {
            let mut waiting = vec![
                PollFd::new(&self.handle, PollFlags::IN),
                PollFd::from_borrowed_fd(control, PollFlags::IN),
            ];
            let streams = self
                .agent
                .pumps
                .iter()
                .filter_map(super::pump::Pump::waits_for);
            waiting.extend(streams.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
            if poll_until(&mut waiting, until)? {
                ended = waiting.first().is_some_and(|fd| !fd.revents().is_empty());
                abandoned = waiting.get(1).is_some_and(|fd| !fd.revents().is_empty());
            }
        }
        let mut over = false;
        for pump in &mut self.agent.pumps {
            over |= pump.copy()? == Flow::Over;
        }
        Ok(match () {
            () if over => Some(Stop::Limit(KillReason::LogBytes)),
            () if ended => Some(Stop::Ended),
            () if abandoned && is_closed(control)? => Some(Stop::Abandoned),
            () => None,
        })
    }

    /// Compares processes and folders with the limits, when it is time to.
    fn look(&mut self) -> std::io::Result<Option<KillReason>> {
        let begun = Instant::now();
        if begun < self.next_look {
            return Ok(None);
        }
        let limits = &self.job.limits;
        let found = processes::descendants()?;
        processes::reap(&found, self.agent.pid);
        let alive = found.iter().filter(|process| process.is_alive()).count() as u64;
        let memory = processes::resident_bytes(&found);
        let size = sizes::measure(&self.job.watch, limits.work_files);
        let nameless = sizes::nameless_bytes(found.iter().map(|process| process.pid));
        let cpu_ms = processes::cpu_ms(&found, self.cpu_before);
        let [shortest, longest] = LOOK_PAUSE;
        self.next_look = begun + (begun.elapsed() * LOOK_SHARE).clamp(shortest, longest);
        Ok(match () {
            () if alive > limits.processes => Some(KillReason::Processes),
            () if memory > limits.memory_bytes => Some(KillReason::Memory),
            () if size.files > limits.work_files => Some(KillReason::WorkFiles),
            () if size.bytes.saturating_add(nameless) > limits.work_bytes => {
                Some(KillReason::WorkBytes)
            }
            () if limits.cpu_ms.is_some_and(|most| cpu_ms > most) => Some(KillReason::Cpu),
            () => self.cgroup.reached(),
        })
    }
}

/// Whether the other end of the control pipe is closed; bytes sent on it mean nothing.
fn is_closed(control: std::os::fd::BorrowedFd<'_>) -> std::io::Result<bool> {
    let mut buffer = [0; 64];
    match rustix::io::read(control, &mut buffer) {
        Ok(count) => Ok(count == 0),
        Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Whether the control pipe is closed already, without waiting.
pub(super) fn is_abandoned() -> std::io::Result<bool> {
    let stdin = std::io::stdin();
    let mut waiting = [PollFd::from_borrowed_fd(stdin.as_fd(), PollFlags::IN)];
    Ok(poll_until(&mut waiting, Instant::now())? && is_closed(stdin.as_fd())?)
}

fn poll_until(waiting: &mut [PollFd<'_>], until: Instant) -> std::io::Result<bool> {
    let left = until.saturating_duration_since(Instant::now());
    let pause = Timespec::try_from(left).unwrap_or(Timespec {
        tv_sec: 1,
        tv_nsec: 0,
    });
    match rustix::event::poll(waiting, Some(&pause)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
