// SPDX-License-Identifier: MIT OR Apache-2.0
//! Device-independent bitmaps to PNG, by way of a BMP file around them.

use std::sync::Arc;

use image::RgbaImage;

use super::reader::Bytes;
use crate::display::Encoded;
use crate::picture::{decode, encode};

/// Which part of a bitmap a record draws, and how.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Use {
    /// Raster operation.
    pub op: u32,
    /// Source x, y, width and height in pixels; an empty one is the whole.
    pub source: [i32; 4],
    /// Whether the source's y counts from the bottom of a bitmap that is stored from the bottom.
    pub from_bottom: bool,
    /// Whether the fourth byte of a 32-bit pixel is its opacity, the colours already multiplied with it.
    pub alpha: bool,
    /// Opacity of the whole, 255 for full.
    pub opacity: u8,
}

/// Encodes a bitmap of an info header (with palette) and its bits.
pub fn encoded(info: &[u8], bits: &[u8], how: &Use) -> Option<Arc<Encoded>> {
    let b = Bytes(info);
    let (head, depth, compression) = if b.u32(0) == 12 {
        (12, b.u16(10), 0)
    } else {
        (b.u32(0), b.u16(14), b.u32(16))
    };
    if compression == 4 || compression == 5 {
        return picture(bits);
    }
    let colors = match (b.u32(32), depth) {
        _ if head == 12 => 1u32 << depth.min(8) & if depth > 8 { 0 } else { u32::MAX },
        (0, 1..=8) => 1 << depth,
        (n, 1..=8) => n.min(256),
        _ => 0,
    };
    let masks = if compression == 3 && head == 40 {
        12
    } else {
        0
    };
    let table = head as usize + masks + colors as usize * if head == 12 { 3 } else { 4 };
    let info = info.get(..table.min(info.len()))?;
    let mut file = Vec::with_capacity(14 + info.len() + bits.len());
    file.extend(b"BM");
    file.extend(
        u32::try_from(14 + info.len() + bits.len())
            .ok()?
            .to_le_bytes(),
    );
    file.extend([0; 4]);
    file.extend(u32::try_from(14 + info.len()).ok()?.to_le_bytes());
    file.extend(info);
    file.extend(bits);
    let mut img = decode::raster(&file).ok()?;
    if depth == 32 {
        fourth_bytes(&mut img, bits, b.i32(8) > 0, how.alpha);
    }
    if let Some(part) = part(&img, how, b.i32(8) > 0) {
        img = part;
    }
    // Masks come in two steps: AND with black where the picture will be, then OR or XOR of the picture on black.
    let clear: Option<u8> = match how.op {
        0x0088_00C6 => Some(255),
        0x00EE_0086 | 0x0066_0046 => Some(0),
        _ => None,
    };
    if let Some(v) = clear {
        for p in img.pixels_mut().filter(|p| p.0[..3] == [v; 3]) {
            p.0[3] = 0;
        }
    }
    if how.opacity < 255 {
        for p in img.pixels_mut() {
            p.0[3] = (u16::from(p.0[3]) * u16::from(how.opacity) / 255) as u8;
        }
    }
    encode::png(&img, false).map(Arc::new)
}

/// The fourth byte of a pixel is padding, or an opacity that the colours were multiplied with.
fn fourth_bytes(img: &mut RgbaImage, bits: &[u8], bottom_up: bool, alpha: bool) {
    let (w, h) = (img.width() as usize, img.height() as usize);
    for (i, p) in img.pixels_mut().enumerate() {
        p.0[3] = 255;
        if !alpha {
            continue;
        }
        let (x, y) = (i % w.max(1), i / w.max(1));
        let row = if bottom_up {
            h.saturating_sub(y + 1)
        } else {
            y
        };
        let a = bits.get((row * w + x) * 4 + 3).copied().unwrap_or(255);
        p.0[3] = a;
        if a > 0 {
            for c in p.0.iter_mut().take(3) {
                *c = (u16::from(*c) * 255 / u16::from(a)).min(255) as u8;
            }
        }
    }
}

/// The source rectangle as a picture of its own; `None` when it is the whole.
fn part(img: &RgbaImage, how: &Use, bottom_up: bool) -> Option<RgbaImage> {
    let (iw, ih) = (i64::from(img.width()), i64::from(img.height()));
    let [x, y, w, h] = how.source.map(i64::from);
    let (w, h) = (w.abs(), h.abs());
    let y = if how.from_bottom && bottom_up {
        ih - y - h
    } else {
        y
    };
    let (x0, y0) = (x.clamp(0, iw), y.clamp(0, ih));
    let (x1, y1) = ((x + w).clamp(0, iw), (y + h).clamp(0, ih));
    if x1 <= x0 || y1 <= y0 || (x1 - x0, y1 - y0) == (iw, ih) {
        return None;
    }
    let at = |v: i64| u32::try_from(v).unwrap_or(0);
    Some(image::imageops::crop_imm(img, at(x0), at(y0), at(x1 - x0), at(y1 - y0)).to_image())
}

fn picture(bytes: &[u8]) -> Option<Arc<Encoded>> {
    encode::png(&decode::raster(bytes).ok()?, false).map(Arc::new)
}
