// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tests that every comparison gets, over one figure a case: positive where the arm is better.
//!
//! Trials of one case are alike, so cases are counted: five repetitions of one job are no five jobs.

use deckproof_reviews::statistics::{
    McNemar, Zeros, detectable_ratio, detectable_win_probability, shown, sign_flip, sign_test,
    wilcoxon,
};

use super::document::{Favours, TestText};
use super::plan::Plan;
use crate::suite::Method;

/// Steps of one in a case's figure: figures on a grid have exact ties and exact sums.
pub(super) const STEPS: f64 = 1e9;

/// One test's answer, before it becomes text.
#[derive(Debug, Clone)]
pub(super) struct Tested {
    pub method: Method,
    pub cases: usize,
    pub p: Result<f64, String>,
    pub exact: bool,
    pub draws: usize,
    pub favours: Favours,
    /// What could have been found, for a null result.
    pub detectable: Option<String>,
}

impl Tested {
    fn unknown(method: Method, why: &str) -> Self {
        Self {
            method,
            cases: 0,
            p: Err(why.to_owned()),
            exact: false,
            draws: 0,
            favours: Favours::Neither,
            detectable: None,
        }
    }

    pub(super) fn text(&self) -> TestText {
        TestText {
            method: self.method,
            cases: self.cases,
            p: self.p.as_ref().ok().map(|p| shown(*p)),
            exact: self.exact,
            draws: self.draws,
            favours: self.favours,
            detectable: self.detectable.clone(),
            unknown: self.p.as_ref().err().cloned(),
        }
    }

    /// Whether the arm is shown to be the better one at `alpha`, by a p value corrected or not.
    pub(super) fn shows_arm(&self, p: f64, alpha: f64) -> bool {
        self.p.is_ok() && p <= alpha && self.favours == Favours::Arm
    }
}

/// What a case's figure is a figure of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Figures {
    /// Logarithms of cost ratios, sign turned.
    LogRatios,
    /// Differences of scores.
    Scores,
}

fn favours(arm: f64, other: f64) -> Favours {
    match arm.total_cmp(&other) {
        std::cmp::Ordering::Greater => Favours::Arm,
        std::cmp::Ordering::Less => Favours::Other,
        std::cmp::Ordering::Equal => Favours::Neither,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases")]
fn double(count: usize) -> f64 {
    count as f64
}

/// The sign test of wins against losses.
pub(super) fn sign(plan: &Plan, (wins, ties, losses): (usize, usize, usize)) -> Tested {
    let test = sign_test(wins, ties, losses);
    Tested {
        method: Method::Sign,
        cases: wins + losses,
        p: Ok(test.p),
        exact: true,
        draws: 0,
        favours: favours(double(wins), double(losses)),
        detectable: (test.p > plan.alpha).then(|| detectable_share(plan, wins + losses)),
    }
}

/// McNemar's test as the others are told.
pub(super) fn mcnemar(plan: &Plan, test: &McNemar) -> Tested {
    let (arm, other) = (test.candidate_only, test.baseline_only);
    Tested {
        method: Method::Mcnemar,
        cases: arm + other,
        p: Ok(test.p),
        exact: true,
        draws: 0,
        favours: favours(double(arm), double(other)),
        detectable: (test.p > plan.alpha).then(|| detectable_share(plan, arm + other)),
    }
}

/// The tests over the cases' figures, or why there are none.
pub(super) fn over(plan: &Plan, gains: &Result<Vec<i64>, String>, kind: Figures) -> Vec<Tested> {
    match gains {
        Ok(gains) => vec![ranks(plan, gains, kind), flips(plan, gains, kind)],
        Err(why) => [Method::Wilcoxon, Method::SignFlip]
            .map(|method| Tested::unknown(method, why))
            .to_vec(),
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "figures on a grid, far below 2^53"
)]
fn doubles(gains: &[i64]) -> Vec<f64> {
    gains.iter().map(|gain| *gain as f64).collect()
}

fn ranks(plan: &Plan, gains: &[i64], kind: Figures) -> Tested {
    let Some(test) = wilcoxon(&doubles(gains), Zeros::Drop) else {
        return Tested::unknown(Method::Wilcoxon, "a figure is not finite");
    };
    Tested {
        method: Method::Wilcoxon,
        cases: test.pairs,
        p: Ok(test.p),
        exact: test.exact,
        draws: 0,
        favours: favours(test.positive_ranks, test.negative_ranks),
        detectable: (test.p > plan.alpha).then(|| detectable_shift(plan, gains, kind)),
    }
}

fn flips(plan: &Plan, gains: &[i64], kind: Figures) -> Tested {
    let Some(test) = sign_flip(gains, plan.resampling(gains.len())) else {
        return Tested::unknown(Method::SignFlip, "the sum of the figures is too large");
    };
    let sum: i64 = gains.iter().sum();
    Tested {
        method: Method::SignFlip,
        cases: test.pairs,
        p: Ok(test.p),
        exact: test.exact,
        draws: test.draws,
        favours: match sum.signum() {
            1 => Favours::Arm,
            -1 => Favours::Other,
            _ => Favours::Neither,
        },
        detectable: (test.p > plan.alpha).then(|| detectable_shift(plan, gains, kind)),
    }
}

/// The smallest share of wins that would have been found among the cases that differ.
fn detectable_share(plan: &Plan, decided: usize) -> String {
    match detectable_win_probability(decided, plan.alpha, plan.power) {
        Some(share) => format!(
            "one side better in {} of the cases that differ",
            shown(share)
        ),
        None => none_of(decided),
    }
}

fn none_of(cases: usize) -> String {
    match cases {
        0 => "nothing: no case differs".to_owned(),
        1 => "nothing: no outcome of 1 case is significant".to_owned(),
        cases => format!("nothing: no outcome of {cases} cases is significant"),
    }
}

/// The smallest shift that would have been found, by the normal approximation.
fn detectable_shift(plan: &Plan, gains: &[i64], kind: Figures) -> String {
    let cases = gains.len();
    // A sign of each case is all that an exact test can turn.
    let least = (0..cases).fold(2.0, |p, _| p / 2.0);
    if least > plan.alpha {
        return none_of(cases);
    }
    let deviation = standard_deviation(&doubles(gains)) / STEPS;
    let Some(ratio) = detectable_ratio(cases, deviation, plan.alpha, plan.power) else {
        return none_of(cases);
    };
    match kind {
        Figures::LogRatios => format!(
            "a ratio of {}, or of {} the other way",
            shown(ratio),
            shown(1.0 / ratio)
        ),
        Figures::Scores => format!("a mean difference of {}", shown(-libm::log(ratio))),
    }
}

/// Of a sample, with one degree of freedom less; nought of one figure.
fn standard_deviation(figures: &[f64]) -> f64 {
    if figures.len() < 2 {
        return 0.0;
    }
    let mean = figures.iter().sum::<f64>() / double(figures.len());
    let squares: f64 = figures.iter().map(|x| (x - mean) * (x - mean)).sum();
    libm::sqrt(squares / double(figures.len() - 1))
}
