// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review run`: a model reviews packets, confined like a builder, with nothing but the packet.
//!
//! Every run is in the journal, also one whose reply was refused: nobody can ask again and again until a
//! reply suits them. A reply that is no review is asked for once more, and then no longer.

mod ask;
mod process;
mod reply;

use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::Journal;
use deckproof_packets::mapping::PacketId;
use deckproof_packets::packet::{self, PacketError};
use deckproof_reviews::review::ReviewerType;

use super::{AcceptError, PacketStatus, accept, status};
use crate::clock;
use crate::execute::{ExecuteError, Progress};
use crate::experiment::records::{Event, ReplyOutcome, ReviewerRan};
use crate::experiment::{Experiment, ExperimentError, ExperimentLock, Layout};
use crate::verify::{History, VerifyError};

/// How often a reply that is no review is asked for, in all.
pub const MOST_MALFORMED: usize = 2;
/// How often a packet is given to a model, in all, whatever became of it.
pub const MOST_RUNS: usize = 5;

/// Which model reviews, and how it is reached.
#[derive(Debug, Clone)]
pub struct ModelReviewer {
    /// `codex`, `claude` or `command`.
    pub host: String,
    /// The model asked for.
    pub model: String,
    /// The effort asked for.
    pub effort: Option<String>,
    /// The host's program; for `command` the program to run.
    pub program: Option<String>,
    /// More arguments for it.
    pub arguments: Vec<String>,
    /// Environment variables set for it, as (name, value). No secrets.
    pub environment: Vec<(String, String)>,
    /// Names of environment variables passed on to it, such as a key.
    pub pass_environment: Vec<String>,
    /// The `host:port` pairs that it may reach; without any, a host that talks to a model has the
    /// machine's network, and a command has none.
    pub reach: Vec<String>,
    /// The id in its reviews; its seat is added where the suite has a panel.
    pub reviewer: Option<String>,
    /// Wall-clock limit of one packet.
    pub time_limit_seconds: u64,
    /// This very program, which supervises agents.
    pub deckproof: PathBuf,
}

/// What became of one packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    /// The packet.
    pub packet: PacketId,
    /// Runs made by this call.
    pub runs: usize,
    /// Why there is no review of it, when there is none.
    pub problem: Option<String>,
}

/// Why no model could review.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The host cannot be run as it was asked for.
    #[error("`--host {host}`: {problem}")]
    Host {
        /// The host.
        host: String,
        /// Why.
        problem: String,
    },
    /// Less isolation than the suite demands.
    #[error("{0}")]
    Isolation(String),
    /// A reply cannot be filed.
    #[error(transparent)]
    Accept(#[from] AcceptError),
    /// A packet does not hold.
    #[error(transparent)]
    Packet(#[from] PacketError),
    /// The experiment cannot be used.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The evidence does not hold.
    #[error(transparent)]
    Evidence(#[from] VerifyError),
    /// Running failed.
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Has the model review every packet of the experiment at `root` that still lacks a model's review.
///
/// # Errors
/// [`RunError`] when no packet can be reviewed at all. What became of each packet is in the answer.
pub fn run(
    root: &Path,
    reviewer: &ModelReviewer,
    progress: &Progress,
) -> Result<Vec<Reviewed>, RunError> {
    Layout::new(root).expect_journal()?;
    let root = fs_err::canonicalize(root)?;
    let open: Vec<PacketStatus> = status(&root)?.into_iter().filter(is_open).collect();
    let mut reviewed = Vec::new();
    for one in &open {
        let found = packet(&root, reviewer, one, progress)?;
        match &found.problem {
            None => progress.line(format_args!("packet {}: reviewed", one.packet)),
            Some(why) => progress.line(format_args!("packet {}: {why}", one.packet)),
        }
        reviewed.push(found);
    }
    Ok(reviewed)
}

/// Whether a model's review of the packet is welcome and not there yet.
fn is_open(one: &PacketStatus) -> bool {
    let of_model = one
        .seat
        .is_none_or(|seat| seat.seat.kind == ReviewerType::Model);
    let there = one
        .reviews
        .iter()
        .any(|review| review.kind == ReviewerType::Model);
    of_model && !there && one.voided.is_none()
}

fn packet(
    root: &Path,
    reviewer: &ModelReviewer,
    one: &PacketStatus,
    progress: &Progress,
) -> Result<Reviewed, RunError> {
    let mut runs = 0;
    let mut problem = None;
    loop {
        let before = earlier(root, &one.packet)?;
        if let Some(response) = replied(&before) {
            problem = file(root, &one.packet, response)?;
            break;
        }
        let malformed = before
            .iter()
            .filter(|run| matches!(run.outcome, ReplyOutcome::Malformed(_)));
        let (malformed, all) = (malformed.count(), before.len());
        if malformed >= MOST_MALFORMED || all >= MOST_RUNS {
            problem = problem.or(Some(format!(
                "{all} runs gave no review, and no more are made"
            )));
            break;
        }
        runs += 1;
        progress.line(format_args!("packet {}: run {}", one.packet, all + 1));
        let ran = one_run(root, reviewer, one, all + 1)?;
        match ran.outcome {
            ReplyOutcome::Replied(_) => {}
            ReplyOutcome::Malformed(why) => problem = Some(format!("no review: {why}")),
            ReplyOutcome::Failed(why) => {
                problem = Some(format!("the run failed: {why}"));
                break;
            }
        }
    }
    Ok(Reviewed {
        packet: one.packet.clone(),
        runs,
        problem,
    })
}

/// The runs for a packet that are in the journal.
fn earlier(root: &Path, packet: &PacketId) -> Result<Vec<ReviewerRan>, RunError> {
    let experiment = Experiment::open(root)?;
    let history = History::read(&experiment)?;
    Ok(history
        .reviewer_runs
        .get(packet)
        .cloned()
        .unwrap_or_default())
}

fn replied(runs: &[ReviewerRan]) -> Option<&Sha256Hex> {
    runs.iter().find_map(|run| match &run.outcome {
        ReplyOutcome::Replied(response) => Some(&response.sha256),
        ReplyOutcome::Malformed(_) | ReplyOutcome::Failed(_) => None,
    })
}

/// Files the response that a run left. A refusal is the packet's problem, not the end of the others.
fn file(root: &Path, packet: &PacketId, response: &Sha256Hex) -> Result<Option<String>, RunError> {
    let store = Layout::new(root).store();
    let bytes = store.get(response).map_err(ExperimentError::from)?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(format!("response-{packet}.json"));
    fs_err::write(&path, bytes)?;
    match accept(root, &[path]) {
        Ok(_) => Ok(None),
        Err(AcceptError::Review(error)) => Ok(Some(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// One run, recorded before anything is made of it.
fn one_run(
    root: &Path,
    reviewer: &ModelReviewer,
    one: &PacketStatus,
    number: usize,
) -> Result<ReviewerRan, RunError> {
    let layout = Layout::new(root);
    let _lock = ExperimentLock::take(&layout).map_err(AcceptError::from)?;
    let (mut journal, _) =
        Journal::<Event>::resume(&layout.journal()).map_err(AcceptError::from)?;
    let experiment = Experiment::open(root)?;
    let (verified, files) = packet::open(&layout.packet(&one.packet))?;
    let question = ask::question(&experiment.suite.review, &verified, &files);
    let raw = process::run(&experiment, reviewer, &verified, &files, &question, number)?;
    let id = match (&reviewer.reviewer, one.seat) {
        (Some(id), None) => id.clone(),
        (Some(id), Some(seat)) => format!("{id} ({})", seat.seat),
        (None, None) => format!("{} {}", reviewer.host, reviewer.model),
        (None, Some(seat)) => format!("{} {} ({})", reviewer.host, reviewer.model, seat.seat),
    };
    let ran = raw.record(&experiment, &verified, &id, number)?;
    journal
        .append(clock::now(), Event::ReviewerRan(Box::new(ran.clone())))
        .map_err(AcceptError::from)?;
    super::remove_derived(&layout)?;
    Ok(ran)
}

#[cfg(test)]
mod tests;
