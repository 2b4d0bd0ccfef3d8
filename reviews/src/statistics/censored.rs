// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times of trials that ran into the limit: "at least so long", never a number to be averaged.

use std::cmp::Ordering;

use serde::Serialize;

/// How long a trial lasted, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasted {
    /// It ended by itself.
    Finished(u64),
    /// It was stopped at its limit.
    Censored(u64),
}

/// Which of two lasted longer; `None` when nobody can know.
///
/// A stopped trial lasted longer than anything that finished by the time it was stopped. Two
/// stopped ones, and a stopped one against a later finish, cannot be compared.
#[must_use]
pub fn compare_lasted(first: Lasted, second: Lasted) -> Option<Ordering> {
    match (first, second) {
        (Lasted::Finished(a), Lasted::Finished(b)) => Some(a.cmp(&b)),
        (Lasted::Censored(a), Lasted::Finished(b)) if b <= a => Some(Ordering::Greater),
        (Lasted::Finished(a), Lasted::Censored(b)) if a <= b => Some(Ordering::Less),
        _ => None,
    }
}

/// The median of times some of which are only known from below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CensoredMedian {
    /// Twice the median, in milliseconds, so that the mean of two integers is one.
    TwiceExactly(u64),
    /// Twice a time that the median reaches or exceeds.
    TwiceAtLeast(u64),
}

/// The median, exact when no stopped trial can lie below it. `None` of no times.
///
/// Taking each stopped trial at its limit gives the least that the median can be; that is the
/// median itself when every stopped one stands in the upper half.
#[must_use]
pub fn median_lasted(times: &[Lasted]) -> Option<CensoredMedian> {
    let mut sorted: Vec<(u64, bool)> = times
        .iter()
        .map(|time| match time {
            Lasted::Finished(time) => (*time, false),
            Lasted::Censored(time) => (*time, true),
        })
        .collect();
    sorted.sort_unstable();
    let upper = sorted.len() / 2;
    let (low, high) = (
        sorted.get(sorted.len().checked_sub(1)? / 2)?,
        sorted.get(upper)?,
    );
    let twice = low.0.saturating_add(high.0);
    let open = sorted.iter().take(upper + 1).any(|(_, censored)| *censored);
    Some(if open {
        CensoredMedian::TwiceAtLeast(twice)
    } else {
        CensoredMedian::TwiceExactly(twice)
    })
}

#[cfg(test)]
mod tests {
    use super::CensoredMedian::{TwiceAtLeast, TwiceExactly};
    use super::Lasted::{Censored, Finished};
    use super::*;

    #[test]
    fn a_stopped_trial_is_the_longest_that_is_known() {
        assert_eq!(
            compare_lasted(Censored(10), Finished(10)),
            Some(Ordering::Greater)
        );
        assert_eq!(
            compare_lasted(Finished(9), Censored(10)),
            Some(Ordering::Less)
        );
        assert_eq!(compare_lasted(Finished(11), Censored(10)), None);
        assert_eq!(compare_lasted(Censored(9), Censored(10)), None);
        assert_eq!(
            compare_lasted(Finished(2), Finished(2)),
            Some(Ordering::Equal)
        );
    }

    #[test]
    fn the_median_is_exact_while_stopped_trials_lie_above() {
        for (times, expected) in [
            (&[][..], None),
            (&[Finished(3)][..], Some(TwiceExactly(6))),
            (&[Censored(3)][..], Some(TwiceAtLeast(6))),
            (
                &[Finished(1), Finished(2), Censored(9)][..],
                Some(TwiceExactly(4)),
            ),
            (&[Finished(1), Censored(9)][..], Some(TwiceAtLeast(10))),
            (
                &[Finished(5), Censored(1), Finished(7)][..],
                Some(TwiceAtLeast(10)),
            ),
            (
                &[Finished(1), Finished(4), Finished(6), Censored(6)][..],
                Some(TwiceExactly(10)),
            ),
        ] {
            assert_eq!(median_lasted(times), expected, "{times:?}");
        }
    }
}
