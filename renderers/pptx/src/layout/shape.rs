// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shapes and pictures: outlines filled and lined under their frame's map, then their text.

use crate::display::{Group, Item};
use crate::geometry::preset::{FillMode, ShapePath};
use crate::geometry::{Affine, Path, Rect};
use crate::layout::effects::reflection;
use crate::layout::paint::shaded;
use crate::layout::{Layouter, in_points};
use crate::tree::{Fill, Overlay, Shape};
use crate::units::EMU_PER_PT;

impl Layouter<'_> {
    /// Pushes a shape.
    pub fn shape(&mut self, s: &Shape, out: &mut Vec<Item>) {
        let k = 1.0 / EMU_PER_PT;
        let b = Rect::new(0.0, 0.0, s.frame.rect.w * k, s.frame.rect.h * k);
        let paths: Vec<ShapePath> = s
            .paths
            .iter()
            .map(|p| ShapePath {
                path: p.path.mapped(&Affine::scale(k, k)),
                ..p.clone()
            })
            .collect();
        let mut items = Vec::new();
        for p in &paths {
            let fill = shaded(&s.fill, p.fill);
            if p.fill != FillMode::None && !fill.is_none() {
                let own = fill_box(&fill, b, &p.path);
                let area = self.fill_area(&p.path, &fill, own, s.frame.rot);
                match &s.effects.overlay {
                    None => items.extend(area),
                    Some(over) => {
                        let laid = self.fill_area(&p.path, &over.fill, own, s.frame.rot);
                        items.push(overlaid(area, laid, over));
                    }
                }
            }
            if p.stroke
                && let Some(l) = &s.line
            {
                self.line_items(&p.path, l, b, s.frame.rot, &mut items);
            }
        }
        let text = s
            .text
            .as_ref()
            .map(|t| self.shape_text(s, t))
            .unwrap_or_default();
        let map = in_points(&s.frame.map());
        if items.is_empty() && !s.effects.is_empty() {
            // Nothing is filled or lined: the effects belong to the text.
            let item = Item::Group(Group {
                items: text,
                ..Group::default()
            });
            self.with_effects(item, &s.effects, s.frame.rot, out);
            return;
        }
        if !items.is_empty() {
            let item = Item::mapped(map, items);
            let mut effects = s.effects.clone();
            if let Some(r) = effects.reflection.filter(|_| !text.is_empty()) {
                // What is mirrored is the shape with its text.
                effects.reflection = None;
                let bounds = item.bounds();
                let both = [vec![item.clone()], text.clone()].concat();
                out.extend(reflection(
                    &Item::mapped(Affine::IDENTITY, both),
                    bounds,
                    &r,
                ));
            }
            self.with_effects(item, &effects, s.frame.rot, out);
        }
        out.extend(text);
    }

    fn shape_text(&mut self, s: &Shape, t: &crate::text::model::TextBody) -> Vec<Item> {
        let k = 1.0 / EMU_PER_PT;
        if let Some(own) = &s.text_frame {
            let items = self.text_box(t, Rect::new(0.0, 0.0, own.rect.w * k, own.rect.h * k));
            return if items.is_empty() {
                items
            } else {
                vec![Item::mapped(in_points(&own.map()), items)]
            };
        }
        let f = &s.frame;
        let mut r = s.text_rect.scaled(k);
        let (w, h) = (f.rect.w * k, f.rect.h * k);
        // Text is never mirrored: a vertical flip turns it upside down, and its box is mirrored instead.
        if f.flip_h != f.flip_v {
            r.x = w - r.x - r.w;
        }
        let turn = if t.upright {
            0.0
        } else {
            f.rot + if f.flip_v { 180.0 } else { 0.0 }
        };
        let items = self.text_box(t, r);
        if items.is_empty() {
            return items;
        }
        let (cx, cy) = (f.rect.x * k + w / 2.0, f.rect.y * k + h / 2.0);
        let map = Affine::translate(cx, cy)
            .then_inner(&Affine::rotate(turn))
            .then_inner(&Affine::translate(-w / 2.0, -h / 2.0));
        vec![Item::mapped(map, items)]
    }
}

/// A fill with another one over it, which makes colours with it and with nothing below.
fn overlaid(below: Vec<Item>, laid: Vec<Item>, overlay: &Overlay) -> Item {
    let mut items = below;
    items.push(Item::Group(Group {
        blend: Some(overlay.blend),
        items: laid,
        ..Group::default()
    }));
    Item::Group(Group {
        items,
        ..Group::default()
    })
}

/// Gradients and pictures span the shape's box; a path of a shape with several is filled as part of the whole.
fn fill_box(_: &Fill, b: Rect, path: &Path) -> Rect {
    if b.w > 0.0 && b.h > 0.0 {
        b
    } else {
        path.bounds().unwrap_or(b)
    }
}
