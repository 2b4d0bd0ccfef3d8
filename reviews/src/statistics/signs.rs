// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of wins and losses: the sign test and McNemar's, both by exact counting.

use serde::Serialize;

use super::distribution::{binomial_interval, fair_mass, fair_tail};
use super::double;

/// The sign test of "wins and losses are equally likely". Ties say nothing and are reported apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignTest {
    /// Pairs that the candidate wins.
    pub wins: usize,
    /// Pairs without a difference.
    pub ties: usize,
    /// Pairs that the candidate loses.
    pub losses: usize,
    /// Two-sided p; 1 when no pair differs.
    pub p: f64,
    /// One-sided p for "the candidate wins more often".
    pub p_wins: f64,
    /// Wins and half the ties, as a share of all pairs; `None` without pairs.
    pub win_probability: Option<f64>,
    /// The 95 % interval of Clopper and Pearson for wins among the pairs that differ.
    pub interval: Option<(f64, f64)>,
}

/// Counts wins against losses.
#[must_use]
pub fn sign_test(wins: usize, ties: usize, losses: usize) -> SignTest {
    let decided = wins + losses;
    let all = decided + ties;
    SignTest {
        wins,
        ties,
        losses,
        p: two_sided(wins, losses),
        p_wins: fair_tail(decided, losses),
        win_probability: (all > 0).then(|| (double(wins) + double(ties) / 2.0) / double(all)),
        interval: binomial_interval(wins, decided, 0.95),
    }
}

/// Twice the smaller tail, at most 1.
fn two_sided(first: usize, second: usize) -> f64 {
    (2.0 * fair_tail(first + second, first.min(second))).min(1.0)
}

/// McNemar's test on the pairs in which exactly one side passed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct McNemar {
    /// Pairs in which the candidate alone passed.
    pub candidate_only: usize,
    /// Pairs in which the baseline alone passed.
    pub baseline_only: usize,
    /// Exact two-sided p; 1 when there is no such pair.
    pub p: f64,
    /// The mid-p variant, less conservative.
    pub mid_p: f64,
}

/// Counts the pairs that pass on one side alone.
#[must_use]
pub fn mcnemar(candidate_only: usize, baseline_only: usize) -> McNemar {
    let all = candidate_only + baseline_only;
    let smaller = candidate_only.min(baseline_only);
    let mid = 2.0 * fair_tail(all, smaller) - fair_mass(all, smaller);
    McNemar {
        candidate_only,
        baseline_only,
        p: two_sided(candidate_only, baseline_only),
        mid_p: if all == 0 || candidate_only == baseline_only {
            1.0_f64.min(mid)
        } else {
            mid
        },
    }
}
