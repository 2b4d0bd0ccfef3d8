// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unblinding, and what a review then says about the candidate.
//!
//! "Not below" passes, but wins, ties and losses are counted apart: a row of ties is no proof of
//! equality and no improvement.

use deckproof_packets::mapping::{Label, Mapping};
use serde::Serialize;

use super::record::AcceptedReview;
use super::response::Judgement;
use super::rules::{ReviewRules, ReviewerType};

/// How the candidate's score stands to the baseline's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Higher.
    Win,
    /// Equal.
    Tie,
    /// Lower.
    Loss,
}

/// One dimension after unblinding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DimensionOutcome {
    /// The dimension's name.
    pub name: String,
    /// What was said of the candidate.
    pub candidate: Judgement,
    /// What was said of the baseline.
    pub baseline: Judgement,
    /// How the scores stand.
    pub standing: Standing,
}

/// One review after unblinding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unblinded {
    /// The review's id.
    pub review: String,
    /// Who judged; `scripted` stays visible here.
    pub reviewer_type: ReviewerType,
    /// The reviewer's id.
    pub reviewer: String,
    /// The label that the candidate had.
    pub candidate_label: Label,
    /// Whether the reviewer's guess was right; `None` when there was none.
    pub guessed_right: Option<bool>,
    /// Every dimension in the order of names.
    pub dimensions: Vec<DimensionOutcome>,
}

/// A review and a mapping that do not belong together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnblindError {
    /// Another packet's mapping.
    #[error("review {review}: found the mapping of packet {found}, expected that of {expected}")]
    OtherPacket {
        /// The review's id.
        review: String,
        /// The mapping's packet.
        found: String,
        /// The review's packet.
        expected: String,
    },
    /// A label showed something else than the mapping says.
    #[error(
        "review {review}: label {label} was bound to other renders or another artifact than the mapping names"
    )]
    OtherSides {
        /// The review's id.
        review: String,
        /// The label.
        label: Label,
    },
    /// The labels were judged in different dimensions.
    #[error("review {review}: dimension `{dimension}` was judged for one label only")]
    OneSided {
        /// The review's id.
        review: String,
        /// The dimension.
        dimension: String,
    },
}

/// Applies a mapping, whose commitment the caller has verified, to an accepted review.
///
/// # Errors
/// An [`UnblindError`] when the two are not about the same packet showing the same things.
pub fn unblind(review: &AcceptedReview, mapping: &Mapping) -> Result<Unblinded, UnblindError> {
    let response = &review.response;
    if mapping.packet != response.packet {
        return Err(UnblindError::OtherPacket {
            review: review.id.clone(),
            found: mapping.packet.to_string(),
            expected: response.packet.to_string(),
        });
    }
    for label in Label::BOTH {
        if mapping.side(label) != review.bindings.labels.get(label) {
            return Err(UnblindError::OtherSides {
                review: review.id.clone(),
                label,
            });
        }
    }
    Ok(Unblinded {
        review: review.id.clone(),
        reviewer_type: response.reviewer.kind,
        reviewer: response.reviewer.id.clone(),
        candidate_label: mapping.candidate,
        guessed_right: response.guess.map(|guess| guess == mapping.candidate),
        dimensions: dimensions(review, mapping.candidate)?,
    })
}

fn dimensions(
    review: &AcceptedReview,
    candidate: Label,
) -> Result<Vec<DimensionOutcome>, UnblindError> {
    let of_candidate = &review.response.labels.get(candidate).dimensions;
    let of_baseline = &review.response.labels.get(candidate.other()).dimensions;
    let one_sided = |dimension: &String| UnblindError::OneSided {
        review: review.id.clone(),
        dimension: dimension.clone(),
    };
    if let Some(name) = of_baseline
        .keys()
        .find(|name| !of_candidate.contains_key(*name))
    {
        return Err(one_sided(name));
    }
    let outcome = |(name, candidate): (&String, &Judgement)| {
        let baseline = of_baseline.get(name).ok_or_else(|| one_sided(name))?;
        Ok(DimensionOutcome {
            name: name.clone(),
            candidate: candidate.clone(),
            baseline: baseline.clone(),
            standing: standing(candidate.score, baseline.score),
        })
    };
    of_candidate.iter().map(outcome).collect()
}

fn standing(candidate: i32, baseline: i32) -> Standing {
    match candidate.cmp(&baseline) {
        std::cmp::Ordering::Greater => Standing::Win,
        std::cmp::Ordering::Equal => Standing::Tie,
        std::cmp::Ordering::Less => Standing::Loss,
    }
}

/// What one review says about regression.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The candidate passes and is no worse in every dimension.
    pub passed: bool,
    /// Why not, one line for each dimension at fault.
    pub failures: Vec<String>,
    /// Dimensions in which the candidate's score is higher.
    pub wins: usize,
    /// Dimensions with equal scores.
    pub ties: usize,
    /// Dimensions in which the candidate's score is lower.
    pub losses: usize,
}

/// Whether the candidate is no worse: it passes, scores no less than the baseline and no less than
/// the suite's floor, in every dimension of the suite.
#[must_use]
pub fn non_regression(review: &Unblinded, rules: &ReviewRules) -> Outcome {
    let mut failures = Vec::new();
    for rule in &rules.dimensions {
        match review
            .dimensions
            .iter()
            .find(|dimension| dimension.name == rule.name)
        {
            None => failures.push(format!("{}: not judged", rule.name)),
            Some(dimension) => failures.extend(dimension_failure(dimension, rules)),
        }
    }
    let count = |standing| {
        review
            .dimensions
            .iter()
            .filter(|d| d.standing == standing)
            .count()
    };
    Outcome {
        passed: failures.is_empty() && !rules.dimensions.is_empty(),
        failures,
        wins: count(Standing::Win),
        ties: count(Standing::Tie),
        losses: count(Standing::Loss),
    }
}

fn dimension_failure(dimension: &DimensionOutcome, rules: &ReviewRules) -> Option<String> {
    let (name, candidate) = (&dimension.name, dimension.candidate.score);
    if !dimension.candidate.pass {
        return Some(format!("{name}: the candidate is not acceptable"));
    }
    if dimension.standing == Standing::Loss {
        let baseline = dimension.baseline.score;
        return Some(format!(
            "{name}: the candidate scores {candidate}, the baseline {baseline}"
        ));
    }
    let floor = rules.score_floor.filter(|floor| candidate < *floor)?;
    Some(format!(
        "{name}: the candidate scores {candidate}, below the floor of {floor}"
    ))
}

/// One comparison and its reviews.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// How failures call it, such as `quarterly:html`.
    pub name: String,
    /// The kinds of reviewer without whose review it fails.
    pub expected: Vec<ReviewerType>,
    /// Every accepted review of it, required or not: all of them count.
    pub reviews: Vec<Unblinded>,
}

/// What the gate of semantic non-regression holds against the comparisons: a missing review of a
/// required type, and every review that finds a regression. Sorted; empty when nothing is.
#[must_use]
pub fn semantic_failures(comparisons: &[Comparison], rules: &ReviewRules) -> Vec<String> {
    let mut failures = Vec::new();
    for comparison in comparisons {
        let name = &comparison.name;
        for kind in &comparison.expected {
            if !comparison
                .reviews
                .iter()
                .any(|review| review.reviewer_type == *kind)
            {
                failures.push(format!("{name}: no {kind} review"));
            }
        }
        for review in &comparison.reviews {
            let who = format!("{} reviewer {}", review.reviewer_type, review.reviewer);
            let outcome = non_regression(review, rules);
            failures.extend(
                outcome
                    .failures
                    .iter()
                    .map(|why| format!("{name}: {who}: {why}")),
            );
        }
    }
    failures.sort();
    failures
}
