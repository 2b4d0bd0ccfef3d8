// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify`: the whole chain of evidence, checked again from the files alone.
//!
//! Nothing is taken on trust that can be derived: the plan from the sealed suite, the task trees
//! from the sealed inputs, render sets from pictures, commitments from mappings, and every object
//! from its bytes. The first file that does not fit is named; with several, always the same one.

mod asked;
mod comparisons;
mod draws;
mod error;
mod figures;
mod folders;
mod history;
mod objects;
mod parallel;
mod planned;
mod references;
mod remarks;
mod reviews;
mod sealed;
pub mod signatures;
mod turns;

#[cfg(test)]
mod tests;

use std::fs::{File, TryLockError};
use std::path::Path;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal;
use deckproof_packets::store::MAX_OBJECT;
use deckproof_packets::tree::open_regular;
use deckproof_reviews::review::{AcceptedReview, PacketBinding};

use crate::experiment::records::Event;
use crate::experiment::{Experiment, ExperimentError, Layout};
use crate::report::REPORT_NAME;
use crate::summary::JournalHead;

pub use comparisons::Comparison;
pub(crate) use comparisons::{binding, check_packet, read_mapping};
pub use error::VerifyError;
pub use history::{Attempt, History, Later, TrialHistory};
pub use objects::ObjectCounts;
pub use reviews::SetAside;
pub(crate) use reviews::{file_name, read_all as read_reviews};

/// An experiment whose evidence holds.
#[derive(Debug)]
pub struct Verified {
    /// The experiment. The records of its journal are in `history`.
    pub experiment: Experiment,
    /// How many records there are, and the hash of the last one.
    pub journal: JournalHead,
    /// What happened in it.
    pub history: History,
    /// Every packet that was written, in the order of ids.
    pub comparisons: Vec<Comparison>,
    /// Every accepted review that stands, oldest first.
    pub reviews: Vec<AcceptedReview>,
    /// Every accepted review that does not: withdrawn, or of a packet that was voided.
    pub set_aside: Vec<SetAside>,
    /// How many objects and pictures were looked at.
    pub counts: ObjectCounts,
}

/// Checks the experiment at `root`, finished or not, and the summary and the report on file when
/// there are any.
///
/// # Errors
/// [`VerifyError`] naming the first file that does not hold.
pub fn verify(root: &Path) -> Result<Verified, VerifyError> {
    let verified = check_with_summary(root)?;
    let file = root.join(REPORT_NAME);
    if fs_err::symlink_metadata(&file).is_err() {
        return Ok(verified);
    }
    let found = hash_of(&file)?;
    verified.history.expect_finished(&verified.experiment)?;
    if found == Sha256Hex::of(&crate::report::bytes(&verified)?) {
        return Ok(verified);
    }
    let root = root.to_owned();
    Err(VerifyError::Report { file, root })
}

/// The hash of a file of ours, which may be too large to be read at once.
fn hash_of(file: &Path) -> Result<Sha256Hex, VerifyError> {
    Ok(Sha256Hex::of_reader(open_regular(file)?, MAX_OBJECT)?.0)
}

/// As [`verify`], but for the report: for whoever is about to write it anew.
pub(crate) fn check_with_summary(root: &Path) -> Result<Verified, VerifyError> {
    let verified = check(root)?;
    let file = verified.experiment.layout.summary();
    if fs_err::symlink_metadata(&file).is_err() {
        return Ok(verified);
    }
    let found = hash_of(&file)?;
    let root = root.to_owned();
    verified.history.expect_finished(&verified.experiment)?;
    let expected = crate::summary::derive(&verified)?.to_bytes()?;
    if found == Sha256Hex::of(&expected) {
        return Ok(verified);
    }
    Err(VerifyError::Summary { file, root })
}

/// Checks all evidence, but not what is derived from it.
pub(crate) fn check(root: &Path) -> Result<Verified, VerifyError> {
    let layout = Layout::new(root);
    let _lock = share(&layout)?;
    expect_files(&layout)?;
    let journal = journal::read::<Event>(&layout.journal())?;
    let events = journal.records.iter().map(|record| &record.event);
    expect_newest_plan(&layout, &events.collect::<Vec<_>>())?;
    let mut experiment = Experiment::with_journal(layout, journal)?;
    let records = std::mem::take(&mut experiment.journal.records);
    let journal = JournalHead {
        records: records.len(),
        head: experiment.journal.head.clone(),
    };
    let history = History::of(&experiment, records.into_iter())?;
    folders::check_root(&experiment.layout)?;
    sealed::check(&experiment)?;
    planned::check_first_plan(&experiment, &history.prepared.plan_sha256)?;
    planned::check_drawn_plans(&experiment, &history)?;
    let references = references::collect(&experiment, &history)?;
    let counts = objects::check(&experiment, &references)?;
    turns::check(&experiment, &history)?;
    let pictures = references
        .objects
        .into_iter()
        .filter(|(_, one)| one.picture);
    let decoded = pictures.map(|(hash, _)| hash).collect();
    let comparisons = comparisons::check(&experiment, &history, &decoded)?;
    let bindings: Vec<PacketBinding> = comparisons.iter().map(|one| one.binding.clone()).collect();
    let reviews = reviews::check(&experiment, &history, &bindings)?;
    signatures::check_names(&experiment.layout, &reviews)?;
    Ok(Verified {
        experiment,
        journal,
        history,
        comparisons,
        reviews: reviews.standing,
        set_aside: reviews.set_aside,
        counts,
    })
}

/// A stop between the record of a new plan and the plan itself leaves the old plan, which only
/// `execute` can replace.
fn expect_newest_plan(layout: &Layout, events: &[&Event]) -> Result<(), VerifyError> {
    let first = events.iter().find_map(|event| match event {
        Event::Prepared(event) => Some(&event.plan_sha256),
        _ => None,
    });
    let drawn = matches!(
        events.last(),
        Some(Event::MappingsDrawn(_) | Event::PacketVoided(_))
    );
    let mut plans = events.iter().rev().filter_map(|event| match event {
        Event::MappingsDrawn(event) => Some(&event.plan_sha256),
        Event::PacketVoided(event) => Some(&event.plan_sha256),
        _ => None,
    });
    let first = plans.nth(1).or(first);
    if !drawn || first != Some(&hash_of(&layout.plan())?) {
        return Ok(());
    }
    Err(VerifyError::Unfinished {
        root: layout.root().to_owned(),
        found: "it was stopped while the plan was rewritten".to_owned(),
    })
}

/// The plan and the journal are there, themselves and not behind a link.
fn expect_files(layout: &Layout) -> Result<(), VerifyError> {
    if !layout.plan().exists() && !layout.journal().exists() {
        return Err(ExperimentError::NotOne {
            path: layout.root().to_owned(),
        }
        .into());
    }
    let head = layout.journal().with_extension("head");
    for file in [
        layout.plan(),
        layout.journal(),
        head,
        layout.suite(),
        layout.lock(),
    ] {
        folders::expect_kind(&file, folders::Kind::File)?;
    }
    Ok(())
}

/// Keeps writers away while the files are read. Evidence that cannot be locked, such as a copy
/// without its lock file, has no writers.
fn share(layout: &Layout) -> Result<Option<File>, VerifyError> {
    let lock = layout.lock_file();
    let Ok(file) = open_regular(&lock).map(fs_err::File::into_file) else {
        return Ok(None);
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(VerifyError::Busy { lock }),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}
