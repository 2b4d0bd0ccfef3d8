// SPDX-License-Identifier: MIT OR Apache-2.0
//! PPTX decks by the native renderer: deckproof-pptx behind the trait that all renderers share.

use std::io::Read as _;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use deckproof_package::{Limits, Package};
use deckproof_pptx::{CANVAS_H, CANVAS_W, Counted, FontSet, NativeRenderer};

use crate::png::RgbImage;
use crate::{
    Deck, Diagnostic, Picture, RenderError, RenderOptions, Renderer, RendererIdentity, Rendering,
};

/// Largest package read.
const MAX_PACKAGE: u64 = 512 << 20;

/// Longest time that one pass over a deck may take. The slowest deck of the corpora takes a few
/// seconds in a debug build.
const LIMIT: Duration = Duration::from_secs(120);

/// Draws PPTX decks in this process, without an office suite.
#[derive(Debug, Clone)]
pub struct Native {
    renderer: NativeRenderer,
    identity: RendererIdentity,
}

impl Native {
    /// Reads the fonts. Starts nothing.
    ///
    /// # Errors
    /// When no font of the renderer's list is installed.
    pub fn new() -> Result<Self, RenderError> {
        let mut made = Self::unhashed()?;
        made.identity.fonts_sha256 = made.renderer.fonts_hash().to_owned();
        Ok(made)
    }

    /// For whoever records no identity: hashing the fonts takes longer than drawing most decks, and
    /// is left out.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn unhashed() -> Result<Self, RenderError> {
        let fonts = FontSet::debian().map_err(|error| RenderError::ToolMissing {
            what: "fonts of the native PPTX renderer".to_owned(),
            reason: error.to_string(),
        })?;
        let renderer = NativeRenderer::new(fonts);
        let identity = RendererIdentity {
            name: "native".to_owned(),
            version: renderer.version().to_owned(),
            executable_sha256: renderer.sources_hash().to_owned(),
            fonts_sha256: String::new(),
            flags: Vec::new(),
            deterministic: true,
        };
        Ok(Self { renderer, identity })
    }

    /// One pass, given up after [`LIMIT`]. A thread cannot be ended from outside: one that is given
    /// up runs on until the process ends, which is better than a run that never does.
    fn once(&self, deck: &Deck, options: &RenderOptions) -> Result<Rendering, RenderError> {
        let (sender, receiver) = channel();
        let (worker, job, asked) = (self.clone(), deck.clone(), options.clone());
        let started = std::thread::Builder::new()
            .name("native-pptx".to_owned())
            .spawn(move || {
                // Nobody listens any more when the deck was given up.
                let _ = sender.send(worker.draw(&job, &asked));
            });
        started.map_err(|source| RenderError::io("start a thread", source))?;
        let path = deck.entry_path();
        receiver.recv_timeout(LIMIT).unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => RenderError::DeckTimeout {
                    path,
                    what: "the native renderer".to_owned(),
                    seconds: LIMIT.as_secs(),
                },
                RecvTimeoutError::Disconnected => RenderError::DeckCrash {
                    path,
                    reason: "the native renderer panicked".to_owned(),
                },
            })
        })
    }

    fn draw(&self, deck: &Deck, options: &RenderOptions) -> Result<Rendering, RenderError> {
        let path = deck.entry_path();
        let bytes = read(&path)?;
        let bad = |reason: String| RenderError::BadOutput {
            path: path.clone(),
            reason,
        };
        let selection = options.slides.as_ref();
        // Each picture is encoded before the next is drawn, for pixels take much more room.
        let mut slides = Vec::new();
        let mut diagnostics = Vec::new();
        let wanted = |number| selection.is_none_or(|slides| slides.contains(number));
        let counted = self
            .renderer
            .render_each(&bytes, wanted, |slide| {
                let (number, picture) = (slide.number, picture(slide.number, slide.rgb));
                slides.push(picture.map_err(|error| bad(format!("slide {number}: {error}"))));
                let remark =
                    |d: deckproof_pptx::Diagnostic| Diagnostic::slide(number, d.code, d.message);
                diagnostics.extend(slide.diagnostics.into_iter().map(remark));
            })
            .map_err(|error| bad(error.to_string()))?;
        options.within(&path, counted.total)?;
        let slides = slides.into_iter().collect::<Result<Vec<_>, _>>()?;
        if slides.is_empty() {
            return Err(none(&path, options, counted));
        }
        let facts = options
            .facts
            .then(|| {
                let package = Package::open(bytes.clone(), &Limits::default())
                    .map_err(|error| bad(error.to_string()))?;
                crate::facts::pptx::read(&package).map_err(|error| bad(error.to_string()))
            })
            .transpose()?;
        diagnostics.extend(crate::rendering::oddities(&slides));
        Ok(Rendering {
            identity: self.identity.clone(),
            slides,
            slide_count: counted.visible,
            diagnostics,
            compared: crate::Compared::default(),
            explanation: vec![
                "visible slides of the presentation part in its order; a picture's number is the slide's place with hidden ones counted"
                    .to_owned(),
            ],
            facts,
            milliseconds: 0,
        })
    }
}

impl Renderer for Native {
    fn identity(&self) -> &RendererIdentity {
        &self.identity
    }

    fn render(&mut self, deck: &Deck, options: &RenderOptions) -> Result<Rendering, RenderError> {
        let start = Instant::now();
        let mut first = self.once(deck, options)?;
        if options.twice {
            first.compared.twice = true;
            let second = self.once(deck, options)?;
            let found = crate::rendering::differences(&first.slides, &second.slides);
            first.diagnostics.extend(found);
        }
        first.milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(first)
    }
}

/// The encoded picture of a slide.
fn picture(number: u32, rgb: Vec<u8>) -> Result<Picture, String> {
    let image = RgbImage::new(CANVAS_W, CANVAS_H, rgb).map_err(|error| error.to_string())?;
    Picture::from_image(number, &image).map_err(|error| error.to_string())
}

/// Why no slide was drawn.
fn none(path: &Path, options: &RenderOptions, counted: Counted) -> RenderError {
    let path = path.to_owned();
    match &options.slides {
        Some(selection) if counted.visible > 0 => RenderError::NoSuchSlide {
            path,
            wanted: selection.to_string(),
            count: counted.visible,
        },
        _ => RenderError::NoSlides {
            path,
            reason: "visible slides of the presentation part".to_owned(),
        },
    }
}

/// The bytes of a regular file of acceptable size.
fn read(path: &Path) -> Result<Vec<u8>, RenderError> {
    let bad = |found: String| RenderError::BadEntry {
        path: path.to_owned(),
        found,
        expected: "a PPTX package of at most 512 MB".to_owned(),
    };
    let metadata = match fs_err::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(RenderError::EntryMissing {
                path: path.to_owned(),
            });
        }
        Err(error) => return Err(bad(error.to_string())),
    };
    if !metadata.is_file() || metadata.len() > MAX_PACKAGE {
        return Err(bad("it is no regular file, or a larger one".to_owned()));
    }
    let mut bytes = Vec::new();
    let opened = fs_err::File::open(path);
    let done = opened.and_then(|file| file.take(MAX_PACKAGE).read_to_end(&mut bytes));
    done.map_err(|error| bad(error.to_string()))?;
    Ok(bytes)
}
