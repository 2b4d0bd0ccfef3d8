// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pixels to a PNG that is quick to write and to read, for embedding.

use image::RgbaImage;

use crate::display::Encoded;

/// Encodes; `shrunk` as in [`Encoded`]. Opaque pictures go without their alpha.
#[must_use]
pub fn png(img: &RgbaImage, shrunk: bool) -> Option<Encoded> {
    let (w, h) = img.dimensions();
    let opaque = img.pixels().all(|p| p.0[3] == 255);
    let mut bytes = Vec::new();
    let mut e = png::Encoder::new(&mut bytes, w, h);
    e.set_depth(png::BitDepth::Eight);
    e.set_compression(png::Compression::Fast);
    e.set_color(if opaque {
        png::ColorType::Rgb
    } else {
        png::ColorType::Rgba
    });
    let mut writer = e.write_header().ok()?;
    if opaque {
        let rgb: Vec<u8> = img
            .pixels()
            .flat_map(|p| [p.0[0], p.0[1], p.0[2]])
            .collect();
        writer.write_image_data(&rgb).ok()?;
    } else {
        writer.write_image_data(img.as_raw()).ok()?;
    }
    writer.finish().ok()?;
    Some(Encoded {
        mime: "image/png",
        bytes,
        size: (w, h),
        shrunk,
    })
}
