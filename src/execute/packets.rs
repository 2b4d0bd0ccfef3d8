// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws the labels, commits to them, and writes the packets.
//!
//! The order is what makes it safe to stop anywhere: mappings first, in private; then the plan with
//! their commitments, named by the journal; then the packets, which can be built again from both.

use deckproof_packets::atomic;
use deckproof_packets::json;
use deckproof_packets::mapping::{
    Label, Mapping, MappingSchema, Side, balanced_labels, draw_id, draw_nonce,
};
use deckproof_packets::packet::{self, Asset, ByLabel, Document, DocumentKind, PacketInput};

use super::ExecuteError;
use super::progress::Progress;
use super::state::RunState;
use super::tasks;
use crate::experiment::plan::{Commitment, Plan};
use crate::experiment::records::{Artifact, Event, MappingsDrawn, PacketWritten, RenderSet};
use crate::experiment::{Experiment, TrialId};
use crate::review_form;
use crate::suite::{Case, Mode, amendment_number};

/// What reviewers are told to do.
const REVIEW_PROMPT: &str = include_str!("review_prompt.md");

/// Draws what is not drawn and writes what is not written. Returns how many packets there are.
pub(super) fn write_all(state: &mut RunState, progress: &Progress) -> Result<u32, ExecuteError> {
    if !state.drawn {
        draw(state)?;
    }
    let plan = read_plan(&state.experiment)?;
    for commitment in &plan.commitments {
        if state
            .packets
            .iter()
            .any(|written| written.packet == commitment.packet)
        {
            continue;
        }
        write(state, commitment)?;
        progress.line(format_args!("packet {}: written", commitment.packet));
    }
    Ok(u32::try_from(plan.commitments.len()).unwrap_or(u32::MAX))
}

/// The plan as it is now, after a draw in this very run.
fn read_plan(experiment: &Experiment) -> Result<Plan, ExecuteError> {
    let path = experiment.layout.plan();
    let bytes = fs_err::read(&path)?;
    json::read(&path.display().to_string(), &bytes)
        .map_err(|error| ExecuteError::Packet(error.to_string()))
}

fn draw(state: &mut RunState) -> Result<(), ExecuteError> {
    let experiment = &state.experiment;
    // Nothing has been promised yet: what a stop left here was never part of the experiment.
    let folder = experiment.layout.private().join("mappings");
    for entry in fs_err::read_dir(&folder)? {
        fs_err::remove_file(entry?.path())?;
    }
    let mut sides = Vec::new();
    for planned in &experiment.plan.trials {
        if let Some(sides_of) = sides_of(state, &planned.id) {
            sides.push((planned.id.clone(), sides_of));
        }
    }
    let labels = balanced_labels(sides.len(), &mut rand::rng());
    let mut commitments = Vec::new();
    for ((trial, (candidate_side, baseline_side)), candidate) in sides.into_iter().zip(labels) {
        let mapping = Mapping {
            schema: MappingSchema::V1,
            packet: draw_id().map_err(|error| ExecuteError::Packet(error.to_string()))?,
            trial: trial.to_string(),
            candidate,
            candidate_side,
            baseline_side,
            nonce: draw_nonce().map_err(|error| ExecuteError::Packet(error.to_string()))?,
        };
        let bytes = json::pretty(&mapping).map_err(std::io::Error::from)?;
        atomic::write_new(&experiment.layout.mapping(&mapping.packet), &bytes, 0o600)?;
        let commitment = mapping.commitment();
        commitments.push(Commitment {
            packet: mapping.packet,
            commitment,
        });
    }
    // Ids are random, so their order says nothing of the order of cases and arms.
    commitments.sort();
    let plan = Plan {
        commitments,
        ..experiment.plan.clone()
    };
    let bytes = json::pretty(&plan).map_err(std::io::Error::from)?;
    let plan_sha256 = experiment.store().put(&bytes)?;
    let path = experiment.layout.plan();
    state.record(Event::MappingsDrawn(MappingsDrawn { plan_sha256 }))?;
    atomic::write(&path, &bytes, 0o644)?;
    Ok(())
}

/// Candidate and baseline of a trial; `None` when there is nothing to show.
fn sides_of(state: &RunState, trial: &TrialId) -> Option<(Side, Side)> {
    let render = state.judged.get(trial)?.render.as_ref()?;
    let Artifact::Stored(artifact) = &state.ended.get(trial)?.artifact else {
        return None;
    };
    let baseline = state
        .baselines
        .get(&(trial.case.clone(), trial.arm.clone()))?;
    let candidate = Side {
        artifact_sha256: artifact.tree_sha256.clone(),
        render_set_sha256: render.sha256.clone(),
    };
    let baseline = Side {
        artifact_sha256: baseline.artifact.tree_sha256.clone(),
        render_set_sha256: baseline.render.sha256.clone(),
    };
    Some((candidate, baseline))
}

fn write(state: &mut RunState, commitment: &Commitment) -> Result<(), ExecuteError> {
    let problem = |problem: String| ExecuteError::Packet(problem);
    let layout = &state.experiment.layout;
    let path = layout.mapping(&commitment.packet);
    let bytes = fs_err::read(&path)?;
    let mapping: Mapping = json::read(&path.display().to_string(), &bytes)
        .map_err(|error| problem(error.to_string()))?;
    if mapping.commitment() != commitment.commitment {
        return Err(problem(format!(
            "`{}` does not fit its commitment in plan.json",
            path.display()
        )));
    }
    let trial: TrialId = mapping
        .trial
        .parse()
        .map_err(|error| problem(format!("{error}")))?;
    let candidate = state
        .judged
        .get(&trial)
        .and_then(|judged| judged.render.as_ref());
    let baseline = state
        .baselines
        .get(&(trial.case.clone(), trial.arm.clone()));
    let (Some(candidate), Some(baseline)) = (candidate, baseline) else {
        return Err(problem(format!(
            "the trial `{trial}` has no pictures to compare"
        )));
    };
    let input = input(
        state,
        &mapping,
        commitment,
        &trial,
        candidate,
        &baseline.render,
    )?;
    // What an earlier run built without recording it is built again, from the same mapping.
    tasks::remove(&layout.packet(&commitment.packet))?;
    let verified =
        packet::build(&layout.packets(), &input).map_err(|error| problem(error.to_string()))?;
    state.record(Event::PacketWritten(PacketWritten {
        packet: commitment.packet.clone(),
        packet_sha256: verified.packet_sha256,
    }))
}

fn input(
    state: &RunState,
    mapping: &Mapping,
    commitment: &Commitment,
    trial: &TrialId,
    candidate: &RenderSet,
    baseline: &RenderSet,
) -> Result<PacketInput, ExecuteError> {
    let experiment = &state.experiment;
    let case = experiment.case(&trial.case)?;
    let pictures = |label| {
        pictures(
            experiment,
            if label == mapping.candidate {
                candidate
            } else {
                baseline
            },
        )
    };
    let spec = experiment.spec(&trial.case)?;
    let requirements = json::pretty(&spec.requirements()).map_err(std::io::Error::from)?;
    Ok(PacketInput {
        id: mapping.packet.clone(),
        commitment: commitment.commitment.clone(),
        pictures: ByLabel {
            a: pictures(Label::A)?,
            b: pictures(Label::B)?,
        },
        requirements,
        brief: experiment.input(&case.brief)?,
        amendments: amendments(experiment, case)?,
        assets: assets(experiment, case)?,
        prompt: REVIEW_PROMPT.as_bytes().to_vec(),
        form: review_form::form(&experiment.suite.review),
        mode: match case.mode {
            Mode::Create => "A new deck made from a brief".to_owned(),
            Mode::Revise => "A revision of an existing deck".to_owned(),
        },
    })
}

fn pictures(experiment: &Experiment, set: &RenderSet) -> Result<Vec<Vec<u8>>, ExecuteError> {
    let store = experiment.store();
    set.slides
        .iter()
        .map(|slide| Ok(store.get(&slide.sha256)?))
        .collect()
}

fn amendments(experiment: &Experiment, case: &Case) -> Result<Vec<Document>, ExecuteError> {
    let mut paths: Vec<_> = case.amendments.iter().collect();
    paths.sort_by_key(|path| amendment_number(path.name()));
    paths
        .into_iter()
        .map(|path| {
            let kind = DocumentKind::from_extension(extension(path.name()));
            Ok(Document {
                kind: kind.unwrap_or(DocumentKind::Text),
                bytes: experiment.input(path)?,
            })
        })
        .collect()
}

fn assets(experiment: &Experiment, case: &Case) -> Result<Vec<Asset>, ExecuteError> {
    case.assets
        .iter()
        .map(|path| {
            Ok(Asset {
                name: path.name().to_owned(),
                extension: extension(path.name()).to_lowercase(),
                bytes: experiment.input(path)?,
            })
        })
        .collect()
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}
