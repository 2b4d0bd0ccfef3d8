// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tokens and times: medians over repetitions, what is saved, and HTML over PPTX.

use deckproof_reviews::exact::Exact;
use deckproof_reviews::gates::{self, Figure, Gate, improvement, median_of_counts, ratio};

use super::document::{
    ArmFigures, CaseFigures, CellFigures, FigureText, RatioFigure, RatioFigures, TrialFigures,
};
use super::trials::{Trial, outcome_words};
use crate::cost;
use crate::experiment::records::Timing;
use crate::suite::{Arm, Baseline, Case, Decimal, Format, Suite};
use crate::verify::{Verified, VerifyError};

/// One arm in one case.
pub(super) struct Cell<'a> {
    pub(super) case: &'a Case,
    pub(super) arm: &'a Arm,
    baseline: &'a Baseline,
    /// In the order of repetitions.
    pub(super) trials: Vec<&'a Trial<'a>>,
}

impl<'a> Cell<'a> {
    fn counts(&self, measure: Measure) -> Vec<Option<u64>> {
        self.trials.iter().map(|trial| measure.of(trial)).collect()
    }

    fn median(&self, measure: Measure) -> Figure {
        median_of_counts(&self.counts(measure))
    }

    pub(super) fn baseline(&self, measure: Measure) -> u64 {
        match measure {
            Measure::Tokens => self.baseline.total_tokens,
            Measure::Duration => self.baseline.duration_ms,
        }
    }

    /// The medians of this cell and of another arm's, and their ratio.
    pub(super) fn beside(&self, other: &Self, measure: Measure) -> ([FigureText; 2], FigureText) {
        let medians = [self.median(measure), other.median(measure)];
        let ratio = ratio(&medians[0], &medians[1]);
        let shown = medians.map(|one| FigureText::of(&one, |value| value.rounded(0)));
        (shown, FigureText::of(&ratio, |value| value.rounded(4)))
    }

    fn name(&self) -> String {
        format!("{}.{}", self.case.id.get(), self.arm.id.get())
    }
}

/// What is measured of a trial.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure {
    /// Tokens, input and output together.
    Tokens,
    /// Wall time in milliseconds.
    Duration,
}

impl Measure {
    pub(super) fn of(self, trial: &Trial<'_>) -> Option<u64> {
        match self {
            Self::Tokens => trial.ended.usage.total_tokens,
            // A lower bound would make the trial look faster than it was.
            Self::Duration => match trial.ended.run.timing {
                Timing::LowerBound => None,
                _ => Some(trial.ended.run.duration_ms),
            },
        }
    }
}

/// Every cell of the suite, case by case.
pub(super) fn cells<'a>(
    verified: &'a Verified,
    trials: &'a [Trial<'a>],
) -> Result<Vec<Cell<'a>>, VerifyError> {
    let suite = &verified.experiment.suite;
    let mut cells = Vec::new();
    for case in &suite.case {
        for arm in &suite.arm {
            let (case_id, arm_id) = (case.id.get(), arm.id.get());
            let mut baselines = suite.baseline.iter();
            let baseline = baselines
                .find(|one| one.case.get() == case_id && one.arm.get() == arm_id)
                .ok_or_else(|| {
                    let found = format!("no baseline for `{case_id}` and `{arm_id}`");
                    let file = verified.experiment.layout.suite();
                    VerifyError::evidence(&file, found, "one for each case and arm")
                })?;
            let trials = trials
                .iter()
                .filter(|trial| trial.id().case == *case_id && trial.id().arm == *arm_id);
            let mut trials: Vec<_> = trials.collect();
            trials.sort_by_key(|trial| trial.id().repetition);
            cells.push(Cell {
                case,
                arm,
                baseline,
                trials,
            });
        }
    }
    Ok(cells)
}

/// The gates over figures, in their order.
pub(super) fn gates(suite: &Suite, cells: &[Cell<'_>]) -> Result<Vec<Gate>, VerifyError> {
    let limits = &suite.gates;
    let tokens = Exact::from_percent(&exact(&limits.median_token_improvement_percent)?);
    let duration = Exact::from_percent(&exact(&limits.median_duration_improvement_percent)?);
    let mut gates = vec![
        gates::median_token_improvement(&improved(suite, cells, Measure::Tokens), &tokens),
        gates::median_duration_improvement(&improved(suite, cells, Measure::Duration), &duration),
    ];
    for case in &suite.case {
        gates.extend(ratio_gates(case, cells)?);
    }
    Ok(gates)
}

fn improved(suite: &Suite, cells: &[Cell<'_>], measure: Measure) -> Vec<(String, Figure, Figure)> {
    cells
        .iter()
        .filter(|cell| is_gated(suite, cell.arm))
        .map(|cell| {
            let baseline = Figure::of(Exact::from(cell.baseline(measure)));
            (cell.name(), baseline, cell.median(measure))
        })
        .collect()
}

fn is_gated(suite: &Suite, arm: &Arm) -> bool {
    let arms = suite.gates.improvement_arms.as_ref();
    arms.is_none_or(|arms| arms.iter().any(|one| one.get() == arm.id.get()))
}

fn ratio_gates(case: &Case, cells: &[Cell<'_>]) -> Result<Vec<Gate>, VerifyError> {
    let pairs = pairs(case, cells);
    let mut gates = Vec::new();
    for (html, pptx) in &pairs {
        let name = match pairs.len() {
            1 => case.id.get().to_string(),
            _ => format!(
                "{}:{}:{}",
                case.id.get(),
                html.arm.id.get(),
                pptx.arm.id.get()
            ),
        };
        let figures = |measure| (html.median(measure), pptx.median(measure));
        if let Some(limit) = &case.max_token_ratio {
            let (first, second) = figures(Measure::Tokens);
            gates.push(gates::token_ratio(&name, &first, &second, &exact(limit)?));
        }
        if let Some(limit) = &case.max_duration_ratio {
            let (first, second) = figures(Measure::Duration);
            gates.push(gates::duration_ratio(
                &name,
                &first,
                &second,
                &exact(limit)?,
            ));
        }
    }
    Ok(gates)
}

/// Every HTML arm with every PPTX arm of a case.
fn pairs<'a>(case: &Case, cells: &'a [Cell<'a>]) -> Vec<(&'a Cell<'a>, &'a Cell<'a>)> {
    let of = |format| {
        cells
            .iter()
            .filter(move |cell| cell.case.id == case.id && cell.arm.format == format)
    };
    of(Format::Html)
        .flat_map(|html| of(Format::Pptx).map(move |pptx| (html, pptx)))
        .collect()
}

/// The limit, exactly as the suite has it.
pub(super) fn exact(limit: &Decimal) -> Result<Exact, VerifyError> {
    limit
        .exact()
        .map_err(|error| std::io::Error::other(format!("the limit {limit}: {error}")).into())
}

/// The figures of every case, for the summary.
pub(super) fn cases(suite: &Suite, cells: &[Cell<'_>]) -> Vec<CaseFigures> {
    let figures = |case: &Case| CaseFigures {
        case: case.id.get().clone(),
        mode: case.mode,
        arms: cells
            .iter()
            .filter(|cell| cell.case.id == case.id)
            .map(|cell| arm_figures(suite, cell))
            .collect(),
        ratios: pairs(case, cells)
            .into_iter()
            .map(|(html, pptx)| RatioFigures {
                html: html.arm.id.get().clone(),
                pptx: pptx.arm.id.get().clone(),
                tokens: ratio_figure(html, pptx, Measure::Tokens),
                duration: ratio_figure(html, pptx, Measure::Duration),
            })
            .collect(),
    };
    suite.case.iter().map(figures).collect()
}

fn arm_figures(suite: &Suite, cell: &Cell<'_>) -> ArmFigures {
    ArmFigures {
        arm: cell.arm.id.get().clone(),
        format: cell.arm.format,
        gated: is_gated(suite, cell.arm),
        trials: cell
            .trials
            .iter()
            .map(|trial| trial_figures(suite, trial))
            .collect(),
        tokens: cell_figures(cell, Measure::Tokens),
        duration_ms: cell_figures(cell, Measure::Duration),
    }
}

fn trial_figures(suite: &Suite, trial: &Trial<'_>) -> TrialFigures {
    let usage = &trial.ended.usage;
    TrialFigures {
        trial: trial.id().clone(),
        outcome: outcome_words(trial.ended),
        attempts: trial.history.attempts.len(),
        total_tokens: usage.total_tokens,
        input_tokens: usage.input_tokens,
        cached_input_tokens: usage.cached_input_tokens,
        output_tokens: usage.output_tokens,
        tool_calls: usage.tool_calls,
        cost: cost::of(suite, trial.arm.model.as_deref(), usage).map(|cost| cost.to_string()),
        usage_basis: usage.basis.clone(),
        duration_ms: trial.ended.run.duration_ms,
        timing: trial.ended.run.timing,
    }
}

fn cell_figures(cell: &Cell<'_>, measure: Measure) -> CellFigures {
    let median = cell.median(measure);
    let baseline = cell.baseline(measure);
    let saved = improvement(&Figure::of(Exact::from(baseline)), &median);
    CellFigures {
        median: FigureText::of(&median, |value| value.rounded(0)),
        baseline,
        improvement: FigureText::of(&saved, percent),
    }
}

fn ratio_figure(html: &Cell<'_>, pptx: &Cell<'_>, measure: Measure) -> RatioFigure {
    let show = |value: &Exact| value.rounded(4);
    let counts = html.counts(measure).into_iter().zip(pptx.counts(measure));
    let by_repetition = counts.map(|(first, second)| {
        let of = |count| median_of_counts(&[count]);
        FigureText::of(&ratio(&of(first), &of(second)), show)
    });
    RatioFigure {
        of_medians: FigureText::of(&ratio(&html.median(measure), &pptx.median(measure)), show),
        by_repetition: by_repetition.collect(),
    }
}

fn percent(value: &Exact) -> String {
    format!("{} %", value.to_percent().rounded(1))
}
