// SPDX-License-Identifier: MIT OR Apache-2.0
//! What reviewers said, unblinded: the only place where labels become candidate and baseline.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::mapping::Purpose;
use deckproof_reviews::gates::{self, Gate};
use deckproof_reviews::review::{
    self, ReviewRules, ReviewerType, SeatId, Unblinded, non_regression, semantic_failures, unblind,
};

use super::document::{ReviewCounts, ReviewOutcome, ReviewedComparison};
use super::trials::Trial;
use crate::verify::{Verified, VerifyError};

/// Every comparison with its reviews, in the order of the plan.
pub(super) fn comparisons(
    verified: &Verified,
    trials: &[Trial<'_>],
) -> Result<Vec<ReviewedComparison>, VerifyError> {
    let rules = &verified.experiment.suite.review;
    let mut by_trial: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let counted = verified.comparisons.iter();
    for one in counted.filter(|one| !one.voided && one.mapping.purpose.counts()) {
        by_trial.entry(&one.trial).or_default().push(one);
    }
    let mut by_packet: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for review in &verified.reviews {
        by_packet
            .entry(&review.response.packet)
            .or_default()
            .push(review);
    }
    let mut compared = Vec::new();
    let all = trials.iter().flat_map(|trial| {
        let of_trial = by_trial.get(trial.id()).into_iter().flatten();
        let mut of_trial: Vec<_> = of_trial.map(|one| (one.binding.seat, *one)).collect();
        of_trial.sort_by_key(|(seat, one)| (*seat, one.mapping.purpose));
        of_trial
            .into_iter()
            .map(move |(seat, one)| (trial, seat, one))
    });
    for (trial, seat, comparison) in all {
        let packet = &comparison.mapping.packet;
        let mut reviews = Vec::new();
        for review in by_packet.get(packet).into_iter().flatten() {
            let review = unblind(review, &comparison.mapping).map_err(|error| {
                let folder = verified.experiment.layout.reviews();
                VerifyError::evidence(&folder, error.to_string(), "reviews of their packets")
            })?;
            let outcome = non_regression(&review, rules);
            reviews.push(ReviewOutcome { review, outcome });
        }
        reviews.sort_by(|a, b| a.review.review.cmp(&b.review.review));
        compared.push(ReviewedComparison {
            packet: packet.clone(),
            trial: trial.id().clone(),
            candidate_label: Some(comparison.mapping.candidate),
            missing: missing(&reviews, &expected(rules, seat)),
            seat: seat.map(|one| one.to_string()),
            other_order: comparison.mapping.purpose == Purpose::OtherOrder,
            reviews,
            held_back: 0,
        });
    }
    Ok(compared)
}

/// Takes out what would tell a reviewer who is still to come which side is which.
pub(super) fn hold_back(compared: &mut [ReviewedComparison]) {
    for one in compared.iter_mut().filter(|one| !one.missing.is_empty()) {
        one.candidate_label = None;
        one.held_back = one.reviews.len();
        one.reviews.clear();
    }
}

/// The kinds of reviewer without whose review a packet fails: its seat's, where it has one.
fn expected(rules: &ReviewRules, seat: Option<SeatId>) -> Vec<ReviewerType> {
    let required = rules.required_reviewer_types.iter().copied();
    required
        .filter(|kind| seat.is_none_or(|one| one.kind == *kind))
        .collect()
}

fn missing(reviews: &[ReviewOutcome], expected: &[ReviewerType]) -> Vec<ReviewerType> {
    let there: BTreeSet<_> = reviews.iter().map(|one| one.review.reviewer_type).collect();
    let expected = expected.iter().copied();
    expected.filter(|kind| !there.contains(kind)).collect()
}

/// What failures call a comparison.
pub(super) fn name(comparison: &ReviewedComparison) -> String {
    let trial = &comparison.trial;
    match (&comparison.seat, comparison.other_order) {
        (None, _) => trial.to_string(),
        (Some(seat), false) => format!("{trial} ({seat})"),
        (Some(seat), true) => format!("{trial} ({seat}, other order)"),
    }
}

/// The gate over all of them. When nothing was compared although decks were asked for, nothing is
/// known.
pub(super) fn gate(
    compared: &[ReviewedComparison],
    trials: &[Trial<'_>],
    rules: &ReviewRules,
) -> Gate {
    if compared.is_empty() && !trials.iter().all(Trial::expects_no_deck) {
        return gates::semantic_non_regression(Err("no deck could be compared".to_owned()));
    }
    let comparisons: Vec<_> = compared
        .iter()
        .map(|one| review::Comparison {
            name: name(one),
            expected: one.missing.clone(),
            reviews: unblinded(one).cloned().collect(),
        })
        .collect();
    gates::semantic_non_regression(Ok(semantic_failures(&comparisons, rules)))
}

fn unblinded(comparison: &ReviewedComparison) -> impl Iterator<Item = &Unblinded> {
    comparison.reviews.iter().map(|one| &one.review)
}

/// All reviews counted together.
pub(super) fn counts(compared: &[ReviewedComparison]) -> ReviewCounts {
    let outcomes = compared.iter().flat_map(|one| &one.reviews);
    outcomes.fold(ReviewCounts::default(), |counts, one| ReviewCounts {
        reviews: counts.reviews + 1,
        wins: counts.wins + one.outcome.wins,
        ties: counts.ties + one.outcome.ties,
        losses: counts.losses + one.outcome.losses,
    })
}
