// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statistics beside the verdict. None of them gates unless the sealed suite says so.
//!
//! Counts are exact where a distribution allows it; what must be drawn at random is drawn from
//! ChaCha20 with a seed that goes into the evidence; sums run in the order given; transcendental
//! functions are those of `libm`, in software, wherever a figure depends on them. A figure is shown
//! with [`shown`], whose six digits are the same on every machine.
//!
//! Every test here is about pairs: candidate against baseline on the same case. A figure that
//! cannot be computed from the data given is `None`, never nought.

mod agreement;
mod blinding;
mod bootstrap;
mod censored;
mod distribution;
mod families;
mod permutation;
mod power;
mod ratio;
mod seats;
mod signs;
mod wilcoxon;

pub use agreement::{Level, Weighting, cohen_kappa, krippendorff_alpha};
pub use blinding::{BangIndex, Guesses, JamesIndex, bang_index, james_index};
pub use bootstrap::{Interval, Resampling, bca_interval, cluster_bootstrap};
pub use censored::{CensoredMedian, Lasted, compare_lasted, median_lasted};
pub use distribution::{binomial_interval, normal_cdf, normal_quantile};
pub use families::holm;
pub use permutation::{SignFlip, sign_flip};
pub use power::{detectable_ratio, detectable_win_probability};
pub use ratio::{Cluster, NonInferiority, RatioEstimate, geometric_mean_ratio, non_inferiority};
pub use seats::{FlipRate, SeatEffect, flip_rate, seat_effect};
pub use signs::{McNemar, SignTest, mcnemar, sign_test};
pub use wilcoxon::{Wilcoxon, Zeros, hodges_lehmann, wilcoxon};

/// A statistic for people and for reports: six significant digits, in plain decimals where they
/// are short.
///
/// Differences in the last bits of a double, which machines may have, do not reach the text.
#[must_use]
pub fn shown(value: f64) -> String {
    if !value.is_finite() {
        return "unknown".to_owned();
    }
    let scientific = format!("{value:.5e}");
    let rounded: f64 = scientific.parse().unwrap_or(value);
    // Minus nought is nought.
    let rounded = rounded + 0.0;
    if rounded != 0.0 && !(1e-4..1e15).contains(&rounded.abs()) {
        return format!("{rounded:e}");
    }
    rounded.to_string()
}

/// Counts as doubles. Every count here is far below 2^53.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of trials are far below 2^53"
)]
pub(crate) fn double(count: usize) -> f64 {
    count as f64
}

/// The mean in the order given; `None` of no values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / double(values.len()))
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn six_digits_are_shown() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (0.123_456_78, "0.123457"),
            (12_345_678.0, "12345700"),
            (0.000_012_345_678, "1.23457e-5"),
            (f64::NAN, "unknown"),
            (0.1 + 0.2, "0.3"),
        ] {
            assert_eq!(shown(value), text);
        }
    }
}
