// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures from text, digit by digit, so that a limit of 1.05 is 21/20 and not the nearest double.

use std::str::FromStr;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Pow;

use super::{Exact, ExactError};

/// Digits that a figure may have, written out in full. The largest double has 309.
pub const MAX_DIGITS: usize = 400;

/// The parts of a decimal number's text.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl FromStr for Exact {
    type Err = ExactError;

    /// Reads the number grammar of JSON: an optional minus sign, digits, and optionally a point
    /// with digits and an exponent. Nothing else: no plus sign, no space, no words.
    fn from_str(text: &str) -> Result<Self, ExactError> {
        if text.len() > MAX_DIGITS {
            return Err(ExactError::TooLong(text.len()));
        }
        if let Some(count) = plain_count(text) {
            return Ok(Self::from(count));
        }
        let parts = parts(text).ok_or_else(|| ExactError::NotDecimal(shown(text)))?;
        let power = parts.exponent - i64::try_from(parts.fraction.len()).unwrap_or(i64::MAX);
        let size = power.unsigned_abs().saturating_add(text.len() as u64);
        if size > 2 * MAX_DIGITS as u64 {
            return Err(ExactError::TooLong(
                usize::try_from(size).unwrap_or(usize::MAX),
            ));
        }
        let digits = format!("{}{}", parts.whole, parts.fraction);
        let digits: BigInt = digits
            .parse()
            .map_err(|_| ExactError::NotDecimal(shown(text)))?;
        let signed = if parts.negative { -digits } else { digits };
        Ok(Self::big(scaled(signed, power)))
    }
}

/// Scores and counts, nearly all of the figures that there are.
fn plain_count(text: &str) -> Option<u64> {
    let leading_zero = text.len() > 1 && text.starts_with('0');
    (text.len() <= 18 && is_digits(text) && !leading_zero).then_some(())?;
    text.parse().ok()
}

fn scaled(digits: BigInt, power: i64) -> BigRational {
    let factor: BigInt = Pow::pow(BigInt::from(10), power.unsigned_abs());
    if power < 0 {
        BigRational::new(digits, factor)
    } else {
        BigRational::from_integer(digits * factor)
    }
}

fn parts(text: &str) -> Option<Parts<'_>> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (rest.get(..at)?, exponent(rest.get(at + 1..)?)?),
        None => (rest, 0),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (mantissa, ""),
    };
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if leading_zero || !is_digits(whole) || !(fraction.is_empty() || is_digits(fraction)) {
        return None;
    }
    Some(Parts {
        negative,
        whole,
        fraction,
        exponent,
    })
}

fn exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !is_digits(digits) {
        return None;
    }
    // An exponent of more digits than an i64 holds is refused by its size all the same.
    let size = digits
        .parse::<i64>()
        .unwrap_or(i64::from(i32::MAX))
        .min(i64::from(i32::MAX));
    Some(if text.starts_with('-') { -size } else { size })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Enough of a wrong text to know it by.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}
