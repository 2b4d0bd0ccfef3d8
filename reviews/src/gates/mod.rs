// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one gate engine: it decides our own experiments and the seed's records alike.
//!
//! A gate compares a figure with a limit, or demands that a set be empty. Its answer is computed
//! here and nowhere else, so that no caller can state a gate as passed. What is not known does not
//! pass, gates cannot compensate for one another, and no gates at all are no pass.

mod figure;
mod own;
mod verdict;

#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::exact::Exact;

pub use figure::{Figure, improvement, median, median_of_counts, ratio};
pub use own::{
    MECHANICAL_CHECKS, MEDIAN_DURATION_IMPROVEMENT, MEDIAN_TOKEN_IMPROVEMENT, PROTOCOL_CONTROLS,
    SEMANTIC_NON_REGRESSION, duration_ratio, mechanical_checks, median_duration_improvement,
    median_token_improvement, protocol_controls, semantic_non_regression, token_ratio,
};
pub use verdict::Verdict;

/// How a gate compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// The figure is the limit or more.
    AtLeast,
    /// The figure is the limit or less.
    AtMost,
    /// The figure is less than the limit.
    Below,
    /// The set has no member.
    Empty,
}

/// How a figure is shown. The comparison never sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A part of one, shown as a percentage with one decimal.
    Percent,
    /// A plain ratio with four decimals.
    Ratio,
}

/// One comparison and its answer. Made by [`Gate::at_least`], [`Gate::at_most`], [`Gate::below`],
/// [`Gate::empty`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gate {
    name: String,
    passed: bool,
    comparison: Comparison,
    /// The figure as shown; absent when it is not known.
    figure: Option<String>,
    /// The figure in full, as a decimal number or a fraction.
    exact: Option<String>,
    limit: String,
    reason: String,
    detail: Vec<String>,
}

impl Gate {
    /// Passes when `figure` is known and `limit` or more.
    #[must_use]
    pub fn at_least(name: impl Into<String>, figure: &Figure, limit: &Exact, unit: Unit) -> Self {
        Self::compare(name.into(), Comparison::AtLeast, figure, limit, unit)
    }

    /// Passes when `figure` is known and `limit` or less.
    #[must_use]
    pub fn at_most(name: impl Into<String>, figure: &Figure, limit: &Exact, unit: Unit) -> Self {
        Self::compare(name.into(), Comparison::AtMost, figure, limit, unit)
    }

    /// Passes when `figure` is known and less than `limit`.
    #[must_use]
    pub fn below(name: impl Into<String>, figure: &Figure, limit: &Exact, unit: Unit) -> Self {
        Self::compare(name.into(), Comparison::Below, figure, limit, unit)
    }

    /// Passes when the set is known and has no member. The members are listed as given.
    ///
    /// `set` is an error, with the reason, when it could not be determined.
    #[must_use]
    pub fn empty(name: impl Into<String>, set: Result<Vec<String>, String>) -> Self {
        let (passed, figure, reason, detail) = match set {
            Ok(members) if members.is_empty() => (true, Some(0), "none".to_owned(), members),
            Ok(members) => {
                let reason = format!("{} found, none allowed", members.len());
                (false, Some(members.len()), reason, members)
            }
            Err(unknown) => (false, None, format!("unknown: {unknown}"), Vec::new()),
        };
        let figure = figure.map(|count| count.to_string());
        Self {
            name: name.into(),
            passed,
            comparison: Comparison::Empty,
            exact: figure.clone(),
            figure,
            limit: "0".to_owned(),
            reason,
            detail,
        }
    }

    fn compare(
        name: String,
        comparison: Comparison,
        figure: &Figure,
        limit: &Exact,
        unit: Unit,
    ) -> Self {
        let passed = match (figure.known(), comparison) {
            (Some(known), Comparison::AtLeast) => known >= limit,
            (Some(known), Comparison::AtMost) => known <= limit,
            (Some(known), Comparison::Below) => known < limit,
            (Some(_), Comparison::Empty) | (None, _) => false,
        };
        let shown = figure.known().map(|known| unit.show(known));
        let shown_limit = unit.show_limit(limit);
        let reason = match (figure, &shown) {
            (Figure::Known { value, .. }, Some(shown)) => {
                let text = format!("{shown} is {} {shown_limit}", word(comparison, passed));
                // The rounded figure may look like the limit itself: then only the whole one explains.
                if !passed && value != limit && *shown == unit.show(limit) {
                    format!("{text} (in full: {value})")
                } else {
                    text
                }
            }
            (Figure::Unknown { why }, _) => format!("unknown: {why}"),
            (Figure::Known { .. }, None) => String::new(),
        };
        Self {
            name,
            passed,
            comparison,
            figure: shown,
            exact: figure.known().map(ToString::to_string),
            limit: shown_limit,
            reason,
            detail: figure.detail().to_vec(),
        }
    }

    /// The gate's name, such as `token_ratio:quarterly`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the gate holds.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.passed
    }

    /// The figure as shown, when it is known.
    #[must_use]
    pub fn figure(&self) -> Option<&str> {
        self.figure.as_deref()
    }

    /// The figure in full, when it is known.
    #[must_use]
    pub fn exact(&self) -> Option<&str> {
        self.exact.as_deref()
    }

    /// The limit as shown.
    #[must_use]
    pub fn limit(&self) -> &str {
        &self.limit
    }

    /// How the figure stands to the limit.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// Why the gate holds or not, in one line.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What the figure was made of, or the members of the set.
    #[must_use]
    pub fn detail(&self) -> &[String] {
        &self.detail
    }
}

impl Unit {
    fn show(self, figure: &Exact) -> String {
        match self {
            Self::Percent => format!("{} %", figure.to_percent().rounded(1)),
            Self::Ratio => figure.rounded(4),
        }
    }

    /// A limit is somebody's decision: it is never shown rounded.
    fn show_limit(self, limit: &Exact) -> String {
        match self {
            Self::Percent => format!("{} %", limit.to_percent()),
            Self::Ratio => limit.to_string(),
        }
    }
}

fn word(comparison: Comparison, passed: bool) -> &'static str {
    match (comparison, passed) {
        (Comparison::AtLeast, true) => "at least",
        (Comparison::AtLeast, false) | (Comparison::Below, true) => "less than",
        (Comparison::Below, false) => "not less than",
        (_, true) => "at most",
        (_, false) => "more than",
    }
}
