// SPDX-License-Identifier: MIT OR Apache-2.0
//! How far out anything is drawn.
//!
//! A deck may name any coordinate. A rasterizer counts in fixed point, and what is far outside runs over there: lines
//! come out wrong, and builds with assertions stop. What lies farther away is moved nearer, where it is as invisible as
//! before.

use super::Writer;
use crate::geometry::{Affine, Rect};

/// The farthest that a path's point or a picture's edge is drawn, in pixels: the rasterizer counts whole pixels in 16
/// bits, and a slide is 1280 wide.
const REACH: f64 = 16_000.0;
/// The longest side of a tile, in pixels: each tile is drawn as a picture of its own first, and the canvas is shorter.
const TILE: f64 = 4_096.0;
/// The widest stroke, in pixels: a mitre reaches eight times half of it beyond its point.
const WIDEST: f64 = 4_000.0;

impl Writer {
    /// What may be drawn to, in the units of what is written.
    pub(super) fn reach(&self) -> Rect {
        let square = |at: f64| Rect::new(-at, -at, 2.0 * at, 2.0 * at);
        let Some((map, ..)) = self.canvas else {
            return square(REACH);
        };
        let corners = [
            (-REACH, -REACH),
            (REACH, -REACH),
            (REACH, REACH),
            (-REACH, REACH),
        ];
        let seen = map.inverse().map(|back| {
            let at = corners.map(|(x, y)| back.apply(x, y));
            let (xs, ys) = (at.map(|p| p.0), at.map(|p| p.1));
            let least = |of: [f64; 4]| of.into_iter().fold(f64::INFINITY, f64::min);
            let most = |of: [f64; 4]| of.into_iter().fold(f64::NEG_INFINITY, f64::max);
            let (x, y) = (least(xs), least(ys));
            Rect::new(x, y, most(xs) - x, most(ys) - y)
        });
        let known = |reach: &Rect| {
            [reach.x, reach.y, reach.w, reach.h]
                .iter()
                .all(|v| v.is_finite())
        };
        let plain = || square((REACH / scale(&map)).clamp(0.0, f64::MAX / 4.0));
        seen.filter(known).unwrap_or_else(plain)
    }

    /// The widest stroke in the units of what is written.
    pub(super) fn widest(&self) -> f64 {
        WIDEST / self.scale()
    }

    /// The largest factor from what is written to pixels.
    pub(super) fn scale(&self) -> f64 {
        let known = self.canvas.map_or(self.around, |(map, ..)| scale(&map));
        known.max(f64::MIN_POSITIVE)
    }

    /// The side of a tile under `map`, cut off where its picture would be larger than any canvas.
    pub(super) fn tile_side(&self, side: f64, map: &Affine) -> f64 {
        side.min(TILE / (self.scale() * scale(map)).max(f64::MIN_POSITIVE))
    }

    /// The rectangle, but for what lies beyond [`Self::reach`].
    pub(super) fn within_reach(&self, rect: &Rect) -> Rect {
        let reach = self.reach();
        if reach.contains(rect) {
            return *rect;
        }
        let (x, y) = reach.nearest(rect.x, rect.y);
        let (right, bottom) = reach.nearest(rect.right(), rect.bottom());
        Rect::new(x, y, right - x, bottom - y)
    }
}

fn scale(map: &Affine) -> f64 {
    map.largest_scale().max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(map: Affine) -> Writer {
        Writer {
            canvas: Some((map, 1280.0, 720.0)),
            ..Writer::default()
        }
    }

    #[test]
    fn no_picture_reaches_farther_than_the_rasterizer_counts() {
        let writer = writer(Affine::scale(2.0, 2.0));
        let near = Rect::new(-10.0, 0.0, 500.0, 7_999.0);
        assert_eq!(writer.within_reach(&near), near);
        let far = Rect::new(-10.0, 5.0, 3e10, 20.0);
        assert_eq!(
            writer.within_reach(&far),
            Rect::new(-10.0, 5.0, 8_010.0, 20.0)
        );
    }

    #[test]
    fn far_coordinates_that_a_map_brings_to_the_canvas_stay() {
        let writer = writer(Affine::translate(-1e6, 0.0));
        let seen = Rect::new(1e6, 0.0, 100.0, 50.0);
        assert_eq!(writer.within_reach(&seen), seen);
        assert!(writer.reach().contains(&seen));
        assert_eq!(
            writer.within_reach(&Rect::new(0.0, 0.0, 1e6, 5.0)).x,
            984_000.0
        );
    }

    #[test]
    fn no_tile_is_a_picture_that_fills_the_memory() {
        let writer = writer(Affine::scale(2.0, 2.0));
        assert_eq!(writer.tile_side(1e9, &Affine::scale(4.0, 4.0)), 512.0);
        assert_eq!(writer.tile_side(100.0, &Affine::scale(4.0, 4.0)), 100.0);
        let inner = Writer {
            around: 16.0,
            ..Writer::default()
        };
        assert_eq!(inner.tile_side(1e9, &Affine::IDENTITY), 256.0);
    }

    #[test]
    fn maps_that_lead_nowhere_have_a_reach_too() {
        let nowhere = Affine {
            m: [f64::INFINITY, f64::NAN, 0.0, 1.0, f64::NAN, 0.0],
        };
        for map in [Affine::scale(0.0, 0.5), Affine::scale(0.0, 0.0), nowhere] {
            let reach = writer(map).reach();
            assert!(
                reach.w.is_finite() && reach.right().is_finite(),
                "{reach:?}"
            );
        }
    }
}
