// SPDX-License-Identifier: MIT OR Apache-2.0
//! Speed and memory of the native PPTX renderer, beside LibreOffice and betteroffice-pptx, in one run on the same decks.
//!
//! Figures of one machine mean little on another, so what counts are the ratios, and times are processor times: a machine
//! that is busy with other work changes them little. Nothing here is a test; the goals are printed beside what was found.

mod corpus;
mod measure;
mod office;
mod peer;
mod table;

use std::error::Error;
use std::path::{Path, PathBuf};

use deckproof_pptx::{FontSet, NativeRenderer};
use deckproof_renderers::png::{RgbImage, encode};

use corpus::Deck;
use measure::{median, processor_time};

/// Decks that are also drawn by slow peers.
const OFFICE_DECKS: usize = 20;
/// Runs of each deck, of which the fastest counts.
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((mode, decks)) if mode == "--draw" => draw(decks),
        _ => report(),
    }
}

/// The child's part: draws decks as `deckproof render` does, and says how much memory it took at most.
fn draw(decks: &[String]) -> Result<(), Box<dyn Error>> {
    let renderer = NativeRenderer::new(FontSet::debian()?);
    for deck in decks {
        ours(&renderer, &std::fs::read(deck)?)?;
    }
    table::line(&format!("{}", measure::peak_kilobytes()?));
    Ok(())
}

/// Draws a deck and encodes its pictures: how many there are.
fn ours(renderer: &NativeRenderer, bytes: &[u8]) -> Result<usize, Box<dyn Error>> {
    let mut encoded = Vec::new();
    renderer.render_each(
        bytes,
        |_| true,
        |slide| encoded.push(RgbImage::new(1280, 720, slide.rgb).and_then(|image| encode(&image))),
    )?;
    let encoded = encoded.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(std::hint::black_box(encoded).len())
}

fn report() -> Result<(), Box<dyn Error>> {
    let work = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench-decks");
    let (decks, origin) = corpus::decks(&work)?;
    table::line(&format!("decks: {} {origin}", decks.len()));
    let each = slides(&decks)?;
    peers(&decks)?;
    whole_processes(&decks)?;
    memory(&decks)?;
    table::line(&format!("slides drawn for the first line: {each}"));
    Ok(())
}

/// The median time of a slide, over all slides of all decks.
fn slides(decks: &[Deck]) -> Result<usize, Box<dyn Error>> {
    let renderer = NativeRenderer::new(FontSet::debian()?);
    let mut each = Vec::new();
    let mut refused = 0;
    for deck in decks {
        let start = processor_time();
        match ours(&renderer, &deck.bytes) {
            Ok(0) => {}
            Ok(n) => {
                let time = (processor_time() - start) / n as f64;
                each.extend(std::iter::repeat_n(time, n));
            }
            Err(_) => refused += 1,
        }
    }
    let count = each.len();
    table::figure(
        "median time of a slide (open, draw, encode)",
        median(&mut each) * 1e3,
        "ms",
        "",
    );
    if refused > 0 {
        table::line(&format!("  decks that were refused: {refused}"));
    }
    Ok(count)
}

/// betteroffice-pptx on the same decks at the same size, in this process: the ratio of each deck, and of the sums.
fn peers(decks: &[Deck]) -> Result<(), Box<dyn Error>> {
    let renderer = NativeRenderer::new(FontSet::debian()?);
    let fonts = peer::Fonts::read();
    let (mut we, mut they, mut ratios) = (0.0, 0.0, Vec::new());
    let mut failed = 0;
    for deck in decks.iter().step_by(decks.len().div_ceil(100).max(1)) {
        let theirs = fastest(|| peer::draw(&deck.bytes, &fonts));
        let own = fastest(|| {
            let start = processor_time();
            ours(&renderer, &deck.bytes)?;
            Ok(processor_time() - start)
        });
        match (own, theirs) {
            (Ok(own), Ok(theirs)) => {
                we += own;
                they += theirs;
                ratios.push(own / theirs);
            }
            _ => failed += 1,
        }
    }
    let count = ratios.len();
    table::line(&format!(
        "betteroffice-pptx 0.5.1: {count} decks that both draw, {failed} not compared"
    ));
    table::figure(
        "  our time / theirs, all decks together",
        we / they,
        "",
        "1 or less",
    );
    table::figure(
        "  our time / theirs, median deck",
        median(&mut ratios),
        "",
        "1 or less",
    );
    Ok(())
}

fn fastest(mut run: impl FnMut() -> Result<f64, Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        best = best.min(run()?);
    }
    Ok(best)
}

/// One process a deck, ours and LibreOffice's, by the time that they and all their children took.
fn whole_processes(decks: &[Deck]) -> Result<(), Box<dyn Error>> {
    let some: Vec<&Deck> = decks
        .iter()
        .step_by(decks.len().div_ceil(OFFICE_DECKS).max(1))
        .collect();
    let Some(office) = office::Office::find()? else {
        table::line("skipped: LibreOffice is absent");
        return Ok(());
    };
    office.convert(some.first().map_or(Path::new(""), |d| &d.path))?;
    let me = std::env::current_exe()?;
    let (mut own, mut convert, mut pages) = (0.0, 0.0, 0.0);
    for deck in &some {
        own += measure::child(&me, &["--draw".as_ref(), deck.path.as_os_str()])?.0;
        convert += office.convert(&deck.path)?;
        pages += office.pages()?;
    }
    let each = |sum: f64| sum / some.len() as f64;
    table::line(&format!(
        "whole processes, {} decks, mean processor time of a deck:",
        some.len()
    ));
    table::figure("  deckproof", each(own), "s", "");
    table::figure("  soffice to PDF", each(convert), "s", "");
    table::figure("  pdftoppm to pictures", each(pages), "s", "");
    table::figure("  soffice / deckproof", convert / own, "", "25 or more");
    table::figure(
        "  soffice and pdftoppm / deckproof",
        (convert + pages) / own,
        "",
        "25 or more",
    );
    Ok(())
}

/// The most memory that one process takes over the whole corpus.
fn memory(decks: &[Deck]) -> Result<(), Box<dyn Error>> {
    let renderer = NativeRenderer::new(FontSet::debian()?);
    let drawn: Vec<&PathBuf> = decks
        .iter()
        .filter(|d| renderer.render_slides(&d.bytes, |_| false).is_ok())
        .map(|d| &d.path)
        .collect();
    let mut arguments = vec!["--draw".as_ref()];
    arguments.extend(drawn.iter().map(|p| p.as_os_str()));
    let (_, said) = measure::child(&std::env::current_exe()?, &arguments)?;
    let kilobytes: f64 = said.trim().parse()?;
    table::figure(
        "peak memory over all decks in one process",
        kilobytes / 1024.0,
        "MB",
        "less than 300",
    );
    Ok(())
}
