// SPDX-License-Identifier: MIT OR Apache-2.0
//! What text layout needs from one render to the next: fonts, the shaper's caches, and the notes it takes.

use parley_engine::{Analysis, Analyzer, ShapedText, Shaper};

use crate::fonts::select::Selector;
use crate::fonts::set::FontSet;

/// Shapes text with one font set.
#[derive(Debug)]
pub struct TextEngine {
    /// The fonts.
    pub set: FontSet,
    /// Choices of faces.
    pub selector: Selector,
    pub(super) analyzer: Analyzer,
    pub(super) analysis: Analysis,
    pub(super) shaper: Shaper,
    pub(super) shaped: ShapedText,
}

impl TextEngine {
    /// An engine over a set.
    #[must_use]
    pub fn new(set: FontSet) -> Self {
        Self {
            set,
            selector: Selector::default(),
            analyzer: Analyzer::new(),
            analysis: Analysis::new(),
            shaper: Shaper::default(),
            shaped: ShapedText::new(),
        }
    }
}
