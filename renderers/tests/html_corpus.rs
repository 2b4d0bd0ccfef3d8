// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real decks of many frameworks: the right number of slides, every picture exact, distinct where
//! slides are, and the same bytes when drawn again.
//!
//! A small part always runs where the shared corpus is; all of it with `DECKPROOF_CORPUS=1`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use std::path::{Path, PathBuf};

use common::html::{distinct, renderer};
use deckproof_renderers::batch::{BatchOptions, render_decks};
use deckproof_renderers::{Deck, Format, RenderOptions, Renderer, Rendering};

/// Decks that are quick to draw, one for each way of driving.
const ALWAYS: [&str; 8] = [
    "reveal2",
    "plain-toggle",
    "plain-innerhtml",
    "scroll-snap-y",
    "css-target",
    "marp-bare",
    "big",
    "remark-single",
];
/// Decks that show the same picture more than once, and how many different ones they have: every
/// fourth slide of one is one photograph, and another lost pictures of the network.
const REPEATS: [(&str, usize); 2] = [("reveal40", 31), ("webslides-components", 118)];

struct Row {
    name: String,
    entry: String,
    slides: u32,
}

fn rows(corpus: &Path) -> Vec<Row> {
    let manifest = std::fs::read_to_string(corpus.join("manifest.tsv")).unwrap();
    manifest
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            Row {
                name: fields[0].to_owned(),
                entry: fields[2].to_owned(),
                slides: fields[3].parse().unwrap(),
            }
        })
        .collect()
}

fn corpus() -> Option<PathBuf> {
    common::shared().map(|shared| shared.join("corpus/html"))
}

fn all() -> bool {
    std::env::var_os("DECKPROOF_CORPUS").is_some()
}

/// What is wrong with a rendering of a deck whose true number of slides is known.
fn faults(row: &Row, rendering: &Rendering) -> Vec<String> {
    let mut faults = Vec::new();
    if rendering.slide_count != row.slides || rendering.slides.len() != row.slides as usize {
        faults.push(format!(
            "{}: {} slides, expected {}",
            row.name, rendering.slide_count, row.slides
        ));
    }
    let known = REPEATS.iter().find(|(name, _)| *name == row.name);
    let expected = known.map_or(rendering.slides.len(), |(_, distinct)| *distinct);
    if distinct(rendering) != expected {
        faults.push(format!(
            "{}: {} distinct pictures, expected {expected}",
            row.name,
            distinct(rendering)
        ));
    }
    for slide in rendering.slides.iter().filter(|slide| slide.blank) {
        faults.push(format!("{}: slide {} is blank", row.name, slide.index));
    }
    for remark in rendering
        .diagnostics
        .iter()
        .filter(|remark| remark.code == "not-deterministic")
    {
        faults.push(format!(
            "{}: slide {:?} {}",
            row.name, remark.slide, remark.message
        ));
    }
    faults
}

/// Draws every sixth deck, beginning with this one, twice.
fn share(first: usize) {
    let Some(corpus) = corpus() else { return };
    let wanted = |row: &Row| all() || ALWAYS.contains(&row.name.as_str());
    let rows: Vec<Row> = rows(&corpus).into_iter().filter(wanted).collect();
    assert!(rows.len() >= ALWAYS.len());
    let rows: Vec<Row> = rows.into_iter().skip(first).step_by(6).collect();
    let decks: Vec<Deck> = rows
        .iter()
        .map(|row| Deck::new(corpus.join(&row.name), row.entry.clone(), Format::Html))
        .collect();
    let render = RenderOptions {
        twice: true,
        ..RenderOptions::default()
    };
    let options = BatchOptions {
        render,
        workers: 1,
        ..Default::default()
    };
    let mut wrong = Vec::new();
    render_decks(&decks, &options, |place, result| {
        let row = &rows[place];
        match result {
            Ok(rendering) => {
                println!(
                    "{} {} ms {:?}",
                    row.name, rendering.milliseconds, rendering.explanation
                );
                wrong.extend(faults(row, &rendering));
            }
            Err(error) => wrong.push(format!("{}: {error}", row.name)),
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

// One test for each share, for a runner ends a test that takes too long.
macro_rules! shares {
    ($($name:ident $first:literal),*) => {
        $(#[test]
        fn $name() {
            share($first);
        })*
    };
}

shares!(
    decks_give_their_slides_and_the_same_bytes_twice_1 0,
    decks_give_their_slides_and_the_same_bytes_twice_2 1,
    decks_give_their_slides_and_the_same_bytes_twice_3 2,
    decks_give_their_slides_and_the_same_bytes_twice_4 3,
    decks_give_their_slides_and_the_same_bytes_twice_5 4,
    decks_give_their_slides_and_the_same_bytes_twice_6 5
);

#[test]
fn a_fixed_stage_fills_the_canvas() {
    let Some(corpus) = corpus() else { return };
    let deck = Deck::new(corpus.join("fixed-1920"), "index.html", Format::Html);
    let rendering = renderer().render(&deck, &RenderOptions::default()).unwrap();
    assert_eq!((rendering.slide_count, distinct(&rendering)), (2, 2));
}
