// SPDX-License-Identifier: MIT OR Apache-2.0
//! The known-bad deck: a baseline's pictures, spoilt so that nobody who looks can miss it.
//!
//! Whoever scores the spoilt deck no lower than the sound one has not looked. The spoiling is a pure
//! function of the pictures, so that an audit makes it again and finds the same bytes.

use deckproof_packets::hash::{FieldHasher, Sha256Hex};
use deckproof_packets::mapping::Side;
use deckproof_packets::store::Store;
use deckproof_renderers::png::{self, RgbImage};

use crate::experiment::records::{BaselineRendered, RenderSet};

/// Edge of the blocks that text drowns in, in pixels.
const BLOCK: usize = 20;
/// How far everything is pushed to the right, out of the slide, as a part of the width.
const SHIFT_DIVISOR: usize = 3;
/// What stands where nothing is left.
const GREY: u8 = 128;

/// A picture that cannot be spoilt.
#[derive(Debug, thiserror::Error)]
pub enum AnchorError {
    /// The picture is not in the store as it was put there.
    #[error(transparent)]
    Store(#[from] deckproof_packets::store::StoreError),
    /// The picture is none.
    #[error("a baseline's picture cannot be spoilt: {0}")]
    Picture(String),
}

/// The pictures of the spoilt copy of a render set.
///
/// # Errors
/// When a picture is not in the store or is no picture.
pub fn spoilt(store: &Store, render: &RenderSet) -> Result<Vec<Vec<u8>>, AnchorError> {
    render
        .slides
        .iter()
        .map(|slide| {
            let image = png::decode_strict(&store.get(&slide.sha256)?)
                .map_err(|error| AnchorError::Picture(error.to_string()))?;
            png::encode(&spoil(&image)).map_err(|error| AnchorError::Picture(error.to_string()))
        })
        .collect()
}

/// What a spoilt copy of the baseline is bound to. Its artifact is none, so the hash names the
/// baseline's under a heading of its own.
///
/// # Errors
/// As [`spoilt`].
pub fn spoilt_side(store: &Store, baseline: &BaselineRendered) -> Result<Side, AnchorError> {
    let pictures = spoilt(store, &baseline.render)?;
    let hashes: Vec<_> = pictures.iter().map(|bytes| Sha256Hex::of(bytes)).collect();
    let hashes: Vec<_> = hashes.iter().map(Sha256Hex::as_str).collect();
    let render_set_sha256 = png::render_set_sha256(&hashes)
        .parse()
        .map_err(|error| AnchorError::Picture(format!("{error}")))?;
    let mut hasher = FieldHasher::new("deckproof.anchor.broken.v1");
    hasher.field(baseline.artifact.tree_sha256.as_str().as_bytes());
    Ok(Side {
        artifact_sha256: hasher.finish(),
        render_set_sha256,
    })
}

/// Coarse blocks, pushed a third out of the slide, the rest grey.
fn spoil(image: &RgbImage) -> RgbImage {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let shift = width / SHIFT_DIVISOR;
    let mut pixels = vec![GREY; width * height * 3];
    let source = image.pixels();
    for (row, line) in pixels.chunks_exact_mut(width * 3).enumerate() {
        for (column, pixel) in line.chunks_exact_mut(3).enumerate().skip(shift) {
            let from = (row / BLOCK * BLOCK * width + (column - shift) / BLOCK * BLOCK) * 3;
            if let Some(block) = source.get(from..from + 3) {
                pixel.copy_from_slice(block);
            }
        }
    }
    RgbImage::new(image.width(), image.height(), pixels).unwrap_or_else(|_| image.clone())
}
