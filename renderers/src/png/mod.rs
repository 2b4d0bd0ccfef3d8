// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one encoder and the one strict decoder for pictures.
//!
//! Pictures are evidence and are compared by hash, so a picture has one spelling: 8-bit RGB, sRGB
//! by convention, the canvas in pixels, and only the chunks IHDR, IDAT and IEND. Whatever draws a
//! slide hands over pixels; nobody else writes a PNG.

mod blank;
mod decode;
mod encode;
mod image;

pub use blank::is_blank;
pub use decode::{decode_foreign, decode_strict, decodes_to};
pub use encode::encode;
pub use image::RgbImage;

use thiserror::Error;

use crate::hash::sha256_hex;

/// Why bytes are no picture, or pixels no canvas.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The wrong number of pixels.
    #[error("found {width}x{height} pixels, expected {expected}")]
    Size {
        /// Found width.
        width: u32,
        /// Found height.
        height: u32,
        /// The rule.
        expected: String,
    },
    /// A pixel buffer whose length does not fit its size.
    #[error("found {found} bytes of pixels, expected {expected}")]
    Buffer {
        /// Bytes given.
        found: usize,
        /// Bytes that the size needs.
        expected: usize,
    },
    /// More bytes than any picture of the canvas can have.
    #[error("found {found} bytes, expected at most {limit}")]
    TooLong {
        /// Bytes given.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// No PNG at all, or one that is cut short or damaged.
    #[error("damaged PNG: {0}")]
    Damaged(String),
    /// A PNG that is whole but not in the one spelling.
    #[error("PNG {found}, expected {expected}")]
    Form {
        /// What was found.
        found: String,
        /// What is allowed.
        expected: &'static str,
    },
}

/// The hash of a render set: SHA-256 over one line `index NUL hash LF` for each picture, from 1.
#[must_use]
pub fn render_set_sha256<S: AsRef<str>>(hashes: &[S]) -> String {
    let mut lines = Vec::with_capacity(hashes.len() * 70);
    for (index, hash) in (1_usize..).zip(hashes) {
        lines.extend_from_slice(index.to_string().as_bytes());
        lines.push(0);
        lines.extend_from_slice(hash.as_ref().as_bytes());
        lines.push(b'\n');
    }
    sha256_hex(&lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_hash_is_over_numbered_lines() {
        assert_eq!(
            render_set_sha256(&["aa", "bb"]),
            sha256_hex(b"1\0aa\n2\0bb\n")
        );
        assert_eq!(render_set_sha256::<&str>(&[]), sha256_hex(b""));
        assert_ne!(
            render_set_sha256(&["aa", "bb"]),
            render_set_sha256(&["bb", "aa"])
        );
    }
}
