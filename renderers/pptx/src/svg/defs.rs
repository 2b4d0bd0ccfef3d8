// SPDX-License-Identifier: MIT OR Apache-2.0
//! Definitions that groups refer to: clips, fades and filters.

use std::fmt::Write as _;

use super::{Writer, attribute, number, path_data};
use crate::color::Color;
use crate::display::{Filter, Group, bounds};
use crate::geometry::{Path, Rect};

impl Writer {
    pub(crate) fn clip(&mut self, path: &Path, even_odd: bool) -> usize {
        let id = self.id();
        let _ = write!(self.defs, "<clipPath id=\"i{id}\"><path d=\"");
        let reach = self.reach();
        path_data(&mut self.defs, &path.within(&reach));
        self.defs.push('"');
        if even_odd {
            self.defs.push_str(" clip-rule=\"evenodd\"");
        }
        self.defs.push_str("/></clipPath>");
        id
    }

    pub(crate) fn fade(&mut self, fade: [(f64, f64); 2], g: &Group) -> usize {
        let gradient = self.id();
        let mask = self.id();
        let b = bounds(&g.items).unwrap_or_default().grown(20.0);
        let [(y0, a0), (y1, a1)] = fade;
        let _ = write!(
            self.defs,
            "<linearGradient id=\"i{gradient}\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" x2=\"0\""
        );
        attribute(&mut self.defs, "y1", y0);
        attribute(&mut self.defs, "y2", y1);
        self.defs.push('>');
        for (at, a) in [(0.0, a0), (1.0, a1)] {
            self.defs.push_str("<stop offset=\"");
            number::push(&mut self.defs, at);
            self.defs.push_str("\" stop-color=\"#fff\"");
            attribute(&mut self.defs, "stop-opacity", a);
            self.defs.push_str("/>");
        }
        let _ = write!(
            self.defs,
            "</linearGradient><mask id=\"i{mask}\" maskUnits=\"userSpaceOnUse\""
        );
        self.rect_attributes(&b);
        self.defs.push_str("><path d=\"");
        path_data(&mut self.defs, &Path::rect(&b));
        let _ = write!(self.defs, "\" fill=\"url(#i{gradient})\"/></mask>");
        mask
    }

    fn rect_attributes(&mut self, b: &Rect) {
        for (k, v) in [
            ("x", b.x),
            ("y", b.y),
            ("width", b.w.max(0.01)),
            ("height", b.h.max(0.01)),
        ] {
            attribute(&mut self.defs, k, v);
        }
    }

    pub(crate) fn filter(&mut self, f: Filter, g: &Group) -> usize {
        let id = self.id();
        let reach = match f {
            Filter::Tint(_, s) | Filter::Blur(s) => 3.0 * s + 1.0,
            Filter::Glow(_, r) => 2.5 * r + 1.0,
            Filter::SoftEdge(_) | Filter::Inner(..) => 1.0,
        };
        let region = bounds(&g.items).unwrap_or_default().grown(reach);
        let _ = write!(
            self.defs,
            "<filter id=\"i{id}\" filterUnits=\"userSpaceOnUse\" color-interpolation-filters=\"sRGB\""
        );
        self.rect_attributes(&region);
        self.defs.push('>');
        self.primitives(f);
        self.defs.push_str("</filter>");
        id
    }

    fn primitives(&mut self, f: Filter) {
        match f {
            Filter::Tint(c, s) => {
                self.blur("SourceAlpha", "a", s);
                self.flood(c, "a", "in", None);
            }
            Filter::Blur(s) => self.blur("SourceGraphic", "a", s),
            Filter::Glow(c, r) => {
                self.defs
                    .push_str("<feMorphology in=\"SourceAlpha\" operator=\"dilate\"");
                attribute(&mut self.defs, "radius", r * 0.5);
                self.defs.push_str(" result=\"d\"/>");
                self.blur("d", "a", r * 0.35);
                self.flood(c, "a", "in", None);
            }
            Filter::SoftEdge(r) => {
                self.defs
                    .push_str("<feMorphology in=\"SourceAlpha\" operator=\"erode\"");
                attribute(&mut self.defs, "radius", r * 0.75);
                self.defs.push_str(" result=\"d\"/>");
                self.blur("d", "a", r * 0.4);
                self.defs
                    .push_str("<feComposite in=\"SourceGraphic\" in2=\"a\" operator=\"in\"/>");
            }
            Filter::Inner(c, s, (dx, dy)) => {
                self.defs.push_str("<feOffset in=\"SourceAlpha\"");
                attribute(&mut self.defs, "dx", dx);
                attribute(&mut self.defs, "dy", dy);
                self.defs.push_str(" result=\"o\"/>");
                self.blur("o", "a", s);
                self.defs.push_str(
                    "<feComposite in=\"SourceAlpha\" in2=\"a\" operator=\"out\" result=\"h\"/>",
                );
                self.flood(c, "h", "in", Some("t"));
                self.defs.push_str(
                    "<feMerge><feMergeNode in=\"SourceGraphic\"/><feMergeNode in=\"t\"/></feMerge>",
                );
            }
        }
    }

    fn blur(&mut self, from: &str, to: &str, s: f64) {
        let _ = write!(self.defs, "<feGaussianBlur in=\"{from}\"");
        attribute(&mut self.defs, "stdDeviation", s.max(0.0));
        let _ = write!(self.defs, " result=\"{to}\"/>");
    }

    fn flood(&mut self, c: Color, with: &str, operator: &str, result: Option<&str>) {
        let _ = write!(self.defs, "<feFlood flood-color=\"{}\"", c.css());
        attribute(&mut self.defs, "flood-opacity", c.a);
        let _ = write!(
            self.defs,
            " result=\"f\"/><feComposite in=\"f\" in2=\"{with}\" operator=\"{operator}\""
        );
        if let Some(r) = result {
            let _ = write!(self.defs, " result=\"{r}\"");
        }
        self.defs.push_str("/>");
    }
}
