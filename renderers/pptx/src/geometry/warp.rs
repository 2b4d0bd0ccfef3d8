// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text warps (`a:prstTxWarp`): the edges that text is bent along, and the map from flat text to bent text.
//!
//! `warps.txt` holds the forty definitions of ECMA-376 Part 1 in the notation of `preset.rs`. A warp with an even number of
//! edges stretches text between a top and a bottom edge; one with an odd number carries lines of text along each edge.

use super::preset::{Definition, warp};
use super::{Path, Step};

/// Points that a curve is cut into.
const CUTS: usize = 24;

/// An edge as a run of short lines, read by the share of its length.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    points: Vec<(f64, f64)>,
    /// Length from the start to each point.
    along: Vec<f64>,
}

impl Edge {
    fn new(points: Vec<(f64, f64)>) -> Option<Self> {
        let mut along = Vec::with_capacity(points.len());
        let mut sum = 0.0;
        let mut last = *points.first()?;
        for p in &points {
            sum += (p.0 - last.0).hypot(p.1 - last.1);
            along.push(sum);
            last = *p;
        }
        let finite = points.iter().all(|p| p.0.is_finite() && p.1.is_finite());
        finite.then_some(Self { points, along })
    }

    /// Its length.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.along.last().copied().unwrap_or(0.0)
    }

    /// The point at a distance from the start, and the direction there. Beyond the ends it goes on straight.
    #[must_use]
    pub fn at(&self, s: f64) -> ((f64, f64), (f64, f64)) {
        let last = self.points.len().saturating_sub(1);
        let i = self
            .along
            .partition_point(|a| *a <= s)
            .clamp(1, last.max(1));
        let get = |k: usize| self.points.get(k).copied().unwrap_or_default();
        let (a, b) = (get(i - 1), get(i.min(last)));
        let from = self.along.get(i - 1).copied().unwrap_or(0.0);
        let len = (b.0 - a.0).hypot(b.1 - a.1);
        if len <= 0.0 {
            return (a, (1.0, 0.0));
        }
        let d = ((b.0 - a.0) / len, (b.1 - a.1) / len);
        let t = s - from;
        ((a.0 + d.0 * t, a.1 + d.1 * t), d)
    }
}

/// The edges of a warp in a box with its corner at the origin, in drawing order. `None` for a name that the standard has not.
#[must_use]
pub fn edges(name: &str, adjusts: &[(String, String)], w: f64, h: f64) -> Option<Vec<Edge>> {
    let def: &Definition = warp(name)?;
    // Angles of a definition are the same in every unit; lengths are taken as they come.
    let outline = def.evaluate(w.max(0.0), h.max(0.0), adjusts);
    let all: Vec<Edge> = outline
        .paths
        .iter()
        .filter_map(|p| Edge::new(flatten(&p.path, CUTS)))
        .collect();
    (all.len() == def.paths.len()).then_some(all)
}

/// A path's points, curves cut into `cuts` lines each.
fn flatten(path: &Path, cuts: usize) -> Vec<(f64, f64)> {
    let mut out = Vec::new();
    for s in cut(path, |_| cuts).steps {
        if let Step::Move(x, y) | Step::Line(x, y) = s {
            out.push((x, y));
        }
    }
    out
}

/// A path of lines alone: every step cut into as many lines as `cuts` gives for its length.
#[must_use]
pub fn cut(path: &Path, cuts: impl Fn(f64) -> usize) -> Path {
    let mut out = Path::default();
    let (mut at, mut start) = ((0.0, 0.0), (0.0, 0.0));
    for s in &path.steps {
        let curve: [(f64, f64); 4] = match *s {
            Step::Move(x, y) => {
                at = (x, y);
                start = at;
                out.steps.push(*s);
                continue;
            }
            Step::Line(x, y) => [
                at,
                mid(at, (x, y), 1.0 / 3.0),
                mid(at, (x, y), 2.0 / 3.0),
                (x, y),
            ],
            Step::Quad(a, b, x, y) => [
                at,
                mid(at, (a, b), 2.0 / 3.0),
                mid((x, y), (a, b), 2.0 / 3.0),
                (x, y),
            ],
            Step::Cubic(a, b, c, d, x, y) => [at, (a, b), (c, d), (x, y)],
            Step::Close => [
                at,
                mid(at, start, 1.0 / 3.0),
                mid(at, start, 2.0 / 3.0),
                start,
            ],
        };
        let [p, q, r, e] = curve;
        let length = (q.0 - p.0).hypot(q.1 - p.1)
            + (r.0 - q.0).hypot(r.1 - q.1)
            + (e.0 - r.0).hypot(e.1 - r.1);
        let n = cuts(length).clamp(1, 256);
        for i in 1..=n {
            let v = bezier(curve, i as f64 / n as f64);
            out.steps.push(Step::Line(v.0, v.1));
        }
        if *s == Step::Close {
            out.steps.push(Step::Close);
        }
        at = e;
    }
    out
}

fn mid(a: (f64, f64), b: (f64, f64), t: f64) -> (f64, f64) {
    (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t)
}

fn bezier([a, b, c, d]: [(f64, f64); 4], t: f64) -> (f64, f64) {
    let (ab, bc, cd) = (mid(a, b, t), mid(b, c, t), mid(c, d, t));
    mid(mid(ab, bc, t), mid(bc, cd, t), t)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<&'static str> {
        include_str!("warps.txt")
            .lines()
            .filter_map(|l| l.strip_prefix("= "))
            .collect()
    }

    #[test]
    fn all_forty_warps_have_finite_edges_at_odd_sizes() {
        assert_eq!(names().len(), 40);
        for name in names() {
            for (w, h) in [(300.0, 100.0), (1.0, 900.0), (0.0, 0.0)] {
                let all = edges(name, &[], w, h).unwrap_or_else(|| panic!("{name} at {w}x{h}"));
                assert!(all.iter().all(|e| e.length().is_finite()), "{name}");
            }
        }
        assert_eq!(edges("textZigzag", &[], 1.0, 1.0), None);
    }

    #[test]
    fn a_plain_warp_is_the_box() {
        let all = edges("textPlain", &[], 300.0, 100.0).expect("known");
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].at(0.0).0, (0.0, 0.0));
        assert_eq!(all[1].at(300.0).0, (300.0, 100.0));
    }

    #[test]
    fn an_arch_runs_from_left_over_the_top_to_the_right() {
        let all = edges("textArchUp", &[], 200.0, 100.0).expect("known");
        let e = all.first().expect("one edge");
        let (p, d) = e.at(e.length() / 2.0);
        assert!((p.0 - 100.0).abs() < 1.0 && p.1.abs() < 1.0, "{p:?}");
        assert!(d.0 > 0.99, "{d:?}");
    }

    #[test]
    fn cutting_keeps_the_ends() {
        let p = Path::rect(&super::super::Rect::new(0.0, 0.0, 10.0, 10.0));
        let c = cut(&p, |_| 4);
        assert_eq!(c.bounds(), p.bounds());
        assert_eq!(c.steps.len(), 1 + 4 * 4 + 1);
    }
}
