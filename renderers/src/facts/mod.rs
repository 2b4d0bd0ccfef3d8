// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a deck shows, as a check can ask it: text, images and elements of every slide.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A box in English Metric Units from the slide's top left corner. One CSS pixel is 9525 EMU.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rect {
    /// Distance from the left edge.
    pub x: i64,
    /// Distance from the top edge.
    pub y: i64,
    /// Width, not negative.
    pub width: i64,
    /// Height, not negative.
    pub height: i64,
}

/// All facts of one deck.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckFacts {
    /// The slides in deck order, hidden ones included.
    pub slides: Vec<SlideFacts>,
    /// Facts of the whole document, by name, in a fixed order.
    pub document: BTreeMap<String, Vec<String>>,
}

/// The facts of one slide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlideFacts {
    /// Place in the deck, from 1.
    pub index: u32,
    /// Whether a presentation leaves it out.
    pub hidden: bool,
    /// Text blocks in reading order.
    pub texts: Vec<TextFact>,
    /// Pictures in drawing order.
    pub images: Vec<ImageFact>,
    /// Structure, style and geometry, for fidelity checks.
    pub elements: Vec<ElementFact>,
    /// Speaker notes, when the format has them.
    pub notes: Option<String>,
}

/// One block of text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextFact {
    /// The exact characters as shown.
    pub text: String,
    /// Where it is.
    pub rect: Rect,
    /// Whether a viewer can see it.
    pub visible: bool,
}

/// One picture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageFact {
    /// SHA-256 of the source file's bytes, when there is a source file.
    pub sha256: Option<String>,
    /// Where it came from, inside the artifact.
    pub source: String,
    /// Where it is.
    pub rect: Rect,
    /// Whether a viewer can see it.
    pub visible: bool,
}

/// One element of the structure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementFact {
    /// Its path from the slide, unique in the slide.
    pub key: String,
    /// What it is: a tag or a shape kind.
    pub kind: String,
    /// Its name: classes, or a shape's name.
    pub name: String,
    /// Its own text.
    pub text: String,
    /// A fixed list of style properties.
    pub style: BTreeMap<String, String>,
    /// Where it is.
    pub rect: Rect,
}
