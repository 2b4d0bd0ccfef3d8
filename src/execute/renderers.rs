// SPDX-License-Identifier: MIT OR Apache-2.0
//! The renderers of a run: started when first needed, shared by candidates and baselines alike.

use deckproof_renderers::html::{BrowserOptions, HtmlRenderer};
use deckproof_renderers::libreoffice::{LibreOffice, LibreOfficeOptions};
use deckproof_renderers::{Deck, RenderError, RenderOptions, Renderer, Rendering};

use crate::suite::Format;

/// What draws PPTX decks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PptxChoice {
    /// LibreOffice.
    #[default]
    LibreOffice,
}

/// The renderers of one process.
#[derive(Debug)]
pub struct Renderers {
    choice: PptxChoice,
    html: Option<HtmlRenderer>,
    pptx: Option<LibreOffice>,
}

impl Renderers {
    /// No renderer is started yet.
    #[must_use]
    pub fn new(choice: PptxChoice) -> Self {
        Self {
            choice,
            html: None,
            pptx: None,
        }
    }

    /// Draws one deck.
    ///
    /// # Errors
    /// [`RenderError`], which tells a bad deck from a broken renderer.
    pub fn render(
        &mut self,
        format: Format,
        deck: &Deck,
        options: &RenderOptions,
    ) -> Result<Rendering, RenderError> {
        match format {
            Format::Html => {
                let renderer = match self.html.take() {
                    Some(renderer) => renderer,
                    None => HtmlRenderer::new(BrowserOptions::default())?,
                };
                self.html.insert(renderer).render(deck, options)
            }
            Format::Pptx => {
                let PptxChoice::LibreOffice = self.choice;
                let renderer = match self.pptx.take() {
                    Some(renderer) => renderer,
                    None => LibreOffice::new(LibreOfficeOptions::default())?,
                };
                self.pptx.insert(renderer).render(deck, options)
            }
        }
    }
}
