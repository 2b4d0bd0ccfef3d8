// SPDX-License-Identifier: MIT OR Apache-2.0
//! PPTX decks through the machine's real LibreOffice.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use std::time::Duration;

use common::pptx::{Package, package};
use deckproof_renderers::libreoffice::{LibreOffice, LibreOfficeOptions};
use deckproof_renderers::png::{decode_strict, is_blank};
use deckproof_renderers::{Deck, Format, RenderError, RenderOptions, Renderer};

fn renderer() -> LibreOffice {
    LibreOffice::new(LibreOfficeOptions::default()).unwrap()
}

fn deck(folder: &tempfile::TempDir, bytes: &[u8]) -> Deck {
    fs_err::write(folder.path().join("deck.pptx"), bytes).unwrap();
    Deck::new(folder.path(), "deck.pptx", Format::Pptx)
}

#[test]
fn shown_slides_are_drawn_letterboxed_and_hidden_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = package(&Package {
        hidden: &[2],
        slides: 3,
        width: 9_144_000,
        height: 6_858_000,
    });
    let mut renderer = renderer();
    let rendering = renderer
        .render(&deck(&folder, &bytes), &RenderOptions::default())
        .unwrap();
    assert_eq!((rendering.slide_count, rendering.slides.len()), (2, 2));
    let images: Vec<_> = rendering
        .slides
        .iter()
        .map(|slide| decode_strict(&slide.png).unwrap())
        .collect();
    for image in &images {
        // 4:3 is 960 of 1280 pixels wide; the rest is black. The slide is red with a white box.
        assert_eq!(image.pixel(100, 360), Some([0, 0, 0]));
        assert_eq!(image.pixel(200, 20), Some([255, 0, 0]));
        assert_eq!(image.pixel(1279, 719), Some([0, 0, 0]));
        assert!(!is_blank(image));
    }
    assert_ne!(images[0], images[1]);
}

#[test]
fn a_selection_keeps_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = package(&Package {
        hidden: &[],
        slides: 3,
        width: 12_192_000,
        height: 6_858_000,
    });
    let deck = deck(&folder, &bytes);
    let mut renderer = renderer();
    let options = RenderOptions {
        slides: Some("2-3".parse().unwrap()),
        ..Default::default()
    };
    let rendering = renderer.render(&deck, &options).unwrap();
    let numbers: Vec<u32> = rendering.slides.iter().map(|slide| slide.index).collect();
    assert_eq!(
        (numbers.as_slice(), rendering.slide_count),
        ([2, 3].as_slice(), 3)
    );
    let options = RenderOptions {
        slides: Some("9".parse().unwrap()),
        ..Default::default()
    };
    let error = renderer.render(&deck, &options).unwrap_err();
    assert!(
        matches!(error, RenderError::NoSuchSlide { count: 3, .. }),
        "{error}"
    );
}

#[test]
fn what_is_no_presentation_is_the_decks_fault() {
    let folder = tempfile::tempdir().unwrap();
    let mut renderer = renderer();
    let whole = package(&Package {
        hidden: &[],
        slides: 1,
        width: 12_192_000,
        height: 6_858_000,
    });
    for bytes in [
        b"".as_slice(),
        b"<html>no deck</html>",
        b"PK\x03\x04 and no more",
        &whole[..whole.len() / 2],
    ] {
        let error = renderer
            .render(&deck(&folder, bytes), &RenderOptions::default())
            .unwrap_err();
        assert!(!error.is_infrastructure(), "{error}");
        assert!(error.to_string().contains("deck.pptx"), "{error}");
    }
    let missing = Deck::new(folder.path(), "none.pptx", Format::Pptx);
    let error = renderer
        .render(&missing, &RenderOptions::default())
        .unwrap_err();
    assert!(matches!(error, RenderError::EntryMissing { .. }));
}

#[test]
fn a_deck_that_takes_too_long_is_ended_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = package(&Package {
        hidden: &[],
        slides: 1,
        width: 12_192_000,
        height: 6_858_000,
    });
    let mut renderer = LibreOffice::new(LibreOfficeOptions {
        limit: Duration::from_millis(30),
    })
    .unwrap();
    let error = renderer
        .render(&deck(&folder, &bytes), &RenderOptions::default())
        .unwrap_err();
    assert!(matches!(error, RenderError::DeckTimeout { .. }), "{error}");
}
