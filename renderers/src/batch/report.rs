// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `deckproof render --json` prints: one line a deck.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Opinion;
use crate::{Diagnostic, Picture, RenderError, RendererIdentity, Rendering};

/// The outcome of one deck.
#[derive(Debug, Clone, Serialize)]
pub struct DeckReport {
    /// The deck as it was named.
    pub deck: String,
    /// Who drew it; `None` when it was not drawn.
    pub renderer: Option<RendererIdentity>,
    /// The pictures.
    pub slides: Vec<SlideReport>,
    /// How many slides the deck has.
    pub slide_count: Option<u32>,
    /// The hash of the render set.
    pub set_sha256: Option<String>,
    /// Remarks.
    pub diagnostics: Vec<Diagnostic>,
    /// Which rule found the slides and why.
    pub explanation: Vec<String>,
    /// Wall time.
    pub milliseconds: u64,
    /// How far another engine's pictures differ; `None` when nobody asked.
    pub second_opinion: Option<Opinion>,
    /// Why there are no pictures, or no second opinion though one was asked for.
    pub error: Option<Failure>,
}

/// One picture on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SlideReport {
    /// Place in the deck, from 1; with steps, place in their sequence.
    pub index: u32,
    /// With steps, the slide's place in the deck, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slide: Option<u32>,
    /// With steps, which one of the slide it is, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The file.
    pub path: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Whether nothing can be seen on it.
    pub blank: bool,
}

/// Why a deck was not drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// [`RenderError::code`].
    pub code: &'static str,
    /// The message.
    pub message: String,
    /// Whether the machine is at fault and not the deck.
    pub infrastructure: bool,
}

impl DeckReport {
    /// A report of a drawn deck; `paths` as [`super::write_pictures`] gave them.
    #[must_use]
    pub fn drawn(deck: &Path, rendering: &Rendering, paths: &[PathBuf]) -> Self {
        let slide = |(picture, path): (&Picture, &PathBuf)| SlideReport {
            index: picture.index,
            slide: picture.step.map(|step| step.slide),
            step: picture.step.map(|step| step.number),
            path: path.display().to_string(),
            sha256: picture.sha256.clone(),
            width: picture.width,
            height: picture.height,
            blank: picture.blank,
        };
        Self {
            deck: deck.display().to_string(),
            renderer: Some(rendering.identity.clone()),
            slides: rendering.slides.iter().zip(paths).map(slide).collect(),
            slide_count: Some(rendering.slide_count),
            set_sha256: Some(rendering.set_sha256()),
            diagnostics: rendering.diagnostics.clone(),
            explanation: rendering.explanation.clone(),
            milliseconds: rendering.milliseconds,
            second_opinion: None,
            error: None,
        }
    }

    /// The same with what the second engine made of the deck.
    #[must_use]
    pub fn with_opinion(self, opinion: Result<Opinion, RenderError>) -> Self {
        match opinion {
            Ok(opinion) => Self {
                second_opinion: Some(opinion),
                ..self
            },
            Err(error) => Self {
                error: Some(Failure::of(&error, "second opinion: ")),
                ..self
            },
        }
    }

    /// A report of a deck that was not drawn.
    #[must_use]
    pub fn failed(deck: &Path, error: &RenderError) -> Self {
        Self {
            deck: deck.display().to_string(),
            renderer: None,
            slides: Vec::new(),
            slide_count: None,
            set_sha256: None,
            diagnostics: Vec::new(),
            explanation: Vec::new(),
            milliseconds: 0,
            second_opinion: None,
            error: Some(Failure::of(error, "")),
        }
    }
}

impl Failure {
    fn of(error: &RenderError, before: &str) -> Self {
        Self {
            code: error.code(),
            message: format!("{before}{error}"),
            infrastructure: error.is_infrastructure(),
        }
    }
}
