// SPDX-License-Identifier: MIT OR Apache-2.0
//! An accepted review: the response, the hash of its bytes, and what it was bound to.
//!
//! The bindings are added by the tool and never by the reviewer. They name both labels alike, so
//! that a review on file tells no more about the mapping than its packet does.

use deckproof_packets::hash::{FieldHasher, Sha256Hex};
use deckproof_packets::json::{self, JsonError};
use deckproof_packets::mapping::{Label, PacketId, Side};
use serde::{Deserialize, Serialize};

use super::panel::SeatId;
use super::response::Response;
use super::rules::ReviewerType;

/// The only schema of an accepted review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewSchema {
    /// Version 1.
    #[serde(rename = "deckproof.review.v1")]
    V1,
}

/// What stands in `reviews/<id>.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedReview {
    /// `deckproof.review.v1`.
    pub schema: ReviewSchema,
    /// Derived from the packet and the response's bytes.
    pub id: String,
    /// Hash of the bytes that the reviewer handed in.
    pub response_sha256: Sha256Hex,
    /// The response as it was read from them.
    pub response: Response,
    /// What the response was bound to.
    pub bindings: Bindings,
}

/// What a review is bound to. Equal to [`PacketBinding`] but for the packet's id and seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bindings {
    /// Hash of the whole packet.
    pub packet_sha256: Sha256Hex,
    /// Hash of the review prompt.
    pub prompt_sha256: Sha256Hex,
    /// Hash of the neutral requirements.
    pub requirements_sha256: Sha256Hex,
    /// What each label showed.
    pub labels: LabelBindings,
}

/// What each label showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelBindings {
    /// The left one.
    #[serde(rename = "A")]
    pub a: Side,
    /// The right one.
    #[serde(rename = "B")]
    pub b: Side,
}

impl LabelBindings {
    /// What `label` showed.
    #[must_use]
    pub fn get(&self, label: Label) -> &Side {
        match label {
            Label::A => &self.a,
            Label::B => &self.b,
        }
    }
}

/// A packet as the experiment knows it, re-hashed by whoever fills this in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketBinding {
    /// The packet's id.
    pub packet: PacketId,
    /// All that a review of it is bound to.
    pub bindings: Bindings,
    /// Whose packet it is, where the suite has a panel.
    pub seat: Option<SeatId>,
}

impl AcceptedReview {
    pub(super) fn file(bytes: &[u8], response: Response, packet: &PacketBinding) -> Self {
        let response_sha256 = Sha256Hex::of(bytes);
        Self {
            schema: ReviewSchema::V1,
            id: review_id(&packet.packet, &response_sha256),
            response_sha256,
            response,
            bindings: packet.bindings.clone(),
        }
    }

    /// Reads a review on file, strictly. Whether it is still right is for
    /// [`validate_response`](super::validate_response) on the original bytes to say.
    ///
    /// # Errors
    /// A [`JsonError`] with the file, line and column; also when the id is not that of the response.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, JsonError> {
        let review: Self = json::read(file, bytes)?;
        let expected = review_id(&review.response.packet, &review.response_sha256);
        if review.id == expected {
            return Ok(review);
        }
        let problem = format!("found the id `{}`, expected `{expected}`", review.id);
        Err(JsonError {
            file: file.to_owned(),
            line: 1,
            column: 1,
            problem,
        })
    }

    /// Whether a program without eyes wrote it. Every report of the review says so.
    #[must_use]
    pub fn is_scripted(&self) -> bool {
        self.response.reviewer.kind == ReviewerType::Scripted
    }
}

fn review_id(packet: &PacketId, response: &Sha256Hex) -> String {
    let mut hasher = FieldHasher::new("deckproof.review.id");
    hasher
        .field(packet.as_str().as_bytes())
        .field(response.as_str().as_bytes());
    hasher.finish().as_str().chars().take(32).collect()
}
