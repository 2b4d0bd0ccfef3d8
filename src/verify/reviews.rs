// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reviews/`: exactly the accepted ones, unchanged, and each still acceptable.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::mapping::PacketId;
use deckproof_reviews::review::{
    AcceptedReview, KnownThreads, PacketBinding, Response, ReviewerType, validate_response,
};

use super::VerifyError;
use super::error::{Fault, must};
use super::folders::{Kind, expect_exactly, list};
use super::history::History;
use crate::experiment::records::{ReplyOutcome, ReviewAccepted};
use crate::experiment::{Experiment, Layout};

/// A review that does not count.
#[derive(Debug, Clone)]
pub struct SetAside {
    /// The review.
    pub review: AcceptedReview,
    /// Whether its packet was voided; otherwise it was withdrawn.
    pub voided: bool,
    /// Why.
    pub reason: String,
}

/// Reviews that count and reviews that do not, each oldest first.
#[derive(Debug, Default)]
pub(crate) struct Filed {
    pub standing: Vec<AcceptedReview>,
    pub set_aside: Vec<SetAside>,
}

/// Checks the folder and every review in it; returns them in the order of the journal.
pub(super) fn check(
    experiment: &Experiment,
    history: &History,
    bindings: &[PacketBinding],
) -> Result<Filed, VerifyError> {
    check_orphans(&experiment.layout, history)?;
    let names = history.reviews.iter().map(|one| one.file.to_string());
    let folder = experiment.layout.reviews();
    expect_exactly(&folder, &names.collect(), Kind::File, "the journal")?;
    read_all(experiment, history, bindings).map(|(filed, _)| filed)
}

/// A file that a crash of `review accept` left has a way out of its own.
fn check_orphans(layout: &Layout, history: &History) -> Result<(), VerifyError> {
    let named: BTreeSet<_> = history
        .reviews
        .iter()
        .map(|one| one.file.as_str())
        .collect();
    for (name, _) in list(&layout.reviews())? {
        if !named.contains(name.as_str()) {
            let found = "a file that the journal does not name";
            let expected = "accepted reviews alone (hand responses in with `deckproof review accept`, which removes what an earlier call left half-done)";
            return Err(VerifyError::evidence(
                &layout.reviews().join(name),
                found,
                expected,
            ));
        }
    }
    Ok(())
}

/// Reads every accepted review and holds it to the rules once more, in the order in which they
/// came: what is known of sessions and seats then is known now.
pub(crate) fn read_all(
    experiment: &Experiment,
    history: &History,
    bindings: &[PacketBinding],
) -> Result<(Filed, KnownThreads), VerifyError> {
    let mut known = builders(experiment, history);
    let mut filed = Filed::default();
    let bindings: BTreeMap<_, _> = bindings.iter().map(|one| (&one.packet, one)).collect();
    for (before, record) in history.reviews.iter().enumerate() {
        set_aside(history, before, &mut filed, &mut known);
        let review = read(experiment, history, record, &bindings, &known)?;
        let binding = bindings.get(&record.packet);
        known.add_review(&review, binding.and_then(|one| one.seat));
        filed.standing.push(review);
    }
    set_aside(history, history.reviews.len(), &mut filed, &mut known);
    Ok((filed, known))
}

/// Takes away what was withdrawn or voided between two reviews.
fn set_aside(history: &History, before: usize, filed: &mut Filed, known: &mut KnownThreads) {
    let withdrawn = history.withdrawn.iter().filter(|one| one.after == before);
    for one in withdrawn {
        let is = |review: &AcceptedReview| file_name(review) == one.event.file.as_str();
        take(filed, known, is, false, &one.event.reason);
    }
    for one in history.voided.iter().filter(|one| one.after == before) {
        let is = |review: &AcceptedReview| review.response.packet == one.event.packet;
        take(filed, known, is, true, &one.event.reason);
    }
}

fn take(
    filed: &mut Filed,
    known: &mut KnownThreads,
    is: impl Fn(&AcceptedReview) -> bool,
    voided: bool,
    reason: &str,
) {
    let (gone, standing) = std::mem::take(&mut filed.standing)
        .into_iter()
        .partition(is);
    filed.standing = standing;
    let gone: Vec<AcceptedReview> = gone;
    for review in gone {
        known.withdraw(&review);
        filed.set_aside.push(SetAside {
            review,
            voided,
            reason: reason.to_owned(),
        });
    }
}

/// The sessions and models that built decks.
fn builders(experiment: &Experiment, history: &History) -> KnownThreads {
    let mut known = KnownThreads::default();
    let attempts = history.trials.values().flat_map(|trial| &trial.attempts);
    for ended in attempts.filter_map(|attempt| attempt.ended.as_ref()) {
        let trace = &ended.trace;
        // No reviewer's session is called nothing, so an unknown one bars nobody.
        let thread = trace.thread_id.as_deref().unwrap_or_default();
        known.add_builder(thread, trace.requested_model.as_deref());
        known.add_builder(thread, trace.observed_model.as_deref());
    }
    for baseline in &experiment.suite.baseline {
        known.add_builder("", baseline.model.as_deref());
    }
    known
}

/// Where a model was run on the packet, its review is what it replied, to the byte and by its thread.
fn check_observed(history: &History, review: &AcceptedReview) -> Result<(), Fault> {
    let runs = history.reviewer_runs.get(&review.response.packet);
    let replied = runs
        .into_iter()
        .flatten()
        .find_map(|ran| match &ran.outcome {
            ReplyOutcome::Replied(response) => Some((ran, response)),
            ReplyOutcome::Malformed(_) | ReplyOutcome::Failed(_) => None,
        });
    let reviewer = &review.response.reviewer;
    let Some((ran, response)) = replied.filter(|_| reviewer.kind == ReviewerType::Model) else {
        return Ok(());
    };
    must(
        response.sha256 == review.response_sha256 && ran.thread == reviewer.thread,
        format!("another response than run {} of the model left", ran.run),
        response.sha256.to_string(),
    )
}

fn read(
    experiment: &Experiment,
    history: &History,
    record: &ReviewAccepted,
    bindings: &BTreeMap<&PacketId, &PacketBinding>,
    known: &KnownThreads,
) -> Result<AcceptedReview, VerifyError> {
    let path = record.file.below(&experiment.layout.reviews());
    let bytes = super::folders::read(&path)?;
    let problem = |found: String, expected: String| VerifyError::evidence(&path, found, expected);
    let found = Sha256Hex::of(&bytes);
    if found != record.sha256 {
        let expected = format!("{}, as the journal says", record.sha256);
        return Err(problem(format!("a changed review, {found}"), expected));
    }
    let name = path.display().to_string();
    let review = AcceptedReview::read(&name, &bytes)?;
    if review.response.packet != record.packet || record.file.as_str() != file_name(&review) {
        let found = format!(
            "the review {} of packet {}",
            review.id, review.response.packet
        );
        return Err(problem(found, format!("one of packet {}", record.packet)));
    }
    let binding = bindings.get(&record.packet).copied();
    let Some(binding) = binding.filter(|one| one.bindings == review.bindings) else {
        let expected = "those of its packet".to_owned();
        return Err(problem("other bindings".to_owned(), expected));
    };
    check_observed(history, &review).map_err(|(found, expected)| problem(found, expected))?;
    // The response as it was handed in, to the byte: what the review says is what it says.
    let response = experiment.store().get(&review.response_sha256)?;
    let handed_in: Result<Response, _> = json::read(&name, &response);
    if !handed_in.is_ok_and(|handed_in| handed_in == review.response) {
        let expected = format!("what the response {} says", review.response_sha256);
        return Err(problem("another response".to_owned(), expected));
    }
    validate_response(&name, &response, &experiment.suite.review, binding, known).map_err(
        |error| {
            problem(
                error.to_string(),
                "a review that keeps the rules".to_owned(),
            )
        },
    )?;
    Ok(review)
}

/// What a review's file is called.
pub(crate) fn file_name(review: &AcceptedReview) -> String {
    format!("{}.json", review.id)
}
