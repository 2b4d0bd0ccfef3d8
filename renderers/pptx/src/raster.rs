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
    let mut options = usvg::Options::default();
    options.image_href_resolver.resolve_string = Box::new(|_, _| None);
    let tree = usvg::Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
    let (width, height) = (CANVAS_W / SHRINK, CANVAS_H / SHRINK);
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or("no canvas")?;
    pixels.fill(tiny_skia::Color::BLACK);
    let scale = 1.0 / SHRINK as f32;
    let map = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, map, &mut pixels.as_mut());
    let mut rgb = Vec::with_capacity((width * height * 3) as usize);
    for p in pixels.pixels() {
        rgb.extend([p.red(), p.green(), p.blue()]);
    }
    Ok(rgb)
}
