// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sealed plan of the statistics: how sure, drawn how, and which of them gate.
//!
//! Everything that somebody could turn after seeing the figures stands in the suite, and the suite
//! is sealed before the first trial: levels, margins, families, the seed and the number of draws.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::at::At;
use super::decimal::Decimal;
use super::id::Id;

/// How figures are compared beside the verdict. Nothing here gates unless it says `gate = true`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Statistics {
    /// The chance of a false alarm that is accepted, in percent, above 0 and below 50. Intervals
    /// have the level that is left, 95 % for 5.
    pub alpha_percent: At<Decimal>,
    /// The chance of seeing a difference for which the smallest detectable one is stated, in
    /// percent, 50 or more and below 100.
    pub power_percent: At<Decimal>,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// How often is drawn, 99 to 1000000. Without it 9999 times, less often with more than 1000
    /// cases, which the summary then says.
    pub replicates: Option<u32>,
    /// Claims of "not worse by more than".
    pub non_inferiority: Vec<NonInferiorityClaim>,
    /// Tests that are corrected together, by Holm's method.
    pub family: Vec<Family>,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            alpha_percent: At::nowhere(Decimal::whole(5)),
            power_percent: At::nowhere(Decimal::whole(80)),
            seed: 1,
            replicates: None,
            non_inferiority: Vec::new(),
            family: Vec::new(),
        }
    }
}

/// The arm costs at most `margin` times what it is compared with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NonInferiorityClaim {
    /// The arm that is not to be worse.
    pub arm: At<Id>,
    /// The arm that it is compared with; without it, its sealed baseline.
    pub against: Option<At<Id>>,
    /// What is compared.
    pub measure: CostMeasure,
    /// The smallest ratio that is no longer acceptable, such as "1.10". The interval's upper end
    /// must be below it.
    pub margin: At<Decimal>,
    /// Whether the experiment fails when the claim is not shown.
    #[serde(default)]
    pub gate: bool,
}

/// What costs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum CostMeasure {
    /// Tokens, input and output together.
    Tokens,
    /// Wall time.
    Duration,
}

impl CostMeasure {
    /// The word of the suite.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Duration => "duration",
        }
    }
}

/// Tests of one question: their p values are corrected for their number.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name.
    pub id: At<Id>,
    /// Whether the experiment fails unless every test of the family, corrected, shows the arm to be
    /// the better one.
    #[serde(default)]
    pub gate: bool,
    /// The tests.
    pub test: Vec<FamilyTest>,
}

/// One test of a family.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FamilyTest {
    /// The arm that is to be better.
    pub arm: At<Id>,
    /// The arm that it is compared with; without it, its sealed baseline.
    pub against: Option<At<Id>>,
    /// What is compared.
    pub measure: Measure,
    /// For `score`: the dimension of the review.
    pub dimension: Option<String>,
    /// The test.
    pub method: Method,
}

/// What a test compares.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Tokens, input and output together.
    Tokens,
    /// Wall time.
    Duration,
    /// Whether a trial passes all its checks, arm against arm; whether reviewers accept the deck,
    /// arm against baseline.
    Passes,
    /// Scores of one dimension, arm against baseline.
    Score,
}

/// How a test counts. Cases are counted, not trials.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Wins against losses, exactly.
    Sign,
    /// Wilcoxon's signed ranks.
    Wilcoxon,
    /// Signs flipped, exactly up to 20 cases, then drawn.
    SignFlip,
    /// Pairs in which one side alone passes, exactly. For `passes`.
    Mcnemar,
}

impl Method {
    /// The test's name for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Sign => "sign test",
            Self::Wilcoxon => "Wilcoxon signed-rank",
            Self::SignFlip => "sign-flip permutation",
            Self::Mcnemar => "McNemar",
        }
    }
}
