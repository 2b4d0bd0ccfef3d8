// SPDX-License-Identifier: MIT OR Apache-2.0
//! Diagnostics: what was approximated, substituted or left out on a slide, each once, in a fixed order.

use std::cell::RefCell;
use std::collections::BTreeSet;

/// One thing a viewer of the picture should know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// A short fixed word, such as `font-substituted`.
    pub code: &'static str,
    /// What it is about.
    pub message: String,
}

/// Collects diagnostics of one slide.
#[derive(Debug, Default)]
pub struct Notes {
    seen: RefCell<BTreeSet<Diagnostic>>,
}

/// Most diagnostics of one slide; a hostile deck could make millions.
const MOST: usize = 200;

impl Notes {
    /// Takes a note once.
    pub fn add(&self, code: &'static str, message: impl Into<String>) {
        let mut seen = self.seen.borrow_mut();
        if seen.len() < MOST {
            let mut message = message.into();
            if message.len() > 300 {
                let end = (0..=300)
                    .rev()
                    .find(|i| message.is_char_boundary(*i))
                    .unwrap_or(0);
                message.truncate(end);
            }
            seen.insert(Diagnostic { code, message });
        }
    }

    /// All notes in order.
    #[must_use]
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.seen.into_inner().into_iter().collect()
    }
}
