// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines, areas, scattered points and bubbles.

use super::axes::{Plot, Settled};
use super::model::{Chart, Gaps, Grouping, Kind, Marker, Series, SeriesGroup};
use super::{extras, labels};
use crate::display::Item;
use crate::geometry::{Path, Rect, Step};
use crate::layout::Layouter;

type Point = (f64, f64);

/// Draws a group; labels go to `text`.
pub fn draw(
    l: &mut Layouter<'_>,
    c: &Chart,
    g: &SeriesGroup,
    p: &Plot,
    out: &mut Vec<Item>,
    text: &mut Vec<Item>,
) {
    let [Some(a), Some(b)] = g.axes else { return };
    let (Some(x_axis), Some(y_axis)) = (p.axes.get(a), p.axes.get(b)) else {
        return;
    };
    let levels = levels(g, c.gaps);
    let zero = y_axis
        .scale
        .at(0.0f64.clamp(y_axis.scale.min, y_axis.scale.max))
        .clamp(0.0, 1.0);
    if g.kind == Kind::Area {
        areas(l, g, p, (x_axis, y_axis), &levels, zero, out);
    }
    between(l, g, p, (x_axis, y_axis), out);
    for (k, s) in g.series.iter().enumerate() {
        let Some(values) = levels.get(k) else {
            continue;
        };
        let places: Vec<Option<Point>> = values
            .iter()
            .enumerate()
            .map(|(i, v)| place(s, g, x_axis, y_axis, i, *v, p))
            .collect();
        match g.kind {
            Kind::Line | Kind::Scatter => strokes(l, s, &places, c.gaps, p, out),
            Kind::Bubble(k) => bubbles(l, c, s, k, &places, p, out),
            _ => {}
        }
        if matches!(g.kind, Kind::Line | Kind::Scatter) {
            markers(l, s, &places, out);
            let at = |i: f64| x_axis.category(i);
            extras::errors(l, s, p, &at, y_axis, false, out);
            let along = |x: f64| {
                if x_axis.count > 0 {
                    x_axis.category(x - 1.0)
                } else {
                    x_axis.scale.at(x)
                }
            };
            extras::trends(l, s, p, &along, y_axis, false, out);
        }
        put_labels(l, g, s, &places, text);
    }
}

/// The values as drawn: stacked or shared where the group says so.
fn levels(g: &SeriesGroup, gaps: Gaps) -> Vec<Vec<Option<f64>>> {
    let n = g.series.iter().map(|s| s.values.len()).max().unwrap_or(0);
    let mut sums = vec![0.0; n];
    let total = |i: usize| -> f64 {
        g.series
            .iter()
            .filter_map(|s| s.values.get(i).copied().flatten())
            .map(f64::abs)
            .sum()
    };
    g.series
        .iter()
        .map(|s| {
            (0..n)
                .map(|i| {
                    let v = s.values.get(i).copied().flatten();
                    let v = if gaps == Gaps::Zero || g.kind == Kind::Area {
                        Some(v.unwrap_or(0.0))
                    } else {
                        v
                    };
                    match g.grouping {
                        Grouping::Plain => v,
                        how => {
                            let sum = sums.get_mut(i)?;
                            *sum += v.unwrap_or(0.0);
                            let whole = total(i);
                            Some(if how == Grouping::Percent && whole > 0.0 {
                                *sum / whole
                            } else {
                                *sum
                            })
                        }
                    }
                })
                .collect()
        })
        .collect()
}

fn place(
    s: &Series,
    g: &SeriesGroup,
    x: &Settled,
    y: &Settled,
    i: usize,
    v: Option<f64>,
    p: &Plot,
) -> Option<Point> {
    let v = v?;
    let along = match g.kind {
        Kind::Scatter | Kind::Bubble(_) => {
            x.scale
                .at(s.xs.get(i).copied().flatten().unwrap_or((i + 1) as f64))
        }
        _ => x.category(i as f64),
    };
    Some(p.point(along, y.scale.at(v)))
}

fn areas(
    l: &mut Layouter<'_>,
    g: &SeriesGroup,
    p: &Plot,
    axes: (&Settled, &Settled),
    levels: &[Vec<Option<f64>>],
    zero: f64,
    out: &mut Vec<Item>,
) {
    let n = axes.0.count;
    // Plain areas are drawn from the first to the last; stacked ones from the top, so that each covers what is below it.
    let stacked = g.grouping != Grouping::Plain;
    let mut order: Vec<usize> = (0..g.series.len()).collect();
    if stacked {
        order.reverse();
    }
    for k in order {
        let (Some(s), Some(values)) = (g.series.get(k), levels.get(k)) else {
            continue;
        };
        let mut points: Vec<Point> = Vec::new();
        for (i, v) in values.iter().enumerate().take(n) {
            points.push(p.point(axes.0.category(i as f64), axes.1.scale.at(v.unwrap_or(0.0))));
        }
        let below = k
            .checked_sub(1)
            .filter(|_| stacked)
            .and_then(|b| levels.get(b));
        match below {
            Some(b) => points.extend(b.iter().enumerate().take(n).rev().map(|(i, v)| {
                p.point(axes.0.category(i as f64), axes.1.scale.at(v.unwrap_or(0.0)))
            })),
            None => {
                let (first, last) = (
                    axes.0.category(0.0),
                    axes.0.category(n.saturating_sub(1) as f64),
                );
                points.extend([p.point(last, zero), p.point(first, zero)]);
            }
        }
        let path = Path::polygon(&points);
        let b = path.bounds().unwrap_or(p.rect);
        let items = l.fill_area(&path, &s.fill, b, 0.0);
        out.extend(items);
        if let Some(line) = &s.line {
            l.line_items(&path, line, b, 0.0, out);
        }
    }
}

/// High-low lines, drop lines and up-down bars, which join the series of a group.
fn between(
    l: &mut Layouter<'_>,
    g: &SeriesGroup,
    p: &Plot,
    axes: (&Settled, &Settled),
    out: &mut Vec<Item>,
) {
    let n = axes.0.count;
    let at = |i: usize, v: f64| p.point(axes.0.category(i as f64), axes.1.scale.at(v));
    for i in 0..n {
        let values: Vec<f64> = g
            .series
            .iter()
            .filter_map(|s| s.values.get(i).copied().flatten())
            .collect();
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            continue;
        };
        let (lo, hi) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |a, v| {
                (a.0.min(*v), a.1.max(*v))
            });
        if let Some(line) = &g.high_low {
            l.line_items(
                &Path::polyline(&[at(i, lo), at(i, hi)]),
                line,
                p.rect,
                0.0,
                out,
            );
        }
        if let Some(line) = &g.drop {
            let foot = axes
                .1
                .scale
                .at(0.0f64.clamp(axes.1.scale.min, axes.1.scale.max));
            l.line_items(
                &Path::polyline(&[at(i, hi), p.point(axes.0.category(i as f64), foot)]),
                line,
                p.rect,
                0.0,
                out,
            );
        }
        if let Some((up, down)) = &g.up_down {
            let w = p.rect.w / n.max(1) as f64 * 0.4;
            let (a, b) = (at(i, *first), at(i, *last));
            let r = Rect::new(a.0 - w / 2.0, a.1.min(b.1), w, (a.1 - b.1).abs());
            super::frame::panel(
                l,
                if last >= first { up } else { down },
                g.high_low.as_ref(),
                r,
                out,
            );
        }
    }
}

fn strokes(
    l: &mut Layouter<'_>,
    s: &Series,
    places: &[Option<Point>],
    gaps: Gaps,
    p: &Plot,
    out: &mut Vec<Item>,
) {
    let Some(line) = &s.line else { return };
    let mut pieces: Vec<Vec<Point>> = vec![Vec::new()];
    for q in places {
        match q {
            Some(q) => {
                if let Some(last) = pieces.last_mut() {
                    last.push(*q);
                }
            }
            None if gaps == Gaps::Span => {}
            None => pieces.push(Vec::new()),
        }
    }
    for piece in pieces.iter().filter(|x| x.len() > 1) {
        let path = if s.smooth {
            smooth(piece)
        } else {
            Path::polyline(piece)
        };
        l.line_items(&path, line, p.rect, 0.0, out);
    }
    for (i, point) in &s.points {
        let (Some(Some(line)), Some(Some(b)), Some(a)) = (
            &point.line,
            places.get(*i),
            i.checked_sub(1)
                .and_then(|k| places.get(k).copied().flatten()),
        ) else {
            continue;
        };
        l.line_items(&Path::polyline(&[a, *b]), line, p.rect, 0.0, out);
    }
}

/// A curve through points by cardinal splines.
#[must_use]
pub fn smooth(points: &[Point]) -> Path {
    let mut path = Path::default();
    let get = |i: isize| {
        points
            .get(i.clamp(0, points.len() as isize - 1) as usize)
            .copied()
            .unwrap_or_default()
    };
    let first = get(0);
    path.steps.push(Step::Move(first.0, first.1));
    for i in 0..points.len() as isize - 1 {
        let (p0, p1, p2, p3) = (get(i - 1), get(i), get(i + 1), get(i + 2));
        let k = 1.0 / 6.0;
        path.steps.push(Step::Cubic(
            p1.0 + (p2.0 - p0.0) * k,
            p1.1 + (p2.1 - p0.1) * k,
            p2.0 - (p3.0 - p1.0) * k,
            p2.1 - (p3.1 - p1.1) * k,
            p2.0,
            p2.1,
        ));
    }
    path
}

fn markers(l: &mut Layouter<'_>, s: &Series, places: &[Option<Point>], out: &mut Vec<Item>) {
    for (i, q) in places.iter().enumerate() {
        let Some(q) = q else { continue };
        let own = s.points.get(&i).and_then(|p| p.marker.as_ref());
        if let Some(m) = own.or(s.marker.as_ref()) {
            marker(l, m, *q, out);
        }
    }
}

/// Draws a marker at a point.
pub fn marker(l: &mut Layouter<'_>, m: &Marker, at: Point, out: &mut Vec<Item>) {
    let h = m.size / 2.0;
    let r = Rect::new(at.0 - h, at.1 - h, m.size, m.size);
    let (x, y) = at;
    let (path, filled) = match m.symbol.as_str() {
        "circle" => (Path::ellipse(&r), true),
        "dot" => (Path::ellipse(&r.grown(-h / 2.0)), true),
        "diamond" => (
            Path::polygon(&[(x, y - h), (x + h, y), (x, y + h), (x - h, y)]),
            true,
        ),
        "triangle" => (
            Path::polygon(&[(x, y - h), (x + h, y + h), (x - h, y + h)]),
            true,
        ),
        "dash" => (
            Path::rect(&Rect::new(x - h, y - h / 4.0, m.size, h / 2.0)),
            true,
        ),
        "x" => (cross(at, h, true), false),
        "plus" => (cross(at, h, false), false),
        "star" => {
            let mut p = cross(at, h, true);
            p.steps
                .extend(Path::polyline(&[(x, y - h), (x, y + h)]).steps);
            (p, false)
        }
        _ => (Path::rect(&r), true),
    };
    if filled {
        let items = l.fill_area(&path, &m.fill, r, 0.0);
        out.extend(items);
    }
    if let Some(line) = &m.line {
        l.line_items(&path, line, r, 0.0, out);
    }
}

fn cross((x, y): Point, h: f64, turned: bool) -> Path {
    let mut p = if turned {
        Path::polyline(&[(x - h, y - h), (x + h, y + h)])
    } else {
        Path::polyline(&[(x - h, y), (x + h, y)])
    };
    let other = if turned {
        Path::polyline(&[(x - h, y + h), (x + h, y - h)])
    } else {
        Path::polyline(&[(x, y - h), (x, y + h)])
    };
    p.steps.extend(other.steps);
    p
}

fn bubbles(
    l: &mut Layouter<'_>,
    c: &Chart,
    s: &Series,
    scale: f64,
    places: &[Option<Point>],
    p: &Plot,
    out: &mut Vec<Item>,
) {
    let all = c
        .groups
        .iter()
        .flat_map(|g| &g.series)
        .flat_map(|s| s.sizes.iter().flatten())
        .copied()
        .fold(0.0, f64::max);
    let biggest = p.rect.w.min(p.rect.h) * 0.125 * scale.sqrt().max(0.1);
    for (i, q) in places.iter().enumerate() {
        let (Some(q), Some(v)) = (
            q,
            s.sizes
                .get(i)
                .copied()
                .flatten()
                .or(if s.sizes.is_empty() { Some(1.0) } else { None }),
        ) else {
            continue;
        };
        if v <= 0.0 {
            continue;
        }
        let r = biggest * (v / all.max(v)).sqrt();
        let b = Rect::new(q.0 - r, q.1 - r, 2.0 * r, 2.0 * r);
        let point = s.points.get(&i);
        let fill = point
            .and_then(|p| p.fill.clone())
            .unwrap_or_else(|| s.fill.clone());
        let items = l.fill_area(&Path::ellipse(&b), &fill, b, 0.0);
        out.extend(items);
        if let Some(line) = &s.line {
            l.line_items(&Path::ellipse(&b), line, b, 0.0, out);
        }
    }
}

fn put_labels(
    l: &mut Layouter<'_>,
    g: &SeriesGroup,
    s: &Series,
    places: &[Option<Point>],
    out: &mut Vec<Item>,
) {
    for (i, q) in places.iter().enumerate() {
        let (Some(q), Some(v)) = (q, s.values.get(i).copied().flatten()) else {
            continue;
        };
        let Some(label) = labels::of(s, i, v, None) else {
            continue;
        };
        let d = s.marker.as_ref().map_or(0.0, |m| m.size / 2.0) + 2.0 * labels::GAP;
        let default = if matches!(g.kind, Kind::Area) {
            "ctr"
        } else {
            "r"
        };
        let (at, hang) = match label.position.as_deref().unwrap_or(default) {
            "t" => ((q.0, q.1 - d), (0.5, 1.0)),
            "b" => ((q.0, q.1 + d), (0.5, 0.0)),
            "l" => ((q.0 - d, q.1), (1.0, 0.5)),
            "ctr" => (*q, (0.5, 0.5)),
            _ => ((q.0 + d, q.1), (0.0, 0.5)),
        };
        labels::put(l, &label, at, hang, out);
    }
}
