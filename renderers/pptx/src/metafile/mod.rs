// SPDX-License-Identifier: MIT OR Apache-2.0
//! EMF and WMF pictures, played into the display list.
//!
//! Both are recordings of GDI calls: `gdi` keeps the device context and makes items, `emf` and `wmf` decode records.

pub mod code_page;
mod dib;
mod emf;
mod gdi;
mod reader;
mod wmf;

use crate::display::Item;
use crate::geometry::Rect;
use crate::layout::Layouter;
use crate::picture::decode::{Format, format};

/// A played metafile.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// What it draws, in its own units.
    pub items: Vec<Item>,
    /// The part of its plane that the picture shows.
    pub bounds: Rect,
    /// Its natural size in points.
    pub size: (f64, f64),
}

/// Plays a metafile; `None` when it is damaged from the start.
pub fn play(bytes: &[u8], l: &mut Layouter<'_>) -> Option<Drawing> {
    match format(bytes) {
        Format::Emf => emf::play(bytes, l),
        Format::Wmf => wmf::play(bytes, l),
        _ => None,
    }
}
