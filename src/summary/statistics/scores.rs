// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scores by dimension: the candidate's mean less the baseline's, one figure a case.

use deckproof_reviews::exact::Exact;
use deckproof_reviews::gates::Figure;
use deckproof_reviews::statistics::{binomial_interval, shown};

use super::document::{IntervalText, ScoreComparison};
use super::plan::Plan;
use super::tests_of::{self, Figures, Tested};
use super::{Facts, Pair};
use crate::summary::FigureText;
use crate::summary::figures::Cell;

/// One comparison and its tests.
#[derive(Debug)]
pub(super) struct Scores {
    pub text: ScoreComparison,
    pub tests: Vec<Tested>,
}

/// The sum of a case's differences and the number of its reviews.
type Case = (i64, usize);

/// Compares one dimension; `None` when no case has all its reviews.
pub(super) fn compare(
    plan: &Plan,
    pair: &Pair<'_>,
    dimension: &str,
    facts: &Facts<'_>,
) -> Option<Scores> {
    let cells = pair.cells.iter();
    let cases: Vec<Case> = cells
        .filter_map(|(cell, _)| case(cell, dimension, facts))
        .collect();
    if cases.is_empty() {
        return None;
    }
    let count = |sign: i64| cases.iter().filter(|(sum, _)| sum.signum() == sign).count();
    let (wins, ties, losses) = (count(1), count(0), count(-1));
    let mut tests = vec![tests_of::sign(plan, (wins, ties, losses))];
    let gains = Ok(cases.iter().map(on_grid).collect());
    tests.extend(tests_of::over(plan, &gains, Figures::Scores));
    let text = ScoreComparison {
        arm: pair.arm.clone(),
        dimension: dimension.to_owned(),
        cases: cases.len(),
        reviews: cases.iter().map(|(_, reviews)| reviews).sum(),
        wins,
        ties,
        losses,
        win_share: win_share(plan, wins, wins + losses),
        mean_difference: mean(&cases),
        tests: tests.iter().map(Tested::text).collect(),
    };
    Some(Scores { text, tests })
}

fn case(cell: &Cell<'_>, dimension: &str, facts: &Facts<'_>) -> Option<Case> {
    let compared = facts.complete(cell)?;
    let mut case = (0, 0);
    let reviews = compared.iter().flat_map(|one| &one.reviews);
    for one in reviews.flat_map(|one| &one.review.dimensions) {
        if one.name == dimension {
            case.0 += i64::from(one.candidate.score) - i64::from(one.baseline.score);
            case.1 += 1;
        }
    }
    (case.1 > 0).then_some(case)
}

/// The mean of a case on the grid, rounded away from nought, so that signs stay.
fn on_grid((sum, reviews): &Case) -> i64 {
    let steps = i128::from(*sum) * 1_000_000_000;
    let reviews = i128::try_from(*reviews).unwrap_or(1).max(1);
    let half = reviews / 2 * steps.signum();
    i64::try_from((steps + half) / reviews).unwrap_or(0)
}

fn mean(cases: &[Case]) -> FigureText {
    let of =
        |(sum, reviews): &Case| Exact::ratio(&Exact::from(*sum), &Exact::from(*reviews as u64));
    let sum: Result<Exact, _> = cases.iter().map(of).sum();
    let mean = sum.and_then(|sum| Exact::ratio(&sum, &Exact::from(cases.len() as u64)));
    let figure = mean.map_or_else(|why| Figure::unknown(why.to_string()), Figure::of);
    FigureText::of(&figure, |value| value.rounded(2))
}

fn win_share(plan: &Plan, wins: usize, decided: usize) -> IntervalText {
    let interval = binomial_interval(wins, decided, plan.level);
    let share = interval.map(|_| wins as f64 / decided as f64);
    IntervalText {
        estimate: share.map(shown),
        low: interval.map(|(low, _)| shown(low)),
        high: interval.map(|(_, high)| shown(high)),
        draws: 0,
        few_cases: false,
        unknown: interval.is_none().then(|| "no case differs".to_owned()),
    }
}
