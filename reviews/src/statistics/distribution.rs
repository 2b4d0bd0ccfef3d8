// SPDX-License-Identifier: MIT OR Apache-2.0
//! The distributions that the tests rest on: binomial at one half by exact counting, the normal
//! one by `libm`, and the interval of a proportion by the beta function of `statrs`.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use statrs::function::beta::beta_reg;

use super::double;

/// Above this number of throws counting takes seconds, and the beta function is taken.
const COUNTED_THROWS: usize = 20_000;

/// P(X <= `at_most`) for a fair coin thrown `throws` times, counted exactly and then rounded once.
pub(super) fn fair_tail(throws: usize, at_most: usize) -> f64 {
    if throws > COUNTED_THROWS && at_most < throws {
        // As many heads at most are as many tails at least.
        return upper_tail(throws, throws - at_most, 0.5);
    }
    let mut ways = BigUint::one();
    let mut sum = BigUint::one();
    for thrown in 1..=at_most.min(throws) {
        ways = ways * (throws - thrown + 1) / thrown;
        sum += &ways;
    }
    fraction_of_power(&sum, throws)
}

/// P(X = `exactly`) for a fair coin thrown `throws` times.
pub(super) fn fair_mass(throws: usize, exactly: usize) -> f64 {
    let below = exactly
        .checked_sub(1)
        .map_or(0.0, |below| fair_tail(throws, below));
    fair_tail(throws, exactly) - below
}

/// `numerator / 2^power`, with 64 digits of the numerator at least.
fn fraction_of_power(numerator: &BigUint, power: usize) -> f64 {
    let bits = usize::try_from(numerator.bits()).unwrap_or(usize::MAX);
    let cut = bits.saturating_sub(64);
    let head = (numerator >> cut).to_f64().unwrap_or(f64::NAN);
    let exponent =
        i32::try_from(cut).unwrap_or(i32::MAX) - i32::try_from(power).unwrap_or(i32::MAX);
    libm::ldexp(head, exponent)
}

/// The standard normal distribution function.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// The point below which a standard normal figure falls with probability `p`.
///
/// Infinite at 0 and 1, and not a number outside. Found by halving, so that it is the same on
/// every machine.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    match p {
        p if !(0.0..=1.0).contains(&p) => f64::NAN,
        0.0 => f64::NEG_INFINITY,
        1.0 => f64::INFINITY,
        p if p > 0.5 => -lower_quantile(1.0 - p),
        p => lower_quantile(p),
    }
}

fn lower_quantile(p: f64) -> f64 {
    bisect(-39.0, 0.0, |x| normal_cdf(x) < p)
}

/// The place between `low` and `high` up to which `below` holds.
pub(super) fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// P(X >= `at_least`) of `throws` with success probability `p`.
pub(super) fn upper_tail(throws: usize, at_least: usize, p: f64) -> f64 {
    if at_least == 0 {
        return 1.0;
    }
    if at_least > throws || p <= 0.0 {
        return 0.0;
    }
    if p >= 1.0 {
        return 1.0;
    }
    beta_reg(double(at_least), double(throws - at_least + 1), p)
}

/// The interval of Clopper and Pearson for a proportion, at `level` such as 0.95.
///
/// `None` when there is no observation, more successes than observations, or no such level.
#[must_use]
pub fn binomial_interval(successes: usize, observations: usize, level: f64) -> Option<(f64, f64)> {
    let sensible = level > 0.0 && level < 1.0;
    if observations == 0 || successes > observations || !sensible {
        return None;
    }
    let tail = (1.0 - level) / 2.0;
    let low = match successes {
        0 => 0.0,
        _ => bisect(0.0, 1.0, |p| upper_tail(observations, successes, p) < tail),
    };
    let high = if successes == observations {
        1.0
    } else {
        bisect(0.0, 1.0, |p| {
            1.0 - upper_tail(observations, successes + 1, p) > tail
        })
    };
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_the_beta_function_agree() {
        for at_most in [9_800, 9_900, 9_990, 10_000, 10_100] {
            let counted = fair_tail(COUNTED_THROWS, at_most);
            let by_beta = upper_tail(COUNTED_THROWS, COUNTED_THROWS - at_most, 0.5);
            assert!(
                (counted - by_beta).abs() < 1e-10,
                "{at_most}: {counted} {by_beta}"
            );
        }
        assert!((fair_tail(100_001, 50_000) - 0.5).abs() < 1e-9);
        assert!((fair_tail(5, 5) - 1.0).abs() < 1e-15);
    }
}
