// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summary.json`: the verdict with everything that it was derived from, in one fixed order.
//!
//! It holds no floating-point number, no time of its own, no path of the machine: the same records
//! give the same bytes wherever they lie.

use std::io;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::mapping::{Label, PacketId};
use deckproof_renderers::RendererIdentity;
use deckproof_reviews::exact::Exact;
use deckproof_reviews::gates::{Figure, Gate};
use deckproof_reviews::review::{Outcome, ReviewerType, Unblinded};
use serde::Serialize;

use super::blinding::Blinding;
use super::statistics::Statistics;
use crate::experiment::TrialId;
use crate::experiment::records::CheckStatus;
use crate::suite::{Format, Id, Mode};

/// The whole summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// `deckproof.summary.v1`.
    pub schema: SummarySchema,
    /// The suite's name.
    pub suite: Id,
    /// The verdict.
    pub result: Verdict,
    /// Names of the gates that do not hold, in order.
    pub failed_gates: Vec<String>,
    /// Every gate.
    pub gates: Vec<Gate>,
    /// How the experiment was run.
    pub controls: Vec<Control>,
    /// The figures of every case.
    pub cases: Vec<CaseFigures>,
    /// Checks of candidates that did not pass.
    pub checks_failed: Vec<FailedCheck>,
    /// What reviewers said, unblinded.
    pub comparisons: Vec<ReviewedComparison>,
    /// All reviews counted together.
    pub reviews: ReviewCounts,
    /// Reviews by a program that looked at nothing.
    pub scripted_reviews: usize,
    /// Whether the blind held, and what was set aside.
    pub blinding: Blinding,
    /// What is told beside the verdict.
    pub statistics: Statistics,
    /// What these figures do not show.
    pub not_entitled_to_say: Vec<String>,
    /// What drew the pictures and what ran the agents.
    pub identities: Identities,
    /// The records that all this is derived from.
    pub journal: JournalHead,
}

/// The only schema of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum SummarySchema {
    /// Version 1.
    #[serde(rename = "deckproof.summary.v1")]
    V1,
}

/// Whether every gate holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every gate holds.
    Pass,
    /// At least one does not.
    Fail,
}

/// One predicate about how the experiment was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Control {
    /// Its name.
    pub name: &'static str,
    /// Whether it holds.
    pub passed: bool,
    /// What it says.
    pub claim: String,
    /// What was looked at.
    pub evidence: Vec<String>,
    /// What speaks against it.
    pub problems: Vec<String>,
}

/// A figure for people and for auditors, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FigureText {
    /// Rounded.
    pub display: Option<String>,
    /// In full: a decimal number or a fraction.
    pub exact: Option<String>,
    /// Why it is not known.
    pub unknown: Option<String>,
}

/// The figures of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseFigures {
    /// The case.
    pub case: Id,
    /// What it asks for.
    pub mode: Mode,
    /// Each arm's figures.
    pub arms: Vec<ArmFigures>,
    /// HTML over PPTX, for each pair of arms.
    pub ratios: Vec<RatioFigures>,
}

/// The figures of one arm in one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArmFigures {
    /// The arm.
    pub arm: Id,
    /// What it makes.
    pub format: Format,
    /// Whether the medians of improvement are over this arm.
    pub gated: bool,
    /// Its trials.
    pub trials: Vec<TrialFigures>,
    /// Tokens, input and output together.
    pub tokens: CellFigures,
    /// Wall time in milliseconds.
    pub duration_ms: CellFigures,
}

/// One trial's figures. What is not known is absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TrialFigures {
    /// The trial.
    pub trial: TrialId,
    /// How it ended.
    pub outcome: String,
    /// Attempts that were started.
    pub attempts: usize,
    /// Tokens in all.
    pub total_tokens: Option<u64>,
    /// Tokens read.
    pub input_tokens: Option<u64>,
    /// Those of them that came from a cache.
    pub cached_input_tokens: Option<u64>,
    /// Tokens written.
    pub output_tokens: Option<u64>,
    /// Tool calls.
    pub tool_calls: Option<u64>,
    /// What that costs by the suite's prices, where it states them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    /// Where the counts come from.
    pub usage_basis: String,
    /// Wall time.
    pub duration_ms: u64,
    /// Whether the time was measured or is a recording's.
    pub timing: crate::experiment::records::Timing,
}

/// One figure of a cell: the median over repetitions, against the baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CellFigures {
    /// The median over repetitions.
    pub median: FigureText,
    /// The baseline's figure, as the suite states it.
    pub baseline: u64,
    /// The part of the baseline that is saved.
    pub improvement: FigureText,
}

/// HTML over PPTX in one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RatioFigures {
    /// The HTML arm.
    pub html: Id,
    /// The PPTX arm.
    pub pptx: Id,
    /// Of tokens.
    pub tokens: RatioFigure,
    /// Of wall time.
    pub duration: RatioFigure,
}

/// One ratio.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RatioFigure {
    /// Of the medians: what the gate compares.
    pub of_medians: FigureText,
    /// Of each repetition.
    pub by_repetition: Vec<FigureText>,
}

/// A check that did not pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedCheck {
    /// The trial.
    pub trial: TrialId,
    /// The check.
    pub check: String,
    /// Whether it failed or could not be told.
    pub status: CheckStatus,
    /// Why.
    pub reason: String,
}

/// The reviews of one packet, unblinded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewedComparison {
    /// The packet.
    pub packet: PacketId,
    /// The trial whose deck was the candidate.
    pub trial: TrialId,
    /// The label that it had; untold while a required review is missing.
    pub candidate_label: Option<Label>,
    /// Whose packet it was, where the suite has a panel.
    pub seat: Option<String>,
    /// Whether it shows the pair of another packet of the seat with the labels turned round.
    pub other_order: bool,
    /// Required kinds of reviewer without a review.
    pub missing: Vec<ReviewerType>,
    /// The reviews; none while a required one is missing, since they name candidate and baseline.
    pub reviews: Vec<ReviewOutcome>,
    /// Reviews on file that are held back for that reason.
    pub held_back: usize,
}

/// One review, unblinded, and what it comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReviewOutcome {
    /// Who said what.
    pub review: Unblinded,
    /// Whether the candidate is no worse, and why not.
    pub outcome: Outcome,
}

/// Reviews and dimensions counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReviewCounts {
    /// Reviews.
    pub reviews: usize,
    /// Dimensions in which the candidate scores higher.
    pub wins: usize,
    /// Dimensions with equal scores.
    pub ties: usize,
    /// Dimensions in which the candidate scores lower.
    pub losses: usize,
}

/// What drew the pictures and what ran the agents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Identities {
    /// The version that prepared the experiment.
    pub deckproof: String,
    /// Every renderer that drew a picture.
    pub renderers: Vec<RendererIdentity>,
    /// Every agent program that ran.
    pub programs: Vec<ProgramIdentity>,
}

/// An agent's program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ProgramIdentity {
    /// The arm that it ran for.
    pub arm: Id,
    /// How it was driven.
    pub host: String,
    /// The version that it states.
    pub version: Option<String>,
    /// Hash of its file.
    pub sha256: Option<Sha256Hex>,
}

/// The newest record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JournalHead {
    /// Records in all.
    pub records: usize,
    /// Hash of the last one.
    pub head: Sha256Hex,
}

impl Summary {
    /// Whether every gate holds.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.result == Verdict::Pass
    }

    /// 0 when every gate holds, 1 when not.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        u8::from(!self.passed())
    }

    /// The bytes of `summary.json`.
    ///
    /// # Errors
    /// When it cannot be written as JSON, which its type does not cause.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        json::pretty(self).map_err(io::Error::from)
    }
}

impl FigureText {
    /// `figure` with `show` for people.
    pub(super) fn of(figure: &Figure, show: impl Fn(&Exact) -> String) -> Self {
        match figure {
            Figure::Known { value, .. } => Self {
                display: Some(show(value)),
                exact: Some(value.to_string()),
                unknown: None,
            },
            Figure::Unknown { why } => Self {
                display: None,
                exact: None,
                unknown: Some(why.clone()),
            },
        }
    }

    /// The figure for people, or a word for one that is not known.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.display.as_deref().unwrap_or("unknown")
    }
}
