// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paints: colours inline, gradients and tiles as definitions.

use std::fmt::Write as _;

use super::{Writer, number};
use crate::color::Color;
use crate::display::Paint;

/// A paint as it is referred to.
#[derive(Debug)]
pub(crate) enum Ref {
    /// A colour.
    Color(Color),
    /// A definition.
    Url(usize),
}

/// Writes the paint attributes of a path.
pub(crate) fn attribute(out: &mut String, name: &str, r: &Ref) {
    match r {
        Ref::Color(c) => {
            let _ = write!(out, " {name}=\"{}\"", c.css());
            if c.a < 1.0 {
                super::attribute(out, &format!("{name}-opacity"), c.a);
            }
        }
        Ref::Url(id) => {
            let _ = write!(out, " {name}=\"url(#i{id})\"");
        }
    }
}

impl Writer {
    pub(crate) fn paint(&mut self, p: &Paint) -> Ref {
        match p {
            Paint::Solid(c) => Ref::Color(*c),
            Paint::Linear { from, to, stops } => {
                let id = self.id();
                let _ = write!(
                    self.defs,
                    "<linearGradient id=\"i{id}\" gradientUnits=\"userSpaceOnUse\""
                );
                for (k, v) in [("x1", from.0), ("y1", from.1), ("x2", to.0), ("y2", to.1)] {
                    super::attribute(&mut self.defs, k, v);
                }
                self.defs.push('>');
                self.stops(stops);
                self.defs.push_str("</linearGradient>");
                Ref::Url(id)
            }
            Paint::Radial {
                centre,
                radius,
                stops,
            } => {
                let id = self.id();
                let _ = write!(
                    self.defs,
                    "<radialGradient id=\"i{id}\" gradientUnits=\"userSpaceOnUse\" cx=\"0\" cy=\"0\" r=\"1\""
                );
                let map = crate::geometry::Affine {
                    m: [
                        radius.0.max(1e-6),
                        0.0,
                        0.0,
                        radius.1.max(1e-6),
                        centre.0,
                        centre.1,
                    ],
                };
                super::matrix(&mut self.defs, "gradientTransform", &map);
                self.defs.push('>');
                self.stops(stops);
                self.defs.push_str("</radialGradient>");
                Ref::Url(id)
            }
            Paint::Tile(t) => {
                // The tile is written by a writer of its own whose definitions come first.
                let mut inner = Writer {
                    next: self.next,
                    around: self.scale() * t.map.largest_scale(),
                    ..Writer::default()
                };
                inner.group_items(&t.items);
                self.next = inner.next;
                self.defs.push_str(&inner.defs);
                let id = self.id();
                let _ = write!(
                    self.defs,
                    "<pattern id=\"i{id}\" patternUnits=\"userSpaceOnUse\""
                );
                for (k, v) in [
                    ("x", t.rect.x),
                    ("y", t.rect.y),
                    ("width", self.tile_side(t.rect.w, &t.map)),
                    ("height", self.tile_side(t.rect.h, &t.map)),
                ] {
                    super::attribute(&mut self.defs, k, v);
                }
                if !t.map.is_identity() {
                    super::matrix(&mut self.defs, "patternTransform", &t.map);
                }
                let _ = write!(self.defs, ">{}</pattern>", inner.body);
                Ref::Url(id)
            }
        }
    }

    fn stops(&mut self, stops: &[(f64, Color)]) {
        for (at, c) in stops {
            self.defs.push_str("<stop offset=\"");
            number::push(&mut self.defs, *at);
            let _ = write!(self.defs, "\" stop-color=\"{}\"", c.css());
            if c.a < 1.0 {
                super::attribute(&mut self.defs, "stop-opacity", c.a);
            }
            self.defs.push_str("/>");
        }
    }
}
