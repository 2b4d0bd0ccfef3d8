// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the trials group by group: the trials of one group start together, groups one after another.

use std::sync::{Barrier, Mutex, mpsc};
use std::thread;
use std::time::Instant;

use super::attempt::{Number, Ready};
use super::progress::Progress;
use super::state::RunState;
use super::{ExecuteError, append, by_hand, judge, tasks};
use crate::experiment::TrialId;
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{AttemptEnded, AttemptStarted, Event, Outcome};

/// Runs and judges everything that is left. Returns how many attempts this call made, and why it
/// stopped before the end if it did.
pub(super) fn run_all(
    state: &mut RunState,
    progress: &Progress,
) -> Result<(u32, Option<String>), ExecuteError> {
    let trials = state.experiment.plan.trials.clone();
    let groups: Vec<u32> = {
        let mut groups: Vec<_> = trials.iter().map(|trial| trial.group).collect();
        groups.dedup();
        groups
    };
    let mut ran = 0;
    for group in groups {
        let members: Vec<_> = trials.iter().filter(|trial| trial.group == group).collect();
        if let Some(why) = settle(state, &members, &mut ran, progress)? {
            return Ok((ran, Some(why)));
        }
        for trial in members {
            judge::trial(state, trial, progress)?;
        }
    }
    Ok((ran, None))
}

/// Runs the trials of one group until each has the attempt that counts. Says why it stopped when
/// that needs somebody else.
fn settle(
    state: &mut RunState,
    members: &[&PlannedTrial],
    ran: &mut u32,
    progress: &Progress,
) -> Result<Option<String>, ExecuteError> {
    loop {
        let open: Vec<_> = members
            .iter()
            .copied()
            .filter(|trial| !state.is_settled(&trial.id))
            .collect();
        let (hand, agents): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|trial| state.by_hand(&trial.id));
        for planned in &hand {
            by_hand::prepare(state, planned)?;
        }
        if agents.is_empty() {
            return Ok(waits(state, &hand));
        }
        let paid: Vec<_> = agents.iter().filter(|one| state.costs(&one.id)).collect();
        if !paid.is_empty()
            && let Err(why) = state.allows(paid.len())
        {
            return Ok(Some(why));
        }
        *ran += launch(state, &agents, progress)?;
    }
}

/// What a person has to do, when trials wait for one.
fn waits(state: &RunState, hand: &[&PlannedTrial]) -> Option<String> {
    let layout = &state.experiment.layout;
    let sheets: Vec<String> = hand
        .iter()
        .map(|planned| {
            by_hand::sheet_path(layout, &planned.id)
                .display()
                .to_string()
        })
        .collect();
    (!sheets.is_empty()).then(|| {
        format!(
            "a person has to run {} trials; what to do stands in {}",
            sheets.len(),
            sheets.join(", ")
        )
    })
}

/// Launches `open` together, one attempt each, and waits for all of them.
fn launch(
    state: &mut RunState,
    open: &[&PlannedTrial],
    progress: &Progress,
) -> Result<u32, ExecuteError> {
    let launch = 1 + open
        .iter()
        .filter_map(|trial| state.started.get(&trial.id))
        .map(|(_, launch)| *launch)
        .max()
        .unwrap_or(0);
    for planned in open {
        let attempt = 1 + state
            .started
            .get(&planned.id)
            .map_or(0, |(attempt, _)| *attempt);
        let task_tree_sha256 = tasks::observe_and_restore(&state.experiment, planned)?;
        let trial = planned.id.clone();
        state.record(Event::AttemptStarted(AttemptStarted {
            trial,
            attempt,
            launch,
            task_tree_sha256,
        }))?;
    }
    let ended = run_together(state, open, launch, progress)?;
    let count = u32::try_from(ended.len()).unwrap_or(u32::MAX);
    ended
        .into_iter()
        .for_each(|ended| state.note(Event::AttemptEnded(Box::new(ended))));
    Ok(count)
}

fn run_together(
    state: &mut RunState,
    open: &[&PlannedTrial],
    launch: u32,
    progress: &Progress,
) -> Result<Vec<AttemptEnded>, ExecuteError> {
    let (experiment, started) = (&state.experiment, &state.started);
    let number = |trial: &TrialId| Number {
        attempt: started.get(trial).map_or(1, |(attempt, _)| *attempt),
        launch,
    };
    let ready: Vec<_> = open
        .iter()
        .map(|planned| Ready::make(experiment, &state.launch, planned, number(&planned.id)))
        .collect::<Result<_, _>>()?;
    let (confinement, options) = (&state.launch, &state.options);
    let journal = Mutex::new(&mut state.journal);
    let barrier = Barrier::new(ready.len());
    let group_start = Instant::now();
    let (drawing, end) = mpsc::channel::<()>();
    let results: Vec<Result<AttemptEnded, ExecuteError>> = thread::scope(|scope| {
        scope.spawn(move || progress.keep_drawing(&end));
        let threads: Vec<_> = ready
            .into_iter()
            .zip(open)
            .map(|(ready, planned)| {
                let (barrier, journal) = (&barrier, &journal);
                scope.spawn(move || {
                    barrier.wait();
                    let ticket = progress.ticket(&planned.id);
                    let ended = ready.run(experiment, confinement, options, group_start, &ticket);
                    drop(ticket);
                    let ended = ended?;
                    // An attempt counts as soon as it is journalled, whatever its partner does.
                    let mut journal = journal
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    append(&mut journal, Event::AttemptEnded(Box::new(ended.clone())))?;
                    progress.line(told(&ended));
                    Ok(ended)
                })
            })
            .collect();
        let results = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(panicked())))
            .collect();
        drop(drawing);
        results
    });
    results.into_iter().collect()
}

fn panicked() -> ExecuteError {
    std::io::Error::other("a thread that ran a trial panicked; run `execute` again to go on").into()
}

fn told(ended: &AttemptEnded) -> String {
    let how = match &ended.outcome {
        Outcome::Completed => "completed".to_owned(),
        Outcome::AgentFailed(reason) => format!("the agent failed: {reason}"),
        Outcome::TimedOut => "timed out".to_owned(),
        Outcome::InfrastructureFailed(reason) => format!("infrastructure failed: {reason}"),
    };
    let tokens = ended
        .usage
        .total_tokens
        .map_or("unknown".to_owned(), |tokens| tokens.to_string());
    let seconds = ended.run.duration_ms as f64 / 1000.0;
    let mut line = format!("{}: {how}, {tokens} tokens, {seconds:.1} s", ended.trial);
    if !ended.run.refused_connections.is_empty() {
        line += "; refused to reach ";
        line += &ended.run.refused_connections.join(", ");
    }
    if !ended.run.redacted.is_empty() {
        line += "; its log held ";
        line += &ended.run.redacted.join(", ");
        line += ", which was removed";
    }
    line
}
