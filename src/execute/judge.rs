// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders and checks what a trial made, from the stored copy alone.
//!
//! Whatever is bad about a candidate is an outcome of its checks: no deck, a deck that is a link, a
//! deck that brings a parser or the browser down. Only a renderer that is itself broken ends the run.

use std::collections::BTreeMap;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::relpath::RelPath;
use deckproof_renderers::facts::DeckFacts;

use super::examine::{Examined, examine, shown};
use super::progress::Progress;
use super::state::RunState;
use super::{ExecuteError, baselines, tasks};
use crate::checks::{self, Evidence};
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{AttemptEnded, CheckRecord, CheckStatus, Event, TrialJudged};
use crate::suite::{Format, Mode};

/// Judges one trial, once.
pub(super) fn trial(
    state: &mut RunState,
    planned: &PlannedTrial,
    progress: &Progress,
) -> Result<(), ExecuteError> {
    if state.judged.contains_key(&planned.id) {
        return Ok(());
    }
    let Some(ended) = state.ended.get(&planned.id).cloned() else {
        return Ok(());
    };
    let task_tree_sha256 = tasks::observe_and_restore(&state.experiment, planned)?;
    let format = state.experiment.arm(&planned.id.arm)?.format;
    let examined = examine(&mut state.bench(), format, &ended.artifact)?;
    let checks = check(state, planned, &ended, format, &examined)?;
    let failed = checks
        .iter()
        .filter(|check| check.status != CheckStatus::Pass)
        .count();
    progress.line(format_args!(
        "{}: {} of {} checks passed",
        planned.id,
        checks.len() - failed,
        checks.len()
    ));
    let (render, render_problem) = match examined.pictures {
        Ok(pictures) => (Some(pictures.set), None),
        Err(problem) => (None, Some(problem)),
    };
    state.record(Event::TrialJudged(Box::new(TrialJudged {
        trial: planned.id.clone(),
        attempt: ended.attempt,
        task_tree_sha256,
        render,
        render_problem,
        checks,
    })))
}

fn check(
    state: &mut RunState,
    planned: &PlannedTrial,
    ended: &AttemptEnded,
    format: Format,
    examined: &Examined,
) -> Result<Vec<CheckRecord>, ExecuteError> {
    let before = before(state, planned)?;
    let experiment = &state.experiment;
    let case = experiment.case(&planned.id.case)?;
    let assets = assets(state, planned)?;
    let before = before
        .as_ref()
        .map(|before| before.as_ref().map_err(String::as_str));
    let evidence = Evidence {
        arm: &planned.id.arm,
        format,
        spec: experiment.spec(&planned.id.case)?,
        assets: &assets,
        artifact: &ended.artifact,
        package: examined.package.as_deref().map_err(String::as_str),
        pictures: examined.picture_facts(),
        facts: examined.facts.as_ref().map_err(String::as_str),
        before,
        usage: &ended.usage,
        duration_ms: ended.run.duration_ms,
    };
    Ok(checks::run(&case.checks, &evidence))
}

/// Revisions: the facts of the deck that the agent was given.
fn before(
    state: &mut RunState,
    planned: &PlannedTrial,
) -> Result<Option<Result<DeckFacts, String>>, ExecuteError> {
    let case = state.experiment.case(&planned.id.case)?;
    if case.mode == Mode::Create || case.checks.revision_fidelity.is_none() {
        return Ok(None);
    }
    let suite = &state.experiment.suite;
    let baseline = suite.baseline.iter().find(|baseline| {
        *baseline.case.get() == planned.id.case && *baseline.arm.get() == planned.id.arm
    });
    let Some(baseline) = baseline.cloned() else {
        return Ok(None);
    };
    let arm = state.experiment.arm(&planned.id.arm)?.clone();
    let path = baseline
        .starting_point
        .as_ref()
        .unwrap_or(&baseline.artifact);
    let artifact = baselines::artifact(&state.experiment, &arm, path, &baseline)?;
    Ok(Some(shown(&mut state.bench(), arm.format, &artifact)?))
}

fn assets(
    state: &RunState,
    planned: &PlannedTrial,
) -> Result<BTreeMap<String, Sha256Hex>, ExecuteError> {
    let experiment = &state.experiment;
    let case = experiment.case(&planned.id.case)?;
    let mut assets = BTreeMap::new();
    for path in &case.assets {
        let path: &RelPath = path;
        let hash = experiment.lock.files.iter().find(|file| file.path == *path);
        if let Some(file) = hash {
            assets.insert(path.name().to_owned(), file.sha256.clone());
        }
    }
    Ok(assets)
}
