// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a reviewer hands in: the shape of `deckproof.response.v1`.
//!
//! It knows labels A and B and nothing else. Packet hash and packet id are all that binds it; the
//! rest is added when it is accepted, since a reviewer who had to state it would have to see it.

use std::collections::BTreeMap;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping::{Label, PacketId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rules::ReviewerType;

/// The only schema of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ResponseSchema {
    /// Version 1.
    #[serde(rename = "deckproof.response.v1")]
    V1,
}

/// A whole response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// `deckproof.response.v1`.
    pub schema: ResponseSchema,
    /// The packet's id.
    pub packet: PacketId,
    /// The packet's hash, as the packet itself states it.
    pub packet_sha256: Sha256Hex,
    /// Who judged.
    pub reviewer: Reviewer,
    /// The judgement of each label.
    pub labels: Labels,
    /// The comparison in the reviewer's own words.
    pub overall_rationale: String,
    /// Which label the reviewer takes for the newer one, when they guess.
    #[serde(default)]
    pub guess: Option<Label>,
}

/// Who judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reviewer {
    /// Human, model or scripted.
    #[serde(rename = "type")]
    pub kind: ReviewerType,
    /// A name that stays the same over all packets of one reviewer.
    pub id: String,
    /// The model, for a model reviewer and no other.
    #[serde(default)]
    pub model: Option<String>,
    /// The session in which this packet was judged; never used for another.
    pub thread: String,
}

/// Both labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// The left one.
    #[serde(rename = "A")]
    pub a: LabelResponse,
    /// The right one.
    #[serde(rename = "B")]
    pub b: LabelResponse,
}

/// The judgement of one label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelResponse {
    /// By the dimension's name.
    pub dimensions: BTreeMap<String, Judgement>,
}

/// The judgement of one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// A score of the suite's scale.
    pub score: i32,
    /// Whether the deck is acceptable in this dimension.
    pub pass: bool,
    /// Why, in the reviewer's own words.
    pub rationale: String,
}

impl Labels {
    /// The judgement of `label`.
    #[must_use]
    pub fn get(&self, label: Label) -> &LabelResponse {
        match label {
            Label::A => &self.a,
            Label::B => &self.b,
        }
    }
}
