// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gradients to paints: linear by the box's corners, circles by ellipses, rectangles by nested rectangles.

use std::sync::Arc;

use crate::color::Color;
use crate::display::{Item, Paint, TilePaint};
use crate::geometry::{Affine, Path, Rect};
use crate::tree::{Gradient, GradientKind};

/// Rings of a rectangular gradient.
const RINGS: usize = 96;

/// The paint of a gradient over a box; `rot` is the shape's rotation when the gradient must not turn with it.
#[must_use]
pub fn paint(g: &Gradient, b: Rect, rot: f64) -> Paint {
    match g.kind {
        GradientKind::Linear(angle, scaled) => linear(
            g,
            b,
            angle - if g.rot_with_shape { 0.0 } else { rot },
            scaled,
        ),
        GradientKind::Circle(to) => circle(g, b, to),
        GradientKind::Rect(to) => rectangle(g, b, to),
    }
}

fn linear(g: &Gradient, b: Rect, angle: f64, scaled: bool) -> Paint {
    let a = angle.to_radians();
    let (mut dx, mut dy) = (a.cos(), a.sin());
    if scaled && b.w > 0.0 && b.h > 0.0 {
        (dx, dy) = (dx * b.h, dy * b.w);
        let n = dx.hypot(dy).max(1e-9);
        (dx, dy) = (dx / n, dy / n);
    }
    let half = f64::midpoint((b.w * dx).abs(), (b.h * dy).abs());
    let (cx, cy) = b.centre();
    Paint::Linear {
        from: (cx - dx * half, cy - dy * half),
        to: (cx + dx * half, cy + dy * half),
        stops: g.stops.clone(),
    }
}

fn focus(b: Rect, to: [f64; 4]) -> Rect {
    let [l, t, r, bt] = to;
    let x0 = b.x + b.w * l;
    let x1 = b.right() - b.w * r;
    let y0 = b.y + b.h * t;
    let y1 = b.bottom() - b.h * bt;
    Rect::new(x0.min(x1), y0.min(y1), (x1 - x0).abs(), (y1 - y0).abs())
}

fn circle(g: &Gradient, b: Rect, to: [f64; 4]) -> Paint {
    let (cx, cy) = focus(b, to).centre();
    let far =
        |c: f64, lo: f64, hi: f64| (c - lo).abs().max((hi - c).abs()) * std::f64::consts::SQRT_2;
    Paint::Radial {
        centre: (cx, cy),
        radius: (far(cx, b.x, b.right()), far(cy, b.y, b.bottom())),
        stops: g.stops.clone(),
    }
}

fn rectangle(g: &Gradient, b: Rect, to: [f64; 4]) -> Paint {
    let f = focus(b, to);
    let mut items = Vec::with_capacity(RINGS + 1);
    for i in 0..=RINGS {
        let t = 1.0 - i as f64 / RINGS as f64;
        let m = |inner: f64, outer: f64| inner + (outer - inner) * t;
        let r = Rect::new(m(f.x, b.x), m(f.y, b.y), m(f.w, b.w), m(f.h, b.h));
        items.push(Item::filled(Path::rect(&r), Paint::Solid(at(&g.stops, t))));
    }
    Paint::Tile(Arc::new(TilePaint {
        rect: b.grown(0.5),
        map: Affine::IDENTITY,
        items,
    }))
}

/// The colour at a position.
#[must_use]
pub fn at(stops: &[(f64, Color)], t: f64) -> Color {
    let mut before: Option<(f64, Color)> = None;
    for s in stops {
        if s.0 >= t {
            return match before {
                Some(b) if s.0 > b.0 => b.1.mix(s.1, (t - b.0) / (s.0 - b.0)),
                _ => s.1,
            };
        }
        before = Some(*s);
    }
    before.map_or(Color::BLACK, |b| b.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_gradient_reaches_the_corners() {
        let g = Gradient {
            stops: vec![(0.0, Color::BLACK), (1.0, Color::WHITE)],
            kind: GradientKind::Linear(90.0, false),
            rot_with_shape: true,
        };
        let Paint::Linear { from, to, .. } = paint(&g, Rect::new(0.0, 0.0, 100.0, 40.0), 0.0)
        else {
            panic!("linear")
        };
        assert!((from.1 - 0.0).abs() < 1e-9 && (to.1 - 40.0).abs() < 1e-9);
    }

    #[test]
    fn every_stop_counts() {
        let stops = [
            (0.0, Color::BLACK),
            (0.5, Color::WHITE),
            (1.0, Color::BLACK),
        ];
        assert!((at(&stops, 0.5).r - 1.0).abs() < 1e-9);
        assert!((at(&stops, 0.75).r - 0.5).abs() < 1e-9);
    }
}
