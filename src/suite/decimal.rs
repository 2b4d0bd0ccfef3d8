// SPDX-License-Identifier: MIT OR Apache-2.0
//! A limit written as a decimal number, kept exactly.
//!
//! A TOML float is a binary double: 1.05 would already be another number before anything is
//! compared with it. A limit is an integer, or a decimal in quotes.

use std::borrow::Cow;
use std::fmt;

use deckproof_reviews::exact::{Exact, ExactError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// A decimal number as it was written: digits, and digits after a point; not negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal(String);

impl Decimal {
    /// The number as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A whole number.
    pub(super) fn whole(number: u32) -> Self {
        Self(number.to_string())
    }

    /// The number, exactly. A suite may write 007; numbers in evidence may not.
    ///
    /// # Errors
    /// None that [`Decimal::new`] lets through.
    pub fn exact(&self) -> Result<Exact, ExactError> {
        let text = self.0.trim_start_matches('0');
        if text.is_empty() || text.starts_with('.') {
            return format!("0{text}").parse();
        }
        text.parse()
    }

    /// Reads a decimal number of at most 18 digits on each side of the point.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let digits = |part: &str| {
            (1..=18).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let good = match text.split_once('.') {
            Some((whole, fraction)) => digits(whole) && digits(fraction),
            None => digits(text),
        };
        good.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

struct DecimalVisitor;

impl Visitor<'_> for DecimalVisitor {
    type Value = Decimal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an integer, or a decimal number in quotes such as \"1.05\"")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Decimal, E> {
        Decimal::new(&number.to_string())
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Decimal, E> {
        Decimal::new(&number.to_string())
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Decimal, E> {
        Decimal::new(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DecimalVisitor)
    }
}

impl JsonSchema for Decimal {
    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An integer, or a decimal number in quotes, so that it is kept exactly.",
            "anyOf": [
                { "type": "integer", "minimum": 0 },
                { "type": "string", "pattern": "^[0-9]{1,18}(\\.[0-9]{1,18})?$" }
            ]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_decimals() {
        for good in ["0", "30", "1.05", "007.10"] {
            assert_eq!(Decimal::new(good).unwrap().as_str(), good);
        }
        for bad in [
            "", "-1", "+1", "1.", ".5", "1e3", "1,5", " 1", "NaN", "1.2.3", "٣",
        ] {
            assert!(Decimal::new(bad).is_none(), "{bad}");
        }
    }
}
