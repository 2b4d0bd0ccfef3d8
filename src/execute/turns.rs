// SPDX-License-Identifier: MIT OR Apache-2.0
//! The turns of one attempt: the opening, then a reply each time the agent has ended its turn well.
//!
//! What a turn left is read once here, and again by `verify` from the same stored bytes.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::tree::open_regular;

use super::attempt::put;
use super::process::Prepared;
use super::progress::Ticket;
use super::{ExecuteError, Options};
use crate::experiment::Experiment;
use crate::experiment::records::Turn;
use crate::hosts::{FailureClass, Parsed, Previous, TurnRecord, read_turn};
use crate::supervise::{Ended, Job, Supervised, WaitError};

/// Most bytes of a log that are kept.
const MAX_LOG: u64 = 512 << 20;

/// What the turns of an attempt came to.
#[derive(Debug, Default)]
pub(super) struct Course {
    /// The turns that ended, as records.
    pub turns: Vec<Turn>,
    /// The same as read.
    pub parsed: Vec<Parsed>,
    /// How their processes ended.
    pub ends: Vec<Ended>,
    /// All event logs and all of standard error, one turn after the other.
    pub events: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Names of secrets that the logs held.
    pub redacted: Vec<String>,
    /// Why there is no end of the last turn, when there is none.
    pub broken: Option<FailureClass>,
}

impl Course {
    /// Runs every turn of `prepared` until one does not end well.
    pub(super) fn run(
        experiment: &Experiment,
        options: &Options,
        prepared: &Prepared,
        ticket: &Ticket<'_>,
    ) -> Result<Self, ExecuteError> {
        let mut course = Self::default();
        let mut left_ms = prepared.time_limit_ms;
        for (index, message) in prepared.messages.iter().enumerate() {
            let limit_ms = left_ms.min(prepared.turn_limit_ms).max(1);
            let thread = course.thread();
            if index > 0 && thread.is_none() && prepared.host.needs_thread() {
                break;
            }
            let job = prepared.job(index, thread, limit_ms)?;
            ticket.turn(index + 1, prepared.messages.len(), &job.stdout);
            course.turn(experiment, options, prepared, &job, message)?;
            let well = course
                .parsed
                .last()
                .is_some_and(|parsed| parsed.failure == FailureClass::None);
            if course.broken.is_some() || !well {
                break;
            }
            let used = course.ends.last().map_or(0, |ended| ended.duration_ms);
            left_ms = left_ms.saturating_sub(used);
        }
        Ok(course)
    }

    fn thread(&self) -> Option<String> {
        self.parsed
            .last()
            .and_then(|parsed| parsed.thread_id.clone())
    }

    fn turn(
        &mut self,
        experiment: &Experiment,
        options: &Options,
        prepared: &Prepared,
        job: &Job,
        message: &Sha256Hex,
    ) -> Result<(), ExecuteError> {
        let ended = Supervised::start(job, &options.program)
            .map_err(|error| FailureClass::Infrastructure {
                reason: error.to_string(),
            })
            .and_then(|supervised| supervised.wait().map_err(|error| no_end(&error)));
        let events = self.clean(prepared, read_log(&job.stdout)?);
        let stderr = self.clean(prepared, read_log(&job.stderr)?);
        self.events.extend_from_slice(&events);
        self.stderr.extend_from_slice(&stderr);
        match ended {
            Ok(ended) => self.note(experiment, prepared, message, ended, &events, &stderr),
            Err(failure) => {
                self.broken = Some(failure);
                Ok(())
            }
        }
    }

    fn clean(&mut self, prepared: &Prepared, log: Vec<u8>) -> Vec<u8> {
        let (clean, found) = prepared.secrets.redact(log);
        self.redacted.extend(found);
        self.redacted.sort();
        self.redacted.dedup();
        clean
    }

    fn note(
        &mut self,
        experiment: &Experiment,
        prepared: &Prepared,
        message: &Sha256Hex,
        ended: Ended,
        events: &[u8],
        stderr: &[u8],
    ) -> Result<(), ExecuteError> {
        let previous = previous(self.parsed.last());
        let mut record = TurnRecord {
            events,
            stderr,
            exit: ended.exit,
            killed_for: ended.killed_for,
            model: prepared.model.as_deref(),
            effort: prepared.effort.as_deref(),
            previous,
            ledger: None,
        };
        let host = prepared.host.as_ref();
        let thread = host.parse(&record).thread_id;
        let (ledger, other_threads) = ledger(prepared, thread.as_deref())?;
        let ledger = ledger.map(|bytes| prepared.secrets.redact(bytes).0);
        record.ledger = ledger.as_deref();
        let parsed = read_turn(host, &record, other_threads);
        let store = experiment.store();
        let stored = |bytes: &[u8]| put(&store, bytes);
        self.turns.push(Turn {
            message_sha256: message.clone(),
            exit: ended.exit,
            killed_for: ended.killed_for,
            duration_ms: ended.duration_ms.max(1),
            events: stored(events)?,
            stderr: stored(stderr)?,
            ledger: ledger.as_deref().map(stored).transpose()?,
            other_threads,
            reported: parsed.usage.reported,
            used: parsed.usage.turn,
            basis: parsed.usage.basis.clone(),
        });
        self.parsed.push(parsed);
        self.ends.push(ended);
        Ok(())
    }
}

/// What the turn before had reported, for a host whose figures are those of the conversation.
pub(crate) fn previous(before: Option<&Parsed>) -> Previous<'_> {
    let Some(before) = before else {
        return Previous::First;
    };
    match (before.thread_id.as_deref(), before.usage.reported) {
        (Some(thread), Some(counts)) => Previous::Reported { thread, counts },
        _ => Previous::Unknown,
    }
}

/// The host's record of the conversation `thread`, and how many others there are in its home.
fn ledger(
    prepared: &Prepared,
    thread: Option<&str>,
) -> Result<(Option<Vec<u8>>, u32), ExecuteError> {
    let files = prepared.host.ledgers(&prepared.home);
    let is_of = |path: &&std::path::PathBuf| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        thread.is_some_and(|thread| stem.is_some_and(|stem| stem.ends_with(thread)))
    };
    let Some(own) = files.iter().find(is_of) else {
        return Ok((None, u32::try_from(files.len()).unwrap_or(u32::MAX)));
    };
    let others = u32::try_from(files.len() - 1).unwrap_or(u32::MAX);
    // The agent may have put anything in its place; what cannot be read is not there.
    let Ok(file) = open_regular(own) else {
        return Ok((None, others));
    };
    let mut bytes = Vec::new();
    file.take(MAX_LOG).read_to_end(&mut bytes)?;
    Ok((Some(bytes), others))
}

/// An agent that could win another attempt by killing its supervisor would be run until it likes
/// the outcome.
fn no_end(error: &WaitError) -> FailureClass {
    if error.may_be_the_agents_doing() {
        return FailureClass::AgentFailed;
    }
    FailureClass::Infrastructure {
        reason: error.to_string(),
    }
}

/// A log that was never opened is an empty one.
pub(crate) fn read_log(path: &Path) -> Result<Vec<u8>, ExecuteError> {
    let mut bytes = Vec::new();
    match fs_err::File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        other => {
            other?.take(MAX_LOG).read_to_end(&mut bytes)?;
        }
    }
    Ok(bytes)
}

/// Milliseconds since a moment.
pub(super) fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}
