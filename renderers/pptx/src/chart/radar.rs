// SPDX-License-Identifier: MIT OR Apache-2.0
//! Radar charts.

use super::model::{Chart, Kind};
use super::scale::settle;
use super::{axes, lines, number, words};
use crate::display::Item;
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;

/// Room for the name of a corner beside it, besides the name's width, in points, measured on PowerPoint's pictures.
const BESIDE: f64 = 10.0;

/// The direction of a corner, from the top clockwise, in radians.
fn turn(corner: usize, of: usize) -> f64 {
    (corner as f64 / of as f64 * 360.0 - 90.0).to_radians()
}

/// Draws a radar chart in a rectangle.
pub fn draw(l: &mut Layouter<'_>, c: &Chart, area: Rect, out: &mut Vec<Item>) {
    let Some(g) = c.groups.iter().find(|g| matches!(g.kind, Kind::Radar(_))) else {
        return;
    };
    let n = g.series.iter().map(|s| s.values.len()).max().unwrap_or(0);
    let Some(axis) = g.axes.get(1).copied().flatten().and_then(|i| c.axes.get(i)) else {
        return;
    };
    if n < 2 {
        return;
    }
    let values = || {
        g.series
            .iter()
            .flat_map(|s| s.values.iter().flatten().copied())
    };
    let (lo, hi) = (
        values().fold(0.0, f64::min),
        values().fold(f64::NEG_INFINITY, f64::max),
    );
    let text = g
        .axes
        .first()
        .copied()
        .flatten()
        .and_then(|i| c.axes.get(i))
        .map_or(&c.text, |a| &a.text);
    let names = g.series.iter().map(|s| &s.categories);
    let names = names.max_by_key(|c| c.len());
    let mut radius = area.h / 2.0 - text.size * 1.65;
    for i in 0..n {
        let name = names.and_then(|names| names.get(i));
        let aside = turn(i, n).cos().abs();
        if let Some(name) = name.filter(|_| aside > 0.01) {
            let (width, _) = words::size(l, name, text, None);
            let room = area.w / 2.0 - width * (1.0 + aside) / 2.0;
            radius = radius.min(room / aside - BESIDE);
        }
    }
    let radius = radius.max(4.0);
    let s = settle(axis, lo, hi, 5.0, false);
    let (cx, cy) = area.centre();
    let on = |i: usize, t: f64| {
        let a = turn(i, n);
        (cx + radius * t * a.cos(), cy + radius * t * a.sin())
    };
    let ring = |t: f64| Path::polygon(&(0..n).map(|i| on(i, t)).collect::<Vec<_>>());
    if let Some(line) = &axis.grid {
        for v in s.marks() {
            l.line_items(&ring(s.at(v)), line, area, 0.0, out);
        }
    }
    if let Some(line) = axis.line.as_ref().filter(|_| !axis.deleted) {
        for i in 0..n {
            l.line_items(
                &Path::polyline(&[(cx, cy), on(i, 1.0)]),
                line,
                area,
                0.0,
                out,
            );
        }
    }
    for ser in &g.series {
        let points: Vec<_> = ser
            .values
            .iter()
            .enumerate()
            .map(|(i, v)| on(i, s.at(v.unwrap_or(0.0))))
            .collect();
        let path = Path::polygon(&points);
        if g.kind == Kind::Radar(true) {
            let items = l.fill_area(&path, &ser.fill, path.bounds().unwrap_or(area), 0.0);
            out.extend(items);
        }
        if let Some(line) = &ser.line {
            l.line_items(&path, line, area, 0.0, out);
        }
        if let Some(m) = &ser.marker {
            for p in &points {
                lines::marker(l, m, *p, out);
            }
        }
    }
    if !axis.deleted && axis.label_place != "none" {
        let code = axis.format.clone().unwrap_or_else(|| {
            g.series
                .first()
                .map_or_else(String::new, |s| s.format.clone())
        });
        for v in s.marks() {
            let (x, y) = on(0, s.at(v));
            words::put(
                l,
                &number::format(v, &code),
                &axis.text,
                (x - axes::standing_gap(axis), y),
                (1.0, 0.5),
                0.0,
                out,
            );
        }
    }
    for i in 0..n {
        let Some(name) = names.and_then(|c| c.get(i)) else {
            continue;
        };
        let a = turn(i, n);
        let p = (cx + (radius + 6.0) * a.cos(), cy + (radius + 6.0) * a.sin());
        words::put(
            l,
            name,
            text,
            p,
            ((1.0 - a.cos()) / 2.0, (1.0 - a.sin()) / 2.0),
            0.0,
            out,
        );
    }
}
