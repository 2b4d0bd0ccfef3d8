// SPDX-License-Identifier: MIT OR Apache-2.0
//! `render`: decks to pictures, without any experiment.

use std::path::{Path, PathBuf};

use deckproof_renderers::batch::{
    self, BatchOptions, DeckReport, Opinion, SecondOpinion, find_deck, folder_names, write_pictures,
};
use deckproof_renderers::{
    DIFFERS_BY_VIEWER, Deck, Format, NOT_DETERMINISTIC, NOT_DRAWN, RenderError, RenderOptions,
    Rendering,
};

use super::args::{PptxRenderer, Render};
use super::lab::{DEFAULT_ENGINE, engine};
use super::message::out;
use super::{Answer, Exit, place};
use crate::execute::{Progress, renderer_options, unhashed_renderer_options};
use crate::words::counted;

pub(super) fn run(options: &Render, quiet: bool) -> Answer {
    place::expect_folder(&options.out, "name another with `--out`")?;
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
        doubtful: 0,
        absent: false,
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
    let mut second = options
        .second_opinion
        .then(|| SecondOpinion::new(&batch_options));
    batch::render_decks(&decks, &batch_options, |place, result| {
        if let (Ok(()), Some(path), Some(folder), Some(deck)) = (
            &said,
            paths.get(place),
            folders.get(place),
            decks.get(place),
        ) {
            let report = report(path, deck, folder, result, second.as_mut());
            said = teller.tell(&report, folder);
        }
    });
    said?;
    match teller.broken {
        Some(problem) => Err(problem.into()),
        None if teller.absent => Ok(Exit::Unusable),
        None if teller.failed + teller.doubtful == 0 => Ok(Exit::Holds),
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
    let known = match options.json {
        true => renderer_options(engine),
        false => unhashed_renderer_options(engine),
    };
    Ok(BatchOptions {
        render: RenderOptions {
            slides: options.slides.as_deref().map(str::parse).transpose()?,
            steps: options.steps,
            twice: options.twice,
            viewers: options.viewers,
            ..RenderOptions::default()
        },
        ..known
    })
}

/// The code of a path with nothing there.
const ABSENT: &str = "entry-missing";

/// Why a deck was not drawn, its path once. The renderers begin with it, as they know no command line.
fn why(deck: &str, code: &str, message: &str) -> String {
    if code == ABSENT && deck.contains("://") {
        return format!(
            "`{deck}`: found an address, expected a file or folder on this machine; decks are local files, so \
             save the deck with all that it shows"
        );
    }
    let plain = |path: &str| path.strip_prefix("./").unwrap_or(path).to_owned();
    match message.split_once(": ") {
        Some((path, rest)) if plain(path).starts_with(&plain(deck)) => {
            format!("`{}`: {rest}", plain(path))
        }
        _ => format!("`{deck}`: {message}"),
    }
}

/// The deck at a path, when the chosen renderer can draw it.
fn locate(path: &Path, options: &Render) -> Result<Deck, RenderError> {
    let deck = find_deck(path)?;
    if options.second_opinion && deck.format == Format::Html {
        return Err(RenderError::BadEntry {
            path: path.to_owned(),
            found: "an HTML deck".to_owned(),
            expected: "a PPTX deck, which alone has two engines for `--second-opinion`".to_owned(),
        });
    }
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

/// The folder of the second engine's pictures, inside that of the first one's.
const SECOND: &str = "second-opinion";

fn report(
    path: &Path,
    deck: &Deck,
    folder: &Path,
    result: Result<Rendering, RenderError>,
    second: Option<&mut SecondOpinion>,
) -> DeckReport {
    let written = result.and_then(|rendering| Ok((write_pictures(folder, &rendering)?, rendering)));
    match written {
        Ok((paths, rendering)) => {
            let report = DeckReport::drawn(path, &rendering, &paths);
            match second.map(|s| s.of(deck, &rendering, &folder.join(SECOND))) {
                Some(opinion) => report.with_opinion(opinion),
                None => report,
            }
        }
        Err(error) => DeckReport::failed(path, &error),
    }
}

/// Whether a picture is not to be relied on: a slide could not be drawn, or what `--twice` or
/// `--viewers` asked came out otherwise.
fn doubtful(report: &DeckReport) -> bool {
    let codes = [NOT_DRAWN, NOT_DETERMINISTIC, DIFFERS_BY_VIEWER];
    let mut remarks = report.diagnostics.iter();
    remarks.any(|remark| codes.contains(&remark.code.as_str()))
}

/// Says what became of each deck.
struct Teller<'a> {
    options: &'a Render,
    progress: Progress,
    /// Decks that were not drawn.
    failed: usize,
    /// Decks with a picture that is no slide, or not the same each time.
    doubtful: usize,
    /// A path that was named has nothing there, which says nothing about any deck.
    absent: bool,
    /// The first failure that is the machine's fault.
    broken: Option<String>,
}

impl Teller<'_> {
    fn tell(&mut self, report: &DeckReport, folder: &Path) -> std::io::Result<()> {
        if report.renderer.is_some() {
            self.drawn(report, folder);
            self.doubtful += usize::from(doubtful(report));
        }
        match &report.error {
            Some(error) if error.infrastructure => {
                self.broken.get_or_insert_with(|| error.message.clone());
            }
            Some(error) => {
                self.failed += 1;
                self.absent |= error.code == ABSENT;
                eprintln!("error: {}", why(&report.deck, error.code, &error.message));
            }
            None => {}
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
        if let Some(opinion) = &report.second_opinion {
            self.opinion(opinion);
        }
        if self.options.explain {
            report
                .explanation
                .iter()
                .for_each(|line| self.progress.line(format_args!("  {line}")));
        }
    }

    fn opinion(&self, opinion: &Opinion) {
        for slide in &opinion.slides {
            let block = slide.worst_block;
            self.progress.line(format_args!(
                "  slide {}: SSIM {:.4} with {}, worst block {}x{} at {},{} with {:.4}",
                slide.index,
                slide.ssim,
                opinion.renderer.name,
                block.width,
                block.height,
                block.x,
                block.y,
                block.ssim
            ));
        }
    }
}
