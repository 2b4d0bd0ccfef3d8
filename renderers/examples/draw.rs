// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws HTML decks into a folder, for looking at them while working on the renderer:
//! `cargo run -p deckproof-renderers --example draw -- OUT [--facts] [--steps] [--twice] [--viewers] [--slides=1,3-5] DECK...`, a deck being PAGE or ROOT::ENTRY.
#![allow(clippy::print_stdout, reason = "a tool for people")]

use std::path::{Path, PathBuf};

use deckproof_renderers::html::{BrowserOptions, HtmlRenderer};
use deckproof_renderers::{Deck, Format, RenderOptions, Renderer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.starts_with("--"));
    let flag = |name: &str| flags.iter().any(|flag| flag == name);
    let options = RenderOptions {
        slides: flags
            .iter()
            .find_map(|flag| flag.strip_prefix("--slides="))
            .map(str::parse)
            .transpose()?,
        facts: flag("--facts"),
        steps: flag("--steps"),
        twice: flag("--twice"),
        viewers: flag("--viewers"),
    };
    let mut renderer = HtmlRenderer::new(BrowserOptions {
        hashes: false,
        ..BrowserOptions::default()
    })?;
    println!(
        "{} {}",
        renderer.identity().version,
        renderer.isolation().name()
    );
    let (out, decks) = paths.split_first().ok_or("usage: OUT DECK...")?;
    for deck in decks {
        // ROOT::ENTRY for a deck whose page lies deeper than its folder.
        let (root, entry) = match deck.split_once("::") {
            Some((root, entry)) => (Path::new(root), entry.to_owned()),
            None => {
                let path = Path::new(deck);
                let entry = path.file_name().unwrap_or_default().to_string_lossy();
                (path.parent().unwrap_or(Path::new(".")), entry.into_owned())
            }
        };
        let name = root.file_name().unwrap_or_default().to_string_lossy();
        match renderer.render(&Deck::new(root, entry, Format::Html), &options) {
            Err(error) => println!("{name}: {error}"),
            Ok(rendering) => {
                println!(
                    "{name}: {} slides in {} ms, {:?}",
                    rendering.slides.len(),
                    rendering.milliseconds,
                    rendering.explanation
                );
                for remark in rendering
                    .diagnostics
                    .iter()
                    .take(if flag("--all") { 500 } else { 5 })
                {
                    println!("   {:?} {}: {}", remark.slide, remark.code, remark.message);
                }
                let folder: PathBuf = Path::new(out).join(&*name);
                std::fs::create_dir_all(&folder)?;
                for slide in &rendering.slides {
                    std::fs::write(
                        folder.join(format!("slide-{:03}.png", slide.index)),
                        &slide.png,
                    )?;
                }
                if let Some(facts) = &rendering.facts {
                    std::fs::write(folder.join("facts.json"), serde_json::to_vec_pretty(facts)?)?;
                }
            }
        }
    }
    Ok(())
}
