// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables: rows grow with their text, then fills, text and borders are drawn in that order.

use crate::display::Item;
use crate::geometry::{Path, Rect};
use crate::layout::{Layouter, in_points};
use crate::text::model::Vertical;
use crate::tree::{Frame, Line, Table, TableCell};
use crate::units::pt;

/// A border and its two ends.
type Side<'a> = (Option<&'a Line>, [(f64, f64); 2]);

impl Layouter<'_> {
    /// Pushes a table.
    pub fn table(&mut self, t: &Table, out: &mut Vec<Item>) {
        let columns = column_edges(t);
        let rows = self.row_edges(t, &columns);
        let (w, h) = (
            columns.last().copied().unwrap_or(0.0),
            rows.last().copied().unwrap_or(0.0),
        );
        let mut items = Vec::new();
        if !t.background.is_none() {
            let r = Rect::new(0.0, 0.0, w, h);
            let area = self.fill_area(&Path::rect(&r), &t.background, r, 0.0);
            items.extend(area);
        }
        let mut texts = Vec::new();
        let mut lines = Vec::new();
        for (r, row) in t.rows.iter().enumerate() {
            for (c, cell) in row.cells.iter().enumerate().filter(|(_, c)| !c.merged) {
                let Some(area) = cell_area(cell, r, c, &columns, &rows) else {
                    continue;
                };
                let fill = self.fill_area(&Path::rect(&area), &cell.fill, area, 0.0);
                items.extend(fill);
                if let Some(text) = cell.text.as_ref().filter(|t| !t.is_blank()) {
                    let drawn = self.text_box(text, area);
                    texts.extend(drawn);
                }
                self.borders(t, cell, (r, c), area, &mut lines);
            }
        }
        items.extend(lines);
        items.extend(texts);
        let frame = Frame {
            rect: Rect {
                w: w * 12_700.0,
                h: h * 12_700.0,
                ..t.frame.rect
            },
            rot: t.frame.rot,
            flip_h: false,
            flip_v: false,
        };
        let item = Item::mapped(in_points(&frame.map()), items);
        self.with_effects(item, &t.effects, 0.0, out);
    }

    fn row_edges(&mut self, t: &Table, columns: &[f64]) -> Vec<f64> {
        let mut heights: Vec<f64> = t.rows.iter().map(|r| pt(r.height)).collect();
        let mut spans = Vec::new();
        for (r, row) in t.rows.iter().enumerate() {
            for (c, cell) in row.cells.iter().enumerate().filter(|(_, c)| !c.merged) {
                let need = self.cell_height(cell, c, columns);
                if cell.row_span > 1 {
                    spans.push((r, cell.row_span, need));
                } else if let Some(h) = heights.get_mut(r) {
                    *h = h.max(need);
                }
            }
        }
        for (r, n, need) in spans {
            let have: f64 = heights.iter().skip(r).take(n).sum();
            let last = (r + n - 1).min(heights.len().saturating_sub(1));
            if let Some(h) = heights.get_mut(last) {
                *h += (need - have).max(0.0);
            }
        }
        edges(heights.into_iter())
    }

    fn cell_height(&mut self, cell: &TableCell, c: usize, columns: &[f64]) -> f64 {
        let Some(text) = &cell.text else { return 0.0 };
        if text.vertical != Vertical::Horizontal {
            return 0.0;
        }
        let end = (c + cell.col_span).min(columns.len().saturating_sub(1));
        let width = columns
            .get(end)
            .zip(columns.get(c))
            .map_or(1.0, |(b, a)| b - a);
        self.text_height(text, width)
    }

    /// A merged cell's right and bottom borders are those of the cells at its far corner.
    fn borders(
        &mut self,
        t: &Table,
        cell: &TableCell,
        at: (usize, usize),
        area: Rect,
        out: &mut Vec<Item>,
    ) {
        let (r, c) = at;
        let far = t
            .rows
            .get(r + cell.row_span - 1)
            .and_then(|row| row.cells.get(c + cell.col_span - 1));
        let far = far.filter(|_| cell.row_span > 1 || cell.col_span > 1);
        let [left, right, top, bottom] = &cell.borders;
        let right = far
            .and_then(|f| f.borders.get(1).and_then(Option::as_ref))
            .or(right.as_ref());
        let bottom = far
            .and_then(|f| f.borders.get(3).and_then(Option::as_ref))
            .or(bottom.as_ref());
        let (x0, y0, x1, y1) = (area.x, area.y, area.right(), area.bottom());
        let sides: [Side<'_>; 4] = [
            (left.as_ref(), [(x0, y0), (x0, y1)]),
            (right, [(x1, y0), (x1, y1)]),
            (top.as_ref(), [(x0, y0), (x1, y0)]),
            (bottom, [(x0, y1), (x1, y1)]),
        ];
        let [down, up] = &cell.diagonals;
        let diagonals = [
            (down.as_ref(), [(x0, y0), (x1, y1)]),
            (up.as_ref(), [(x0, y1), (x1, y0)]),
        ];
        for (line, ends) in sides.into_iter().chain(diagonals) {
            if let Some(l) = line {
                self.line_items(&Path::polyline(&ends), l, area, 0.0, out);
            }
        }
    }
}

fn edges(sizes: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut out = vec![0.0];
    let mut at = 0.0;
    for s in sizes {
        at += s;
        out.push(at);
    }
    out
}

/// Columns keep their widths; a grid without any shares the frame.
fn column_edges(t: &Table) -> Vec<f64> {
    let total: f64 = t.columns.iter().sum();
    if total <= 0.0 && !t.columns.is_empty() {
        let w = pt(t.frame.rect.w) / t.columns.len() as f64;
        return edges(t.columns.iter().map(|_| w));
    }
    edges(t.columns.iter().map(|c| pt(*c)))
}

fn cell_area(cell: &TableCell, r: usize, c: usize, columns: &[f64], rows: &[f64]) -> Option<Rect> {
    let right = columns.get((c + cell.col_span).min(columns.len() - 1))?;
    let bottom = rows.get((r + cell.row_span).min(rows.len() - 1))?;
    let (x, y) = (columns.get(c)?, rows.get(r)?);
    Some(Rect::new(*x, *y, right - x, bottom - y))
}
