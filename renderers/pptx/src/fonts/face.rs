// SPDX-License-Identifier: MIT OR Apache-2.0
//! One face of the set: its bytes, read when first needed, and the few metrics that layout asks for.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use fontique::{Blob, Synthesis};
use skrifa::raw::TableProvider;
use skrifa::{FontRef, MetadataProvider};

use super::catalog::Known;

/// A font file of the set.
#[derive(Debug)]
pub struct FontFile {
    /// Where it is.
    pub path: PathBuf,
    bytes: OnceLock<Option<Blob<u8>>>,
}

impl FontFile {
    /// A file by its path.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            bytes: OnceLock::new(),
        }
    }
    /// A file that is in memory alone.
    #[must_use]
    pub fn in_memory(bytes: Vec<u8>) -> Self {
        Self {
            path: PathBuf::new(),
            bytes: OnceLock::from(Some(Blob::from(bytes))),
        }
    }
    /// The bytes when something has needed them already.
    #[must_use]
    pub fn loaded(&self) -> Option<&[u8]> {
        self.bytes.get()?.as_ref().map(AsRef::as_ref)
    }
    /// The bytes, or `None` when the file has gone since the set was made.
    #[must_use]
    pub fn bytes(&self) -> Option<&Blob<u8>> {
        self.bytes
            .get_or_init(|| std::fs::read(&self.path).ok().map(Blob::from))
            .as_ref()
    }
}

/// Vertical metrics as fractions of the size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertical {
    /// OS/2 usWinAscent.
    pub ascent: f64,
    /// OS/2 usWinDescent.
    pub descent: f64,
    /// Underline position below the baseline.
    pub underline: f64,
    /// Underline thickness.
    pub underline_width: f64,
    /// Height of the strike-through line.
    pub strike: f64,
}

/// A face of the set.
#[derive(Debug)]
pub struct Face {
    /// What it is.
    pub known: Known,
    /// Its file.
    pub file: Arc<FontFile>,
    /// Nothing is ever synthesised by the shaper.
    pub synthesis: Synthesis,
    vertical: OnceLock<Vertical>,
}

/// The family of faces that decks carry themselves; they are found by the deck's name for them.
pub const EMBEDDED: &str = "";

impl Face {
    /// A face in a file.
    #[must_use]
    pub fn new(known: Known, file: Arc<FontFile>) -> Self {
        Self {
            known,
            file,
            synthesis: Synthesis::default(),
            vertical: OnceLock::new(),
        }
    }

    /// The font, when its file reads as one.
    #[must_use]
    pub fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(self.file.bytes()?.as_ref(), self.known.index).ok()
    }

    /// Whether a character has a glyph.
    #[must_use]
    pub fn covers(&self, c: char) -> bool {
        self.font()
            .and_then(|f| f.charmap().map(c))
            .is_some_and(|g| g.to_u32() != 0)
    }

    /// Vertical metrics.
    #[must_use]
    pub fn vertical(&self) -> Vertical {
        *self
            .vertical
            .get_or_init(|| self.font().map_or(FALLBACK, |f| read_vertical(&f)))
    }
}

const FALLBACK: Vertical = Vertical {
    ascent: 0.9,
    descent: 0.25,
    underline: 0.1,
    underline_width: 0.05,
    strike: 0.28,
};

fn read_vertical(f: &FontRef<'_>) -> Vertical {
    let upem = f64::from(f.head().map_or(1000, |h| h.units_per_em()).max(1));
    let mut v = FALLBACK;
    if let Ok(os2) = f.os2() {
        v.ascent = f64::from(os2.us_win_ascent()) / upem;
        v.descent = f64::from(os2.us_win_descent()) / upem;
        v.strike = f64::from(os2.y_strikeout_position()) / upem;
    }
    if let Ok(post) = f.post() {
        v.underline = -f64::from(post.underline_position().to_i16()) / upem;
        v.underline_width = f64::from(post.underline_thickness().to_i16()) / upem;
    }
    if v.ascent + v.descent <= 0.0 {
        v.ascent = FALLBACK.ascent;
        v.descent = FALLBACK.descent;
    }
    v
}
