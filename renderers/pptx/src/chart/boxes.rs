// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boxes with whiskers: quartiles, median, mean and values far off, side by side for the series of a category.

use super::axes::Plot;
use super::model::{Chart, Spread};
use crate::color::Color;
use crate::display::{Item, Paint, Stroke};
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;
use crate::tree::{Cap, Join};

/// Share of a category's width that its boxes take.
const SHARE: f64 = 0.6;

/// Draws the boxes of a chart on its plot.
pub fn draw(_: &mut Layouter<'_>, c: &Chart, p: &Plot, out: &mut Vec<Item>) {
    let category = p.axes.iter().find(|a| a.count > 0);
    let value = p.axes.iter().find(|a| a.count == 0);
    let (Some(category), Some(value)) = (category, value) else {
        return;
    };
    let n = c.boxes.len().max(1) as f64;
    let pitch = SHARE / category.count.max(1) as f64;
    for (k, s) in c.boxes.iter().enumerate() {
        for (i, b) in s.boxes.iter().enumerate() {
            let Some(b) = b else { continue };
            let mid = category.category(i as f64) + pitch * ((k as f64 + 0.5) / n - 0.5);
            let half = pitch / n * 0.45;
            one(
                b,
                s.color,
                (mid - half, mid + half),
                &|v| value.scale.at(v),
                p,
                out,
            );
        }
    }
}

fn one(
    b: &Spread,
    color: Color,
    x: (f64, f64),
    at: &dyn Fn(f64) -> f64,
    p: &Plot,
    out: &mut Vec<Item>,
) {
    let pen = || Stroke {
        paint: Paint::Solid(Color::hex(0x0040_4040)),
        width: 0.75,
        dash: Vec::new(),
        cap: Cap::Flat,
        join: Join::Miter,
    };
    let mut line = |a: (f64, f64), b: (f64, f64)| {
        out.push(Item::Path {
            path: Path::polyline(&[p.point(a.0, a.1), p.point(b.0, b.1)]),
            fill: None,
            stroke: Some(pen()),
            even_odd: false,
        });
    };
    let mid = (x.0 + x.1) / 2.0;
    let cap = (x.1 - x.0) / 4.0;
    let [q1, median, q3] = b.quartiles.map(at);
    for (end, from) in [(at(b.whiskers.0), q1), (at(b.whiskers.1), q3)] {
        line((mid, from), (mid, end));
        line((mid - cap, end), (mid + cap, end));
    }
    let (low, high) = (p.point(x.0, q1), p.point(x.1, q3));
    out.push(Item::Path {
        path: Path::rect(&Rect::new(
            low.0,
            high.1,
            high.0 - low.0,
            (low.1 - high.1).max(0.0),
        )),
        fill: Some(Paint::Solid(color)),
        stroke: Some(pen()),
        even_odd: false,
    });
    let mut line = |a: (f64, f64), b: (f64, f64)| {
        out.push(Item::Path {
            path: Path::polyline(&[a, b]),
            fill: None,
            stroke: Some(pen()),
            even_odd: false,
        });
    };
    line(p.point(x.0, median), p.point(x.1, median));
    let (mx, my) = p.point(mid, at(b.mean));
    line((mx - 2.5, my - 2.5), (mx + 2.5, my + 2.5));
    line((mx - 2.5, my + 2.5), (mx + 2.5, my - 2.5));
    for v in &b.outliers {
        let (ox, oy) = p.point(mid, at(*v));
        let dot = Path::ellipse(&Rect::new(ox - 1.8, oy - 1.8, 3.6, 3.6));
        out.push(Item::filled(dot, Paint::Solid(color)));
    }
}
