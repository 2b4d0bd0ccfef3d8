// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables: grid, rows, cells, and the table style laid under each cell by the part of the table it is in.

use roxmltree::Node as Xn;

use super::context::Cx;
use super::placeholder::Family;
use super::table_style::{Style, StylePart};
use super::text::{self, Around, StyleText};
use super::{effect, fill, line};
use crate::text::model::{Anchor, TextBody, Vertical};
use crate::tree::{Fill, Frame, Line, Table, TableCell, TableRow};
use crate::xml::Xml;

/// Most cells of one table.
const MAX_CELLS: usize = 20_000;

/// Which parts of the style are switched on.
#[derive(Debug, Clone, Copy, Default)]
struct Flags {
    first_row: bool,
    last_row: bool,
    first_col: bool,
    last_col: bool,
    band_row: bool,
    band_col: bool,
}

/// A place in a grid.
#[derive(Debug, Clone, Copy)]
struct Place {
    r: usize,
    c: usize,
    rows: usize,
    cols: usize,
}

/// Resolves `a:tbl`.
#[must_use]
pub fn table<'a>(t: Xn<'a, 'a>, frame: Frame, cx: &Cx<'a>) -> Table {
    let props = t.child("tblPr");
    let flag = |k| props.and_then(|p| p.flag(k)).unwrap_or(false);
    let flags = Flags {
        first_row: flag("firstRow"),
        last_row: flag("lastRow"),
        first_col: flag("firstCol"),
        last_col: flag("lastCol"),
        band_row: flag("bandRow"),
        band_col: flag("bandCol"),
    };
    let id = props
        .and_then(|p| p.child("tableStyleId"))
        .and_then(|n| n.text())
        .map(str::trim);
    let inline = props
        .and_then(|p| p.child("tableStyle"))
        .map(|s| super::table_style::read(s, cx));
    let style = inline
        .or_else(|| id.map(|i| cx.tables.style(i, cx)))
        .unwrap_or_default();
    let columns: Vec<f64> = t
        .child("tblGrid")
        .into_iter()
        .flat_map(|g| g.all("gridCol"))
        .take(1_000)
        .map(|c| c.num("w").unwrap_or(0.0).clamp(0.0, 1.0e9))
        .collect();
    let trs: Vec<Xn<'a, 'a>> = t.all("tr").take(MAX_CELLS / columns.len().max(1)).collect();
    let total = trs.len();
    let mut rows = Vec::new();
    for (r, tr) in trs.iter().enumerate() {
        let cells = tr.all("tc").take(columns.len()).enumerate().map(|(c, tc)| {
            cell(
                tc,
                Place {
                    r,
                    c,
                    rows: total,
                    cols: columns.len(),
                },
                flags,
                &style,
                cx,
            )
        });
        let height = tr.num("h").unwrap_or(0.0).clamp(0.0, 1.0e9);
        rows.push(TableRow {
            height,
            cells: cells.collect(),
        });
    }
    settle_borders(&mut rows, &trs);
    let own = props.and_then(|p| fill::among(p, cx));
    let background = own
        .or_else(|| style.get("tblBg").and_then(|b| b.fill.clone()))
        .unwrap_or_default();
    let effects = props.and_then(|p| effect::among(p, cx)).unwrap_or_default();
    Table {
        frame,
        columns,
        rows,
        background,
        effects,
    }
}

/// The parts of the style that a cell is in, from general to specific, each with the edges of its region.
fn parts(p: Place, f: Flags) -> Vec<(&'static str, [bool; 4])> {
    let edges =
        |r0: usize, r1: usize, c0: usize, c1: usize| [p.c == c0, p.c == c1, p.r == r0, p.r == r1];
    let (last_r, last_c) = (p.rows.saturating_sub(1), p.cols.saturating_sub(1));
    let mut out = vec![("wholeTbl", edges(0, last_r, 0, last_c))];
    let is = |on: bool, here: bool| on && here;
    let head = is(f.first_row, p.r == 0);
    let foot = is(f.last_row, p.r == last_r);
    let left = is(f.first_col, p.c == 0);
    let right = is(f.last_col, p.c == last_c);
    if f.band_col && !left && !right {
        let k = p.c - usize::from(f.first_col);
        out.push((
            if k.is_multiple_of(2) {
                "band1V"
            } else {
                "band2V"
            },
            edges(0, last_r, p.c, p.c),
        ));
    }
    if f.band_row && !head && !foot {
        let k = p.r - usize::from(f.first_row);
        out.push((
            if k.is_multiple_of(2) {
                "band1H"
            } else {
                "band2H"
            },
            edges(p.r, p.r, 0, last_c),
        ));
    }
    if right {
        out.push(("lastCol", edges(0, last_r, last_c, last_c)));
    }
    if left {
        out.push(("firstCol", edges(0, last_r, 0, 0)));
    }
    if foot {
        out.push(("lastRow", edges(last_r, last_r, 0, last_c)));
    }
    if head {
        out.push(("firstRow", edges(0, 0, 0, last_c)));
    }
    for (name, here) in [
        ("seCell", foot && right),
        ("swCell", foot && left),
        ("neCell", head && right),
        ("nwCell", head && left),
    ] {
        if here {
            out.push((name, [true; 4]));
        }
    }
    out
}

#[derive(Default)]
struct Under {
    fill: Fill,
    borders: [Option<Line>; 4],
    text: StyleText,
}

fn under(p: Place, f: Flags, style: &Style) -> Under {
    let mut out = Under::default();
    for (name, edges) in parts(p, f) {
        let Some(part) = style.get(name) else {
            continue;
        };
        lay(&mut out, part, edges);
    }
    out
}

fn lay(out: &mut Under, part: &StylePart, edges: [bool; 4]) {
    if let Some(f) = &part.fill {
        out.fill = f.clone();
    }
    let [left, right, top, bottom, inner_h, inner_v] = &part.borders;
    let choose = [
        if edges[0] { left } else { inner_v },
        if edges[1] { right } else { inner_v },
        if edges[2] { top } else { inner_h },
        if edges[3] { bottom } else { inner_h },
    ];
    for (slot, b) in out.borders.iter_mut().zip(choose) {
        if let Some(b) = b {
            slot.clone_from(b);
        }
    }
    let t = &part.text;
    out.text.color = t.color.or(out.text.color);
    out.text.bold = t.bold.or(out.text.bold);
    out.text.italic = t.italic.or(out.text.italic);
    if t.font.is_some() {
        out.text.font.clone_from(&t.font);
    }
}

fn cell<'a>(tc: Xn<'a, 'a>, place: Place, flags: Flags, style: &Style, cx: &Cx<'a>) -> TableCell {
    let under = under(place, flags, style);
    let props = tc.child("tcPr");
    let span = |k| tc.num(k).unwrap_or(1.0).clamp(1.0, 1_000.0) as usize;
    let mut out = TableCell {
        col_span: span("gridSpan"),
        row_span: span("rowSpan"),
        merged: tc.flag("hMerge").unwrap_or(false) || tc.flag("vMerge").unwrap_or(false),
        fill: props.and_then(|p| fill::among(p, cx)).unwrap_or(under.fill),
        borders: under.borders,
        ..TableCell::default()
    };
    if let Some(p) = props {
        for (slot, k) in out.borders.iter_mut().zip(["lnL", "lnR", "lnT", "lnB"]) {
            if let Some(l) = p.child(k) {
                *slot = own_border(l, cx);
            }
        }
        for (slot, k) in out.diagonals.iter_mut().zip(["lnTlToBr", "lnBlToTr"]) {
            *slot = p.child(k).and_then(|l| own_border(l, cx));
        }
    }
    out.text = Some(cell_text(tc, props, under.text, cx));
    out
}

fn own_border(l: Xn<'_, '_>, cx: &Cx<'_>) -> Option<Line> {
    let mut d = line::Draft::default();
    d.overlay(l, cx);
    d.finish().map(|mut l| {
        l.head = None;
        l.tail = None;
        l
    })
}

fn cell_text<'a>(
    tc: Xn<'a, 'a>,
    props: Option<Xn<'a, 'a>>,
    style: StyleText,
    cx: &Cx<'a>,
) -> TextBody {
    let around = Around {
        bodies: tc.child("txBody").into_iter().collect(),
        family: Family::None,
        style,
    };
    let mut body = tc
        .child("txBody")
        .map(|b| text::body(b, &around, cx))
        .unwrap_or_default();
    body.wrap = true;
    body.insets = TextBody::default().insets;
    let Some(p) = props else { return body };
    for (slot, k) in body.insets.iter_mut().zip(["marL", "marT", "marR", "marB"]) {
        if let Some(v) = p.num(k) {
            *slot = v.clamp(0.0, 51_206_400.0);
        }
    }
    body.anchor = match p.attr("anchor") {
        Some("ctr") => Anchor::Middle,
        Some("b") => Anchor::Bottom,
        _ => Anchor::Top,
    };
    body.vertical = match p.attr("vert") {
        Some("vert") => Vertical::Clockwise,
        Some("vert270") => Vertical::CounterClockwise,
        Some("eaVert") => Vertical::EastAsian,
        _ => Vertical::Horizontal,
    };
    body
}

/// A border that a cell sets itself wins over what the style gives its neighbour on the same edge.
fn settle_borders(rows: &mut [TableRow], trs: &[Xn<'_, '_>]) {
    let own = |r: usize, c: usize, k: &str| {
        trs.get(r)
            .and_then(|tr| tr.all("tc").nth(c))
            .and_then(|tc| tc.child("tcPr"))
            .is_some_and(|p| p.child(k).is_some())
    };
    let cols = rows.first().map_or(0, |r| r.cells.len());
    for r in 0..rows.len() {
        for c in 0..cols {
            if c + 1 < cols {
                edge(
                    rows,
                    (r, c, 1, own(r, c, "lnR")),
                    (r, c + 1, 0, own(r, c + 1, "lnL")),
                );
            }
            if r + 1 < rows.len() {
                edge(
                    rows,
                    (r, c, 3, own(r, c, "lnB")),
                    (r + 1, c, 2, own(r + 1, c, "lnT")),
                );
            }
        }
    }
}

fn edge(rows: &mut [TableRow], a: (usize, usize, usize, bool), b: (usize, usize, usize, bool)) {
    let clear = |rows: &mut [TableRow], x: (usize, usize, usize, bool)| {
        if let Some(slot) = rows
            .get_mut(x.0)
            .and_then(|r| r.cells.get_mut(x.1))
            .and_then(|c| c.borders.get_mut(x.2))
        {
            *slot = None;
        }
    };
    match (a.3, b.3) {
        (true, false) => clear(rows, b),
        (false, true) => clear(rows, a),
        _ => {}
    }
}
