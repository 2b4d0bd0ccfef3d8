// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wilcoxon's signed-rank test, exact with and without ties.
//!
//! The distribution of the rank sum is counted for the ranks as they are, mid-ranks included, so
//! that ties need no correction. Differences of nought are either left out (Wilcoxon's way) or
//! ranked and then left out (Pratt's way); which of the two is stated in the answer.

use serde::Serialize;

use super::distribution::normal_cdf;
use super::double;

/// Above this number of pairs the normal approximation, with its tie correction, is taken.
const EXACT_PAIRS: usize = 400;

/// What becomes of differences of nought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Zeros {
    /// Left out before ranking.
    Drop,
    /// Ranked with the others, then left out.
    Pratt,
}

/// The test's answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wilcoxon {
    /// Differences that are not nought.
    pub pairs: usize,
    /// Differences that are nought.
    pub zeros: usize,
    /// What was done with them.
    pub treatment: Zeros,
    /// Sum of the ranks of positive differences.
    pub positive_ranks: f64,
    /// Sum of the ranks of negative differences.
    pub negative_ranks: f64,
    /// Two-sided p; 1 when there is no difference.
    pub p: f64,
    /// Whether the distribution was counted and not approximated.
    pub exact: bool,
}

/// Tests whether differences are symmetric about nought.
///
/// `None` when a difference is not finite.
#[must_use]
pub fn wilcoxon(differences: &[f64], treatment: Zeros) -> Option<Wilcoxon> {
    if differences.iter().any(|difference| !difference.is_finite()) {
        return None;
    }
    let ranked = ranks(differences, treatment);
    let sum = |positive: bool| -> usize {
        ranked
            .iter()
            .filter(|(_, sign)| *sign == positive)
            .map(|(rank, _)| rank)
            .sum()
    };
    let (positive, negative) = (sum(true), sum(false));
    let exact = ranked.len() <= EXACT_PAIRS;
    let doubled: Vec<usize> = ranked.iter().map(|(rank, _)| *rank).collect();
    let p = if exact {
        exact_p(&doubled, positive.min(negative))
    } else {
        approximate_p(&doubled, positive)
    };
    Some(Wilcoxon {
        pairs: ranked.len(),
        zeros: differences.len() - ranked.len(),
        treatment,
        positive_ranks: double(positive) / 2.0,
        negative_ranks: double(negative) / 2.0,
        p,
        exact,
    })
}

/// Twice the mid-rank of each difference that is not nought, and whether it is positive.
fn ranks(differences: &[f64], treatment: Zeros) -> Vec<(usize, bool)> {
    let mut kept: Vec<f64> = match treatment {
        Zeros::Drop => differences.iter().copied().filter(|d| *d != 0.0).collect(),
        Zeros::Pratt => differences.to_vec(),
    };
    kept.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let mut ranked = Vec::with_capacity(kept.len());
    let mut before = 0;
    for tied in kept.chunk_by(|a, b| a.abs().total_cmp(&b.abs()).is_eq()) {
        // Ranks before+1 ..= before+len; twice their mean.
        let rank = 2 * before + tied.len() + 1;
        ranked.extend(tied.iter().filter(|d| **d != 0.0).map(|d| (rank, *d > 0.0)));
        before += tied.len();
    }
    ranked
}

/// Twice the probability of a rank sum as small as `smaller`, over all signs.
fn exact_p(doubled: &[usize], smaller: usize) -> f64 {
    let mut chances = vec![0.0; smaller + 1];
    if let Some(first) = chances.first_mut() {
        *first = 1.0;
    }
    for rank in doubled {
        for at in (0..=smaller).rev() {
            let with = at
                .checked_sub(*rank)
                .and_then(|before| chances.get(before))
                .copied();
            if let Some(chance) = chances.get_mut(at) {
                *chance = (*chance + with.unwrap_or(0.0)) / 2.0;
            }
        }
    }
    (2.0 * chances.iter().sum::<f64>()).min(1.0)
}

fn approximate_p(doubled: &[usize], positive: usize) -> f64 {
    let ranks: Vec<f64> = doubled.iter().map(|rank| double(*rank) / 2.0).collect();
    let mean = ranks.iter().sum::<f64>() / 2.0;
    let variance = ranks.iter().map(|rank| rank * rank).sum::<f64>() / 4.0;
    let z = (double(positive) / 2.0 - mean).abs() / libm::sqrt(variance);
    (2.0 * normal_cdf(-z)).min(1.0)
}

/// The estimate of Hodges and Lehmann: the median of the means of all pairs of differences, each
/// with itself included. `None` of no differences, of more than 2000, or when one is not finite.
#[must_use]
pub fn hodges_lehmann(differences: &[f64]) -> Option<f64> {
    let sensible = (1..=2000).contains(&differences.len());
    if !sensible || differences.iter().any(|difference| !difference.is_finite()) {
        return None;
    }
    let mut means = Vec::with_capacity(differences.len() * (differences.len() + 1) / 2);
    for (at, first) in differences.iter().enumerate() {
        means.extend(
            differences
                .iter()
                .skip(at)
                .map(|second| f64::midpoint(*first, *second)),
        );
    }
    means.sort_by(f64::total_cmp);
    let upper = means.get(means.len() / 2)?;
    let lower = means.get((means.len() - 1) / 2)?;
    Some(f64::midpoint(*lower, *upper))
}
