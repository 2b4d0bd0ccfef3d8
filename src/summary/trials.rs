// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every trial with all that is known of it, in the order of the plan.

use crate::experiment::TrialId;
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{AttemptEnded, Outcome, TrialJudged};
use crate::suite::Arm;
use crate::verify::{Attempt, TrialHistory, Verified, VerifyError};

/// One judged trial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial<'a> {
    pub planned: &'a PlannedTrial,
    pub arm: &'a Arm,
    pub history: &'a TrialHistory,
    /// The attempt that counts.
    pub attempt: &'a Attempt,
    /// How it ended.
    pub ended: &'a AttemptEnded,
    /// How it was judged.
    pub judged: &'a TrialJudged,
}

impl Trial<'_> {
    pub(super) fn id(&self) -> &TrialId {
        &self.planned.id
    }

    /// Whether no deck may be made in this trial.
    pub(super) fn expects_no_deck(&self) -> bool {
        let mut checks = self.judged.checks.iter();
        checks.any(|check| check.name == "absent")
    }
}

/// All trials of a finished experiment.
pub(super) fn all(verified: &Verified) -> Result<Vec<Trial<'_>>, VerifyError> {
    let experiment = &verified.experiment;
    verified.history.expect_finished(experiment)?;
    let mut trials = Vec::new();
    for planned in &experiment.plan.trials {
        let history = verified.history.trials.get(&planned.id);
        let Some((history, counted)) = history.and_then(|one| Some((one, one.counted()?))) else {
            let found = format!("no judged trial `{}`", planned.id);
            let file = experiment.layout.journal();
            return Err(VerifyError::evidence(&file, found, "every planned trial"));
        };
        let (attempt, ended, judged) = counted;
        trials.push(Trial {
            planned,
            arm: experiment.arm(&planned.id.arm)?,
            history,
            attempt,
            ended,
            judged,
        });
    }
    Ok(trials)
}

/// How an attempt ended, in words.
pub(crate) fn outcome_words(ended: &AttemptEnded) -> String {
    match &ended.outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::AgentFailed(reason) => format!("the agent failed: {reason}"),
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::InfrastructureFailed(reason) => format!("the infrastructure failed: {reason}"),
    }
}
