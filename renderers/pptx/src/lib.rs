// SPDX-License-Identifier: MIT OR Apache-2.0
//! The native PPTX renderer: a deck's bytes to exact 1280x720 pictures, without an office suite.
//!
//! A deck passes five stages, each testable alone: the package is opened within limits (`deckproof-package`); `resolve`
//! settles every inheritance and makes a plain tree in EMU; `layout` places text, tables and charts and makes a display
//! list in points; `svg` writes that as a document anyone can open; resvg draws it. After `resolve` nothing knows
//! PowerPoint's XML, and after `layout` nothing knows PowerPoint. Equal bytes and equal fonts give equal pixels.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let renderer = deckproof_pptx::NativeRenderer::new(deckproof_pptx::FontSet::debian()?);
//! for slide in renderer.render(&std::fs::read("deck.pptx")?)?.slides {
//!     println!("slide {} has {} notes", slide.number, slide.diagnostics.len());
//! }
//! # Ok(())
//! # }
//! ```

mod chart;
mod color;
mod diag;
mod display;
mod fonts;
mod geometry;
mod layout;
mod metafile;
mod picture;
mod raster;
mod render;
mod resolve;
mod svg;
mod text;
mod tree;
mod units;
mod xml;

pub use diag::Diagnostic;
pub use fonts::set::{FontError, FontSet};
pub use render::{Counted, NativeRenderer, RenderError, Rendered, RenderedSlide};
pub use units::{CANVAS_H, CANVAS_W};
