// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures as text: rounded half to even for people, as a fraction for auditors.

use std::fmt;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Pow, Signed, Zero};
use serde::{Serialize, Serializer};

use super::Exact;

impl Exact {
    /// The figure with exactly `places` decimals, a tie going to the even digit.
    #[must_use]
    pub fn rounded(&self, places: u8) -> String {
        let scale: BigInt = Pow::pow(BigInt::from(10), u32::from(places));
        let digits = half_even(&(self.numerator() * &scale), self.denominator());
        let text = digits.abs().to_string();
        let width = usize::from(places) + 1;
        let padded = format!("{text:0>width$}");
        let (whole, fraction) = padded.split_at(padded.len() - usize::from(places));
        let sign = if digits.sign() == Sign::Minus {
            "-"
        } else {
            ""
        };
        match fraction {
            "" => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{fraction}"),
        }
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
        match ending_places(self.denominator()) {
            Some(places) => f.write_str(&self.rounded(places)),
            None => write!(f, "{}/{}", self.numerator(), self.denominator()),
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

/// As text, in the form of [`fmt::Display`]: JSON has no exact numbers.
impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
