// SPDX-License-Identifier: MIT OR Apache-2.0
//! The display list as an SVG document that any viewer opens: paths, gradients, patterns, filters, embedded pictures.

mod defs;
mod number;
mod paint;
mod reach;
mod shadow;

use std::fmt::Write as _;

use base64::Engine as _;

use crate::display::{Group, Item, Paint, Stroke};
use crate::geometry::{Affine, Path, Step};
use crate::tree::{Blend, Cap, Join};

/// Writes a document of a pixel size; items are in points under `map`.
#[must_use]
pub fn document(items: &[Item], map: &Affine, width: u32, height: u32) -> String {
    let mut w = Writer {
        canvas: Some((*map, f64::from(width), f64::from(height))),
        ..Writer::default()
    };
    w.group_items(items);
    let mut out = String::with_capacity(w.body.len() + w.defs.len() + 512);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">"
    );
    if !w.defs.is_empty() {
        let _ = write!(out, "<defs>{}</defs>", w.defs);
    }
    out.push_str("<g");
    matrix(&mut out, "transform", map);
    out.push('>');
    out.push_str(&w.body);
    out.push_str("</g></svg>");
    out
}

/// Collects the body and the definitions it refers to.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) body: String,
    pub(crate) defs: String,
    pub(crate) next: usize,
    /// The map of what is written to pixels, and the canvas in pixels; none within tiles.
    pub(crate) canvas: Option<(Affine, f64, f64)>,
    /// Within tiles, the largest factor from what is written to pixels.
    pub(crate) around: f64,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            body: String::new(),
            defs: String::new(),
            next: 0,
            canvas: None,
            around: 1.0,
        }
    }
}

impl Writer {
    pub(crate) fn id(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    pub(crate) fn group_items(&mut self, items: &[Item]) {
        for i in items {
            self.item(i);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Path {
                path,
                fill,
                stroke,
                even_odd,
            } => self.path(path, fill.as_ref(), stroke.as_ref(), *even_odd),
            Item::Image { image, rect, alpha } => {
                let rect = &self.within_reach(rect);
                self.body.push_str("<image preserveAspectRatio=\"none\"");
                if image.shrunk {
                    self.body.push_str(" style=\"image-rendering:smooth\"");
                }
                for (k, v) in [
                    ("x", rect.x),
                    ("y", rect.y),
                    ("width", rect.w),
                    ("height", rect.h),
                ] {
                    attribute(&mut self.body, k, v);
                }
                if *alpha < 1.0 {
                    attribute(&mut self.body, "opacity", *alpha);
                }
                let _ = write!(self.body, " xlink:href=\"data:{};base64,", image.mime);
                base64::engine::general_purpose::STANDARD
                    .encode_string(&image.bytes, &mut self.body);
                self.body.push_str("\"/>");
            }
            Item::Group(g) => self.group(g),
        }
    }

    fn group(&mut self, g: &Group) {
        if g.items.is_empty() {
            return;
        }
        let around = self.canvas;
        self.canvas = around.map(|(map, w, h)| (map.then_inner(&g.map), w, h));
        match shadow::picture(g, self.canvas) {
            Some(cast) => self.item(&cast.placed(g.map)),
            None => self.plain_group(g),
        }
        self.canvas = around;
    }

    fn plain_group(&mut self, g: &Group) {
        let clip = g.cutting().map(|c| self.clip(c, g.clip_even_odd));
        let filter = g.filter.map(|f| self.filter(f, g));
        let mask = g.fade.map(|f| self.fade(f, g));
        self.body.push_str("<g");
        if !g.map.is_identity() {
            matrix(&mut self.body, "transform", &g.map);
        }
        self.blending(g);
        if let Some(o) = g.opacity.filter(|o| *o < 1.0) {
            attribute(&mut self.body, "opacity", o);
        }
        for (k, id) in [("clip-path", clip), ("filter", filter), ("mask", mask)] {
            if let Some(id) = id {
                let _ = write!(self.body, " {k}=\"url(#i{id})\"");
            }
        }
        self.body.push('>');
        self.group_items(&g.items);
        self.body.push_str("</g>");
    }

    fn blending(&mut self, g: &Group) {
        let blended = |i: &Item| matches!(i, Item::Group(inner) if inner.blend.is_some());
        let style = match g.blend {
            Some(Blend::Over) => "mix-blend-mode:normal",
            Some(Blend::Multiply) => "mix-blend-mode:multiply",
            Some(Blend::Screen) => "mix-blend-mode:screen",
            Some(Blend::Darken) => "mix-blend-mode:darken",
            Some(Blend::Lighten) => "mix-blend-mode:lighten",
            // What blends within makes colours with nothing below the group.
            None if g.items.iter().any(blended) => "isolation:isolate",
            None => return,
        };
        let _ = write!(self.body, " style=\"{style}\"");
    }

    fn path(&mut self, path: &Path, fill: Option<&Paint>, stroke: Option<&Stroke>, even_odd: bool) {
        if path.steps.len() < 2 || (fill.is_none() && stroke.is_none()) {
            return;
        }
        let fill = fill.map(|p| self.paint(p));
        let line = stroke.map(|s| self.paint(&s.paint));
        self.body.push_str("<path d=\"");
        let reach = self.reach();
        path_data(&mut self.body, &path.within(&reach));
        self.body.push('"');
        match fill {
            Some(f) => paint::attribute(&mut self.body, "fill", &f),
            None => self.body.push_str(" fill=\"none\""),
        }
        if even_odd {
            self.body.push_str(" fill-rule=\"evenodd\"");
        }
        if let (Some(s), Some(l)) = (stroke, line) {
            paint::attribute(&mut self.body, "stroke", &l);
            self.stroke(s);
        }
        self.body.push_str("/>");
    }

    fn stroke(&mut self, s: &Stroke) {
        let width = s.width.min(self.widest());
        attribute(&mut self.body, "stroke-width", width);
        match s.cap {
            Cap::Flat => {}
            Cap::Round => self.body.push_str(" stroke-linecap=\"round\""),
            Cap::Square => self.body.push_str(" stroke-linecap=\"square\""),
        }
        match s.join {
            Join::Round => self.body.push_str(" stroke-linejoin=\"round\""),
            Join::Bevel => self.body.push_str(" stroke-linejoin=\"bevel\""),
            Join::Miter => self.body.push_str(" stroke-miterlimit=\"8\""),
        }
        if !s.dash.is_empty() && s.dash.iter().sum::<f64>() > 0.0 {
            self.body.push_str(" stroke-dasharray=\"");
            for (i, d) in s.dash.iter().enumerate() {
                if i > 0 {
                    self.body.push(' ');
                }
                number::push(&mut self.body, *d);
            }
            self.body.push('"');
        }
    }
}

/// Path data with three decimals.
pub(crate) fn path_data(out: &mut String, path: &Path) {
    let point = |out: &mut String, letter: char, values: &[f64]| {
        out.push(letter);
        for (i, v) in values.iter().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            number::push(out, *v);
        }
    };
    for s in &path.steps {
        match *s {
            Step::Move(x, y) => point(out, 'M', &[x, y]),
            Step::Line(x, y) => point(out, 'L', &[x, y]),
            Step::Quad(a, b, x, y) => point(out, 'Q', &[a, b, x, y]),
            Step::Cubic(a, b, c, d, x, y) => point(out, 'C', &[a, b, c, d, x, y]),
            Step::Close => out.push('Z'),
        }
    }
}

pub(crate) fn attribute(out: &mut String, name: &str, v: f64) {
    let _ = write!(out, " {name}=\"");
    number::push(out, v);
    out.push('"');
}

pub(crate) fn matrix(out: &mut String, name: &str, m: &Affine) {
    let _ = write!(out, " {name}=\"matrix(");
    for (i, v) in m.m.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        number::push_fine(out, *v);
    }
    out.push_str(")\"");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;
    use crate::display::Filter;
    use crate::geometry::Rect;

    #[test]
    fn a_filled_rectangle_is_one_path() {
        let item = Item::filled(
            Path::rect(&Rect::new(0.0, 0.0, 10.0, 5.0)),
            Paint::Solid(Color::hex(0x00FF_0000)),
        );
        let svg = document(&[item], &Affine::IDENTITY, 20, 10);
        assert!(
            svg.contains("<path d=\"M0 0L10 0L10 5L0 5Z\" fill=\"#ff0000\"/>"),
            "{svg}"
        );
    }

    #[test]
    fn every_document_is_well_formed() {
        let rect = Path::rect(&Rect::new(0.0, 0.0, 10.0, 5.0));
        let paint = Paint::Linear {
            from: (0.0, 0.0),
            to: (1.0, 0.0),
            stops: vec![(0.0, Color::BLACK), (1.0, Color::WHITE.with_alpha(0.5))],
        };
        let g = Group {
            filter: Some(Filter::SoftEdge(2.0)),
            fade: Some([(0.0, 1.0), (5.0, 0.0)]),
            clip: Some(rect.clone()),
            items: vec![Item::filled(rect, paint)],
            ..Group::default()
        };
        let svg = document(&[Item::Group(g)], &Affine::scale(2.0, 2.0), 20, 10);
        assert!(roxmltree::Document::parse(&svg).is_ok(), "{svg}");
    }
}
