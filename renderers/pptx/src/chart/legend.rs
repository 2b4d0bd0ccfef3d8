// SPDX-License-Identifier: MIT OR Apache-2.0
//! The legend: keys and names, in a column at the sides or in rows above and below.

use super::frame::{panel, part, take};
use super::model::{Chart, Kind, Legend, Marker, Side};
use super::{lines, words};
use crate::display::Item;
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;
use crate::tree::{Fill, Line};

/// One entry.
struct Entry {
    name: String,
    fill: Option<Fill>,
    line: Option<Line>,
    marker: Option<Marker>,
    border: Option<Line>,
}

/// Places the legend and takes its room from the rest.
pub fn place(
    l: &mut Layouter<'_>,
    c: &Chart,
    lg: &Legend,
    area: Rect,
    rest: &mut Rect,
    out: &mut Vec<Item>,
) {
    let entries = entries(c, lg);
    if entries.is_empty() {
        return;
    }
    let em = lg.text.size;
    let line_key = entries.iter().any(|e| e.line.is_some());
    let key = if line_key {
        em * 1.35
    } else if tall_key(lg) {
        em * 0.55
    } else {
        em * 0.42
    };
    let gap = em * if line_key { 0.15 } else { 0.35 };
    let cells: Vec<(f64, f64)> = entries
        .iter()
        .map(|e| {
            let (w, h) = words::size(l, &e.name, &lg.text, None);
            (key + gap + w, h)
        })
        .collect();
    let tall = matches!(lg.side, Side::Left | Side::Right | Side::TopRight);
    let widest = cells.iter().map(|c| c.0).fold(0.0, f64::max);
    let row = cells.iter().map(|c| c.1).fold(0.0, f64::max);
    let space = em * 1.1;
    let fixed = lg
        .layout
        .filter(|f| f.w > 0.0 && f.h > 0.0)
        .map(|f| part(area, f));
    let (w, h) = if tall {
        (widest + em * 0.6, row * 1.25 * cells.len() as f64)
    } else {
        let all: f64 = cells.iter().map(|c| c.0 + space).sum::<f64>();
        let width = all.min(rest.w);
        (width, row * (all / width.max(1.0)).ceil())
    };
    let w = w.min(area.w * 0.6);
    let r = fixed.unwrap_or_else(|| auto_place(lg, area, *rest, w, h));
    if !lg.overlay {
        make_room(lg, area, rest, r, em);
    }
    panel(l, &lg.fill, lg.border.as_ref(), r, out);
    if tall && (fixed.is_none() || r.h >= r.w * 0.5 || entries.len() == 1) {
        column(l, lg, &entries, r, (key, gap, row), out);
    } else {
        rows(l, lg, &entries, &cells, r, (key, gap, row, space), out);
    }
}

fn tall_key(lg: &Legend) -> bool {
    matches!(lg.side, Side::Left | Side::Right | Side::TopRight)
}

fn auto_place(lg: &Legend, area: Rect, rest: Rect, w: f64, h: f64) -> Rect {
    if let Some(f) = lg.layout {
        return Rect::new(area.x + area.w * f.x, area.y + area.h * f.y, w, h);
    }
    // Beside the plot it stands in the middle of what the title leaves.
    let (mx, my) = (rest.x + (rest.w - w) / 2.0, rest.y + (rest.h - h) / 2.0);
    match lg.side {
        Side::Left => Rect::new(rest.x, my, w, h),
        Side::Right => Rect::new(rest.right() - w, my.max(rest.y), w, h),
        Side::TopRight => Rect::new(rest.right() - w, rest.y, w, h),
        Side::Top => Rect::new(mx, rest.y, w, h),
        Side::Bottom => Rect::new(mx, rest.bottom() - h, w, h),
    }
}

fn make_room(lg: &Legend, area: Rect, rest: &mut Rect, r: Rect, em: f64) {
    let gap = em * 0.4;
    match lg.side {
        Side::Right | Side::TopRight => {
            let w = (rest.right() - r.x + gap).clamp(0.0, rest.w * 0.8);
            take(rest, Side::Right, w);
        }
        Side::Left => {
            let w = (r.right() - rest.x + gap).clamp(0.0, rest.w * 0.8);
            take(rest, Side::Left, w);
        }
        Side::Top => {
            let h = (r.bottom() - rest.y + gap).clamp(0.0, rest.h * 0.8);
            take(rest, Side::Top, h);
        }
        Side::Bottom => {
            let h = (rest.bottom() - r.y + gap).clamp(0.0, rest.h * 0.8);
            take(rest, Side::Bottom, h);
        }
    }
    let _ = area;
}

fn entries(c: &Chart, lg: &Legend) -> Vec<Entry> {
    let mut out = Vec::new();
    for g in &c.groups {
        let by_point = g.vary
            && (matches!(g.kind, Kind::Pie(_) | Kind::Doughnut(..))
                || (g.series.len() == 1 && matches!(g.kind, Kind::Bar { .. })));
        let mut list: Vec<Entry> = Vec::new();
        for s in &g.series {
            if by_point {
                if !list.is_empty() {
                    break;
                }
                for i in 0..s.values.len().max(s.categories.len()).min(60) {
                    let p = s.points.get(&i);
                    let fill = p
                        .and_then(|p| p.fill.clone())
                        .unwrap_or_else(|| s.fill.clone());
                    list.push(Entry {
                        name: s.categories.get(i).cloned().unwrap_or_default(),
                        fill: Some(fill),
                        line: None,
                        marker: None,
                        border: None,
                    });
                }
                continue;
            }
            let lined = matches!(g.kind, Kind::Line | Kind::Scatter | Kind::Radar(false));
            list.push(Entry {
                name: if s.name.is_empty() {
                    format!("Series{}", s.index + 1)
                } else {
                    s.name.clone()
                },
                fill: (!lined).then(|| s.fill.clone()),
                line: if lined { s.line.clone() } else { None },
                marker: if lined { s.marker.clone() } else { None },
                border: if lined { None } else { s.line.clone() },
            });
        }
        out.extend(list);
    }
    out.into_iter()
        .take(100)
        .enumerate()
        .filter(|(i, _)| !lg.hidden.contains(i))
        .map(|(_, e)| e)
        .collect()
}

fn column(
    l: &mut Layouter<'_>,
    lg: &Legend,
    entries: &[Entry],
    r: Rect,
    m: (f64, f64, f64),
    out: &mut Vec<Item>,
) {
    let pitch = r.h / entries.len() as f64;
    for (i, e) in entries.iter().enumerate() {
        let y = r.y + pitch * (i as f64 + 0.5);
        let x = r.x + lg.text.size * 0.3;
        draw_entry(l, lg, e, (x, y), m, out);
    }
}

fn rows(
    l: &mut Layouter<'_>,
    lg: &Legend,
    entries: &[Entry],
    cells: &[(f64, f64)],
    r: Rect,
    m: (f64, f64, f64, f64),
    out: &mut Vec<Item>,
) {
    let (key, gap, row, space) = m;
    let mut lines_of: Vec<Vec<usize>> = vec![Vec::new()];
    let mut x = 0.0;
    for (i, c) in cells.iter().enumerate() {
        if x > 0.0 && x + c.0 > r.w + 1.0 {
            lines_of.push(Vec::new());
            x = 0.0;
        }
        if let Some(last) = lines_of.last_mut() {
            last.push(i);
        }
        x += c.0 + space;
    }
    let pitch = (r.h / lines_of.len() as f64).max(row * 0.8);
    for (n, line) in lines_of.iter().enumerate() {
        let total: f64 = line
            .iter()
            .filter_map(|i| cells.get(*i))
            .map(|c| c.0 + space)
            .sum::<f64>()
            - space;
        let mut x = r.x + (r.w - total) / 2.0;
        let y = r.y + pitch * (n as f64 + 0.5);
        for i in line {
            let (Some(e), Some(c)) = (entries.get(*i), cells.get(*i)) else {
                continue;
            };
            draw_entry(l, lg, e, (x, y), (key, gap, row), out);
            x += c.0 + space;
        }
    }
}

/// One entry from `x` on, its middle at `y`: the key, a gap, the name.
fn draw_entry(
    l: &mut Layouter<'_>,
    lg: &Legend,
    e: &Entry,
    (x, y): (f64, f64),
    (key, gap, row): (f64, f64, f64),
    out: &mut Vec<Item>,
) {
    draw_key(
        l,
        e,
        Rect::new(x, y - row / 2.0, key, row),
        lg.text.size,
        out,
    );
    let at = (x + key + gap, y);
    words::put(l, &e.name, &lg.text, at, (0.0, 0.5), 0.0, out);
}

fn draw_key(l: &mut Layouter<'_>, e: &Entry, r: Rect, em: f64, out: &mut Vec<Item>) {
    let (cx, cy) = r.centre();
    if let Some(line) = &e.line {
        l.line_items(
            &Path::polyline(&[(r.x, cy), (r.right(), cy)]),
            line,
            r,
            0.0,
            out,
        );
    }
    if let Some(m) = &e.marker {
        lines::marker(l, m, (cx, cy), out);
    }
    if let Some(f) = &e.fill {
        let side = if r.w > em * 0.5 {
            r.w.min(em * 0.55)
        } else {
            em * 0.42
        };
        let b = Rect::new(r.x, cy - side / 2.0, side, side);
        panel(l, f, e.border.as_ref(), b, out);
    }
}
