// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which renderer draws which deck, and the workers that share the decks.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::html::{BrowserOptions, HtmlRenderer};
use crate::libreoffice::{LibreOffice, LibreOfficeOptions};
use crate::{Deck, Format, RenderError, RenderOptions, Renderer, Rendering};

/// What draws PPTX decks. HTML decks are always drawn by Chromium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Deckproof's own renderer.
    Native,
    /// LibreOffice, as a second opinion.
    LibreOffice,
}

/// Makes native renderers.
pub type Native = Arc<dyn Fn() -> Result<Box<dyn Renderer>, RenderError> + Send + Sync>;

/// How a batch is drawn.
#[derive(Clone)]
pub struct BatchOptions {
    /// What is asked of every deck.
    pub render: RenderOptions,
    /// What draws PPTX decks.
    pub engine: Engine,
    /// Makes the native renderer; `None` when this build has none.
    pub native: Option<Native>,
    /// How browsers are run.
    pub browser: BrowserOptions,
    /// How LibreOffice is run.
    pub libreoffice: LibreOfficeOptions,
    /// Decks drawn at the same time, each worker with a browser of its own; 0 for one per core.
    pub workers: usize,
}

impl Default for BatchOptions {
    fn default() -> Self {
        Self {
            render: RenderOptions::default(),
            engine: Engine::LibreOffice,
            native: None,
            browser: BrowserOptions::default(),
            libreoffice: LibreOfficeOptions::default(),
            workers: 0,
        }
    }
}

impl fmt::Debug for BatchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchOptions")
            .field("render", &self.render)
            .field("engine", &self.engine)
            .field("native", &self.native.is_some())
            .field("browser", &self.browser)
            .field("libreoffice", &self.libreoffice)
            .field("workers", &self.workers)
            .finish()
    }
}

/// One of each renderer, started when first needed.
pub struct Renderers {
    options: BatchOptions,
    html: Option<HtmlRenderer>,
    pptx: Option<Box<dyn Renderer>>,
}

impl fmt::Debug for Renderers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderers")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Renderers {
    /// Starts nothing yet.
    #[must_use]
    pub fn new(options: BatchOptions) -> Self {
        Self {
            options,
            html: None,
            pptx: None,
        }
    }

    /// Draws one deck with the renderer of its format.
    ///
    /// # Errors
    /// As [`Renderer::render`], and when the renderer cannot be had.
    pub fn render(&mut self, deck: &Deck) -> Result<Rendering, RenderError> {
        let options = self.options.render.clone();
        self.of(deck.format)?.render(deck, &options)
    }

    /// The renderer of a format.
    ///
    /// # Errors
    /// When a program that it needs is absent or does not start.
    pub fn of(&mut self, format: Format) -> Result<&mut dyn Renderer, RenderError> {
        match format {
            Format::Html => {
                if self.html.is_none() {
                    self.html = Some(HtmlRenderer::new(self.options.browser.clone())?);
                }
                self.html
                    .as_mut()
                    .map(|html| html as &mut dyn Renderer)
                    .ok_or_else(lost)
            }
            Format::Pptx => {
                if self.pptx.is_none() {
                    self.pptx = Some(pptx(&self.options)?);
                }
                match self.pptx.as_deref_mut() {
                    Some(renderer) => Ok(renderer),
                    None => Err(lost()),
                }
            }
        }
    }
}

fn pptx(options: &BatchOptions) -> Result<Box<dyn Renderer>, RenderError> {
    match (options.engine, &options.native) {
        (Engine::LibreOffice, _) => Ok(Box::new(LibreOffice::new(options.libreoffice)?)),
        (Engine::Native, Some(make)) => make(),
        (Engine::Native, None) => Err(RenderError::ToolMissing {
            what: "the native PPTX renderer".to_owned(),
            reason: "this build has none; choose libreoffice".to_owned(),
        }),
    }
}

fn lost() -> RenderError {
    RenderError::ToolFailed {
        what: "a renderer".to_owned(),
        reason: "not started".to_owned(),
    }
}

/// Draws all decks and hands each result to `done`, in the order of the decks, as soon as it and
/// all before it are there. A deck that fails does not stop the others.
pub fn render_decks(
    decks: &[Deck],
    options: &BatchOptions,
    mut done: impl FnMut(usize, Result<Rendering, RenderError>),
) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let asked = if options.workers == 0 {
        cores
    } else {
        options.workers
    };
    let workers = asked.min(decks.len()).max(1);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(decks, options, next, &sender));
        }
        drop(sender);
        in_order(&results, &mut done);
    });
}

type Result_ = Result<Rendering, RenderError>;

fn work(
    decks: &[Deck],
    options: &BatchOptions,
    next: &AtomicUsize,
    sender: &Sender<(usize, Result_)>,
) {
    let mut renderers = Renderers::new(options.clone());
    loop {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let Some(deck) = decks.get(place) else { return };
        if sender.send((place, renderers.render(deck))).is_err() {
            return;
        }
    }
}

fn in_order(results: &Receiver<(usize, Result_)>, done: &mut impl FnMut(usize, Result_)) {
    let mut waiting = std::collections::BTreeMap::new();
    let mut place = 0;
    for (at, result) in results {
        waiting.insert(at, result);
        while let Some(result) = waiting.remove(&place) {
            done(place, result);
            place += 1;
        }
    }
    // A worker that panicked took its deck with it; the others are still told.
    for (at, result) in waiting {
        done(at, result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RendererIdentity;

    struct Fake(RendererIdentity);

    impl Renderer for Fake {
        fn identity(&self) -> &RendererIdentity {
            &self.0
        }

        fn render(&mut self, deck: &Deck, _: &RenderOptions) -> Result<Rendering, RenderError> {
            // Early decks take longest, so that results arrive out of order.
            let place: u64 = deck.entry.parse().unwrap_or_default();
            std::thread::sleep(std::time::Duration::from_millis(
                20_u64.saturating_sub(place),
            ));
            Err(RenderError::EntryMissing {
                path: deck.entry_path(),
            })
        }
    }

    fn fake() -> Result<Box<dyn Renderer>, RenderError> {
        Ok(Box::new(Fake(RendererIdentity {
            name: "native".into(),
            version: String::new(),
            executable_sha256: String::new(),
            fonts_sha256: String::new(),
            flags: Vec::new(),
            deterministic: true,
        })))
    }

    #[test]
    fn results_come_in_the_order_of_the_decks() {
        let decks: Vec<Deck> = (0..20)
            .map(|n| Deck::new("/r", format!("{n}"), Format::Pptx))
            .collect();
        for workers in [1, 3] {
            let native: Native = Arc::new(fake);
            let options = BatchOptions {
                engine: Engine::Native,
                native: Some(native),
                workers,
                ..Default::default()
            };
            let mut seen = Vec::new();
            render_decks(&decks, &options, |place, result| {
                seen.push((place, result.unwrap_err().to_string()));
            });
            let expected: Vec<(usize, String)> = (0..20)
                .map(|n| {
                    (
                        n,
                        format!("/r/{n}: not found, expected the deck's entry file"),
                    )
                })
                .collect();
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn a_build_without_native_renderer_says_so() {
        let options = BatchOptions {
            engine: Engine::Native,
            ..Default::default()
        };
        let error = Renderers::new(options)
            .render(&Deck::new("/", "x", Format::Pptx))
            .unwrap_err();
        assert!(error.is_infrastructure() && error.to_string().contains("native"));
    }
}
