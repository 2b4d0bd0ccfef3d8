// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outer levels of category labels: each name stands under (or beside) the run of categories that it heads, with
//! dividers between runs.

use super::axes::{Plot, Settled};
use super::model::{Axis, Chart};
use super::words;
use crate::display::Item;
use crate::geometry::Path;
use crate::layout::Layouter;
use crate::text::model::Align;

/// Names of one level: the first category that each heads, and the name.
pub type Level = Vec<(usize, String)>;

/// Levels that are drawn at most.
const MAX_LEVELS: usize = 6;

/// The outer levels of an axis, from the inside out.
#[must_use]
pub fn of(c: &Chart, axis: usize) -> &[Level] {
    let found = c
        .groups
        .iter()
        .filter(|g| g.axes.first() == Some(&Some(axis)))
        .flat_map(|g| &g.series)
        .map(|s| s.levels.as_slice())
        .find(|l| !l.is_empty())
        .unwrap_or_default();
    found.get(..found.len().min(MAX_LEVELS)).unwrap_or_default()
}

/// Room that one level takes across the axis.
#[must_use]
pub fn step(a: &Axis) -> f64 {
    a.text.size * 1.5
}

/// Draws the outer levels of a category axis; `depth` is the room that its own labels take.
pub fn draw(
    l: &mut Layouter<'_>,
    a: &Axis,
    s: &Settled,
    levels: &[Level],
    p: &Plot,
    depth: f64,
    out: &mut Vec<Item>,
) {
    let n = s.count.max(1);
    let total = depth + levels.len() as f64 * step(a);
    for (k, level) in levels.iter().enumerate() {
        let at = depth + k as f64 * step(a);
        for (i, (start, name)) in level.iter().enumerate() {
            let end = level.get(i + 1).map_or(n, |x| x.0).min(n);
            if *start >= end {
                continue;
            }
            let share = |v: usize| {
                let t = v as f64 / n as f64;
                if s.scale.reversed { 1.0 - t } else { t }
            };
            let (from, to) = (share(*start), share(end));
            head(l, a, s, (name, (from, to)), at, p, out);
            divide(l, a, s, from, total.min(at + step(a)), p, out);
            divide(l, a, s, to, total.min(at + step(a)), p, out);
        }
    }
}

fn head(
    l: &mut Layouter<'_>,
    a: &Axis,
    s: &Settled,
    (name, span): (&str, (f64, f64)),
    at: f64,
    p: &Plot,
    out: &mut Vec<Item>,
) {
    let mid = (span.0 + span.1) / 2.0;
    let long = (span.1 - span.0).abs() * if s.lying { p.rect.w } else { p.rect.h };
    let body = words::body(name, &a.text, Align::Center, true);
    let (_, h) = words::measure(l, &body, Some(long.max(1.0)));
    let (place, turn) = if s.lying {
        let (x, y) = p.point(mid, 0.0);
        ((x, y + at + step(a) / 2.0), 0.0)
    } else {
        let (x, y) = p.point(0.0, mid);
        ((x - at - step(a) / 2.0, y), -90.0)
    };
    words::put_body(l, &body, (long.max(1.0), h), place, (0.5, 0.5), turn, out);
}

fn divide(
    l: &mut Layouter<'_>,
    a: &Axis,
    s: &Settled,
    t: f64,
    reach: f64,
    p: &Plot,
    out: &mut Vec<Item>,
) {
    let Some(line) = &a.line else { return };
    let ends = if s.lying {
        let (x, y) = p.point(t, 0.0);
        [(x, y), (x, y + reach)]
    } else {
        let (x, y) = p.point(0.0, t);
        [(x, y), (x - reach, y)]
    };
    l.line_items(&Path::polyline(&ends), line, p.rect, 0.0, out);
}
