// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blurred shadows as pictures. A filter would blur four channels of every pixel, at several times the cost of all else on
//! a slide; a shadow has one colour and nothing sharp in it, so its opacity alone, at as few pixels as it needs, does.

use std::sync::Arc;

use image::RgbaImage;

use crate::color::Color;
use crate::display::{Encoded, Filter, Group, Item, bounds};
use crate::geometry::{Affine, Path, Rect};
use crate::picture::encode;
use crate::raster;

/// Deviation of the blur, in pixels of the picture, beyond which fewer pixels do.
const ENOUGH: f64 = 1.5;
/// Most pixels of a side.
const MAX_SIDE: f64 = 2_560.0;

/// A shadow to draw.
#[derive(Debug)]
pub(super) struct Cast {
    image: Arc<Encoded>,
    rect: Rect,
}

impl Cast {
    /// The item that draws it, in the coordinates around the group.
    pub(super) fn placed(self, map: Affine) -> Item {
        let image = Item::Image {
            image: self.image,
            rect: self.rect,
            alpha: 1.0,
        };
        Item::mapped(map, vec![image])
    }
}

/// The picture of a group that is one blurred shadow and nothing else. `canvas` is the map of its items to pixels and the
/// canvas' size.
pub(super) fn picture(g: &Group, canvas: Option<(Affine, f64, f64)>) -> Option<Cast> {
    let Some(Filter::Tint(color, deviation)) = g.filter else {
        return None;
    };
    if g.clip.is_some() || g.opacity.is_some() || g.fade.is_some() || deviation <= 0.0 {
        return None;
    }
    let (map, width, height) = canvas?;
    let [a, b, c, d, ..] = map.m;
    let scale = (a * d - b * c).abs().sqrt();
    let density = scale * (ENOUGH / (deviation * scale)).min(1.0);
    let reach = 3.0 * deviation + 1.0;
    let seen = Path::rect(&Rect::new(0.0, 0.0, width, height))
        .mapped(&map.inverse()?)
        .bounds()?;
    let region = bounds(&g.items)?.grown(reach).common(&seen.grown(reach))?;
    let side = |v: f64| (v * density).ceil().clamp(1.0, MAX_SIDE);
    let (w, h) = (side(region.w), side(region.h));
    // Whole pixels: the picture may reach a little beyond the region.
    let rect = Rect::new(region.x, region.y, w / density, h / density);
    let to = Affine::scale(density, density).then_inner(&Affine::translate(-rect.x, -rect.y));
    let document = super::document(&g.items, &to, w as u32, h as u32);
    let mut alpha = raster::alpha(&document, w as u32, h as u32)?;
    blur(&mut alpha, w as usize, deviation * density);
    let image = encode::png(&tinted(&alpha, w as u32, h as u32, color)?, true)?;
    Some(Cast {
        image: Arc::new(image),
        rect,
    })
}

fn tinted(alpha: &[u8], width: u32, height: u32, c: Color) -> Option<RgbaImage> {
    let [r, g, b] = c.rgb8();
    let pixels = alpha
        .iter()
        .flat_map(|v| [r, g, b, (f64::from(*v) * c.a).round() as u8])
        .collect();
    RgbaImage::from_raw(width, height, pixels)
}

/// Blurs by three boxes, whose widths need not be whole, along both axes: close to a Gauss curve, and nothing but sums
/// and products, so that it is the same on every machine.
fn blur(alpha: &mut [u8], width: usize, deviation: f64) {
    let radius = ((4.0 * deviation * deviation + 1.0).sqrt() - 1.0) / 2.0;
    let height = alpha.len() / width.max(1);
    let mut values: Vec<f32> = alpha.iter().map(|v| f32::from(*v)).collect();
    let mut line = Vec::new();
    for row in values.chunks_exact_mut(width.max(1)) {
        for _ in 0..3 {
            average(row, radius, &mut line);
        }
    }
    let mut column = vec![0.0; height];
    for x in 0..width {
        for (to, from) in column.iter_mut().zip(values.iter().skip(x).step_by(width)) {
            *to = *from;
        }
        for _ in 0..3 {
            average(&mut column, radius, &mut line);
        }
        for (to, from) in values.iter_mut().skip(x).step_by(width).zip(&column) {
            *to = *from;
        }
    }
    for (to, v) in alpha.iter_mut().zip(values) {
        *to = (v + 0.5).clamp(0.0, 255.0) as u8;
    }
}

/// The mean of each value and its neighbours within a radius; the outermost ones count by their share, and there is
/// nothing beyond the ends.
fn average(values: &mut [f32], radius: f64, line: &mut Vec<f32>) {
    let whole = radius as usize;
    let share = (radius - whole as f64) as f32;
    let scale = (1.0 / (2.0 * radius + 1.0)) as f32;
    line.clear();
    line.resize(whole + 1, 0.0);
    line.extend_from_slice(values);
    line.resize(values.len() + 2 * whole + 2, 0.0);
    // Values are whole steps of a float's precision only by chance: the sum starts anew for each place.
    for (window, to) in line.windows(2 * whole + 3).zip(values.iter_mut()) {
        if let [first, inner @ .., last] = window {
            *to = (inner.iter().sum::<f32>() + (first + last) * share) * scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blurred_point_is_a_bell_that_keeps_its_sum() {
        let mut alpha = vec![0; 31 * 31];
        alpha[15 * 31 + 15] = 255;
        alpha[15 * 31 + 16] = 255;
        alpha[16 * 31 + 15] = 255;
        alpha[16 * 31 + 16] = 255;
        let before: u32 = alpha.iter().map(|v| u32::from(*v)).sum();
        blur(&mut alpha, 31, 1.2);
        let after: u32 = alpha.iter().map(|v| u32::from(*v)).sum();
        assert!(before.abs_diff(after) < 40, "{before} became {after}");
        assert_eq!(alpha[15 * 31 + 10], alpha[15 * 31 + 21], "not even");
        assert!(alpha[15 * 31 + 15] < 120 && alpha[15 * 31 + 13] > 5);
    }

    #[test]
    fn what_is_more_than_a_shadow_stays_a_filter() {
        let items = vec![Item::filled(
            Path::rect(&Rect::new(10.0, 10.0, 30.0, 20.0)),
            crate::display::Paint::Solid(Color::BLACK),
        )];
        let shadow = Group {
            filter: Some(Filter::Tint(Color::BLACK, 3.0)),
            items,
            ..Group::default()
        };
        let canvas = Some((Affine::IDENTITY, 100.0, 100.0));
        let cast = picture(&shadow, canvas).expect("a picture");
        assert_eq!(cast.image.size, (25, 20), "half as many pixels a side");
        let faint = Group {
            opacity: Some(0.5),
            ..shadow.clone()
        };
        assert!(picture(&faint, canvas).is_none());
        assert!(picture(&shadow, None).is_none(), "within a tile");
    }
}
