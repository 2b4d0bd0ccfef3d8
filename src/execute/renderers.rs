// SPDX-License-Identifier: MIT OR Apache-2.0
//! The renderers of a run, shared by candidates and baselines alike.

use std::sync::Arc;

use deckproof_renderers::batch::{BatchOptions, Engine};
use deckproof_renderers::native::Native;

/// Renderers that draw PPTX decks with `engine` and HTML decks with Chromium, each started when it
/// is first needed.
#[must_use]
pub fn options(engine: Engine) -> BatchOptions {
    BatchOptions {
        engine,
        native: Some(Arc::new(|| Ok(Box::new(Native::new()?)))),
        ..BatchOptions::default()
    }
}

/// As [`options`], for pictures alone, which name nobody who drew them: nothing is hashed.
#[must_use]
pub fn unhashed(engine: Engine) -> BatchOptions {
    let mut options = options(engine);
    options.browser.hashes = false;
    options.native = Some(Arc::new(|| Ok(Box::new(Native::unhashed()?))));
    options
}
