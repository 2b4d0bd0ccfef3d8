// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decks as agents write them, with python-pptx and PptxGenJS: titles, bullets, tables, native charts, shapes, bare autofit.
//!
//! `agents/` has the scripts and what they made (`pack.py` says how), so that the test needs neither language. Each deck has the
//! slides that python-pptx counts, looks like its reference, and its texts stand in the frames that python-pptx reports. What a
//! text puts on the slide is found by drawing the deck again without it.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

#[path = "support/pictures.rs"]
mod pictures;
mod support;

use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

use deckproof_pptx::{CANVAS_H, CANVAS_W, FontSet, NativeRenderer};
use pictures::{compare, half, save};

/// All decks are 13.333 inches wide.
const PIXELS_PER_INCH: f64 = 96.0;
/// Glyphs may lean out of their frame by this many pixels.
const LEAN: f64 = 4.0;
/// Least area that a character takes, with the space around it: that of letters eight pixels high.
const LEAST_AREA: f64 = 24.0;

fn decks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agents/decks")
}

/// The rows of expect.tsv.
fn expected() -> Vec<Vec<String>> {
    let text = fs_err::read_to_string(decks().join("expect.tsv")).expect("the expectations");
    let row = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().map(row).collect()
}

fn deck(name: &str) -> Vec<u8> {
    fs_err::read(decks().join(format!("{name}.pptx"))).expect("the deck")
}

fn renderer() -> Option<NativeRenderer> {
    let fonts = FontSet::debian().ok().filter(|f| f.missing().is_empty());
    if fonts.is_none() {
        println!("skipped: fonts are missing");
    }
    fonts.map(NativeRenderer::new)
}

#[test]
fn decks_have_their_slides_and_look_like_their_references() {
    let Some(renderer) = renderer() else { return };
    let bless = std::env::var_os("DECKPROOF_PPTX_BLESS").is_some();
    let rows: Vec<_> = expected()
        .into_iter()
        .filter(|r| r[1] == "slides")
        .collect();
    let of = |by: &str| rows.iter().filter(|r| r[0].starts_with(by)).count();
    assert!(of("py_") >= 20 && of("js_") >= 20, "too few decks");
    let mut wrong = Vec::new();
    for row in &rows {
        let (name, slides) = (&row[0], row[2].parse::<usize>().expect("a number"));
        let rendered = renderer.render(&deck(name)).expect("drawn");
        if rendered.slides.len() != slides {
            wrong.push(format!(
                "{name}: {} slides of {slides}",
                rendered.slides.len()
            ));
        }
        for s in &rendered.slides {
            if let Some(d) = s.diagnostics.iter().find(|d| d.code == "slide-failed") {
                wrong.push(format!("{name}: {}", d.message));
            }
            let reference = decks().join(format!("{name}-{}.png", s.number));
            if bless {
                save(&reference, &half(&s.rgb));
            } else {
                wrong.extend(compare(
                    &format!("agents-{name}-{}", s.number),
                    &reference,
                    &half(&s.rgb),
                ));
            }
        }
    }
    assert!(
        !bless,
        "references were written; run again without DECKPROOF_PPTX_BLESS"
    );
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

#[test]
fn texts_stand_where_their_authors_put_them() {
    let Some(renderer) = renderer() else { return };
    let rows: Vec<_> = expected()
        .into_iter()
        .filter(|r| r[1] != "slides")
        .collect();
    assert!(rows.len() >= 50, "only {} texts", rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            misplaced(&renderer, row).map(|why| format!("{} {:?}: {why}", row[0], row[2]))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

/// Why a text is not where it belongs, whole and large enough.
fn misplaced(renderer: &NativeRenderer, row: &[String]) -> Option<String> {
    let bytes = deck(&row[0]);
    let slide: u32 = row[1].parse().expect("a slide");
    let text = &row[2];
    let draw = |bytes: &[u8]| {
        let mut drawn = renderer
            .render_slides(bytes, |n| n == slide)
            .expect("drawn")
            .slides;
        drawn.pop().expect("the slide").rgb
    };
    let Some(ink) = ink(&draw(&bytes), &draw(&without(&bytes, text))) else {
        return Some("nothing of it is drawn".to_owned());
    };
    let frame: Vec<f64> = row[3..]
        .iter()
        .map(|v| v.parse::<f64>().expect("inches") * PIXELS_PER_INCH)
        .collect();
    let (left, top) = (frame[0] - LEAN, frame[1] - LEAN);
    let (right, bottom) = (frame[0] + frame[2] + LEAN, frame[1] + frame[3] + LEAN);
    let [l, t, r, b] = ink;
    if l < left || t < top || r > right || b > bottom {
        return Some(format!(
            "its ink {ink:?} leaves its frame {frame:?} (x, y, width, height)"
        ));
    }
    if l < 1.0 || t < 1.0 || r >= f64::from(CANVAS_W) || b >= f64::from(CANVAS_H) {
        return Some(format!("its ink {ink:?} is cut by the slide's edge"));
    }
    let letters = text.chars().filter(|c| !c.is_whitespace()).count() as f64;
    ((r - l) * (b - t) < letters * LEAST_AREA).then(|| format!("its ink {ink:?} is too small"))
}

/// The deck with a text left out of every slide.
fn without(deck: &[u8], text: &str) -> Vec<u8> {
    let mut zip = zip::ZipArchive::new(Cursor::new(deck)).expect("a package");
    let mut parts = Vec::new();
    for i in 0..zip.len() {
        let mut entry = zip.by_index(i).expect("an entry");
        let name = entry.name().expect("a name").into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("its bytes");
        if name.starts_with("ppt/slides/slide") {
            let xml = String::from_utf8(bytes).expect("UTF-8");
            let escaped = text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            bytes = xml
                .replace(&format!("<a:t>{escaped}</a:t>"), "<a:t></a:t>")
                .into_bytes();
        }
        parts.push((name, bytes));
    }
    support::pack_stored(&parts)
}

/// The box around all pixels that differ: left, top, right, bottom.
fn ink(one: &[u8], two: &[u8]) -> Option<[f64; 4]> {
    let width = CANVAS_W as usize;
    let mut found: Option<[usize; 4]> = None;
    for (i, (a, b)) in one.chunks_exact(3).zip(two.chunks_exact(3)).enumerate() {
        if a != b {
            let (x, y) = (i % width, i / width);
            let [l, t, r, d] = found.unwrap_or([x, y, x, y]);
            found = Some([l.min(x), t.min(y), r.max(x + 1), d.max(y + 1)]);
        }
    }
    found.map(|f| f.map(|v| v as f64))
}
