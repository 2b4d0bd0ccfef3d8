// SPDX-License-Identifier: MIT OR Apache-2.0
//! `render`: decks to pictures, without any experiment.

use std::path::{Path, PathBuf};

use deckproof_renderers::batch::{
    self, BatchOptions, DeckReport, find_deck, folder_names, write_pictures,
};
use deckproof_renderers::{Deck, Format, RenderError, RenderOptions, Rendering};

use super::args::{PptxRenderer, Render};
use super::lab::{DEFAULT_ENGINE, engine};
use super::message::out;
use super::{Answer, Exit};
use crate::execute::{Progress, renderer_options};
use crate::words::counted;

pub(super) fn run(options: &Render, quiet: bool) -> Answer {
    let batch_options = batch_options(options)?;
    let found: Vec<_> = options
        .decks
        .iter()
        .map(|path| locate(path, options))
        .collect();
    let decks: Vec<Deck> = found.iter().flatten().cloned().collect();
    let folders = folders(options, &decks);
    let mut teller = Teller {
        options,
        progress: Progress::new(quiet),
        failed: 0,
        broken: None,
    };
    for (path, found) in options.decks.iter().zip(&found) {
        if let Err(error) = found {
            teller.tell(&DeckReport::failed(path, error), Path::new(""))?;
        }
    }
    let paths: Vec<&PathBuf> = options
        .decks
        .iter()
        .zip(&found)
        .filter_map(|(path, found)| found.is_ok().then_some(path))
        .collect();
    let mut said = Ok(());
    batch::render_decks(&decks, &batch_options, |place, result| {
        if let (Ok(()), Some(path), Some(folder)) = (&said, paths.get(place), folders.get(place)) {
            said = teller.tell(&report(path, folder, result), folder);
        }
    });
    said?;
    match teller.broken {
        Some(problem) => Err(problem.into()),
        None if teller.failed == 0 => Ok(Exit::Holds),
        None => Ok(Exit::FallsShort),
    }
}

fn batch_options(options: &Render) -> Result<BatchOptions, Box<dyn std::error::Error>> {
    let chromium = options.renderer == Some(PptxRenderer::Chromium);
    let engine = if chromium {
        DEFAULT_ENGINE
    } else {
        engine(options.renderer)?
    };
    Ok(BatchOptions {
        render: RenderOptions {
            slides: options.slides.as_deref().map(str::parse).transpose()?,
            steps: options.steps,
            twice: options.twice,
            ..RenderOptions::default()
        },
        ..renderer_options(engine)
    })
}

/// The deck at a path, when the chosen renderer can draw it.
fn locate(path: &Path, options: &Render) -> Result<Deck, RenderError> {
    let deck = find_deck(path)?;
    if options.renderer == Some(PptxRenderer::Chromium) && deck.format == Format::Pptx {
        return Err(RenderError::BadEntry {
            path: path.to_owned(),
            found: "a PPTX deck".to_owned(),
            expected: "an HTML deck, which is all that `--renderer chromium` draws".to_owned(),
        });
    }
    Ok(deck)
}

/// Where each deck's pictures go: into the folder itself for one deck, below it for several.
fn folders(options: &Render, decks: &[Deck]) -> Vec<PathBuf> {
    if options.decks.len() == 1 {
        return vec![options.out.clone()];
    }
    folder_names(decks)
        .iter()
        .map(|name| options.out.join(name))
        .collect()
}

fn report(path: &Path, folder: &Path, result: Result<Rendering, RenderError>) -> DeckReport {
    let written = result.and_then(|rendering| Ok((write_pictures(folder, &rendering)?, rendering)));
    match written {
        Ok((paths, rendering)) => DeckReport::drawn(path, &rendering, &paths),
        Err(error) => DeckReport::failed(path, &error),
    }
}

/// Says what became of each deck.
struct Teller<'a> {
    options: &'a Render,
    progress: Progress,
    /// Decks that were not drawn.
    failed: usize,
    /// The first failure that is the machine's fault.
    broken: Option<String>,
}

impl Teller<'_> {
    fn tell(&mut self, report: &DeckReport, folder: &Path) -> std::io::Result<()> {
        match &report.error {
            Some(error) if error.infrastructure => {
                self.broken.get_or_insert_with(|| error.message.clone());
            }
            Some(error) => {
                self.failed += 1;
                eprintln!("error: `{}`: {}", report.deck, error.message);
            }
            None => self.drawn(report, folder),
        }
        if self.options.json {
            out(&format!("{}\n", serde_json::to_string(report)?))?;
        }
        Ok(())
    }

    fn drawn(&self, report: &DeckReport, folder: &Path) {
        let (deck, count) = (&report.deck, report.slides.len());
        self.progress.line(format_args!(
            "{deck}: {} in {}",
            counted(count, "slide"),
            folder.display()
        ));
        for diagnostic in &report.diagnostics {
            let slide = diagnostic.slide.map(|slide| format!("slide {slide}"));
            let place = slide.unwrap_or_else(|| "deck".to_owned());
            self.progress.line(format_args!(
                "  {place}: {}: {}",
                diagnostic.code, diagnostic.message
            ));
        }
        if self.options.explain {
            report
                .explanation
                .iter()
                .for_each(|line| self.progress.line(format_args!("  {line}")));
        }
    }
}
