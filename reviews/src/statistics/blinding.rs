// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the blind held: the indices of Bang and of James, from the reviewers' guesses.
//!
//! A good guess can come from real quality too, which is why guesses are asked before scores and
//! why identical pairs are slipped in. The indices measure; the suite decides what they mean.

use serde::Serialize;

use super::double;

/// Guesses of the reviewers who had the candidate at one label, or of those who had it at the
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Guesses {
    /// Right guesses.
    pub right: usize,
    /// Wrong guesses.
    pub wrong: usize,
    /// Those who did not know.
    pub unknown: usize,
}

impl Guesses {
    fn all(self) -> usize {
        self.right + self.wrong + self.unknown
    }
}

/// Bang's index of one arm: 1 when all guess right, 0 at chance, -1 when all guess wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BangIndex {
    /// The index.
    pub index: f64,
    /// Its standard error.
    pub standard_error: f64,
}

/// Bang's index with "don't know" in the denominator (Bang, Ni and Davis 2004). `None` without
/// guesses.
#[must_use]
pub fn bang_index(guesses: Guesses) -> Option<BangIndex> {
    let all = guesses.all();
    if all == 0 {
        return None;
    }
    let (right, wrong) = (
        double(guesses.right) / double(all),
        double(guesses.wrong) / double(all),
    );
    let variance = right * (1.0 - right) + wrong * (1.0 - wrong) + 2.0 * right * wrong;
    Some(BangIndex {
        index: right - wrong,
        standard_error: libm::sqrt(variance.max(0.0) / double(all)),
    })
}

/// James's index over both arms: 1 when nobody knows, 0.5 at chance, 0 when all guess right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JamesIndex {
    /// The index.
    pub index: f64,
}

/// James's index with weights 0 for a right guess, 1/2 for a wrong one, 1 for "don't know"
/// (James, Bloch, Lee, Kraemer and Fuller 1996).
///
/// `None` without guesses. When nobody dares a guess the index is 1.
#[must_use]
pub fn james_index(arms: [Guesses; 2]) -> Option<JamesIndex> {
    let all = double(arms[0].all() + arms[1].all());
    if all == 0.0 {
        return None;
    }
    let unknown = double(arms[0].unknown + arms[1].unknown) / all;
    let known = 1.0 - unknown;
    if known <= 0.0 {
        return Some(JamesIndex { index: 1.0 });
    }
    // A wrong guess counts one half; a right one counts nothing.
    let observed = 0.5 * double(arms[0].wrong + arms[1].wrong) / all / known;
    let dared = |arm: Guesses| double(arm.right + arm.wrong) / all;
    // Those who guess what the other arm's right answer is, over both arms.
    let named_other = |own: Guesses, other: Guesses| double(own.wrong + other.right) / all;
    let expected = 0.5
        * (dared(arms[0]) * named_other(arms[0], arms[1])
            + dared(arms[1]) * named_other(arms[1], arms[0]))
        / (known * known);
    let agreement = if expected > 0.0 {
        (observed - expected) / expected
    } else {
        0.0
    };
    Some(JamesIndex {
        index: (1.0 + unknown + known * agreement) / 2.0,
    })
}
