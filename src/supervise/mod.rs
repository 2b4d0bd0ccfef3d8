// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs one agent process so that nothing of it outlives its trial, whatever happens to us.
//!
//! `deckproof` starts itself once more as a small supervisor, one per turn of a trial. The supervisor
//! becomes the reaper of everything the agent starts, measures, enforces limits, kills what is left and
//! only then writes its result file. Its standard input is a pipe held by the parent: when the parent
//! dies, however hard, the pipe closes and the supervisor kills the agent and leaves no result. It holds a
//! lock file for as long as it lives, so that a later `execute` can wait for it.
//!
//! The library side is [`Supervised`]; the hidden subcommand is [`supervise_main`]. How strongly an agent
//! is confined is the business of a [`Launcher`], which rewrites a [`Job`] before it starts.

mod bubblewrap;
mod cgroup;
mod client;
mod inside;
mod job;
mod landlock;
mod launcher;
mod outcome;
mod preflight;
mod processes;
mod program;
mod pump;
mod relay;
mod sizes;
mod spawn;
mod supervisor;
mod syscalls;
mod watch;

pub use bubblewrap::{Bubblewrap, BubblewrapError};
pub use client::{StartError, Supervised, WaitError, wait_for_lock};
pub use job::{Job, JobError, Limits};
pub use launcher::{Direct, IsolationLevel, LaunchError, Launcher, Network, Room};
pub use outcome::{Ended, Exit, KillReason, Leftover, Outcome, Refusal, RefusalReason};
pub use preflight::{PreflightError, Probe, preflight};
pub use program::{ProgramError, find_program};
pub use relay::Relay;
pub use supervisor::supervise_main;

/// The hidden subcommand by which `deckproof` starts itself as a supervisor; its one argument is the job file.
pub const SUPERVISE_COMMAND: &str = "__supervise";
