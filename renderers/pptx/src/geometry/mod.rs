// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plane geometry: points, rectangles, affine maps and paths. Lengths carry no unit here.

pub mod arc;
pub mod custom;
pub mod guide;
pub mod preset;
#[cfg(test)]
mod reference;
pub mod warp;

use std::borrow::Cow;

/// A rectangle by its corner and size.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// A rectangle from corner and size.
    #[must_use]
    pub const fn new(x: f64, y: f64, w: f64, h: f64) -> Self {
        Self { x, y, w, h }
    }
    /// The right edge.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.w
    }
    /// The bottom edge.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }
    /// The centre.
    #[must_use]
    pub fn centre(&self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }
    /// Every length multiplied by `k`.
    #[must_use]
    pub fn scaled(&self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k, self.w * k, self.h * k)
    }
    /// The smallest rectangle that holds both.
    #[must_use]
    pub fn union(&self, o: &Self) -> Self {
        let x = self.x.min(o.x);
        let y = self.y.min(o.y);
        Self::new(
            x,
            y,
            self.right().max(o.right()) - x,
            self.bottom().max(o.bottom()) - y,
        )
    }
    /// What two have in common.
    #[must_use]
    pub fn common(&self, o: &Self) -> Option<Self> {
        let (x, y) = (self.x.max(o.x), self.y.max(o.y));
        let (right, bottom) = (self.right().min(o.right()), self.bottom().min(o.bottom()));
        (right > x && bottom > y).then(|| Self::new(x, y, right - x, bottom - y))
    }
    /// Whether another lies within, edges included.
    #[must_use]
    pub fn contains(&self, o: &Self) -> bool {
        self.x <= o.x && self.y <= o.y && self.right() >= o.right() && self.bottom() >= o.bottom()
    }
    /// The point of the rectangle that is nearest to a point.
    #[must_use]
    pub fn nearest(&self, x: f64, y: f64) -> (f64, f64) {
        let near = |at: f64, from: f64, to: f64| at.max(from).min(to);
        (
            near(x, self.x, self.right()),
            near(y, self.y, self.bottom()),
        )
    }
    /// Grown by `d` on every side.
    #[must_use]
    pub fn grown(&self, d: f64) -> Self {
        Self::new(self.x - d, self.y - d, self.w + 2.0 * d, self.h + 2.0 * d)
    }
}

/// An affine map: x' = a·x + c·y + e, y' = b·x + d·y + f.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// Coefficients in SVG's `matrix()` order.
    pub m: [f64; 6],
}

impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Affine {
    /// The map that changes nothing.
    pub const IDENTITY: Self = Self {
        m: [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
    };

    /// A shift.
    #[must_use]
    pub const fn translate(x: f64, y: f64) -> Self {
        Self {
            m: [1.0, 0.0, 0.0, 1.0, x, y],
        }
    }
    /// A scaling about the origin.
    #[must_use]
    pub const fn scale(x: f64, y: f64) -> Self {
        Self {
            m: [x, 0.0, 0.0, y, 0.0, 0.0],
        }
    }
    /// How much longer a length becomes at most along one of the axes.
    #[must_use]
    pub fn largest_scale(&self) -> f64 {
        let [a, b, c, d, ..] = self.m;
        a.hypot(b).max(c.hypot(d))
    }
    /// A clockwise rotation (y points down) by degrees about the origin.
    #[must_use]
    pub fn rotate(deg: f64) -> Self {
        let (s, c) = if deg.rem_euclid(90.0) == 0.0 {
            match (deg.rem_euclid(360.0) / 90.0) as i32 {
                0 => (0.0, 1.0),
                1 => (1.0, 0.0),
                2 => (0.0, -1.0),
                _ => (-1.0, 0.0),
            }
        } else {
            deg.to_radians().sin_cos()
        };
        Self {
            m: [c, s, -s, c, 0.0, 0.0],
        }
    }
    /// A rotation about a centre.
    #[must_use]
    pub fn rotate_about(deg: f64, cx: f64, cy: f64) -> Self {
        Self::translate(cx, cy)
            .then_inner(&Self::rotate(deg))
            .then_inner(&Self::translate(-cx, -cy))
    }
    /// `self ∘ inner`: first `inner`, then `self`.
    #[must_use]
    pub fn then_inner(&self, inner: &Self) -> Self {
        let [a, b, c, d, e, f] = self.m;
        let [p, q, r, s, t, u] = inner.m;
        Self {
            m: [
                a * p + c * q,
                b * p + d * q,
                a * r + c * s,
                b * r + d * s,
                a * t + c * u + e,
                b * t + d * u + f,
            ],
        }
    }
    /// The image of a point.
    #[must_use]
    pub fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.m;
        (a * x + c * y + e, b * x + d * y + f)
    }
    /// The map back; `None` for one that flattens.
    #[must_use]
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f] = self.m;
        let det = a * d - b * c;
        (det.abs() > 1e-12 && det.is_finite()).then(|| Self {
            m: [
                d / det,
                -b / det,
                -c / det,
                a / det,
                (c * f - d * e) / det,
                (b * e - a * f) / det,
            ],
        })
    }
    /// Whether nothing changes.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.m == Self::IDENTITY.m
    }
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// Start a subpath.
    Move(f64, f64),
    /// A straight line.
    Line(f64, f64),
    /// A quadratic Bézier curve: control point, end.
    Quad(f64, f64, f64, f64),
    /// A cubic Bézier curve: two control points, end.
    Cubic(f64, f64, f64, f64, f64, f64),
    /// Back to the subpath's start.
    Close,
}

/// A path: steps in drawing order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Path {
    /// The steps.
    pub steps: Vec<Step>,
}

impl Path {
    /// The outline of a rectangle.
    #[must_use]
    pub fn rect(r: &Rect) -> Self {
        Self::polygon(&[
            (r.x, r.y),
            (r.right(), r.y),
            (r.right(), r.bottom()),
            (r.x, r.bottom()),
        ])
    }
    /// The box that a path made by [`Path::rect`] stands for.
    #[must_use]
    pub fn as_rect(&self) -> Option<Rect> {
        let r = self.bounds()?;
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let same = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Move(x, y), Step::Move(u, v)) | (Step::Line(x, y), Step::Line(u, v)) => {
                near(*x, *u) && near(*y, *v)
            }
            (Step::Close, Step::Close) => true,
            _ => false,
        };
        let plain = Self::rect(&r).steps;
        (self.steps.len() == plain.len() && self.steps.iter().zip(&plain).all(same)).then_some(r)
    }
    /// A closed polygon.
    #[must_use]
    pub fn polygon(points: &[(f64, f64)]) -> Self {
        let mut p = Self::polyline(points);
        p.steps.push(Step::Close);
        p
    }
    /// An open run of straight lines.
    #[must_use]
    pub fn polyline(points: &[(f64, f64)]) -> Self {
        let step = |(i, &(x, y)): (usize, &(f64, f64))| {
            if i == 0 {
                Step::Move(x, y)
            } else {
                Step::Line(x, y)
            }
        };
        Self {
            steps: points.iter().enumerate().map(step).collect(),
        }
    }
    /// An ellipse inside a rectangle.
    #[must_use]
    pub fn ellipse(r: &Rect) -> Self {
        let mut p = Self::default();
        let (cx, cy) = r.centre();
        p.steps.push(Step::Move(r.right(), cy));
        arc::append(&mut p, (r.right(), cy), r.w / 2.0, r.h / 2.0, 0.0, 360.0);
        p.steps.push(Step::Close);
        let _ = cx;
        p
    }
    /// The path itself, or one whose points outside `reach` are moved to its edge.
    #[must_use]
    pub fn within(&self, reach: &Rect) -> Cow<'_, Self> {
        if self.bounds().is_none_or(|own| reach.contains(&own)) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(self.moved(|x, y| reach.nearest(x, y)))
    }
    /// The path with every point mapped.
    #[must_use]
    pub fn mapped(&self, map: &Affine) -> Self {
        self.moved(|x, y| map.apply(x, y))
    }
    /// The path with every point, control points too, moved to where `at` puts it.
    #[must_use]
    pub fn moved(&self, at: impl Fn(f64, f64) -> (f64, f64)) -> Self {
        let one = |s: &Step| match *s {
            Step::Move(x, y) => {
                let p = at(x, y);
                Step::Move(p.0, p.1)
            }
            Step::Line(x, y) => {
                let p = at(x, y);
                Step::Line(p.0, p.1)
            }
            Step::Quad(a, b, x, y) => {
                let (p, q) = (at(a, b), at(x, y));
                Step::Quad(p.0, p.1, q.0, q.1)
            }
            Step::Cubic(a, b, c, d, x, y) => {
                let (p, q, r) = (at(a, b), at(c, d), at(x, y));
                Step::Cubic(p.0, p.1, q.0, q.1, r.0, r.1)
            }
            Step::Close => Step::Close,
        };
        Self {
            steps: self.steps.iter().map(one).collect(),
        }
    }
    /// Bounds over all points and control points; `None` when empty.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        let mut b: Option<(f64, f64, f64, f64)> = None;
        let mut add = |x: f64, y: f64| {
            b = Some(b.map_or((x, y, x, y), |o| {
                (o.0.min(x), o.1.min(y), o.2.max(x), o.3.max(y))
            }));
        };
        for s in &self.steps {
            match *s {
                Step::Move(x, y) | Step::Line(x, y) => add(x, y),
                Step::Quad(a, b2, x, y) => {
                    add(a, b2);
                    add(x, y);
                }
                Step::Cubic(a, b2, c, d, x, y) => {
                    add(a, b2);
                    add(c, d);
                    add(x, y);
                }
                Step::Close => {}
            }
        }
        b.map(|(x0, y0, x1, y1)| Rect::new(x0, y0, x1 - x0, y1 - y0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_about_a_centre_keeps_it() {
        let p = Affine::rotate_about(33.0, 4.0, 5.0).apply(4.0, 5.0);
        assert!((p.0 - 4.0).abs() < 1e-9 && (p.1 - 5.0).abs() < 1e-9);
    }

    #[test]
    fn quarter_turns_are_exact() {
        assert_eq!(Affine::rotate(90.0).apply(1.0, 0.0), (0.0, 1.0));
        assert_eq!(Affine::rotate(-90.0).apply(0.0, 1.0), (1.0, 0.0));
    }

    #[test]
    fn bounds_of_an_ellipse_are_its_rectangle() {
        let r = Rect::new(1.0, 2.0, 30.0, 10.0);
        let b = Path::ellipse(&r).bounds().expect("not empty");
        assert!((b.x - r.x).abs() < 1e-6 && (b.w - r.w).abs() < 1e-6 && (b.h - r.h).abs() < 1e-6);
    }
}
