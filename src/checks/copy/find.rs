// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a required text stands on a slide: in whole lines of visible blocks, or in lines that required texts fill
//! from end to end.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::checks::text::lines;
use deckproof_renderers::facts::{Rect, SlideFacts};

/// Places of one text that are looked at.
const MAX_PLACEMENTS: usize = 200;
/// Words of a line beyond which it is taken as a whole alone.
const MAX_WORDS: usize = 400;

/// One place where a text stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placement {
    /// The block, in document order.
    pub(super) block: usize,
    /// Words of the block, counted over its lines.
    pub(super) words: Range<usize>,
    /// The slice of the block's box that the words take up, roughly.
    pub(super) rect: Rect,
}

impl Placement {
    /// Whether the two share a word.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.block == other.block
            && self.words.start < other.words.end
            && other.words.start < self.words.end
    }
}

/// A line with its place in its block.
struct Line<'a> {
    words: Vec<&'a str>,
    /// How many words of the block stand before it.
    before: usize,
    rect: Rect,
}

/// The visible text of a slide, ready to be asked.
pub(super) struct Finder<'a> {
    /// The lines of each visible block.
    blocks: Vec<Vec<Line<'a>>>,
    /// Places inside of lines that required texts fill together, by text.
    parts: BTreeMap<String, Vec<Placement>>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(slide: &'a SlideFacts, required: &[String]) -> Self {
        let visible = slide.texts.iter().filter(|text| text.visible);
        let blocks: Vec<Vec<Line<'a>>> =
            visible.map(|text| block(lines(text), text.rect)).collect();
        let mut parts: BTreeMap<String, Vec<Placement>> = BTreeMap::new();
        let required: Vec<Vec<&str>> = required
            .iter()
            .map(|text| text.split(' ').collect())
            .collect();
        for (at, lines) in blocks.iter().enumerate() {
            for line in lines {
                for (range, text) in fill(&line.words, &required) {
                    let words = line.before + range.start..line.before + range.end;
                    let rect = slice_across(line.rect, &range, line.words.len());
                    parts.entry(text).or_default().push(Placement {
                        block: at,
                        words,
                        rect,
                    });
                }
            }
        }
        Self { blocks, parts }
    }

    /// All places of a text, in document order.
    pub(super) fn placements(&self, text: &str) -> Vec<Placement> {
        let wanted: Vec<&str> = text.split(' ').collect();
        let mut found = self.parts.get(text).cloned().unwrap_or_default();
        for (at, lines) in self.blocks.iter().enumerate() {
            for first in 0..lines.len() {
                if let Some((words, rect)) = whole_lines(lines, first, &wanted) {
                    found.push(Placement {
                        block: at,
                        words,
                        rect,
                    });
                }
            }
        }
        found.sort_by_key(|placement| (placement.block, placement.words.start));
        found.dedup();
        found.truncate(MAX_PLACEMENTS);
        found
    }
}

fn block(lines: Vec<Vec<&str>>, rect: Rect) -> Vec<Line<'_>> {
    let count = lines.len();
    let mut before = 0;
    let mut block = Vec::with_capacity(count);
    for (words, at) in lines.into_iter().zip(0..) {
        let start = before;
        before += words.len();
        block.push(Line {
            words,
            before: start,
            rect: slice_down(rect, at, count),
        });
    }
    block
}

/// The words and the box of the lines from `first` on that together are exactly `wanted`.
fn whole_lines(lines: &[Line<'_>], first: usize, wanted: &[&str]) -> Option<(Range<usize>, Rect)> {
    let mut rest = wanted;
    let mut rect: Option<Rect> = None;
    let start = lines.get(first)?.before;
    for line in lines.get(first..)? {
        rest = rest.strip_prefix(line.words.as_slice())?;
        rect = Some(rect.map_or(line.rect, |rect| union(rect, line.rect)));
        if rest.is_empty() {
            return Some((start..start + wanted.len(), rect?));
        }
    }
    None
}

/// The ways in which two or more required texts fill a line from end to end: each text's words in it.
fn fill(line: &[&str], required: &[Vec<&str>]) -> Vec<(Range<usize>, String)> {
    if line.len() < 2 || line.len() > MAX_WORDS {
        return Vec::new();
    }
    let fits = |at: usize, text: &[&str]| line.get(at..).is_some_and(|rest| rest.starts_with(text));
    // Which places can be reached from the start, and from which places the end can be reached.
    let mut from_start = vec![false; line.len() + 1];
    let mut to_end = vec![false; line.len() + 1];
    if let (Some(first), Some(last)) = (from_start.first_mut(), to_end.last_mut()) {
        (*first, *last) = (true, true);
    }
    for at in 0..line.len() {
        if from_start.get(at) == Some(&true) {
            for text in required.iter().filter(|text| fits(at, text)) {
                mark(&mut from_start, at + text.len());
            }
        }
    }
    for at in (0..line.len()).rev() {
        if required
            .iter()
            .any(|text| fits(at, text) && to_end.get(at + text.len()) == Some(&true))
        {
            mark(&mut to_end, at);
        }
    }
    let mut found = Vec::new();
    for at in (0..line.len()).filter(|at| from_start.get(*at) == Some(&true)) {
        for text in required
            .iter()
            .filter(|text| fits(at, text) && text.len() < line.len())
        {
            if to_end.get(at + text.len()) == Some(&true) {
                found.push((at..at + text.len(), text.join(" ")));
            }
        }
    }
    found.sort_by_key(|(words, _)| (words.start, words.end));
    found.dedup();
    found
}

fn mark(places: &mut [bool], at: usize) {
    if let Some(place) = places.get_mut(at) {
        *place = true;
    }
}

fn share(length: i64, part: usize, whole: usize) -> i64 {
    let (part, whole) = (
        i128::try_from(part).unwrap_or(0),
        i128::try_from(whole.max(1)).unwrap_or(1),
    );
    i64::try_from(i128::from(length) * part / whole).unwrap_or(0)
}

/// The line `at` of `count` of a block's box.
fn slice_down(rect: Rect, at: usize, count: usize) -> Rect {
    let (top, bottom) = (
        share(rect.height, at, count),
        share(rect.height, at + 1, count),
    );
    Rect {
        y: rect.y.saturating_add(top),
        height: bottom - top,
        ..rect
    }
}

/// The words of `count` of a line's box.
fn slice_across(rect: Rect, words: &Range<usize>, count: usize) -> Rect {
    let (left, right) = (
        share(rect.width, words.start, count),
        share(rect.width, words.end, count),
    );
    Rect {
        x: rect.x.saturating_add(left),
        width: right - left,
        ..rect
    }
}

fn union(a: Rect, b: Rect) -> Rect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    Rect {
        x,
        y,
        width: a.right().max(b.right()) - x,
        height: a.bottom().max(b.bottom()) - y,
    }
}
