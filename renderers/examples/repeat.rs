// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws every deck of a folder with a manifest.tsv in fresh browsers, again and again, and names the
//! pictures that are not the same bytes each time:
//! `cargo run --release -p deckproof-renderers --example repeat -- FOLDER [RUNS [NAME...]]`.
//! `--load=N` keeps N cores busy meanwhile, `--keep=OUT` writes pictures that differ to a folder.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use deckproof_renderers::html::{BrowserOptions, HtmlRenderer};
use deckproof_renderers::{Deck, Format, RenderError, RenderOptions, Renderer, Rendering};

/// Pictures seen of each slide of each deck, by hash. Slide 0 stands for a deck that was not drawn.
type Seen = BTreeMap<(String, u32), BTreeMap<String, Vec<u8>>>;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, words): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.starts_with("--"));
    let value = |name: &str| flags.iter().find_map(|flag| flag.strip_prefix(name));
    let keep = value("--keep=").map(PathBuf::from);
    load(value("--load=").map_or(Ok(0), str::parse)?);
    let mut words = words.into_iter();
    let folder = PathBuf::from(words.next().ok_or("usage: FOLDER [RUNS [NAME...]]")?);
    let runs: u32 = words.next().map_or(Ok(10), |runs| runs.parse())?;
    let decks = decks(&folder, &words.collect())?;
    let mut seen = Seen::new();
    for run in 1..=runs {
        let mut renderer = HtmlRenderer::new(BrowserOptions::default())?;
        let mut milliseconds = 0;
        for (name, deck) in &decks {
            let drawn = renderer.render(deck, &RenderOptions::default());
            milliseconds += drawn.as_ref().map_or(0, |drawn| drawn.milliseconds);
            for slide in note(&mut seen, name, drawn) {
                println!("run {run}: {name}, slide {slide} differs");
            }
        }
        println!("run {run}: {} decks in {milliseconds} ms", decks.len());
    }
    report(&seen, keep.as_deref())?;
    println!("{runs} runs of {} decks", decks.len());
    Ok(())
}

/// Keeps as many cores busy for as long as the program runs.
fn load(cores: u32) {
    for _ in 0..cores {
        std::thread::spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        });
    }
}

fn decks(folder: &Path, names: &BTreeSet<String>) -> std::io::Result<Vec<(String, Deck)>> {
    let manifest = fs_err::read_to_string(folder.join("manifest.tsv"))?;
    let decks = manifest.lines().skip(1).filter_map(|line| {
        let mut fields = line.split('\t');
        let (name, entry) = (fields.next()?, fields.nth(1)?);
        let deck = || Deck::new(folder.join(name), entry, Format::Html);
        (names.is_empty() || names.contains(name)).then(|| (name.to_owned(), deck()))
    });
    Ok(decks.collect())
}

/// Remembers what was drawn, and gives the slides that were never seen like this before, though
/// they were seen.
fn note(seen: &mut Seen, name: &str, drawn: Result<Rendering, RenderError>) -> Vec<u32> {
    let pictures = match drawn {
        Err(error) => vec![(0, error.to_string(), Vec::new())],
        Ok(drawn) => {
            let slides = drawn.slides.into_iter();
            slides
                .map(|slide| (slide.index, slide.sha256, slide.png))
                .collect()
        }
    };
    let mut differ = Vec::new();
    for (slide, hash, png) in pictures {
        let known = seen.entry((name.to_owned(), slide)).or_default();
        if slide == 0 || !known.is_empty() && !known.contains_key(&hash) {
            differ.push(slide);
        }
        known.insert(hash, png);
    }
    differ
}

fn report(seen: &Seen, keep: Option<&Path>) -> std::io::Result<()> {
    let odd: Vec<_> = seen
        .iter()
        .filter(|((_, slide), found)| *slide == 0 || found.len() > 1)
        .collect();
    println!("{} pictures, {} not identical", seen.len(), odd.len());
    for ((name, slide), found) in odd {
        println!("{name}, slide {slide}: {:?}", found.keys());
        let Some(keep) = keep else { continue };
        fs_err::create_dir_all(keep)?;
        for (number, png) in found.values().enumerate() {
            fs_err::write(keep.join(format!("{name}-{slide}-{number}.png")), png)?;
        }
    }
    Ok(())
}
