// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clusters to lines: greedy, spaces hang, tabs jump to stops, words longer than a line are cut.

use std::ops::Range;

use super::model::TabKind;
use super::shape::Cluster;

/// One line of clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The clusters, hanging spaces and the break included.
    pub range: Range<usize>,
    /// The end of what is seen.
    pub seen: usize,
    /// Width of what is seen, in points.
    pub width: f64,
    /// Whether it ends with a break or the paragraph.
    pub last: bool,
}

/// Where tabs jump.
#[derive(Debug, Clone)]
pub struct Stops {
    /// Own stops in points from the box's left, ordered.
    pub own: Vec<(f64, TabKind)>,
    /// Distance of the default stops in points.
    pub default: f64,
}

impl Stops {
    /// The stop after a position.
    #[must_use]
    pub fn after(&self, x: f64) -> (f64, TabKind) {
        if let Some(s) = self.own.iter().find(|s| s.0 > x + 0.01) {
            return *s;
        }
        let d = self.default.max(1.0);
        (((x + 0.01) / d).floor() * d + d, TabKind::Left)
    }
}

/// Cuts into lines. `room` gives start and width of the first and of further lines in points; `f64::INFINITY` never wraps.
/// Tabs get their width here.
#[must_use]
pub fn lines(
    clusters: &mut [Cluster],
    first: (f64, f64),
    rest: (f64, f64),
    stops: &Stops,
) -> Vec<Line> {
    let mut out = Vec::new();
    let mut from = 0;
    while from < clusters.len() {
        let (start, width) = if out.is_empty() { first } else { rest };
        let line = one(clusters, from, start, width, stops);
        from = line.range.end.max(from + 1);
        out.push(line);
    }
    if let Some(l) = out.last_mut() {
        l.last = true;
    }
    out
}

fn one(clusters: &mut [Cluster], from: usize, start: f64, width: f64, stops: &Stops) -> Line {
    let mut x = 0.0;
    let mut candidate: Option<usize> = None;
    let mut i = from;
    while i < clusters.len() {
        if clusters.get(i).is_some_and(|c| c.ch == '\t') {
            tab(clusters, i, x, start, stops);
        }
        let Some(c) = clusters.get(i) else { break };
        if i > from && c.break_before {
            candidate = Some(i);
        }
        if c.is_break() {
            return finish(clusters, from..i + 1, true);
        }
        x += c.advance;
        if x > width + 0.01 && !c.is_space() && i > from {
            let end = candidate.unwrap_or(i);
            return finish(clusters, from..end, false);
        }
        i += 1;
    }
    finish(clusters, from..clusters.len(), true)
}

/// Sets a tab's width from the stop after it and the text up to the next tab.
fn tab(clusters: &mut [Cluster], at: usize, x: f64, start: f64, stops: &Stops) {
    let (stop, kind) = stops.after(start + x);
    let text: Vec<&Cluster> = clusters
        .iter()
        .skip(at + 1)
        .take_while(|c| c.ch != '\t' && !c.is_break())
        .collect();
    let whole: f64 = text.iter().map(|c| c.advance).sum();
    let back = match kind {
        TabKind::Left => 0.0,
        TabKind::Center => whole / 2.0,
        TabKind::Right => whole,
        TabKind::Decimal => text
            .iter()
            .take_while(|c| c.ch != '.' && c.ch != ',')
            .map(|c| c.advance)
            .sum(),
    };
    if let Some(c) = clusters.get_mut(at) {
        c.advance = (stop - start - x - back).max(0.0);
    }
}

fn finish(clusters: &[Cluster], range: Range<usize>, last: bool) -> Line {
    let part = clusters.get(range.clone()).unwrap_or_default();
    let hidden = part
        .iter()
        .rev()
        .take_while(|c| c.is_space() || c.is_break())
        .count();
    let seen = part.len() - hidden;
    let width = part.iter().take(seen).map(|c| c.advance).sum();
    Line {
        seen: range.start + seen,
        range,
        width,
        last,
    }
}

/// The visual order of a line's clusters by their bidi levels (UAX 9, rule L2).
#[must_use]
pub fn visual_order(clusters: &[Cluster], range: Range<usize>) -> Vec<usize> {
    let level = |i: &usize| clusters.get(*i).map_or(0, |c| c.level);
    let mut order: Vec<usize> = range.collect();
    let max = order.iter().map(level).max().unwrap_or(0);
    for l in (1..=max).rev() {
        let mut i = 0;
        while i < order.len() {
            let end = i + order.iter().skip(i).take_while(|k| level(k) >= l).count();
            if let Some(part) = order.get_mut(i..end) {
                part.reverse();
            }
            i = end.max(i + 1);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::select::Choice;

    fn cluster(ch: char, break_before: bool) -> Cluster {
        let choice = Choice {
            face: 0,
            width: 1.0,
            height: 1.0,
            embolden: false,
            slant: false,
        };
        Cluster {
            ch,
            run: 0,
            advance: 10.0,
            size: 10.0,
            choice,
            glyphs: Vec::new(),
            break_before,
            level: 0,
        }
    }

    fn word(text: &str) -> Vec<Cluster> {
        let mut before = ' ';
        let mut out = Vec::new();
        for c in text.chars() {
            out.push(cluster(c, before == ' ' && c != ' '));
            before = c;
        }
        out
    }

    const STOPS: Stops = Stops {
        own: Vec::new(),
        default: 72.0,
    };

    #[test]
    fn spaces_hang_beyond_the_edge() {
        let mut c = word("ab cd");
        let l = lines(&mut c, (0.0, 20.0), (0.0, 20.0), &STOPS);
        assert_eq!(l.len(), 2);
        assert_eq!((l[0].range.clone(), l[0].seen, l[0].width), (0..3, 2, 20.0));
    }

    #[test]
    fn a_word_longer_than_the_line_is_cut() {
        let mut c = word("abcdef");
        let l = lines(&mut c, (0.0, 25.0), (0.0, 25.0), &STOPS);
        assert_eq!(
            l.iter().map(|l| l.range.len()).collect::<Vec<_>>(),
            [2, 2, 2]
        );
    }

    #[test]
    fn a_tab_reaches_the_next_stop() {
        let mut c = word("a\tb");
        let _ = lines(&mut c, (0.0, 500.0), (0.0, 500.0), &STOPS);
        assert_eq!(c[1].advance, 62.0);
    }

    #[test]
    fn right_to_left_runs_are_reversed() {
        let mut c = word("abc");
        c[1].level = 1;
        c[2].level = 1;
        assert_eq!(visual_order(&c, 0..3), [0, 2, 1]);
    }
}
