// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which slides a person asked for: `1,3-5` or `7-`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The highest slide number that anything here accepts.
pub const MAX_SLIDE: u32 = 100_000;

/// Slide numbers from 1, as sorted ranges that do not touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlideSelection {
    ranges: Vec<(u32, u32)>,
}

/// Why a selection could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// A part is neither a number nor a range.
    #[error(
        "slides {text:?}: found {part:?}, expected numbers from 1 or ranges, such as 1,3-5 or 7- (at most {MAX_SLIDE})"
    )]
    Part {
        /// The whole selection.
        text: String,
        /// What is wrong in it.
        part: String,
    },
    /// A range ends before it begins.
    #[error("slides {text:?}: found {first}-{last}, which runs backwards, expected {last}-{first}")]
    Backwards {
        /// The whole selection.
        text: String,
        /// Where the range begins.
        first: u32,
        /// Where it ends.
        last: u32,
    },
}

impl SlideSelection {
    /// Whether slide `number` (from 1) is asked for.
    #[must_use]
    pub fn contains(&self, number: u32) -> bool {
        self.ranges
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&number))
    }

    /// Whether a number or a range begins or ends beyond the last of `count` slides. An open range
    /// ends where the deck does.
    #[must_use]
    pub fn is_beyond(&self, count: u32) -> bool {
        self.ranges
            .iter()
            .any(|(first, last)| *first > count || (*last > count && *last != MAX_SLIDE))
    }

    /// The highest number asked for, `None` when a range is open.
    #[must_use]
    pub fn last(&self) -> Option<u32> {
        self.ranges
            .last()
            .map(|range| range.1)
            .filter(|last| *last != MAX_SLIDE)
    }
}

impl FromStr for SlideSelection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let whole = || text.to_owned();
        let range = |part: &str| match bounds(part.trim()) {
            None => Err(SelectionError::Part {
                text: whole(),
                part: part.to_owned(),
            }),
            Some((first, last)) if last < first => Err(SelectionError::Backwards {
                text: whole(),
                first,
                last,
            }),
            Some(range) => Ok(range),
        };
        let mut ranges = text.split(',').map(range).collect::<Result<Vec<_>, _>>()?;
        ranges.sort_unstable();
        Ok(Self {
            ranges: joined(ranges),
        })
    }
}

impl fmt::Display for SlideSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (first, last)) in self.ranges.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            match (first == last, *last == MAX_SLIDE) {
                (true, _) => write!(f, "{comma}{first}")?,
                (false, true) => write!(f, "{comma}{first}-")?,
                (false, false) => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// Where a range begins and ends, in whichever order it names them.
fn bounds(part: &str) -> Option<(u32, u32)> {
    Some(match part.split_once('-') {
        None => (number(part)?, number(part)?),
        Some((first, "")) => (number(first)?, MAX_SLIDE),
        Some((first, last)) => (number(first)?, number(last)?),
    })
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value: u32 = digits.then(|| text.parse().ok())??;
    (1..=MAX_SLIDE).contains(&value).then_some(value)
}

fn joined(sorted: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::with_capacity(sorted.len());
    for (first, last) in sorted {
        match ranges.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => ranges.push((first, last)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ranges_and_open_ranges() {
        let selection: SlideSelection = "5-6, 1,3-4,9-".parse().unwrap();
        let chosen: Vec<u32> = (1..=11).filter(|n| selection.contains(*n)).collect();
        assert_eq!(chosen, [1, 3, 4, 5, 6, 9, 10, 11]);
        assert_eq!(selection.to_string(), "1,3-6,9-");
        assert_eq!(selection.last(), None);
        assert_eq!("2,4".parse::<SlideSelection>().unwrap().last(), Some(4));
    }

    #[test]
    fn what_a_deck_has_not_got_is_noticed() {
        let beyond = |text: &str| text.parse::<SlideSelection>().unwrap().is_beyond(5);
        assert!(["2,9", "6", "4-6", "1,7-"].into_iter().all(beyond));
        assert!(!["5", "1-5", "2,5-", "1-"].into_iter().any(beyond));
    }

    #[test]
    fn nonsense_is_refused_with_the_part_named() {
        for (text, part) in [
            ("", "\"\""),
            ("0", "\"0\""),
            ("1,,2", "\"\""),
            ("3-1", "3-1"),
            ("-3", "-3"),
            ("+1", "+1"),
            ("1-x", "1-x"),
            ("999999", "999999"),
            ("1 2", "1 2"),
        ] {
            let error = text.parse::<SlideSelection>().unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }
}
