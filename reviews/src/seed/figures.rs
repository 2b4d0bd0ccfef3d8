// SPDX-License-Identifier: MIT OR Apache-2.0
//! The figures that a seed summary shows: doubles, rounded as the seed's own tool rounds them.
//!
//! They are for display. The verdict comes from [`crate::gates`], which never sees them.

/// The percentage that `candidate` saves of `baseline`, to one decimal.
pub(super) fn improvement_percent(baseline: u64, candidate: u64) -> f64 {
    round(
        (double(baseline) - double(candidate)) / double(baseline) * 100.0,
        1,
    )
}

/// `first / second`, to four decimals.
pub(super) fn ratio(first: u64, second: u64) -> f64 {
    round(double(first) / double(second), 4)
}

/// The median of rounded figures, rounded again to one decimal. Nought of no figures.
pub(super) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
    if sorted.len() % 2 == 1 || sorted.is_empty() {
        return round(upper, 1);
    }
    let lower = sorted
        .get(sorted.len() / 2 - 1)
        .copied()
        .unwrap_or_default();
    round((lower + upper) / 2.0, 1)
}

/// Counts are at most 2^53, which doubles hold exactly.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts are read with a limit of 2^53"
)]
fn double(count: u64) -> f64 {
    count as f64
}

/// Rounds the double's exact value, a tie to the even digit, and gives the nearest double. That is
/// what formatting with a precision does.
fn round(value: f64, places: usize) -> f64 {
    if !value.is_finite() {
        return value;
    }
    if let Some(rounded) = rounded_quickly(value, places) {
        return rounded;
    }
    format!("{value:.places$}").parse().unwrap_or(value)
}

/// The same where the product by a power of ten, off by less than a thousandth, is far from a tie:
/// then the nearest whole number is known, and its quotient is the nearest double.
fn rounded_quickly(value: f64, places: usize) -> Option<f64> {
    let scale = [1.0, 10.0, 100.0, 1000.0, 10_000.0].get(places)?;
    let scaled = value * scale;
    let whole = scaled.round();
    let from_tie = (scaled - whole).abs();
    // Nought has a sign that the quotient would lose or keep as it likes.
    let plain = whole != 0.0 && whole.abs() < 1e9 && from_tie < 0.499;
    plain.then(|| whole / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_way_rounds_as_formatting_does() {
        let mut checked = 0;
        for first in 1..400_u64 {
            for second in 1..400_u64 {
                let value = double(first * 997) / double(second * 1009) - 0.7;
                for places in [1, 4] {
                    let slow: f64 = format!("{value:.places$}").parse().unwrap();
                    if let Some(quick) = rounded_quickly(value, places) {
                        assert_eq!(quick.to_bits(), slow.to_bits(), "{value} {places}");
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 200_000);
        assert_eq!(rounded_quickly(0.25, 1), None);
    }

    #[test]
    #[expect(
        clippy::float_cmp,
        reason = "the figures must be these doubles exactly"
    )]
    fn rounds_doubles_as_they_are() {
        // Values of Python 3.11: round(x, n).
        assert_eq!(round(2.675, 2), 2.67);
        assert_eq!(round(0.25, 1), 0.2);
        assert_eq!(round(0.35, 1), 0.3);
        assert_eq!(round(1e22, 1), 1e22);
        assert!(round(-0.04, 1).is_sign_negative());
        assert_eq!(ratio(1, 3), 0.3333);
        assert_eq!(improvement_percent(10_000, 7_004), 30.0);
        assert_eq!(median(&[1.0, 2.0, 4.0]), 2.0);
        assert_eq!(median(&[0.3, 0.4]), 0.3);
    }
}
