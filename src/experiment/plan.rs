// SPDX-License-Identifier: MIT OR Apache-2.0
//! `plan.json`: what will run, decided before anything runs, and every commitment drawn so far.
//!
//! The plan is rewritten once, when the mappings are drawn; the journal names each version by its
//! hash, so that neither trials nor commitments can be taken out afterwards.

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping::PacketId;
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
}
