// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets and mappings: the pictures that a reviewer saw are those of the trial and its baseline,
//! under the labels that were committed to before anybody looked.

use std::collections::BTreeSet;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::mapping::{Label, Mapping, PacketId, Purpose, Side};
use deckproof_packets::packet::{self, VerifiedPacket};
use deckproof_reviews::review::{Bindings, LabelBindings, PacketBinding};

use super::draws::{self, Drawn};
use super::folders::{Kind, expect_exactly, expect_kind, expect_mode, list, read, stray};
use super::history::History;
use super::parallel::map_all;
use super::{VerifyError, asked};
use crate::anchor;
use crate::experiment::plan::Commitment;
use crate::experiment::records::{Artifact, RenderSet};
use crate::experiment::{Experiment, TrialId};

/// One packet with its mapping, both checked against the records.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The trial whose deck is the candidate.
    pub trial: TrialId,
    /// The mapping, its commitment verified.
    pub mapping: Mapping,
    /// What a review of the packet is bound to.
    pub binding: PacketBinding,
    /// Whether it was voided.
    pub voided: bool,
}

/// Checks every mapping and packet of an experiment whose mappings are drawn. Pictures of the
/// hashes `decoded` were decoded already.
pub(super) fn check(
    experiment: &Experiment,
    history: &History,
    decoded: &BTreeSet<Sha256Hex>,
) -> Result<Vec<Comparison>, VerifyError> {
    let commitments = &experiment.plan.commitments;
    if history.drawn.is_none() {
        return check_none(experiment).map(|()| Vec::new());
    }
    let names = commitments.iter().map(|one| format!("{}.json", one.packet));
    let folder = experiment.layout.private().join("mappings");
    expect_exactly(&folder, &names.collect(), Kind::File, "the plan")?;
    let mut mappings = Vec::new();
    for commitment in commitments {
        let (trial, mapping) = read_mapping(experiment, history, commitment)?;
        mappings.push((trial, mapping));
    }
    let drawn: Vec<_> = commitments
        .iter()
        .zip(&mappings)
        .map(|(commitment, (trial, mapping))| Drawn {
            commitment,
            trial,
            mapping,
        })
        .collect();
    draws::check(experiment, history, &drawn)?;
    check_packets(experiment, history, mappings, decoded)
}

/// Before the mappings are drawn no commitment binds anything yet.
fn check_none(experiment: &Experiment) -> Result<(), VerifyError> {
    expect_kind(&experiment.layout.private().join("mappings"), Kind::Folder)?;
    if experiment.plan.commitments.is_empty() {
        return Ok(());
    }
    let found = "commitments, although no mapping was drawn";
    Err(VerifyError::evidence(
        &experiment.layout.plan(),
        found,
        "none",
    ))
}

/// The mapping of one packet, its commitment verified.
pub(crate) fn read_mapping(
    experiment: &Experiment,
    history: &History,
    commitment: &Commitment,
) -> Result<(TrialId, Mapping), VerifyError> {
    let file = experiment.layout.mapping(&commitment.packet);
    expect_kind(&file, Kind::File)?;
    expect_mode(&file, 0o600)?;
    let mapping: Mapping = json::read(&file.display().to_string(), &read(&file)?)?;
    let problem = |found: String, expected: String| VerifyError::evidence(&file, found, expected);
    if mapping.packet != commitment.packet {
        let found = format!("the mapping of {}", mapping.packet);
        return Err(problem(found, format!("that of {}", commitment.packet)));
    }
    let found = mapping.commitment();
    if found != commitment.commitment {
        let expected = format!("{}, to which the plan is committed", commitment.commitment);
        return Err(problem(
            format!("a mapping that hashes to {found}"),
            expected,
        ));
    }
    let trial: TrialId = mapping
        .trial
        .parse()
        .map_err(|error| problem(format!("{error}"), "a trial of the plan".to_owned()))?;
    let sides = sides(experiment, history, &trial, mapping.purpose).map_err(|missing| {
        problem(
            format!("the trial `{trial}`"),
            format!("one with {missing}"),
        )
    })?;
    if (&mapping.candidate_side, &mapping.baseline_side) != (&sides.0, &sides.1) {
        let expected = "the decks and pictures that the journal names".to_owned();
        return Err(problem(
            format!("other decks or pictures for `{trial}`"),
            expected,
        ));
    }
    Ok((trial, mapping))
}

/// What candidate and baseline of a packet of this purpose show.
fn sides(
    experiment: &Experiment,
    history: &History,
    trial: &TrialId,
    purpose: Purpose,
) -> Result<(Side, Side), &'static str> {
    let counted = history.trials.get(trial).and_then(|trial| trial.counted());
    let (_, ended, judged) = counted.ok_or("a judged deck")?;
    let Artifact::Stored(candidate) = &ended.artifact else {
        return Err("a deck");
    };
    let render = judged.render.as_ref().ok_or("pictures")?;
    let key = (trial.case.clone(), trial.arm.clone());
    let baseline = history.baselines.get(&key).ok_or("a rendered baseline")?;
    let side = |artifact: &Sha256Hex, render: &RenderSet| Side {
        artifact_sha256: artifact.clone(),
        render_set_sha256: render.sha256.clone(),
    };
    let sound = side(&baseline.artifact.tree_sha256, &baseline.render);
    let other = match purpose {
        Purpose::Identical => sound.clone(),
        Purpose::Broken => anchor::spoilt_side(&experiment.store(), baseline)
            .map_err(|_| "a baseline whose pictures can be spoilt")?,
        Purpose::Comparison | Purpose::OtherOrder | Purpose::Repeat => {
            side(&candidate.tree_sha256, render)
        }
    };
    Ok((other, sound))
}

fn check_packets(
    experiment: &Experiment,
    history: &History,
    mappings: Vec<(TrialId, Mapping)>,
    decoded: &BTreeSet<Sha256Hex>,
) -> Result<Vec<Comparison>, VerifyError> {
    check_names(experiment, history)?;
    let written: Vec<_> = mappings
        .iter()
        .filter(|(_, mapping)| history.packets.contains_key(&mapping.packet))
        .collect();
    map_all(&written, |(trial, mapping)| {
        let packet = check_packet(experiment, history, mapping, decoded)?;
        let file = experiment
            .layout
            .packet(&mapping.packet)
            .join("packet.json");
        asked::check(experiment, trial, &packet, &file)?;
        Ok(Comparison {
            trial: trial.clone(),
            binding: binding(experiment, &packet, mapping),
            voided: history.voided_packets().contains(&mapping.packet),
            mapping: mapping.clone(),
        })
    })
}

/// The packet holds, is the one that was written, and shows under each label what the mapping says.
pub(crate) fn check_packet(
    experiment: &Experiment,
    history: &History,
    mapping: &Mapping,
    decoded: &BTreeSet<Sha256Hex>,
) -> Result<VerifiedPacket, VerifyError> {
    let folder = experiment.layout.packet(&mapping.packet);
    expect_kind(&folder, Kind::Folder)?;
    let file = folder.join("packet.json");
    let written = history.packets.get(&mapping.packet).map(Sha256Hex::as_str);
    // Before the packet as a whole: files that carry this hash would be named for it otherwise.
    if fs_err::symlink_metadata(&file).is_ok() {
        let found = Sha256Hex::of(&read(&file)?);
        if written != Some(found.as_str()) {
            let expected = written.unwrap_or("none").to_owned();
            let found = format!("the hash {found}");
            return Err(VerifyError::evidence(&file, found, expected));
        }
    }
    let packet = packet::verify_with(&folder, decoded)?;
    let same = |what: &str, found: &str, expected: &str| {
        if found == expected {
            return Ok(());
        }
        Err(VerifyError::evidence(
            &file,
            format!("the {what} {found}"),
            expected,
        ))
    };
    same(
        "hash",
        packet.packet_sha256.as_str(),
        written.unwrap_or("none"),
    )?;
    same(
        "packet",
        packet.document.packet.as_str(),
        mapping.packet.as_str(),
    )?;
    let (found, expected) = (&packet.document.commitment, mapping.commitment());
    same("commitment", found.as_str(), expected.as_str())?;
    for label in Label::BOTH {
        let found = packet.render_set_sha256.get(label).as_str();
        let expected = mapping.side(label).render_set_sha256.as_str();
        same(&format!("render set of {label}"), found, expected)?;
    }
    Ok(packet)
}

/// What a review of the packet is bound to.
pub(crate) fn binding(
    experiment: &Experiment,
    packet: &VerifiedPacket,
    mapping: &Mapping,
) -> PacketBinding {
    let commitment = experiment.plan.commitment(&mapping.packet);
    PacketBinding {
        seat: commitment.and_then(|one| one.seat).map(|one| one.seat),
        packet: mapping.packet.clone(),
        bindings: Bindings {
            packet_sha256: packet.packet_sha256.clone(),
            prompt_sha256: packet.prompt_sha256.clone(),
            requirements_sha256: packet.requirements_sha256.clone(),
            labels: LabelBindings {
                a: mapping.side(Label::A).clone(),
                b: mapping.side(Label::B).clone(),
            },
        },
    }
}

fn check_names(experiment: &Experiment, history: &History) -> Result<(), VerifyError> {
    let folder = experiment.layout.packets();
    let names = |ids: Vec<&PacketId>| ids.into_iter().map(ToString::to_string).collect();
    let written: BTreeSet<String> = names(history.packets.keys().collect());
    if history.finished.is_some() {
        return expect_exactly(&folder, &written, Kind::Folder, "the journal");
    }
    let commitments = &experiment.plan.commitments;
    let committed: BTreeSet<String> = names(commitments.iter().map(|one| &one.packet).collect());
    for (name, _) in list(&folder)? {
        let id = name.strip_prefix(".deckproof-").unwrap_or(&name);
        if !committed.contains(id) {
            return Err(stray(&folder.join(&name), "the plan"));
        }
    }
    written
        .iter()
        .try_for_each(|name| expect_kind(&folder.join(name), Kind::Folder))
}
