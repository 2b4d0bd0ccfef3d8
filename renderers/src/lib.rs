// SPDX-License-Identifier: MIT OR Apache-2.0
//! Turns decks into exact 1280x720 PNGs and into facts that checks can ask.
//!
//! Everything downstream (checks, packets, reviews) sees a deck only through this crate, so the
//! promises stand here: one picture per slide in deck order, exactly the canvas in pixels, encoded
//! by one encoder so that equal pixels are equal bytes, and the renderer's identity beside them.
//! [`Renderer`] is the seam: HTML by headless Chromium, PPTX natively or by LibreOffice.

pub mod batch;
pub mod compare;
mod deck;
mod error;
pub mod facts;
pub mod fonts;
mod hash;
pub mod html;
mod identity;
pub mod libreoffice;
pub mod native;
pub mod png;
mod rendering;
mod selection;

pub use deck::{CANVAS_HEIGHT, CANVAS_WIDTH, Deck, Format};
pub use error::RenderError;
pub use hash::{sha256_file, sha256_hex};
pub use identity::RendererIdentity;
pub use rendering::{
    Compared, DIFFERS_BY_VIEWER, Diagnostic, NOT_DETERMINISTIC, NOT_DRAWN, Picture, RenderOptions,
    Renderer, Rendering, Step,
};
pub use selection::{SelectionError, SlideSelection};
