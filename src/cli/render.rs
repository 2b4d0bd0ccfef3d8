// SPDX-License-Identifier: MIT OR Apache-2.0
//! `render`: decks to pictures, without any experiment.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use deckproof_packets::atomic;
use deckproof_renderers::{Deck, Format, RenderOptions, Rendering};
use serde::Serialize;

use super::args::{PptxRenderer, Render};
use super::lab::pptx_choice;
use super::message::out;
use super::{Answer, Exit};
use crate::execute::{PptxChoice, Progress, Renderers};

/// Why decks cannot even be tried.
#[derive(Debug, thiserror::Error)]
enum Problem {
    #[error("`{}` and another deck would both be written to `{name}`; rename one, or render it into another folder", deck.display())]
    Clash { deck: PathBuf, name: String },
}

/// One line of `--json`.
#[derive(Debug, Serialize)]
struct Line<'a> {
    deck: String,
    error: Option<String>,
    renderer: Option<&'a deckproof_renderers::RendererIdentity>,
    slides: Vec<SlideLine>,
    diagnostics: &'a [deckproof_renderers::Diagnostic],
    milliseconds: u64,
}

#[derive(Debug, Serialize)]
struct SlideLine {
    path: String,
    sha256: String,
    width: u32,
    height: u32,
}

pub(super) fn run(options: &Render, quiet: bool) -> Answer {
    let progress = Progress::new(quiet);
    let chromium = options.renderer == Some(PptxRenderer::Chromium);
    let choice = if chromium {
        PptxChoice::default()
    } else {
        pptx_choice(options.renderer)?
    };
    let render_options = RenderOptions {
        slides: options.slides.as_deref().map(str::parse).transpose()?,
        steps: options.steps,
        twice: options.twice,
        ..RenderOptions::default()
    };
    let folders = folders(options)?;
    let mut renderers = Renderers::new(choice);
    let mut failed = 0;
    for (deck, folder) in options.decks.iter().zip(&folders) {
        let started = Instant::now();
        let result = locate(deck, chromium)
            .map_err(Failure::Deck)
            .and_then(|located| draw(&mut renderers, &located, &render_options))
            .and_then(|rendering| Ok((write(&rendering, folder)?, rendering)));
        let milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let error = match &result {
            Ok(_) => None,
            Err(Failure::Deck(problem)) => Some(problem.clone()),
            Err(Failure::Own(problem)) => return Err(problem.clone().into()),
        };
        tell(
            options,
            &progress,
            deck,
            folder,
            result.as_ref().ok(),
            error.as_deref(),
            milliseconds,
        )?;
        failed += usize::from(error.is_some());
    }
    Ok(if failed == 0 {
        Exit::Holds
    } else {
        Exit::FallsShort
    })
}

/// Whose fault it is that there are no pictures.
enum Failure {
    Deck(String),
    Own(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Own(error.to_string())
    }
}

/// What was drawn: the pictures' lines and the rendering.
type Drawn = (Vec<SlideLine>, Rendering);

fn tell(
    options: &Render,
    progress: &Progress,
    deck: &Path,
    folder: &Path,
    drawn: Option<&Drawn>,
    error: Option<&str>,
    milliseconds: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let shown = deck.display();
    if let Some(error) = error {
        eprintln!("error: `{shown}`: {error}");
    }
    if let Some((slides, rendering)) = drawn {
        progress.line(format_args!(
            "{shown}: {} slides in {}",
            slides.len(),
            folder.display()
        ));
        for diagnostic in &rendering.diagnostics {
            let place = diagnostic
                .slide
                .map_or_else(|| "deck".to_owned(), |slide| format!("slide {slide}"));
            progress.line(format_args!(
                "  {place}: {}: {}",
                diagnostic.code, diagnostic.message
            ));
        }
        if options.explain {
            rendering
                .explanation
                .iter()
                .for_each(|line| progress.line(format_args!("  {line}")));
        }
    }
    if options.json {
        let line = Line {
            deck: shown.to_string(),
            error: error.map(str::to_owned),
            renderer: drawn.map(|(_, rendering)| &rendering.identity),
            slides: drawn.map_or_else(Vec::new, |(slides, _)| {
                slides.iter().map(SlideLine::again).collect()
            }),
            diagnostics: drawn.map_or(&[], |(_, rendering)| &rendering.diagnostics),
            milliseconds,
        };
        out(&format!("{}\n", serde_json::to_string(&line)?))?;
    }
    Ok(())
}

impl SlideLine {
    fn again(&self) -> Self {
        Self {
            path: self.path.clone(),
            sha256: self.sha256.clone(),
            ..*self
        }
    }
}

/// Where each deck's pictures go: into the folder itself for one deck, below it for several.
fn folders(options: &Render) -> Result<Vec<PathBuf>, Problem> {
    if options.decks.len() == 1 {
        return Ok(vec![options.out.clone()]);
    }
    let mut names = BTreeSet::new();
    options
        .decks
        .iter()
        .map(|deck| {
            let name = deck
                .file_stem()
                .unwrap_or(deck.as_os_str())
                .to_string_lossy()
                .into_owned();
            if names.insert(name.clone()) {
                return Ok(options.out.join(name));
            }
            Err(Problem::Clash {
                deck: deck.clone(),
                name,
            })
        })
        .collect()
}

/// The deck at a path: a `.pptx`, an `.html`, or a folder with an `index.html`.
fn locate(path: &Path, chromium: bool) -> Result<Deck, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if metadata.is_dir() {
        if !path.join("index.html").is_file() {
            return Err("found a folder without index.html, expected a deck".to_owned());
        }
        return Ok(Deck {
            root: path.to_owned(),
            entry: "index.html".to_owned(),
            format: Format::Html,
        });
    }
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or("the file's name is not UTF-8")?;
    let format = Format::of_name(name)
        .ok_or("found neither .pptx nor .html, expected a deck in one of these formats")?;
    if chromium && format == Format::Pptx {
        return Err("`--renderer chromium` draws HTML decks alone".to_owned());
    }
    let root = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    Ok(Deck {
        root,
        entry: name.to_owned(),
        format,
    })
}

fn draw(
    renderers: &mut Renderers,
    deck: &Deck,
    options: &RenderOptions,
) -> Result<Rendering, Failure> {
    let format = match deck.format {
        Format::Html => crate::suite::Format::Html,
        Format::Pptx => crate::suite::Format::Pptx,
    };
    renderers.render(format, deck, options).map_err(|error| {
        let text = error.to_string();
        if error.is_infrastructure() {
            Failure::Own(text)
        } else {
            Failure::Deck(text)
        }
    })
}

fn write(rendering: &Rendering, folder: &Path) -> io::Result<Vec<SlideLine>> {
    fs_err::create_dir_all(folder)?;
    rendering
        .slides
        .iter()
        .map(|slide| {
            let path = folder.join(format!("slide-{:03}.png", slide.index));
            atomic::write(&path, &slide.png, 0o644)?;
            Ok(SlideLine {
                path: path.display().to_string(),
                sha256: slide.sha256.clone(),
                width: slide.width,
                height: slide.height,
            })
        })
        .collect()
}
