// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tokens and times compared: an arm with its sealed baseline, or with another arm on the same cases
//! and repetitions.
//!
//! A trial that ran into its limit cost "at least so much". It decides a case where that is enough,
//! and is never averaged: with one of them the ratio is unknown. Costs in money, once records have
//! them, are one more measure here.

use deckproof_reviews::exact::Exact;
use deckproof_reviews::gates::Figure;
use deckproof_reviews::statistics::{
    CensoredMedian, Cluster, Lasted, RatioEstimate, geometric_mean_ratio, median_lasted, shown,
};

use super::document::{CostComparison, IntervalText};
use super::plan::Plan;
use super::tests_of::{self, Figures, STEPS, Tested};
use super::{Against, Pair};
use crate::experiment::records::Outcome;
use crate::suite::CostMeasure;
use crate::summary::FigureText;
use crate::summary::figures::{Cell, Measure};
use crate::summary::trials::Trial;

/// One comparison with everything that gates and families ask of it.
#[derive(Debug)]
pub(super) struct Costs {
    pub text: CostComparison,
    /// The upper end of the ratio's interval, or why there is none.
    pub upper: Result<f64, String>,
    pub tests: Vec<Tested>,
}

/// The pairs of one case.
struct Case {
    name: String,
    pairs: Vec<(Lasted, Lasted)>,
}

/// How the cases stand, by their medians.
#[derive(Debug, Default)]
struct Standings {
    wins: usize,
    ties: usize,
    losses: usize,
    undecided: usize,
}

/// Compares one measure of one pair over all cases.
pub(super) fn compare(plan: &Plan, pair: &Pair<'_>, measure: CostMeasure) -> Costs {
    let cases = cases(pair, measure);
    let unknown = cases.as_ref().err().cloned();
    let cases = cases.unwrap_or_default();
    let all = || cases.iter().flat_map(|case| &case.pairs);
    let cut_off = all().map(|(one, other)| cut(*one) + cut(*other)).sum();
    let whole = match (&unknown, cut_off) {
        (Some(why), _) => Err(why.clone()),
        (None, 0) => Ok(()),
        (None, 1) => Err("a time limit cut off 1 figure".to_owned()),
        (None, cut_off) => Err(format!("a time limit cut off {cut_off} figures")),
    };
    let standings = standings(&cases);
    let estimate = whole.clone().and_then(|()| ratio(plan, &cases));
    let gains = whole.clone().map(|()| cases.iter().map(gain).collect());
    let mut tests = Vec::new();
    if unknown.is_none() {
        let counts = (standings.wins, standings.ties, standings.losses);
        tests.push(tests_of::sign(plan, counts));
    }
    tests.extend(tests_of::over(plan, &gains, Figures::LogRatios));
    let text = CostComparison {
        arm: pair.arm.clone(),
        against: pair.against(),
        measure,
        cases: cases.len(),
        pairs: all().count(),
        cut_off,
        wins: standings.wins,
        ties: standings.ties,
        losses: standings.losses,
        undecided: standings.undecided,
        median_difference: median_difference(&cases, whole),
        ratio: interval(&estimate),
        tests: tests.iter().map(Tested::text).collect(),
    };
    let upper = estimate.and_then(|one| match one.interval {
        Some(interval) => Ok(interval.high),
        None => Err(one_case(one.clusters)),
    });
    Costs { text, upper, tests }
}

fn one_case(cases: usize) -> String {
    match cases {
        1 => "no interval of 1 case".to_owned(),
        cases => format!("no interval of {cases} cases"),
    }
}

/// The pairs of every case, or how many have no figure.
fn cases(pair: &Pair<'_>, measure: CostMeasure) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let (mut missing, mut all) = (0, 0);
    for (own, other) in &pair.cells {
        let mut case = Case {
            name: own.case.id.get().to_string(),
            pairs: Vec::new(),
        };
        for (first, second) in figures(own, other, measure) {
            all += 1;
            match (first, second) {
                (Some(first), Some(second)) => case.pairs.push((first, second)),
                _ => missing += 1,
            }
        }
        cases.push(case);
    }
    match missing {
        0 => Ok(cases),
        missing => Err(format!("{missing} of {all} pairs have no figure")),
    }
}

type MaybePair = (Option<Lasted>, Option<Lasted>);

fn figures(own: &Cell<'_>, other: &Against<'_>, measure: CostMeasure) -> Vec<MaybePair> {
    let kind = match measure {
        CostMeasure::Tokens => Measure::Tokens,
        CostMeasure::Duration => Measure::Duration,
    };
    let first = own.trials.iter().map(|trial| lasted(trial, kind));
    match other {
        Against::Baseline => {
            let sealed = Some(Lasted::Finished(own.baseline(kind)));
            first.map(|first| (first, sealed)).collect()
        }
        Against::Arm(cell) => {
            let second = cell.trials.iter().map(|trial| lasted(trial, kind));
            first.zip(second).collect()
        }
    }
}

/// A trial that a limit ended cost at least what it had cost by then.
fn lasted(trial: &Trial<'_>, measure: Measure) -> Option<Lasted> {
    let figure = measure.of(trial)?;
    Some(match trial.ended.outcome {
        Outcome::TimedOut => Lasted::Censored(figure),
        _ => Lasted::Finished(figure),
    })
}

fn cut(lasted: Lasted) -> usize {
    usize::from(matches!(lasted, Lasted::Censored(_)))
}

fn number(lasted: Lasted) -> u64 {
    match lasted {
        Lasted::Finished(number) | Lasted::Censored(number) => number,
    }
}

fn standings(cases: &[Case]) -> Standings {
    let mut standings = Standings::default();
    for case in cases {
        let median = |side: fn(&(Lasted, Lasted)) -> Lasted| {
            median_lasted(&case.pairs.iter().map(side).collect::<Vec<_>>())
        };
        let both = median(|pair| pair.0).zip(median(|pair| pair.1));
        let place = match both.and_then(|(own, other)| compare_medians(own, other)) {
            Some(std::cmp::Ordering::Less) => &mut standings.wins,
            Some(std::cmp::Ordering::Equal) => &mut standings.ties,
            Some(std::cmp::Ordering::Greater) => &mut standings.losses,
            None => &mut standings.undecided,
        };
        *place += 1;
    }
    standings
}

/// How two medians stand; `None` when nobody can know.
fn compare_medians(own: CensoredMedian, other: CensoredMedian) -> Option<std::cmp::Ordering> {
    use CensoredMedian::{TwiceAtLeast, TwiceExactly};
    match (own, other) {
        (TwiceExactly(own), TwiceExactly(other)) => Some(own.cmp(&other)),
        (TwiceAtLeast(own), TwiceExactly(other)) if own > other => {
            Some(std::cmp::Ordering::Greater)
        }
        (TwiceExactly(own), TwiceAtLeast(other)) if own < other => Some(std::cmp::Ordering::Less),
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "figures far below 2^53")]
fn ratio(plan: &Plan, cases: &[Case]) -> Result<RatioEstimate, String> {
    let clusters: Vec<Cluster> = cases
        .iter()
        .map(|case| Cluster {
            name: case.name.clone(),
            pairs: case
                .pairs
                .iter()
                .map(|(own, other)| (number(*own) as f64, number(*other) as f64))
                .collect(),
        })
        .collect();
    let resampling = plan.resampling(clusters.len());
    geometric_mean_ratio(&clusters, plan.level, resampling)
        .ok_or_else(|| "there is no pair".to_owned())
}

/// The mean logarithm of a case's ratios on the grid, positive where the arm is cheaper.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "logarithms of 64-bit figures are below 45"
)]
fn gain(case: &Case) -> i64 {
    let log = |lasted: Lasted| libm::log(number(lasted) as f64);
    let logs = case
        .pairs
        .iter()
        .map(|(own, other)| log(*other) - log(*own));
    let mean = logs.sum::<f64>() / case.pairs.len().max(1) as f64;
    libm::round(mean * STEPS) as i64
}

fn median_difference(cases: &[Case], whole: Result<(), String>) -> FigureText {
    let difference =
        |(own, other): &(Lasted, Lasted)| i128::from(number(*own)) - i128::from(number(*other));
    let pairs = cases.iter().flat_map(|case| &case.pairs);
    let mut all: Vec<i128> = pairs.map(difference).collect();
    all.sort_unstable();
    let figure = match (whole, middle(&all)) {
        (Err(why), _) => Figure::unknown(why),
        (Ok(()), Some(median)) => Figure::of(median),
        (Ok(()), None) => Figure::unknown("there is no pair"),
    };
    FigureText::of(&figure, |value| value.rounded(0))
}

/// The median of sorted whole numbers: fractions are made of one or two of them, not of all.
fn middle(sorted: &[i128]) -> Option<Exact> {
    let exact = |number: &i128| number.to_string().parse::<Exact>().ok();
    let upper = sorted.get(sorted.len() / 2)?;
    let lower = sorted.get(sorted.len().checked_sub(1)? / 2)?;
    Exact::median(&[exact(lower)?, exact(upper)?])
}

fn interval(estimate: &Result<RatioEstimate, String>) -> IntervalText {
    let known = estimate.as_ref().ok();
    let interval = known.and_then(|one| one.interval.as_ref());
    IntervalText {
        estimate: known.map(|one| shown(one.ratio)),
        low: interval.map(|interval| shown(interval.low)),
        high: interval.map(|interval| shown(interval.high)),
        draws: interval.map_or(0, |_| known.map_or(0, |one| one.resampling.draws)),
        few_cases: interval.is_some_and(|interval| interval.few_clusters),
        unknown: match estimate {
            Err(why) => Some(why.clone()),
            Ok(one) if one.interval.is_none() => Some(one_case(one.clusters)),
            Ok(_) => None,
        },
    }
}
