// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain pixels: what renderers draw into and what the encoder takes.

use super::PngError;
use crate::{CANVAS_HEIGHT, CANVAS_WIDTH};

/// Opaque pixels, three bytes each (red, green, blue), rows from the top, no padding.
#[derive(Clone, PartialEq, Eq)]
pub struct RgbImage {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl RgbImage {
    /// An image from its pixels.
    ///
    /// # Errors
    /// When the buffer's length is not `width * height * 3`.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Result<Self, PngError> {
        let expected = byte_count(width, height);
        if pixels.len() != expected {
            return Err(PngError::Buffer {
                found: pixels.len(),
                expected,
            });
        }
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    /// An image of one colour.
    #[must_use]
    pub fn filled(width: u32, height: u32, colour: [u8; 3]) -> Self {
        Self {
            width,
            height,
            pixels: colour.repeat(byte_count(width, height) / 3),
        }
    }

    /// An image from red, green, blue, alpha pixels over an opaque background.
    ///
    /// # Errors
    /// When the buffer's length is not `width * height * 4`.
    pub fn from_rgba_over(
        width: u32,
        height: u32,
        rgba: &[u8],
        background: [u8; 3],
    ) -> Result<Self, PngError> {
        let expected = byte_count(width, height) / 3 * 4;
        if rgba.len() != expected {
            return Err(PngError::Buffer {
                found: rgba.len(),
                expected,
            });
        }
        let mut pixels = Vec::with_capacity(expected / 4 * 3);
        push_over(&mut pixels, rgba, background);
        Ok(Self {
            width,
            height,
            pixels,
        })
    }

    /// Width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All bytes, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The colour at a place, `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let at = (y as usize)
            .checked_mul(self.width as usize)?
            .checked_add(x as usize)?;
        let inside = x < self.width && y < self.height;
        inside
            .then(|| self.pixels.as_chunks::<3>().0.get(at).copied())
            .flatten()
    }

    /// The rows, each `width * 3` bytes.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.pixels.chunks_exact((self.width as usize * 3).max(1))
    }

    /// This image centred on a black canvas. What does not fit is cut off evenly.
    #[must_use]
    pub fn letterboxed(&self) -> Self {
        let mut canvas = Self::filled(CANVAS_WIDTH, CANVAS_HEIGHT, [0, 0, 0]);
        let (left, from_x, columns) = centred(self.width, CANVAS_WIDTH);
        let (top, from_y, rows) = centred(self.height, CANVAS_HEIGHT);
        let stride = CANVAS_WIDTH as usize * 3;
        let targets = canvas.pixels.chunks_exact_mut(stride).skip(top).take(rows);
        for (target, source) in targets.zip(self.rows().skip(from_y)) {
            let source = source.get(from_x * 3..(from_x + columns) * 3);
            let target = target.get_mut(left * 3..(left + columns) * 3);
            if let (Some(target), Some(source)) = (target, source) {
                target.copy_from_slice(source);
            }
        }
        canvas
    }
}

/// Appends red, green, blue, alpha pixels over an opaque background.
pub(super) fn push_over(pixels: &mut Vec<u8>, rgba: &[u8], background: [u8; 3]) {
    let [br, bg, bb] = background;
    let (sources, _) = rgba.as_chunks::<4>();
    let start = pixels.len();
    pixels.resize(start + sources.len() * 3, 0);
    let (targets, _) = pixels.split_at_mut(start).1.as_chunks_mut::<3>();
    for (target, [r, g, b, a]) in targets.iter_mut().zip(sources) {
        *target = match a {
            255 => [*r, *g, *b],
            _ => [blend(*r, br, *a), blend(*g, bg, *a), blend(*b, bb, *a)],
        };
    }
}

impl std::fmt::Debug for RgbImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RgbImage({}x{})", self.width, self.height)
    }
}

/// Where a length lands inside another: offset in the target, offset in the source, how many.
fn centred(from: u32, to: u32) -> (usize, usize, usize) {
    let offset = to.saturating_sub(from) / 2;
    let skip = from.saturating_sub(to) / 2;
    (offset as usize, skip as usize, from.min(to) as usize)
}

fn byte_count(width: u32, height: u32) -> usize {
    (width as usize)
        .saturating_mul(height as usize)
        .saturating_mul(3)
}

fn blend(over: u8, under: u8, alpha: u8) -> u8 {
    let alpha = u32::from(alpha);
    let sum = u32::from(over) * alpha + u32::from(under) * (255 - alpha);
    u8::try_from((sum + 127) / 255).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_must_fit() {
        assert!(RgbImage::new(2, 2, vec![0; 12]).is_ok());
        assert_eq!(
            RgbImage::new(2, 2, vec![0; 11]),
            Err(PngError::Buffer {
                found: 11,
                expected: 12
            })
        );
    }

    #[test]
    fn letterboxing_centres_on_black() {
        let small = RgbImage::filled(960, 720, [9, 8, 7]);
        let canvas = small.letterboxed();
        assert_eq!((canvas.width(), canvas.height()), (1280, 720));
        assert_eq!(canvas.pixel(159, 0), Some([0, 0, 0]));
        assert_eq!(canvas.pixel(160, 0), Some([9, 8, 7]));
        assert_eq!(canvas.pixel(1119, 719), Some([9, 8, 7]));
        assert_eq!(canvas.pixel(1120, 719), Some([0, 0, 0]));
        assert_eq!(canvas.pixel(1280, 0), None);
    }

    #[test]
    fn letterboxing_cuts_evenly() {
        let mut pixels = vec![0; 1282 * 720 * 3];
        pixels[3..6].copy_from_slice(&[1, 2, 3]);
        let canvas = RgbImage::new(1282, 720, pixels).unwrap().letterboxed();
        assert_eq!(canvas.pixel(0, 0), Some([1, 2, 3]));
    }

    #[test]
    fn alpha_goes_over_the_background() {
        let image =
            RgbImage::from_rgba_over(2, 1, &[255, 0, 0, 255, 0, 0, 0, 0], [1, 2, 3]).unwrap();
        assert_eq!(image.pixels(), [255, 0, 0, 1, 2, 3]);
    }
}
