// SPDX-License-Identifier: MIT OR Apache-2.0
//! One attempt at one trial: launched, waited for, read, and copied into the store.

use std::io::Read;
use std::path::Path;
use std::time::Instant;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::store::Store;

use super::process::{self, Folders, Launch, Prepared, host_name};
use super::{ExecuteError, Options, recording, snapshot, tasks};
use crate::clock;
use crate::experiment::Experiment;
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{
    AttemptEnded, Audit, Object, Outcome, Run, Timing, TraceSummary, Usage,
};
use crate::hosts::audit::{self, Grounds, Verdict};
use crate::hosts::{FailureClass, Habits, Parsed, Previous, TerminalState, TraceEvent, TurnRecord};
use crate::suite::{Arm, HostKind, Isolation};
use crate::supervise::{Ended, Exit, Supervised, WaitError};

/// Most bytes of a log that are kept.
const MAX_LOG: u64 = 512 << 20;

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
    process: Option<Prepared>,
}

/// What came back from the process or the recording.
pub(super) struct Raw {
    pub run: Run,
    pub parsed: Option<Parsed>,
    pub failure: FailureClass,
    /// How the trace is to be read.
    pub habits: Habits,
    /// What the agent may have touched, by the paths that its trace uses.
    pub grounds: Grounds,
}

impl<'a> Ready<'a> {
    pub(super) fn make(
        experiment: &'a Experiment,
        launch: &Launch,
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
    ) -> Result<AttemptEnded, ExecuteError> {
        let raw = match &self.process {
            None => recording::play(
                experiment,
                self.planned,
                self.arm,
                self.number,
                &self.folders,
            )?,
            Some(prepared) => self.supervise(experiment, launch, options, prepared, group_start)?,
        };
        self.store(experiment, raw)
    }

    fn supervise(
        &self,
        experiment: &Experiment,
        launch: &Launch,
        options: &Options,
        prepared: &Prepared,
        group_start: Instant,
    ) -> Result<Raw, ExecuteError> {
        let started_ms = millis(group_start);
        let started_at = clock::now();
        let ended = Supervised::start(&prepared.job, &options.program)
            .map_err(|error| FailureClass::Infrastructure {
                reason: error.to_string(),
            })
            .and_then(|supervised| supervised.wait().map_err(|error| no_end(&error)));
        process::forget_secrets(&prepared.job);
        let store = experiment.store();
        let (events, stderr) = (
            read_log(&self.folders.stdout())?,
            read_log(&self.folders.stderr())?,
        );
        let mut run = Run {
            host: host_name(self.arm.host).to_owned(),
            argv: told(&prepared.argv, experiment),
            program_sha256: hash_program(&prepared.program),
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
            isolation: launch.reached(),
            events: put(&store, &events)?,
            stderr: put(&store, &stderr)?,
            leftover_processes: Vec::new(),
        };
        let ended = match ended {
            Ok(ended) => ended,
            Err(failure) => return Ok(self.raw(experiment, prepared, run, None, failure)),
        };
        note_end(&mut run, &ended);
        let parsed = prepared.host.parse(&TurnRecord {
            events: &events,
            stderr: &stderr,
            exit: ended.exit,
            killed_for: ended.killed_for,
            model: self.arm.model.as_deref(),
            effort: self.arm.effort.as_deref(),
            previous: Previous::First,
            ledger: None,
        });
        run.program_version = parsed.host_version.clone();
        let failure = parsed.failure.clone();
        Ok(self.raw(experiment, prepared, run, Some(parsed), failure))
    }

    fn raw(
        &self,
        experiment: &Experiment,
        prepared: &Prepared,
        run: Run,
        parsed: Option<Parsed>,
        failure: FailureClass,
    ) -> Raw {
        let habits = prepared.host.habits();
        Raw {
            run,
            parsed,
            failure,
            habits,
            grounds: grounds(experiment, &self.folders, prepared),
        }
    }

    fn store(self, experiment: &Experiment, raw: Raw) -> Result<AttemptEnded, ExecuteError> {
        let store = experiment.store();
        let spec = experiment.spec(&self.planned.id.case)?;
        let target = spec.target_outputs.get(&self.arm.format);
        let artifact = match target {
            Some(target) => {
                snapshot::take(&store, &self.folders.output, &target.entry, self.arm.format)?
            }
            None => crate::experiment::records::Artifact::Missing,
        };
        let task_tree_sha256 = tasks::observe_and_restore(experiment, self.planned)?;
        let audit = audit_record(experiment, &raw);
        let trace_bytes = trace_bytes(raw.parsed.as_ref())?;
        let ended = AttemptEnded {
            trial: self.planned.id.clone(),
            attempt: self.number.attempt,
            outcome: outcome(&raw),
            usage: usage(raw.parsed.as_ref()),
            trace: TraceSummary {
                thread_id: raw
                    .parsed
                    .as_ref()
                    .and_then(|parsed| parsed.thread_id.clone()),
                requested_model: self.arm.model.clone(),
                requested_effort: self.arm.effort.clone(),
                observed_model: raw
                    .parsed
                    .as_ref()
                    .and_then(|parsed| parsed.observed_model.clone()),
                events: put(&store, &trace_bytes)?,
                audit,
            },
            run: raw.run,
            artifact,
            task_tree_sha256,
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

/// The read audit of a trace. What cannot be followed fails unless the kernel kept the agent in; a
/// program that shows nothing fails too, unless the suite asks for no isolation at all.
fn audit_record(experiment: &Experiment, raw: &Raw) -> Audit {
    let Some(parsed) = &raw.parsed else {
        return Audit {
            passed: false,
            findings: vec!["there is no trace to look at".to_owned()],
        };
    };
    let report = audit::audit(&[parsed], &raw.grounds, raw.habits);
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

fn grounds(experiment: &Experiment, folders: &Folders, prepared: &Prepared) -> Grounds {
    let layout = &experiment.layout;
    let mut readable = vec![folders.task.clone()];
    readable.extend(prepared.program.parent().map(Path::to_owned));
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

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// An agent that could win another attempt by killing its supervisor would be run until it likes
/// the outcome.
fn no_end(error: &WaitError) -> FailureClass {
    if error.may_be_the_agents_doing() {
        return FailureClass::AgentFailed;
    }
    FailureClass::Infrastructure {
        reason: error.to_string(),
    }
}

fn note_end(run: &mut Run, ended: &Ended) {
    match ended.exit {
        Exit::Code(code) => run.exit_code = Some(code),
        Exit::Signal(signal) => run.signal = Some(signal),
    }
    run.started_at.clone_from(&ended.started_at);
    run.ended_at.clone_from(&ended.ended_at);
    run.duration_ms = ended.duration_ms.max(1);
    run.leftover_processes = ended
        .leftover_processes
        .iter()
        .map(|process| process.command.clone())
        .collect();
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
    let terminal = raw.parsed.as_ref().map(|parsed| &parsed.terminal);
    let end = match (raw.run.exit_code, raw.run.signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit".to_owned(),
    };
    match terminal {
        Some(TerminalState::Failed { message }) => format!("{message} ({end})"),
        Some(TerminalState::Truncated) => format!("the event log stops without an end ({end})"),
        Some(TerminalState::Missing) => format!("there is no event log ({end})"),
        Some(TerminalState::Completed) => format!("the agent ended with {end}"),
        None => "its supervisor was killed, as an agent can do that is not confined".to_owned(),
    }
}

pub(crate) fn usage(parsed: Option<&Parsed>) -> Usage {
    let turn = parsed.and_then(|parsed| parsed.usage.turn);
    Usage {
        input_tokens: turn.map(|counts| counts.input_tokens),
        cached_input_tokens: turn.and_then(|counts| counts.cached_input_tokens),
        output_tokens: turn.map(|counts| counts.output_tokens),
        total_tokens: turn.map(|counts| counts.total_tokens),
        tool_calls: parsed.map(|parsed| parsed.tool_calls),
        basis: parsed.map_or_else(
            || "unknown: there is no event log".to_owned(),
            |parsed| parsed.usage.basis.clone(),
        ),
    }
}

fn trace_bytes(parsed: Option<&Parsed>) -> Result<Vec<u8>, ExecuteError> {
    let none: &[TraceEvent] = &[];
    let trace = parsed.map_or(none, |parsed| parsed.trace.as_slice());
    let bytes = serde_json::to_vec(trace).map_err(std::io::Error::from)?;
    Ok(bytes)
}

pub(crate) fn put(store: &Store, bytes: &[u8]) -> Result<Object, ExecuteError> {
    Ok(Object {
        sha256: store.put(bytes)?,
        bytes: bytes.len() as u64,
    })
}

/// A log that was never opened is an empty one.
pub(crate) fn read_log(path: &Path) -> Result<Vec<u8>, ExecuteError> {
    let mut bytes = Vec::new();
    match fs_err::File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        other => {
            other?.take(MAX_LOG).read_to_end(&mut bytes)?;
        }
    }
    Ok(bytes)
}

pub(crate) fn hash_program(program: &Path) -> Option<Sha256Hex> {
    let file = fs_err::File::open(program).ok()?;
    Sha256Hex::of_reader(file, u64::MAX)
        .ok()
        .map(|(hash, _)| hash)
}

/// The command line without the place of the experiment: the same on every machine.
pub(crate) fn told(argv: &[String], experiment: &Experiment) -> Vec<String> {
    let root = experiment.layout.root().display().to_string();
    argv.iter()
        .map(|word| word.replace(&root, "EXPERIMENT"))
        .collect()
}
