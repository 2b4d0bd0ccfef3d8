// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far two pictures of one slide differ: the mean structural similarity, and the block that differs most.
//!
//! A verdict may hang on the renderer. Two engines draw the same slide, and this says how far apart they are, so that a
//! person knows where to look. It never says which of the two is right.

mod ssim;

use serde::Serialize;
use thiserror::Error;

use crate::png::RgbImage;

/// Side of a block in pixels: the canvas is 16 by 9 of them.
pub const BLOCK: u32 = 80;

/// How far two pictures differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Difference {
    /// Mean structural similarity: 1 for equal pictures, about 0 for unrelated ones, below for inverted ones.
    pub ssim: f64,
    /// The block with the lowest similarity; the first of several, by rows from the top.
    pub worst_block: Block,
}

/// A block of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Block {
    /// Pixels from the left edge.
    pub x: u32,
    /// Pixels from the top edge.
    pub y: u32,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Mean structural similarity of its pixels.
    pub ssim: f64,
}

/// Why two pictures cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CompareError {
    /// They have different sizes.
    #[error("found pictures of {one:?} and {two:?} pixels, expected equal sizes")]
    Sizes {
        /// Width and height of the first.
        one: (u32, u32),
        /// Width and height of the second.
        two: (u32, u32),
    },
    /// They are smaller than the window.
    #[error("found a picture of {found:?} pixels, expected at least {least} each way")]
    Small {
        /// Width and height.
        found: (u32, u32),
        /// Side of the window.
        least: usize,
    },
}

/// Compares two pictures.
///
/// Structural similarity as Wang, Bovik, Sheikh and Simoncelli defined it (2004): a Gaussian window of 11 by 11 pixels with
/// a sigma of 1.5, K1 = 0.01, K2 = 0.03, a range of 255, weighted (not sample) variances, on red, green and blue apart, the
/// mean of the three. Pixels within five of an edge have no whole window and count neither in the mean nor in a block.
///
/// # Errors
/// When the sizes differ or are too small.
pub fn compare(one: &RgbImage, two: &RgbImage) -> Result<Difference, CompareError> {
    let size = (one.width(), one.height());
    if size != (two.width(), two.height()) {
        return Err(CompareError::Sizes {
            one: size,
            two: (two.width(), two.height()),
        });
    }
    let map = ssim::map(one, two).ok_or(CompareError::Small {
        found: size,
        least: ssim::WINDOW,
    })?;
    let ssim = map.mean(0, 0, size.0, size.1).unwrap_or(1.0);
    let mut worst: Option<Block> = None;
    for (x, y) in corners(size) {
        let (width, height) = (BLOCK.min(size.0 - x), BLOCK.min(size.1 - y));
        let Some(ssim) = map.mean(x, y, width, height) else {
            continue;
        };
        if worst.is_none_or(|w| ssim < w.ssim) {
            worst = Some(Block {
                x,
                y,
                width,
                height,
                ssim,
            });
        }
    }
    let whole = Block {
        x: 0,
        y: 0,
        width: size.0,
        height: size.1,
        ssim,
    };
    Ok(Difference {
        ssim,
        worst_block: worst.unwrap_or(whole),
    })
}

/// The top left corners of all blocks, by rows.
fn corners((width, height): (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    let columns = move || (0..width).step_by(BLOCK as usize);
    (0..height)
        .step_by(BLOCK as usize)
        .flat_map(move |y| columns().map(move |x| (x, y)))
}

#[cfg(test)]
mod tests;
