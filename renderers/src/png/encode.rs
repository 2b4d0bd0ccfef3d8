// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one encoder. Its settings are part of what a picture's hash means: change nothing lightly.

use super::{PngError, RgbImage};
use crate::{CANVAS_HEIGHT, CANVAS_WIDTH};

/// Encodes a canvas as 8-bit RGB without any chunk but IHDR, IDAT and IEND.
///
/// The compressor is `fdeflate`, which has one implementation whatever features other crates turn
/// on, so equal pixels give equal bytes in every build of one lock file.
///
/// # Errors
/// When the image is not exactly the canvas.
pub fn encode(image: &RgbImage) -> Result<Vec<u8>, PngError> {
    if (image.width(), image.height()) != (CANVAS_WIDTH, CANVAS_HEIGHT) {
        return Err(PngError::Size {
            width: image.width(),
            height: image.height(),
            expected: format!("{CANVAS_WIDTH}x{CANVAS_HEIGHT}"),
        });
    }
    let mut bytes = Vec::with_capacity(1 << 18);
    write(&mut bytes, image).map_err(|error| PngError::Damaged(error.to_string()))?;
    Ok(bytes)
}

fn write(bytes: &mut Vec<u8>, image: &RgbImage) -> Result<(), ::png::EncodingError> {
    let mut encoder = ::png::Encoder::new(bytes, image.width(), image.height());
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.set_deflate_compression(::png::DeflateCompression::FdeflateUltraFast);
    encoder.set_filter(::png::Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(image.pixels())?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::super::decode_strict;
    use super::*;

    fn pattern(seed: u32) -> RgbImage {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        };
        let pixels = (0..1280 * 720 * 3).map(|_| next()).collect();
        RgbImage::new(1280, 720, pixels).unwrap()
    }

    #[test]
    fn pixels_survive_and_bytes_repeat() {
        for image in [pattern(1), RgbImage::filled(1280, 720, [1, 200, 30])] {
            let bytes = encode(&image).unwrap();
            assert_eq!(bytes, encode(&image).unwrap());
            assert_eq!(decode_strict(&bytes).unwrap(), image);
        }
    }

    #[test]
    fn another_size_is_refused() {
        let error = encode(&RgbImage::filled(1280, 719, [0; 3])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "found 1280x719 pixels, expected 1280x720"
        );
    }

    #[test]
    fn the_spelling_of_a_white_canvas_is_pinned() {
        // A change here changes every render hash ever recorded: it is a new renderer version.
        let bytes = encode(&RgbImage::filled(1280, 720, [255; 3])).unwrap();
        assert_eq!(
            crate::sha256_hex(&bytes),
            "c824a12341a8cadf18daf7b99b3c623c64e932e18a2f298bd13d03ae66fda135"
        );
    }
}
