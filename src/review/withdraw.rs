// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review withdraw`: a review no longer counts, and stays on file with the reason.
//!
//! A withdrawal can never turn a failed verdict into a pass: a control fails when the review that was
//! withdrawn had found the candidate worse.

use std::path::Path;

use deckproof_packets::journal::Journal;
use deckproof_packets::relpath::RelPath;

use super::{AcceptError, remove_derived};
use crate::argument::{WrongArgument, expect_reason};
use crate::clock;
use crate::experiment::records::{Event, ReviewWithdrawn};
use crate::experiment::{Experiment, ExperimentLock, Layout};
use crate::verify::History;

/// Withdraws the review `id` of the experiment at `root`.
///
/// # Errors
/// [`AcceptError`]: no such review, one that is withdrawn already, or a reason that says nothing.
pub fn withdraw(root: &Path, id: &str, reason: &str) -> Result<(), AcceptError> {
    let layout = Layout::new(root);
    layout.expect_journal()?;
    let _lock = ExperimentLock::take(&layout)?;
    let (mut journal, _) = Journal::<Event>::resume(&layout.journal())?;
    let experiment = Experiment::open(root)?;
    let history = History::read(&experiment)?;
    history.expect_finished(&experiment)?;
    expect_reason(reason)?;
    let file = find(&layout, &history, id)?;
    let reason = reason.to_owned();
    journal.append(
        clock::now(),
        Event::ReviewWithdrawn(ReviewWithdrawn { file, reason }),
    )?;
    Ok(remove_derived(&layout)?)
}

fn find(layout: &Layout, history: &History, id: &str) -> Result<RelPath, AcceptError> {
    let name = format!("{id}.json");
    let mut accepted = history.reviews.iter().map(|one| &one.file);
    let Some(file) = accepted.find(|file| file.as_str() == name) else {
        let problem = format!(
            "`{}`, expected the id of a review on file",
            id.escape_debug()
        );
        return Err(refused(layout, problem));
    };
    let mut withdrawn = history.withdrawn.iter().map(|one| &one.event);
    if let Some(event) = withdrawn.find(|event| event.file == *file) {
        let problem = format!(
            "{id}, which is withdrawn already ({}), expected one that stands",
            event.reason
        );
        return Err(refused(layout, problem));
    }
    Ok(file.clone())
}

fn refused(layout: &Layout, problem: String) -> AcceptError {
    WrongArgument {
        argument: "the review",
        problem,
        way_out: format!(
            "`deckproof review status {}` lists the ids of those that stand",
            layout.root().display()
        ),
    }
    .into()
}
