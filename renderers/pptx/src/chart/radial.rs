// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pies and doughnuts.

use super::labels::{self, Label};
use super::model::{Chart, Kind, Series};
use crate::display::Item;
use crate::geometry::{Path, Rect, Step, arc};
use crate::layout::Layouter;

/// Draws the pie or the rings of a doughnut in the middle of a rectangle.
pub fn draw(l: &mut Layouter<'_>, c: &Chart, area: Rect, out: &mut Vec<Item>) {
    let Some(g) = c
        .groups
        .iter()
        .find(|g| matches!(g.kind, Kind::Pie(_) | Kind::Doughnut(..)))
    else {
        return;
    };
    let (start, hole) = match g.kind {
        Kind::Doughnut(a, h) => (a, Some(h)),
        Kind::Pie(a) => (a, None),
        _ => return,
    };
    let explode = g.series.iter().map(explosion).fold(0.0, f64::max);
    let outside = g.series.iter().any(labels_outside);
    let fixed = c.plot_layout.is_some();
    let mut radius = area.w.min(area.h) / 2.0;
    if !fixed {
        radius *= if outside { 0.72 } else { 0.86 };
    }
    radius /= 1.0 + explode;
    let mut text = Vec::new();
    let rings = if hole.is_some() {
        g.series.len().max(1)
    } else {
        1
    };
    for (k, s) in g.series.iter().take(rings).enumerate() {
        let (inner, outer) = match hole {
            Some(h) => {
                let r0 = radius * h;
                let step = (radius - r0) / rings as f64;
                (r0 + step * k as f64, r0 + step * (k as f64 + 1.0))
            }
            None => (0.0, radius),
        };
        slices(l, s, area.centre(), (inner, outer), start, out, &mut text);
    }
    out.extend(text);
}

fn explosion(s: &Series) -> f64 {
    s.points
        .values()
        .filter_map(|p| p.explosion)
        .fold(s.explosion, f64::max)
}

fn labels_outside(s: &Series) -> bool {
    s.labels
        .as_ref()
        .is_some_and(|l| l.position.as_deref() == Some("outEnd"))
}

fn slices(
    l: &mut Layouter<'_>,
    s: &Series,
    centre: (f64, f64),
    radii: (f64, f64),
    start: f64,
    out: &mut Vec<Item>,
    text: &mut Vec<Item>,
) {
    let total: f64 = s.values.iter().flatten().map(|v| v.abs()).sum();
    if total <= 0.0 {
        return;
    }
    let mut angle = start - 90.0;
    for (i, v) in s.values.iter().enumerate() {
        let Some(v) = v else { continue };
        let swing = v.abs() / total * 360.0;
        let point = s.points.get(&i);
        let mid = (angle + swing / 2.0).to_radians();
        let away = point.and_then(|p| p.explosion).unwrap_or(s.explosion) * radii.1;
        let at = (centre.0 + mid.cos() * away, centre.1 + mid.sin() * away);
        let path = slice(at, radii, angle, swing);
        let b = Rect::new(at.0 - radii.1, at.1 - radii.1, 2.0 * radii.1, 2.0 * radii.1);
        let fill = point
            .and_then(|p| p.fill.clone())
            .unwrap_or_else(|| s.fill.clone());
        let items = l.fill_area(&path, &fill, b, 0.0);
        out.extend(items);
        let line = point
            .and_then(|p| p.line.clone())
            .unwrap_or_else(|| s.line.clone());
        if let Some(line) = &line {
            l.line_items(&path, line, b, 0.0, out);
        }
        if let Some(label) = labels::of(s, i, *v, Some(v.abs() / total)) {
            place_label(l, &label, at, radii, mid, swing, text);
        }
        angle += swing;
    }
}

fn slice(c: (f64, f64), (inner, outer): (f64, f64), angle: f64, swing: f64) -> Path {
    let on = |r: f64, a: f64| {
        (
            c.0 + r * a.to_radians().cos(),
            c.1 + r * a.to_radians().sin(),
        )
    };
    let mut p = Path::default();
    let a = on(outer, angle);
    if swing >= 359.999 {
        p.steps.push(Step::Move(a.0, a.1));
        arc::append(&mut p, a, outer, outer, angle, 360.0);
        p.steps.push(Step::Close);
        if inner > 0.0 {
            let b = on(inner, angle);
            p.steps.push(Step::Move(b.0, b.1));
            arc::append(&mut p, b, inner, inner, angle, -360.0);
            p.steps.push(Step::Close);
        }
        return p;
    }
    if inner > 0.0 {
        let b = on(inner, angle + swing);
        p.steps.push(Step::Move(a.0, a.1));
        arc::append(&mut p, a, outer, outer, angle, swing);
        p.steps.push(Step::Line(b.0, b.1));
        arc::append(&mut p, b, inner, inner, angle + swing, -swing);
    } else {
        p.steps.push(Step::Move(c.0, c.1));
        p.steps.push(Step::Line(a.0, a.1));
        arc::append(&mut p, a, outer, outer, angle, swing);
    }
    p.steps.push(Step::Close);
    p
}

fn place_label(
    l: &mut Layouter<'_>,
    label: &Label,
    c: (f64, f64),
    (inner, outer): (f64, f64),
    mid: f64,
    swing: f64,
    out: &mut Vec<Item>,
) {
    let on = |r: f64| (c.0 + r * mid.cos(), c.1 + r * mid.sin());
    let place = if inner > 0.0 {
        "ctr"
    } else {
        label.position.as_deref().unwrap_or("bestFit")
    };
    let hang_out = ((1.0 - mid.cos()) / 2.0, (1.0 - mid.sin()) / 2.0);
    match place {
        "outEnd" => labels::put(l, label, on(outer + labels::GAP), hang_out, out),
        "inEnd" => {
            let hang = ((1.0 + mid.cos()) / 2.0, (1.0 + mid.sin()) / 2.0);
            labels::put(l, label, on(outer - labels::GAP), hang, out);
        }
        "ctr" => labels::put(
            l,
            label,
            on(if inner > 0.0 {
                f64::midpoint(inner, outer)
            } else {
                outer * 0.6
            }),
            (0.5, 0.5),
            out,
        ),
        _ => {
            let chord = 2.0 * outer * 0.65 * (swing.min(180.0) / 2.0).to_radians().sin();
            if labels::fits(l, label, chord, chord.max(label.style.size)) {
                labels::put(l, label, on(outer * 0.65), (0.5, 0.5), out);
            } else {
                labels::put(l, label, on(outer + labels::GAP), hang_out, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_slice_fills_its_quadrant() {
        let b = slice((0.0, 0.0), (0.0, 10.0), 0.0, 90.0)
            .bounds()
            .expect("drawn");
        assert!((b.w - 10.0).abs() < 1e-6 && (b.h - 10.0).abs() < 1e-6 && b.x.abs() < 1e-6);
    }

    #[test]
    fn a_whole_ring_has_a_hole() {
        let p = slice((0.0, 0.0), (5.0, 10.0), 0.0, 360.0);
        assert_eq!(
            p.steps.iter().filter(|s| matches!(s, Step::Close)).count(),
            2
        );
    }
}
