// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every attempt came to, read again from its stored logs: usage, trace, outcome, models, calls.
//!
//! A record that says less, or better, than its own logs is bent. What a person told about a trial
//! run by hand cannot be read again, and has no logs to disagree with.

use deckproof_packets::hash::Sha256Hex;

use super::error::{Fault, must};
use super::history::History;
use super::{Attempt, VerifyError};
use crate::execute::{previous, trace_bytes, usage};
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{AttemptEnded, Outcome, Turn};
use crate::experiment::{Experiment, ExperimentError};
use crate::hosts::{self, FailureClass, Host, Parsed, TurnRecord, Whole, read_turn};
use crate::suite::{Arm, HostKind};

/// Every attempt that ended is what its logs say.
pub(super) fn check(experiment: &Experiment, history: &History) -> Result<(), VerifyError> {
    for planned in &experiment.plan.trials {
        let Some(trial) = history.trials.get(&planned.id) else {
            continue;
        };
        for attempt in &trial.attempts {
            check_attempt(experiment, planned, attempt)?;
        }
    }
    Ok(())
}

fn check_attempt(
    experiment: &Experiment,
    planned: &PlannedTrial,
    attempt: &Attempt,
) -> Result<(), VerifyError> {
    let (Some(ended), Some(record)) = (&attempt.ended, attempt.ended_record) else {
        return Ok(());
    };
    let arm = experiment.arm(&planned.id.arm)?;
    let fault = |(found, expected): Fault| {
        let found = format!("on line {} {found}", record + 1);
        VerifyError::evidence(&experiment.layout.journal(), found, expected)
    };
    let what = format!("attempt {} at `{}`", ended.attempt, ended.trial);
    let host = reader(arm, ended, &what).map_err(fault)?;
    let Some(host) = host else {
        let bare = ended.turns.is_empty();
        return must(bare, format!("turns in {what}"), "none, as a person ran it").map_err(fault);
    };
    let messages = experiment.messages(planned)?;
    said(&ended.turns, &messages, &what).map_err(fault)?;
    let parsed = read(experiment, arm, host.as_ref(), ended, &what)?;
    if ended.run.exit_code.is_some() || ended.run.signal.is_some() {
        whole_log(experiment, ended, &what)?;
    }
    let whole = Whole::of(&parsed);
    compare(ended, whole.as_ref(), messages.len(), &what).map_err(fault)
}

/// Who can read the logs of an attempt; nobody, when a person ran it.
fn reader(arm: &Arm, ended: &AttemptEnded, what: &str) -> Result<Option<Box<dyn Host>>, Fault> {
    let found = ended.run.host.as_str();
    let name = match arm.host {
        HostKind::Manual => {
            must(
                found == "manual",
                format!("the host `{}` in {what}", found.escape_debug()),
                "`manual`",
            )?;
            return Ok(None);
        }
        HostKind::Replay => found.strip_prefix("replay of ").unwrap_or_default(),
        _ => found,
    };
    let host = hosts::host(name);
    let fits = arm.host == HostKind::Replay || crate::execute::host_name(arm.host) == name;
    match host {
        Some(host) if fits => Ok(Some(host)),
        _ => Err((
            format!("the host `{}` in {what}", found.escape_debug()),
            "the one of its arm".to_owned(),
        )),
    }
}

/// The turns heard the messages of the script, in order.
fn said(turns: &[Turn], messages: &[Sha256Hex], what: &str) -> Result<(), Fault> {
    let heard = turns.iter().map(|turn| &turn.message_sha256);
    must(
        turns.len() <= messages.len() && heard.zip(messages).all(|(one, other)| one == other),
        format!("other messages in {what}"),
        "the prompt and the replies of its case, in order",
    )
}

fn read(
    experiment: &Experiment,
    arm: &Arm,
    host: &dyn Host,
    ended: &AttemptEnded,
    what: &str,
) -> Result<Vec<Parsed>, VerifyError> {
    let get = |hash: &Sha256Hex| experiment.store().get(hash).map_err(ExperimentError::from);
    let mut parsed: Vec<Parsed> = Vec::new();
    for (number, turn) in (1..).zip(&ended.turns) {
        let (events, stderr) = (get(&turn.events.sha256)?, get(&turn.stderr.sha256)?);
        let ledger = match &turn.ledger {
            Some(object) => Some(get(&object.sha256)?),
            None => None,
        };
        let record = TurnRecord {
            events: &events,
            stderr: &stderr,
            exit: turn.exit,
            killed_for: turn.killed_for,
            model: arm.model.as_deref(),
            effort: arm.effort.as_deref(),
            previous: previous(parsed.last()),
            ledger: ledger.as_deref(),
        };
        let read = read_turn(host, &record, turn.other_threads);
        let told = (turn.reported, turn.used, &turn.basis);
        if told != (read.usage.reported, read.usage.turn, &read.usage.basis) {
            let found = format!("usage of turn {number} of {what}");
            let expected = format!("what its log says: {}", read.usage.basis);
            let journal = experiment.layout.journal();
            return Err(VerifyError::evidence(&journal, found, expected));
        }
        parsed.push(read);
    }
    Ok(parsed)
}

/// The log of an attempt is those of its turns.
fn whole_log(experiment: &Experiment, ended: &AttemptEnded, what: &str) -> Result<(), VerifyError> {
    let store = experiment.store();
    let logs = [
        (
            "event log",
            &ended.run.events,
            ended
                .turns
                .iter()
                .map(|turn| &turn.events)
                .collect::<Vec<_>>(),
        ),
        (
            "standard error",
            &ended.run.stderr,
            ended.turns.iter().map(|turn| &turn.stderr).collect(),
        ),
    ];
    for (name, all, parts) in logs {
        let mut bytes = Vec::new();
        for part in parts {
            bytes.extend(store.get(&part.sha256)?);
        }
        if Sha256Hex::of(&bytes) != all.sha256 {
            let found = format!("another {name} of {what} than of its turns");
            let journal = experiment.layout.journal();
            return Err(VerifyError::evidence(&journal, found, "theirs, in order"));
        }
    }
    Ok(())
}

fn compare(
    ended: &AttemptEnded,
    whole: Option<&Whole>,
    messages: usize,
    what: &str,
) -> Result<(), Fault> {
    let expected = "what its logs say";
    outcome(ended, whole, messages, what)?;
    must(
        ended.usage == usage(whole),
        format!("other usage of {what}"),
        expected,
    )?;
    let bytes = trace_bytes(whole).map_err(|error| (error.to_string(), expected.to_owned()))?;
    let trace = &ended.trace;
    must(
        trace.events.sha256 == Sha256Hex::of(&bytes),
        format!("another trace of {what}"),
        expected,
    )?;
    let Some(whole) = whole else {
        return Ok(());
    };
    let same = trace.thread_id == whole.thread_id
        && trace.observed_model == whole.observed_model
        && trace.observed_effort == whole.observed_effort
        && trace.loaded == whole.loaded
        && trace.calls_complete == whole.calls_complete
        && trace.unknown_events == whole.unknown_events
        && trace.anomalies == whole.anomalies
        && ended.run.program_version == whole.host_version;
    must(
        same,
        format!("another conversation, model, version or list of what was loaded in {what}"),
        expected,
    )?;
    must(
        whole.unknown_events == 0 || !trace.audit.passed,
        format!("a passed read audit of {what}, with events that nobody knows"),
        "a failed one",
    )
}

/// The outcome follows from the logs, unless the supervisor itself came to no end.
fn outcome(
    ended: &AttemptEnded,
    whole: Option<&Whole>,
    messages: usize,
    what: &str,
) -> Result<(), Fault> {
    let run = &ended.run;
    let found = format!("the outcome of {what}");
    if run.exit_code.is_none() && run.signal.is_none() {
        let failed = matches!(
            ended.outcome,
            Outcome::AgentFailed(_) | Outcome::InfrastructureFailed(_)
        );
        return must(failed, found, "a failure, since there is no end");
    }
    let last = ended.turns.last().map(|turn| turn.exit);
    let code = run.exit_code.map(crate::supervise::Exit::Code);
    let exit = code.or(run.signal.map(crate::supervise::Exit::Signal));
    must(
        last == exit,
        format!("the exit of {what}"),
        "that of its last turn",
    )?;
    let complete = ended.turns.len() == messages;
    let expected = match whole.map(|whole| &whole.failure) {
        Some(FailureClass::None) if complete => matches!(ended.outcome, Outcome::Completed),
        Some(FailureClass::None | FailureClass::AgentFailed) | None => {
            matches!(ended.outcome, Outcome::AgentFailed(_))
        }
        Some(FailureClass::TimedOut) => matches!(ended.outcome, Outcome::TimedOut),
        Some(FailureClass::Infrastructure { reason }) => {
            ended.outcome == Outcome::InfrastructureFailed(reason.clone())
        }
    };
    must(expected, found, "the one that its logs show")
}
