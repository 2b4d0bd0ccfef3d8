// SPDX-License-Identifier: MIT OR Apache-2.0
//! `execute`: runs the trials, judges what they made, and writes the packets. Resumable.
//!
//! Everything that happened is in the journal before anything is built on it. A process that is
//! killed at any moment is started again and goes on: what the journal calls ended is not run again,
//! what it calls only started is.

pub(crate) mod attempt;
mod baselines;
mod budget;
mod by_hand;
mod draw;
pub(crate) mod examine;
mod group;
mod judge;
mod network;
mod packets;
mod preflight;
pub(crate) mod process;
pub(crate) mod programs;
mod progress;
mod recording;
mod remove;
mod renderers;
mod secrets;
pub(crate) mod snapshot;
mod state;
pub(crate) mod tasks;
mod totals;
pub(crate) mod turns;

use std::io;
use std::path::{Path, PathBuf};

use deckproof_packets::journal::{Journal, JournalError};
use deckproof_packets::mapping::PacketId;
use deckproof_packets::store::StoreError;

use crate::argument::{WrongArgument, expect_reason};
use crate::clock;
use crate::experiment::records::Event;
use crate::experiment::{ExperimentError, ExperimentLock, Layout, LockError};
use crate::suite::Isolation;

pub(crate) use attempt::{trace_bytes, usage};
pub use by_hand::{Told, begin, collect};
pub use deckproof_renderers::batch::Engine;
pub use preflight::{check_experiment, check_suite};
pub(crate) use process::host_name;
pub use progress::Progress;
pub use renderers::{options as renderer_options, unhashed as unhashed_renderer_options};
pub(crate) use turns::previous;

/// What the caller decides.
#[derive(Debug, Clone)]
pub struct Options {
    /// This very program, which supervises agents.
    pub program: PathBuf,
    /// What draws PPTX decks.
    pub pptx: Engine,
}

/// Why an experiment cannot go on. Nothing here is a candidate's fault.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// The experiment directory cannot be used.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// Somebody else is at it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The suite demands more isolation than there is.
    #[error(
        "the suite demands isolation `{demanded}` and this machine gives `{reached}`: {missing}"
    )]
    Isolation {
        /// What the suite demands.
        demanded: &'static str,
        /// What there is.
        reached: &'static str,
        /// What is missing.
        missing: String,
    },
    /// An arm cannot be run at all.
    #[error("the arm `{arm}` cannot be run: {problem}")]
    Arm {
        /// The arm.
        arm: String,
        /// Why.
        problem: String,
    },
    /// Something that trials need is missing.
    #[error(
        "the preflight of `{root}` does not pass: {missing}; mend that, and see `deckproof check {root}`"
    )]
    Preflight {
        /// The experiment.
        root: String,
        /// What is missing.
        missing: String,
    },
    /// A trial that a person runs is not where it would have to be.
    #[error("the trial `{trial}`: {problem}")]
    ByHand {
        /// The trial.
        trial: String,
        /// What does not fit.
        problem: String,
    },
    /// An argument is wrong.
    #[error(transparent)]
    Argument(#[from] WrongArgument),
    /// A renderer is missing or broken.
    #[error("{0}")]
    Renderer(String),
    /// A baseline cannot be rendered, so nothing can be compared with it.
    #[error(
        "the baseline of `{case}` for `{arm}` cannot be rendered: {problem}; mend the baseline and prepare anew"
    )]
    Baseline {
        /// The case.
        case: String,
        /// The arm.
        arm: String,
        /// Why.
        problem: String,
    },
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A deck could not be copied.
    #[error(transparent)]
    Snapshot(#[from] snapshot::SnapshotError),
    /// A packet could not be written.
    #[error("{0}")]
    Packet(String),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What `execute` did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Trials judged, in all.
    pub trials: u32,
    /// Packets written, in all.
    pub packets: u32,
    /// Trials run by this very call.
    pub ran: u32,
    /// Why it stopped before the end, when it did: nothing is wrong, and something is to be done.
    pub stopped: Option<String>,
    /// What the trials came to, in lines for people.
    pub totals: Vec<String>,
}

/// Runs what is left to run of the experiment at `root`.
///
/// # Errors
/// [`ExecuteError`]. What was finished before stays finished.
pub fn execute(
    root: &Path,
    options: &Options,
    progress: &Progress,
) -> Result<Report, ExecuteError> {
    Layout::new(root).expect_journal()?;
    let root = fs_err::canonicalize(root)?;
    let layout = Layout::new(&root);
    let _lock = ExperimentLock::take(&layout)?;
    let mut run = state::RunState::open(layout, options)?;
    run.expect_isolation()?;
    progress.line(run.launch.told());
    preflight::ensure(&mut run, progress)?;
    let (ran, stopped) = group::run_all(&mut run, progress)?;
    let totals = totals::lines(&run.experiment.suite, &run.ended);
    if stopped.is_some() {
        return Ok(Report {
            totals,
            trials: u32::try_from(run.judged.len()).unwrap_or(u32::MAX),
            ran,
            stopped,
            ..Report::default()
        });
    }
    baselines::render_all(&mut run, progress)?;
    let packets = packets::write_all(&mut run, progress)?;
    let trials = u32::try_from(run.experiment.plan.trials.len()).unwrap_or(u32::MAX);
    run.finish(trials, packets)?;
    Ok(Report {
        trials,
        packets,
        ran,
        stopped: None,
        totals,
    })
}

/// Voids a packet of a finished experiment, draws another in its place, and writes it. Returns the id
/// of the new one.
///
/// # Errors
/// [`ExecuteError`]: the experiment has not finished, the packet is unknown or voided already, the
/// reason says nothing.
pub fn void(
    root: &Path,
    packet: &PacketId,
    reason: &str,
    options: &Options,
    progress: &Progress,
) -> Result<PacketId, ExecuteError> {
    Layout::new(root).expect_journal()?;
    let root = fs_err::canonicalize(root)?;
    let layout = Layout::new(&root);
    let _lock = ExperimentLock::take(&layout)?;
    let mut run = state::RunState::open(layout, options)?;
    if !run.finished {
        let problem =
            "the experiment has not finished; a packet can be voided once it is handed out";
        return Err(ExecuteError::Packet(problem.to_owned()));
    }
    expect_reason(reason)?;
    let replacement = draw::replace(&mut run, packet, reason)?;
    packets::write_all(&mut run, progress)?;
    crate::review::remove_derived(&run.experiment.layout)?;
    Ok(replacement)
}

/// Letters and digits that a reason has at least.
pub(crate) const MIN_REASON: usize = 8;

/// The journal of a running experiment.
type EventJournal = Journal<Event>;

fn append(journal: &mut EventJournal, event: Event) -> Result<(), ExecuteError> {
    journal.append(clock::now(), event)?;
    Ok(())
}

/// The word of an isolation level.
pub(crate) fn isolation_name(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::None => "none",
        Isolation::Audited => "audited",
        Isolation::Prevented => "prevented",
    }
}
