// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes to a picture's colours.

use image::RgbaImage;

use crate::color::Color;
use crate::tree::Recolor;

/// Applies changes in order.
pub fn apply(img: &mut RgbaImage, changes: &[Recolor]) {
    for c in changes {
        for p in img.pixels_mut() {
            let [r, g, b, a] = p.0;
            let from = Color {
                r: f64::from(r) / 255.0,
                g: f64::from(g) / 255.0,
                b: f64::from(b) / 255.0,
                a: f64::from(a) / 255.0,
            };
            let to = one(from, c);
            let q = |v: f64| (v.clamp(0.0, 1.0) * 255.0).round() as u8;
            p.0 = [q(to.r), q(to.g), q(to.b), q(to.a)];
        }
    }
}

fn one(c: Color, change: &Recolor) -> Color {
    let grey = |v: f64| Color {
        r: v,
        g: v,
        b: v,
        a: c.a,
    };
    match change {
        Recolor::Gray => grey(c.luma()),
        Recolor::BiLevel(t) => grey(if c.luma() >= *t { 1.0 } else { 0.0 }),
        Recolor::Duotone(dark, light) => Color {
            a: c.a,
            ..dark.mix(*light, c.luma())
        },
        Recolor::Flat(to) => Color { a: c.a, ..*to },
        Recolor::Lum(bright, contrast) => {
            let slope = if *contrast >= 0.0 {
                1.0 / (1.0 - contrast.min(0.99))
            } else {
                1.0 + contrast
            };
            let f = |v: f64| (v - 0.5) * slope + 0.5 + bright;
            Color {
                r: f(c.r),
                g: f(c.g),
                b: f(c.b),
                a: c.a,
            }
        }
        Recolor::Change(from, to) => {
            let near = |a: f64, b: f64| (a - b).abs() < 0.02;
            if near(c.r, from.r) && near(c.g, from.g) && near(c.b, from.b) {
                Color {
                    a: c.a * to.a,
                    ..*to
                }
            } else {
                c
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_made_transparent_keeps_the_others() {
        let mut img = RgbaImage::from_raw(2, 1, vec![255, 255, 255, 255, 10, 20, 30, 255])
            .expect("two pixels");
        apply(
            &mut img,
            &[Recolor::Change(Color::WHITE, Color::WHITE.with_alpha(0.0))],
        );
        assert_eq!(img.into_raw(), vec![255, 255, 255, 0, 10, 20, 30, 255]);
    }
}
