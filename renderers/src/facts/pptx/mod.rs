// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads the facts of a PPTX package: what stands on each slide, where, in which style, and whether it can be seen.
//!
//! Slides come in the order of the presentation part. What a slide shows is its own shapes over the shapes of its
//! layout and master; placeholders take their box, fill and text style from there (ECMA-376-1, 19.3.1.36). Nothing
//! is drawn: visibility is judged from attributes, boxes and colours, and in doubt a thing counts as visible, because
//! `not_blank` and the reviewers look at pictures.

mod canon;
mod chart;
mod color;
mod diagram;
mod element;
mod inherit;
mod parts;
mod picture;
mod place;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod text_style;
mod visible;
mod walk;

use std::collections::BTreeSet;

use deckproof_package::ns::{NodeExt, P};
use deckproof_package::{Package, PackageError, Slide, soundness};
use thiserror::Error;

use self::parts::Shelf;
use super::{DeckFacts, DocumentFacts, PptxFacts, Rect, SlideFacts};
use crate::Format;

/// Elements that one slide may have, those of its layout and master included.
const MAX_ELEMENTS: usize = 20_000;
/// Elements that a deck may have.
const MAX_DECK_ELEMENTS: usize = 200_000;
/// Bytes of text and style that a deck may have.
const MAX_DECK_BYTES: usize = 256 << 20;

/// Why facts could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FactsError {
    /// The package, or a part of it, is unusable.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// More of something than any real deck has.
    #[error("slide {slide}: more than {limit} {what}; expected a deck that people can read")]
    TooMany {
        /// The slide, from 1.
        slide: u32,
        /// What there is too much of.
        what: &'static str,
        /// How much is read.
        limit: usize,
    },
}

/// Reads the facts of an opened package.
///
/// # Errors
/// A part that is needed cannot be read or is no acceptable XML, or a limit is exceeded. Parts that only decorate
/// (themes, charts, diagrams) may be absent; [`PptxFacts::problems`] names them.
pub fn read(package: &Package) -> Result<DeckFacts, FactsError> {
    let presentation = package.presentation();
    let canvas = Rect {
        x: 0,
        y: 0,
        width: presentation.width,
        height: presentation.height,
    };
    let shelf = Shelf::new(package)?;
    let mut slides = Vec::with_capacity(presentation.slides.len());
    let (mut elements, mut bytes) = (0, 0);
    for (slide, index) in presentation.slides.iter().zip(1_u32..) {
        let facts = read_slide(&shelf, slide, index, canvas)?;
        elements += facts.elements.len();
        bytes += weight(&facts);
        if elements > MAX_DECK_ELEMENTS {
            return Err(FactsError::TooMany {
                slide: index,
                what: "elements",
                limit: MAX_DECK_ELEMENTS,
            });
        }
        if bytes > MAX_DECK_BYTES {
            return Err(FactsError::TooMany {
                slide: index,
                what: "bytes of text",
                limit: MAX_DECK_BYTES,
            });
        }
        slides.push(facts);
    }
    Ok(DeckFacts {
        format: Format::Pptx,
        canvas,
        slides,
        document: document(package),
    })
}

/// Bytes that the facts of a slide hold, roughly.
fn weight(facts: &SlideFacts) -> usize {
    let texts: usize = facts.texts.iter().map(|text| text.text.len()).sum();
    let styles = facts
        .elements
        .iter()
        .flat_map(|element| element.style.iter());
    texts * 2
        + styles
            .map(|(name, value)| name.len() + value.len())
            .sum::<usize>()
}

fn read_slide(
    shelf: &Shelf<'_>,
    slide: &Slide,
    index: u32,
    canvas: Rect,
) -> Result<SlideFacts, FactsError> {
    let mut facts = walk::slide(shelf, slide, index, canvas)?;
    facts.index = index;
    facts.hidden = slide.hidden;
    facts.notes = slide
        .notes
        .as_deref()
        .map(|part| notes(shelf.package, part))
        .transpose()?
        .flatten();
    Ok(facts)
}

/// The text of the notes part's body placeholder.
fn notes(package: &Package, part: &str) -> Result<Option<String>, PackageError> {
    let document = package.document(part)?;
    let bodies = document.descendants().filter(|node| {
        node.is(P, "sp") && inherit::placeholder(node).is_some_and(|holder| holder.kind == "body")
    });
    let texts: Vec<String> = bodies
        .filter_map(|body| body.child(P, "txBody"))
        .map(|body| text::plain(&body))
        .collect();
    let notes = texts.join("\n");
    Ok((!notes.trim().is_empty()).then_some(notes))
}

fn document(package: &Package) -> DocumentFacts {
    let (title, language) = core_properties(package).unwrap_or_default();
    let pptx = Some(PptxFacts {
        problems: soundness::problems(package),
    });
    DocumentFacts {
        title,
        language,
        html: None,
        pptx,
    }
}

/// Title and language of the core properties part (ECMA-376-2, 8), which is optional.
fn core_properties(package: &Package) -> Option<(Option<String>, Option<String>)> {
    let relationships = package.relationships("").ok()?;
    let document = package
        .document(relationships.first_part("core-properties")?)
        .ok()?;
    let value = |name: &str| {
        let mut nodes = document.root_element().children();
        let node = nodes.find(|node| node.tag_name().name() == name)?;
        let text = text::characters(&node).trim().to_owned();
        (!text.is_empty()).then_some(text)
    };
    Some((value("title"), value("language")))
}

/// The values without repetitions, in the order in which each occurs first.
fn distinct<T: Ord + Clone>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    values.filter(|value| seen.insert(value.clone())).collect()
}
