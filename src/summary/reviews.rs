// SPDX-License-Identifier: MIT OR Apache-2.0
//! What reviewers said, unblinded: the only place where labels become candidate and baseline.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_reviews::gates::{self, Gate};
use deckproof_reviews::review::{
    self, ReviewRules, Unblinded, non_regression, semantic_failures, unblind,
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
    let all = verified.comparisons.iter();
    let by_trial: BTreeMap<_, _> = all.map(|one| (&one.trial, one)).collect();
    let mut by_packet: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for review in &verified.reviews {
        by_packet
            .entry(&review.response.packet)
            .or_default()
            .push(review);
    }
    let mut compared = Vec::new();
    for trial in trials {
        let Some(comparison) = by_trial.get(trial.id()) else {
            continue;
        };
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
            missing: missing(&reviews, rules),
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

fn missing(reviews: &[ReviewOutcome], rules: &ReviewRules) -> Vec<review::ReviewerType> {
    let there: BTreeSet<_> = reviews.iter().map(|one| one.review.reviewer_type).collect();
    let required = rules.required_reviewer_types.iter().copied();
    required.filter(|kind| !there.contains(kind)).collect()
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
            name: one.trial.to_string(),
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
