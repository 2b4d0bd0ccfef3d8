// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which label is which, and the commitment that makes it unchangeable before anybody reviews.
//!
//! A mapping lives in `private/` and nowhere else. Its commitment, a hash over the mapping and a
//! secret nonce, stands in the packet and in the plan. Whoever swaps the labels afterwards needs
//! another nonce with the same hash; whoever sees the commitment learns nothing.

use rand::seq::SliceRandom;
use rand::{Rng, TryRng};
use serde::{Deserialize, Serialize};

use crate::hash::{FieldHasher, Sha256Hex, hex};

/// One of the two labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Label {
    /// The left one.
    A,
    /// The right one.
    B,
}

impl Label {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The other label.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// `"A"` or `"B"`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What one side of a comparison shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Hash of the artifact's tree.
    pub artifact_sha256: Sha256Hex,
    /// Hash of the render set.
    pub render_set_sha256: Sha256Hex,
}

/// The private table of one packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// `deckproof.mapping.v1`.
    pub schema: MappingSchema,
    /// The packet's id.
    pub packet: PacketId,
    /// What the packet is for.
    #[serde(default, skip_serializing_if = "Purpose::is_comparison")]
    pub purpose: Purpose,
    /// The trial whose deck is the candidate; for an anchor, the trial whose baseline it shows.
    pub trial: String,
    /// The candidate's label; the baseline has the other.
    pub candidate: Label,
    /// What the candidate's label shows.
    pub candidate_side: Side,
    /// What the baseline's label shows.
    pub baseline_side: Side,
    /// 256 secret bits, in hexadecimal.
    pub nonce: Sha256Hex,
}

/// What a packet is for. A reviewer cannot tell, and whoever made the mapping cannot change it: it
/// is part of the commitment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Candidate against baseline. Its review counts.
    #[default]
    Comparison,
    /// The same pair for the same seat with the labels turned round. Its review counts too.
    OtherOrder,
    /// The same pair for the same seat once more, to see whether the reviewer agrees with themselves.
    Repeat,
    /// An anchor: the baseline twice. Whoever prefers one of the two sees what is not there.
    Identical,
    /// An anchor: the baseline against a spoilt copy of it, which stands in the candidate's place.
    Broken,
}

impl Purpose {
    /// Whether the packet compares a candidate for the first time.
    #[must_use]
    pub fn is_comparison(&self) -> bool {
        *self == Self::Comparison
    }

    /// Whether reviews of the packet count in the gates.
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self, Self::Comparison | Self::OtherOrder)
    }

    /// The word that stands in mappings.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comparison => "comparison",
            Self::OtherOrder => "other_order",
            Self::Repeat => "repeat",
            Self::Identical => "identical",
            Self::Broken => "broken",
        }
    }
}

/// The only schema of a mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MappingSchema {
    /// Version 1.
    #[serde(rename = "deckproof.mapping.v1")]
    V1,
}

impl Mapping {
    /// The commitment: a hash over the packet id, both labels with what they show (candidate
    /// first), and the nonce. A packet that is no plain comparison commits to its purpose as well,
    /// under another heading, so that neither can pass for the other.
    #[must_use]
    pub fn commitment(&self) -> Sha256Hex {
        let mut hasher = FieldHasher::new(match self.purpose {
            Purpose::Comparison => "deckproof.commitment.v1",
            _ => "deckproof.commitment.v1.purpose",
        });
        if !self.purpose.is_comparison() {
            hasher.field(self.purpose.as_str().as_bytes());
        }
        hasher.field(self.packet.as_str().as_bytes());
        let sides = [
            (self.candidate, &self.candidate_side),
            (self.candidate.other(), &self.baseline_side),
        ];
        for (label, side) in sides {
            hasher.field(label.as_str().as_bytes());
            hasher.field(side.artifact_sha256.as_str().as_bytes());
            hasher.field(side.render_set_sha256.as_str().as_bytes());
        }
        hasher.field(self.nonce.as_str().as_bytes());
        hasher.finish()
    }

    /// What `label` shows.
    #[must_use]
    pub fn side(&self, label: Label) -> &Side {
        if label == self.candidate {
            &self.candidate_side
        } else {
            &self.baseline_side
        }
    }
}

/// A packet's id: 128 random bits as 32 hexadecimal digits. Random, since an id that counts or
/// carries a time tells the order of things.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct PacketId(String);

impl PacketId {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for PacketId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is no packet id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found `{0}`, expected a packet id of 32 lower-case hexadecimal digits")]
pub struct NotAPacketId(String);

impl std::str::FromStr for PacketId {
    type Err = NotAPacketId;

    fn from_str(text: &str) -> Result<Self, NotAPacketId> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 32 && text.bytes().all(digit) {
            return Ok(Self(text.to_owned()));
        }
        Err(NotAPacketId(text.chars().take(80).collect()))
    }
}

impl<'de> Deserialize<'de> for PacketId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The operating system's random source did not answer.
#[derive(Debug, thiserror::Error)]
#[error("the operating system's random source failed: {0}")]
pub struct NoRandomness(String);

/// A new packet id from the operating system.
///
/// # Errors
/// [`NoRandomness`].
pub fn draw_id() -> Result<PacketId, NoRandomness> {
    Ok(PacketId(hex(&random_bytes::<16>()?)))
}

/// A new nonce from the operating system.
///
/// # Errors
/// [`NoRandomness`].
pub fn draw_nonce() -> Result<Sha256Hex, NoRandomness> {
    Ok(Sha256Hex::from_digest(&random_bytes::<32>()?))
}

fn random_bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    rand::rngs::SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|error| NoRandomness(error.to_string()))?;
    Ok(bytes)
}

/// Labels for the candidates of `count` packets: as many A as B, one more of either when `count`
/// is odd, in an order that `rng` shuffles.
pub fn balanced_labels(count: usize, rng: &mut impl Rng) -> Vec<Label> {
    let mut labels: Vec<_> = (0..count / 2).flat_map(|_| Label::BOTH).collect();
    if count % 2 == 1 {
        labels.push(if rng.next_u32() & 1 == 0 {
            Label::A
        } else {
            Label::B
        });
    }
    labels.shuffle(rng);
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping() -> Mapping {
        let side = |text: &str| Side {
            artifact_sha256: Sha256Hex::of(text.as_bytes()),
            render_set_sha256: Sha256Hex::of(format!("{text} pictures").as_bytes()),
        };
        Mapping {
            schema: MappingSchema::V1,
            packet: "0123456789abcdef0123456789abcdef".parse().unwrap(),
            purpose: Purpose::Comparison,
            trial: "one".to_owned(),
            candidate: Label::A,
            candidate_side: side("new"),
            baseline_side: side("old"),
            nonce: Sha256Hex::of(b"nonce"),
        }
    }

    #[test]
    fn the_commitment_binds_labels_sides_packet_and_nonce() {
        let original = mapping();
        let mut relabelled = mapping();
        relabelled.candidate = Label::B;
        let mut swapped = mapping();
        std::mem::swap(&mut swapped.candidate_side, &mut swapped.baseline_side);
        let mut renonced = mapping();
        renonced.nonce = Sha256Hex::of(b"other");
        let mut moved = mapping();
        moved.packet = "f".repeat(32).parse().unwrap();
        let mut hidden = mapping();
        hidden.purpose = Purpose::Repeat;
        let mut shown = hidden.clone();
        shown.purpose = Purpose::Broken;
        assert_ne!(hidden.commitment(), shown.commitment());
        for other in [relabelled, swapped, renonced, moved, hidden] {
            assert_ne!(other.commitment(), original.commitment());
        }
        assert_eq!(mapping().commitment(), original.commitment());
    }

    #[test]
    fn labels_are_balanced_for_every_count() {
        let mut rng = rand::rng();
        for count in 0..40 {
            let labels = balanced_labels(count, &mut rng);
            let a = labels.iter().filter(|label| **label == Label::A).count();
            assert_eq!(labels.len(), count);
            assert!(a == count / 2 || a == count.div_ceil(2), "{a} of {count}");
        }
    }

    #[test]
    fn draws_differ() {
        assert_ne!(draw_id().unwrap(), draw_id().unwrap());
        assert_ne!(draw_nonce().unwrap(), draw_nonce().unwrap());
    }
}
