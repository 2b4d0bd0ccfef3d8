// SPDX-License-Identifier: MIT OR Apache-2.0
//! The renderer: a deck's bytes to one picture per visible slide.

use std::panic::{AssertUnwindSafe, catch_unwind};

use deckproof_package::{Limits, Package, PackageError};

use crate::diag::{Diagnostic, Notes};
use crate::display::Item;
use crate::fonts::set::FontSet;
use crate::geometry::{Affine, Path, Rect};
use crate::layout::{Layouter, PictureCache};
use crate::resolve::context::{Lookup as _, Parts};
use crate::resolve::embedded_fonts;
use crate::resolve::slide::{self, Sources};
use crate::text::engine::TextEngine;
use crate::units::{CANVAS_H, CANVAS_W, pt};
use crate::xml::Xml;
use crate::{raster, svg};

/// Draws PPTX decks with one font set.
#[derive(Debug, Clone)]
pub struct NativeRenderer {
    fonts: FontSet,
    limits: Limits,
}

/// The pictures of a deck.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// Visible slides in the order shown; none when all are hidden.
    pub slides: Vec<RenderedSlide>,
    /// How many visible slides the deck has, also when only some were asked for.
    pub visible: u32,
    /// How many slides the deck has, hidden ones counted.
    pub total: u32,
}

/// How many slides a deck has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Visible ones, also when only some were asked for.
    pub visible: u32,
    /// All, hidden ones counted.
    pub total: u32,
}

/// The picture of a slide.
#[derive(Debug, Clone)]
pub struct RenderedSlide {
    /// Place in the presentation, hidden slides counted, from 1.
    pub number: u32,
    /// 1280 x 720 RGB pixels.
    pub rgb: Vec<u8>,
    /// The SVG that was drawn.
    pub svg: String,
    /// What a viewer should know.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a deck was not drawn.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The package does not open.
    #[error(transparent)]
    Package(#[from] PackageError),
    /// The slide size is none.
    #[error(
        "the presentation's slide size is {width} x {height} EMU; expected both positive; repair p:sldSz in the presentation part"
    )]
    SlideSize {
        /// Width in EMU.
        width: i64,
        /// Height in EMU.
        height: i64,
    },
    /// A picture could not be made at all.
    #[error(
        "slide {number}: no picture could be made ({detail}); this is a fault of the renderer; please report the deck"
    )]
    Slide {
        /// Place in the presentation.
        number: u32,
        /// What went wrong.
        detail: String,
    },
}

impl NativeRenderer {
    /// A renderer with these fonts.
    #[must_use]
    pub fn new(fonts: FontSet) -> Self {
        Self {
            fonts,
            limits: Limits::default(),
        }
    }

    /// The same with other limits on packages.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Version of this renderer.
    #[must_use]
    pub fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    /// Hash of the renderer's sources and of the versions of the crates that put pixels down: lower-case SHA-256.
    #[must_use]
    pub fn sources_hash(&self) -> &'static str {
        env!("DECKPROOF_PPTX_SOURCES")
    }

    /// Hash of the fonts in use: lower-case SHA-256.
    #[must_use]
    pub fn fonts_hash(&self) -> &str {
        self.fonts.hash()
    }

    /// Draws every visible slide.
    ///
    /// # Errors
    /// When the package does not open. A deck without visible slides gives no pictures; a slide that is damaged in part is drawn with what is there.
    pub fn render(&self, bytes: &[u8]) -> Result<Rendered, RenderError> {
        self.render_slides(bytes, |_| true)
    }

    /// Draws the visible slides that `wanted` picks by their number.
    ///
    /// # Errors
    /// As [`NativeRenderer::render`].
    pub fn render_slides(
        &self,
        bytes: &[u8],
        wanted: impl Fn(u32) -> bool,
    ) -> Result<Rendered, RenderError> {
        let mut slides = Vec::new();
        let Counted { visible, total } =
            self.render_each(bytes, wanted, |slide| slides.push(slide))?;
        Ok(Rendered {
            slides,
            visible,
            total,
        })
    }

    /// Draws the visible slides that `wanted` picks by their number and hands over one after the other, so that never
    /// more than one of them is in memory.
    ///
    /// # Errors
    /// As [`NativeRenderer::render`].
    pub fn render_each(
        &self,
        bytes: &[u8],
        wanted: impl Fn(u32) -> bool,
        mut each: impl FnMut(RenderedSlide),
    ) -> Result<Counted, RenderError> {
        let package = Package::open(bytes.to_vec(), &self.limits)?;
        let deck = package.presentation();
        if deck.width <= 0 || deck.height <= 0 {
            return Err(RenderError::SlideSize {
                width: deck.width,
                height: deck.height,
            });
        }
        let parts = Parts::new(&package);
        let first = parts
            .shared(&deck.part)
            .and_then(|p| p.doc.root_element().num("firstSlideNum"))
            .unwrap_or(1.0) as i64;
        let presentation = parts.shared(&deck.part);
        let (own, unused) = presentation
            .as_deref()
            .map(|p| embedded_fonts::of_deck(p, &parts))
            .unwrap_or_default();
        let mut engine = TextEngine::new(self.fonts.with_embedded(own));
        let mut pictures = PictureCache::new();
        for (i, s) in deck.slides.iter().enumerate().filter(|(_, s)| !s.hidden) {
            let number = u32::try_from(i + 1).unwrap_or(u32::MAX);
            if !wanted(number) {
                continue;
            }
            let sources = Sources {
                slide: s.part.clone(),
                layout: s.layout.clone(),
                master: s.master.clone(),
                presentation: deck.part.clone(),
                size: (deck.width as f64, deck.height as f64),
                number: first.saturating_add(i as i64),
            };
            let mut slide = one(&parts, &sources, number, &mut engine, &mut pictures)?;
            let embedded = unused.iter().map(|message| Diagnostic {
                code: "font-embedded",
                message: message.clone(),
            });
            slide.diagnostics.extend(embedded);
            each(slide);
        }
        let visible = deck.slides.iter().filter(|s| !s.hidden).count();
        let visible = u32::try_from(visible).unwrap_or(u32::MAX);
        let total = u32::try_from(deck.slides.len()).unwrap_or(u32::MAX);
        Ok(Counted { visible, total })
    }
}

/// Draws one slide. A panic anywhere below becomes a white slide with a diagnostic.
fn one(
    parts: &Parts<'_>,
    src: &Sources,
    number: u32,
    engine: &mut TextEngine,
    pictures: &mut PictureCache,
) -> Result<RenderedSlide, RenderError> {
    let notes = Notes::default();
    for m in engine.set.missing() {
        notes.add("font-missing", format!("font family {m} is not installed"));
    }
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        picture(parts, src, &notes, engine, pictures)
    }));
    let (document, rgb) = match drawn {
        Ok(Ok(ok)) => ok,
        Ok(Err(detail)) => fallback(src, &notes, &detail)
            .map_err(|detail| RenderError::Slide { number, detail })?,
        Err(_) => {
            *engine = TextEngine::new(engine.set.clone());
            fallback(src, &notes, "an internal fault")
                .map_err(|detail| RenderError::Slide { number, detail })?
        }
    };
    for (name, family) in std::mem::take(&mut engine.selector.substituted) {
        notes.add("font-substituted", format!("{name} is drawn with {family}"));
    }
    for (c, ()) in std::mem::take(&mut engine.selector.uncovered) {
        notes.add(
            "glyph-missing",
            format!("no font has U+{:04X}", u32::from(c)),
        );
    }
    Ok(RenderedSlide {
        number,
        rgb,
        svg: document,
        diagnostics: notes.into_list(),
    })
}

fn picture(
    parts: &Parts<'_>,
    src: &Sources,
    notes: &Notes,
    engine: &mut TextEngine,
    pictures: &mut PictureCache,
) -> Result<(String, Vec<u8>), String> {
    let tree = slide::slide(parts, src, notes);
    let (map, k, page) = canvas(src.size);
    let mut layouter = Layouter {
        engine,
        notes,
        pictures,
        scale: k,
        local: tree.local,
    };
    let mut items = layouter.slide(&tree);
    items.extend(letterbox(&map, &page));
    let document = svg::document(&items, &map, CANVAS_W, CANVAS_H);
    let rgb = raster::draw(&document)?;
    Ok((document, rgb))
}

fn fallback(src: &Sources, notes: &Notes, detail: &str) -> Result<(String, Vec<u8>), String> {
    notes.add(
        "slide-failed",
        format!("the slide could not be drawn: {detail}"),
    );
    let (map, _, page) = canvas(src.size);
    let white = Item::filled(
        Path::rect(&page),
        crate::display::Paint::Solid(crate::color::Color::WHITE),
    );
    let document = svg::document(&[white], &map, CANVAS_W, CANVAS_H);
    let rgb = raster::draw(&document)?;
    Ok((document, rgb))
}

/// The black beside the page, over what sticks out of it; nothing where the page fills the canvas. A clip of the whole
/// page would do the same at more than the cost of drawing most slides.
fn letterbox(map: &Affine, page: &Rect) -> Option<Item> {
    let corner = map.apply(0.0, 0.0);
    if corner.0 < 0.001 && corner.1 < 0.001 {
        return None;
    }
    let beyond = (corner.0.max(corner.1) + 1.0) / map.m[0];
    let mut path = Path::rect(&page.grown(beyond));
    path.steps.extend(Path::rect(page).steps);
    Some(Item::Path {
        path,
        fill: Some(crate::display::Paint::Solid(crate::color::Color::BLACK)),
        stroke: None,
        even_odd: true,
    })
}

/// How the slide sits on the canvas: scaled to fit, centred, the rest black.
fn canvas(size: (f64, f64)) -> (Affine, f64, Rect) {
    let (w, h) = (pt(size.0), pt(size.1));
    let (cw, ch) = (f64::from(CANVAS_W), f64::from(CANVAS_H));
    let k = (cw / w).min(ch / h);
    let map =
        Affine::translate((cw - w * k) / 2.0, (ch - h * k) / 2.0).then_inner(&Affine::scale(k, k));
    (map, k, Rect::new(0.0, 0.0, w, h))
}
