// SPDX-License-Identifier: MIT OR Apache-2.0
//! Both engines on the same decks: which pictures are set beside each other, and what their difference is.
#![allow(clippy::unwrap_used, reason = "a test program")]

mod common;

use std::sync::Arc;

use common::pptx::{Package, package};
use deckproof_renderers::batch::{BatchOptions, Engine, Opinion, Renderers, SecondOpinion};
use deckproof_renderers::native::Native;
use deckproof_renderers::{Deck, Format, RenderError, RenderOptions};

fn options(engine: Engine, slides: Option<&str>) -> BatchOptions {
    BatchOptions {
        engine,
        native: Some(Arc::new(|| Ok(Box::new(Native::new()?)))),
        render: RenderOptions {
            slides: slides.map(|s| s.parse().unwrap()),
            ..RenderOptions::default()
        },
        ..BatchOptions::default()
    }
}

/// Three slides, the second hidden, each red with a white box.
fn deck(folder: &tempfile::TempDir) -> Deck {
    let bytes = package(&Package {
        hidden: &[2],
        slides: 3,
        width: 9_144_000,
        height: 6_858_000,
    });
    fs_err::write(folder.path().join("deck.pptx"), bytes).unwrap();
    Deck::new(folder.path(), "deck.pptx", Format::Pptx)
}

fn opinion(engine: Engine, slides: Option<&str>) -> Result<Opinion, RenderError> {
    let folder = tempfile::tempdir().unwrap();
    let deck = deck(&folder);
    let options = options(engine, slides);
    let first = Renderers::new(options.clone()).render(&deck)?;
    let opinion = SecondOpinion::new(&options).of(&deck, &first, &folder.path().join("second"))?;
    for slide in &opinion.slides {
        assert!(fs_err::metadata(&slide.path).unwrap().is_file());
    }
    Ok(opinion)
}

fn indices(opinion: &Opinion) -> Vec<u32> {
    opinion.slides.iter().map(|s| s.index).collect()
}

#[test]
fn native_pictures_are_set_beside_the_pages_of_the_same_slides() {
    let found = opinion(Engine::Native, None).unwrap();
    assert_eq!(found.renderer.name, "libreoffice");
    // LibreOffice exports two pages; the second is slide 3.
    assert_eq!(indices(&found), [1, 3]);
    for slide in &found.slides {
        assert!(slide.ssim > 0.8 && slide.ssim <= 1.0, "{slide:?}");
        assert!(slide.worst_block.ssim <= slide.ssim, "{slide:?}");
    }
}

#[test]
fn the_other_way_round_pictures_are_paired_too() {
    let found = opinion(Engine::LibreOffice, Some("2")).unwrap();
    assert_eq!(found.renderer.name, "native");
    assert_eq!(indices(&found), [2], "a page, as LibreOffice counts");
    assert!(found.slides[0].ssim > 0.8, "{found:?}");
}
