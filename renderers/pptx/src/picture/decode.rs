// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picture bytes to pixels. What a picture is comes from its bytes, not from its name.

use std::io::{Cursor, Read as _};

use image::{ImageReader, Limits, RgbaImage};
use resvg::{tiny_skia, usvg};

/// Largest side of a decoded picture in pixels.
const MAX_SIDE: u32 = 20_000;
/// Most bytes that decoding one picture may take.
const MAX_BYTES: u64 = 400 << 20;
/// Most bytes of an unpacked SVG or metafile.
const MAX_UNPACKED: u64 = 32 << 20;

/// What picture bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A raster picture that `image` knows.
    Raster,
    /// SVG.
    Svg,
    /// Enhanced metafile.
    Emf,
    /// Windows metafile.
    Wmf,
    /// Something else.
    Unknown,
}

/// Recognises picture bytes.
#[must_use]
pub fn format(bytes: &[u8]) -> Format {
    if bytes.get(40..44) == Some(b" EMF") && bytes.starts_with(&[1, 0, 0, 0]) {
        return Format::Emf;
    }
    if bytes.starts_with(&[0xD7, 0xCD, 0xC6, 0x9A])
        || bytes.starts_with(&[1, 0, 9, 0])
        || bytes.starts_with(&[2, 0, 9, 0])
    {
        return Format::Wmf;
    }
    if image::guess_format(bytes).is_ok() {
        return Format::Raster;
    }
    let head = bytes.get(..bytes.len().min(4_096)).unwrap_or_default();
    if head.windows(4).any(|w| w == b"<svg") {
        return Format::Svg;
    }
    Format::Unknown
}

/// Unpacks gzip, in which `.emz`, `.wmz` and `.svgz` come; other bytes are given back.
#[must_use]
pub fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return None;
    }
    let mut out = Vec::new();
    flate2::read::GzDecoder::new(bytes)
        .take(MAX_UNPACKED)
        .read_to_end(&mut out)
        .ok()?;
    Some(out)
}

/// Decodes a raster picture.
///
/// # Errors
/// The decoder's message, or that a limit was passed.
pub fn raster(bytes: &[u8]) -> Result<RgbaImage, String> {
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|e| e.to_string())?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    reader
        .decode()
        .map(|i| i.to_rgba8())
        .map_err(|e| e.to_string())
}

fn options<'a>() -> usvg::Options<'a> {
    let mut o = usvg::Options::default();
    // Nothing outside the document is ever read.
    o.image_href_resolver.resolve_string = Box::new(|_, _| None);
    o
}

/// Whether an SVG can be drawn as it is: well-formed and without text, for which no fonts are given to the SVG renderer.
#[must_use]
pub fn is_drawable_svg(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    text.len() < 4 << 20
        && !text.contains("<text")
        && !text.contains("foreignObject")
        && usvg::Tree::from_str(text, &options()).is_ok()
}

/// Draws an SVG at a pixel size.
#[must_use]
pub fn svg(bytes: &[u8], width: u32, height: u32) -> Option<RgbaImage> {
    let (width, height) = (width.clamp(1, 2_560), height.clamp(1, 2_560));
    let tree = usvg::Tree::from_data(bytes, &options()).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(width, height)?;
    let size = tree.size();
    let map = tiny_skia::Transform::from_scale(
        width as f32 / size.width(),
        height as f32 / size.height(),
    );
    resvg::render(&tree, map, &mut pixels.as_mut());
    let raw: Vec<u8> = pixels
        .pixels()
        .iter()
        .flat_map(|p| {
            let c = p.demultiply();
            [c.red(), c.green(), c.blue(), c.alpha()]
        })
        .collect();
    RgbaImage::from_raw(width, height, raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_decide_what_a_picture_is() {
        assert_eq!(format(b"\x89PNG\r\n\x1a\n"), Format::Raster);
        assert_eq!(format(b"<?xml version='1.0'?><svg/>"), Format::Svg);
        assert_eq!(format(b"hello"), Format::Unknown);
    }

    #[test]
    fn svg_text_is_left_to_the_fallback_picture() {
        assert!(is_drawable_svg(b"<svg xmlns='http://www.w3.org/2000/svg' width='2' height='2'><path d='M0 0L1 1'/></svg>"));
        assert!(!is_drawable_svg(
            b"<svg xmlns='http://www.w3.org/2000/svg' width='2' height='2'><text>a</text></svg>"
        ));
    }

    #[test]
    fn a_truncated_picture_is_an_error() {
        assert!(raster(b"\x89PNG\r\n\x1a\n\0\0\0").is_err());
    }
}
