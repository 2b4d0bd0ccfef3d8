// SPDX-License-Identifier: MIT OR Apache-2.0
//! `reviews/`: exactly the accepted ones, unchanged, and each still acceptable.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::mapping::PacketId;
use deckproof_reviews::review::{AcceptedReview, KnownThreads, PacketBinding, validate_response};

use super::VerifyError;
use super::folders::{Kind, expect_exactly, list};
use super::history::History;
use crate::experiment::records::ReviewAccepted;
use crate::experiment::{Experiment, Layout};

/// Checks the folder and every review in it; returns them in the order of the journal.
pub(super) fn check(
    experiment: &Experiment,
    history: &History,
    bindings: &[PacketBinding],
) -> Result<Vec<AcceptedReview>, VerifyError> {
    check_orphans(&experiment.layout, history)?;
    let names = history.reviews.iter().map(|one| one.file.to_string());
    let folder = experiment.layout.reviews();
    expect_exactly(&folder, &names.collect(), Kind::File, "the journal")?;
    read_all(experiment, history, bindings).map(|(reviews, _)| reviews)
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
) -> Result<(Vec<AcceptedReview>, KnownThreads), VerifyError> {
    let mut known = builders(experiment, history);
    let mut reviews = Vec::new();
    let bindings = bindings.iter().map(|one| (&one.packet, one)).collect();
    for record in &history.reviews {
        let review = read(experiment, record, &bindings, &known)?;
        known.add_review(&review);
        reviews.push(review);
    }
    Ok((reviews, known))
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

fn read(
    experiment: &Experiment,
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
    let response = json::canonical(&review.response).map_err(std::io::Error::from)?;
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
