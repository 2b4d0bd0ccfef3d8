// SPDX-License-Identifier: MIT OR Apache-2.0
//! Damaged parts that a search has found a fault with, each drawn again.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod support;

use deckproof_pptx::{FontSet, NativeRenderer};
use support::{Case, pack};

/// A fixture with one of its parts changed by `damage`.
fn codes(fixture: &str, part: &str, damage: impl Fn(&mut Vec<u8>)) -> Option<Vec<String>> {
    let Ok(fonts) = FontSet::debian() else {
        println!("skipped: the fonts are absent");
        return None;
    };
    let path = format!("{}/tests/cases/{fixture}.xml", env!("CARGO_MANIFEST_DIR"));
    let case = Case::parse(&fs_err::read_to_string(path).expect("a fixture"));
    let mut parts = case.parts();
    let found = parts.iter_mut().find(|found| found.0 == part);
    damage(&mut found.expect("the part").1);
    let rendered = NativeRenderer::new(fonts)
        .render(&pack(&parts))
        .expect("a deck");
    let diagnostics = rendered.slides.iter().flat_map(|slide| &slide.diagnostics);
    Some(diagnostics.map(|one| one.code.to_string()).collect())
}

/// Found by `parts` with 80 damages: the rasterizer's fixed point ran over.
#[test]
fn a_metafile_with_a_point_far_away_is_drawn() {
    let found = codes("pictures/emf", "ppt/media/image4.emf", |bytes| {
        let at = (0.310_519_968_798_195_77 * bytes.len() as f64) as usize;
        bytes[at..at + 4].fill(0x7F);
    });
    let failed = |codes: Vec<String>| codes.iter().any(|code| code == "slide-failed");
    assert!(!found.is_some_and(failed), "the slide failed");
}

/// Found by the fuzz target `slide`: a tile of 43 thousand million pixels was to be drawn as a picture, and the process
/// ended for want of memory.
#[test]
fn a_tile_that_is_scaled_beyond_measure_is_drawn() {
    for scales in [
        "sx=\"100000\" sy=\"99999999999999999999\"",
        "sx=\"2147483647\" sy=\"2147483647\"",
    ] {
        let found = codes("fills/picture-tile", "ppt/slides/slide1.xml", |bytes| {
            let text = String::from_utf8(bytes.clone()).expect("XML");
            let start = text.find("<a:tile").expect("a tile");
            let end = start + text[start..].find('>').expect("its end") + 1;
            let tile = format!("<a:tile tx=\"0\" ty=\"0\" {scales} flip=\"none\" algn=\"tl\"/>");
            *bytes = [&text[..start], &tile, &text[end..]].concat().into_bytes();
        });
        assert!(
            !found.is_some_and(|codes| codes.iter().any(|code| code == "slide-failed")),
            "the slide failed with {scales}"
        );
    }
}
