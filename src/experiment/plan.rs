// SPDX-License-Identifier: MIT OR Apache-2.0
//! `plan.json`: what will run, decided before anything runs, and every commitment drawn so far.
//!
//! The plan is rewritten when the mappings are drawn, and again for every packet that is voided; the
//! journal names each version by its hash, so that neither trials nor commitments can be taken out
//! afterwards.

use std::fmt;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping::PacketId;
use deckproof_reviews::review::SeatId;
use serde::{Deserialize, Serialize};

use super::TrialId;
use crate::suite::{Id, ScheduleKind};

/// The plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Always `deckproof.plan.v1`.
    pub schema: PlanSchema,
    /// The suite's name.
    pub suite: Id,
    /// Hash of the sealed `suite.toml`.
    pub suite_sha256: Sha256Hex,
    /// Hash of the sealed lock.
    pub lock_sha256: Sha256Hex,
    /// When trials of one case run.
    pub schedule: ScheduleKind,
    /// The trials in the order in which they start. Trials of one group start together.
    pub trials: Vec<PlannedTrial>,
    /// The commitment to every mapping drawn so far, in the order of the packets' ids.
    pub commitments: Vec<Commitment>,
}

/// The only schema of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanSchema {
    /// Version 1.
    #[serde(rename = "deckproof.plan.v1")]
    V1,
}

/// One trial as planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedTrial {
    /// Its name.
    pub id: TrialId,
    /// Trials with the same group start together.
    pub group: u32,
    /// Hash of its task tree, modes included.
    pub task_tree_sha256: Sha256Hex,
    /// Hash of the task tree's list of files, an object: what a changed tree is put back from.
    pub task_list_sha256: Sha256Hex,
    /// Hash of the inputs that all arms of the case share: brief, amendments, assets and the spec
    /// before it is rewritten.
    pub source_sha256: Sha256Hex,
    /// Hash of the rewritten spec.
    pub spec_sha256: Sha256Hex,
    /// Hash of the prompt as sent.
    pub prompt_sha256: Sha256Hex,
    /// Hash of the prompt with the format line blank.
    pub normalized_prompt_sha256: Sha256Hex,
}

/// The promise that a packet's labels are already fixed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commitment {
    /// The packet.
    pub packet: PacketId,
    /// SHA-256 over its mapping and nonce.
    pub commitment: Sha256Hex,
    /// Whose packet it is, where the suite has a panel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The voided packet in whose place it was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<PacketId>,
    /// Why it was voided, when it was. It stays listed, so that no draw is unseen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub voided: Option<String>,
}

/// A reviewer's place and the packet's place in that reviewer's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The seat.
    pub seat: SeatId,
    /// From 1. The order is random, so it tells nothing of cases, arms and what a packet is for.
    pub position: u32,
}

/// A packet that counts no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voided {
    /// Why.
    pub reason: String,
    /// The packet that was drawn in its place.
    pub replacement: Option<PacketId>,
}

impl fmt::Display for Voided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "voided ({})", self.reason)?;
        match &self.replacement {
            None => Ok(()),
            Some(packet) => write!(f, " and replaced by {packet}"),
        }
    }
}

impl Plan {
    /// The plan as it was after the first `voids` of `order`, the voided packets from the oldest on:
    /// packets drawn later are not in it yet, and those voided later have no reason yet.
    #[must_use]
    pub fn after(&self, order: &[PacketId], voids: usize) -> Self {
        let before: Vec<_> = order.iter().take(voids).collect();
        let known = |packet: &PacketId| before.contains(&packet);
        let drawn = self.commitments.iter().filter(|one| match &one.replaces {
            None => true,
            Some(voided) => known(voided),
        });
        let commitments = drawn.map(|one| Commitment {
            voided: one.voided.clone().filter(|_| known(&one.packet)),
            ..one.clone()
        });
        Self {
            commitments: commitments.collect(),
            ..self.clone()
        }
    }

    /// Whether a packet was voided, why, and what is in its place.
    #[must_use]
    pub fn voided(&self, packet: &PacketId) -> Option<Voided> {
        let reason = self.commitment(packet)?.voided.clone()?;
        let mut all = self.commitments.iter();
        let replacement = all.find(|one| one.replaces.as_ref() == Some(packet));
        Some(Voided {
            reason,
            replacement: replacement.map(|one| one.packet.clone()),
        })
    }

    /// The commitment to one packet.
    #[must_use]
    pub fn commitment(&self, packet: &PacketId) -> Option<&Commitment> {
        self.commitments.iter().find(|one| one.packet == *packet)
    }
}
