// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sealed plan as numbers.

use deckproof_reviews::exact::Exact;
use deckproof_reviews::statistics::Resampling;

use super::document::PlanText;
use crate::suite;
use crate::summary::figures::exact;
use crate::verify::VerifyError;

/// Draws when the suite does not say.
const DRAWS: usize = 9_999;
/// Fewest draws when there are many cases.
const LEAST_DRAWS: usize = 999;
/// Most figures drawn for one interval when the suite does not say, so that a verdict over many
/// thousand cases takes seconds and not minutes.
const MOST_DRAWN: usize = 10_000_000;

/// Levels, seed and draws.
#[derive(Debug)]
pub(super) struct Plan {
    /// The accepted chance of a false alarm.
    pub alpha: f64,
    /// The level of intervals.
    pub level: f64,
    /// The power of smallest effects.
    pub power: f64,
    seed: u64,
    replicates: Option<u32>,
    /// As it is told.
    pub text: PlanText,
}

impl Plan {
    pub(super) fn of(plan: &suite::Statistics) -> Result<Self, VerifyError> {
        let (alpha, power) = (exact(&plan.alpha_percent)?, exact(&plan.power_percent)?);
        let part = |percent: &Exact| Exact::from_percent(percent).approximate();
        let level = Exact::from(100_u64).less(&alpha);
        Ok(Self {
            alpha: part(&alpha),
            level: part(&level),
            power: part(&power),
            seed: plan.seed,
            replicates: plan.replicates,
            text: PlanText {
                alpha_percent: alpha.to_string(),
                level_percent: level.to_string(),
                power_percent: power.to_string(),
                seed: plan.seed,
                replicates: plan.replicates,
                generator: "ChaCha20, keyed by SHA-256 over the purpose and the seed",
            },
        })
    }

    /// How often to draw from so many cases.
    pub(super) fn resampling(&self, cases: usize) -> Resampling {
        let by_default = (MOST_DRAWN / cases.max(1)).clamp(LEAST_DRAWS, DRAWS);
        let asked = self.replicates.and_then(|draws| draws.try_into().ok());
        Resampling {
            seed: self.seed,
            draws: asked.unwrap_or(by_default),
        }
    }
}
