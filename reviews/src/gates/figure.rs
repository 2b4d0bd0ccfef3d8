// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures that gates compare, and that may be unknown.
//!
//! Usage that a host did not report is unknown, not nought. One unknown part makes the whole figure
//! unknown: a median over the trials that happened to be measured would be another figure.

use crate::exact::Exact;

/// A figure of the experiment, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// The figure.
    Known {
        /// Its exact value.
        value: Exact,
        /// One line for each part that it was made of.
        detail: Vec<String>,
    },
    /// There is no such figure.
    Unknown {
        /// What is missing.
        why: String,
    },
}

impl Figure {
    /// A known figure without detail.
    #[must_use]
    pub fn of(value: Exact) -> Self {
        Self::Known {
            value,
            detail: Vec::new(),
        }
    }

    /// No figure, because `why`.
    #[must_use]
    pub fn unknown(why: impl Into<String>) -> Self {
        Self::Unknown { why: why.into() }
    }

    /// The value, when it is known.
    #[must_use]
    pub fn known(&self) -> Option<&Exact> {
        match self {
            Self::Known { value, .. } => Some(value),
            Self::Unknown { .. } => None,
        }
    }

    /// The parts that the figure was made of.
    #[must_use]
    pub fn detail(&self) -> &[String] {
        match self {
            Self::Known { detail, .. } => detail,
            Self::Unknown { .. } => &[],
        }
    }
}

/// The median of the counts of a cell's trials; unknown when one is, or when there is no trial.
#[must_use]
pub fn median_of_counts(counts: &[Option<u64>]) -> Figure {
    let known: Option<Vec<Exact>> = counts.iter().map(|count| count.map(Exact::from)).collect();
    match known.map(|known| Exact::median(&known)) {
        Some(Some(median)) => Figure::of(median),
        Some(None) => Figure::unknown("no trial"),
        None => {
            let missing = counts.iter().filter(|count| count.is_none()).count();
            Figure::unknown(format!(
                "{missing} of {} trials have no figure",
                counts.len()
            ))
        }
    }
}

/// The part of `baseline` that `candidate` saves; unknown when either is or the baseline is nought.
#[must_use]
pub fn improvement(baseline: &Figure, candidate: &Figure) -> Figure {
    combine(baseline, candidate, Exact::improvement)
}

/// `first / second`; unknown when either is or the second is nought.
#[must_use]
pub fn ratio(first: &Figure, second: &Figure) -> Figure {
    combine(first, second, Exact::ratio)
}

fn combine<E: std::fmt::Display>(
    first: &Figure,
    second: &Figure,
    operation: impl Fn(&Exact, &Exact) -> Result<Exact, E>,
) -> Figure {
    match (first, second) {
        (Figure::Known { value: first, .. }, Figure::Known { value: second, .. }) => {
            operation(first, second).map_or_else(|e| Figure::unknown(e.to_string()), Figure::of)
        }
        (Figure::Unknown { why }, _) | (_, Figure::Unknown { why }) => Figure::unknown(why),
    }
}

/// The median over named parts, with every part in the detail; unknown when one is unknown.
#[must_use]
pub fn median(parts: &[(String, Figure)]) -> Figure {
    let mut values = Vec::with_capacity(parts.len());
    let mut detail = Vec::with_capacity(parts.len());
    for (name, figure) in parts {
        match figure {
            Figure::Known { value, .. } => {
                values.push(value.clone());
                detail.push(format!("{name}: {value}"));
            }
            Figure::Unknown { why } => return Figure::unknown(format!("{name}: {why}")),
        }
    }
    match Exact::median(&values) {
        Some(value) => Figure::Known { value, detail },
        None => Figure::unknown("no case"),
    }
}
