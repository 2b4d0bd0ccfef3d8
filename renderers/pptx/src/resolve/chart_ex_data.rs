// SPDX-License-Identifier: MIT OR Apache-2.0
//! The statistics behind the chart kinds of Office 2016: trees of sizes, bins, sums by category, quartiles.

use roxmltree::Node as Xn;

use super::chart_series::auto_color;
use super::context::Cx;
use crate::chart::model::{Branch, Spread};
use crate::xml::Xml;

/// Most bins of a histogram.
const MAX_BINS: usize = 200;

/// The tree of a hierarchy: `levels` from the innermost out, each with a name per row. A name that is left out is the one
/// above it, as long as something is inside it.
#[must_use]
pub fn branches(levels: &[Vec<String>], sizes: &[Option<f64>], cx: &Cx<'_>) -> Vec<Branch> {
    let mut out: Vec<Branch> = Vec::new();
    let mut above: Vec<String> = vec![String::new(); levels.len()];
    for (row, size) in sizes.iter().enumerate() {
        let Some(size) = size.filter(|s| *s > 0.0) else {
            continue;
        };
        let names: Vec<&str> = levels
            .iter()
            .rev()
            .map(|l| l.get(row).map_or("", String::as_str))
            .collect();
        let depth = names.iter().rposition(|n| !n.is_empty()).unwrap_or(0);
        let path: Vec<String> = names
            .iter()
            .enumerate()
            .take(depth + 1)
            .map(|(k, n)| match above.get(k) {
                Some(a) if n.is_empty() => a.clone(),
                _ => (*n).to_owned(),
            })
            .collect();
        for (slot, name) in above.iter_mut().zip(&path) {
            slot.clone_from(name);
        }
        grow(&mut out, &path, size);
    }
    let n = out.len();
    for (i, b) in out.iter_mut().enumerate() {
        paint(b, auto_color(2, i, n, cx));
    }
    out
}

fn grow(list: &mut Vec<Branch>, path: &[String], size: f64) {
    let Some((name, rest)) = path.split_first() else {
        return;
    };
    let at = list
        .iter()
        .position(|b| b.name == *name && !rest.is_empty());
    let index = at.unwrap_or_else(|| {
        list.push(Branch {
            name: name.clone(),
            size: 0.0,
            color: crate::color::Color::BLACK,
            branches: Vec::new(),
        });
        list.len() - 1
    });
    if let Some(b) = list.get_mut(index) {
        b.size += size;
        grow(&mut b.branches, rest, size);
    }
}

fn paint(b: &mut Branch, color: crate::color::Color) {
    b.color = color;
    for c in &mut b.branches {
        paint(c, color);
    }
}

/// The bins of a histogram and how many values each has. Without a stored width it is Scott's: 3.5 deviations by the cube
/// root of the number of values.
#[must_use]
pub fn bins(series: Xn<'_, '_>, values: &[Option<f64>]) -> (Vec<String>, Vec<Option<f64>>) {
    let all: Vec<f64> = values.iter().flatten().copied().collect();
    let (Some(low), Some(high)) = (
        all.iter().copied().reduce(f64::min),
        all.iter().copied().reduce(f64::max),
    ) else {
        return (Vec::new(), Vec::new());
    };
    let binning = series.path(&["layoutPr", "binning"]);
    let stored = |k: &str| {
        binning
            .and_then(|b| b.child(k))
            .and_then(|b| b.num("val").or_else(|| b.text()?.trim().parse().ok()))
            .filter(|v: &f64| v.is_finite() && *v > 0.0)
    };
    let n = all.len() as f64;
    let mean = all.iter().sum::<f64>() / n;
    let deviation =
        (all.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt();
    let scott = 3.5 * deviation / n.cbrt();
    let width = stored("binSize")
        .or_else(|| stored("binCount").map(|c| (high - low) / c.max(1.0)))
        .unwrap_or(if scott > 0.0 { scott } else { 1.0 });
    let width = if width > 0.0 { width } else { 1.0 };
    let count = (((high - low) / width).ceil().max(1.0) as usize).min(MAX_BINS);
    let mut counts = vec![0.0; count];
    for v in &all {
        // A bin holds its upper end; the first one both.
        let i = ((((v - low) / width).ceil() - 1.0).max(0.0) as usize).min(count - 1);
        if let Some(c) = counts.get_mut(i) {
            *c += 1.0;
        }
    }
    let show = crate::chart::number::general;
    let round = |v: f64| (v * 100.0).round() / 100.0;
    let names = (0..count).map(|i| {
        let (a, b) = (low + width * i as f64, low + width * (i + 1) as f64);
        let open = if i == 0 { "[" } else { "(" };
        format!("{open}{}, {}]", show(round(a)), show(round(b)))
    });
    (names.collect(), counts.into_iter().map(Some).collect())
}

/// Sums by category, the greatest first.
#[must_use]
pub fn by_category(names: &[String], values: &[Option<f64>]) -> (Vec<String>, Vec<f64>) {
    let mut sums: Vec<(String, f64)> = Vec::new();
    for (name, v) in names.iter().zip(values) {
        let v = v.unwrap_or(0.0);
        match sums.iter_mut().find(|s| s.0 == *name) {
            Some(s) => s.1 += v,
            None => sums.push((name.clone(), v)),
        }
    }
    sums.sort_by(|a, b| b.1.total_cmp(&a.1));
    sums.into_iter().unzip()
}

/// How values spread: quartiles by the exclusive (or inclusive) median rule, whiskers to the last value within one and a
/// half times the box. `None` without values.
#[must_use]
pub fn spread(mut values: Vec<f64>, inclusive: bool) -> Option<Spread> {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 {
        return None;
    }
    let at = |q: f64| {
        let p = if inclusive {
            q * (n - 1) as f64
        } else {
            (q * (n + 1) as f64 - 1.0).clamp(0.0, (n - 1) as f64)
        };
        let get = |i: usize| values.get(i.min(n - 1)).copied().unwrap_or(0.0);
        let (a, t) = (p.floor(), p.fract());
        get(a as usize) * (1.0 - t) + get(a as usize + 1) * t
    };
    let quartiles = [at(0.25), at(0.5), at(0.75)];
    let reach = 1.5 * (quartiles[2] - quartiles[0]);
    let inside = |v: &&f64| **v >= quartiles[0] - reach && **v <= quartiles[2] + reach;
    let low = values
        .iter()
        .find(|v| inside(v))
        .copied()
        .unwrap_or(quartiles[0]);
    let high = values
        .iter()
        .rev()
        .find(|v| inside(v))
        .copied()
        .unwrap_or(quartiles[2]);
    Some(Spread {
        whiskers: (low, high),
        quartiles,
        mean: values.iter().sum::<f64>() / n as f64,
        outliers: values
            .iter()
            .filter(|v| !inside(v))
            .copied()
            .take(500)
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_by_both_rules() {
        let v: Vec<f64> = (1..=8).map(f64::from).collect();
        let exclusive = spread(v.clone(), false).expect("values");
        assert_eq!(exclusive.quartiles, [2.25, 4.5, 6.75]);
        let inclusive = spread(v, true).expect("values");
        assert_eq!(inclusive.quartiles, [2.75, 4.5, 6.25]);
        assert_eq!(spread(Vec::new(), true), None);
    }

    #[test]
    fn a_value_far_off_is_no_end_of_a_whisker() {
        let s = spread(vec![1.0, 2.0, 3.0, 4.0, 100.0], true).expect("values");
        assert_eq!((s.whiskers, s.outliers), ((1.0, 4.0), vec![100.0]));
    }

    #[test]
    fn categories_are_summed_and_sorted() {
        let names = ["a", "b", "a"].map(str::to_owned);
        let (n, v) = by_category(&names, &[Some(1.0), Some(5.0), Some(2.0)]);
        assert_eq!(
            (n, v),
            (vec!["b".to_owned(), "a".to_owned()], vec![5.0, 3.0])
        );
    }
}
