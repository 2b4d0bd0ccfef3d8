// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain tree to the display list: everything placed, in points.

pub mod arrows;
pub mod effects;
pub mod gradient;
pub mod paint;
pub mod pattern;
pub mod pictures;
pub mod shape;
pub mod stroke;
pub mod table;
pub mod text;
pub mod wordart;

use std::collections::BTreeMap;
use std::sync::Arc;

use encoding_rs::Encoding;

use crate::diag::Notes;
use crate::display::{Encoded, Item, Paint};
use crate::geometry::{Affine, Path, Rect};
use crate::text::engine::TextEngine;
use crate::tree::{Group, Node, Slide};
use crate::units::{EMU_PER_PT, pt};

/// Pictures that are ready to embed, kept from slide to slide.
pub type PictureCache = BTreeMap<String, Arc<Encoded>>;

/// What layout has at hand.
#[derive(Debug)]
pub struct Layouter<'a> {
    /// Text.
    pub engine: &'a mut TextEngine,
    /// Notes of the slide.
    pub notes: &'a Notes,
    /// Pictures.
    pub pictures: &'a mut PictureCache,
    /// Pixels per point on the canvas.
    pub scale: f64,
    /// The code page of text that says none.
    pub local: &'static Encoding,
}

/// Deepest nesting that layout follows.
const MAX_DEPTH: usize = 64;

impl Layouter<'_> {
    /// A slide's items, the background first.
    pub fn slide(&mut self, slide: &Slide) -> Vec<Item> {
        let page = Rect::new(0.0, 0.0, pt(slide.size.0), pt(slide.size.1));
        let mut out = vec![Item::filled(
            Path::rect(&page),
            Paint::Solid(crate::color::Color::WHITE),
        )];
        out.extend(self.fill_area(&Path::rect(&page), &slide.background, page, 0.0));
        for n in &slide.nodes {
            self.node(n, &mut out, 0);
        }
        out
    }

    fn node(&mut self, n: &Node, out: &mut Vec<Item>, depth: usize) {
        match n {
            Node::Shape(s) => self.shape(s, out),
            Node::Group(g) => self.group(g, out, depth),
            Node::Table(t) => self.table(t, out),
            Node::Chart(c) => self.chart(c, out),
        }
    }

    fn group(&mut self, g: &Group, out: &mut Vec<Item>, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let mut items = Vec::new();
        for c in &g.children {
            self.node(c, &mut items, depth + 1);
        }
        let item = Item::mapped(in_points(&g.frame.map()), items);
        self.with_effects(item, &g.effects, g.frame.rot, out);
    }

    fn chart(&mut self, c: &crate::tree::ChartFrame, out: &mut Vec<Item>) {
        let r = c.frame.rect.scaled(1.0 / EMU_PER_PT);
        let mut items = Vec::new();
        crate::chart::frame::chart(self, &c.chart, Rect::new(0.0, 0.0, r.w, r.h), &mut items);
        out.push(Item::mapped(Affine::translate(r.x, r.y), items));
    }
}

/// A map over EMU as a map over points: only the shift has a unit.
#[must_use]
pub fn in_points(m: &Affine) -> Affine {
    let [a, b, c, d, e, f] = m.m;
    Affine {
        m: [a, b, c, d, pt(e), pt(f)],
    }
}
