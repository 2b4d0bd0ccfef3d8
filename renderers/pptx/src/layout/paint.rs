// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fills to paints and to filled areas.

use crate::color::Color;
use crate::display::{Group, Item, Paint};
use crate::geometry::preset::FillMode;
use crate::geometry::{Path, Rect};
use crate::layout::{Layouter, gradient, pattern};
use crate::tree::{Fill, Gradient, PictureMode};

impl Layouter<'_> {
    /// The paint of a fill over a box. Picture fills have no paint of their own unless they are tiled.
    pub fn paint(&mut self, fill: &Fill, b: Rect, rot: f64) -> Option<Paint> {
        match fill {
            Fill::None => None,
            Fill::Solid(c) => Some(Paint::Solid(*c)),
            Fill::Gradient(g) if g.stops.len() == 1 => g.stops.first().map(|s| Paint::Solid(s.1)),
            Fill::Gradient(g) => Some(gradient::paint(g, b, rot)),
            Fill::Pattern(p) => Some(pattern::paint(p)),
            Fill::Picture(p) => self.picture_paint(p, b),
        }
    }

    /// The items that fill an outline.
    pub fn fill_area(&mut self, path: &Path, fill: &Fill, b: Rect, rot: f64) -> Vec<Item> {
        if let Fill::Picture(p) = fill
            && let PictureMode::Stretch(insets) = p.mode
        {
            let [l, t, r, bt] = insets;
            let area = Rect::new(
                b.x + b.w * l,
                b.y + b.h * t,
                b.w * (1.0 - l - r),
                b.h * (1.0 - t - bt),
            );
            let items = self.picture_items(p, area);
            if items.is_empty() {
                return Vec::new();
            }
            let clip = (!is_box(path, &area)).then(|| path.clone());
            return vec![Item::Group(Group {
                clip,
                items,
                ..Group::default()
            })];
        }
        match self.paint(fill, b, rot) {
            Some(p) => vec![Item::Path {
                path: path.clone(),
                fill: Some(p),
                stroke: None,
                even_odd: false,
            }],
            None => Vec::new(),
        }
    }
}

/// Whether a path is exactly a box.
fn is_box(path: &Path, b: &Rect) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() < 0.01;
    path.steps.len() <= 6
        && !path.steps.iter().any(|s| {
            matches!(
                s,
                crate::geometry::Step::Cubic(..) | crate::geometry::Step::Quad(..)
            )
        })
        && path
            .steps
            .iter()
            .filter(|s| matches!(s, crate::geometry::Step::Line(..)))
            .count()
            >= 3
        && path
            .bounds()
            .is_some_and(|p| near(p.x, b.x) && near(p.y, b.y) && near(p.w, b.w) && near(p.h, b.h))
        && path.steps.iter().all(|s| match *s {
            crate::geometry::Step::Move(x, y) | crate::geometry::Step::Line(x, y) => {
                (near(x, b.x) || near(x, b.right())) && (near(y, b.y) || near(y, b.bottom()))
            }
            _ => true,
        })
}

/// A fill as a path of a shape takes it: lightened or darkened.
#[must_use]
pub fn shaded(fill: &Fill, mode: FillMode) -> Fill {
    let change = |c: Color| match mode {
        FillMode::Lighten => mix(c, Color::WHITE, 0.4),
        FillMode::LightenLess => mix(c, Color::WHITE, 0.2),
        FillMode::Darken => mix(c, Color::BLACK, 0.4),
        FillMode::DarkenLess => mix(c, Color::BLACK, 0.2),
        FillMode::Norm | FillMode::None => c,
    };
    match fill {
        _ if mode == FillMode::None => Fill::None,
        Fill::Solid(c) => Fill::Solid(change(*c)),
        Fill::Gradient(g) => Fill::Gradient(Gradient {
            stops: g.stops.iter().map(|s| (s.0, change(s.1))).collect(),
            ..g.clone()
        }),
        other => other.clone(),
    }
}

fn mix(c: Color, with: Color, t: f64) -> Color {
    Color {
        a: c.a,
        ..c.mix(with, t)
    }
}
