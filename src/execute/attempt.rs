// SPDX-License-Identifier: MIT OR Apache-2.0
//! One attempt at one trial: launched, waited for, read, and copied into the store.

use std::path::Path;
use std::time::Instant;

use deckproof_packets::store::Store;

use super::process::{self, Folders, Launch, Prepared, host_name};
use super::progress::Ticket;
use super::secrets::Secrets;
use super::turns::{Course, millis};
use super::{ExecuteError, Options, programs, recording, snapshot, tasks};
use crate::clock;
use crate::experiment::Experiment;
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{
    Artifact, AttemptEnded, Audit, Object, Outcome, Run, Timing, TraceSummary, Turn, Usage,
};
use crate::hosts::audit::{self, Grounds, Verdict};
use crate::hosts::{FailureClass, Habits, Parsed, TerminalState, TraceEvent, Whole};
use crate::suite::{Arm, HostKind, Isolation};
use crate::supervise::{Ended, Exit};

/// Which attempt this is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub attempt: u32,
    pub launch: u32,
}

/// An attempt that is ready to start: everything that can fail before money is spent has been done.
#[derive(Debug)]
pub(super) struct Ready<'a> {
    planned: &'a PlannedTrial,
    arm: &'a Arm,
    number: Number,
    folders: Folders,
    /// The process to start; none for a recording.
    process: Option<Prepared<'a>>,
}

/// What came back from the process or the recording.
pub(super) struct Raw {
    pub run: Run,
    /// Its turns, as records and as read, and together.
    pub turns: Vec<Turn>,
    pub parsed: Vec<Parsed>,
    pub whole: Option<Whole>,
    pub failure: FailureClass,
    /// How the trace is to be read.
    pub habits: Habits,
    /// What the agent may have touched, by the paths that its trace uses.
    pub grounds: Grounds,
}

impl<'a> Ready<'a> {
    pub(super) fn make(
        experiment: &'a Experiment,
        launch: &'a Launch,
        planned: &'a PlannedTrial,
        number: Number,
    ) -> Result<Self, ExecuteError> {
        let arm = experiment.arm(&planned.id.arm)?;
        let folders = Folders::make(experiment, &planned.id, number.attempt)?;
        let process = match arm.host {
            HostKind::Replay => None,
            _ => Some(process::prepare(
                experiment, launch, planned, arm, &folders,
            )?),
        };
        Ok(Self {
            planned,
            arm,
            number,
            folders,
            process,
        })
    }

    /// Runs the attempt to its end and stores everything that it left.
    pub(super) fn run(
        self,
        experiment: &Experiment,
        launch: &Launch,
        options: &Options,
        group_start: Instant,
        ticket: &Ticket<'_>,
    ) -> Result<AttemptEnded, ExecuteError> {
        let raw = match &self.process {
            None => recording::play(
                experiment,
                self.planned,
                self.arm,
                self.number,
                &self.folders,
            )?,
            Some(prepared) => {
                self.supervise(experiment, launch, options, prepared, group_start, ticket)?
            }
        };
        self.store(experiment, raw)
    }

    fn supervise(
        &self,
        experiment: &Experiment,
        launch: &Launch,
        options: &Options,
        prepared: &Prepared<'_>,
        group_start: Instant,
        ticket: &Ticket<'_>,
    ) -> Result<Raw, ExecuteError> {
        let started_ms = millis(group_start);
        let started_at = clock::now();
        let course = Course::run(experiment, options, prepared, ticket);
        prepared.secrets.forget();
        let course = course?;
        let store = experiment.store();
        let mut run = Run {
            host: host_name(self.arm.host).to_owned(),
            argv: told(&prepared.argv, experiment),
            program_sha256: programs::hash(&prepared.program),
            program_version: None,
            environment: prepared.environment.clone(),
            exit_code: None,
            signal: None,
            started_at,
            ended_at: clock::now(),
            launch: self.number.launch,
            started_ms,
            duration_ms: millis(group_start).saturating_sub(started_ms).max(1),
            timing: Timing::Measured,
            isolation: launch.reached_by(prepared.host.as_ref()),
            events: put(&store, &course.events)?,
            stderr: put(&store, &course.stderr)?,
            leftover_processes: Vec::new(),
            walls: launch.launcher().walls(),
            refused_connections: Vec::new(),
            redacted: course.redacted.clone(),
        };
        let whole = Whole::of(&course.parsed);
        let failure = failure(&course, whole.as_ref(), prepared.messages.len());
        if course.broken.is_none() {
            note_ends(&mut run, &course.ends);
        }
        run.program_version = whole.as_ref().and_then(|whole| whole.host_version.clone());
        Ok(Raw {
            run,
            turns: course.turns,
            parsed: course.parsed,
            whole,
            failure,
            habits: prepared.host.habits(),
            grounds: grounds(experiment, &self.folders, prepared),
        })
    }

    fn store(self, experiment: &Experiment, raw: Raw) -> Result<AttemptEnded, ExecuteError> {
        let store = experiment.store();
        let secrets = self.process.as_ref().map(|prepared| &prepared.secrets);
        let output = &self.folders.output;
        let artifact = deck(experiment, self.planned, self.arm, output, secrets)?;
        let task_tree_sha256 = tasks::observe_and_restore(experiment, self.planned)?;
        let audit = audit_record(experiment, &raw);
        let whole = raw.whole.as_ref();
        let trace_bytes = trace_bytes(whole)?;
        let ended = AttemptEnded {
            trial: self.planned.id.clone(),
            attempt: self.number.attempt,
            outcome: outcome(&raw),
            usage: usage(whole),
            trace: TraceSummary {
                thread_id: whole.and_then(|whole| whole.thread_id.clone()),
                requested_model: self.arm.model.clone(),
                requested_effort: self.arm.effort.clone(),
                observed_model: whole.and_then(|whole| whole.observed_model.clone()),
                observed_effort: whole.and_then(|whole| whole.observed_effort.clone()),
                loaded: whole.and_then(|whole| whole.loaded.clone()),
                calls_complete: whole.is_some_and(|whole| whole.calls_complete),
                unknown_events: whole.map_or(0, |whole| whole.unknown_events),
                anomalies: whole.map_or_else(Vec::new, |whole| whole.anomalies.clone()),
                events: put(&store, &trace_bytes)?,
                audit,
            },
            run: raw.run,
            artifact,
            task_tree_sha256,
            turns: raw.turns,
        };
        self.clear()?;
        Ok(ended)
    }

    /// The folders of an attempt are disposable once everything is in the store.
    fn clear(&self) -> Result<(), ExecuteError> {
        tasks::remove(&self.folders.root)?;
        tasks::remove(&self.folders.run)?;
        Ok(())
    }
}

/// The deck below `output`, copied into the store, unless it holds one of `secrets`.
pub(super) fn deck(
    experiment: &Experiment,
    planned: &PlannedTrial,
    arm: &Arm,
    output: &Path,
    secrets: Option<&Secrets>,
) -> Result<Artifact, ExecuteError> {
    if let Some((name, path)) = secrets.and_then(|secrets| secrets.find_below(output)) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let problem =
            format!("`{file}` holds the value of `{name}`, which must not become evidence");
        return Ok(Artifact::Refused(problem));
    }
    let spec = experiment.spec(&planned.id.case)?;
    let Some(target) = spec.target_outputs.get(&arm.format) else {
        return Ok(Artifact::Missing);
    };
    let store = experiment.store();
    Ok(snapshot::take(&store, output, &target.entry, arm.format)?)
}

/// The read audit of a trace. What cannot be followed fails unless the kernel kept the agent in; a
/// program that shows nothing fails too, unless the suite asks for no isolation at all.
fn audit_record(experiment: &Experiment, raw: &Raw) -> Audit {
    if raw.parsed.is_empty() {
        return Audit {
            passed: false,
            findings: vec!["there is no trace to look at".to_owned()],
        };
    }
    let turns: Vec<_> = raw.parsed.iter().collect();
    let report = audit::audit(&turns, &raw.grounds, raw.habits);
    let kept_in = raw.run.isolation == Isolation::Prevented;
    let demanded = experiment.suite.schedule.isolation;
    let passed = match report.verdict {
        Verdict::Pass => true,
        Verdict::Fail => false,
        Verdict::Unresolved => kept_in,
        Verdict::Unobserved => kept_in || demanded == Isolation::None,
    };
    // A record says either that the audit passed or what it found, never both.
    let mut findings = Vec::new();
    if !passed {
        let root = experiment.layout.root().display().to_string();
        let told = report.reasons.iter().map(ToString::to_string);
        findings.extend(told.map(|found| found.replace(&root, "EXPERIMENT")));
        if findings.is_empty() {
            findings.push("this host shows no calls, so nothing could be looked at".to_owned());
        }
    }
    Audit { passed, findings }
}

fn grounds(experiment: &Experiment, folders: &Folders, prepared: &Prepared<'_>) -> Grounds {
    let layout = &experiment.layout;
    let mut readable = vec![folders.task.clone()];
    readable.extend(prepared.program.parent().map(Path::to_owned));
    readable.extend(programs::installation(&prepared.program));
    Grounds {
        work: folders.work.clone(),
        home: folders.home.clone(),
        temporary: folders.temporary.clone(),
        readable,
        forbidden: vec![
            layout.private(),
            layout.reviews(),
            layout.packets(),
            layout.store_folder(),
        ],
    }
}

/// Whose failure an attempt is. One that did not hear every message did not do its job, however
/// well its last turn ended.
fn failure(course: &Course, whole: Option<&Whole>, messages: usize) -> FailureClass {
    if let Some(broken) = &course.broken {
        return broken.clone();
    }
    match whole {
        Some(whole) if whole.failure != FailureClass::None => whole.failure.clone(),
        Some(_) if course.turns.len() == messages => FailureClass::None,
        _ => FailureClass::AgentFailed,
    }
}

fn note_ends(run: &mut Run, ends: &[Ended]) {
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
        return;
    };
    match last.exit {
        Exit::Code(code) => run.exit_code = Some(code),
        Exit::Signal(signal) => run.signal = Some(signal),
    }
    run.started_at.clone_from(&first.started_at);
    run.ended_at.clone_from(&last.ended_at);
    run.duration_ms = ends
        .iter()
        .map(|ended| ended.duration_ms)
        .sum::<u64>()
        .max(1);
    if !last.kernel_limits.is_empty() {
        let kept = last.kernel_limits.join(" and ");
        run.walls += &format!("; limits of {kept} by control groups");
    }
    for ended in ends {
        let refused = ended.refused_connections.iter().map(|text| plain(text));
        run.refused_connections.extend(refused);
        let left = ended.leftover_processes.iter();
        run.leftover_processes
            .extend(left.map(|process| process.command.clone()));
    }
    run.refused_connections.sort();
    run.refused_connections.dedup();
}

/// A text that an agent chose, without anything that a terminal could take for a command.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_ascii_graphic() { c } else { '?' })
        .collect()
}

fn outcome(raw: &Raw) -> Outcome {
    match &raw.failure {
        FailureClass::None => Outcome::Completed,
        FailureClass::TimedOut => Outcome::TimedOut,
        FailureClass::Infrastructure { reason } => Outcome::InfrastructureFailed(reason.clone()),
        FailureClass::AgentFailed => Outcome::AgentFailed(agent_failure(raw)),
    }
}

fn agent_failure(raw: &Raw) -> String {
    let terminal = raw.whole.as_ref().map(|whole| &whole.terminal);
    let end = match (raw.run.exit_code, raw.run.signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit".to_owned(),
    };
    if let Some(limit) = raw.turns.last().and_then(|turn| turn.killed_for) {
        return format!("it was ended because it passed its limit of {limit} ({end})");
    }
    match terminal {
        Some(TerminalState::Failed { message }) => format!("{message} ({end})"),
        Some(TerminalState::Truncated) => format!("the event log stops without an end ({end})"),
        Some(TerminalState::Missing) => format!("there is no event log ({end})"),
        Some(TerminalState::Completed) if raw.run.exit_code == Some(0) => {
            "the conversation could not be continued: the host names none".to_owned()
        }
        Some(TerminalState::Completed) => format!("the agent ended with {end}"),
        None => "its supervisor was killed, as an agent can do that is not confined".to_owned(),
    }
}

/// The figures of a whole attempt, as records hold them.
pub(crate) fn usage(whole: Option<&Whole>) -> Usage {
    let counts = whole.and_then(|whole| whole.usage);
    Usage {
        input_tokens: counts.map(|counts| counts.input_tokens),
        cached_input_tokens: counts.and_then(|counts| counts.cached_input_tokens),
        output_tokens: counts.map(|counts| counts.output_tokens),
        total_tokens: counts.map(|counts| counts.total_tokens),
        tool_calls: whole.map(|whole| whole.tool_calls),
        basis: whole.map_or_else(
            || "unknown: there is no event log".to_owned(),
            |whole| whole.basis.clone(),
        ),
    }
}

/// The trace as it is stored.
pub(crate) fn trace_bytes(whole: Option<&Whole>) -> std::io::Result<Vec<u8>> {
    let none: &[TraceEvent] = &[];
    let trace = whole.map_or(none, |whole| whole.trace.as_slice());
    Ok(serde_json::to_vec(trace)?)
}

pub(crate) fn put(store: &Store, bytes: &[u8]) -> Result<Object, ExecuteError> {
    Ok(Object {
        sha256: store.put(bytes)?,
        bytes: bytes.len() as u64,
    })
}

/// The command line without the place of the experiment: the same on every machine.
pub(crate) fn told(argv: &[String], experiment: &Experiment) -> Vec<String> {
    let root = experiment.layout.root().display().to_string();
    argv.iter()
        .map(|word| word.replace(&root, "EXPERIMENT"))
        .collect()
}
