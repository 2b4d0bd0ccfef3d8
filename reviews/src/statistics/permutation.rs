// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sign-flip test: if arms were alike, every difference could as well have the other sign.
//!
//! Differences are integers (scores, tokens, milliseconds; decimals scaled by the caller), so that
//! "as extreme as the one observed" is decided exactly.

use rand_chacha::rand_core::Rng;
use serde::Serialize;

use super::bootstrap::Resampling;
use super::double;

/// Up to this number of differences all signs are tried.
const EXACT_PAIRS: usize = 20;

/// The test's answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignFlip {
    /// Differences that are not nought; the others have no sign to flip.
    pub pairs: usize,
    /// Two-sided p: twice the smaller tail, at most 1.
    pub p: f64,
    /// Whether all signs were tried.
    pub exact: bool,
    /// Draws made when not; each counts, and so does the observation itself.
    pub draws: usize,
}

/// Tests whether the differences sum to nought but for chance.
///
/// `None` when a sum of absolute differences does not fit in 64 bits.
#[must_use]
pub fn sign_flip(differences: &[i64], resampling: Resampling) -> Option<SignFlip> {
    let kept: Vec<i64> = differences.iter().copied().filter(|d| *d != 0).collect();
    kept.iter()
        .try_fold(0_i64, |sum, d| sum.checked_add(d.checked_abs()?))?;
    let observed: i64 = kept.iter().sum();
    if kept.len() <= EXACT_PAIRS {
        let (low, high, all) = try_all(&kept, observed);
        let p = two_sided(low, high, all);
        return Some(SignFlip {
            pairs: kept.len(),
            p,
            exact: true,
            draws: 0,
        });
    }
    let (low, high) = draw(&kept, observed, resampling);
    let draws = resampling.draws;
    let p = two_sided(low + 1, high + 1, draws + 1);
    Some(SignFlip {
        pairs: kept.len(),
        p,
        exact: false,
        draws,
    })
}

fn two_sided(low: usize, high: usize, all: usize) -> f64 {
    (2.0 * double(low.min(high)) / double(all)).min(1.0)
}

/// How many sums are as low and as high as the observed one, in the order of a Gray code, where
/// one sign changes at a time.
fn try_all(kept: &[i64], observed: i64) -> (usize, usize, usize) {
    let all = 1_usize << kept.len();
    let mut signs: Vec<i64> = kept.to_vec();
    let mut sum = observed;
    let (mut low, mut high) = (0, 0);
    for step in 1..=all {
        low += usize::from(sum <= observed);
        high += usize::from(sum >= observed);
        if let Some(sign) = signs.get_mut(step.trailing_zeros() as usize) {
            sum -= 2 * *sign;
            *sign = -*sign;
        }
    }
    (low, high, all)
}

fn draw(kept: &[i64], observed: i64, resampling: Resampling) -> (usize, usize) {
    let mut rng = resampling.generator("sign flip");
    let (mut low, mut high) = (0, 0);
    for _ in 0..resampling.draws {
        let mut sum = 0_i64;
        for signs in kept.chunks(64) {
            let bits = rng.next_u64();
            let flipped = |at: usize| bits >> at & 1 == 1;
            sum += signs
                .iter()
                .enumerate()
                .map(|(at, d)| if flipped(at) { -d } else { *d })
                .sum::<i64>();
        }
        low += usize::from(sum <= observed);
        high += usize::from(sum >= observed);
    }
    (low, high)
}
