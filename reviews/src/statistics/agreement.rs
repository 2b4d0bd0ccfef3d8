// SPDX-License-Identifier: MIT OR Apache-2.0
//! Agreement between reviewers: Cohen's kappa for two, Krippendorff's alpha for any number.

use std::collections::BTreeMap;

use super::double;

/// How far apart two categories count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weighting {
    /// Alike or not.
    Unweighted,
    /// By their distance in the order of categories.
    Linear,
    /// By the square of that distance.
    Quadratic,
}

/// Cohen's kappa of two reviewers over the same items; categories are in the order of `i64`, and
/// only those that occur count.
///
/// `None` of no items, of unequal numbers, and when one category is all there is.
#[must_use]
pub fn cohen_kappa(first: &[i64], second: &[i64], weighting: Weighting) -> Option<f64> {
    if first.is_empty() || first.len() != second.len() {
        return None;
    }
    let mut categories: Vec<i64> = first.iter().chain(second).copied().collect();
    categories.sort_unstable();
    categories.dedup();
    let place = |value: i64| categories.partition_point(|category| *category < value);
    let weight = |a: usize, b: usize| match weighting {
        Weighting::Unweighted => f64::from(u8::from(a != b)),
        Weighting::Linear => double(a.abs_diff(b)),
        Weighting::Quadratic => double(a.abs_diff(b)) * double(a.abs_diff(b)),
    };
    let observed: f64 = first
        .iter()
        .zip(second)
        .map(|(a, b)| weight(place(*a), place(*b)))
        .sum();
    let counts = |values: &[i64]| -> Vec<f64> {
        let count = |category: &i64| values.iter().filter(|value| *value == category).count();
        categories
            .iter()
            .map(|category| double(count(category)))
            .collect()
    };
    let (of_first, of_second) = (counts(first), counts(second));
    let mut expected = 0.0;
    for (a, in_first) in of_first.iter().enumerate() {
        for (b, in_second) in of_second.iter().enumerate() {
            expected += weight(a, b) * in_first * in_second;
        }
    }
    let expected = expected / double(first.len());
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

/// What the numbers of a rating mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Names: alike or not.
    Nominal,
    /// An order without distances: scores with words.
    Ordinal,
    /// Distances.
    Interval,
}

/// Krippendorff's alpha. Each unit lists the ratings that it got; missing ones are left out.
///
/// `None` when no unit has two ratings, or when one value is all there is.
#[must_use]
pub fn krippendorff_alpha(units: &[Vec<i64>], level: Level) -> Option<f64> {
    let mut coincidences: BTreeMap<(i64, i64), f64> = BTreeMap::new();
    let mut totals: BTreeMap<i64, f64> = BTreeMap::new();
    for unit in units.iter().filter(|unit| unit.len() > 1) {
        let share = 1.0 / double(unit.len() - 1);
        for (at, value) in unit.iter().enumerate() {
            *totals.entry(*value).or_default() += 1.0;
            for (_, other) in unit.iter().enumerate().filter(|(other, _)| *other != at) {
                *coincidences.entry((*value, *other)).or_default() += share;
            }
        }
    }
    let all: f64 = totals.values().sum();
    let distance = |a: i64, b: i64| squared_distance(level, &totals, a, b);
    let observed: f64 = coincidences
        .iter()
        .map(|((a, b), weight)| weight * distance(*a, *b))
        .sum();
    let mut expected = 0.0;
    for (a, of_a) in &totals {
        for (b, of_b) in &totals {
            expected += of_a * of_b * distance(*a, *b);
        }
    }
    (expected > 0.0).then(|| 1.0 - (all - 1.0) * observed / expected)
}

fn squared_distance(level: Level, totals: &BTreeMap<i64, f64>, a: i64, b: i64) -> f64 {
    let (low, high) = (a.min(b), a.max(b));
    let distance = match level {
        _ if low == high => 0.0,
        Level::Nominal => 1.0,
        Level::Interval => double(usize::try_from(high.abs_diff(low)).unwrap_or(usize::MAX)),
        Level::Ordinal => {
            let between: f64 = totals.range(low..=high).map(|(_, count)| count).sum();
            let ends: f64 = [low, high].iter().filter_map(|end| totals.get(end)).sum();
            between - ends / 2.0
        }
    };
    distance * distance
}
