// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pictures of one slide: the same files, cut and visible in the same way. A picture may become another when the
//! spec says that the slide shows that asset.

use deckproof_packets::hash::Sha256Hex;
use deckproof_renderers::facts::{ImageFact, SlideFacts};

use crate::checks::outcome::quoted;

/// What differs between the pictures of two slides. `declared` are the hashes of the assets that the slide must show.
pub(super) fn problems(old: &SlideFacts, new: &SlideFacts, declared: &[&Sha256Hex]) -> Vec<String> {
    if old.images.len() != new.images.len() {
        return vec![format!(
            "found {} pictures, expected {}",
            new.images.len(),
            old.images.len()
        )];
    }
    let pairs = old.images.iter().zip(&new.images).zip(1..);
    pairs
        .filter_map(|((old, new), number)| difference(old, new, number, declared))
        .collect()
}

fn difference(
    old: &ImageFact,
    new: &ImageFact,
    number: usize,
    declared: &[&Sha256Hex],
) -> Option<String> {
    let is_declared = new
        .sha256
        .as_deref()
        .is_some_and(|hash| declared.iter().any(|known| known.as_str() == hash));
    // Without a file there is nothing but the source to go by.
    let same = old.sha256 == new.sha256 && (old.sha256.is_some() || old.source == new.source);
    let name = quoted(&new.source);
    if !same && !is_declared {
        Some(format!(
            "picture {number} ({name}) is another one than before"
        ))
    } else if old.crop != new.crop && same {
        Some(format!("picture {number} ({name}) is cropped otherwise"))
    } else if old.visible && !new.visible {
        Some(format!("picture {number} ({name}) can no longer be seen"))
    } else if new.visible && !old.visible {
        Some(format!("picture {number} ({name}) can be seen now"))
    } else {
        None
    }
}
