// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summarize`: the verdict, derived from verified records and from nothing else.
//!
//! No clock, no folder, no locale and no order of threads can change a byte of it. Gates are
//! conjunctive and computed exactly; rounding is for people.

mod blinding;
mod compare;
mod controls;
mod csv;
mod document;
mod figures;
mod junit;
mod limits;
mod markdown;
mod mechanical;
mod reviews;
mod statistics;
mod text;
mod trials;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use deckproof_packets::atomic;
use deckproof_reviews::gates;
use deckproof_reviews::review::ReviewerType;

pub use blinding::{
    Anchors, Blinding, FlipFigures, GuessFigures, RepeatFigures, SeatFigures, VoidedPacket,
    WithdrawnReview,
};
pub use compare::{ArmWords, ArmsCompared, CaseCompared, CompareError, Disagreement, compare};
pub use document::{
    ArmFigures, CaseFigures, CellFigures, Control, FailedCheck, FigureText, Identities,
    JournalHead, ProgramIdentity, RatioFigure, RatioFigures, ReviewCounts, ReviewOutcome,
    ReviewedComparison, Summary, SummarySchema, TrialFigures, Verdict,
};
pub(crate) use statistics::against_words;
pub use statistics::{
    CostComparison, FamilyTestText, FamilyText, Favours, IntervalText, NonInferiorityText,
    PassComparison, Passing, PlanText, ScoreComparison, Statistics, TestText,
};
pub(crate) use text::section;
use trials::Trial;
pub(crate) use trials::outcome_words;

use crate::experiment::Layout;
use crate::verify::{self, Verified, VerifyError};

/// Verifies the experiment at `root` and derives its verdict. Writes nothing.
///
/// # Errors
/// [`VerifyError`]: the evidence cannot be used, or `execute` has not finished.
pub fn summarize(root: &Path) -> Result<Summary, VerifyError> {
    derive(&verify::check(root)?)
}

/// Writes `summary` as the summary of the experiment at `root`.
///
/// # Errors
/// Any error of the file system.
pub fn write(root: &Path, summary: &Summary) -> Result<(), VerifyError> {
    let bytes = summary.to_bytes()?;
    let layout = Layout::new(root);
    let same = fs_err::read(layout.summary()).is_ok_and(|found| found == bytes);
    if !same && fs_err::symlink_metadata(layout.summary_signature()).is_ok() {
        fs_err::remove_file(layout.summary_signature())?;
    }
    Ok(atomic::write(&layout.summary(), &bytes, 0o644)?)
}

/// Writes the signature of `summary`, which is on file, made with the private key in the file `key`.
///
/// # Errors
/// [`SigningError`](crate::signing::SigningError), and any error of the file system.
pub fn sign(
    root: &Path,
    summary: &Summary,
    key: &Path,
) -> Result<(), crate::signing::SigningError> {
    let layout = Layout::new(root);
    let text = crate::signing::sign(key, crate::signing::SUMMARY, &summary.to_bytes()?)?;
    fs_err::create_dir_all(layout.signatures())?;
    Ok(atomic::write(
        &layout.summary_signature(),
        text.as_bytes(),
        0o644,
    )?)
}

/// Derives the verdict of verified evidence.
///
/// # Errors
/// [`VerifyError::Unfinished`], and [`VerifyError`] for an object that vanished since it was
/// verified.
pub fn derive(verified: &Verified) -> Result<Summary, VerifyError> {
    let suite = &verified.experiment.suite;
    let trials = trials::all(verified)?;
    let blinding = blinding::of(verified)?;
    let mut controls = controls::all(verified, &trials)?;
    controls.extend(controls::reviewing(verified, &blinding));
    let checks_failed = mechanical::failed(&trials);
    let mut comparisons = reviews::comparisons(verified, &trials)?;
    let cells = figures::cells(verified, &trials)?;
    let mut all = vec![
        gates::protocol_controls(Ok(controls::failed(&controls))),
        gates::mechanical_checks(Ok(mechanical::lines(&checks_failed))),
        reviews::gate(&comparisons, &trials, &suite.review),
    ];
    all.extend(figures::gates(suite, &cells)?);
    let (statistics, declared) = statistics::of(suite, &cells, &checks_failed, &comparisons)?;
    all.extend(declared);
    let verdict = gates::Verdict::of(all);
    let not_entitled_to_say = limits::list(&limits::Grounds {
        verified,
        trials: &trials,
        controls: &controls,
        compared: &comparisons,
        statistics: &statistics,
    });
    let (reviews, scripted_reviews) = (reviews::counts(&comparisons), scripted(&comparisons));
    reviews::hold_back(&mut comparisons);
    Ok(Summary {
        schema: SummarySchema::V1,
        suite: suite.id.get().clone(),
        result: if verdict.passed() {
            Verdict::Pass
        } else {
            Verdict::Fail
        },
        failed_gates: verdict
            .failing()
            .map(|gate| gate.name().to_owned())
            .collect(),
        gates: verdict.gates().to_vec(),
        not_entitled_to_say,
        cases: figures::cases(suite, &cells),
        reviews,
        scripted_reviews,
        blinding,
        statistics,
        identities: identities(verified, &trials),
        journal: verified.journal.clone(),
        controls,
        checks_failed,
        comparisons,
    })
}

fn scripted(comparisons: &[ReviewedComparison]) -> usize {
    let reviews = comparisons.iter().flat_map(|one| &one.reviews);
    reviews
        .filter(|one| one.review.reviewer_type == ReviewerType::Scripted)
        .count()
}

fn identities(verified: &Verified, trials: &[Trial<'_>]) -> Identities {
    let candidates = trials.iter().filter_map(|one| one.judged.render.as_ref());
    let baselines = verified.history.baselines.values().map(|one| &one.render);
    let renderers: BTreeMap<_, _> = candidates
        .chain(baselines)
        .map(|render| &render.renderer)
        .map(|one| ((one.name.clone(), one.sha256()), one.clone()))
        .collect();
    let programs: BTreeSet<_> = trials
        .iter()
        .map(|trial| ProgramIdentity {
            arm: trial.id().arm.clone(),
            host: trial.ended.run.host.clone(),
            version: trial.ended.run.program_version.clone(),
            sha256: trial.ended.run.program_sha256.clone(),
        })
        .collect();
    Identities {
        deckproof: verified.history.prepared.deckproof.clone(),
        renderers: renderers.into_values().collect(),
        programs: programs.into_iter().collect(),
    }
}
