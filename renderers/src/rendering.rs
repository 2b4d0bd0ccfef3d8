// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a renderer gives back, and the trait that all renderers share.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::facts::DeckFacts;
use crate::png::{self, PngError, RgbImage};
use crate::{Deck, RenderError, RendererIdentity, SlideSelection};

/// One finished picture, decoded again before it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Place in the deck, from 1. With steps, the place in the sequence of steps.
    pub index: u32,
    /// With steps, which one of which slide it shows.
    pub step: Option<Step>,
    /// The canonical PNG file.
    pub png: Vec<u8>,
    /// SHA-256 of `png`.
    pub sha256: String,
    /// Always [`crate::CANVAS_WIDTH`].
    pub width: u32,
    /// Always [`crate::CANVAS_HEIGHT`].
    pub height: u32,
    /// Whether nothing can be seen on it, see [`png::is_blank`].
    pub blank: bool,
}

/// One step of a slide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The slide's place in the deck, from 1.
    pub slide: u32,
    /// The step, from 1.
    pub number: u32,
}

impl Picture {
    /// Encodes pixels with the one encoder, and decodes the result again to the same pixels.
    ///
    /// # Errors
    /// When the image is not exactly the canvas.
    pub fn from_image(index: u32, image: &RgbImage) -> Result<Self, PngError> {
        let bytes = png::encode(image)?;
        png::decodes_to(&bytes, image)?;
        let sha256 = crate::sha256_hex(&bytes);
        let (width, height) = (image.width(), image.height());
        Ok(Self {
            index,
            step: None,
            png: bytes,
            sha256,
            width,
            height,
            blank: png::is_blank(image),
        })
    }
}

/// Something worth knowing about a rendering that did not stop it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    /// The slide it belongs to, from 1; `None` for the whole deck.
    pub slide: Option<u32>,
    /// A short, stable name, such as `blocked-request`.
    pub code: String,
    /// What was found.
    pub message: String,
}

impl Diagnostic {
    /// A remark about the whole deck.
    #[must_use]
    pub fn deck(code: &str, message: impl Into<String>) -> Self {
        Self {
            slide: None,
            code: code.to_owned(),
            message: message.into(),
        }
    }

    /// A remark about one slide, counted from 1.
    #[must_use]
    pub fn slide(slide: u32, code: &str, message: impl Into<String>) -> Self {
        Self {
            slide: Some(slide),
            code: code.to_owned(),
            message: message.into(),
        }
    }
}

/// What is asked of a renderer beyond the pictures of all slides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Only these slides; `None` for all. Pictures keep their place in the deck as index.
    pub slides: Option<SlideSelection>,
    /// Also gather [`Rendering::facts`].
    pub facts: bool,
    /// One picture per step (fragment) in place of one per slide, where the renderer knows steps.
    pub steps: bool,
    /// Render a second time from the start, and name the slides whose bytes differ in diagnostics
    /// with the code `not-deterministic`.
    pub twice: bool,
    /// HTML: render for another kind of viewer as well, and name the slides that differ in
    /// diagnostics with the code `differs-by-viewer`.
    pub viewers: bool,
}

impl RenderOptions {
    /// Refuses a selection that names a slide beyond the last of `count`.
    ///
    /// # Errors
    /// [`RenderError::NoSuchSlide`].
    pub(crate) fn within(&self, path: &Path, count: u32) -> Result<(), RenderError> {
        match &self.slides {
            Some(selection) if selection.is_beyond(count) => Err(RenderError::NoSuchSlide {
                path: path.to_owned(),
                wanted: selection.to_string(),
                count,
            }),
            _ => Ok(()),
        }
    }
}

/// What a rendering was compared with before it was handed over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compared {
    /// A second rendering of the same kind.
    pub twice: bool,
    /// A rendering for another kind of viewer.
    pub viewers: bool,
}

/// Everything learnt from one deck.
#[derive(Debug, Clone)]
pub struct Rendering {
    /// Who drew it.
    pub identity: RendererIdentity,
    /// The pictures in deck order.
    pub slides: Vec<Picture>,
    /// How many slides the deck has, also when only some were asked for.
    pub slide_count: u32,
    /// Remarks, deck first, then by slide.
    pub diagnostics: Vec<Diagnostic>,
    /// What it was compared with. Only then does the absence of a remark say anything.
    pub compared: Compared,
    /// Which rule found the slides and why, one sentence a line, for `--explain`.
    pub explanation: Vec<String>,
    /// What the rendered deck says about itself, when asked for.
    pub facts: Option<DeckFacts>,
    /// Wall time. Never part of evidence that is compared.
    pub milliseconds: u64,
}

impl Rendering {
    /// The hash of the render set, see [`png::render_set_sha256`].
    #[must_use]
    pub fn set_sha256(&self) -> String {
        let hashes: Vec<&str> = self
            .slides
            .iter()
            .map(|slide| slide.sha256.as_str())
            .collect();
        png::render_set_sha256(&hashes)
    }
}

/// Names pictures that show nothing, and pictures that are the same as an earlier one.
pub(crate) fn oddities(slides: &[Picture]) -> Vec<Diagnostic> {
    let mut first: BTreeMap<&str, u32> = BTreeMap::new();
    let mut found = Vec::new();
    for slide in slides {
        if slide.blank {
            found.push(Diagnostic::slide(
                slide.index,
                "blank",
                "nothing can be seen on it, or next to nothing (a lone number or a speck)",
            ));
        }
        let same = *first.entry(&slide.sha256).or_insert(slide.index);
        if same != slide.index {
            let message = format!("the same picture as slide {same}");
            found.push(Diagnostic::slide(slide.index, "duplicate-picture", message));
        }
    }
    found
}

/// The code of a picture that comes out otherwise each time.
pub const NOT_DETERMINISTIC: &str = "not-deterministic";
/// The code of a picture that is another one when a program looks.
pub const DIFFERS_BY_VIEWER: &str = "differs-by-viewer";
/// The code of a white picture that stands for a slide which could not be drawn.
pub const NOT_DRAWN: &str = "slide-failed";

/// Names the pictures of two renderings of one deck that are not the same bytes.
pub(crate) fn differences(first: &[Picture], second: &[Picture]) -> Vec<Diagnostic> {
    let code = NOT_DETERMINISTIC;
    let mut found: Vec<Diagnostic> = first
        .iter()
        .zip(second)
        .filter(|(one, two)| one.sha256 != two.sha256 || one.index != two.index)
        .map(|(one, two)| {
            let message = format!("drawn twice: {} and {}", one.sha256, two.sha256);
            Diagnostic::slide(one.index, code, message)
        })
        .collect();
    if first.len() != second.len() {
        let message = format!("drawn twice: {} and {} pictures", first.len(), second.len());
        found.push(Diagnostic::deck(code, message));
    }
    found
}

/// Turns decks of one format into pictures.
pub trait Renderer {
    /// Who this renderer is. Fixed from its making on.
    fn identity(&self) -> &RendererIdentity;

    /// Draws a deck.
    ///
    /// # Errors
    /// [`RenderError::is_infrastructure`] tells a bad deck from a broken machine.
    fn render(&mut self, deck: &Deck, options: &RenderOptions) -> Result<Rendering, RenderError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(index: u32, colour: u8) -> Picture {
        let side = RgbImage::filled(1280, 720, [colour; 3]);
        Picture::from_image(index, &side).unwrap()
    }

    fn codes(found: &[Diagnostic]) -> Vec<(Option<u32>, &str)> {
        found
            .iter()
            .map(|remark| (remark.slide, remark.code.as_str()))
            .collect()
    }

    #[test]
    fn blank_and_repeated_pictures_are_named() {
        let found = oddities(&[picture(1, 0), picture(2, 9), picture(3, 0)]);
        let expected = [
            (Some(1), "blank"),
            (Some(2), "blank"),
            (Some(3), "blank"),
            (Some(3), "duplicate-picture"),
        ];
        assert_eq!(codes(&found), expected);
        assert!(found[3].message.ends_with("slide 1"));
    }

    #[test]
    fn two_renderings_are_compared_picture_by_picture() {
        let one = [picture(1, 0), picture(2, 1)];
        assert!(differences(&one, &one).is_empty());
        let found = differences(&one, &[picture(1, 0), picture(2, 2)]);
        assert_eq!(codes(&found), [(Some(2), "not-deterministic")]);
        let found = differences(&one, &one[..1]);
        assert_eq!(codes(&found), [(None, "not-deterministic")]);
    }
}
