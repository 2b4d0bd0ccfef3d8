// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data table below a plot: a row of categories, and a row of values for each series.
//!
//! It stands in the place of the category axis's labels: its columns are the categories, its head column the names of
//! the series, with their keys where the chart asks for them.

use super::axes::{Plot, Settled};
use super::model::{Chart, DataTable, Series};
use super::{frame, number, words};
use crate::display::Item;
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;
use crate::text::model::Align;
use crate::tree::Fill;

/// Most series that get a row.
const MAX_ROWS: usize = 40;
/// Most categories that get a column.
const MAX_COLUMNS: usize = 200;

/// Width of the head column.
pub fn head(l: &mut Layouter<'_>, c: &Chart, t: &DataTable) -> f64 {
    let key = if t.keys { t.text.size * 1.2 } else { 0.0 };
    let widest = series(c)
        .map(|s| words::size(l, &s.name, &t.text, None).0)
        .fold(0.0, f64::max);
    widest + key + t.text.size * 0.8
}

/// Height of the whole table below a plot of a width.
pub fn height(l: &mut Layouter<'_>, c: &Chart, t: &DataTable, axis: &Settled, width: f64) -> f64 {
    top_row(l, t, axis, width) + series(c).count() as f64 * row_height(t)
}

/// Height of the row of categories, whose names wrap.
fn top_row(l: &mut Layouter<'_>, t: &DataTable, axis: &Settled, width: f64) -> f64 {
    let pitch = (width / axis.count.max(1) as f64).max(1.0);
    let tallest = axis
        .labels
        .iter()
        .take(MAX_COLUMNS)
        .map(|(_, name)| words::size(l, name, &t.text, Some(pitch)).1)
        .fold(0.0, f64::max);
    row_height(t).max(tallest + t.text.size * 0.15)
}

fn row_height(t: &DataTable) -> f64 {
    t.text.size * 1.35
}

fn series(c: &Chart) -> impl Iterator<Item = &Series> {
    c.groups.iter().flat_map(|g| &g.series).take(MAX_ROWS)
}

/// Draws the table below the plot.
pub fn draw(l: &mut Layouter<'_>, c: &Chart, t: &DataTable, plot: &Plot, out: &mut Vec<Item>) {
    let Some(axis) = plot.axes.iter().find(|a| a.count > 0 && a.lying) else {
        return;
    };
    let columns = axis.count.min(MAX_COLUMNS);
    let (r, h) = (plot.rect, row_height(t));
    let (head, first) = (head(l, c, t), top_row(l, t, axis, r.w));
    let tall = height(l, c, t, axis, r.w);
    let pitch = r.w / axis.count as f64;
    let whole = Rect::new(r.x, r.bottom(), pitch * columns as f64, tall);
    rules(l, t, &whole, (head, first), (columns, pitch), out);
    let cell = |i: usize, row: usize| {
        let (y, tall) = if row == 0 {
            (0.0, first)
        } else {
            (first + h * (row - 1) as f64, h)
        };
        Rect::new(r.x + pitch * i as f64, r.bottom() + y, pitch, tall)
    };
    for (i, (_, name)) in axis.labels.iter().take(columns).enumerate() {
        put(l, t, name, cell(i, 0), out);
    }
    for (k, s) in series(c).enumerate() {
        let at = Rect::new(r.x - head, r.bottom() + first + h * k as f64, head, h);
        name(l, t, s, at, out);
        for i in 0..columns {
            if let Some(v) = s.values.get(i).copied().flatten() {
                put(l, t, &number::format(v, &s.format), cell(i, k + 1), out);
            }
        }
    }
}

fn put(l: &mut Layouter<'_>, t: &DataTable, text: &str, r: Rect, out: &mut Vec<Item>) {
    if text.trim().is_empty() {
        return;
    }
    let body = words::body(text, &t.text, Align::Center, true);
    let (_, h) = words::measure(l, &body, Some(r.w));
    let at = (r.x, r.y + (r.h - h.min(r.h)) / 2.0);
    words::put_body(l, &body, (r.w, h), at, (0.0, 0.0), 0.0, out);
}

fn name(l: &mut Layouter<'_>, t: &DataTable, s: &Series, r: Rect, out: &mut Vec<Item>) {
    let em = t.text.size;
    let mut x = r.x + em * 0.4;
    if t.keys {
        let side = em * 0.5;
        let key = Rect::new(x, r.y + (r.h - side) / 2.0, side, side);
        let fill = s.line.as_ref().map_or(&s.fill, |line| match &s.fill {
            Fill::None => &line.fill,
            f => f,
        });
        frame::panel(l, fill, None, key, out);
        x += em * 1.0;
    }
    words::put(
        l,
        &s.name,
        &t.text,
        (x, r.y + r.h / 2.0),
        (0.0, 0.5),
        0.0,
        out,
    );
}

/// Borders: the outline, between rows, between columns. The head column has no cell above it.
fn rules(
    l: &mut Layouter<'_>,
    t: &DataTable,
    r: &Rect,
    (head, first): (f64, f64),
    columns: (usize, f64),
    out: &mut Vec<Item>,
) {
    let Some(line) = &t.line else { return };
    let h = row_height(t);
    let rows = 1 + ((r.h - first) / h).round() as usize;
    let mut lines: Vec<[(f64, f64); 2]> = Vec::new();
    for k in 0..=rows {
        let outer = k == 0 || k == rows;
        let y = if k == 0 {
            r.y
        } else {
            r.y + first + h * (k - 1) as f64
        };
        let x = if k == 0 { r.x } else { r.x - head };
        if (outer && t.outline) || (!outer && t.rows) {
            lines.push([(x, y), (r.right(), y)]);
        }
    }
    for i in 0..=columns.0 {
        let outer = i == 0 || i == columns.0;
        let x = r.x + columns.1 * i as f64;
        if (outer && t.outline) || t.columns {
            lines.push([(x, r.y), (x, r.bottom())]);
        }
    }
    if t.outline {
        lines.push([(r.x - head, r.y + first), (r.x - head, r.bottom())]);
    }
    for ends in lines {
        l.line_items(&Path::polyline(&ends), line, *r, 0.0, out);
    }
}
