// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the seat decided: preferences for the first label, and preferences that turn with it.

use serde::Serialize;

use super::distribution::binomial_interval;
use super::double;
use super::signs::sign_test;

/// Preference for label A over all decided comparisons.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeatEffect {
    /// Comparisons that A won.
    pub first: usize,
    /// Comparisons that B won.
    pub second: usize,
    /// The share that A won; one half without an effect. `None` without comparisons.
    pub share: Option<f64>,
    /// The 95 % interval of Clopper and Pearson.
    pub interval: Option<(f64, f64)>,
    /// Exact two-sided p of "both seats are alike".
    pub p: f64,
}

/// Counts the wins of each seat.
#[must_use]
pub fn seat_effect(first: usize, second: usize) -> SeatEffect {
    let all = first + second;
    SeatEffect {
        first,
        second,
        share: (all > 0).then(|| double(first) / double(all)),
        interval: binomial_interval(first, all, 0.95),
        p: sign_test(first, 0, second).p,
    }
}

/// How often a preference turned when the same pair was judged in both orders.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlipRate {
    /// Pairs judged in both orders.
    pub pairs: usize,
    /// Pairs whose two preferences name different decks. A tie in one order alone counts as one.
    pub flips: usize,
    /// Their share; `None` without pairs.
    pub rate: Option<f64>,
    /// The 95 % interval of Clopper and Pearson.
    pub interval: Option<(f64, f64)>,
}

/// Compares the preferences of both orders. Each names the deck, not the seat: positive for the
/// candidate, negative for the baseline, nought for a tie.
#[must_use]
pub fn flip_rate(pairs: &[(i64, i64)]) -> FlipRate {
    let flips = pairs
        .iter()
        .filter(|(one, other)| one.signum() != other.signum())
        .count();
    FlipRate {
        pairs: pairs.len(),
        flips,
        rate: (!pairs.is_empty()).then(|| double(flips) / double(pairs.len())),
        interval: binomial_interval(flips, pairs.len(), 0.95),
    }
}
