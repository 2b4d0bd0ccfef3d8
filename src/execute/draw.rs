// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws labels, seats and orders, and commits to them before anything is shown.
//!
//! A draw is made once. One packet can be voided and drawn again; both stay in the plan, with the
//! reason, so that nobody can go on drawing until the labels suit them without everybody seeing it.

use std::io;

use deckproof_packets::mapping::{
    Label, Mapping, MappingSchema, PacketId, Purpose, Side, balanced_labels, draw_id, draw_nonce,
};
use deckproof_packets::{atomic, json};

use super::ExecuteError;
use super::state::RunState;
use crate::anchor;
use crate::argument::WrongArgument;
use crate::experiment::plan::{Commitment, Plan, Seat};
use crate::experiment::records::{Artifact, BaselineRendered, Event, MappingsDrawn, PacketVoided};
use crate::experiment::{Experiment, TrialId};

/// What one packet is to be.
struct Drawn {
    trial: TrialId,
    purpose: Purpose,
    candidate: Label,
    seat: Option<Seat>,
}

/// Draws every mapping of the experiment and rewrites the plan.
pub(super) fn all(state: &mut RunState) -> Result<(), ExecuteError> {
    // Nothing has been promised yet: what a stop left here was never part of the experiment.
    let folder = state.experiment.layout.private().join("mappings");
    for entry in fs_err::read_dir(&folder)? {
        fs_err::remove_file(entry?.path())?;
    }
    let mut commitments = Vec::new();
    for drawn in packets(state) {
        commitments.push(commit(state, drawn)?);
    }
    // Ids are random, so their order says nothing of the order of cases and arms.
    commitments.sort();
    let plan = Plan {
        commitments,
        ..state.experiment.plan.clone()
    };
    rewrite(state, plan, |plan_sha256| {
        Event::MappingsDrawn(MappingsDrawn { plan_sha256 })
    })
}

fn packets(state: &RunState) -> Vec<Drawn> {
    let trials = state.experiment.plan.trials.iter().map(|one| &one.id);
    let trials: Vec<_> = trials.filter(|trial| is_compared(state, trial)).collect();
    let Some(panel) = &state.experiment.suite.review.panel else {
        let labels = balanced_labels(trials.len(), &mut rand::rng());
        let one = |(trial, candidate): (&TrialId, Label)| Drawn {
            trial: trial.clone(),
            purpose: Purpose::Comparison,
            candidate,
            seat: None,
        };
        return trials.into_iter().zip(labels).map(one).collect();
    };
    let places = panel.draw(trials.len(), &mut rand::rng());
    let drawn = places.into_iter().filter_map(|place| {
        Some(Drawn {
            trial: (*trials.get(place.comparison)?).clone(),
            purpose: place.purpose,
            candidate: place.candidate,
            seat: Some(Seat {
                seat: place.seat,
                position: place.position,
            }),
        })
    });
    drawn.collect()
}

fn is_compared(state: &RunState, trial: &TrialId) -> bool {
    let render = state.judged.get(trial).and_then(|one| one.render.as_ref());
    render.is_some() && candidate_side(state, trial).is_some() && baseline(state, trial).is_some()
}

fn candidate_side(state: &RunState, trial: &TrialId) -> Option<Side> {
    let render = state.judged.get(trial)?.render.as_ref()?;
    let Artifact::Stored(artifact) = &state.ended.get(trial)?.artifact else {
        return None;
    };
    Some(Side {
        artifact_sha256: artifact.tree_sha256.clone(),
        render_set_sha256: render.sha256.clone(),
    })
}

fn baseline<'a>(state: &'a RunState, trial: &TrialId) -> Option<&'a BaselineRendered> {
    let key = (trial.case.clone(), trial.arm.clone());
    state.baselines.get(&key)
}

/// Writes the mapping of one packet and gives the commitment to it.
fn commit(state: &RunState, drawn: Drawn) -> Result<Commitment, ExecuteError> {
    let problem = |error: String| ExecuteError::Packet(error);
    let nothing = || problem(format!("the trial `{}` has no pictures", drawn.trial));
    let baseline = baseline(state, &drawn.trial).ok_or_else(nothing)?;
    let baseline_side = Side {
        artifact_sha256: baseline.artifact.tree_sha256.clone(),
        render_set_sha256: baseline.render.sha256.clone(),
    };
    let candidate_side = match drawn.purpose {
        Purpose::Identical => baseline_side.clone(),
        Purpose::Broken => anchor::spoilt_side(&state.experiment.store(), baseline)
            .map_err(|error| problem(error.to_string()))?,
        Purpose::Comparison | Purpose::OtherOrder | Purpose::Repeat => {
            candidate_side(state, &drawn.trial).ok_or_else(nothing)?
        }
    };
    let mapping = Mapping {
        schema: MappingSchema::V1,
        packet: draw_id().map_err(|error| problem(error.to_string()))?,
        purpose: drawn.purpose,
        trial: drawn.trial.to_string(),
        candidate: drawn.candidate,
        candidate_side,
        baseline_side,
        nonce: draw_nonce().map_err(|error| problem(error.to_string()))?,
    };
    let bytes = json::pretty(&mapping).map_err(io::Error::from)?;
    let path = state.experiment.layout.mapping(&mapping.packet);
    atomic::write_new(&path, &bytes, 0o600)?;
    Ok(Commitment {
        commitment: mapping.commitment(),
        packet: mapping.packet,
        seat: drawn.seat,
        replaces: None,
        voided: None,
    })
}

/// The journal names the new plan before it is there; the store keeps it in between.
fn rewrite(
    state: &mut RunState,
    plan: Plan,
    event: impl FnOnce(deckproof_packets::hash::Sha256Hex) -> Event,
) -> Result<(), ExecuteError> {
    let bytes = json::pretty(&plan).map_err(io::Error::from)?;
    let plan_sha256 = state.experiment.store().put(&bytes)?;
    state.record(event(plan_sha256))?;
    atomic::write(&state.experiment.layout.plan(), &bytes, 0o644)?;
    state.experiment.plan = plan;
    Ok(())
}

/// Voids one packet and draws another in its place. Returns its id.
///
/// The label of the new one is drawn alone, but for a pair that is judged in both orders: there it
/// has to be the same again.
pub(super) fn replace(
    state: &mut RunState,
    packet: &PacketId,
    reason: &str,
) -> Result<PacketId, ExecuteError> {
    let commitments = &state.experiment.plan.commitments;
    let old = commitments.iter().find(|one| one.packet == *packet);
    let Some(old) = old.filter(|one| one.voided.is_none()).cloned() else {
        return Err(no_such_packet(&state.experiment, packet).into());
    };
    remove_unpromised(state)?;
    let mapping = read_mapping(&state.experiment, packet)?;
    let candidate = match both_orders(&state.experiment, &old, mapping.purpose) {
        true => mapping.candidate,
        false => balanced_labels(1, &mut rand::rng())
            .first()
            .copied()
            .unwrap_or(mapping.candidate),
    };
    let trial = mapping
        .trial
        .parse()
        .map_err(|error| ExecuteError::Packet(format!("{error}")))?;
    let mut drawn = commit(
        state,
        Drawn {
            trial,
            purpose: mapping.purpose,
            candidate,
            seat: old.seat,
        },
    )?;
    drawn.replaces = Some(packet.clone());
    let replacement = drawn.packet.clone();
    let mut plan = state.experiment.plan.clone();
    for one in plan
        .commitments
        .iter_mut()
        .filter(|one| one.packet == *packet)
    {
        one.voided = Some(reason.to_owned());
    }
    plan.commitments.push(drawn);
    plan.commitments.sort();
    rewrite(state, plan, |plan_sha256| {
        Event::PacketVoided(PacketVoided {
            packet: packet.clone(),
            reason: reason.to_owned(),
            replacement: replacement.clone(),
            plan_sha256,
        })
    })?;
    Ok(replacement)
}

/// Why a packet cannot be voided.
fn no_such_packet(experiment: &Experiment, packet: &PacketId) -> WrongArgument {
    let problem = match experiment.plan.voided(packet) {
        Some(voided) => format!("{packet}, which is {voided}, expected one that stands"),
        None => format!("{packet}, expected the id of a packet of this experiment"),
    };
    let root = experiment.layout.root().display();
    WrongArgument {
        argument: "the packet",
        problem,
        way_out: format!("`deckproof packet list {root}` lists them"),
    }
}

fn both_orders(experiment: &Experiment, old: &Commitment, purpose: Purpose) -> bool {
    let panel = experiment.suite.review.panel.as_ref();
    let turned = panel
        .zip(old.seat)
        .is_some_and(|(panel, seat)| panel.both_orders.contains(&seat.seat.kind));
    turned && purpose.counts()
}

/// Mappings that a stop left before their commitment was in the plan.
fn remove_unpromised(state: &RunState) -> Result<(), ExecuteError> {
    let plan = &state.experiment.plan;
    for entry in fs_err::read_dir(state.experiment.layout.private().join("mappings"))? {
        let path = entry?.path();
        let known = plan
            .commitments
            .iter()
            .any(|one| state.experiment.layout.mapping(&one.packet) == path);
        if !known {
            fs_err::remove_file(path)?;
        }
    }
    Ok(())
}

pub(super) fn read_mapping(
    experiment: &Experiment,
    packet: &PacketId,
) -> Result<Mapping, ExecuteError> {
    let path = experiment.layout.mapping(packet);
    json::read(&path.display().to_string(), &fs_err::read(&path)?)
        .map_err(|error| ExecuteError::Packet(error.to_string()))
}
