// SPDX-License-Identifier: MIT OR Apache-2.0
//! The statistics as rows of tables, for every form of the summary alike.

use super::document::{
    CostComparison, FamilyTestText, Favours, IntervalText, PassComparison, Passing,
    ScoreComparison, Statistics, TestText,
};
use crate::suite::{CostMeasure, Id, Measure, Method};

/// Titles of [`cost_rows`].
pub(in crate::summary) const COST_TITLES: [&str; 7] = [
    "arm",
    "what",
    "ratio",
    "interval",
    "cases",
    "median of pairs",
    "p",
];
/// Titles of [`pass_rows`].
pub(in crate::summary) const PASS_TITLES: [&str; 4] = ["arm", "passing", "cases", "p"];
/// Titles of [`score_rows`].
pub(in crate::summary) const SCORE_TITLES: [&str; 5] =
    ["arm", "dimension", "mean difference", "cases", "p"];
/// Titles of [`claim_rows`].
pub(in crate::summary) const CLAIM_TITLES: [&str; 5] = ["", "arm", "what", "upper end", "margin"];
/// Titles of [`family_rows`].
pub(in crate::summary) const FAMILY_TITLES: [&str; 6] = ["", "family", "arm", "what", "test", "p"];
/// Titles of [`null_rows`].
pub(in crate::summary) const NULL_TITLES: [&str; 4] = [
    "arm",
    "what",
    "test",
    "the smallest that would have been found",
];

/// `web against slides`, `web against its baseline`.
#[must_use]
pub(crate) fn against_words(arm: &Id, against: Option<&Id>) -> String {
    match against {
        Some(other) => format!("{arm} against {other}"),
        None => format!("{arm} against its baseline"),
    }
}

fn cost_words(measure: CostMeasure) -> &'static str {
    match measure {
        CostMeasure::Tokens => "tokens",
        CostMeasure::Duration => "time",
    }
}

fn interval_words(interval: &IntervalText) -> String {
    let few = if interval.few_cases {
        ", few cases"
    } else {
        ""
    };
    match (&interval.low, &interval.high, &interval.unknown) {
        (Some(low), Some(high), _) => format!("{low} to {high}{few}"),
        (_, _, Some(why)) => why.clone(),
        _ => "unknown".to_owned(),
    }
}

fn standing_words(better: &str, counts: [usize; 3]) -> String {
    let [wins, ties, losses] = counts;
    let worse = if better == "cheaper" {
        "dearer"
    } else {
        "worse"
    };
    format!("{wins} {better}, {ties} equal, {losses} {worse}")
}

/// Every p value of a comparison, each with its test.
fn p_words(tests: &[TestText]) -> String {
    let short = |method| match method {
        Method::Sign => "sign",
        Method::Wilcoxon => "Wilcoxon",
        Method::SignFlip => "sign-flip",
        Method::Mcnemar => "McNemar",
    };
    let known: Vec<_> = tests
        .iter()
        .filter_map(|test| Some(format!("{} {}", short(test.method), test.p.as_ref()?)))
        .collect();
    if known.is_empty() {
        return "unknown".to_owned();
    }
    known.join(", ")
}

/// Tokens and times, one row a comparison.
pub(in crate::summary) fn cost_rows_of(costs: &[CostComparison]) -> Vec<Vec<String>> {
    let row = |one: &CostComparison| {
        let undecided = match one.undecided {
            0 => String::new(),
            count => format!(", {count} undecided"),
        };
        let counts = standing_words("cheaper", [one.wins, one.ties, one.losses]);
        vec![
            against_words(&one.arm, one.against.as_ref()),
            cost_words(one.measure).to_owned(),
            one.ratio
                .estimate
                .clone()
                .unwrap_or_else(|| "unknown".to_owned()),
            interval_words(&one.ratio),
            format!("{counts}{undecided}"),
            signed(one.median_difference.shown()),
            p_words(&one.tests),
        ]
    };
    costs.iter().map(row).collect()
}

/// A difference always shows its direction.
fn signed(figure: &str) -> String {
    let above = figure.starts_with(|c: char| c.is_ascii_digit())
        && figure.contains(|c: char| ('1'..='9').contains(&c));
    if above {
        format!("+{figure}")
    } else {
        figure.to_owned()
    }
}

/// What passes, one row a comparison.
pub(in crate::summary) fn pass_rows(statistics: &Statistics) -> Vec<Vec<String>> {
    let row = |one: &PassComparison| {
        let passing = match one.passing {
            Passing::Checks => "all checks",
            Passing::Reviewers => "every reviewer accepts it",
        };
        let counts = format!(
            "{} both, {} the arm alone, {} the other alone, {} neither",
            one.both, one.arm_only, one.other_only, one.neither
        );
        let p = p_words(std::slice::from_ref(&one.test));
        let against = against_words(&one.arm, one.against.as_ref());
        vec![
            against,
            passing.to_owned(),
            counts,
            format!("{p}, mid-p {}", one.mid_p),
        ]
    };
    statistics.passes.iter().map(row).collect()
}

/// Scores, one row a dimension.
pub(in crate::summary) fn score_rows(statistics: &Statistics) -> Vec<Vec<String>> {
    let row = |one: &ScoreComparison| {
        vec![
            against_words(&one.arm, None),
            one.dimension.clone(),
            signed(one.mean_difference.shown()),
            standing_words("better", [one.wins, one.ties, one.losses]),
            p_words(&one.tests),
        ]
    };
    statistics.scores.iter().map(row).collect()
}

fn shown_word(shown: bool, gate: bool) -> String {
    let word = if shown { "shown" } else { "NOT SHOWN" };
    let gates = if gate { ", a gate" } else { ", no gate" };
    format!("{word}{gates}")
}

/// Claims of "not worse by more than".
pub(in crate::summary) fn claim_rows(statistics: &Statistics) -> Vec<Vec<String>> {
    let claims = statistics.non_inferiority.iter();
    claims
        .map(|one| {
            let upper = one.upper.clone().or_else(|| one.unknown.clone());
            vec![
                shown_word(one.shown, one.gate),
                against_words(&one.arm, one.against.as_ref()),
                cost_words(one.measure).to_owned(),
                upper.unwrap_or_else(|| "unknown".to_owned()),
                format!("below {}", one.margin),
            ]
        })
        .collect()
}

/// Families, one row a test.
pub(in crate::summary) fn family_rows(statistics: &Statistics) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for family in &statistics.families {
        rows.extend(family.tests.iter().map(|one| {
            vec![
                shown_word(one.shown, family.gate),
                family.family.to_string(),
                against_words(&one.arm, one.against.as_ref()),
                measure_words(one),
                one.method.words().to_owned(),
                family_p(one),
            ]
        }));
    }
    rows
}

fn measure_words(test: &FamilyTestText) -> String {
    match (test.measure, &test.dimension) {
        (Measure::Score, Some(name)) => format!("score of {name}"),
        (Measure::Tokens, _) => "tokens".to_owned(),
        (Measure::Duration, _) => "time".to_owned(),
        (Measure::Passes, _) => "passes".to_owned(),
        (Measure::Score, None) => "score".to_owned(),
    }
}

fn family_p(test: &FamilyTestText) -> String {
    let p = test.p.as_deref().unwrap_or("unknown");
    let turned = match test.favours {
        Favours::Other => ", for the other",
        Favours::Arm | Favours::Neither => "",
    };
    format!("{p}, corrected {}{turned}", test.adjusted_p)
}

/// Every null result with the smallest difference that the experiment could have seen.
pub(in crate::summary) fn null_rows(all: &Statistics) -> Vec<Vec<String>> {
    null_rows_of(&all.costs, &all.passes, &all.scores)
}

/// As [`null_rows`], of some comparisons.
pub(super) fn null_rows_of(
    costs: &[CostComparison],
    passes: &[PassComparison],
    scores: &[ScoreComparison],
) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for one in costs {
        let against = against_words(&one.arm, one.against.as_ref());
        nulls(&mut rows, &against, cost_words(one.measure), &one.tests);
    }
    for one in passes {
        let against = against_words(&one.arm, one.against.as_ref());
        nulls(
            &mut rows,
            &against,
            "passes",
            std::slice::from_ref(&one.test),
        );
    }
    for one in scores {
        nulls(
            &mut rows,
            &against_words(&one.arm, None),
            &one.dimension,
            &one.tests,
        );
    }
    rows
}

/// Tests with one answer share a row.
fn nulls(rows: &mut Vec<Vec<String>>, against: &str, what: &str, tests: &[TestText]) {
    let mut said: Vec<(String, Vec<&str>)> = Vec::new();
    for test in tests {
        let Some(detectable) = &test.detectable else {
            continue;
        };
        match said.iter_mut().find(|(one, _)| one == detectable) {
            Some((_, methods)) => methods.push(test.method.words()),
            None => said.push((detectable.clone(), vec![test.method.words()])),
        }
    }
    rows.extend(said.into_iter().map(|(detectable, methods)| {
        vec![
            against.to_owned(),
            what.to_owned(),
            methods.join(", "),
            detectable,
        ]
    }));
}
