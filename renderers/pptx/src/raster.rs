// SPDX-License-Identifier: MIT OR Apache-2.0
//! SVG to exact 1280x720 RGB pixels by resvg, on one thread, without fonts and without files.

use resvg::{tiny_skia, usvg};

use crate::units::{CANVAS_H, CANVAS_W};

/// Fuzzing draws small pictures: the same ways through resvg at a small part of the cost.
#[allow(unexpected_cfgs, reason = "cargo fuzz sets it")]
const SHRINK: u32 = if cfg!(fuzzing) { 8 } else { 1 };

/// Draws a document on a black canvas.
///
/// # Errors
/// A message when the document cannot be read, which is a fault of ours.
pub fn draw(svg: &str) -> Result<Vec<u8>, String> {
    let tree = read(svg)?;
    let (width, height) = (CANVAS_W / SHRINK, CANVAS_H / SHRINK);
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or("no canvas")?;
    pixels.fill(tiny_skia::Color::BLACK);
    let scale = 1.0 / SHRINK as f32;
    let map = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, map, &mut pixels.as_mut());
    let mut rgb = vec![0; (width * height * 3) as usize];
    for (to, from) in rgb
        .as_chunks_mut::<3>()
        .0
        .iter_mut()
        .zip(pixels.data().as_chunks::<4>().0)
    {
        *to = [from[0], from[1], from[2]];
    }
    Ok(rgb)
}

/// The opacity of a document of this size, one byte a pixel; `None` when it cannot be read.
#[must_use]
pub fn alpha(svg: &str, width: u32, height: u32) -> Option<Vec<u8>> {
    let tree = read(svg).ok()?;
    let mut pixels = tiny_skia::Pixmap::new(width, height)?;
    let map = tiny_skia::Transform::identity();
    resvg::render(&tree, map, &mut pixels.as_mut());
    Some(pixels.pixels().iter().map(|p| p.alpha()).collect())
}

fn read(svg: &str) -> Result<usvg::Tree, String> {
    let mut options = usvg::Options::default();
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    usvg::Tree::from_str(svg, &options).map_err(|e| e.to_string())
}
