// SPDX-License-Identifier: MIT OR Apache-2.0
//! The second opinion: a deck that one engine drew, drawn by the other, and how far the pictures differ slide by slide.
//!
//! Engines count differently: a native picture has its slide's place with hidden slides counted, LibreOffice exports the
//! visible ones alone. The package says which are visible, and pictures are paired by that.

use std::path::Path;

use deckproof_package::{Limits, Package};
use serde::Serialize;

use super::renderers::{BatchOptions, Engine, Renderers};
use super::write_pictures;
use crate::compare::{Block, compare};
use crate::png::decode_strict;
use crate::{Deck, Picture, RenderError, RenderOptions, RendererIdentity, Rendering};

/// Draws decks with the engine that did not draw them first.
#[derive(Debug)]
pub struct SecondOpinion {
    first: Engine,
    renderers: Renderers,
}

/// What the second engine made of a deck.
#[derive(Debug, Clone, Serialize)]
pub struct Opinion {
    /// Who drew it.
    pub renderer: RendererIdentity,
    /// The slides that both drew.
    pub slides: Vec<SlideOpinion>,
}

/// How far the two pictures of a slide differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlideOpinion {
    /// The index of the first engine's picture.
    pub index: u32,
    /// The second engine's picture.
    pub path: String,
    /// Its SHA-256.
    pub sha256: String,
    /// Mean structural similarity, see [`compare`].
    pub ssim: f64,
    /// The block that differs most.
    pub worst_block: Block,
}

impl SecondOpinion {
    /// For decks that these options draw. Starts nothing yet.
    #[must_use]
    pub fn new(options: &BatchOptions) -> Self {
        let engine = match options.engine {
            Engine::Native => Engine::LibreOffice,
            Engine::LibreOffice => Engine::Native,
        };
        let renderers = Renderers::new(BatchOptions {
            engine,
            // Selections count as the engine counts, so all slides are drawn and paired afterwards.
            render: RenderOptions::default(),
            ..options.clone()
        });
        Self {
            first: options.engine,
            renderers,
        }
    }

    /// Draws a deck again, writes the pictures to a folder, and compares them with those of the first engine.
    ///
    /// # Errors
    /// When the second engine does not draw the deck or a slide of it, or a file cannot be written.
    pub fn of(
        &mut self,
        deck: &Deck,
        first: &Rendering,
        folder: &Path,
    ) -> Result<Opinion, RenderError> {
        let path = deck.entry_path();
        let visible = visible(&path)?;
        let second = self.renderers.render(deck)?;
        let kept = self.paired(&path, &visible, first, second)?;
        let paths = write_pictures(folder, &kept)?;
        let pairs = first.slides.iter().zip(&kept.slides).zip(&paths);
        let slides = pairs
            .map(|((one, two), file)| slide(&path, one, two, file))
            .collect::<Result<_, _>>()?;
        Ok(Opinion {
            renderer: kept.identity,
            slides,
        })
    }

    /// The second engine's pictures of the first one's slides, under the first one's numbers.
    fn paired(
        &self,
        path: &Path,
        visible: &[u32],
        first: &Rendering,
        second: Rendering,
    ) -> Result<Rendering, RenderError> {
        let other = match self.first {
            Engine::Native => Engine::LibreOffice,
            Engine::LibreOffice => Engine::Native,
        };
        let mut slides = Vec::new();
        for one in &first.slides {
            let wanted = rank(self.first, visible, one.index);
            let found = second
                .slides
                .iter()
                .find(|two| wanted.is_some() && rank(other, visible, two.index) == wanted);
            let found = found.filter(|_| second.slides.len() == visible.len());
            let Some(two) = found else {
                return Err(RenderError::BadOutput {
                    path: path.to_owned(),
                    reason: format!(
                        "{} drew {} pictures of {} visible slides, so none can be paired with slide {}",
                        second.identity.name,
                        second.slides.len(),
                        visible.len(),
                        one.index
                    ),
                });
            };
            slides.push(Picture {
                index: one.index,
                ..two.clone()
            });
        }
        Ok(Rendering { slides, ..second })
    }
}

/// The place of a picture among the visible slides, from 0.
fn rank(engine: Engine, visible: &[u32], index: u32) -> Option<usize> {
    match engine {
        Engine::Native => visible.iter().position(|number| *number == index),
        Engine::LibreOffice => usize::try_from(index).ok()?.checked_sub(1),
    }
}

/// The places of the visible slides, from 1.
fn visible(path: &Path) -> Result<Vec<u32>, RenderError> {
    let bytes = fs_err::read(path).map_err(|source| RenderError::io("read the deck", source))?;
    let package =
        Package::open(bytes, &Limits::default()).map_err(|error| RenderError::BadOutput {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
    let slides = (1..).zip(&package.presentation().slides);
    Ok(slides.filter(|(_, s)| !s.hidden).map(|(n, _)| n).collect())
}

fn slide(
    deck: &Path,
    one: &Picture,
    two: &Picture,
    file: &Path,
) -> Result<SlideOpinion, RenderError> {
    let bad = |reason: String| RenderError::BadOutput {
        path: deck.to_owned(),
        reason: format!("slide {}: {reason}", one.index),
    };
    let pixels = |p: &Picture| decode_strict(&p.png).map_err(|error| bad(error.to_string()));
    let found = compare(&pixels(one)?, &pixels(two)?).map_err(|error| bad(error.to_string()))?;
    Ok(SlideOpinion {
        index: one.index,
        path: file.display().to_string(),
        sha256: two.sha256.clone(),
        ssim: found.ssim,
        worst_block: found.worst_block,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_paired_by_their_place_among_visible_slides() {
        let visible = [1, 3, 4];
        assert_eq!(rank(Engine::Native, &visible, 3), Some(1));
        assert_eq!(rank(Engine::LibreOffice, &visible, 2), Some(1));
        assert_eq!(rank(Engine::Native, &visible, 2), None);
        assert_eq!(rank(Engine::LibreOffice, &visible, 0), None);
    }
}
