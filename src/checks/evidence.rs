// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that a check may ask about one trial. Whatever is missing says why, so that a check that
//! cannot be told apart from one that fails is still a failure with a reason.

use std::collections::BTreeMap;

use deckproof_packets::hash::Sha256Hex;
use deckproof_renderers::facts::DeckFacts;

use crate::experiment::records::{Artifact, Usage};
use crate::suite::spec::Spec;
use crate::suite::{Format, Id};

/// The evidence of one trial.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The arm.
    pub arm: &'a Id,
    /// The format of the deck.
    pub format: Format,
    /// The case's spec, as sealed.
    pub spec: &'a Spec,
    /// The hash of every asset of the case, by file name.
    pub assets: &'a BTreeMap<String, Sha256Hex>,
    /// The deck.
    pub artifact: &'a Artifact,
    /// PPTX: what is unsound about the package, in words; or why that cannot be told.
    pub package: Result<&'a [String], &'a str>,
    /// The pictures, or why there are none.
    pub pictures: Result<&'a [PictureFacts], &'a str>,
    /// What the deck shows, or why that cannot be told.
    pub facts: Result<&'a DeckFacts, &'a str>,
    /// Revisions: what the deck showed before, or why that cannot be told.
    pub before: Option<Result<&'a DeckFacts, &'a str>>,
    /// What the trial used.
    pub usage: &'a Usage,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
}

/// What checks ask of one picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureFacts {
    /// Width in pixels, as decoded.
    pub width: u32,
    /// Height in pixels, as decoded.
    pub height: u32,
    /// Whether nothing can be seen on it.
    pub blank: bool,
    /// Whether it is the slide, and not white for one that the renderer could not draw.
    pub drawn: bool,
    /// The number of an earlier picture of the same bytes.
    pub same_as: Option<u32>,
    /// Whether it came out as the same bytes when the deck was drawn again; `None` when it was not.
    pub steady: Option<bool>,
    /// Whether another kind of viewer is shown the same; `None` when that was not tried.
    pub same_for_viewers: Option<bool>,
}
