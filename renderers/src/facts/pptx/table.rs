// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables: the cells that are drawn, each with its text, box, fill and style.

use deckproof_package::ns::{A, NodeExt};
use deckproof_package::roxmltree::Node;

use super::canon::{Canon, attributes};
use super::color::{Fill, fill_node};
use super::element::{Style, fill_text, put};
use super::parts::Scope;
use super::place::length;
use super::text;
use super::text_style::{Looks, Styles, looks};
use crate::facts::Rect;

/// The least height of a row: the file's is a minimum and often 0, and the text makes room for itself.
const LEAST_ROW: i64 = 127_000;

/// One cell that is drawn.
#[derive(Debug)]
pub(super) struct Cell {
    /// Row and column, from 1.
    pub(super) at: (usize, usize),
    pub(super) text: String,
    pub(super) rect: Rect,
    pub(super) fill: Fill,
    pub(super) looks: Looks,
    pub(super) style: Style,
}

/// A table.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) cells: Vec<Cell>,
    pub(super) style: Style,
}

/// Reads a table whose frame starts at the box's corner; at most `limit` cells.
pub(super) fn read(
    table: &Node<'_, '_>,
    frame: Rect,
    scope: &Scope<'_, '_>,
    canon: &Canon<'_, '_>,
    limit: usize,
) -> Table {
    let grid = table
        .child(A, "tblGrid")
        .into_iter()
        .flat_map(|grid| grid.children());
    let widths: Vec<i64> = grid
        .filter(|n| n.is(A, "gridCol"))
        .map(|n| length(&n, "w").unwrap_or_default())
        .collect();
    let rows: Vec<_> = table.children().filter(|node| node.is(A, "tr")).collect();
    let heights: Vec<i64> = rows
        .iter()
        .map(|row| length(row, "h").unwrap_or_default().max(LEAST_ROW))
        .collect();
    let mut read = Table::default();
    for (row, at) in rows.iter().zip(0..) {
        let cells = row.children().filter(|node| node.is(A, "tc")).zip(0..);
        for (node, column) in cells.filter(|(node, _)| !is_merged_away(node)) {
            if read.cells.len() >= limit {
                break;
            }
            read.cells.push(cell(
                &node,
                (at, column),
                frame,
                (&widths, &heights),
                scope,
                canon,
            ));
        }
    }
    read.style = style(table, &widths, &heights, canon);
    read
}

fn is_merged_away(cell: &Node<'_, '_>) -> bool {
    cell.flag("hMerge") == Some(true) || cell.flag("vMerge") == Some(true)
}

fn cell<'a, 'input: 'a>(
    node: &Node<'a, 'input>,
    (row, column): (usize, usize),
    frame: Rect,
    (widths, heights): (&[i64], &[i64]),
    scope: &'a Scope<'_, 'input>,
    canon: &Canon<'_, '_>,
) -> Cell {
    let span = |name: &str| {
        node.plain(name)
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(1_usize)
            .max(1)
    };
    let rect = Rect {
        x: frame.x.saturating_add(sum(widths, 0, column)),
        y: frame.y.saturating_add(sum(heights, 0, row)),
        width: sum(widths, column, span("gridSpan")),
        height: sum(heights, row, span("rowSpan")),
    };
    let body = node.child(A, "txBody");
    let properties = node.child(A, "tcPr");
    let looks = body
        .map(|body| looks(&body, &Styles::of_cell(&body, scope), scope, canon))
        .unwrap_or_default();
    let mut style = looks.style.clone();
    let fill = properties.and_then(|node| fill_node(&node));
    put(
        &mut style,
        "fill",
        fill.map(|node| fill_text(&node, scope, canon)),
    );
    put(
        &mut style,
        "cell",
        properties.map(|node| {
            let rest = canon.inside(&node, |child| fill_node(&node) != Some(*child));
            format!("{} {rest}", attributes(&node)).trim().to_owned()
        }),
    );
    Cell {
        at: (row + 1, column + 1),
        text: body.map(|body| text::plain(&body)).unwrap_or_default(),
        rect,
        // A table's style may fill its cells, so a cell without fill has an unknown one.
        fill: properties
            .and_then(|node| Fill::inside(&node, &scope.theme, &scope.map))
            .unwrap_or(Fill::Unknown),
        looks,
        style,
    }
}

fn sum(lengths: &[i64], from: usize, count: usize) -> i64 {
    lengths
        .iter()
        .skip(from)
        .take(count)
        .fold(0, |sum, length| sum.saturating_add(*length))
}

fn style(table: &Node<'_, '_>, widths: &[i64], heights: &[i64], canon: &Canon<'_, '_>) -> Style {
    let mut style = Style::new();
    let list = |lengths: &[i64]| {
        lengths
            .iter()
            .map(i64::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    put(&mut style, "columns", Some(list(widths)));
    put(&mut style, "rows", Some(list(heights)));
    put(
        &mut style,
        "table",
        table.child(A, "tblPr").map(|node| canon.of(&node)),
    );
    style
}
