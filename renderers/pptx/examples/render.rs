// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws decks for scoring: `render DECK... --out DIR [--slide N] [--svg]` writes DIR/STEM.png, or one file a slide without `--slide`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for the terminal"
)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use deckproof_pptx::{CANVAS_H, CANVAS_W, FontSet, NativeRenderer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut decks = Vec::new();
    let mut out = PathBuf::from(".");
    let mut only: Option<u32> = None;
    let mut svg = false;
    let mut quiet = false;
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        match a.as_str() {
            "--out" => out = PathBuf::from(args.next().ok_or("--out needs a folder")?),
            "--slide" => only = Some(args.next().ok_or("--slide needs a number")?.parse()?),
            "--svg" => svg = true,
            "--quiet" => quiet = true,
            _ => decks.push(PathBuf::from(a)),
        }
    }
    std::fs::create_dir_all(&out)?;
    let renderer = NativeRenderer::new(FontSet::debian()?);
    for deck in &decks {
        let start = Instant::now();
        let stem = deck
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match renderer.render_slides(&std::fs::read(deck)?, |n| only.is_none_or(|o| o == n)) {
            Ok(r) => {
                for s in &r.slides {
                    let name = if only.is_some() {
                        stem.clone()
                    } else {
                        format!("{stem}-{:03}", s.number)
                    };
                    save(&out.join(format!("{name}.png")), &s.rgb)?;
                    if svg {
                        std::fs::write(out.join(format!("{name}.svg")), &s.svg)?;
                    }
                    for d in s.diagnostics.iter().filter(|_| !quiet) {
                        println!("{name}: {}: {}", d.code, d.message);
                    }
                }
                println!(
                    "{stem}: {} slides, {} ms",
                    r.slides.len(),
                    start.elapsed().as_millis()
                );
            }
            Err(e) => eprintln!("{stem}: {e} ({} ms)", start.elapsed().as_millis()),
        }
    }
    Ok(())
}

fn save(path: &Path, rgb: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let mut bytes = Vec::new();
    let mut e = png::Encoder::new(&mut bytes, CANVAS_W, CANVAS_H);
    e.set_color(png::ColorType::Rgb);
    e.set_compression(png::Compression::Fast);
    e.write_header()?.write_image_data(rgb)?;
    std::fs::write(path, bytes)?;
    Ok(())
}
