// SPDX-License-Identifier: MIT OR Apache-2.0
//! When trials ran: together or one after another, as the suite says.

use jiff::Timestamp;

use super::super::document::Control;
use super::super::trials::Trial;
use super::control;
use crate::experiment::Experiment;
use crate::experiment::records::{Run, Timing};
use crate::suite::{LoneReruns, ScheduleKind};
use crate::verify::{Attempt, History};
use crate::words::{counted, part};

/// How far the wall clock may be from the monotonic one: steps of a time service, and rounding.
const TOLERANCE_MS: u64 = 5_000;

/// The schedule of the suite was kept.
pub(super) fn kept(experiment: &Experiment, history: &History, trials: &[Trial<'_>]) -> Control {
    let mut problems = started_in_order(history, trials);
    let (claim, evidence) = match experiment.plan.schedule {
        ScheduleKind::Sequential => {
            problems.extend(one_at_a_time(history));
            let claim = "One trial ran at a time, in the planned order.".to_owned();
            (claim, vec![counted(trials.len(), "trial")])
        }
        ScheduleKind::Paired => {
            let least = experiment.suite.schedule.min_overlap_percent;
            let lone = experiment.suite.schedule.lone_reruns;
            let (evidence, found) = overlaps(trials, least, lone);
            problems.extend(found);
            let claim = format!(
                "The trials of one case and repetition ran together for at least {least} % of the shorter one."
            );
            (claim, evidence)
        }
    };
    control("schedule_kept", claim, evidence, problems)
}

/// Groups start in the order of the plan: no first attempt before one of an earlier group.
fn started_in_order(history: &History, trials: &[Trial<'_>]) -> Vec<String> {
    let first = |trial: &Trial<'_>| {
        let history = history.trials.get(trial.id());
        history
            .and_then(|one| one.attempts.first())
            .map(|one| one.started_record)
    };
    let mut problems = Vec::new();
    let (mut group, mut before, mut latest) = (0, 0, 0);
    for trial in trials {
        if trial.planned.group != group {
            (group, before) = (trial.planned.group, latest);
        }
        let started = first(trial).unwrap_or(0);
        if started < before {
            problems.push(format!("{} started before an earlier group", trial.id()));
        }
        latest = latest.max(started);
    }
    problems
}

/// Between a record of a start and that of its end there is no other start. One that was cut off
/// ended before the next start, since `execute` waits for what is left of it.
fn one_at_a_time(history: &History) -> Vec<String> {
    let mut spans: Vec<(u64, u64, String)> = Vec::new();
    for (id, trial) in &history.trials {
        for attempt in &trial.attempts {
            let start = attempt.started_record;
            let end = attempt.ended_record.unwrap_or(start);
            spans.push((start, end, id.to_string()));
        }
    }
    spans.sort();
    let pairs = spans.iter().zip(spans.iter().skip(1));
    pairs
        .filter(|(one, next)| next.0 < one.1)
        .map(|(one, next)| format!("{} started before {} had ended", next.2, one.2))
        .collect()
}

fn overlaps(trials: &[Trial<'_>], least: u32, lone: LoneReruns) -> (Vec<String>, Vec<String>) {
    let (mut evidence, mut problems) = (Vec::new(), Vec::new());
    for (index, one) in trials.iter().enumerate() {
        let group = trials.iter().skip(index + 1);
        // The plan has its groups in order, so the members of one stand together.
        for other in group.take_while(|other| other.planned.group == one.planned.group) {
            let names = format!("{} and {}", one.id(), other.id());
            if lone == LoneReruns::Accept && is_lone_rerun(one, other) {
                evidence.push(format!("{names}: started together, one ran again alone"));
                continue;
            }
            let overlap = match together(one, other) {
                Ok(overlap) => overlap,
                // Nothing is demanded of pairs that need not overlap.
                Err(why) if least > 0 => {
                    problems.push(format!("{names}: {why}"));
                    continue;
                }
                Err(_) => continue,
            };
            let text = format!("{names}: {} of {} ms", overlap.both, overlap.shorter);
            let share = u128::from(overlap.both) * 100;
            if share < u128::from(overlap.shorter) * u128::from(least) {
                problems.push(format!("{text}, less than {least} %"));
            }
            evidence.push(text);
        }
    }
    (evidence, problems)
}

/// Two trials that were started together, of which one was cut off and ran again while the other was
/// finished. Only a stop or the infrastructure starts a trial again, and the journal shows which.
pub(in crate::summary) fn is_lone_rerun(one: &Trial<'_>, other: &Trial<'_>) -> bool {
    let measured = |trial: &Trial<'_>| trial.ended.run.timing == Timing::Measured;
    let launches = (one.ended.run.launch, other.ended.run.launch);
    if !(measured(one) && measured(other)) || launches.0 == launches.1 {
        return false;
    }
    // The launch of the finished one must have started both.
    let finished = launches.0.min(launches.1);
    [one, other].iter().all(|trial| {
        trial
            .history
            .attempts
            .iter()
            .any(|attempt| attempt.started.launch == finished)
    })
}

/// How long two trials ran at the same time, in milliseconds.
struct Overlap {
    both: u64,
    shorter: u64,
}

fn together(one: &Trial<'_>, other: &Trial<'_>) -> Result<Overlap, String> {
    let (first, second) = (&one.ended.run, &other.ended.run);
    let recorded = |run: &Run| run.timing == Timing::Recorded;
    // Starts count from the launch of the group, so those of two launches cannot be compared; a
    // recording's count from its own.
    let by_hand = |run: &Run| matches!(run.timing, Timing::ByHand | Timing::LowerBound);
    if by_hand(first) || by_hand(second) {
        return Err("done by hand, so nothing says when it ran".to_owned());
    }
    if !(recorded(first) && recorded(second)) {
        if first.launch != second.launch {
            let launches = format!("launches {} and {}", first.launch, second.launch);
            return Err(format!("not started together ({launches})"));
        }
        if apart_in_journal(one.attempt, other.attempt) {
            return Err("one had ended before the other started".to_owned());
        }
    }
    let end = |run: &Run| run.started_ms.saturating_add(run.duration_ms);
    let start = first.started_ms.max(second.started_ms);
    Ok(Overlap {
        both: end(first).min(end(second)).saturating_sub(start),
        shorter: first.duration_ms.min(second.duration_ms),
    })
}

fn apart_in_journal(one: &Attempt, other: &Attempt) -> bool {
    let before = |first: &Attempt, second: &Attempt| {
        first
            .ended_record
            .is_some_and(|end| end < second.started_record)
    };
    before(one, other) || before(other, one)
}

/// The wall clock confirms every measured duration.
pub(super) fn clocks_agree(trials: &[Trial<'_>]) -> Control {
    let measured: Vec<_> = trials
        .iter()
        .filter(|trial| trial.ended.run.timing == Timing::Measured)
        .collect();
    let problems = measured.iter().filter_map(|trial| {
        let run = &trial.ended.run;
        let told = wall_ms(run)?;
        let slack = TOLERANCE_MS.max(run.duration_ms / 100);
        let off = told.abs_diff(i128::from(run.duration_ms));
        (off > u128::from(slack)).then(|| {
            let id = trial.id();
            format!(
                "{id}: {told} ms by the times, {} ms by duration",
                run.duration_ms
            )
        })
    });
    control(
        "clocks_agree",
        "Start and end of every measured trial are as far apart as its duration says.",
        vec![format!(
            "{} measured",
            part(measured.len(), trials.len(), "trial")
        )],
        problems.collect(),
    )
}

fn wall_ms(run: &Run) -> Option<i128> {
    let time = |text: &str| {
        text.parse::<Timestamp>()
            .ok()
            .map(Timestamp::as_millisecond)
    };
    Some(i128::from(time(&run.ended_at)?) - i128::from(time(&run.started_at)?))
}
