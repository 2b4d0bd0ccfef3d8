// SPDX-License-Identifier: MIT OR Apache-2.0
//! No point of a metafile lies many pictures away from the picture.
//!
//! A recording may name any 32-bit coordinate. A rasterizer counts in fixed point, and what is far
//! outside runs over there: lines come out wrong, and builds with assertions stop. What lies farther
//! away than [`REACH`] is moved to that distance, where it is as invisible as before.

use super::Drawing;
use crate::display::{Group, Item, Stroke};
use crate::geometry::{Path, Rect};

/// How far beyond the picture a point may lie, in sizes of the picture. Times a slide's 1280 pixels
/// that stays below the 32,767 at which 16 bits of whole pixels end.
const REACH: f64 = 16.0;

/// Moves far points nearer.
pub(super) fn bound(drawing: &mut Drawing) {
    let Rect { x, y, w, h } = drawing.bounds;
    let (dx, dy) = (w.abs() * REACH, h.abs() * REACH);
    let reach = Reach {
        x: (x.min(x + w) - dx, x.max(x + w) + dx),
        y: (y.min(y + h) - dy, y.max(y + h) + dy),
        width: dx.max(dy),
    };
    let known = [reach.x.0, reach.x.1, reach.y.0, reach.y.1];
    if known.iter().all(|edge| edge.is_finite()) {
        reach.items(&mut drawing.items);
    }
}

struct Reach {
    x: (f64, f64),
    y: (f64, f64),
    width: f64,
}

impl Reach {
    fn items(&self, items: &mut [Item]) {
        for item in items {
            match item {
                Item::Path { path, stroke, .. } => {
                    self.path(path);
                    if let Some(Stroke { width, .. }) = stroke {
                        *width = width.min(self.width);
                    }
                }
                Item::Group(Group {
                    map, clip, items, ..
                }) if map.is_identity() => {
                    if let Some(clip) = clip {
                        self.path(clip);
                    }
                    self.items(items);
                }
                Item::Image { .. } | Item::Group(_) => {}
            }
        }
    }

    fn path(&self, path: &mut Path) {
        let (near_x, near_y) = (
            |x: f64| x.clamp(self.x.0, self.x.1),
            |y: f64| y.clamp(self.y.0, self.y.1),
        );
        *path = path.moved(|x, y| (near_x(x), near_y(y)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Step;

    #[test]
    fn far_points_come_nearer_and_near_ones_stay() {
        let steps = vec![
            Step::Move(5.0, -159.0),
            Step::Line(1e9, -1e9),
            Step::Cubic(1.0, 2.0, -1e12, 3.0, 4.0, 1e12),
            Step::Close,
        ];
        let path = Item::Path {
            path: Path { steps },
            fill: None,
            stroke: None,
            even_odd: false,
        };
        let inner = Group {
            items: vec![path],
            ..Group::default()
        };
        let mut drawing = Drawing {
            items: vec![Item::Group(inner)],
            bounds: Rect {
                x: 0.0,
                y: 0.0,
                w: 20.0,
                h: 10.0,
            },
            size: (20.0, 10.0),
        };
        bound(&mut drawing);
        let Some(Item::Group(group)) = drawing.items.first() else {
            panic!("the group is gone");
        };
        let Some(Item::Path { path, .. }) = group.items.first() else {
            panic!("the path is gone");
        };
        let expected = vec![
            Step::Move(5.0, -159.0),
            Step::Line(340.0, -160.0),
            Step::Cubic(1.0, 2.0, -320.0, 3.0, 4.0, 170.0),
            Step::Close,
        ];
        assert_eq!(path.steps, expected);
    }
}
