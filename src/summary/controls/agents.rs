// SPDX-License-Identifier: MIT OR Apache-2.0
//! What agents had and did beyond their task: every call known, nothing loaded that nobody asked for.

use super::super::document::Control;
use super::super::trials::Trial;
use super::control;
use crate::experiment::Experiment;
use crate::experiment::records::TraceSummary;
use crate::suite::HostKind;

/// Hosts whose calls are known from two sources, or from one that was measured to be complete.
const COMPLETE: [HostKind; 2] = [HostKind::Codex, HostKind::Claude];

/// Every call of an agent whose host can be held to it is on record, and no event is unknown.
pub(super) fn calls_known(trials: &[Trial<'_>]) -> Control {
    let held: Vec<_> = trials
        .iter()
        .filter(|trial| COMPLETE.contains(&trial.arm.host))
        .collect();
    let mut problems = Vec::new();
    for trial in &held {
        let trace = &trial.ended.trace;
        if !trace.calls_complete {
            let why = trace.anomalies.join(", ");
            let why = if why.is_empty() {
                "nothing but its own stream shows them"
            } else {
                &why
            };
            problems.push(format!("{}: calls may be missing: {why}", trial.id()));
        }
    }
    for trial in trials {
        let unknown = trial.ended.trace.unknown_events;
        if unknown > 0 {
            problems.push(format!("{}: {unknown} events of unknown types", trial.id()));
        }
    }
    control(
        "calls_known",
        "Every call of the agents is on record where their hosts can be held to it, and no event is unknown.",
        vec![format!(
            "{} of {} trials are held to it",
            held.len(),
            trials.len()
        )],
        problems,
    )
}

/// No agent had skills, servers or plugins that the suite does not name.
pub(super) fn nothing_extra(experiment: &Experiment, trials: &[Trial<'_>]) -> Control {
    let stated = trials
        .iter()
        .filter(|trial| trial.ended.trace.loaded.is_some())
        .count();
    let problems = trials.iter().filter_map(|trial| {
        let extras = extras(trial);
        (!extras.is_empty()).then(|| format!("{}: {}", trial.id(), extras.join(", ")))
    });
    control(
        "nothing_extra",
        "No agent loaded a skill, a server, a plugin or instructions that the suite does not name.",
        vec![
            format!(
                "{stated} of {} trials say what they loaded; of the others it is not verified",
                trials.len()
            ),
            skills_read(experiment, trials),
        ],
        problems.collect(),
    )
}

/// How many trials show in their trace that they read the skill that they were given.
fn skills_read(experiment: &Experiment, trials: &[Trial<'_>]) -> String {
    let given: Vec<_> = trials
        .iter()
        .filter(|one| one.arm.skill.is_some())
        .collect();
    let reads = |trial: &&&Trial<'_>| {
        let trace = experiment.store().get(&trial.ended.trace.events.sha256);
        trace.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains("skill/SKILL.md"))
    };
    let seen = given.iter().filter(reads).count();
    format!(
        "{seen} of {} trials that were given a skill show that they read it",
        given.len()
    )
}

fn extras(trial: &Trial<'_>) -> Vec<String> {
    let TraceSummary { loaded, .. } = &trial.ended.trace;
    let Some(loaded) = loaded else {
        return Vec::new();
    };
    let own = trial.arm.skill.as_ref().map(|skill| skill.get().as_str());
    let skills = loaded
        .skills
        .iter()
        .filter(|skill| Some(skill.as_str()) != own);
    let named =
        |what: &'static str| move |name: &String| format!("{what} `{}`", name.escape_debug());
    skills
        .map(named("skill"))
        .chain(loaded.mcp_servers.iter().map(named("server")))
        .chain(loaded.plugins.iter().map(named("plugin")))
        .chain(loaded.instructions.iter().map(named("instructions")))
        .collect()
}
