// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures as text: rounded half to even for people, as a fraction for auditors.

use std::fmt;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Pow, Signed, Zero};
use serde::{Serialize, Serializer};

use super::{Exact, Form};

impl Exact {
    /// The figure with exactly `places` decimals, a tie going to the even digit.
    #[must_use]
    pub fn rounded(&self, places: u8) -> String {
        if let Some(text) = self.rounded_in_words(places) {
            return text;
        }
        let scale: BigInt = Pow::pow(BigInt::from(10), u32::from(places));
        let digits = half_even(&(self.numerator() * &scale), &self.denominator());
        with_point(
            digits.sign() == Sign::Minus,
            &digits.abs().to_string(),
            places,
        )
    }

    /// The same for figures of machine words, where the scaled ones still fit.
    fn rounded_in_words(&self, places: u8) -> Option<String> {
        let Form::Small(fraction) = &self.0 else {
            return None;
        };
        let scale = 10_i64.checked_pow(u32::from(places))?;
        let (numerator, denominator) = (fraction.numerator(), fraction.denominator());
        let scaled = numerator.checked_mul(scale)?;
        let (quotient, remainder) = scaled.div_mod_floor(&denominator);
        let up = match remainder.checked_mul(2)?.cmp(&denominator) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => quotient.is_odd(),
            std::cmp::Ordering::Greater => true,
        };
        let digits = if up { quotient + 1 } else { quotient };
        let text = digits.unsigned_abs().to_string();
        Some(with_point(digits < 0, &text, places))
    }
}

/// A whole number of digits as one with so many decimals.
fn with_point(negative: bool, digits: &str, places: u8) -> String {
    let width = usize::from(places) + 1;
    let padded = format!("{digits:0>width$}");
    let (whole, fraction) = padded.split_at(padded.len() - usize::from(places));
    let sign = if negative { "-" } else { "" };
    match fraction {
        "" => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{fraction}"),
    }
}

/// `numerator / denominator` to the nearest integer, a tie to the even one; `denominator` > 0.
fn half_even(numerator: &BigInt, denominator: &BigInt) -> BigInt {
    let (quotient, remainder) = numerator.div_mod_floor(denominator);
    let up = match (remainder * 2_u8).cmp(denominator) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient.is_odd(),
        std::cmp::Ordering::Greater => true,
    };
    if up { quotient + 1 } else { quotient }
}

/// The decimal number where it ends, and the fraction `n/d` where it does not.
impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = match &self.0 {
            Form::Small(fraction) => ending_places_in_words(fraction.denominator()),
            Form::Big(_) => ending_places(&self.denominator()),
        };
        match (places, &self.0) {
            (Some(places), _) => f.write_str(&self.rounded(places)),
            (None, Form::Small(fraction)) => {
                write!(f, "{}/{}", fraction.numerator(), fraction.denominator())
            }
            (None, Form::Big(_)) => write!(f, "{}/{}", self.numerator(), self.denominator()),
        }
    }
}

/// How many decimals `1/denominator` needs, when it ends within twelve.
fn ending_places(denominator: &BigInt) -> Option<u8> {
    let mut scale = BigInt::from(1);
    for places in 0..=12 {
        if (&scale % denominator).is_zero() {
            return Some(places);
        }
        scale *= 10_u8;
    }
    None
}

fn ending_places_in_words(denominator: i64) -> Option<u8> {
    let mut scale = 1_i64;
    for places in 0..=12 {
        if scale % denominator == 0 {
            return Some(places);
        }
        scale *= 10;
    }
    None
}

/// As text, in the form of [`fmt::Display`]: JSON has no exact numbers.
impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
