// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all fuzz targets share: decks around one part, mutations that keep XML and archives readable, and the run itself.
//!
//! A deck is a file that an agent wrote. Each target hands the renderer one part that nobody checked, inside a deck that is
//! otherwise sound, so that every mutation reaches the code that reads the part. The renderer turns a panic into a white
//! slide; here the panic hook of libFuzzer sees it first.

mod dice;
pub mod mutate;
mod slot;
mod xml;

/// The fixtures' own deck writer, so that seeds and templates are the decks that the tests draw.
#[path = "../../renderers/pptx/tests/support/mod.rs"]
pub mod support;

use std::sync::OnceLock;

use deckproof_package::{Limits, Package};
use deckproof_pptx::{FontSet, NativeRenderer};

pub use libfuzzer_sys;
pub use slot::Slot;

/// Limits that keep one run short.
fn limits() -> Limits {
    Limits {
        file_bytes: 4 << 20,
        entries: 300,
        part_bytes: 4 << 20,
        total_bytes: 16 << 20,
        xml_bytes: 1 << 20,
        xml_nodes: 20_000,
        slides: 20,
        ..Limits::default()
    }
}

fn renderer() -> &'static NativeRenderer {
    static RENDERER: OnceLock<NativeRenderer> = OnceLock::new();
    RENDERER.get_or_init(|| {
        let fonts = FontSet::debian().expect("the fonts are installed (`make setup`)");
        NativeRenderer::new(fonts).with_limits(limits())
    })
}

/// Draws a package; soundness is asked first, since checks ask it of every deck.
pub fn package(bytes: &[u8]) {
    if let Ok(package) = Package::open(bytes.to_vec(), &limits()) {
        let _ = package.soundness();
    }
    draw(bytes);
}

/// Draws the deck around one part.
pub fn part(slot: Slot, bytes: &[u8]) {
    draw(&slot.deck(bytes));
}

fn draw(deck: &[u8]) {
    if let Ok(rendered) = renderer().render(deck) {
        for slide in rendered.slides {
            let failed = slide.diagnostics.iter().find(|d| d.code == "slide-failed");
            assert!(failed.is_none(), "a slide could not be drawn: {failed:?}");
        }
    }
}

/// A target over one part. `xml` parts are mutated as trees most of the time, `raw` ones as bytes.
#[macro_export]
macro_rules! part_target {
    ($slot:expr, raw) => {
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::part($slot, bytes));
    };
    ($slot:expr, xml) => {
        $crate::part_target!($slot, raw);
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8],
                                              size: usize,
                                              max_size: usize,
                                              seed: u32| {
            $crate::mutate::xml(data, size, max_size, seed)
        });
    };
}
