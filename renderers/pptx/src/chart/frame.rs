// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame of a chart: area, title, legend, and what is left for the plot.

use super::axes::{self, Plot};
use super::model::{Chart, Kind, Side, Title};
use super::{bars, boxes, hierarchy, labels, legend, lines, radar, radial, words};
use crate::display::Item;
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;

/// Room along the edges of a chart in points.
const EDGE: f64 = 7.0;

/// Draws a chart in a rectangle.
pub fn chart(l: &mut Layouter<'_>, c: &Chart, area: Rect, out: &mut Vec<Item>) {
    if !(area.w > 1.0 && area.h > 1.0) {
        return;
    }
    panel(l, &c.fill, c.border.as_ref(), area, out);
    let mut rest = area.grown(-EDGE.min(area.w / 8.0).min(area.h / 8.0));
    if c.legend.as_ref().is_some_and(|l| l.side == Side::Bottom) {
        rest.h = (rest.h - 4.0).max(1.0);
    }
    let mut over = Vec::new();
    if let Some(t) = &c.title {
        title(l, t, area, &mut rest, &mut over);
    }
    if let Some(lg) = &c.legend {
        legend::place(l, c, lg, area, &mut rest, &mut over);
    }
    rest.x += c.plot_room;
    rest.w = (rest.w - 0.5 * c.plot_room).max(1.0);
    rest.y += c.plot_room;
    rest.h = (rest.h - 2.0 * c.plot_room).max(1.0);
    if let Some(h) = &c.hierarchy {
        hierarchy::draw(l, h, rest, out);
    } else if c
        .groups
        .iter()
        .any(|g| matches!(g.kind, Kind::Pie(_) | Kind::Doughnut(..)))
    {
        let inner = c.plot_layout.map_or(rest, |(f, _)| part(area, f));
        panel(l, &c.plot_fill, c.plot_border.as_ref(), inner, out);
        radial::draw(l, c, inner, out);
    } else if c.groups.iter().any(|g| matches!(g.kind, Kind::Radar(_))) {
        radar::draw(
            l,
            c,
            c.plot_layout.map_or(rest, |(f, _)| part(area, f)),
            out,
        );
    } else if !c.groups.is_empty() {
        plotted(l, c, area, rest, out);
    }
    out.extend(over);
}

fn plotted(l: &mut Layouter<'_>, c: &Chart, area: Rect, rest: Rect, out: &mut Vec<Item>) {
    let fixed = c.plot_layout.map(|(f, inner)| (part(area, f), inner));
    let plot: Plot = axes::plot(l, c, rest, fixed);
    panel(l, &c.plot_fill, c.plot_border.as_ref(), plot.rect, out);
    axes::grid(l, c, &plot, out);
    let mut text = Vec::new();
    let mut order: Vec<usize> = (0..c.groups.len()).collect();
    // Areas lie behind bars, bars behind lines.
    order.sort_by_key(|i| match c.groups.get(*i).map(|g| g.kind) {
        Some(Kind::Area) => 0,
        Some(Kind::Bar { .. }) => 1,
        _ => 2,
    });
    let mut drawn = Vec::new();
    for i in order {
        let Some(g) = c.groups.get(i) else { continue };
        match g.kind {
            Kind::Bar { .. } => bars::draw(l, c, g, &plot, &mut drawn, &mut text),
            _ => lines::draw(l, c, g, &plot, &mut drawn, &mut text),
        }
    }
    let clip = Path::rect(&plot.rect.grown(12.0));
    out.push(Item::Group(crate::display::Group {
        clip: Some(clip),
        items: drawn,
        ..Default::default()
    }));
    boxes::draw(l, c, &plot, out);
    axes::lines(l, c, &plot, out);
    axes::labels(l, c, &plot, out);
    out.extend(text);
    let _ = labels::GAP;
}

/// A rectangle given as fractions of another.
#[must_use]
pub fn part(area: Rect, f: Rect) -> Rect {
    Rect::new(
        area.x + area.w * f.x,
        area.y + area.h * f.y,
        area.w * f.w,
        area.h * f.h,
    )
}

/// A filled and bordered rectangle.
pub fn panel(
    l: &mut Layouter<'_>,
    fill: &crate::tree::Fill,
    border: Option<&crate::tree::Line>,
    r: Rect,
    out: &mut Vec<Item>,
) {
    let path = Path::rect(&r);
    let items = l.fill_area(&path, fill, r, 0.0);
    out.extend(items);
    if let Some(b) = border {
        l.line_items(&path, b, r, 0.0, out);
    }
}

fn title(l: &mut Layouter<'_>, t: &Title, area: Rect, rest: &mut Rect, out: &mut Vec<Item>) {
    let (w, h) = words::measure(l, &t.text, Some(area.w * 0.9));
    let (x, y) = match t.at {
        Some((fx, fy)) => (area.x + area.w * fx, area.y + area.h * fy),
        None => (area.x + (area.w - w) / 2.0, rest.y + t.above),
    };
    let r = Rect::new(x, y, w, h);
    panel(l, &t.fill, None, r, out);
    words::put_body(l, &t.text, (w + 1.0, h), (x - 0.5, y), (0.0, 0.0), 0.0, out);
    if !t.overlay {
        let bottom = (y + h + 5.0).max(rest.y);
        let keep = rest.bottom();
        if t.at.is_none() || y < area.y + area.h * 0.3 {
            rest.y = bottom;
            rest.h = (keep - bottom).max(1.0);
        }
    }
}

/// Takes a strip off a side.
pub fn take(rest: &mut Rect, side: Side, amount: f64) {
    match side {
        Side::Left => {
            rest.x += amount;
            rest.w = (rest.w - amount).max(1.0);
        }
        Side::Right | Side::TopRight => rest.w = (rest.w - amount).max(1.0),
        Side::Top => {
            rest.y += amount;
            rest.h = (rest.h - amount).max(1.0);
        }
        Side::Bottom => rest.h = (rest.h - amount).max(1.0),
    }
}
