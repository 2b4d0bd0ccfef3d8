// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exact figures: every comparison with a limit is made on rationals, never on rounded numbers.
//!
//! A true improvement of 29.96 % must not pass a limit of 30 % because it is shown as 30.0, and a
//! ratio of 1.00003 is above 1. Rounding exists here for display alone.

mod display;
mod fraction;
mod parse;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use fraction::Fraction;
pub use parse::MAX_DIGITS;

/// A figure that is exactly what the evidence says: a fraction of two integers in lowest terms.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Exact(Form);

/// Counts, scores and their ratios fit machine words; what does not is big. Whatever fits is small,
/// so that one figure has one form.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    Small(Fraction),
    Big(Box<BigRational>),
}

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
    fn small(fraction: Fraction) -> Self {
        Self(Form::Small(fraction))
    }

    fn big(figure: BigRational) -> Self {
        match (figure.numer().to_i64(), figure.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => {
                Self::small(Fraction::lowest(numerator, denominator))
            }
            _ => Self(Form::Big(Box::new(figure))),
        }
    }

    fn to_big(&self) -> BigRational {
        match &self.0 {
            Form::Small(fraction) => BigRational::new_raw(
                BigInt::from(fraction.numerator()),
                BigInt::from(fraction.denominator()),
            ),
            Form::Big(figure) => (**figure).clone(),
        }
    }

    /// An operation in machine words, or with big numbers where it does not fit them.
    fn combined(
        one: &Self,
        other: &Self,
        small: impl Fn(Fraction, Fraction) -> Option<Fraction>,
        big: impl Fn(BigRational, BigRational) -> BigRational,
    ) -> Self {
        if let (Form::Small(one), Form::Small(other)) = (&one.0, &other.0)
            && let Some(fraction) = small(*one, *other)
        {
            return Self::small(fraction);
        }
        Self::big(big(one.to_big(), other.to_big()))
    }

    fn is_zero(&self) -> bool {
        matches!(self.0, Form::Small(fraction) if fraction.numerator() == 0)
    }

    /// Nought.
    #[must_use]
    pub fn zero() -> Self {
        Self::from(0_i64)
    }

    /// `numerator / denominator`.
    ///
    /// # Errors
    /// [`ExactError::ZeroDivisor`] when the denominator is nought.
    pub fn ratio(numerator: &Self, denominator: &Self) -> Result<Self, ExactError> {
        if denominator.is_zero() {
            return Err(ExactError::ZeroDivisor("the second figure"));
        }
        Ok(Self::combined(
            numerator,
            denominator,
            Fraction::quotient,
            |one, other| one / other,
        ))
    }

    /// How much less `candidate` is than `baseline`, as a part of `baseline`: 0.3 is 30 % less.
    ///
    /// # Errors
    /// [`ExactError::NoBaseline`] when the baseline is not above nought.
    pub fn improvement(baseline: &Self, candidate: &Self) -> Result<Self, ExactError> {
        if !baseline.is_positive() {
            return Err(ExactError::NoBaseline(baseline.to_string()));
        }
        let saved = Self::combined(baseline, candidate, Fraction::difference, |one, other| {
            one - other
        });
        Self::ratio(&saved, baseline)
    }

    /// This figure less `other`.
    #[must_use]
    pub fn less(&self, other: &Self) -> Self {
        Self::combined(self, other, Fraction::difference, |one, other| one - other)
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
        Self::ratio(&lower.plus(upper), &Self::from(2_u64)).ok()
    }

    fn plus(&self, other: &Self) -> Self {
        Self::combined(self, other, Fraction::sum, |one, other| one + other)
    }

    fn times(&self, factor: i64) -> Self {
        Self::combined(
            self,
            &Self::from(factor),
            Fraction::product,
            |one, other| one * other,
        )
    }

    /// A percentage as a part of one: 30 becomes 0.3.
    #[must_use]
    pub fn from_percent(percent: &Self) -> Self {
        Self::ratio(percent, &Self::from(100_u64)).unwrap_or_else(|_| Self::zero())
    }

    /// A part of one as a percentage: 0.3 becomes 30.
    #[must_use]
    pub fn to_percent(&self) -> Self {
        self.times(100)
    }

    /// Whether the figure is above nought.
    #[must_use]
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Form::Small(fraction) => fraction.numerator() > 0,
            Form::Big(figure) => figure.is_positive(),
        }
    }

    /// The numerator in lowest terms; it carries the sign.
    #[must_use]
    pub fn numerator(&self) -> BigInt {
        self.to_big().numer().clone()
    }

    /// The denominator in lowest terms, above nought.
    #[must_use]
    pub fn denominator(&self) -> BigInt {
        self.to_big().denom().clone()
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
        Some(Self::big(step(steps)))
    }

    /// The nearest double, for plots and statistics; never for a verdict.
    #[must_use]
    pub fn approximate(&self) -> f64 {
        self.to_big().to_f64().unwrap_or(f64::NAN)
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small(one), Form::Small(other)) => one.cmp(other),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<u64> for Exact {
    fn from(value: u64) -> Self {
        match i64::try_from(value) {
            Ok(value) => Self::from(value),
            Err(_) => Self::from(BigInt::from(value)),
        }
    }
}

impl From<i64> for Exact {
    fn from(value: i64) -> Self {
        Self::small(Fraction::lowest(value, 1))
    }
}

impl From<BigInt> for Exact {
    fn from(value: BigInt) -> Self {
        Self::big(BigRational::from_integer(value))
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
        figures.fold(Self::zero(), |sum, figure| sum.plus(&figure))
    }
}
