// SPDX-License-Identifier: MIT OR Apache-2.0
//! Treemaps and sunbursts: a tree of sizes as nested rectangles or as rings.

use super::model::{Branch, Hierarchy};
use super::words;
use crate::color::Color;
use crate::display::{Item, Paint, Stroke};
use crate::geometry::{Path, Rect, Step, arc};
use crate::layout::Layouter;
use crate::text::model::Align;
use crate::tree::{Cap, Join};

/// Deepest level that is drawn.
const MAX_DEPTH: usize = 8;
/// Width of the gaps between pieces in points.
const GAP: f64 = 0.75;

/// Draws a hierarchy in the plot's rectangle.
pub fn draw(l: &mut Layouter<'_>, h: &Hierarchy, r: Rect, out: &mut Vec<Item>) {
    if h.sunburst {
        let levels = depth(&h.branches, 0).max(1);
        let radius = r.w.min(r.h) / 2.0;
        let ring = radius / (levels as f64 + 0.6);
        rings(l, h, &h.branches, (r.centre(), ring), (0.0, 360.0), 0, out);
    } else {
        map(l, h, &h.branches, r, 0, out);
    }
}

fn depth(list: &[Branch], level: usize) -> usize {
    if level >= MAX_DEPTH {
        return level;
    }
    list.iter()
        .map(|b| {
            if b.branches.is_empty() {
                level + 1
            } else {
                depth(&b.branches, level + 1)
            }
        })
        .max()
        .unwrap_or(level)
}

fn piece(path: Path, color: Color, out: &mut Vec<Item>) {
    out.push(Item::Path {
        path,
        fill: Some(Paint::Solid(color)),
        stroke: Some(Stroke {
            paint: Paint::Solid(Color::WHITE),
            width: GAP,
            dash: Vec::new(),
            cap: Cap::Flat,
            join: Join::Round,
        }),
        even_odd: false,
    });
}

fn map(
    l: &mut Layouter<'_>,
    h: &Hierarchy,
    list: &[Branch],
    r: Rect,
    level: usize,
    out: &mut Vec<Item>,
) {
    let mut order: Vec<&Branch> = list.iter().filter(|b| b.size > 0.0).collect();
    order.sort_by(|a, b| b.size.total_cmp(&a.size));
    let sizes: Vec<f64> = order.iter().map(|b| b.size).collect();
    for (b, cell) in order.iter().zip(squares(&sizes, r)) {
        if cell.w < 0.5 || cell.h < 0.5 {
            continue;
        }
        let leaf = b.branches.is_empty() || level + 1 >= MAX_DEPTH;
        if leaf {
            piece(Path::rect(&cell), b.color, out);
        } else {
            map(l, h, &b.branches, cell, level + 1, out);
        }
        // The names of the first level stand over its leaves; deeper ones are named where there is room.
        let bold = level == 0 && !leaf;
        if bold || leaf {
            name(l, h, b, cell, bold, out);
        }
    }
}

fn name(
    l: &mut Layouter<'_>,
    h: &Hierarchy,
    b: &Branch,
    cell: Rect,
    bold: bool,
    out: &mut Vec<Item>,
) {
    let mut style = h.text.clone();
    style.bold = bold;
    let pad = style.size * 0.35;
    let (w, tall) = words::size(l, &b.name, &style, None);
    if w > cell.w - 2.0 * pad || tall > cell.h - pad || b.name.is_empty() {
        return;
    }
    let body = words::body(&b.name, &style, Align::Left, false);
    let at = if bold {
        (cell.x + (cell.w - w) / 2.0, cell.y + (cell.h - tall) / 2.0)
    } else {
        (cell.x + pad, cell.y + pad * 0.5)
    };
    words::put_body(l, &body, (w, tall), at, (0.0, 0.0), 0.0, out);
}

/// Rectangles for sizes that go from great to small: rows along the shorter side, each as square as it gets.
fn squares(sizes: &[f64], whole: Rect) -> Vec<Rect> {
    let total: f64 = sizes.iter().sum();
    if total <= 0.0 || whole.w <= 0.0 || whole.h <= 0.0 {
        return Vec::new();
    }
    let k = whole.w * whole.h / total;
    let mut out = Vec::with_capacity(sizes.len());
    let (mut rest, mut from) = (whole, 0);
    while from < sizes.len() {
        let side = rest.w.min(rest.h).max(1e-6);
        let row = |to: usize| sizes.get(from..to).unwrap_or_default();
        let worst = |to: usize| {
            let sum: f64 = row(to).iter().sum::<f64>() * k;
            row(to)
                .iter()
                .map(|s| {
                    let (a, b) = (s * k * side / sum, sum / side);
                    (a / b).max(b / a)
                })
                .fold(0.0, f64::max)
        };
        let mut to = from + 1;
        while to < sizes.len() && worst(to + 1) <= worst(to) {
            to += 1;
        }
        let sum: f64 = row(to).iter().sum::<f64>() * k;
        let thick = sum / side;
        let mut at = 0.0;
        for s in row(to) {
            let long = s * k / thick.max(1e-9);
            out.push(if rest.w >= rest.h {
                Rect::new(rest.x, rest.y + at, thick, long)
            } else {
                Rect::new(rest.x + at, rest.y, long, thick)
            });
            at += long;
        }
        if rest.w >= rest.h {
            rest.x += thick;
            rest.w = (rest.w - thick).max(0.0);
        } else {
            rest.y += thick;
            rest.h = (rest.h - thick).max(0.0);
        }
        from = to;
    }
    out
}

fn rings(
    l: &mut Layouter<'_>,
    h: &Hierarchy,
    list: &[Branch],
    place: ((f64, f64), f64),
    span: (f64, f64),
    level: usize,
    out: &mut Vec<Item>,
) {
    let total: f64 = list.iter().map(|b| b.size).sum();
    if total <= 0.0 || level >= MAX_DEPTH {
        return;
    }
    let (centre, ring) = place;
    let (inner, outer) = (ring * (level as f64 + 0.6), ring * (level as f64 + 1.6));
    let mut order: Vec<&Branch> = list.iter().filter(|b| b.size > 0.0).collect();
    order.sort_by(|a, b| b.size.total_cmp(&a.size));
    let mut from = span.0;
    for b in order {
        let to = from + (span.1 - span.0) * b.size / total;
        piece(sector(centre, inner, outer, from, to), b.color, out);
        ring_name(l, h, b, (centre, inner, outer), (from, to), out);
        rings(l, h, &b.branches, place, (from, to), level + 1, out);
        from = to;
    }
}

fn ring_name(
    l: &mut Layouter<'_>,
    h: &Hierarchy,
    b: &Branch,
    ring: ((f64, f64), f64, f64),
    span: (f64, f64),
    out: &mut Vec<Item>,
) {
    let ((cx, cy), inner, outer) = ring;
    let mid = ((span.0 + span.1) / 2.0 - 90.0).to_radians();
    let radius = (inner + outer) / 2.0;
    let (w, tall) = words::size(l, &b.name, &h.text, None);
    let long = (span.1 - span.0).to_radians() * radius;
    if w > outer - inner || tall > long {
        return;
    }
    let degrees = (span.0 + span.1) / 2.0 - 90.0;
    let turn = if (90.0..270.0).contains(&degrees.rem_euclid(360.0)) {
        degrees + 180.0
    } else {
        degrees
    };
    let at = (cx + radius * mid.cos(), cy + radius * mid.sin());
    words::put(l, &b.name, &h.text, at, (0.5, 0.5), turn, out);
}

/// A piece of a ring; angles in degrees from the top, clockwise.
fn sector(c: (f64, f64), inner: f64, outer: f64, from: f64, to: f64) -> Path {
    let point = |r: f64, deg: f64| {
        let a = (deg - 90.0).to_radians();
        (c.0 + r * a.cos(), c.1 + r * a.sin())
    };
    let swing = (to - from).min(359.99);
    let mut p = Path::default();
    let (a, b) = (point(outer, from), point(inner, from + swing));
    p.steps.push(Step::Move(a.0, a.1));
    arc::append(&mut p, a, outer, outer, from - 90.0, swing);
    p.steps.push(Step::Line(b.0, b.1));
    arc::append(&mut p, b, inner, inner, from + swing - 90.0, -swing);
    p.steps.push(Step::Close);
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_have_the_areas_of_their_sizes_and_fill_the_whole() {
        let sizes = [6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0];
        let r = squares(&sizes, Rect::new(0.0, 0.0, 60.0, 40.0));
        for (s, c) in sizes.iter().zip(&r) {
            assert!((c.w * c.h - s * 100.0).abs() < 1e-6, "{s}: {c:?}");
        }
        assert_eq!(r.len(), sizes.len());
        assert!(squares(&[], Rect::default()).is_empty());
    }
}
