// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who ran: sessions of their own, one model, watched as the suite demands, and who drew.

use std::collections::{BTreeMap, BTreeSet};

use super::super::document::Control;
use super::super::trials::Trial;
use super::control;
use crate::suite::{Isolation, Suite};
use crate::verify::Verified;
use crate::words::{counted, part};

/// No session built two decks.
pub(super) fn fresh_runs(verified: &Verified) -> Control {
    let mut sessions = BTreeMap::new();
    let (mut ended, mut known, mut problems) = (0, 0, Vec::new());
    for (id, trial) in &verified.history.trials {
        for attempt in trial.attempts.iter().filter_map(|one| one.ended.as_ref()) {
            ended += 1;
            let Some(thread) = &attempt.trace.thread_id else {
                continue;
            };
            known += 1;
            let this = format!("attempt {} at {id}", attempt.attempt);
            if let Some(other) = sessions.insert(thread.to_lowercase(), this.clone()) {
                problems.push(format!("{other} and {this} have the session `{thread}`"));
            }
        }
    }
    control(
        "fresh_runs",
        "No two attempts share a session.",
        vec![format!(
            "{} with a session of known name",
            part(known, ended, "attempt")
        )],
        problems,
    )
}

/// All arms of a case were asked to use one model and one effort, the baseline's where it states
/// them, and what something else than the request names is the requested model.
pub(super) fn same_model_and_effort(suite: &Suite, trials: &[Trial<'_>]) -> Control {
    let (mut problems, mut evidence) = (Vec::new(), Vec::new());
    for case in &suite.case {
        let of_case: Vec<_> = trials
            .iter()
            .filter(|trial| trial.id().case == *case.id.get())
            .collect();
        let Some(first) = of_case.first() else {
            continue;
        };
        let requested = Requested::of(first);
        evidence.push(format!("{}: {}", case.id.get(), requested.words()));
        for trial in &of_case {
            let found = Requested::of(trial);
            if found != requested {
                let (one, other) = (first.id(), trial.id());
                let (this, that) = (requested.words(), found.words());
                problems.push(format!("{one} asked for {this}, {other} for {that}"));
            }
            problems.extend(arm_and_baseline(suite, trial, &found));
        }
        problems.extend(observed(&of_case));
    }
    control(
        "same_model_and_effort",
        "All arms of a case, and its baselines where they say so, have one model and one effort.",
        evidence,
        problems,
    )
}

/// What a trial was asked to use.
#[derive(PartialEq, Eq)]
struct Requested<'a> {
    model: Option<&'a str>,
    effort: Option<&'a str>,
}

impl<'a> Requested<'a> {
    fn of(trial: &Trial<'a>) -> Self {
        Self {
            model: trial.ended.trace.requested_model.as_deref(),
            effort: trial.ended.trace.requested_effort.as_deref(),
        }
    }

    fn words(&self) -> String {
        let or_none = |text: Option<&str>| text.unwrap_or("none stated").to_owned();
        format!(
            "model {}, effort {}",
            or_none(self.model),
            or_none(self.effort)
        )
    }
}

fn arm_and_baseline(suite: &Suite, trial: &Trial<'_>, found: &Requested<'_>) -> Vec<String> {
    let mut stated = vec![(
        "the suite".to_owned(),
        trial.arm.model.as_deref(),
        trial.arm.effort.as_deref(),
    )];
    let baseline = suite
        .baseline
        .iter()
        .find(|one| *one.case.get() == trial.id().case && *one.arm.get() == trial.id().arm);
    if let Some(one) = baseline {
        let (model, effort) = (one.model.as_deref(), one.effort.as_deref());
        stated.push(("the baseline".to_owned(), model, effort));
    }
    let mut problems = Vec::new();
    for (who, model, effort) in stated {
        for (what, stated, found) in [
            ("model", model, found.model),
            ("effort", effort, found.effort),
        ] {
            if stated.is_some() && stated != found {
                let (stated, found) = (stated.unwrap_or_default(), found.unwrap_or("none"));
                let id = trial.id();
                problems.push(format!(
                    "{id}: {what} {found} was asked for, {who} says {stated}"
                ));
            }
        }
    }
    problems
}

fn observed(trials: &[&Trial<'_>]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut models = BTreeSet::new();
    for trial in trials {
        let trace = &trial.ended.trace;
        if let (Some(asked), Some(used)) = (&trace.requested_effort, &trace.observed_effort)
            && asked != used
        {
            let id = trial.id();
            problems.push(format!("{id}: asked for effort {asked}, observed {used}"));
        }
        let Some(observed) = &trace.observed_model else {
            continue;
        };
        models.insert(observed);
        if let Some(requested) = &trace.requested_model
            && requested != observed
        {
            let id = trial.id();
            problems.push(format!("{id}: asked for {requested}, observed {observed}"));
        }
    }
    if models.len() > 1 {
        let models: Vec<_> = models.into_iter().map(String::as_str).collect();
        problems.push(format!("observed in one case: {}", models.join(", ")));
    }
    problems
}

/// No trace shows a read of what an agent must not read.
pub(super) fn read_audit(trials: &[Trial<'_>]) -> Control {
    let problem = |trial: &Trial<'_>| {
        let audit = &trial.ended.trace.audit;
        let clean = audit.passed && audit.findings.is_empty();
        (!clean).then(|| format!("{}: {}", trial.id(), audit.findings.join(", ")))
    };
    control(
        "read_audit",
        "No trace shows a read outside what the trial was given.",
        vec![counted(trials.len(), "trace")],
        trials.iter().filter_map(problem).collect(),
    )
}

/// Every trial was kept apart at least as far as the suite demands.
pub(super) fn isolation(suite: &Suite, trials: &[Trial<'_>]) -> Control {
    let demanded = suite.schedule.isolation;
    let problem = |trial: &Trial<'_>| {
        let reached = trial.ended.run.isolation;
        (reached < demanded).then(|| format!("{}: {}", trial.id(), isolation_word(reached)))
    };
    let reached = trials.iter().map(|trial| trial.ended.run.isolation).min();
    let mut evidence = vec![format!(
        "the weakest that was reached: {}",
        reached.map_or("none", isolation_word)
    )];
    evidence.extend(trials.iter().filter_map(refused));
    control(
        "isolation",
        format!("The isolation is `{}` or better.", isolation_word(demanded)),
        evidence,
        trials.iter().filter_map(problem).collect(),
    )
}

/// What a trial's agent tried to reach and was kept from.
fn refused(trial: &Trial<'_>) -> Option<String> {
    let refused = &trial.ended.run.refused_connections;
    let id = trial.id();
    (!refused.is_empty()).then(|| format!("{id} was refused {}", refused.join(", ")))
}

/// The word of an isolation level.
pub(in crate::summary) fn isolation_word(isolation: Isolation) -> &'static str {
    match isolation {
        Isolation::None => "none",
        Isolation::Audited => "audited",
        Isolation::Prevented => "prevented",
    }
}

/// A candidate and its baseline were drawn by one renderer with one set of fonts.
pub(super) fn same_renderer(verified: &Verified, trials: &[Trial<'_>]) -> Control {
    let (mut pairs, mut problems) = (0, Vec::new());
    for trial in trials {
        let key = (trial.id().case.clone(), trial.id().arm.clone());
        let baseline = verified.history.baselines.get(&key);
        let (Some(render), Some(baseline)) = (&trial.judged.render, baseline) else {
            continue;
        };
        pairs += 1;
        let (candidate, baseline) = (&render.renderer, &baseline.render.renderer);
        if candidate != baseline {
            let (one, other) = (candidate.sha256(), baseline.sha256());
            problems.push(format!(
                "{}: drawn by {} {} ({one}), its baseline by {} {} ({other})",
                trial.id(),
                candidate.name,
                candidate.version,
                baseline.name,
                baseline.version
            ));
        }
    }
    control(
        "same_renderer",
        "Every candidate and its baseline were drawn by the same renderer.",
        vec![format!("{} with a baseline", counted(pairs, "candidate"))],
        problems,
    )
}
