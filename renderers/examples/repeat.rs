// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws every deck of a folder with a manifest.tsv in fresh browsers, again and again, and names the
//! pictures that are not the same bytes each time:
//! `cargo run --release -p deckproof-renderers --example repeat -- FOLDER [RUNS [NAME...]]`.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use deckproof_renderers::html::{BrowserOptions, HtmlRenderer};
use deckproof_renderers::{Deck, Format, RenderOptions, Renderer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().ok_or("usage: FOLDER [RUNS [NAME...]]")?);
    let runs: u32 = words.next().map_or(Ok(10), |runs| runs.parse())?;
    let names: BTreeSet<String> = words.collect();
    let manifest = fs_err::read_to_string(folder.join("manifest.tsv"))?;
    let decks: Vec<(String, Deck)> = manifest
        .lines()
        .skip(1)
        .filter_map(|line| {
            let mut fields = line.split('\t');
            let (name, entry) = (fields.next()?, fields.nth(1)?);
            let wanted = names.is_empty() || names.contains(name);
            wanted.then(|| {
                (
                    name.to_owned(),
                    Deck::new(folder.join(name), entry, Format::Html),
                )
            })
        })
        .collect();
    // Hashes seen of each slide of each deck.
    let mut seen: BTreeMap<(String, u32), BTreeSet<String>> = BTreeMap::new();
    for run in 1..=runs {
        let mut renderer = HtmlRenderer::new(BrowserOptions::default())?;
        let mut milliseconds = 0;
        for (name, deck) in &decks {
            match renderer.render(deck, &RenderOptions::default()) {
                Err(error) => drop(
                    seen.entry((name.clone(), 0))
                        .or_default()
                        .insert(error.to_string()),
                ),
                Ok(rendering) => {
                    milliseconds += rendering.milliseconds;
                    for slide in rendering.slides {
                        seen.entry((name.clone(), slide.index))
                            .or_default()
                            .insert(slide.sha256);
                    }
                }
            }
        }
        println!("run {run}: {} decks in {milliseconds} ms", decks.len());
    }
    let (mut odd, mut pictures) = (BTreeMap::<&str, Vec<u32>>::new(), 0);
    for ((name, slide), hashes) in &seen {
        pictures += 1;
        if hashes.len() > 1 || *slide == 0 {
            odd.entry(name).or_default().push(*slide);
        }
    }
    println!(
        "{runs} runs of {} decks, {pictures} pictures, {} decks not identical",
        decks.len(),
        odd.len()
    );
    for (name, slides) in odd {
        println!("{name}: slides {slides:?}");
    }
    Ok(())
}
