// SPDX-License-Identifier: MIT OR Apache-2.0
//! The gates of an experiment by their names (product.md 10.2).

use super::{Figure, Gate, Unit, improvement, median, ratio};
use crate::exact::Exact;

/// Name of the gate over the experiment's controls.
pub const PROTOCOL_CONTROLS: &str = "protocol_controls";
/// Name of the gate over the checks of all candidate trials.
pub const MECHANICAL_CHECKS: &str = "mechanical_checks";
/// Name of the gate over all required and submitted reviews.
pub const SEMANTIC_NON_REGRESSION: &str = "semantic_non_regression";
/// Name of the gate over the tokens that the candidate saves.
pub const MEDIAN_TOKEN_IMPROVEMENT: &str = "median_token_improvement";
/// Name of the gate over the time that the candidate saves.
pub const MEDIAN_DURATION_IMPROVEMENT: &str = "median_duration_improvement";

/// No control failed. `failed` names those that did, or says why that is unknown.
#[must_use]
pub fn protocol_controls(failed: Result<Vec<String>, String>) -> Gate {
    Gate::empty(PROTOCOL_CONTROLS, failed)
}

/// No check of a candidate trial failed. `failed` names them as `trial: check: reason`.
#[must_use]
pub fn mechanical_checks(failed: Result<Vec<String>, String>) -> Gate {
    Gate::empty(MECHANICAL_CHECKS, failed)
}

/// No review is missing and none finds the candidate worse than the baseline.
#[must_use]
pub fn semantic_non_regression(failed: Result<Vec<String>, String>) -> Gate {
    Gate::empty(SEMANTIC_NON_REGRESSION, failed)
}

/// The median over cases of the tokens saved is `minimum` (a part of one) or more.
///
/// `cases` holds name, baseline figure and candidate figure.
#[must_use]
pub fn median_token_improvement(cases: &[(String, Figure, Figure)], minimum: &Exact) -> Gate {
    median_improvement(MEDIAN_TOKEN_IMPROVEMENT, cases, minimum)
}

/// The median over cases of the time saved is `minimum` (a part of one) or more.
#[must_use]
pub fn median_duration_improvement(cases: &[(String, Figure, Figure)], minimum: &Exact) -> Gate {
    median_improvement(MEDIAN_DURATION_IMPROVEMENT, cases, minimum)
}

/// Tokens of the HTML arm over those of the PPTX arm of one case, at most `limit`.
#[must_use]
pub fn token_ratio(case: &str, html: &Figure, pptx: &Figure, limit: &Exact) -> Gate {
    Gate::at_most(
        format!("token_ratio:{case}"),
        &ratio(html, pptx),
        limit,
        Unit::Ratio,
    )
}

/// Time of the HTML arm over that of the PPTX arm of one case, at most `limit`.
#[must_use]
pub fn duration_ratio(case: &str, html: &Figure, pptx: &Figure, limit: &Exact) -> Gate {
    Gate::at_most(
        format!("duration_ratio:{case}"),
        &ratio(html, pptx),
        limit,
        Unit::Ratio,
    )
}

fn median_improvement(name: &str, cases: &[(String, Figure, Figure)], minimum: &Exact) -> Gate {
    let parts: Vec<(String, Figure)> = cases
        .iter()
        .map(|(case, baseline, candidate)| (case.clone(), improvement(baseline, candidate)))
        .collect();
    Gate::at_least(name, &median(&parts), minimum, Unit::Percent)
}
