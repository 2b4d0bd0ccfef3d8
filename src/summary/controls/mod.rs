// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controls: what must be true of how the experiment was run, each derived from records and
//! each able to fail.

mod agents;
mod inputs;
mod models;
mod reviewing;
mod schedule;

pub(super) use models::isolation_word;
pub(super) use reviewing::reviewing;
pub(super) use schedule::is_lone_rerun;

use super::document::Control;
use super::trials::Trial;
use crate::verify::{Verified, VerifyError};

/// Every control, in the order of the summary.
pub(super) fn all(verified: &Verified, trials: &[Trial<'_>]) -> Result<Vec<Control>, VerifyError> {
    let suite = &verified.experiment.suite;
    Ok(vec![
        models::fresh_runs(verified),
        models::same_model_and_effort(suite, trials),
        schedule::kept(&verified.experiment, &verified.history, trials),
        schedule::clocks_agree(trials),
        inputs::prompt_parity(&verified.experiment, trials)?,
        inputs::same_source(trials),
        inputs::sealed_inputs(trials),
        models::read_audit(trials),
        agents::calls_known(trials),
        agents::nothing_extra(&verified.experiment, trials),
        models::isolation(suite, trials),
        models::same_renderer(verified, trials),
    ])
}

/// The failed ones, as the gate lists them.
pub(super) fn failed(controls: &[Control]) -> Vec<String> {
    let failed = controls.iter().filter(|control| !control.passed);
    failed
        .map(|control| format!("{}: {}", control.name, control.problems.join("; ")))
        .collect()
}

/// A control holds when nothing speaks against it.
fn control(
    name: &'static str,
    claim: impl Into<String>,
    evidence: Vec<String>,
    problems: Vec<String>,
) -> Control {
    Control {
        name,
        passed: problems.is_empty(),
        claim: claim.into(),
        evidence,
        problems,
    }
}
