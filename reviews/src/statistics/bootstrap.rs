// SPDX-License-Identifier: MIT OR Apache-2.0
//! Intervals by resampling whole clusters, bias-corrected and accelerated (BCa).
//!
//! Trials of one case are alike, so cases are drawn, not trials. With fewer than
//! [`FEW_CLUSTERS`](Interval::FEW_CLUSTERS) cases such an interval is too narrow, and says so.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::distribution::{normal_cdf, normal_quantile};
use super::{double, mean};

/// What the draws of clusters are for, which keys their generator.
pub(super) const CLUSTERS: &str = "cluster bootstrap";

/// How often and from which seed to draw. Both go into the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Resampling {
    /// The seed of the generator.
    pub seed: u64,
    /// Draws; at most a million are made.
    pub draws: usize,
}

impl Default for Resampling {
    fn default() -> Self {
        Self {
            seed: 1,
            draws: 9_999,
        }
    }
}

impl Resampling {
    /// ChaCha20 keyed by a hash of purpose and seed, so that two tests share no draws and no
    /// library decides how a small seed becomes a key.
    pub(super) fn generator(self, purpose: &str) -> ChaCha20Rng {
        let mut hasher = Sha256::new();
        hasher.update(b"deckproof.statistics\0");
        hasher.update(purpose.as_bytes());
        hasher.update(self.seed.to_be_bytes());
        ChaCha20Rng::from_seed(hasher.finalize().into())
    }
}

/// An interval and what it was made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Its level, such as 0.95.
    pub level: f64,
    /// Clusters that were drawn from.
    pub clusters: usize,
    /// Fewer clusters than such an interval needs.
    pub few_clusters: bool,
}

impl Interval {
    /// Below this number of clusters the interval is marked.
    pub const FEW_CLUSTERS: usize = 20;
}

/// The BCa interval of `statistic` over clusters drawn with replacement.
///
/// `None` of fewer than two clusters, or when the statistic is unknown for a draw.
pub fn cluster_bootstrap<T>(
    clusters: &[T],
    statistic: impl Fn(&[&T]) -> Option<f64>,
    level: f64,
    resampling: Resampling,
) -> Option<Interval> {
    if clusters.len() < 2 {
        return None;
    }
    let all: Vec<&T> = clusters.iter().collect();
    let estimate = statistic(&all)?;
    let mut rng = resampling.generator(CLUSTERS);
    let mut replicates = Vec::new();
    for _ in 0..resampling.draws.min(1_000_000) {
        let drawn: Option<Vec<&T>> = all
            .iter()
            .map(|_| all.get(below(&mut rng, all.len())).copied())
            .collect();
        replicates.push(statistic(&drawn?)?);
    }
    let without = |at: usize| -> Vec<&T> {
        all.iter()
            .enumerate()
            .filter(|(i, _)| *i != at)
            .map(|(_, c)| *c)
            .collect()
    };
    let jackknife: Option<Vec<f64>> = (0..all.len()).map(|at| statistic(&without(at))).collect();
    let (low, high) = bca_interval(estimate, &replicates, &jackknife?, level)?;
    Some(Interval {
        low,
        high,
        level,
        clusters: all.len(),
        few_clusters: all.len() < Interval::FEW_CLUSTERS,
    })
}

/// A number below `bound`, each with the same probability.
pub(super) fn below(rng: &mut ChaCha20Rng, bound: usize) -> usize {
    let bound = bound as u64;
    // Draws from an incomplete last round would prefer small numbers.
    let whole = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = rng.next_u64();
        if drawn < whole {
            return usize::try_from(drawn % bound).unwrap_or(0);
        }
    }
}

/// The BCa interval from replicates and leave-one-out estimates (Efron 1987).
///
/// `None` without replicates or with fewer than two leave-one-out estimates, at no sensible level,
/// and when a figure is not finite.
#[must_use]
pub fn bca_interval(
    estimate: f64,
    replicates: &[f64],
    jackknife: &[f64],
    level: f64,
) -> Option<(f64, f64)> {
    let sensible = level > 0.0 && level < 1.0 && !replicates.is_empty() && jackknife.len() > 1;
    let finite = replicates
        .iter()
        .chain(jackknife)
        .chain([&estimate])
        .all(|x| x.is_finite());
    if !(sensible && finite) {
        return None;
    }
    let mut sorted = replicates.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted.first() == sorted.last() {
        return sorted.first().map(|only| (*only, *only));
    }
    let below = sorted.iter().filter(|x| **x < estimate).count();
    let not_above = sorted.iter().filter(|x| **x <= estimate).count();
    let share = double(below + not_above) / 2.0 / double(sorted.len());
    let bias = normal_quantile(share);
    let acceleration = acceleration(jackknife)?;
    let end = |p: f64| {
        let z = bias + normal_quantile(p);
        normal_cdf(bias + z / (1.0 - acceleration * z))
    };
    let tail = (1.0 - level) / 2.0;
    Some((
        percentile(&sorted, end(tail))?,
        percentile(&sorted, end(1.0 - tail))?,
    ))
}

/// A sixth of the skewness of the leave-one-out estimates; nought when they are all alike.
fn acceleration(jackknife: &[f64]) -> Option<f64> {
    let centre = mean(jackknife)?;
    let away: Vec<f64> = jackknife.iter().map(|x| centre - x).collect();
    let squares: f64 = away.iter().map(|x| x * x).sum();
    if squares == 0.0 {
        return Some(0.0);
    }
    let cubes: f64 = away.iter().map(|x| x * x * x).sum();
    Some(cubes / (6.0 * squares * libm::sqrt(squares)))
}

/// Linear between the order statistics; `share` 0 is the first and 1 the last.
fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    let place = share * double(sorted.len() - 1);
    let floor = libm::floor(place);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place within the list"
    )]
    let at = floor as usize;
    let lower = *sorted.get(at)?;
    let upper = *sorted.get(at + 1).unwrap_or(&lower);
    Some(lower + (upper - lower) * (place - floor))
}
