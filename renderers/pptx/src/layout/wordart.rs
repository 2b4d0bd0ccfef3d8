// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text under a warp: laid out flat, then every outline bent between two edges or along one.
//!
//! Between two edges the ink of the text fills the warp whatever its size, as PowerPoint stretches it. Along one edge the
//! text keeps its size, is aligned on the edge, and is narrowed when the edge is too short; the whole line stays inside
//! the box. Effects of the runs are made from the bent outlines.

use crate::display::{Item, Paint, bounds};
use crate::geometry::warp::{Edge, cut, edges};
use crate::geometry::{Path, Rect, Step};
use crate::layout::Layouter;
use crate::text::model::{Align, RunStyle, TextBody, Warp};
use crate::text::place::{Flow, PlacedLine, Scale, flow};
use crate::tree::Effects;

/// Bent outlines have at most this many lines a step of the flat one.
const MOST_CUTS: f64 = 12.0;

/// A flat point to its bent place.
type Bend<'a> = dyn Fn(f64, f64) -> (f64, f64) + 'a;

impl Layouter<'_> {
    /// Draws a text body under its warp in a box with its corner at the origin.
    pub fn warped(&mut self, body: &TextBody, warp: &Warp, w: f64, h: f64) -> Vec<Item> {
        let effects = first_style(body).map_or_else(Effects::default, |s| s.effects.clone());
        let mut flat = body.clone();
        for s in flat.paragraphs.iter_mut().flat_map(|p| p.runs.iter_mut()) {
            s.style.effects = Effects::default();
        }
        let width = if body.wrap { w.max(1.0) } else { f64::INFINITY };
        let f = flow(self.engine, &flat, width, Scale::FULL);
        let Some(all) = edges(&warp.name, &warp.adjusts, w, h) else {
            return Vec::new();
        };
        let items = if all.len() % 2 == 0 {
            self.between(&flat, &f, &all)
        } else {
            self.along(&flat, f, warp, (w, h), all.len())
        };
        let mut out = Vec::new();
        self.text_effects(items, &effects, &mut out);
        out
    }

    /// Lines shared out over pairs of edges, each pair filled by its lines.
    fn between(&mut self, body: &TextBody, f: &Flow, all: &[Edge]) -> Vec<Item> {
        let pairs = all.len() / 2;
        let share = f.lines.len().div_ceil(pairs.max(1)).max(1);
        let mut out = Vec::new();
        for (lines, pair) in f.lines.chunks(share).zip(all.chunks(2)) {
            let [top, bottom] = pair else { continue };
            let mut flat = Vec::new();
            for l in lines {
                self.draw_line(body, l, 0.0, false, &mut flat);
            }
            let size = lines.iter().map(|l| l.height).fold(1.0, f64::max);
            let flat = cut_all(flat, size / 10.0);
            let Some(b) = bounds(&flat).filter(|b| b.w > 0.0 && b.h > 0.0) else {
                continue;
            };
            let bend = |x: f64, y: f64| {
                let (u, v) = ((x - b.x) / b.w, (y - b.y) / b.h);
                let (p, q) = (top.at(u * top.length()).0, bottom.at(u * bottom.length()).0);
                (p.0 + (q.0 - p.0) * v, p.1 + (q.1 - p.1) * v)
            };
            out.extend(flat.into_iter().map(|i| bent(i, &bend)));
        }
        out
    }

    /// Each line along one edge, the last edge taking what is left over.
    fn along(
        &mut self,
        body: &TextBody,
        f: Flow,
        warp: &Warp,
        size: (f64, f64),
        count: usize,
    ) -> Vec<Item> {
        let mut out = Vec::new();
        let lines = f.lines.len();
        for (i, l) in f.lines.into_iter().enumerate() {
            let index = i.min(count - 1);
            let last = index + 1 == count && (count > 1 || warp.name == "textArchDown");
            let middle = count == 3 && index == 1;
            // Text stands on an upper edge's inside with its top at the box, and on a lower one's with its bottom.
            let depth = if last {
                (lines - 1 - i) as f64 * l.height + l.height - l.ascent
            } else {
                (i - index) as f64 * l.height + l.ascent
            };
            let depth = if middle {
                0.0
            } else {
                depth.min(size.0.min(size.1) * 0.45)
            };
            let inner = (size.0 - 2.0 * depth, size.1 - 2.0 * depth);
            let Some(edge) = edges(&warp.name, &warp.adjusts, inner.0, inner.1)
                .and_then(|e| e.into_iter().nth(index))
            else {
                continue;
            };
            let drop = if middle {
                l.ascent - l.height / 2.0
            } else {
                0.0
            };
            let (start, k) = aligned(body, &l, edge.length());
            let (x0, base) = (l.x, l.top + l.ascent);
            let mut flat = Vec::new();
            self.draw_line(body, &l, 0.0, false, &mut flat);
            let bend = |x: f64, y: f64| {
                let ((px, py), (dx, dy)) = edge.at(start + (x - x0) * k);
                let up = (y - base) + drop;
                (px - dy * up + depth, py + dx * up + depth)
            };
            out.extend(
                cut_all(flat, l.height / 10.0)
                    .into_iter()
                    .map(|i| bent(i, &bend)),
            );
        }
        out
    }
}

fn first_style(body: &TextBody) -> Option<&RunStyle> {
    body.paragraphs
        .iter()
        .flat_map(|p| &p.runs)
        .map(|r| &r.style)
        .next()
}

/// Where a line starts on an edge, and the factor that makes it fit.
fn aligned(body: &TextBody, l: &PlacedLine, length: f64) -> (f64, f64) {
    let k = if l.width > length {
        length / l.width
    } else {
        1.0
    };
    let left = (length - l.width * k).max(0.0);
    let align = body
        .paragraphs
        .get(l.paragraph)
        .map_or(Align::Left, |p| p.align);
    match align {
        Align::Center | Align::Distribute => (left / 2.0, k),
        Align::Right => (left, k),
        Align::Left | Align::Justify => (0.0, k),
    }
}

fn cut_all(items: Vec<Item>, step: f64) -> Vec<Item> {
    let cuts = |length: f64| (length / step.max(0.05)).ceil().clamp(1.0, MOST_CUTS) as usize;
    items
        .into_iter()
        .map(|i| on_paths(i, &|p| cut(p, cuts)))
        .collect()
}

fn on_paths(item: Item, f: &dyn Fn(&Path) -> Path) -> Item {
    match item {
        Item::Path {
            path,
            fill,
            stroke,
            even_odd,
        } => Item::Path {
            path: f(&path),
            fill,
            stroke,
            even_odd,
        },
        Item::Group(mut g) => {
            g.items = g.items.into_iter().map(|i| on_paths(i, f)).collect();
            Item::Group(g)
        }
        other => other,
    }
}

/// An item with its outlines and gradients bent, and its pictures moved.
fn bent(item: Item, bend: &Bend<'_>) -> Item {
    match item {
        Item::Path {
            path,
            fill,
            stroke,
            even_odd,
        } => Item::Path {
            path: bent_path(&path, bend),
            fill: fill.map(|p| bent_paint(p, bend)),
            stroke: stroke.map(|mut s| {
                s.paint = bent_paint(s.paint, bend);
                s
            }),
            even_odd,
        },
        Item::Image { image, rect, alpha } => {
            let c = rect.centre();
            let to = bend(c.0, c.1);
            let rect = Rect::new(to.0 - rect.w / 2.0, to.1 - rect.h / 2.0, rect.w, rect.h);
            Item::Image { image, rect, alpha }
        }
        Item::Group(mut g) => {
            g.items = g.items.into_iter().map(|i| bent(i, bend)).collect();
            Item::Group(g)
        }
    }
}

fn bent_path(path: &Path, bend: &Bend<'_>) -> Path {
    let steps = path.steps.iter().filter_map(|s| match *s {
        Step::Move(x, y) => Some(bend(x, y)).map(|p| Step::Move(p.0, p.1)),
        Step::Line(x, y) => Some(bend(x, y)).map(|p| Step::Line(p.0, p.1)),
        Step::Close => Some(Step::Close),
        // Cut paths have no curves.
        Step::Quad(..) | Step::Cubic(..) => None,
    });
    Path {
        steps: steps.collect(),
    }
}

fn bent_paint(paint: Paint, bend: &Bend<'_>) -> Paint {
    match paint {
        Paint::Linear { from, to, stops } => Paint::Linear {
            from: bend(from.0, from.1),
            to: bend(to.0, to.1),
            stops,
        },
        Paint::Radial {
            centre,
            radius,
            stops,
        } => Paint::Radial {
            centre: bend(centre.0, centre.1),
            radius,
            stops,
        },
        other => other,
    }
}
