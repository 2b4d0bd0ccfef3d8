// SPDX-License-Identifier: MIT OR Apache-2.0
//! The spec of a case: what a deck must hold, in a form that checks can ask and agents can read.
//!
//! The same file goes to every arm, but each arm gets only its own target and its own baseline
//! (see [`Spec::for_format`]): an agent that makes HTML must not learn where the PPTX lies.

use std::collections::BTreeMap;

use deckproof_packets::relpath::RelPath;
use serde::{Deserialize, Serialize};

use super::model::Format;

/// A whole spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Always `deckproof.spec.v1`.
    pub schema: SpecSchema,
    /// The deck's title, for people.
    pub title: String,
    /// What the agent should know beside the slides. Reviewers see it too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guidance: Option<String>,
    /// The slides, in order.
    pub slides: Vec<SpecSlide>,
    /// Where each format's deck goes, below the work folder's `output/`.
    pub target_outputs: BTreeMap<Format, Target>,
    /// Revisions: where each format's baseline lies in the task tree. Written by `prepare`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub baselines: BTreeMap<Format, Target>,
    /// Revisions: what is to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
}

/// The only schema of a spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpecSchema {
    /// Version 1.
    #[serde(rename = "deckproof.spec.v1")]
    V1,
}

/// What one slide must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecSlide {
    /// A name for messages.
    pub id: String,
    /// The texts that must stand on it, to the character, in reading order.
    #[serde(default)]
    pub copy: Vec<CopyField>,
    /// File names of the assets that it must show.
    #[serde(default)]
    pub assets: Vec<String>,
}

/// One required text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyField {
    /// What it is: `title`, `kpi-1-value`, …
    pub field: String,
    /// The text, to the character.
    pub text: String,
}

/// Where a deck lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The entry file.
    pub entry: RelPath,
}

/// The declared changes of a revision. Everything else must stay as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    /// For each new slide, in order, the baseline slide that it comes from (from 1); 0 for a new
    /// one. Empty when the order stays.
    #[serde(default)]
    pub order: Vec<u32>,
    /// Texts that change.
    #[serde(default)]
    pub replace: Vec<Replacement>,
    /// Texts that are new.
    #[serde(default)]
    pub added: Vec<SlideText>,
    /// Texts that go.
    #[serde(default)]
    pub removed: Vec<SlideText>,
    /// Style properties that change.
    #[serde(default)]
    pub style: Vec<StyleChange>,
    /// Boxes that change.
    #[serde(default)]
    pub geometry: Vec<GeometryChange>,
    /// How far, in canvas pixels, other boxes may move because texts got longer or shorter. When
    /// absent: one pixel for HTML, where browsers round, and none for PPTX.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reflow_px: Option<i64>,
}

/// A text that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// The new deck's slide, from 1.
    pub slide: u32,
    /// The whole text of the block before.
    pub from: String,
    /// The whole text of the block after.
    pub to: String,
}

/// A text on a slide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlideText {
    /// The new deck's slide, from 1; for a removed text too.
    pub slide: u32,
    /// The whole text of the block.
    pub text: String,
}

/// A style property that changes on the element with a text or a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StyleChange {
    /// The new deck's slide, from 1.
    pub slide: u32,
    /// The element's name (PPTX shape name, HTML classes) or its text after the revision.
    pub element: String,
    /// The property, as facts name it.
    pub property: String,
    /// The value that it must have.
    pub to: String,
}

/// A box that changes, in canvas pixels; what is absent stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeometryChange {
    /// The new deck's slide, from 1.
    pub slide: u32,
    /// The element's name (PPTX shape name, HTML classes) or its text after the revision.
    pub element: String,
    /// Left edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<i64>,
    /// Top edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<i64>,
    /// Width.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<i64>,
    /// Height.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    /// How far each may be off; 0 when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance_px: Option<i64>,
}

impl Spec {
    /// This spec for one arm: its own target, and its own baseline at `baseline`, alone.
    #[must_use]
    pub fn for_format(&self, format: Format, baseline: Option<RelPath>) -> Self {
        let mut spec = self.clone();
        spec.target_outputs.retain(|other, _| *other == format);
        spec.baselines = baseline
            .map(|entry| (format, Target { entry }))
            .into_iter()
            .collect();
        spec
    }

    /// What a reviewer may know: title, guidance, slides and declared changes. Nothing of targets
    /// and baselines.
    #[must_use]
    pub fn requirements(&self) -> Requirements<'_> {
        Requirements {
            title: &self.title,
            guidance: self.guidance.as_deref(),
            slides: &self.slides,
            revision: self.revision.as_ref(),
        }
    }
}

/// The neutral requirements that a packet carries. A list of what goes in, so that a key that the
/// spec grows later stays out until somebody decides otherwise.
#[derive(Debug, Clone, Serialize)]
pub struct Requirements<'a> {
    title: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    guidance: Option<&'a str>,
    slides: &'a [SpecSlide],
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<&'a Revision>,
}
