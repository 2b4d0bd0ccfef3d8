// SPDX-License-Identifier: MIT OR Apache-2.0
//! Trials that a person runs: a folder and a run sheet that says exactly what to paste, and later
//! the harvest of what was made there.
//!
//! Nothing is measured that nobody measured: a time is that of the person's own begin and end, or,
//! without a begin, the span of the files' times, which is a lower bound and is called one.

use std::fmt::Write as _;
use std::path::Path;
use std::time::SystemTime;

use deckproof_packets::atomic;
use jiff::{SignedDuration, Timestamp};

use super::attempt::{deck, put};
use super::process::Folders;
use super::state::RunState;
use super::{ExecuteError, Options, tasks};
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{
    AttemptEnded, AttemptStarted, Audit, Event, Outcome, Run, Timing, TraceSummary, Usage,
};
use crate::experiment::{Experiment, ExperimentLock, Layout, TrialId};
use crate::hosts::Counts;
use crate::suite::{Arm, Isolation};

/// The run sheet's name in the trial's folder.
const SHEET: &str = "RUN-SHEET.md";
/// The file that says when a person began.
const BEGUN: &str = "begun";
/// Most files whose times are looked at.
const MOST_FILES: usize = 100_000;

/// What a person tells about a trial that is done.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// Tokens of input, cached ones included.
    pub input_tokens: Option<u64>,
    /// Of those, from a cache.
    pub cached_input_tokens: Option<u64>,
    /// Tokens of output.
    pub output_tokens: Option<u64>,
    /// The agent's name for the conversation.
    pub thread: Option<String>,
    /// Why there is no result, when the agent failed.
    pub failed: Option<String>,
}

/// Prepares the folder and the sheet of a trial, once, and records that it began to wait.
pub(super) fn prepare(state: &mut RunState, planned: &PlannedTrial) -> Result<(), ExecuteError> {
    if state.started.contains_key(&planned.id) {
        return Ok(());
    }
    let folders = Folders::make(&state.experiment, &planned.id, 1)?;
    let arm = state.experiment.arm(&planned.id.arm)?;
    let sheet = sheet(&state.experiment, planned, arm, &folders)?;
    atomic::write(&folders.root.join(SHEET), sheet.as_bytes(), 0o644)?;
    let task_tree_sha256 = tasks::observe_and_restore(&state.experiment, planned)?;
    state.record(Event::AttemptStarted(AttemptStarted {
        trial: planned.id.clone(),
        attempt: 1,
        launch: 1,
        task_tree_sha256,
    }))
}

/// Where the sheet of a trial lies.
pub(super) fn sheet_path(layout: &Layout, trial: &TrialId) -> std::path::PathBuf {
    layout.work(trial).join(SHEET)
}

fn sheet(
    experiment: &Experiment,
    planned: &PlannedTrial,
    arm: &Arm,
    folders: &Folders,
) -> Result<String, ExecuteError> {
    let root = experiment.layout.root().display();
    let id = &planned.id;
    let target = experiment.spec(&id.case)?;
    let entry = target
        .target_outputs
        .get(&arm.format)
        .map_or_else(String::new, |target| target.entry.to_string());
    let or_any = |text: &Option<String>| text.clone().unwrap_or_else(|| "not stated".to_owned());
    let mut text = format!(
        "# Run sheet of {id}\n\n\
         Model: {}. Effort: {}.\n\n\
         1. Start the agent afresh (no earlier conversation, no instructions of your own) in this folder:\n\n\
         ```\ncd {}\n```\n\n\
         2. Say that you begin, so that the time counts. Without it only a lower bound is known:\n\n\
         ```\ndeckproof collect {root} {id} --begin\n```\n",
        or_any(&arm.model),
        or_any(&arm.effort),
        folders.work.display(),
    );
    for (index, message) in experiment.messages(planned)?.iter().enumerate() {
        let bytes = experiment.store().get(message)?;
        let message = String::from_utf8_lossy(&bytes);
        let when = match index {
            0 => "Paste this, and nothing else".to_owned(),
            number => format!("When it has answered, paste reply {number}"),
        };
        let fence = fence(&message);
        // Writing to a string cannot fail.
        _ = write!(
            text,
            "\n{}. {when}:\n\n{fence}\n{}\n{fence}\n",
            index + 3,
            message.trim_end()
        );
    }
    _ = write!(
        text,
        "\nThe deck has to be `output/{entry}`. When the agent has ended:\n\n\
         ```\ndeckproof collect {root} {id} --input-tokens N --output-tokens N\n```\n\n\
         Leave tokens out that the agent does not tell. If it failed: `--failed \"why\"`.\n"
    );
    Ok(text)
}

/// A fence that the text does not hold.
fn fence(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    fence
}

/// Notes that a person begins with `trial`.
///
/// # Errors
/// [`ExecuteError`] when the trial does not wait for anybody.
pub fn begin(root: &Path, trial: &TrialId, options: &Options) -> Result<(), ExecuteError> {
    let (_lock, state) = open(root, options)?;
    let planned = waiting(&state, trial)?;
    let file = state
        .experiment
        .layout
        .runs()
        .join(format!("{}.1", planned.id))
        .join(BEGUN);
    if let Some(folder) = file.parent() {
        fs_err::create_dir_all(folder)?;
    }
    let now = format!("{:.3}", Timestamp::now());
    atomic::write_new(&file, now.as_bytes(), 0o644)?;
    Ok(())
}

/// Harvests what a person's agent made for `trial`.
///
/// # Errors
/// [`ExecuteError`] when the trial does not wait for anybody, or what was told cannot be right.
pub fn collect(
    root: &Path,
    trial: &TrialId,
    told: &Told,
    options: &Options,
) -> Result<AttemptEnded, ExecuteError> {
    let (_lock, mut state) = open(root, options)?;
    let planned = waiting(&state, trial)?.clone();
    let arm = state.experiment.arm(&planned.id.arm)?.clone();
    let layout = &state.experiment.layout;
    let work = layout.work(trial).join("work");
    let begun = read_begun(layout, trial)?;
    let span = span(begun, &work);
    let usage = usage(told).map_err(|problem| by_hand_problem(trial, &problem))?;
    let store = state.experiment.store();
    let ended = AttemptEnded {
        trial: trial.clone(),
        attempt: 1,
        outcome: match &told.failed {
            Some(reason) => Outcome::AgentFailed(reason.clone()),
            None => Outcome::Completed,
        },
        run: Run {
            host: "manual".to_owned(),
            argv: Vec::new(),
            program_sha256: None,
            program_version: None,
            environment: Vec::new(),
            exit_code: None,
            signal: None,
            started_at: format!("{:.3}", span.from),
            ended_at: format!("{:.3}", span.to),
            launch: 1,
            started_ms: 0,
            duration_ms: span.milliseconds(),
            timing: span.timing,
            isolation: Isolation::None,
            events: put(&store, b"")?,
            stderr: put(&store, b"")?,
            leftover_processes: Vec::new(),
            walls: String::new(),
            refused_connections: Vec::new(),
            redacted: Vec::new(),
        },
        usage,
        trace: TraceSummary {
            thread_id: told.thread.clone(),
            requested_model: arm.model.clone(),
            requested_effort: arm.effort.clone(),
            observed_model: None,
            observed_effort: None,
            loaded: None,
            calls_complete: false,
            unknown_events: 0,
            anomalies: Vec::new(),
            events: put(&store, b"[]")?,
            audit: unseen(state.experiment.suite.schedule.isolation),
        },
        artifact: deck(
            &state.experiment,
            &planned,
            &arm,
            &work.join("output"),
            None,
        )?,
        task_tree_sha256: tasks::observe_and_restore(&state.experiment, &planned)?,
        turns: Vec::new(),
    };
    state.record(Event::AttemptEnded(Box::new(ended.clone())))?;
    let layout = &state.experiment.layout;
    tasks::remove(&layout.work(trial))?;
    tasks::remove(&layout.runs().join(format!("{trial}.1")))?;
    Ok(ended)
}

fn open(root: &Path, options: &Options) -> Result<(ExperimentLock, RunState), ExecuteError> {
    Layout::new(root).expect_journal()?;
    let root = fs_err::canonicalize(root)?;
    let layout = Layout::new(&root);
    let lock = ExperimentLock::take(&layout)?;
    let state = RunState::open(layout, options)?;
    Ok((lock, state))
}

/// The trial, if a person is to run it and has not.
fn waiting<'a>(state: &'a RunState, trial: &TrialId) -> Result<&'a PlannedTrial, ExecuteError> {
    let planned = state.experiment.plan.trials.iter();
    let planned = planned
        .into_iter()
        .find(|planned| planned.id == *trial)
        .ok_or_else(|| by_hand_problem(trial, "the plan has no such trial"))?;
    if !state.by_hand(trial) {
        return Err(by_hand_problem(
            trial,
            "an agent runs it, not a person; its arm's host is not `manual`",
        ));
    }
    if state.ended.contains_key(trial) {
        return Err(by_hand_problem(trial, "it was collected already"));
    }
    if !state.started.contains_key(trial) {
        return Err(by_hand_problem(
            trial,
            "it is not its turn; `deckproof execute` prepares its folder",
        ));
    }
    Ok(planned)
}

fn by_hand_problem(trial: &TrialId, problem: &str) -> ExecuteError {
    ExecuteError::ByHand {
        trial: trial.to_string(),
        problem: problem.to_owned(),
    }
}

fn read_begun(layout: &Layout, trial: &TrialId) -> Result<Option<Timestamp>, ExecuteError> {
    let file = layout.runs().join(format!("{trial}.1")).join(BEGUN);
    match fs_err::read_to_string(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        other => Ok(other?.parse().ok()),
    }
}

/// When a trial ran, as far as anybody knows.
struct Span {
    from: Timestamp,
    to: Timestamp,
    timing: Timing,
}

impl Span {
    fn milliseconds(&self) -> u64 {
        let span: SignedDuration = self.to.duration_since(self.from);
        u64::try_from(span.as_millis()).unwrap_or(0).max(1)
    }
}

fn span(begun: Option<Timestamp>, work: &Path) -> Span {
    let now = Timestamp::now();
    if let Some(from) = begun {
        return Span {
            from,
            to: now.max(from),
            timing: Timing::ByHand,
        };
    }
    let times = file_times(work);
    let from = times.iter().min().copied().unwrap_or(now);
    let to = times.iter().max().copied().unwrap_or(now);
    Span {
        from,
        to,
        timing: Timing::LowerBound,
    }
}

/// When the files below `work` were last written; the task behind its link is not of them.
fn file_times(work: &Path) -> Vec<Timestamp> {
    let mut times = Vec::new();
    let mut left = vec![work.to_owned()];
    while let Some(folder) = left.pop() {
        let Ok(entries) = fs_err::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                left.push(entry.path());
            } else if data.is_file() && times.len() < MOST_FILES {
                let time = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                times.extend(Timestamp::try_from(time).ok());
            }
        }
    }
    times
}

fn usage(told: &Told) -> Result<Usage, String> {
    let unknown = |basis: &str| Usage {
        input_tokens: None,
        cached_input_tokens: None,
        output_tokens: None,
        total_tokens: None,
        tool_calls: None,
        basis: basis.to_owned(),
    };
    let (Some(input), Some(output)) = (told.input_tokens, told.output_tokens) else {
        if told.input_tokens.or(told.output_tokens).is_some() {
            return Err("found one figure, expected input and output tokens or neither".to_owned());
        }
        return Ok(unknown("unknown: nobody told it"));
    };
    let counts = Counts::checked(input, told.cached_input_tokens, output, None)?;
    Ok(Usage {
        input_tokens: Some(counts.input_tokens),
        cached_input_tokens: counts.cached_input_tokens,
        output_tokens: Some(counts.output_tokens),
        total_tokens: Some(counts.total_tokens),
        ..unknown("stated by the person who ran the agent")
    })
}

/// Nobody saw what the agent did.
fn unseen(demanded: Isolation) -> Audit {
    let passed = demanded == Isolation::None;
    let findings = match passed {
        true => Vec::new(),
        false => vec!["a person ran the agent, so nothing could be looked at".to_owned()],
    };
    Audit { passed, findings }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_told_whole_or_not_at_all() {
        let told = |input, output| Told {
            input_tokens: input,
            output_tokens: output,
            ..Told::default()
        };
        assert_eq!(
            usage(&told(Some(5), Some(2))).unwrap().total_tokens,
            Some(7)
        );
        assert_eq!(usage(&told(None, None)).unwrap().total_tokens, None);
        assert!(usage(&told(Some(5), None)).is_err());
        assert!(usage(&told(Some(0), Some(2))).is_err());
    }

    #[test]
    fn without_a_begin_the_time_is_a_lower_bound() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("a"), "").unwrap();
        let lower = span(None, folder.path());
        assert_eq!(
            (lower.timing, lower.milliseconds()),
            (Timing::LowerBound, 1)
        );
        let begun = Timestamp::now() - SignedDuration::from_secs(90);
        let measured = span(Some(begun), folder.path());
        assert_eq!(measured.timing, Timing::ByHand);
        assert!(measured.milliseconds() >= 90_000);
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        assert_eq!(fence("plain"), "```");
        assert_eq!(fence("```` x"), "`````");
    }
}
