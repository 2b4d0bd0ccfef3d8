// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a run stands, derived from the journal alone.

use std::collections::BTreeMap;

use deckproof_packets::atomic;
use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal;
use deckproof_packets::mapping::PacketId;
use deckproof_renderers::batch::Renderers;

use super::examine::Bench;
use super::process::{Launch, choose_launcher, host_name};
use super::{EventJournal, ExecuteError, Options, append, budget, isolation_name, secrets};
use crate::experiment::records::{
    AttemptEnded, BaselineRendered, Checked, Event, ExecuteFinished, Outcome, PacketWritten,
    TrialJudged,
};
use crate::experiment::{Experiment, ExperimentError, Layout, TrialId};
use crate::hosts;
use crate::suite::{HostKind, Id, Isolation};
use crate::supervise::wait_for_lock;

/// A run in progress. Its records grow as the journal grows.
#[derive(Debug)]
pub(super) struct RunState {
    pub experiment: Experiment,
    pub journal: EventJournal,
    pub options: Options,
    pub launch: Launch,
    pub renderers: Renderers,
    /// Attempts started, by trial: the newest attempt and the newest launch.
    pub started: BTreeMap<TrialId, (u32, u32)>,
    /// Attempts that the infrastructure failed, by trial.
    pub infrastructure_failures: BTreeMap<TrialId, u32>,
    /// The newest attempt that ended, by trial.
    pub ended: BTreeMap<TrialId, AttemptEnded>,
    /// Every attempt that ended, and how many were started by agents.
    all_ended: Vec<AttemptEnded>,
    agents_started: usize,
    pub judged: BTreeMap<TrialId, TrialJudged>,
    pub baselines: BTreeMap<(Id, Id), BaselineRendered>,
    pub packets: Vec<PacketWritten>,
    /// The newest preflight.
    pub checked: Option<Checked>,
    pub voided: Vec<PacketId>,
    pub drawn: bool,
    pub finished: bool,
}

impl RunState {
    pub(super) fn open(layout: Layout, options: &Options) -> Result<Self, ExecuteError> {
        let (journal, records) = EventJournal::resume(&layout.journal())?;
        repair_plan(&layout, &records.records)?;
        let events = records
            .records
            .iter()
            .map(|record| record.event.clone())
            .collect::<Vec<_>>();
        let experiment = Experiment::with_journal(layout, records)?;
        wait_for_supervisors(&experiment.layout)?;
        let launch = choose_launcher(&options.program);
        let mut state = Self {
            experiment,
            journal,
            options: options.clone(),
            launch,
            renderers: Renderers::new(super::renderers::options(options.pptx)),
            started: BTreeMap::new(),
            infrastructure_failures: BTreeMap::new(),
            ended: BTreeMap::new(),
            all_ended: Vec::new(),
            agents_started: 0,
            judged: BTreeMap::new(),
            baselines: BTreeMap::new(),
            packets: Vec::new(),
            checked: None,
            voided: Vec::new(),
            drawn: false,
            finished: false,
        };
        events.into_iter().for_each(|event| state.note(event));
        Ok(state)
    }

    /// Where decks are stored and what draws them.
    pub(super) fn bench(&mut self) -> Bench<'_> {
        Bench {
            store: self.experiment.store(),
            renderers: &mut self.renderers,
        }
    }

    /// Writes an event to the journal, and only then believes it.
    pub(super) fn record(&mut self, event: Event) -> Result<(), ExecuteError> {
        append(&mut self.journal, event.clone())?;
        self.note(event);
        Ok(())
    }

    /// Takes over an event that is in the journal.
    pub(super) fn note(&mut self, event: Event) {
        match event {
            Event::AttemptStarted(event) => {
                self.agents_started += usize::from(!self.by_hand(&event.trial));
                self.started
                    .insert(event.trial, (event.attempt, event.launch));
            }
            Event::AttemptEnded(event) => {
                if matches!(event.outcome, Outcome::InfrastructureFailed(_)) {
                    *self
                        .infrastructure_failures
                        .entry(event.trial.clone())
                        .or_default() += 1;
                }
                self.all_ended.push((*event).clone());
                self.ended.insert(event.trial.clone(), *event);
            }
            Event::TrialJudged(event) => {
                self.judged.insert(event.trial.clone(), *event);
            }
            Event::BaselineRendered(event) => {
                self.baselines
                    .insert((event.case.clone(), event.arm.clone()), *event);
            }
            Event::MappingsDrawn(_) => self.drawn = true,
            Event::PacketVoided(event) => self.voided.push(event.packet),
            Event::PacketWritten(event) => self.packets.push(event),
            Event::ExecuteFinished(_) => self.finished = true,
            Event::Checked(event) => self.checked = Some(*event),
            Event::Prepared(_)
            | Event::ReviewAccepted(_)
            | Event::ReviewWithdrawn(_)
            | Event::ReviewerRan(_) => {}
        }
    }

    /// Every arm that runs an agent reaches the isolation that the suite demands.
    pub(super) fn expect_isolation(&self) -> Result<(), ExecuteError> {
        expect_isolation(&self.experiment, &self.launch)
    }

    /// Whether a person runs this trial.
    pub(super) fn by_hand(&self, trial: &TrialId) -> bool {
        self.host_of(trial) == Some(HostKind::Manual)
    }

    /// Whether this trial may cost money.
    pub(super) fn costs(&self, trial: &TrialId) -> bool {
        !matches!(
            self.host_of(trial),
            None | Some(HostKind::Manual | HostKind::Replay)
        )
    }

    fn host_of(&self, trial: &TrialId) -> Option<HostKind> {
        self.experiment.arm(&trial.arm).ok().map(|arm| arm.host)
    }

    /// Whether the spending cap lets `trials` more be launched.
    pub(super) fn allows(&self, trials: usize) -> Result<(), String> {
        let by_agents = self
            .all_ended
            .iter()
            .filter(|ended| !self.by_hand(&ended.trial))
            .count();
        let cut_off = self.agents_started.saturating_sub(by_agents);
        budget::allows(&self.experiment.suite, &self.all_ended, cut_off, trials)
    }

    /// Whether a trial has its final attempt behind it.
    pub(super) fn is_settled(&self, trial: &TrialId) -> bool {
        let retries = self.experiment.suite.schedule.infrastructure_retries;
        let failures = self
            .infrastructure_failures
            .get(trial)
            .copied()
            .unwrap_or(0);
        self.ended
            .get(trial)
            .is_some_and(|ended| match ended.outcome {
                Outcome::InfrastructureFailed(_) => failures > retries,
                _ => true,
            })
    }

    pub(super) fn finish(&mut self, trials: u32, packets: u32) -> Result<(), ExecuteError> {
        if self.finished {
            return Ok(());
        }
        self.record(Event::ExecuteFinished(ExecuteFinished { trials, packets }))
    }
}

/// Every arm that runs an agent reaches the isolation that the suite demands.
fn expect_isolation(experiment: &Experiment, launch: &Launch) -> Result<(), ExecuteError> {
    let demanded = experiment.suite.schedule.isolation;
    for arm in &experiment.suite.arm {
        let (reached, missing) = match (arm.host, hosts::host(host_name(arm.host))) {
            (HostKind::Replay, _) => continue,
            (_, Some(host)) => (launch.reached_by(host.as_ref()), launch.missing()),
            (_, None) => (
                Isolation::None,
                "a person runs the agent, and nobody confines it",
            ),
        };
        if reached < demanded {
            return Err(ExecuteError::Isolation {
                demanded: isolation_name(demanded),
                reached: isolation_name(reached),
                missing: missing.to_owned(),
            });
        }
    }
    Ok(())
}

/// A stop between the journal's record of a new plan and the plan itself leaves the old plan; the
/// new one is in the store.
fn repair_plan(layout: &Layout, records: &[journal::Record<Event>]) -> Result<(), ExecuteError> {
    let mut plans = records
        .iter()
        .rev()
        .filter_map(|record| match &record.event {
            Event::Prepared(event) => Some(&event.plan_sha256),
            Event::MappingsDrawn(event) => Some(&event.plan_sha256),
            Event::PacketVoided(event) => Some(&event.plan_sha256),
            _ => None,
        });
    let (Some(named), Some(before)) = (plans.next(), plans.next()) else {
        return Ok(());
    };
    if Sha256Hex::of(&fs_err::read(layout.plan())?) != *before {
        return Ok(());
    }
    let bytes = layout.store().get(named).map_err(ExperimentError::from)?;
    atomic::write(&layout.plan(), &bytes, 0o644)?;
    Ok(())
}

/// A supervisor of a killed run ends its agent by itself; nothing may start before it has.
fn wait_for_supervisors(layout: &Layout) -> Result<(), ExecuteError> {
    let folder = layout.runs();
    let entries = match fs_err::read_dir(&folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for entry in entries {
        let run = entry?.path();
        wait_for_lock(&run.join("lock"))?;
        if run.is_dir() {
            secrets::forget(&run)?;
        }
    }
    Ok(())
}
