// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrow heads at the ends of open paths, and parallel copies of straight ones.

use crate::geometry::{Path, Step};
use crate::tree::{Arrow, ArrowKind, Line};

type Point = (f64, f64);

/// Arrow heads scale with the line, but not below this width in points.
const LEAST: f64 = 2.0;

/// The path shortened for its heads, and the heads with whether each is filled.
#[must_use]
pub fn apply(path: &Path, line: &Line, width: f64) -> (Path, Vec<(Path, bool)>) {
    let mut path = path.clone();
    let mut heads = Vec::new();
    if (line.head.is_none() && line.tail.is_none())
        || path.steps.iter().any(|s| matches!(s, Step::Close))
    {
        return (path, heads);
    }
    if let Some(a) = line.head
        && let Some((tip, from)) = start(&path)
    {
        heads.push(head(a, tip, from, width));
        let back = shorten(a, width);
        if let Some(Step::Move(x, y)) = path.steps.first_mut() {
            (*x, *y) = towards(tip, from, back);
        }
    }
    if let Some(a) = line.tail
        && let Some((tip, from)) = end(&path)
    {
        heads.push(head(a, tip, from, width));
        let p = towards(tip, from, shorten(a, width));
        if let Some(last) = path.steps.last_mut() {
            match last {
                Step::Move(x, y)
                | Step::Line(x, y)
                | Step::Quad(_, _, x, y)
                | Step::Cubic(_, _, _, _, x, y) => (*x, *y) = p,
                Step::Close => {}
            }
        }
    }
    (path, heads)
}

fn towards(tip: Point, from: Point, back: f64) -> Point {
    let (dx, dy) = (from.0 - tip.0, from.1 - tip.1);
    let n = dx.hypot(dy);
    if n <= 1e-9 {
        return tip;
    }
    let k = back.min(n * 0.95) / n;
    (tip.0 + dx * k, tip.1 + dy * k)
}

fn shorten(a: Arrow, width: f64) -> f64 {
    let long = f64::from(a.length) * width.max(LEAST);
    match a.kind {
        ArrowKind::Triangle => long * 0.7,
        ArrowKind::Stealth => long * 0.5,
        ArrowKind::Open => width * 0.6,
        ArrowKind::Diamond | ArrowKind::Oval => 0.0,
    }
}

fn start(p: &Path) -> Option<(Point, Point)> {
    let Some(Step::Move(x, y)) = p.steps.first() else {
        return None;
    };
    let from = p.steps.iter().skip(1).find_map(|s| match *s {
        Step::Line(a, b) | Step::Quad(a, b, ..) | Step::Cubic(a, b, ..)
            if (a - x).hypot(b - y) > 1e-6 =>
        {
            Some((a, b))
        }
        Step::Quad(_, _, a, b) | Step::Cubic(_, _, _, _, a, b) if (a - x).hypot(b - y) > 1e-6 => {
            Some((a, b))
        }
        _ => None,
    })?;
    Some(((*x, *y), from))
}

fn end(p: &Path) -> Option<(Point, Point)> {
    let mut points = Vec::new();
    for s in &p.steps {
        match *s {
            Step::Move(x, y) | Step::Line(x, y) => points.push((x, y)),
            Step::Quad(a, b, x, y) => points.extend([(a, b), (x, y)]),
            Step::Cubic(a, b, c, d, x, y) => points.extend([(a, b), (c, d), (x, y)]),
            Step::Close => {}
        }
    }
    let tip = points.pop()?;
    let from = points
        .into_iter()
        .rev()
        .find(|q| (q.0 - tip.0).hypot(q.1 - tip.1) > 1e-6)?;
    Some((tip, from))
}

fn head(a: Arrow, tip: Point, from: Point, width: f64) -> (Path, bool) {
    let base = width.max(LEAST);
    let (long, wide) = (f64::from(a.length) * base, f64::from(a.width) * base);
    let n = (tip.0 - from.0).hypot(tip.1 - from.1).max(1e-9);
    let d = ((tip.0 - from.0) / n, (tip.1 - from.1) / n);
    let at = |along: f64, side: f64| {
        (
            tip.0 + d.0 * along - d.1 * side,
            tip.1 + d.1 * along + d.0 * side,
        )
    };
    match a.kind {
        ArrowKind::Triangle => (
            Path::polygon(&[at(0.0, 0.0), at(-long, wide / 2.0), at(-long, -wide / 2.0)]),
            true,
        ),
        ArrowKind::Stealth => (
            Path::polygon(&[
                at(0.0, 0.0),
                at(-long, wide / 2.0),
                at(-long * 0.6, 0.0),
                at(-long, -wide / 2.0),
            ]),
            true,
        ),
        ArrowKind::Diamond => (
            Path::polygon(&[
                at(long / 2.0, 0.0),
                at(0.0, wide / 2.0),
                at(-long / 2.0, 0.0),
                at(0.0, -wide / 2.0),
            ]),
            true,
        ),
        ArrowKind::Oval => {
            let r = crate::geometry::Rect::new(-long / 2.0, -wide / 2.0, long, wide);
            let turn = d.1.atan2(d.0).to_degrees();
            let map = crate::geometry::Affine::translate(tip.0, tip.1)
                .then_inner(&crate::geometry::Affine::rotate(turn));
            (Path::ellipse(&r).mapped(&map), true)
        }
        ArrowKind::Open => {
            let back = -long;
            (
                Path::polyline(&[
                    at(back, wide / 2.0),
                    at(-width * 0.5, 0.0),
                    at(back, -wide / 2.0),
                ]),
                false,
            )
        }
    }
}

/// A parallel copy of one straight line or of a box; `None` for anything else.
#[must_use]
pub fn offset(p: &Path, by: f64) -> Option<Path> {
    let mut points = Vec::new();
    let mut closed = false;
    for s in &p.steps {
        match *s {
            Step::Move(x, y) if points.is_empty() => points.push((x, y)),
            Step::Line(x, y) => points.push((x, y)),
            Step::Close => closed = true,
            _ => return None,
        }
    }
    if !closed {
        let [(x0, y0), (x1, y1)] = <[Point; 2]>::try_from(points).ok()?;
        let n = (x1 - x0).hypot(y1 - y0).max(1e-9);
        let (nx, ny) = (-(y1 - y0) / n * by, (x1 - x0) / n * by);
        return Some(Path::polyline(&[(x0 + nx, y0 + ny), (x1 + nx, y1 + ny)]));
    }
    let b = p.bounds()?;
    let on_edge = |q: &Point| {
        ((q.0 - b.x).abs() < 1e-6 || (q.0 - b.right()).abs() < 1e-6)
            && ((q.1 - b.y).abs() < 1e-6 || (q.1 - b.bottom()).abs() < 1e-6)
    };
    points
        .iter()
        .all(on_edge)
        .then(|| Path::rect(&b.grown(-by)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_ends_where_the_line_ended() {
        let line = Line {
            width: 12_700.0,
            fill: crate::tree::Fill::None,
            dash: vec![],
            cap: crate::tree::Cap::Flat,
            join: crate::tree::Join::Round,
            compound: crate::tree::Compound::Single,
            head: None,
            tail: Some(Arrow {
                kind: ArrowKind::Triangle,
                width: 3,
                length: 3,
            }),
        };
        let (p, heads) = apply(&Path::polyline(&[(0.0, 0.0), (100.0, 0.0)]), &line, 4.0);
        let b = heads[0].0.bounds().expect("a head");
        assert!((b.right() - 100.0).abs() < 1e-9 && (b.h - 12.0).abs() < 1e-9);
        assert!(p.bounds().expect("a line").right() < 100.0);
    }
}
