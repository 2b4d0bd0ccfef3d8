// SPDX-License-Identifier: MIT OR Apache-2.0
//! Device-independent bitmaps to PNG, by way of a BMP file around them.

use std::sync::Arc;

use super::reader::Bytes;
use crate::display::Encoded;
use crate::picture::{decode, encode};

/// Encodes a bitmap of an info header (with palette) and its bits.
pub fn encoded(info: &[u8], bits: &[u8], op: u32) -> Option<Arc<Encoded>> {
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
        // The fourth byte of a plain bitmap is padding.
        for p in img.pixels_mut() {
            p.0[3] = 255;
        }
    }
    // Masks come in two steps: AND with black where the picture will be, then OR or XOR of the picture on black.
    let clear: Option<u8> = match op {
        0x0088_00C6 => Some(255),
        0x00EE_0086 | 0x0066_0046 => Some(0),
        _ => None,
    };
    if let Some(v) = clear {
        for p in img.pixels_mut().filter(|p| p.0[..3] == [v; 3]) {
            p.0[3] = 0;
        }
    }
    encode::png(&img).map(Arc::new)
}

fn picture(bytes: &[u8]) -> Option<Arc<Encoded>> {
    encode::png(&decode::raster(bytes).ok()?).map(Arc::new)
}
