// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tokens cost, by the prices that a suite states: exact, in whole quadrillionths.

use std::fmt;

use crate::experiment::records::Usage;
use crate::suite::{Decimal, Price, Suite};

/// Digits after the point that a price may have.
const PRICE_DIGITS: u32 = 9;
/// Parts of one unit of currency: a price's parts, for one of a million tokens.
const PARTS: u128 = 10_u128.pow(PRICE_DIGITS + 6);

/// An amount of money in the suite's currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money(u128);

impl Money {
    /// An amount as the suite writes it; `None` when it has more than 9 digits on a side of the point.
    #[must_use]
    pub fn read(amount: &Decimal) -> Option<Self> {
        Some(Self(billionths(amount)?.checked_mul(1_000_000)?))
    }

    /// What `tokens` cost at `price` for a million.
    fn of(tokens: u64, price: &Decimal) -> Option<Self> {
        u128::from(tokens).checked_mul(billionths(price)?).map(Self)
    }

    /// Both together; `None` when that is more than can be counted.
    #[must_use]
    pub fn plus(self, more: Self) -> Option<Self> {
        self.0.checked_add(more.0).map(Self)
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, parts) = (self.0 / PARTS, self.0 % PARTS);
        let digits = format!("{parts:015}");
        let digits = digits.trim_end_matches('0');
        // Two digits at least, as money is written.
        write!(f, "{whole}.{digits:0<2}")
    }
}

fn billionths(amount: &Decimal) -> Option<u128> {
    let (whole, fraction) = amount
        .as_str()
        .split_once('.')
        .unwrap_or((amount.as_str(), ""));
    let whole = whole.trim_start_matches('0');
    let most = PRICE_DIGITS as usize;
    if whole.len() > most || fraction.len() > most {
        return None;
    }
    format!("0{whole}{fraction:0<most$}").parse().ok()
}

/// The price of `model` in `suite`.
#[must_use]
pub fn price<'a>(suite: &'a Suite, model: Option<&str>) -> Option<&'a Price> {
    let model = model?;
    suite.price.iter().find(|price| price.model.get() == model)
}

/// What `usage` of `model` costs. Unknown when the price or a figure that it needs is.
#[must_use]
pub fn of(suite: &Suite, model: Option<&str>, usage: &Usage) -> Option<Money> {
    let price = price(suite, model)?;
    let (input, output) = (usage.input_tokens?, usage.output_tokens?);
    let read = match &price.cached_input_per_million {
        None => Money::of(input, &price.input_per_million)?,
        Some(cached_price) => {
            let cached = usage.cached_input_tokens?;
            let fresh = Money::of(input.checked_sub(cached)?, &price.input_per_million)?;
            fresh.plus(Money::of(cached, cached_price)?)?
        }
    };
    read.plus(Money::of(output, &price.output_per_million)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::new(text).unwrap()
    }

    #[test]
    fn amounts_are_exact() {
        let one = Money::of(3, &decimal("0.1")).unwrap();
        assert_eq!(one.to_string(), "0.0000003");
        let million = Money::of(1_000_000, &decimal("1.25")).unwrap();
        assert_eq!(million, Money::read(&decimal("1.25")).unwrap());
        assert_eq!(million.to_string(), "1.25");
        assert_eq!(Money::read(&decimal("007")).unwrap().to_string(), "7.00");
        let smallest = Money::of(1, &decimal("0.000000001")).unwrap();
        assert_eq!(smallest.to_string(), "0.000000000000001");
    }

    #[test]
    fn refuses_what_it_cannot_count() {
        assert!(Money::read(&decimal("1234567890")).is_none());
        assert!(Money::read(&decimal("0.1234567891")).is_none());
        let most = Money(u128::MAX);
        assert!(most.plus(Money(1)).is_none());
    }
}
