// SPDX-License-Identifier: MIT OR Apache-2.0
//! Windows metafiles (MS-WMF): record by record into the device context.

use super::Drawing;
use super::dib;
use super::emf::{brush, pen};
use super::gdi::{Font, Gdi, Object, color};
use super::reader::Bytes;
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;

/// Most records that are played.
const MAX_RECORDS: usize = 500_000;

/// Plays a WMF.
pub fn play(bytes: &[u8], l: &mut Layouter<'_>) -> Option<Drawing> {
    let b = Bytes(bytes);
    let placed = b.u32(0) == 0x9AC6_CDD7;
    let mut at = if placed { 22 } else { 0 };
    let corner = |o: usize| f64::from(b.i16(o));
    let mut bounds = placed.then(|| {
        Rect::new(
            corner(6),
            corner(8),
            corner(10) - corner(6),
            corner(12) - corner(8),
        )
    });
    let per_inch = if placed {
        f64::from(b.u16(14)).max(1.0)
    } else {
        96.0
    };
    at += usize::from(b.u16(at + 2)).max(9) * 2;
    let mut g = Gdi::default();
    g.map_mode(8);
    let mut window = Rect::default();
    for _ in 0..MAX_RECORDS {
        let (words, kind) = (b.u32(at) as usize, b.u16(at + 4));
        if words < 3 || kind == 0 || at.saturating_add(words.saturating_mul(2)) > b.len() {
            break;
        }
        let body = Bytes(b.part(at + 6, words * 2 - 6));
        match kind {
            0x020B => (window.x, window.y) = yx(body, 0),
            0x020C => (window.w, window.h) = yx(body, 0),
            _ => record(&mut g, kind, body, l),
        }
        if matches!(kind, 0x020B | 0x020C) {
            // Logical units are kept as they are: the picture's box scales them.
            g.window_org(0.0, 0.0);
            g.window_ext(1.0, 1.0);
            g.view_ext(1.0, 1.0);
        }
        at += words * 2;
    }
    if window.w != 0.0 && window.h != 0.0 {
        bounds = Some(
            bounds
                .filter(|p| p.w > 0.0 && p.h > 0.0 && (p.w - window.w.abs()).abs() < p.w * 0.02)
                .unwrap_or(window),
        );
    }
    let r = bounds.or_else(|| crate::display::bounds(&g.items))?;
    let size = (r.w.abs() * 72.0 / per_inch, r.h.abs() * 72.0 / per_inch);
    let (items, r) = upright(g.items, r);
    Some(Drawing {
        items,
        bounds: r,
        size,
    })
}

/// A window with a negative extent is mirrored.
fn upright(items: Vec<crate::display::Item>, r: Rect) -> (Vec<crate::display::Item>, Rect) {
    if r.w > 0.0 && r.h > 0.0 {
        return (items, r);
    }
    let (sx, sy) = (r.w.signum(), r.h.signum());
    let map = crate::geometry::Affine::scale(sx, sy);
    (
        vec![crate::display::Item::mapped(map, items)],
        Rect::new(r.x * sx, r.y * sy, r.w.abs(), r.h.abs()),
    )
}

fn yx(b: Bytes<'_>, at: usize) -> (f64, f64) {
    (f64::from(b.i16(at + 2)), f64::from(b.i16(at)))
}

/// A box given as bottom, right, top, left.
fn brtl(b: Bytes<'_>, at: usize) -> Rect {
    let (x1, y1) = yx(b, at);
    let (x0, y0) = yx(b, at + 4);
    Rect::new(x0.min(x1), y0.min(y1), (x1 - x0).abs(), (y1 - y0).abs())
}

fn points(b: Bytes<'_>, at: usize, n: usize) -> Vec<(f64, f64)> {
    let n = n.min(b.len().saturating_sub(at) / 4);
    (0..n)
        .map(|i| {
            (
                f64::from(b.i16(at + i * 4)),
                f64::from(b.i16(at + i * 4 + 2)),
            )
        })
        .collect()
}

fn record(g: &mut Gdi, kind: u16, b: Bytes<'_>, l: &mut Layouter<'_>) {
    match kind {
        0x0324 => g.shape(&Path::polygon(&points(b, 2, usize::from(b.u16(0)))), true),
        0x0325 => g.shape(&Path::polyline(&points(b, 2, usize::from(b.u16(0)))), false),
        0x0538 => g.shape(&poly_polygon(b), true),
        0x0214 => {
            let p = yx(b, 0);
            g.move_to(p.0, p.1);
        }
        0x0213 => g.on_to(&[yx(b, 0)], false),
        0x0418 => g.shape(&Path::ellipse(&brtl(b, 0)), true),
        0x041B => g.shape(&Path::rect(&brtl(b, 0)), true),
        0x061C => g.shape(&Path::rect(&brtl(b, 4)), true),
        0x0817 => g.arc(brtl(b, 8), yx(b, 4), yx(b, 0), 0),
        0x0830 => g.arc(brtl(b, 8), yx(b, 4), yx(b, 0), 1),
        0x081A => g.arc(brtl(b, 8), yx(b, 4), yx(b, 0), 2),
        0x0416 => g.clip_box(brtl(b, 0)),
        0x0521 => {
            let n = usize::from(b.u16(0));
            let s = g.ansi(b.part(2, n), l);
            let at = yx(b, 2 + n.div_ceil(2) * 2);
            g.text(l, &s, at, None);
        }
        0x0A32 => ext_text(g, b, l),
        0x0F43 => stretch(g, b, 22, &[yx(b, 10), yx(b, 6), yx(b, 14), yx(b, 18)], true),
        0x0B41 => stretch(g, b, 20, &[yx(b, 8), yx(b, 4), yx(b, 12), yx(b, 16)], false),
        0x0940 if b.len() > 20 => {
            stretch(g, b, 16, &[yx(b, 4), yx(b, 8), yx(b, 8), yx(b, 12)], false)
        }
        0x061D => pattern(g, b),
        _ => state(g, kind, b),
    }
}

fn state(g: &mut Gdi, kind: u16, b: Bytes<'_>) {
    match kind {
        0x0102 => g.back_mode(u32::from(b.u16(0))),
        0x0106 => g.fill_mode(u32::from(b.u16(0))),
        0x012E => g.text_align(u32::from(b.u16(0))),
        0x0209 => g.text_color(color(b.u32(0))),
        0x0201 => g.back_color(color(b.u32(0))),
        0x001E => g.save(),
        0x0127 => g.restore(i32::from(b.i16(0))),
        0x012D => g.select(u32::from(b.u16(0))),
        0x01F0 => g.delete(u32::from(b.u16(0))),
        0x02FA => g.create_free(pen(u32::from(b.u16(0)), f64::from(b.i16(2)), b.u32(6))),
        0x02FC => g.create_free(brush(u32::from(b.u16(0)), b.u32(2))),
        0x02FB => g.create_free(Object::Font(font(b))),
        0x00F7 | 0x06FF => g.create_free(Object::Other),
        0x01F9 | 0x0142 => g.create_free(Object::Brush(Some(color(0x00C0_C0C0)))),
        _ => {}
    }
}

fn poly_polygon(b: Bytes<'_>) -> Path {
    let n = usize::from(b.u16(0));
    let mut at = 2 + n * 2;
    let mut out = Path::default();
    for i in 0..n {
        let count = usize::from(b.u16(2 + i * 2));
        out.steps.extend(Path::polygon(&points(b, at, count)).steps);
        at += count * 4;
    }
    out
}

fn font(b: Bytes<'_>) -> Font {
    let name: String = b
        .part(18, 32)
        .iter()
        .take_while(|c| **c != 0)
        .map(|c| char::from(*c))
        .collect();
    Font {
        height: f64::from(b.i16(0)),
        turn: f64::from(b.i16(4)),
        weight: u32::from(b.u16(8)),
        italic: b.u8(10) != 0,
        underline: b.u8(11) != 0,
        strike: b.u8(12) != 0,
        charset: b.u8(13),
        name,
    }
}

fn ext_text(g: &mut Gdi, b: Bytes<'_>, l: &mut Layouter<'_>) {
    let at = yx(b, 0);
    let (n, flags) = (usize::from(b.u16(4)), b.u16(6));
    let start = if flags & 6 != 0 { 16 } else { 8 };
    let s = g.ansi(b.part(start, n), l);
    let dx_at = start + n.div_ceil(2) * 2;
    let dx: f64 = if b.len() >= dx_at + n * 2 {
        (0..n).map(|i| f64::from(b.i16(dx_at + i * 2))).sum()
    } else {
        0.0
    };
    g.text(l, &s, at, (dx > 0.0).then_some(dx));
}

/// A box that is black, white or filled with the brush.
fn pattern(g: &mut Gdi, b: Bytes<'_>) {
    let (size, corner) = (yx(b, 4), yx(b, 8));
    g.blot(b.u32(0), Rect::new(corner.0, corner.1, size.0, size.1));
}

/// A bitmap record: header at `info`; the places are source corner, source size, target size, target corner.
fn stretch(g: &mut Gdi, b: Bytes<'_>, info: usize, places: &[(f64, f64); 4], from_bottom: bool) {
    let [from, part, size, corner] = *places;
    let head = b.u32(info) as usize;
    let depth = b.u16(info + 14);
    let used = b.u32(info + 32) as usize;
    let colors = if depth <= 8 {
        if used > 0 {
            used.min(256)
        } else {
            1usize << depth
        }
    } else {
        0
    };
    let table = head.saturating_add(colors * 4);
    let Some(bits) = b.0.get(info.saturating_add(table)..) else {
        return;
    };
    let how = dib::Use {
        op: b.u32(0),
        source: [from.0, from.1, part.0, part.1].map(|v| v as i32),
        from_bottom,
        alpha: false,
        opacity: 255,
    };
    if let Some(img) = dib::encoded(b.part(info, table), bits, &how) {
        g.bitmap(img, Rect::new(corner.0, corner.1, size.0, size.1));
    }
}
