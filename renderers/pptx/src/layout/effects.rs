// SPDX-License-Identifier: MIT OR Apache-2.0
//! Effects as filtered copies: shadow, glow and reflection behind, soft edges and blur on the thing itself.

use crate::display::{Filter, Group, Item};
use crate::geometry::{Affine, Rect};
use crate::layout::Layouter;
use crate::tree::{Effects, Reflection, Shadow};
use crate::units::pt;

/// Blur radius of DrawingML to standard deviation.
const SIGMA: f64 = 1.0 / 3.0;

impl Layouter<'_> {
    /// Pushes an item with its effects.
    pub fn with_effects(&mut self, item: Item, e: &Effects, rot: f64, out: &mut Vec<Item>) {
        if e.is_empty() {
            out.push(item);
            return;
        }
        let inner = e.inner_shadow.map(|s| {
            let (dx, dy) = offset(&s, rot);
            Filter::Inner(s.color, pt(s.blur) * SIGMA, (dx, dy))
        });
        let own = e
            .soft_edge
            .map(|r| Filter::SoftEdge(pt(r)))
            .or(e.blur.map(|r| Filter::Blur(pt(r) * SIGMA)))
            .or(inner);
        let item = match own {
            Some(f) => Item::Group(Group {
                filter: Some(f),
                items: vec![item],
                ..Group::default()
            }),
            None => item,
        };
        if let Some(s) = e.shadow {
            out.push(shadow(&item, &s, rot));
        }
        if let Some((r, c)) = e.glow {
            out.push(Item::Group(Group {
                filter: Some(Filter::Glow(c, pt(r))),
                items: vec![item.clone()],
                ..Group::default()
            }));
        }
        if let Some(r) = e.reflection {
            out.extend(reflection(&item, item.bounds(), &r));
        }
        out.push(item);
    }
}

fn offset(s: &Shadow, rot: f64) -> (f64, f64) {
    let dir = (s.dir + if s.rot_with_shape { rot } else { 0.0 }).to_radians();
    (pt(s.dist) * dir.cos(), pt(s.dist) * dir.sin())
}

fn shadow(item: &Item, s: &Shadow, rot: f64) -> Item {
    let (dx, dy) = offset(s, rot);
    let b = item.bounds().unwrap_or_default();
    let (ax, ay) = (b.x + b.w * s.anchor.0, b.y + b.h * s.anchor.1);
    let skew = Affine {
        m: [
            1.0,
            s.skew.1.to_radians().tan(),
            s.skew.0.to_radians().tan(),
            1.0,
            0.0,
            0.0,
        ],
    };
    let map = Affine::translate(ax + dx, ay + dy)
        .then_inner(&skew)
        .then_inner(&Affine::scale(s.scale.0, s.scale.1))
        .then_inner(&Affine::translate(-ax, -ay));
    let tinted = Group {
        filter: Some(Filter::Tint(s.color, pt(s.blur) * SIGMA)),
        items: vec![item.clone()],
        ..Group::default()
    };
    Item::mapped(map, vec![Item::Group(tinted)])
}

/// The mirror image of an item below the bottom edge of `bounds`.
pub(super) fn reflection(item: &Item, bounds: Option<Rect>, r: &Reflection) -> Option<Item> {
    let b = bounds?;
    let k = -r.scale_y.abs().max(0.01);
    // Mirrored about the bottom edge, then moved down by the distance.
    let y0 = b.bottom() + pt(r.dist);
    let map = Affine {
        m: [1.0, 0.0, 0.0, k, 0.0, y0 - k * b.bottom()],
    };
    let at = |p: f64| b.bottom() - p * b.h;
    let fade = Some([(at(r.pos.0), r.alpha.0), (at(r.pos.1), r.alpha.1)]);
    let faded = Item::Group(Group {
        fade,
        items: vec![item.clone()],
        ..Group::default()
    });
    let filter = (r.blur > 0.0).then(|| Filter::Blur(pt(r.blur) * SIGMA));
    Some(Item::Group(Group {
        map,
        filter,
        items: vec![faded],
        ..Group::default()
    }))
}
