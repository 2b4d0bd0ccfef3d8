// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bars and columns: clustered, stacked, and as shares.

use super::axes::Plot;
use super::labels;
use super::model::{Chart, Grouping, Kind, Series, SeriesGroup};
use super::{extras, frame};
use crate::color::Color;
use crate::display::Item;
use crate::geometry::Rect;
use crate::layout::Layouter;
use crate::tree::Fill;

/// Draws a group of bars; labels go to `text`.
pub fn draw(
    l: &mut Layouter<'_>,
    _: &Chart,
    g: &SeriesGroup,
    p: &Plot,
    out: &mut Vec<Item>,
    text: &mut Vec<Item>,
) {
    let Kind::Bar {
        horizontal,
        gap,
        overlap,
    } = g.kind
    else {
        return;
    };
    let [Some(cat), Some(val)] = g.axes else {
        return;
    };
    let (Some(cat), Some(val)) = (p.axes.get(cat), p.axes.get(val)) else {
        return;
    };
    let n = cat.count.max(1);
    let clustered = g.grouping == Grouping::Plain;
    let per = if clustered { g.series.len().max(1) } else { 1 };
    // One slot holds the bars of a category and the gap; all in fractions of the axis.
    let slot = 1.0 / n as f64;
    let bars = per as f64 - (per as f64 - 1.0) * if clustered { overlap } else { 0.0 };
    let width = slot / (bars + gap).max(0.01);
    let zero = val.scale.at(0.0f64.clamp(val.scale.min, val.scale.max));
    for i in 0..n {
        let (mut up, mut down) = (0.0, 0.0);
        let total: f64 = g
            .series
            .iter()
            .filter_map(|s| s.values.get(i).copied().flatten())
            .map(f64::abs)
            .sum();
        for (k, s) in g.series.iter().enumerate() {
            let Some(v) = s.values.get(i).copied().flatten() else {
                continue;
            };
            let shown = if g.grouping == Grouping::Percent && total > 0.0 {
                v / total
            } else {
                v
            };
            let (from, to) = if clustered {
                (zero, val.scale.at(shown))
            } else {
                let base = if shown >= 0.0 { &mut up } else { &mut down };
                let from = *base;
                *base += shown;
                (val.scale.at(from), val.scale.at(*base))
            };
            let (from, to) = (from.clamp(0.0, 1.0), to.clamp(0.0, 1.0));
            let place = if clustered {
                k as f64 * width * (1.0 - overlap)
            } else {
                0.0
            };
            let mut start = cat.category(i as f64) - bars * width / 2.0 + place;
            if cat.scale.reversed {
                start = cat.category(i as f64) + bars * width / 2.0 - place - width;
            }
            let r = rect(p, horizontal, start, width, from, to);
            bar(l, s, i, v, r, out);
            label(l, s, (i, v), r, (horizontal, v >= 0.0, clustered), text);
        }
    }
    for (k, s) in g.series.iter().enumerate() {
        let at = |i: f64| {
            let place = if clustered {
                k as f64 * width * (1.0 - overlap) + width / 2.0 - bars * width / 2.0
            } else {
                0.0
            };
            cat.category(i) + if cat.scale.reversed { -place } else { place }
        };
        extras::errors(l, s, p, &at, val, horizontal, out);
        extras::trends(l, s, p, &|x| at(x - 1.0), val, horizontal, out);
    }
}

fn rect(p: &Plot, horizontal: bool, start: f64, width: f64, from: f64, to: f64) -> Rect {
    let (lo, hi) = (from.min(to), from.max(to));
    let (a, b) = if horizontal {
        (p.point(lo, start + width), p.point(hi, start))
    } else {
        (p.point(start, hi), p.point(start + width, lo))
    };
    Rect::new(a.0, a.1, b.0 - a.0, b.1 - a.1)
}

fn bar(l: &mut Layouter<'_>, s: &Series, i: usize, v: f64, r: Rect, out: &mut Vec<Item>) {
    let point = s.points.get(&i);
    let mut fill = point
        .and_then(|p| p.fill.clone())
        .unwrap_or_else(|| s.fill.clone());
    if s.invert && v < 0.0 && point.is_none() {
        fill = Fill::Solid(Color::WHITE);
    }
    let line = point
        .and_then(|p| p.line.clone())
        .unwrap_or_else(|| s.line.clone());
    frame::panel(l, &fill, line.as_ref(), r, out);
}

fn label(
    l: &mut Layouter<'_>,
    s: &Series,
    point: (usize, f64),
    r: Rect,
    how: (bool, bool, bool),
    out: &mut Vec<Item>,
) {
    let Some(label) = labels::of(s, point.0, point.1, None) else {
        return;
    };
    let (horizontal, positive, clustered) = how;
    let (cx, cy) = r.centre();
    let g = labels::GAP;
    let default = if clustered { "outEnd" } else { "ctr" };
    let place = label.position.clone().unwrap_or_else(|| default.to_owned());
    let end = if horizontal {
        if positive { r.right() } else { r.x }
    } else if positive {
        r.y
    } else {
        r.bottom()
    };
    let base = if horizontal {
        if positive { r.x } else { r.right() }
    } else if positive {
        r.bottom()
    } else {
        r.y
    };
    // Outwards is right for lying bars and up for columns.
    let out_dir = if horizontal == positive { 1.0 } else { -1.0 };
    let (at, hang) = match place.as_str() {
        "outEnd" => (end + out_dir * g, if out_dir > 0.0 { 0.0 } else { 1.0 }),
        // Falling columns of a waterfall carry their label at the foot.
        "below" => (base - out_dir * g, if out_dir > 0.0 { 1.0 } else { 0.0 }),
        "inEnd" => (end - out_dir * g, if out_dir > 0.0 { 1.0 } else { 0.0 }),
        "inBase" => (base + out_dir * g, if out_dir > 0.0 { 0.0 } else { 1.0 }),
        _ => (if horizontal { cx } else { cy }, 0.5),
    };
    if horizontal {
        labels::put(l, &label, (at, cy), (hang, 0.5), out)
    } else {
        labels::put(l, &label, (cx, at), (0.5, hang), out)
    }
}
