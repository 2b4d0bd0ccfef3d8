// SPDX-License-Identifier: MIT OR Apache-2.0
//! Radar charts.

use super::model::{Chart, Kind};
use super::scale::settle;
use super::{lines, number, words};
use crate::display::Item;
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;

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
    let radius = (area.h / 2.0 - text.size * 1.65)
        .min(area.w / 2.0 - text.size * 2.5)
        .max(4.0);
    let s = settle(axis, lo, hi, 5.0, false);
    let (cx, cy) = area.centre();
    let on = |i: usize, t: f64| {
        let a = (i as f64 / n as f64 * 360.0 - 90.0).to_radians();
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
                (x - 4.0, y),
                (1.0, 0.5),
                0.0,
                out,
            );
        }
    }
    let names = g
        .series
        .iter()
        .map(|s| &s.categories)
        .max_by_key(|c| c.len());
    for i in 0..n {
        let Some(name) = names.and_then(|c| c.get(i)) else {
            continue;
        };
        let a = (i as f64 / n as f64 * 360.0 - 90.0).to_radians();
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
