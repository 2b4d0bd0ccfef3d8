// SPDX-License-Identifier: MIT OR Apache-2.0
//! Costs compared: the ratio of geometric means, its interval, and "not worse by more than".
//!
//! Tokens and times have long tails and differ between cases by whole factors, so they are compared
//! by their logarithms.

use serde::Serialize;

use super::bootstrap::{CLUSTERS, Interval, Resampling, bca_interval, below};
use super::double;

/// The pairs of one case: candidate and baseline figure of each repetition, all above nought.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cluster {
    /// The case's name.
    pub name: String,
    /// Candidate and baseline.
    pub pairs: Vec<(f64, f64)>,
}

/// The ratio and its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatioEstimate {
    /// Geometric mean of the candidate over that of the baseline: below 1 is cheaper.
    pub ratio: f64,
    /// The interval by cases; `None` with one case alone.
    pub interval: Option<Interval>,
    /// Cases.
    pub clusters: usize,
    /// Pairs in all cases.
    pub pairs: usize,
    /// What the draws were made with.
    pub resampling: Resampling,
}

/// Estimates the ratio over all pairs, drawing cases for the interval.
///
/// `None` when there is no pair, or when a figure is not above nought: a ratio of unknown figures
/// is unknown.
#[must_use]
pub fn geometric_mean_ratio(
    clusters: &[Cluster],
    level: f64,
    resampling: Resampling,
) -> Option<RatioEstimate> {
    let logs: Vec<(f64, usize)> = clusters.iter().map(log_ratios).collect::<Option<_>>()?;
    let whole = logs.iter().fold((0.0, 0), add);
    let estimate = mean_log(whole)?;
    let interval = log_interval(&logs, whole, level, resampling).map(|(low, high)| Interval {
        low: libm::exp(low),
        high: libm::exp(high),
        level,
        clusters: logs.len(),
        few_clusters: logs.len() < Interval::FEW_CLUSTERS,
    });
    Some(RatioEstimate {
        ratio: libm::exp(estimate),
        interval,
        clusters: clusters.len(),
        pairs: whole.1,
        resampling,
    })
}

/// The sum of the logarithms of a case's ratios, and their number: all that a draw needs.
fn log_ratios(cluster: &Cluster) -> Option<(f64, usize)> {
    let sound = |figure: f64| figure.is_finite() && figure > 0.0;
    let log = |(candidate, baseline): &(f64, f64)| {
        let both = sound(*candidate) && sound(*baseline);
        both.then(|| libm::log(*candidate) - libm::log(*baseline))
    };
    let sum = cluster.pairs.iter().map(log).sum::<Option<f64>>()?;
    Some((sum, cluster.pairs.len()))
}

fn add((sum, pairs): (f64, usize), one: &(f64, usize)) -> (f64, usize) {
    (sum + one.0, pairs + one.1)
}

fn mean_log((sum, pairs): (f64, usize)) -> Option<f64> {
    (pairs > 0).then(|| sum / double(pairs))
}

/// The interval of the mean logarithm, without a list for each draw: there may be many thousand
/// cases.
fn log_interval(
    logs: &[(f64, usize)],
    whole: (f64, usize),
    level: f64,
    resampling: Resampling,
) -> Option<(f64, f64)> {
    if logs.len() < 2 {
        return None;
    }
    let mut rng = resampling.generator(CLUSTERS);
    let mut drawn = || {
        let draw = (0..logs.len()).filter_map(|_| logs.get(below(&mut rng, logs.len())));
        mean_log(draw.fold((0.0, 0), add))
    };
    let draws = resampling.draws.min(1_000_000);
    let replicates: Vec<f64> = (0..draws).map(|_| drawn()).collect::<Option<_>>()?;
    let without = |one: &(f64, usize)| mean_log((whole.0 - one.0, whole.1 - one.1));
    let jackknife: Vec<f64> = logs.iter().map(without).collect::<Option<_>>()?;
    bca_interval(mean_log(whole)?, &replicates, &jackknife, level)
}

/// Whether the candidate is not worse by more than a margin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NonInferiority {
    /// The largest ratio that is still acceptable, such as 1.1.
    pub margin: f64,
    /// The upper end of the interval.
    pub upper: f64,
    /// The upper end is below the margin.
    pub holds: bool,
}

/// Compares the upper end of the interval with `margin`: "not significantly worse" is no proof.
///
/// `None` when the estimate has no interval or the margin is no ratio.
#[must_use]
pub fn non_inferiority(estimate: &RatioEstimate, margin: f64) -> Option<NonInferiority> {
    let upper = estimate.interval.as_ref()?.high;
    let sensible = margin.is_finite() && margin > 0.0 && upper.is_finite();
    sensible.then_some(NonInferiority {
        margin,
        upper,
        holds: upper < margin,
    })
}
