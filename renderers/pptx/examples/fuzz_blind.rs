// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mutations of fuzz/ without its coverage guidance, for machines without nightly and for debug builds, whose arithmetic is
//! checked: `fuzz_blind SECONDS [TARGET...]`. Seeds come from fuzz/corpus/ (see the example `fuzz_seeds`).
//!
//! What crashes, fails, or takes more than [`SLOW`] is written to fuzz/artifacts/TARGET/.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a tool for the terminal"
)]

#[path = "../../../fuzz/src/dice.rs"]
mod dice;
#[path = "../../../fuzz/src/slot.rs"]
#[allow(dead_code, reason = "pictures have a target of their own")]
mod slot;
#[path = "../tests/support/mod.rs"]
mod support;
#[path = "../../../fuzz/src/xml.rs"]
mod xml;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use deckproof_pptx::{FontSet, NativeRenderer};
use dice::Dice;
use slot::Slot;

/// Longest time for one deck; a debug build on a busy machine is slow.
const SLOW: Duration = Duration::from_secs(60);

const TARGETS: [(&str, Slot); 10] = [
    ("slide", Slot::Slide),
    ("chart", Slot::Chart),
    ("emf", Slot::Metafile),
    ("wmf", Slot::Metafile),
    ("diagram", Slot::Diagram),
    ("chartex", Slot::Chart),
    ("layout_master", Slot::LayoutOrMaster),
    ("theme", Slot::Theme),
    ("table_styles", Slot::TableStyles),
    ("presentation", Slot::Presentation),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: u64 = arguments.next().ok_or("how many seconds?")?.parse()?;
    let wanted: Vec<String> = arguments.collect();
    let renderer = NativeRenderer::new(FontSet::debian()?);
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for (name, slot) in TARGETS {
        if wanted.is_empty() || wanted.iter().any(|w| w == name) {
            let limit = Duration::from_secs(seconds);
            run(&renderer, &fuzz, name, slot, limit)?;
        }
    }
    Ok(())
}

fn run(
    renderer: &NativeRenderer,
    fuzz: &Path,
    name: &str,
    slot: Slot,
    limit: Duration,
) -> Result<(), Box<dyn std::error::Error>> {
    let seeds = seeds(&fuzz.join("corpus").join(name));
    let start = Instant::now();
    let (mut runs, mut found) = (0_u32, 0_u32);
    while start.elapsed() < limit && !seeds.is_empty() {
        let mut dice = Dice::new(
            runs.wrapping_mul(2_654_435_761)
                .wrapping_add(name.len() as u32),
        );
        let Some(seed) = dice.pick(&seeds) else { break };
        let input = changed(seed, &mut dice);
        runs += 1;
        if let Some(why) = fault(renderer, &slot.deck(&input)) {
            found += 1;
            let folder = fuzz.join("artifacts").join(name);
            fs_err::create_dir_all(&folder)?;
            fs_err::write(folder.join(format!("blind-{runs}")), &input)?;
            println!("{name} {runs}: {why}");
        }
    }
    println!(
        "{name}: {runs} decks, {found} findings, {} s",
        start.elapsed().as_secs()
    );
    Ok(())
}

fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs_err::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    paths.sort();
    paths.iter().filter_map(|p| fs_err::read(p).ok()).collect()
}

/// A few changes: to the tree where it is one, to bytes elsewhere.
fn changed(seed: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut input = seed.to_vec();
    for _ in 0..=dice.below(6) {
        let tree = std::str::from_utf8(&input)
            .ok()
            .and_then(|text| xml::mutated(text, dice));
        match tree {
            Some(text) => input = text.into_bytes(),
            None => bytes(&mut input, dice),
        }
    }
    input
}

fn bytes(input: &mut Vec<u8>, dice: &mut Dice) {
    if input.is_empty() {
        return;
    }
    let at = dice.below(input.len());
    match dice.below(4) {
        0 => input[at] = dice.below(256) as u8,
        1 => input[at] = *dice.pick(&[0, 1, 0x7F, 0x80, 0xFF]).expect("five of them"),
        2 => {
            let value = *dice
                .pick(&[0_u32, 1, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, u32::MAX])
                .expect("six of them");
            let at = at & !3;
            if let Some(word) = input.get_mut(at..at + 4) {
                word.copy_from_slice(&value.to_le_bytes());
            }
        }
        _ => {
            let end = (at + 1 + dice.below(64)).min(input.len());
            let part = input[at..end].to_vec();
            let to = dice.below(input.len());
            input.splice(to..to, part);
        }
    }
}

/// What a deck did wrong.
fn fault(renderer: &NativeRenderer, deck: &[u8]) -> Option<String> {
    let start = Instant::now();
    let drawn = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| renderer.render(deck)));
    if start.elapsed() > SLOW {
        return Some(format!("{} s", start.elapsed().as_secs()));
    }
    let slides = match drawn {
        Err(_) => return Some("a panic outside of a slide".to_owned()),
        Ok(Err(deckproof_pptx::RenderError::Slide { detail, .. })) => return Some(detail),
        Ok(Err(_)) => return None,
        Ok(Ok(rendered)) => rendered.slides,
    };
    let failed = slides
        .iter()
        .flat_map(|s| &s.diagnostics)
        .find(|d| d.code == "slide-failed");
    failed.map(|d| d.message.clone())
}
