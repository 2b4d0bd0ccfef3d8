// SPDX-License-Identifier: MIT OR Apache-2.0
//! The statistics of `summary.json`. Every estimate is text of six digits, so that the last bits of
//! a double, which machines may have, reach no byte of the summary.

use serde::Serialize;

use crate::suite::{CostMeasure, Id, Measure, Method};
use crate::summary::FigureText;

/// Everything that is told beside the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// What was fixed before the first trial.
    pub plan: PlanText,
    /// Tokens and times, arm against baseline and arm against arm.
    pub costs: Vec<CostComparison>,
    /// What passes, arm against baseline and arm against arm.
    pub passes: Vec<PassComparison>,
    /// Scores by dimension, arm against baseline.
    pub scores: Vec<ScoreComparison>,
    /// The suite's claims of "not worse by more than".
    pub non_inferiority: Vec<NonInferiorityText>,
    /// The suite's families of tests, corrected by Holm's method.
    pub families: Vec<FamilyText>,
}

/// The sealed plan, as the suite has it or by default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanText {
    /// The accepted chance of a false alarm, in percent.
    pub alpha_percent: String,
    /// The level of intervals, in percent.
    pub level_percent: String,
    /// The power for which smallest effects are stated, in percent.
    pub power_percent: String,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// The draws that the suite asks for, when it does.
    pub replicates: Option<u32>,
    /// What draws.
    pub generator: &'static str,
}

/// Who is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Favours {
    /// The arm.
    Arm,
    /// What it is compared with.
    Other,
    /// Neither.
    Neither,
}

/// One test and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestText {
    /// The test.
    pub method: Method,
    /// Cases that differ, which are all that the test counts.
    pub cases: usize,
    /// The two-sided p value.
    pub p: Option<String>,
    /// Whether it was counted; otherwise it was approximated or drawn.
    pub exact: bool,
    /// Draws, when it was drawn.
    pub draws: usize,
    /// Who is better by this test's own figure, significantly or not.
    pub favours: Favours,
    /// Without a significant difference: the smallest that would have been found, or why none could.
    pub detectable: Option<String>,
    /// Why there is no p value.
    pub unknown: Option<String>,
}

/// An estimate and its interval.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IntervalText {
    /// The estimate.
    pub estimate: Option<String>,
    /// The interval's lower end.
    pub low: Option<String>,
    /// The interval's upper end.
    pub high: Option<String>,
    /// Draws that the interval was made of.
    pub draws: usize,
    /// Whether there are too few cases for an interval of this kind to hold what it promises.
    pub few_cases: bool,
    /// Why there is no estimate or no interval.
    pub unknown: Option<String>,
}

/// Tokens or time of one arm against another, or against its sealed baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostComparison {
    /// The arm.
    pub arm: Id,
    /// What it is compared with: an arm, or the sealed baseline when there is none.
    pub against: Option<Id>,
    /// What is compared.
    pub measure: CostMeasure,
    /// Cases.
    pub cases: usize,
    /// Pairs of trials, or of trial and baseline.
    pub pairs: usize,
    /// Figures that a time limit cut off: at least so much, and never averaged.
    pub cut_off: usize,
    /// Cases in which the arm's median is the lower one.
    pub wins: usize,
    /// Cases with equal medians.
    pub ties: usize,
    /// Cases in which the arm's median is the higher one.
    pub losses: usize,
    /// Cases in which nobody can know, since a time limit cut off what decides.
    pub undecided: usize,
    /// The median over pairs of what the arm costs more.
    pub median_difference: FigureText,
    /// Geometric mean of the arm over that of the other: below 1 is cheaper. The interval is drawn
    /// by cases.
    pub ratio: IntervalText,
    /// The tests.
    pub tests: Vec<TestText>,
}

/// What counts as passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Passing {
    /// Every trial of the case ends well and passes all its checks.
    Checks,
    /// Every reviewer accepts the deck in every dimension.
    Reviewers,
}

/// Cases that pass, side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PassComparison {
    /// The arm.
    pub arm: Id,
    /// What it is compared with: an arm, or the sealed baseline when there is none.
    pub against: Option<Id>,
    /// What counts as passing.
    pub passing: Passing,
    /// Cases in which both pass.
    pub both: usize,
    /// Cases in which the arm alone passes.
    pub arm_only: usize,
    /// Cases in which the other alone passes.
    pub other_only: usize,
    /// Cases in which neither passes.
    pub neither: usize,
    /// McNemar's test.
    pub test: TestText,
    /// Its mid-p variant, less conservative.
    pub mid_p: String,
}

/// Scores of one dimension, an arm's decks against their baselines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoreComparison {
    /// The arm.
    pub arm: Id,
    /// The dimension.
    pub dimension: String,
    /// Cases with a review and with none missing.
    pub cases: usize,
    /// Reviews of them.
    pub reviews: usize,
    /// Cases in which the arm's mean score is higher.
    pub wins: usize,
    /// Cases with equal means.
    pub ties: usize,
    /// Cases in which it is lower.
    pub losses: usize,
    /// Wins among the cases that differ, as a share, by Clopper and Pearson.
    pub win_share: IntervalText,
    /// The mean over cases of the candidate's mean score less the baseline's.
    pub mean_difference: FigureText,
    /// The tests.
    pub tests: Vec<TestText>,
}

/// One claim of "not worse by more than".
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NonInferiorityText {
    /// The arm.
    pub arm: Id,
    /// What it is compared with: an arm, or the sealed baseline when there is none.
    pub against: Option<Id>,
    /// What is compared.
    pub measure: CostMeasure,
    /// The ratio that the interval's upper end must stay below.
    pub margin: String,
    /// That upper end.
    pub upper: Option<String>,
    /// Whether it is shown.
    pub shown: bool,
    /// Whether the verdict hangs on it.
    pub gate: bool,
    /// Why there is no upper end.
    pub unknown: Option<String>,
}

/// Tests that are corrected together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FamilyText {
    /// Its name.
    pub family: Id,
    /// Whether every test shows its arm to be the better one.
    pub shown: bool,
    /// Whether the verdict hangs on it.
    pub gate: bool,
    /// The tests.
    pub tests: Vec<FamilyTestText>,
}

/// One test of a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FamilyTestText {
    /// The arm.
    pub arm: Id,
    /// What it is compared with: an arm, or the sealed baseline when there is none.
    pub against: Option<Id>,
    /// What is compared.
    pub measure: Measure,
    /// The dimension of a score.
    pub dimension: Option<String>,
    /// The test.
    pub method: Method,
    /// Its p value.
    pub p: Option<String>,
    /// Corrected for the number of tests. One without a p value counts as 1.
    pub adjusted_p: String,
    /// Who is better.
    pub favours: Favours,
    /// Whether the arm is shown to be the better one.
    pub shown: bool,
}
