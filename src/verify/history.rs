// SPDX-License-Identifier: MIT OR Apache-2.0
//! The journal as a history: which events may follow which, and what they come to together.
//!
//! A chain of hashes shows that no line was changed; it does not show that the lines make sense. A
//! trial that is tried again after it failed, a review before its packet, a mapping drawn before the
//! last deck was made: each would be a good chain and a bent experiment.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::Record;
use deckproof_packets::mapping::PacketId;
use deckproof_packets::relpath::RelPath;

use super::error::{Fault, must};
use super::{VerifyError, figures};
use crate::experiment::records::{
    AttemptEnded, AttemptStarted, BaselineRendered, Checked, Event, ExecuteFinished, Outcome,
    PacketVoided, PacketWritten, Prepared, ReplyOutcome, ReviewAccepted, ReviewWithdrawn,
    ReviewerRan, TrialJudged,
};
use crate::experiment::{Experiment, TrialId};
use crate::review::run::{MOST_MALFORMED, MOST_RUNS};
use crate::suite::{Arm, HostKind, Id};

/// What a journal comes to.
#[derive(Debug, Clone)]
pub struct History {
    /// How it began.
    pub prepared: Prepared,
    /// The preflights, oldest first.
    pub checked: Vec<Checked>,
    /// What happened to each planned trial.
    pub trials: BTreeMap<TrialId, TrialHistory>,
    /// The baselines that were rendered, by case and arm.
    pub baselines: BTreeMap<(Id, Id), BaselineRendered>,
    /// Hash of the plan with the commitments, once they were drawn.
    pub drawn: Option<Sha256Hex>,
    /// The packets that were written, with the hash of their `packet.json`.
    pub packets: BTreeMap<PacketId, Sha256Hex>,
    /// Whether `execute` finished, and with what counts.
    pub finished: Option<ExecuteFinished>,
    /// The reviews that were accepted, oldest first.
    pub reviews: Vec<ReviewAccepted>,
    /// The reviews that were withdrawn, oldest first.
    pub withdrawn: Vec<Later<ReviewWithdrawn>>,
    /// The runs of model reviewers, by packet, first to last.
    pub reviewer_runs: BTreeMap<PacketId, Vec<ReviewerRan>>,
    /// The packets that were voided, oldest first.
    pub voided: Vec<Later<PacketVoided>>,
}

/// Something that happened once reviews came in.
#[derive(Debug, Clone)]
pub struct Later<E> {
    /// What.
    pub event: E,
    /// How many reviews had been accepted before.
    pub after: usize,
}

/// What happened to one trial.
#[derive(Debug, Clone, Default)]
pub struct TrialHistory {
    /// Its attempts, first to last.
    pub attempts: Vec<Attempt>,
    /// How the one that counts was judged.
    pub judged: Option<TrialJudged>,
}

/// One attempt at a trial.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// How it began.
    pub started: AttemptStarted,
    /// The number of that record, from 0.
    pub started_record: u64,
    /// How it ended; `None` when `execute` was stopped meanwhile.
    pub ended: Option<Box<AttemptEnded>>,
    /// The number of that record.
    pub ended_record: Option<u64>,
}

impl TrialHistory {
    /// The attempt that counts, once the trial is judged.
    #[must_use]
    pub fn counted(&self) -> Option<(&Attempt, &AttemptEnded, &TrialJudged)> {
        let judged = self.judged.as_ref()?;
        let attempt = self.attempts.last()?;
        Some((attempt, attempt.ended.as_deref()?, judged))
    }
}

impl History {
    /// Reads the journal of an experiment.
    ///
    /// # Errors
    /// [`VerifyError`] with the line of the first event that may not stand where it stands.
    pub fn read(experiment: &Experiment) -> Result<Self, VerifyError> {
        Self::of(experiment, experiment.journal.records.iter().cloned())
    }

    /// Takes the records of an experiment over. They are most of what there is in memory.
    ///
    /// # Errors
    /// As [`History::read`].
    pub(crate) fn of(
        experiment: &Experiment,
        mut records: impl Iterator<Item = Record<Event>>,
    ) -> Result<Self, VerifyError> {
        let journal = experiment.layout.journal();
        let fault = |line: u64, (found, expected): Fault| {
            VerifyError::evidence(&journal, format!("on line {line} {found}"), expected)
        };
        let Some(Event::Prepared(prepared)) = records.next().map(|record| record.event) else {
            let fault_text = (
                "another event".to_owned(),
                "the record of `prepare`".to_owned(),
            );
            return Err(fault(1, fault_text));
        };
        let commitments = experiment.plan.commitments.iter();
        let mut reader = Reader {
            experiment,
            history: Self::new(experiment, prepared),
            record: 0,
            committed: commitments.map(|one| &one.packet).collect(),
            reviews: BTreeSet::new(),
        };
        for record in records {
            reader.record = record.sequence;
            reader
                .event(record.event)
                .map_err(|problem| fault(record.sequence + 1, problem))?;
        }
        Ok(reader.history)
    }

    fn new(experiment: &Experiment, prepared: Prepared) -> Self {
        let trials = experiment.plan.trials.iter();
        Self {
            prepared,
            checked: Vec::new(),
            trials: trials
                .map(|trial| (trial.id.clone(), TrialHistory::default()))
                .collect(),
            baselines: BTreeMap::new(),
            drawn: None,
            packets: BTreeMap::new(),
            finished: None,
            reviews: Vec::new(),
            withdrawn: Vec::new(),
            reviewer_runs: BTreeMap::new(),
            voided: Vec::new(),
        }
    }

    /// How many trials are judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.trials
            .values()
            .filter(|trial| trial.judged.is_some())
            .count()
    }

    /// A packet that was drawn in place of a voided one and is not written yet.
    fn unwritten(&self) -> Option<&PacketId> {
        let mut drawn = self.voided.iter().map(|one| &one.event.replacement);
        drawn.find(|packet| !self.packets.contains_key(packet))
    }

    /// The packets that were voided, oldest first.
    #[must_use]
    pub fn voided_packets(&self) -> Vec<PacketId> {
        let voided = self.voided.iter().map(|one| one.event.packet.clone());
        voided.collect()
    }

    /// # Errors
    /// [`VerifyError::Unfinished`] unless `execute` has finished.
    pub fn expect_finished(&self, experiment: &Experiment) -> Result<(), VerifyError> {
        if self.finished.is_some() && self.unwritten().is_none() {
            return Ok(());
        }
        let (judged, planned) = (self.judged(), self.trials.len());
        let (written, committed) = (self.packets.len(), experiment.plan.commitments.len());
        let found = match self.drawn {
            None => format!("{judged} of {planned} trials are judged"),
            Some(_) => format!("{written} of {committed} packets are written"),
        };
        Err(VerifyError::Unfinished {
            root: experiment.layout.root().to_owned(),
            found,
        })
    }
}

struct Reader<'a> {
    experiment: &'a Experiment,
    history: History,
    record: u64,
    /// The packets that the plan commits to.
    committed: BTreeSet<&'a PacketId>,
    /// The files of the reviews so far.
    reviews: BTreeSet<RelPath>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event) -> Result<(), Fault> {
        match event {
            Event::Prepared(_) => must(false, "a second record of `prepare`", "one alone"),
            Event::Checked(event) => self.checked(*event),
            Event::AttemptStarted(event) => self.started(event),
            Event::AttemptEnded(event) => self.ended(event),
            Event::TrialJudged(event) => self.judged(*event),
            Event::BaselineRendered(event) => self.baseline(*event),
            Event::MappingsDrawn(event) => self.drawn(event.plan_sha256),
            Event::PacketWritten(event) => self.packet(event),
            Event::ExecuteFinished(event) => self.finished(event),
            Event::ReviewAccepted(event) => self.review(event),
            Event::ReviewerRan(event) => self.reviewer_ran(*event),
            Event::ReviewWithdrawn(event) => self.withdrawn(event),
            Event::PacketVoided(event) => self.voided(event),
        }
    }

    fn trial(&mut self, id: &TrialId) -> Result<&mut TrialHistory, Fault> {
        let unknown = || {
            (
                format!("the trial `{id}`"),
                "a trial of the plan".to_owned(),
            )
        };
        self.history.trials.get_mut(id).ok_or_else(unknown)
    }

    /// Trials and baselines are over once the mappings are drawn.
    fn still_running(&self, what: &str) -> Result<(), Fault> {
        let running = self.history.drawn.is_none() && self.history.finished.is_none();
        must(running, what, "none after the mappings were drawn")
    }

    fn checked(&mut self, event: Checked) -> Result<(), Fault> {
        self.still_running("a preflight")?;
        let held = event.items.iter().all(|item| item.holds);
        must(
            event.passed == held,
            format!("a preflight that says passed = {}", event.passed),
            "what its items come to",
        )?;
        self.history.checked.push(event);
        Ok(())
    }

    /// An agent is launched after a preflight that passed, with the program that it saw.
    fn after_preflight(&self, trial: &TrialId, program: Option<&Sha256Hex>) -> Result<(), Fault> {
        let arm = self.experiment.suite.arm.iter();
        let arm = arm.into_iter().find(|arm| *arm.id.get() == trial.arm);
        let runs = |arm: &Arm| !matches!(arm.host, HostKind::Replay | HostKind::Manual);
        if !arm.is_some_and(runs) {
            return Ok(());
        }
        let last = self.history.checked.last();
        let passed = last.filter(|last| last.passed).ok_or_else(|| {
            let found = format!("an attempt at `{trial}` without a preflight that passed");
            (
                found,
                "`deckproof check` or `execute` making one before".to_owned(),
            )
        })?;
        let Some(program) = program else {
            return Ok(());
        };
        let mut seen = passed.programs.iter();
        must(
            seen.any(|one| one.arm == trial.arm && one.sha256.as_ref() == Some(program)),
            format!("another program for `{trial}` than in the preflight"),
            "the same",
        )
    }

    fn started(&mut self, event: AttemptStarted) -> Result<(), Fault> {
        self.still_running("an attempt")?;
        self.after_preflight(&event.trial, None)?;
        let retries = self.experiment.suite.schedule.infrastructure_retries;
        let record = self.record;
        let trial = self.trial(&event.trial)?;
        let what = format!("attempt {} at `{}`", event.attempt, event.trial);
        let next = trial.attempts.len() as u64 + 1;
        must(
            u64::from(event.attempt) == next,
            &what,
            format!("attempt {next}"),
        )?;
        let settled = trial.judged.is_some()
            || trial
                .attempts
                .iter()
                .filter_map(|attempt| attempt.ended.as_ref())
                .any(|ended| is_settled(ended, retries));
        must(!settled, &what, "none, since an earlier one counts")?;
        let later = trial
            .attempts
            .last()
            .is_none_or(|last| last.started.launch < event.launch);
        must(later && event.launch > 0, &what, "a launch of its own")?;
        trial.attempts.push(Attempt {
            started: event,
            started_record: record,
            ended: None,
            ended_record: None,
        });
        Ok(())
    }

    fn ended(&mut self, event: Box<AttemptEnded>) -> Result<(), Fault> {
        self.still_running("the end of an attempt")?;
        self.after_preflight(&event.trial, event.run.program_sha256.as_ref())?;
        let record = self.record;
        let what = format!("the end of attempt {} at `{}`", event.attempt, event.trial);
        let trial = self.trial(&event.trial)?;
        let open = trial
            .attempts
            .last_mut()
            .filter(|attempt| attempt.ended.is_none());
        let open = open.ok_or_else(|| (what.clone(), "an attempt that is running".to_owned()))?;
        let same = open.started.attempt == event.attempt && open.started.launch == event.run.launch;
        must(same, &what, "the attempt and launch that were started")?;
        figures::check(&event)?;
        open.ended = Some(event);
        open.ended_record = Some(record);
        Ok(())
    }

    fn judged(&mut self, event: TrialJudged) -> Result<(), Fault> {
        self.still_running("a judged trial")?;
        let retries = self.experiment.suite.schedule.infrastructure_retries;
        let what = format!("attempt {} at `{}` judged", event.attempt, event.trial);
        let trial = self.trial(&event.trial)?;
        must(trial.judged.is_none(), &what, "each trial judged once")?;
        let last = trial.attempts.last().and_then(|last| last.ended.as_ref());
        let last = last.ok_or_else(|| (what.clone(), "an attempt that has ended".to_owned()))?;
        must(last.attempt == event.attempt, &what, "its last attempt")?;
        must(
            is_settled(last, retries),
            &what,
            "another attempt first, as the suite says",
        )?;
        must(
            event.render.is_none() || event.render_problem.is_none(),
            &what,
            "pictures or the reason why there are none, not both",
        )?;
        trial.judged = Some(event);
        Ok(())
    }

    fn baseline(&mut self, event: BaselineRendered) -> Result<(), Fault> {
        let what = format!("the baseline of `{}` for `{}`", event.case, event.arm);
        self.still_running(&what)?;
        let known =
            self.experiment.suite.baseline.iter().any(|baseline| {
                *baseline.case.get() == event.case && *baseline.arm.get() == event.arm
            });
        must(known, &what, "a baseline of the suite")?;
        let key = (event.case.clone(), event.arm.clone());
        let again = self.history.baselines.insert(key, event).is_some();
        must(!again, &what, "each baseline rendered once")
    }

    fn drawn(&mut self, plan: Sha256Hex) -> Result<(), Fault> {
        self.still_running("the mappings drawn again")?;
        let open = self
            .history
            .trials
            .iter()
            .find(|(_, trial)| trial.judged.is_none());
        let open = open.map(|(id, _)| format!("the mappings drawn before `{id}` was judged"));
        must(
            open.is_none(),
            open.unwrap_or_default(),
            "every trial judged before",
        )?;
        self.history.drawn = Some(plan);
        Ok(())
    }

    fn packet(&mut self, event: PacketWritten) -> Result<(), Fault> {
        let what = format!("the packet {}", event.packet);
        let finished = self.history.finished.is_some();
        let drawn = self.history.drawn.is_some() && !finished;
        let replacement = self.history.unwritten() == Some(&event.packet);
        must(
            drawn || (finished && replacement),
            &what,
            "packets between the drawing of mappings and the end",
        )?;
        must(
            self.committed.contains(&event.packet),
            &what,
            "a packet that the plan commits to",
        )?;
        let packets = &mut self.history.packets;
        let again = packets.insert(event.packet, event.packet_sha256).is_some();
        must(!again, &what, "each packet written once")
    }

    fn finished(&mut self, event: ExecuteFinished) -> Result<(), Fault> {
        must(
            self.history.finished.is_none(),
            "a second end",
            "one end alone",
        )?;
        let (judged, packets) = (self.history.judged(), self.history.packets.len());
        let found = format!("{} trials and {} packets", event.trials, event.packets);
        let told = event.trials as usize == judged && event.packets as usize == packets;
        must(
            told,
            found,
            format!("{judged} trials and {packets} packets"),
        )?;
        let planned = self.experiment.plan.trials.len();
        must(
            judged == planned,
            format!("the end after {judged} judged trials"),
            format!("{planned} judged trials"),
        )?;
        let first = self.experiment.plan.commitments.iter();
        let committed = first.filter(|one| one.replaces.is_none()).count();
        must(
            packets == committed,
            format!("the end after {packets} packets"),
            format!("{committed} packets"),
        )?;
        self.history.finished = Some(event);
        Ok(())
    }

    fn review(&mut self, event: ReviewAccepted) -> Result<(), Fault> {
        let what = format!("the review `{}`", event.file);
        must(
            self.history.finished.is_some(),
            &what,
            "reviews after the end of `execute`",
        )?;
        must(
            self.history.packets.contains_key(&event.packet),
            &what,
            "a review of a packet that was written",
        )?;
        let first = self.reviews.insert(event.file.clone());
        must(first, &what, "each review once")?;
        let mut voided = self.history.voided.iter();
        let voided = voided.any(|one| one.event.packet == event.packet);
        must(!voided, &what, "a review of a packet that is not voided")?;
        self.history.reviews.push(event);
        Ok(())
    }
}

impl Reader<'_> {
    /// A packet that a model has replied to is given to none again, and one that had no review in a few
    /// runs is given up: whoever asks until the answer suits them would be seen here.
    fn reviewer_ran(&mut self, event: ReviewerRan) -> Result<(), Fault> {
        let what = format!("run {} for the packet {}", event.run, event.packet);
        let written = self.history.packets.contains_key(&event.packet);
        let stands = !self.history.voided_packets().contains(&event.packet);
        must(
            self.history.finished.is_some() && written && stands,
            &what,
            "a packet that was written and stands, after the end of `execute`",
        )?;
        let (passed, findings) = (event.audit.passed, &event.audit.findings);
        must(
            passed == findings.is_empty(),
            &what,
            "a read audit that passed when nothing was found and not otherwise",
        )?;
        must(event.duration_ms > 0, &what, "a duration of at least 1 ms")?;
        let before = self
            .history
            .reviewer_runs
            .entry(event.packet.clone())
            .or_default();
        must(
            event.run as usize == before.len() + 1,
            &what,
            format!("run {}", before.len() + 1),
        )?;
        let of =
            |is: fn(&ReplyOutcome) -> bool| before.iter().filter(|one| is(&one.outcome)).count();
        let replied = of(|outcome| matches!(outcome, ReplyOutcome::Replied(_)));
        let malformed = of(|outcome| matches!(outcome, ReplyOutcome::Malformed(_)));
        must(
            replied == 0 && malformed < MOST_MALFORMED && before.len() < MOST_RUNS,
            &what,
            "none after a reply, nor after two that were no review",
        )?;
        before.push(event);
        Ok(())
    }

    fn withdrawn(&mut self, event: ReviewWithdrawn) -> Result<(), Fault> {
        let what = format!("the review `{}` withdrawn", event.file);
        let mut known = self.history.reviews.iter();
        must(
            known.any(|one| one.file == event.file),
            &what,
            "a review that was accepted before",
        )?;
        let mut withdrawn = self.history.withdrawn.iter();
        let again = withdrawn.any(|one| one.event.file == event.file);
        must(!again, &what, "each review withdrawn once")?;
        self.history.withdrawn.push(Later {
            event,
            after: self.history.reviews.len(),
        });
        Ok(())
    }

    /// The plan says the same of both packets, and they are of one seat and position.
    fn voided(&mut self, event: PacketVoided) -> Result<(), Fault> {
        let what = format!("the packet {} voided", event.packet);
        must(
            self.history.finished.is_some() && self.history.unwritten().is_none(),
            &what,
            "packets voided after the end of `execute`, each replaced before the next",
        )?;
        let written = self.history.packets.contains_key(&event.packet);
        must(written, &what, "a packet that was written")?;
        let again = self.history.voided_packets().contains(&event.packet);
        must(!again, &what, "each packet voided once")?;
        let plan = &self.experiment.plan;
        let (old, new) = (
            plan.commitment(&event.packet),
            plan.commitment(&event.replacement),
        );
        let told = old.zip(new).is_some_and(|(old, new)| {
            old.voided.as_ref() == Some(&event.reason)
                && new.replaces.as_ref() == Some(&event.packet)
                && old.seat == new.seat
        });
        must(
            told,
            what,
            "the reason and the replacement that the plan lists, at the same place",
        )?;
        self.history.voided.push(Later {
            event,
            after: self.history.reviews.len(),
        });
        Ok(())
    }
}

/// Whether a trial is over with this attempt: an agent's failure counts, the infrastructure's is
/// tried again as often as the suite says.
fn is_settled(ended: &AttemptEnded, retries: u32) -> bool {
    match ended.outcome {
        Outcome::InfrastructureFailed(_) => ended.attempt > retries,
        Outcome::Completed | Outcome::AgentFailed(_) | Outcome::TimedOut => true,
    }
}
