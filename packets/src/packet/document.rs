// SPDX-License-Identifier: MIT OR Apache-2.0
//! `packet.json`: what a packet says of itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::hash::Sha256Hex;
use crate::mapping::{Label, PacketId};
use crate::relpath::RelPath;

/// The whole of `packet.json`, in the order of its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PacketDocument {
    /// `deckproof.packet.v1`.
    pub schema: PacketSchema,
    /// The packet's id.
    pub packet: PacketId,
    /// The commitment to the mapping.
    pub commitment: Sha256Hex,
    /// What kind of job the decks did, in words for the reviewer.
    pub mode: String,
    /// The size of every picture.
    pub canvas: Canvas,
    /// How many slides each label has.
    pub slides: ByLabel<usize>,
    /// What is asked of the reviewer.
    pub form: Form,
    /// The source assets.
    pub assets: Vec<AssetName>,
    /// The files that carry this file's hash; their own hashes are over their bytes with 64 zeros
    /// in the place of it. Always `page.html` and `response.json`.
    pub stamped: Vec<RelPath>,
    /// Every file of the packet but this one, sorted by path.
    pub files: Vec<FileEntry>,
}

/// The only schema of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PacketSchema {
    /// Version 1.
    #[serde(rename = "deckproof.packet.v1")]
    V1,
}

/// A size in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Canvas {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// One thing for each label.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByLabel<T> {
    /// The left one's.
    #[serde(rename = "A")]
    pub a: T,
    /// The right one's.
    #[serde(rename = "B")]
    pub b: T,
}

impl<T> ByLabel<T> {
    /// That of `label`.
    pub fn get(&self, label: Label) -> &T {
        match label {
            Label::A => &self.a,
            Label::B => &self.b,
        }
    }

    /// That of `label`, to change it.
    pub fn get_mut(&mut self, label: Label) -> &mut T {
        match label {
            Label::A => &mut self.a,
            Label::B => &mut self.b,
        }
    }
}

/// A source asset and what the requirements call it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetName {
    /// Where it lies, below the packet.
    pub path: RelPath,
    /// Its name in the requirements; empty when it has none.
    pub name: String,
}

/// One file of a packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Where, below the packet.
    pub path: RelPath,
    /// Its size.
    pub bytes: u64,
    /// Its hash.
    pub sha256: Sha256Hex,
}

/// What is asked of a reviewer: the scale, and what is judged on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The lowest score.
    pub score_min: i32,
    /// The highest score.
    pub score_max: i32,
    /// Letters and digits that a rationale has at least.
    pub min_rationale_chars: usize,
    /// What is judged, each once for each label.
    pub dimensions: Vec<Dimension>,
}

/// One thing that is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// Its name in responses.
    pub name: String,
    /// The question that the reviewer answers.
    pub question: Option<String>,
    /// What a score means in words, by score.
    pub anchors: BTreeMap<String, String>,
}

impl Form {
    /// What is wrong with the form, as (found, expected).
    pub(super) fn fault(&self) -> Option<(String, &'static str)> {
        if self.score_min >= self.score_max {
            let found = format!("a scale from {} to {}", self.score_min, self.score_max);
            return Some((found, "a lowest score below the highest"));
        }
        if self.dimensions.is_empty() {
            return Some(("no dimension".to_owned(), "at least one"));
        }
        let mut names = BTreeSet::new();
        let odd = |name: &str| name.is_empty() || name.chars().any(char::is_control);
        let mut dimensions = self.dimensions.iter();
        let bad = dimensions.find(|each| odd(&each.name) || !names.insert(&each.name))?;
        let found = format!("the dimension `{}`", bad.name.escape_debug());
        Some((found, "names that are not empty and stand once"))
    }
}
