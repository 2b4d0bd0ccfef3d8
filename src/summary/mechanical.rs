// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is mechanically wrong with the candidates: how they ended and which checks they fail.

use super::document::FailedCheck;
use super::trials::{Trial, outcome_words};
use crate::experiment::records::{CheckStatus, Outcome};
use crate::suite::HostKind;

/// Everything that did not pass, in the order of the plan.
pub(super) fn failed(trials: &[Trial<'_>]) -> Vec<FailedCheck> {
    trials.iter().flat_map(of_trial).collect()
}

/// One line for each, as the gate lists them.
pub(super) fn lines(failed: &[FailedCheck]) -> Vec<String> {
    let line = |one: &FailedCheck| format!("{}: {}: {}", one.trial, one.check, one.reason);
    failed.iter().map(line).collect()
}

/// A person's agent has no exit code that anybody saw.
fn by_hand(trial: &Trial<'_>) -> bool {
    let run = &trial.ended.run;
    trial.arm.host == HostKind::Manual && run.exit_code.is_none() && run.signal.is_none()
}

fn of_trial(trial: &Trial<'_>) -> Vec<FailedCheck> {
    let fault = |check: &str, status: CheckStatus, reason: String| FailedCheck {
        trial: trial.id().clone(),
        check: check.to_owned(),
        status,
        reason,
    };
    let mut failed = Vec::new();
    if trial.ended.outcome != Outcome::Completed {
        failed.push(fault(
            "outcome",
            CheckStatus::Fail,
            outcome_words(trial.ended),
        ));
    } else if trial.ended.run.exit_code != Some(0) && !by_hand(trial) {
        let found = match (trial.ended.run.exit_code, trial.ended.run.signal) {
            (Some(code), _) => format!("exit code {code}, expected 0"),
            (None, Some(signal)) => format!("ended by signal {signal}, expected exit code 0"),
            (None, None) => "no exit code, expected 0".to_owned(),
        };
        failed.push(fault("outcome", CheckStatus::Fail, found));
    }
    let not_passed = trial
        .judged
        .checks
        .iter()
        .filter(|check| check.status != CheckStatus::Pass)
        .map(|check| fault(&check.name, check.status, check.reason.clone()));
    failed.extend(not_passed);
    // A deck without pictures gets no packet and no review; it must not pass for that.
    let render = trial.judged.render.as_ref();
    if render.is_none_or(|render| render.slides.is_empty()) && !trial.expects_no_deck() {
        let reason = trial.judged.render_problem.as_deref();
        let reason = reason.unwrap_or("there is no slide").to_owned();
        failed.push(fault("pictures", CheckStatus::Fail, reason));
    }
    failed
}
