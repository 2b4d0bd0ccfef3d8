// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the packets, each from its mapping and the pictures in the store.
//!
//! The order is what makes it safe to stop anywhere: mappings first, in private; then the plan with
//! their commitments, named by the journal; then the packets, which can be built again from both.

use deckproof_packets::json;
use deckproof_packets::mapping::{Label, Mapping, Purpose};
use deckproof_packets::packet::{self, Asset, ByLabel, Document, DocumentKind, PacketInput};

use super::ExecuteError;
use super::progress::Progress;
use super::state::RunState;
use super::{draw, tasks};
use crate::anchor;
use crate::experiment::plan::Commitment;
use crate::experiment::records::{Event, PacketWritten, RenderSet};
use crate::experiment::{Experiment, TrialId};
use crate::review_form;
use crate::suite::{Case, Mode, amendment_number};

/// What reviewers are told to do.
const REVIEW_PROMPT: &str = include_str!("review_prompt.md");

/// Draws what is not drawn and writes what is not written. Returns how many packets there are.
pub(super) fn write_all(state: &mut RunState, progress: &Progress) -> Result<u32, ExecuteError> {
    if !state.drawn {
        draw::all(state)?;
    }
    let plan = state.experiment.plan.clone();
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

fn write(state: &mut RunState, commitment: &Commitment) -> Result<(), ExecuteError> {
    let problem = |problem: String| ExecuteError::Packet(problem);
    let layout = &state.experiment.layout;
    let path = layout.mapping(&commitment.packet);
    let mapping = draw::read_mapping(&state.experiment, &commitment.packet)?;
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
    let pictures = both(state, &mapping, &trial)?;
    let input = input(state, &mapping, commitment, &trial, pictures)?;
    // What an earlier run built without recording it is built again, from the same mapping.
    tasks::remove(&layout.packet(&commitment.packet))?;
    let verified =
        packet::build(&layout.packets(), &input).map_err(|error| problem(error.to_string()))?;
    state.record(Event::PacketWritten(PacketWritten {
        packet: commitment.packet.clone(),
        packet_sha256: verified.packet_sha256,
    }))
}

/// The pictures of both labels, as the packet's purpose has it.
fn both(
    state: &RunState,
    mapping: &Mapping,
    trial: &TrialId,
) -> Result<ByLabel<Vec<Vec<u8>>>, ExecuteError> {
    let experiment = &state.experiment;
    let judged = state.judged.get(trial);
    let candidate = judged.and_then(|judged| judged.render.as_ref());
    let key = (trial.case.clone(), trial.arm.clone());
    let (Some(candidate), Some(baseline)) = (candidate, state.baselines.get(&key)) else {
        let problem = format!("the trial `{trial}` has no pictures to compare");
        return Err(ExecuteError::Packet(problem));
    };
    let sound = pictures(experiment, &baseline.render)?;
    let other = match mapping.purpose {
        Purpose::Identical => sound.clone(),
        Purpose::Broken => anchor::spoilt(&experiment.store(), &baseline.render)
            .map_err(|error| ExecuteError::Packet(error.to_string()))?,
        Purpose::Comparison | Purpose::OtherOrder | Purpose::Repeat => {
            pictures(experiment, candidate)?
        }
    };
    Ok(match mapping.candidate {
        Label::A => ByLabel { a: other, b: sound },
        Label::B => ByLabel { a: sound, b: other },
    })
}

fn input(
    state: &RunState,
    mapping: &Mapping,
    commitment: &Commitment,
    trial: &TrialId,
    pictures: ByLabel<Vec<Vec<u8>>>,
) -> Result<PacketInput, ExecuteError> {
    let experiment = &state.experiment;
    let case = experiment.case(&trial.case)?;
    let spec = experiment.spec(&trial.case)?;
    let requirements = json::pretty(&spec.requirements()).map_err(std::io::Error::from)?;
    Ok(PacketInput {
        id: mapping.packet.clone(),
        commitment: commitment.commitment.clone(),
        pictures,
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
