// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact figures: every comparison with a limit is made on rationals, never on rounded numbers.
//!
//! A true improvement of 29.96 % must not pass a limit of 30 % because it is shown as 30.0, and a
//! ratio of 1.00003 is above 1. Rounding exists here for display alone.

mod display;
mod parse;

#[cfg(test)]
mod tests;

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};

pub use parse::MAX_DIGITS;

/// A figure that is exactly what the evidence says: a fraction of two integers in lowest terms.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exact(BigRational);

/// A figure that cannot be read or computed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExactError {
    /// The text is not a decimal number.
    #[error("found `{0}`, expected a decimal number such as 30 or 1.05")]
    NotDecimal(String),
    /// The text is longer, or its exponent larger, than any honest figure needs.
    #[error("found a number of {0} digits, expected at most {MAX_DIGITS}")]
    TooLong(usize),
    /// A division whose divisor is nought.
    #[error("{0} cannot be the divisor of a ratio: it is 0")]
    ZeroDivisor(&'static str),
    /// A baseline that is not above nought has no percentage.
    #[error("found a baseline figure of {0}, expected one above 0")]
    NoBaseline(String),
}

impl Exact {
    /// Nought.
    #[must_use]
    pub fn zero() -> Self {
        Self(BigRational::zero())
    }

    /// `numerator / denominator`.
    ///
    /// # Errors
    /// [`ExactError::ZeroDivisor`] when the denominator is nought.
    pub fn ratio(numerator: &Self, denominator: &Self) -> Result<Self, ExactError> {
        if denominator.0.is_zero() {
            return Err(ExactError::ZeroDivisor("the second figure"));
        }
        Ok(Self(&numerator.0 / &denominator.0))
    }

    /// How much less `candidate` is than `baseline`, as a part of `baseline`: 0.3 is 30 % less.
    ///
    /// # Errors
    /// [`ExactError::NoBaseline`] when the baseline is not above nought.
    pub fn improvement(baseline: &Self, candidate: &Self) -> Result<Self, ExactError> {
        if !baseline.0.is_positive() {
            return Err(ExactError::NoBaseline(baseline.to_string()));
        }
        Ok(Self((&baseline.0 - &candidate.0) / &baseline.0))
    }

    /// This figure less `other`.
    #[must_use]
    pub fn less(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    /// The middle figure; of an even count the mean of the middle two. `None` of no figures.
    #[must_use]
    pub fn median(figures: &[Self]) -> Option<Self> {
        let mut sorted: Vec<&Self> = figures.iter().collect();
        sorted.sort();
        let upper = sorted.get(figures.len() / 2)?;
        if figures.len() % 2 == 1 {
            return Some((*upper).clone());
        }
        let lower = sorted.get(figures.len() / 2 - 1)?;
        Some(Self((&lower.0 + &upper.0) / BigInt::from(2)))
    }

    /// A percentage as a part of one: 30 becomes 0.3.
    #[must_use]
    pub fn from_percent(percent: &Self) -> Self {
        Self(&percent.0 / BigInt::from(100))
    }

    /// A part of one as a percentage: 0.3 becomes 30.
    #[must_use]
    pub fn to_percent(&self) -> Self {
        Self(&self.0 * BigInt::from(100))
    }

    /// Whether the figure is above nought.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        self.0.is_positive()
    }

    /// The numerator in lowest terms; it carries the sign.
    #[must_use]
    pub fn numerator(&self) -> &BigInt {
        self.0.numer()
    }

    /// The denominator in lowest terms, above nought.
    #[must_use]
    pub fn denominator(&self) -> &BigInt {
        self.0.denom()
    }

    /// The smallest multiple of 10^-12 that is no less than `estimate`: an estimate's upper end for a
    /// comparison with a limit, never smaller than the estimate itself.
    ///
    /// `None` of what is not finite or not below a million.
    #[must_use]
    pub fn not_below(estimate: f64) -> Option<Self> {
        let scaled = libm::ceil(estimate * 1e12);
        if !scaled.is_finite() || scaled.abs() >= 1e18 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "far below 2^63")]
        let mut steps = scaled as i64;
        let least = BigRational::from_float(estimate)?;
        let step =
            |steps: i64| BigRational::new(BigInt::from(steps), BigInt::from(1_000_000_000_000_i64));
        while step(steps) < least {
            steps += 1;
        }
        Some(Self(step(steps)))
    }

    /// The nearest double, for plots and statistics; never for a verdict.
    #[must_use]
    pub fn approximate(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }
}

impl From<u64> for Exact {
    fn from(value: u64) -> Self {
        Self(BigRational::from_integer(BigInt::from(value)))
    }
}

impl From<i64> for Exact {
    fn from(value: i64) -> Self {
        Self(BigRational::from_integer(BigInt::from(value)))
    }
}

impl From<BigInt> for Exact {
    fn from(value: BigInt) -> Self {
        Self(BigRational::from_integer(value))
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The sum of figures, for means over trials.
impl std::iter::Sum for Exact {
    fn sum<I: Iterator<Item = Self>>(figures: I) -> Self {
        Self(figures.map(|figure| figure.0).sum())
    }
}
