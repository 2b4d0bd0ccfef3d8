// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fractions in machine words: exact, or no answer at all.

use std::cmp::Ordering;

use num_integer::Integer;

/// Two words in lowest terms, the second above nought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Fraction {
    numerator: i64,
    denominator: i64,
}

impl Fraction {
    /// A fraction that is in lowest terms already, with a denominator above nought.
    pub(super) fn lowest(numerator: i64, denominator: i64) -> Self {
        Self {
            numerator,
            denominator,
        }
    }

    /// `numerator / denominator` in lowest terms, when there is one that fits.
    fn reduced(numerator: i128, denominator: i128) -> Option<Self> {
        let (numerator, denominator) = match denominator.signum() {
            0 => return None,
            1 => (numerator, denominator),
            _ => (numerator.checked_neg()?, denominator.checked_neg()?),
        };
        // Words are divided much faster than pairs of words.
        let divisor = match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) if numerator != i64::MIN => {
                i128::from(numerator.gcd(&denominator))
            }
            _ => numerator.checked_abs()?.gcd(&denominator),
        };
        Some(Self {
            numerator: i64::try_from(numerator / divisor).ok()?,
            denominator: i64::try_from(denominator / divisor).ok()?,
        })
    }

    pub(super) fn numerator(self) -> i64 {
        self.numerator
    }

    pub(super) fn denominator(self) -> i64 {
        self.denominator
    }

    pub(super) fn quotient(self, other: Self) -> Option<Self> {
        Self::reduced(
            cross(self.numerator, other.denominator),
            cross(self.denominator, other.numerator),
        )
    }

    pub(super) fn product(self, other: Self) -> Option<Self> {
        Self::reduced(
            cross(self.numerator, other.numerator),
            cross(self.denominator, other.denominator),
        )
    }

    pub(super) fn sum(self, other: Self) -> Option<Self> {
        self.joined(other, i128::checked_add)
    }

    pub(super) fn difference(self, other: Self) -> Option<Self> {
        self.joined(other, i128::checked_sub)
    }

    fn joined(self, other: Self, join: fn(i128, i128) -> Option<i128>) -> Option<Self> {
        let numerator = join(
            cross(self.numerator, other.denominator),
            cross(other.numerator, self.denominator),
        )?;
        Self::reduced(numerator, cross(self.denominator, other.denominator))
    }
}

/// The product of two words always fits two words.
fn cross(one: i64, other: i64) -> i128 {
    i128::from(one) * i128::from(other)
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let one = cross(self.numerator, other.denominator);
        one.cmp(&cross(other.numerator, self.denominator))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
