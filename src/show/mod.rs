// SPDX-License-Identifier: MIT OR Apache-2.0
//! `show`: one trial in depth. What the agent was asked to be, what it did call by call, what it
//! left, what the checks made of it and why, and where every byte of that lies.
//!
//! A trace comes from an agent's log, so it is read within limits, and one that cannot be read is
//! said to be so; the log itself is always named.

mod text;

use std::io;
use std::path::Path;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::tree::Tree;
use serde::Serialize;

use crate::experiment::TrialId;
use crate::experiment::records::{
    Artifact, AttemptEnded, Audit, CheckRecord, Object, Run, TrialJudged, Usage,
};
use crate::hosts::TraceEvent;
use crate::summary::outcome_words;
use crate::verify::{self, TrialHistory, Verified, VerifyError};
pub(crate) use text::numbered;

/// Largest trace that is shown, in bytes.
const MAX_TRACE: u64 = 64 << 20;

/// Why a trial cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShowError {
    /// The evidence cannot be used.
    #[error(transparent)]
    Evidence(#[from] VerifyError),
    /// No such trial.
    #[error(
        "found the trial `{found}`, expected one of the plan: CASE.ARM.REPETITION, such as `{example}`"
    )]
    Trial {
        /// What was asked for.
        found: String,
        /// One that there is.
        example: String,
    },
}

/// One trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrialShown {
    /// `deckproof.show.v1`.
    pub schema: &'static str,
    /// The trial.
    pub trial: TrialId,
    /// What it makes.
    pub format: crate::suite::Format,
    /// Where it stands, in a sentence.
    pub standing: String,
    /// Its attempts, first to last; the last one counts.
    pub attempts: Vec<AttemptShown>,
    /// Every declared check with its reason, once it is judged.
    pub checks: Vec<CheckRecord>,
    /// The pictures, when there are any.
    pub pictures: Option<PicturesShown>,
    /// Why there are none.
    pub render_problem: Option<String>,
}

/// One attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AttemptShown {
    /// Which, from 1.
    pub attempt: u32,
    /// How it ended.
    pub outcome: String,
    /// All that is on record of it; nothing when `execute` was stopped meanwhile.
    pub ended: Option<EndShown>,
}

/// The end of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EndShown {
    /// How the agent was run.
    pub run: Run,
    /// What it used.
    pub usage: Usage,
    /// The conversation.
    pub thread_id: Option<String>,
    /// The model asked for.
    pub requested_model: Option<String>,
    /// The effort asked for.
    pub requested_effort: Option<String>,
    /// The model that something else names.
    pub observed_model: Option<String>,
    /// The read audit.
    pub audit: Audit,
    /// What the agent did, in order.
    pub trace: Vec<TraceEvent>,
    /// Why the trace cannot be read.
    pub trace_problem: Option<String>,
    /// Where the event log, the errors, the trace and the deck lie.
    pub files: Vec<FileShown>,
}

/// A file of the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileShown {
    /// What it is.
    pub what: String,
    /// Its path in the experiment.
    pub path: String,
    /// Its size.
    pub bytes: u64,
}

/// The pictures of a deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PicturesShown {
    /// What drew them.
    pub renderer: String,
    /// Each slide's picture.
    pub slides: Vec<FileShown>,
    /// What the renderer remarked.
    pub diagnostics: FileShown,
}

/// Shows one trial of the experiment at `root`, finished or not. Writes nothing.
///
/// # Errors
/// [`ShowError`].
pub fn show(root: &Path, trial: &str) -> Result<TrialShown, ShowError> {
    let verified = verify::check(root)?;
    let planned = &verified.experiment.plan.trials;
    let found = planned.iter().find(|one| one.id.to_string() == trial);
    let Some(planned) = found else {
        let example = planned.first().map(|one| one.id.to_string());
        return Err(ShowError::Trial {
            found: trial.to_owned(),
            example: example.unwrap_or_default(),
        });
    };
    Ok(of(&verified, &planned.id)?)
}

/// One trial of verified evidence.
///
/// # Errors
/// [`VerifyError`] for an object that vanished since it was verified.
pub(crate) fn of(verified: &Verified, trial: &TrialId) -> Result<TrialShown, VerifyError> {
    let nothing = TrialHistory::default();
    let history = verified.history.trials.get(trial).unwrap_or(&nothing);
    let mut attempts = Vec::new();
    for attempt in &history.attempts {
        attempts.push(AttemptShown {
            attempt: attempt.started.attempt,
            outcome: attempt.ended.as_ref().map_or_else(
                || "cut off with `execute`".to_owned(),
                |ended| outcome_words(ended),
            ),
            ended: match &attempt.ended {
                Some(ended) => Some(end(verified, ended)?),
                None => None,
            },
        });
    }
    let judged = history.judged.as_ref();
    Ok(TrialShown {
        schema: "deckproof.show.v1",
        trial: trial.clone(),
        format: verified.experiment.arm(&trial.arm)?.format,
        standing: standing(&attempts, judged),
        attempts,
        checks: judged.map_or_else(Vec::new, |judged| judged.checks.clone()),
        pictures: judged.and_then(|judged| pictures(verified, judged)),
        render_problem: judged.and_then(|judged| judged.render_problem.clone()),
    })
}

fn standing(attempts: &[AttemptShown], judged: Option<&TrialJudged>) -> String {
    match (attempts.last(), judged) {
        (None, _) => "not started".to_owned(),
        (Some(last), None) => format!("{}, not judged yet", last.outcome),
        (Some(last), Some(_)) => last.outcome.clone(),
    }
}

fn end(verified: &Verified, ended: &AttemptEnded) -> Result<EndShown, VerifyError> {
    let (trace, trace_problem) = match trace(verified, &ended.trace.events)? {
        Ok(trace) => (trace, None),
        Err(problem) => (Vec::new(), Some(problem)),
    };
    Ok(EndShown {
        run: ended.run.clone(),
        usage: ended.usage.clone(),
        thread_id: ended.trace.thread_id.clone(),
        requested_model: ended.trace.requested_model.clone(),
        requested_effort: ended.trace.requested_effort.clone(),
        observed_model: ended.trace.observed_model.clone(),
        audit: ended.trace.audit.clone(),
        trace,
        trace_problem,
        files: files(verified, ended)?,
    })
}

/// The trace, or why it cannot be read.
pub(crate) fn trace(
    verified: &Verified,
    object: &Object,
) -> Result<Result<Vec<TraceEvent>, String>, VerifyError> {
    if object.bytes > MAX_TRACE {
        let found = format!("it has {} bytes, more than {MAX_TRACE}", object.bytes);
        return Ok(Err(found));
    }
    let bytes = verified.experiment.store().get(&object.sha256)?;
    let name = place(verified, &object.sha256);
    Ok(json::read::<Vec<TraceEvent>>(&name, &bytes).map_err(|error| error.to_string()))
}

fn files(verified: &Verified, ended: &AttemptEnded) -> Result<Vec<FileShown>, VerifyError> {
    let mut files = vec![
        file(verified, "event log", &ended.run.events),
        file(verified, "standard error", &ended.run.stderr),
        file(verified, "trace", &ended.trace.events),
    ];
    let Artifact::Stored(deck) = &ended.artifact else {
        return Ok(files);
    };
    let bytes = verified.experiment.store().get(&deck.tree.sha256)?;
    let tree: Tree = json::read(&place(verified, &deck.tree.sha256), &bytes)?;
    for entry in tree.entries {
        let Some(sha256) = entry.sha256 else { continue };
        let what = if entry.path == deck.entry {
            "deck, entry"
        } else {
            "deck"
        };
        let object = Object {
            sha256,
            bytes: entry.bytes,
        };
        files.push(file(verified, &format!("{what} {}", entry.path), &object));
    }
    Ok(files)
}

fn pictures(verified: &Verified, judged: &TrialJudged) -> Option<PicturesShown> {
    let render = judged.render.as_ref()?;
    let slides = render.slides.iter().enumerate();
    Some(PicturesShown {
        renderer: format!("{} {}", render.renderer.name, render.renderer.version),
        slides: slides
            .map(|(at, slide)| file(verified, &format!("slide {}", at + 1), slide))
            .collect(),
        diagnostics: file(verified, "renderer's remarks", &render.diagnostics),
    })
}

fn file(verified: &Verified, what: &str, object: &Object) -> FileShown {
    FileShown {
        what: what.to_owned(),
        path: place(verified, &object.sha256),
        bytes: object.bytes,
    }
}

/// Where an object lies, from the experiment directory.
fn place(verified: &Verified, sha256: &Sha256Hex) -> String {
    let path = verified.experiment.store().path(sha256);
    let root = verified.experiment.layout.root();
    path.strip_prefix(root)
        .unwrap_or(&path)
        .display()
        .to_string()
}

impl TrialShown {
    /// The bytes of the JSON form.
    ///
    /// # Errors
    /// When it cannot be written as JSON, which its type does not cause.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        json::pretty(self).map_err(io::Error::from)
    }
}

#[cfg(test)]
mod tests;
