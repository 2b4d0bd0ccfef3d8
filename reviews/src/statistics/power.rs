// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an experiment of this size could have seen: printed with every null result.

use super::distribution::{bisect, fair_tail, normal_quantile, upper_tail};
use super::double;

/// The win probability that a two-sided sign test at `alpha` finds with probability `power`, among
/// `decided` pairs without ties.
///
/// `None` when no outcome of so few pairs is significant, or at no sensible level.
#[must_use]
pub fn detectable_win_probability(decided: usize, alpha: f64, power: f64) -> Option<f64> {
    if !sensible(alpha, power) {
        return None;
    }
    let needed = significant_wins(decided, alpha)?;
    Some(bisect(0.5, 1.0, |p| upper_tail(decided, needed, p) < power))
}

/// Wins from which on the test is significant, by halving: the tail shrinks as wins grow.
fn significant_wins(decided: usize, alpha: f64) -> Option<usize> {
    let significant = |wins: usize| 2.0 * fair_tail(decided, decided - wins) <= alpha;
    if !significant(decided) {
        return None;
    }
    let (mut not, mut yes) = (decided / 2, decided);
    while yes - not > 1 {
        let middle = usize::midpoint(not, yes);
        if significant(middle) {
            yes = middle;
        } else {
            not = middle;
        }
    }
    Some(yes)
}

/// The cost ratio below 1 that a two-sided test at `alpha` finds with probability `power`, from
/// `pairs` log-ratios of this standard deviation, by the normal approximation.
#[must_use]
pub fn detectable_ratio(
    pairs: usize,
    standard_deviation: f64,
    alpha: f64,
    power: f64,
) -> Option<f64> {
    let known = standard_deviation.is_finite() && standard_deviation >= 0.0;
    if pairs == 0 || !known || !sensible(alpha, power) {
        return None;
    }
    let z = normal_quantile(1.0 - alpha / 2.0) + normal_quantile(power);
    Some(libm::exp(
        -z * standard_deviation / libm::sqrt(double(pairs)),
    ))
}

fn sensible(alpha: f64, power: f64) -> bool {
    alpha > 0.0 && alpha < 1.0 && power > 0.0 && power < 1.0
}
