// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trend lines and error bars.

use super::axes::{Plot, Settled};
use super::model::{Series, Trend};
use crate::display::Item;
use crate::geometry::Path;
use crate::layout::Layouter;

/// Draws the trend lines of a series. `along` takes x (from 1 for categories) to a place on the axis.
pub fn trends(
    l: &mut Layouter<'_>,
    s: &Series,
    p: &Plot,
    along: &dyn Fn(f64) -> f64,
    val: &Settled,
    horizontal: bool,
    out: &mut Vec<Item>,
) {
    for t in &s.trends {
        let Some(line) = &t.line else { continue };
        let data: Vec<(f64, f64)> = s
            .values
            .iter()
            .enumerate()
            .filter_map(|(i, v)| {
                Some((
                    if s.xs.is_empty() {
                        (i + 1) as f64
                    } else {
                        s.xs.get(i).copied().flatten()?
                    },
                    (*v)?,
                ))
            })
            .collect();
        let points: Vec<(f64, f64)> = curve(t, &data)
            .into_iter()
            .map(|(x, y)| {
                let (a, b) = (along(x), val.scale.at(y));
                if horizontal {
                    p.point(b, a)
                } else {
                    p.point(a, b)
                }
            })
            .collect();
        if points.len() > 1 {
            l.line_items(&Path::polyline(&points), line, p.rect, 0.0, out);
        }
    }
}

/// A change of variable.
type Change = fn(f64) -> f64;

/// The points of a trend line over its data.
fn curve(t: &Trend, data: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if data.len() < 2 {
        return Vec::new();
    }
    if t.kind == "movingAvg" {
        return data
            .windows(t.order.max(2))
            .filter_map(|w| {
                Some((
                    w.last()?.0,
                    w.iter().map(|p| p.1).sum::<f64>() / w.len() as f64,
                ))
            })
            .collect();
    }
    let lo = data.iter().map(|p| p.0).fold(f64::INFINITY, f64::min) - t.extend.1;
    let hi = data.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max) + t.extend.0;
    let mapped = |fx: fn(f64) -> f64, fy: fn(f64) -> f64| {
        data.iter().map(|p| (fx(p.0), fy(p.1))).collect::<Vec<_>>()
    };
    let same = |v: f64| v;
    let log = |v: f64| v.max(1e-300).ln();
    let (fit, x_of, y_of): (Vec<f64>, Change, Change) = match t.kind.as_str() {
        "exp" => (least_squares(&mapped(same, log), 1), same, f64::exp),
        "log" => (least_squares(&mapped(log, same), 1), log, same),
        "power" => (least_squares(&mapped(log, log), 1), log, f64::exp),
        "poly" => (
            least_squares(&mapped(same, same), t.order.min(data.len() - 1)),
            same,
            same,
        ),
        _ => (least_squares(&mapped(same, same), 1), same, same),
    };
    let n = if t.kind == "linear" { 1 } else { 60 };
    (0..=n)
        .map(|i| {
            let x = lo + (hi - lo) * f64::from(i) / f64::from(n);
            let u = x_of(x);
            (x, y_of(fit.iter().rev().fold(0.0, |a, c| a * u + c)))
        })
        .filter(|p| p.1.is_finite())
        .collect()
}

/// Coefficients of the polynomial of a degree that fits best, constant first.
fn least_squares(data: &[(f64, f64)], degree: usize) -> Vec<f64> {
    let n = degree + 1;
    let mut m = vec![vec![0.0; n + 1]; n];
    for (x, y) in data {
        for (i, row) in m.iter_mut().enumerate() {
            for (j, cell) in row.iter_mut().enumerate() {
                *cell += if j < n {
                    x.powi((i + j) as i32)
                } else {
                    y * x.powi(i as i32)
                };
            }
        }
    }
    solve(m)
}

/// Gaussian elimination with pivots; a singular system gives zeros.
fn solve(mut m: Vec<Vec<f64>>) -> Vec<f64> {
    let n = m.len();
    for c in 0..n {
        let best = (c..n)
            .max_by(|a, b| cell(&m, *a, c).abs().total_cmp(&cell(&m, *b, c).abs()))
            .unwrap_or(c);
        m.swap(c, best);
        let pivot = cell(&m, c, c);
        if pivot.abs() < 1e-300 {
            return vec![0.0; n];
        }
        let row = m.get(c).cloned().unwrap_or_default();
        for r in (0..n).filter(|r| *r != c) {
            let k = cell(&m, r, c) / pivot;
            if let Some(target) = m.get_mut(r) {
                for (t, s) in target.iter_mut().zip(&row) {
                    *t -= k * s;
                }
            }
        }
    }
    (0..n).map(|i| cell(&m, i, n) / cell(&m, i, i)).collect()
}

fn cell(m: &[Vec<f64>], r: usize, c: usize) -> f64 {
    m.get(r).and_then(|row| row.get(c)).copied().unwrap_or(0.0)
}

/// Draws the error bars of a series. `at` takes a point's index to its place on the category axis.
pub fn errors(
    l: &mut Layouter<'_>,
    s: &Series,
    p: &Plot,
    at: &dyn Fn(f64) -> f64,
    val: &Settled,
    horizontal: bool,
    out: &mut Vec<Item>,
) {
    for e in s.errors.iter().filter(|e| e.along_x == horizontal) {
        let Some(line) = &e.line else { continue };
        let values: Vec<f64> = s.values.iter().flatten().copied().collect();
        let n = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation =
            (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt();
        for (i, v) in s.values.iter().enumerate() {
            let Some(v) = v else { continue };
            let own = |list: &[Option<f64>]| {
                list.get(i)
                    .or_else(|| list.first())
                    .copied()
                    .flatten()
                    .unwrap_or(0.0)
            };
            let (plus, minus) = match e.kind.as_str() {
                "percentage" => (v.abs() * e.value / 100.0, v.abs() * e.value / 100.0),
                "stdDev" => (deviation * e.value, deviation * e.value),
                "stdErr" => (deviation / n.sqrt(), deviation / n.sqrt()),
                "cust" => (own(&e.custom.0), own(&e.custom.1)),
                _ => (e.value, e.value),
            };
            let hi = val.scale.at(v + if e.both.0 { plus } else { 0.0 });
            let lo = val.scale.at(v - if e.both.1 { minus } else { 0.0 });
            let a = at(i as f64);
            let point = |t: f64| {
                if horizontal {
                    p.point(t, a)
                } else {
                    p.point(a, t)
                }
            };
            l.line_items(
                &Path::polyline(&[point(lo), point(hi)]),
                line,
                p.rect,
                0.0,
                out,
            );
            for t in [lo, hi].into_iter().filter(|_| e.cap) {
                let (x, y) = point(t);
                let ends = if horizontal {
                    [(x, y - 3.0), (x, y + 3.0)]
                } else {
                    [(x - 3.0, y), (x + 3.0, y)]
                };
                l.line_items(&Path::polyline(&ends), line, p.rect, 0.0, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_again() {
        let fit = least_squares(&[(1.0, 5.0), (2.0, 7.0), (3.0, 9.0)], 1);
        assert!((fit[0] - 3.0).abs() < 1e-9 && (fit[1] - 2.0).abs() < 1e-9);
    }

    #[test]
    fn too_few_points_give_no_curve() {
        let t = Trend {
            kind: "linear".into(),
            order: 2,
            extend: (0.0, 0.0),
            line: None,
        };
        assert!(curve(&t, &[(1.0, 1.0)]).is_empty());
    }
}
