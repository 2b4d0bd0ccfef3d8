// SPDX-License-Identifier: MIT OR Apache-2.0
//! One feature, one fixture, one reference picture: `cases/CONCEPT/NAME.xml` and `.png` beside it.
//!
//! A mismatch writes expected | got | difference to the target folder. `DECKPROOF_PPTX_BLESS=1` writes references and then
//! fails, so that a blessed run never passes for a test; any other value writes only those whose `CONCEPT-NAME` begins so.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod support;

use std::path::{Path, PathBuf};

use deckproof_pptx::{CANVAS_H, CANVAS_W, FontSet, NativeRenderer};
use support::Case;

/// Pixels may differ by this much in a channel before they count.
const SOFT: u8 = 2;

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut out = Vec::new();
    for folder in fs_err::read_dir(root)
        .expect("the cases")
        .flatten()
        .filter(|f| f.path().is_dir())
    {
        let files = fs_err::read_dir(folder.path())
            .expect("a concept")
            .flatten()
            .map(|f| f.path());
        out.extend(files.filter(|p| p.extension().is_some_and(|e| e == "xml")));
    }
    out.sort();
    out
}

/// Reads a reference: half size, indexed or RGB.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(fs_err::read(path).ok()?));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut data = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut data).ok()?;
    data.truncate(info.buffer_size());
    Some(data)
}

fn write(path: &Path, rgb: &[u8], w: u32, h: u32) {
    let mut palette: Vec<[u8; 3]> = rgb.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    palette.sort_unstable();
    palette.dedup();
    let mut out = Vec::new();
    let mut e = png::Encoder::new(&mut out, w, h);
    e.set_depth(png::BitDepth::Eight);
    e.set_compression(png::Compression::High);
    if palette.len() <= 256 {
        e.set_color(png::ColorType::Indexed);
        e.set_palette(palette.concat());
        let data: Vec<u8> = rgb
            .chunks_exact(3)
            .map(|p| {
                palette
                    .binary_search(&[p[0], p[1], p[2]])
                    .expect("in the palette") as u8
            })
            .collect();
        e.write_header()
            .expect("header")
            .write_image_data(&data)
            .expect("pixels");
    } else {
        e.set_color(png::ColorType::Rgb);
        e.write_header()
            .expect("header")
            .write_image_data(rgb)
            .expect("pixels");
    }
    fs_err::write(path, out).expect("written");
}

/// Half the canvas, each pixel the mean of four: small enough to keep, and every change still shows.
fn half(rgb: &[u8]) -> Vec<u8> {
    let (w, h) = (CANVAS_W as usize, CANVAS_H as usize);
    let mut out = Vec::with_capacity(rgb.len() / 4);
    for y in 0..h / 2 {
        for x in 0..w / 2 {
            for c in 0..3 {
                let at =
                    |dx: usize, dy: usize| u32::from(rgb[((y * 2 + dy) * w + x * 2 + dx) * 3 + c]);
                out.push(((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4) as u8);
            }
        }
    }
    out
}

fn report(name: &str, want: &[u8], got: &[u8]) -> PathBuf {
    let (w, h) = (CANVAS_W / 2, CANVAS_H / 2);
    let mut data = Vec::new();
    let row = w as usize * 3;
    for y in 0..h as usize {
        let (a, b) = (&want[y * row..(y + 1) * row], &got[y * row..(y + 1) * row]);
        data.extend(a);
        data.extend(b);
        data.extend(
            a.iter()
                .zip(b)
                .map(|(a, b)| 255 - a.abs_diff(*b).saturating_mul(4)),
        );
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pptx-fixtures");
    fs_err::create_dir_all(&dir).expect("a folder");
    let path = dir.join(format!("{name}.png"));
    write(&path, &data, w * 3, h);
    path
}

#[test]
fn every_fixture_looks_like_its_reference() {
    let Ok(fonts) = FontSet::debian() else {
        println!("skipped: the fonts are absent");
        return;
    };
    if !fonts.missing().is_empty() {
        println!("skipped: fonts are missing: {:?}", fonts.missing());
        return;
    }
    let bless = std::env::var("DECKPROOF_PPTX_BLESS").ok();
    let part = bless.as_deref().filter(|b| *b != "1").unwrap_or_default();
    let renderer = NativeRenderer::new(fonts);
    let mut wrong = Vec::new();
    let all = cases();
    for path in &all {
        let case = Case::parse(&fs_err::read_to_string(path).expect("a case"));
        let concept = path
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let name = format!(
            "{concept}-{}",
            path.file_stem().unwrap_or_default().to_string_lossy()
        );
        if !name.starts_with(part) {
            continue;
        }
        let rendered = renderer
            .render(&case.deck())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let slide = rendered.slides.first().expect("one slide");
        assert!(
            slide.diagnostics.iter().all(|d| d.code != "slide-failed"),
            "{name}: {:?}",
            slide.diagnostics
        );
        let got = half(&slide.rgb);
        let reference = path.with_extension("png");
        if bless.is_some() {
            write(&reference, &got, CANVAS_W / 2, CANVAS_H / 2);
            continue;
        }
        let Some(want) = read(&reference) else {
            wrong.push(format!("{name}: no reference"));
            continue;
        };
        let off = if want.len() == got.len() {
            want.iter()
                .zip(&got)
                .filter(|(a, b)| a.abs_diff(**b) > SOFT)
                .count()
        } else {
            got.len()
        };
        if off > 0 {
            wrong.push(format!(
                "{name}: {off} values differ: {}",
                report(&name, &want, &got).display()
            ));
        }
    }
    assert!(all.len() >= 150, "only {} fixtures", all.len());
    assert!(
        bless.is_none(),
        "references were written; run again without DECKPROOF_PPTX_BLESS"
    );
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        all.len(),
        wrong.join("\n")
    );
}
