// SPDX-License-Identifier: MIT OR Apache-2.0
//! Enhanced metafiles (MS-EMF): record by record into the device context. EMF+ comments are passed over; dual files
//! repeat everything in plain records.

use super::Drawing;
use super::dib;
use super::gdi::{Font, Gdi, Object, color};
use super::reader::Bytes;
use crate::geometry::{Affine, Path, Rect, Step};
use crate::layout::Layouter;

/// Most records that are played.
const MAX_RECORDS: usize = 500_000;

/// Plays an EMF.
pub fn play(bytes: &[u8], l: &mut Layouter<'_>) -> Option<Drawing> {
    let b = Bytes(bytes);
    let frame = [b.i32(24), b.i32(28), b.i32(32), b.i32(36)].map(f64::from);
    let device = (f64::from(b.i32(72)), f64::from(b.i32(76)));
    let mm = (f64::from(b.i32(80)), f64::from(b.i32(84)));
    if device.0 <= 0.0 || device.1 <= 0.0 || mm.0 <= 0.0 || mm.1 <= 0.0 {
        return None;
    }
    // The frame is in hundredths of a millimetre; drawing is in device pixels.
    let (kx, ky) = (device.0 / mm.0 / 100.0, device.1 / mm.1 / 100.0);
    let bounds = Rect::new(
        frame[0] * kx,
        frame[1] * ky,
        (frame[2] - frame[0]) * kx,
        (frame[3] - frame[1]) * ky,
    );
    let size = (
        (frame[2] - frame[0]) * 72.0 / 2_540.0,
        (frame[3] - frame[1]) * 72.0 / 2_540.0,
    );
    let mut g = Gdi::default();
    g.view_ext(device.0, device.1);
    let mut at = 0usize;
    let mut plus_only = false;
    for _ in 0..MAX_RECORDS {
        let (kind, len) = (b.u32(at), b.u32(at + 4) as usize);
        if len < 8 || at.saturating_add(len) > b.len() || kind == 14 {
            break;
        }
        let body = Bytes(b.part(at, len));
        if kind == 70 && body.part(12, 4) == b"EMF+" && body.u16(16) == 0x4001 {
            plus_only = body.u16(18) & 1 == 0;
        }
        record(&mut g, kind, body, l);
        at += len;
    }
    if plus_only {
        l.notes.add(
            "emf-plus",
            "an EMF+ picture without plain records is drawn in part",
        );
    }
    Some(Drawing {
        items: g.items,
        bounds,
        size,
    })
}

fn points32(b: Bytes<'_>, at: usize, n: usize) -> Vec<(f64, f64)> {
    let n = n.min(b.len().saturating_sub(at) / 8);
    (0..n)
        .map(|i| {
            (
                f64::from(b.i32(at + i * 8)),
                f64::from(b.i32(at + i * 8 + 4)),
            )
        })
        .collect()
}

fn points16(b: Bytes<'_>, at: usize, n: usize) -> Vec<(f64, f64)> {
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

fn points(b: Bytes<'_>, small: bool) -> Vec<(f64, f64)> {
    let n = b.u32(24) as usize;
    if small {
        points16(b, 28, n)
    } else {
        points32(b, 28, n)
    }
}

fn bezier(p: &[(f64, f64)]) -> Path {
    let mut out = Path::default();
    if let Some(f) = p.first() {
        out.steps.push(Step::Move(f.0, f.1));
    }
    for c in p.get(1..).unwrap_or_default().chunks_exact(3) {
        if let [a, b, e] = c {
            out.steps.push(Step::Cubic(a.0, a.1, b.0, b.1, e.0, e.1));
        }
    }
    out
}

fn poly_poly(b: Bytes<'_>, small: bool, closed: bool) -> Path {
    let polygons = (b.u32(24) as usize).min(b.len() / 4);
    let start = 32 + polygons * 4;
    let total = b.u32(28) as usize;
    let all = if small {
        points16(b, start, total)
    } else {
        points32(b, start, total)
    };
    let mut out = Path::default();
    let mut from = 0usize;
    for i in 0..polygons {
        let n = b.u32(32 + i * 4) as usize;
        let Some(part) = all.get(from..from.saturating_add(n).min(all.len())) else {
            break;
        };
        from += part.len();
        out.steps.extend(if closed {
            Path::polygon(part).steps
        } else {
            Path::polyline(part).steps
        });
    }
    out
}

fn pair(b: Bytes<'_>, at: usize) -> (f64, f64) {
    (f64::from(b.i32(at)), f64::from(b.i32(at + 4)))
}

fn rect(b: Bytes<'_>, at: usize) -> Rect {
    let (x0, y0) = pair(b, at);
    let (x1, y1) = pair(b, at + 8);
    Rect::new(x0.min(x1), y0.min(y1), (x1 - x0).abs(), (y1 - y0).abs())
}

fn matrix(b: Bytes<'_>, at: usize) -> Affine {
    Affine {
        m: [0, 4, 8, 12, 16, 20].map(|o| b.f32(at + o)),
    }
}

fn record(g: &mut Gdi, kind: u32, b: Bytes<'_>, l: &mut Layouter<'_>) {
    match kind {
        2 | 85 => g.shape(&bezier(&points(b, kind == 85)), false),
        3 | 86 => g.shape(&Path::polygon(&points(b, kind == 86)), true),
        4 | 87 => g.shape(&Path::polyline(&points(b, kind == 87)), false),
        5 | 88 => g.on_to(&points(b, kind == 88), true),
        6 | 89 => g.on_to(&points(b, kind == 89), false),
        7 | 90 => g.shape(&poly_poly(b, kind == 90, false), false),
        8 | 91 => g.shape(&poly_poly(b, kind == 91, true), true),
        27 => {
            let p = pair(b, 8);
            g.move_to(p.0, p.1);
        }
        54 => g.on_to(&[pair(b, 8)], false),
        42 => g.shape(&Path::ellipse(&rect(b, 8)), true),
        43 => g.shape(&Path::rect(&rect(b, 8)), true),
        44 => g.shape(&round_rect(rect(b, 8), pair(b, 24)), true),
        45..=47 => g.arc(rect(b, 8), pair(b, 24), pair(b, 32), (kind - 45) as u8),
        59 => g.begin_path(),
        60 => g.end_path(),
        61 => g.close_figure(),
        62 => g.draw_path(true, false),
        63 => g.draw_path(true, true),
        64 => g.draw_path(false, true),
        67 => g.clip_path(),
        30 => g.clip_box(rect(b, 8)),
        75 => region(g, b),
        76 | 77 | 81 | 80 | 114 => bits(g, kind, b),
        82 => g.create(b.u32(8), Object::Font(font(b))),
        83 | 84 => text(g, kind == 84, b, l),
        _ => state(g, kind, b),
    }
}

fn state(g: &mut Gdi, kind: u32, b: Bytes<'_>) {
    let p = pair(b, 8);
    match kind {
        9 => g.window_ext(p.0, p.1),
        10 => g.window_org(p.0, p.1),
        11 => g.view_ext(p.0, p.1),
        12 => g.view_org(p.0, p.1),
        17 => g.map_mode(b.u32(8)),
        18 => g.back_mode(b.u32(8)),
        19 => g.fill_mode(b.u32(8)),
        22 => g.text_align(b.u32(8)),
        24 => g.text_color(color(b.u32(8))),
        25 => g.back_color(color(b.u32(8))),
        33 => g.save(),
        34 => g.restore(b.i32(8)),
        35 => g.world(matrix(b, 8)),
        36 => g.modify_world(matrix(b, 8), b.u32(32)),
        37 => g.select(b.u32(8)),
        38 => g.create(b.u32(8), pen(b.u32(12), f64::from(b.i32(16)), b.u32(24))),
        39 => g.create(b.u32(8), brush(b.u32(12), b.u32(16))),
        40 => g.delete(b.u32(8)),
        93 | 94 => g.create(b.u32(8), Object::Brush(Some(color(0x00C0_C0C0)))),
        95 => g.create(b.u32(8), pen(b.u32(28), f64::from(b.u32(32)), b.u32(40))),
        _ => {}
    }
}

/// A pen of a style, width and colour.
pub fn pen(style: u32, width: f64, c: u32) -> Object {
    let dash = match style & 15 {
        1 => vec![3.0, 1.0],
        2 => vec![1.0, 1.0],
        3 => vec![3.0, 1.0, 1.0, 1.0],
        4 => vec![3.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        _ => Vec::new(),
    };
    Object::Pen((style & 15 != 5).then(|| color(c)), width, dash)
}

/// A brush of a style and colour.
pub fn brush(style: u32, c: u32) -> Object {
    Object::Brush((style != 1).then(|| color(c)))
}

fn round_rect(r: Rect, corner: (f64, f64)) -> Path {
    let (rx, ry) = (
        (corner.0.abs() / 2.0).min(r.w / 2.0),
        (corner.1.abs() / 2.0).min(r.h / 2.0),
    );
    let mut p = Path::default();
    let mut at = (r.x, r.y + ry);
    p.steps.push(Step::Move(at.0, at.1));
    let corners = [
        (180.0, (r.right() - rx, r.y)),
        (270.0, (r.right(), r.bottom() - ry)),
        (0.0, (r.x + rx, r.bottom())),
        (90.0, (r.x, r.y + ry)),
    ];
    for (start, next) in corners {
        crate::geometry::arc::append(&mut p, at, rx, ry, start, 90.0);
        p.steps.push(Step::Line(next.0, next.1));
        at = next;
    }
    p.steps.push(Step::Close);
    p
}

fn region(g: &mut Gdi, b: Bytes<'_>) {
    let (size, mode) = (b.u32(8) as usize, b.u32(12));
    if size == 0 || mode != 5 {
        if mode == 5 {
            g.clip_device(&[]);
        }
        return;
    }
    let n = (b.u32(24) as usize).min(b.len() / 16).min(2_000);
    let boxes: Vec<Rect> = (0..n).map(|i| rect(b, 48 + i * 16)).collect();
    g.clip_device(&boxes);
}

fn bits(g: &mut Gdi, kind: u32, b: Bytes<'_>) {
    // Where the offsets of header and bits stand, and where width and height of the target do.
    let (offsets, target) = match kind {
        76 => (84, Some(24)),
        77 => (84, Some(24)),
        114 => (84, Some(24)),
        81 => (48, None),
        _ => (48, None),
    };
    let (info, info_len) = (b.u32(offsets) as usize, b.u32(offsets + 4) as usize);
    let (data, data_len) = (b.u32(offsets + 8) as usize, b.u32(offsets + 12) as usize);
    let (x, y) = pair(b, 24);
    let (w, h) = match (kind, target) {
        (81, _) => pair(b, 72),
        (80, _) => pair(b, 40),
        _ => pair(b, 32),
    };
    let r = Rect::new(x, y, w, h);
    if info_len == 0 {
        // Without bits: a raster operation on the brush. Black, white and pattern copy are drawn.
        g.blot(b.u32(40), r);
        return;
    }
    let how = dib_use(kind, b);
    if let Some(img) = dib::encoded(b.part(info, info_len), b.part(data, data_len), &how) {
        g.bitmap(img, r);
    }
}

/// Which part of its bitmap a record draws, and how.
fn dib_use(kind: u32, b: Bytes<'_>) -> dib::Use {
    let four = |at: [usize; 4]| at.map(|o| b.i32(o));
    let (op, source) = match kind {
        81 => (b.u32(68), four([32, 36, 40, 44])),
        80 => (0, four([32, 36, 40, 44])),
        76 => (b.u32(40), four([44, 48, 32, 36])),
        _ => (b.u32(40), four([44, 48, 100, 104])),
    };
    let blend = kind == 114;
    dib::Use {
        op: if blend { 0 } else { op },
        source,
        from_bottom: matches!(kind, 80 | 81),
        alpha: blend && b.u8(43) == 1,
        opacity: if blend { b.u8(42) } else { 255 },
    }
}

fn font(b: Bytes<'_>) -> Font {
    let name: Vec<u16> = (0..32)
        .map(|i| b.u16(40 + i * 2))
        .take_while(|c| *c != 0)
        .collect();
    Font {
        height: f64::from(b.i32(12)),
        turn: f64::from(b.i32(20)),
        weight: b.u32(28),
        italic: b.u8(32) != 0,
        underline: b.u8(33) != 0,
        strike: b.u8(34) != 0,
        charset: b.u8(35),
        name: String::from_utf16_lossy(&name),
    }
}

fn text(g: &mut Gdi, wide: bool, b: Bytes<'_>, l: &mut Layouter<'_>) {
    let at = pair(b, 36);
    let (n, off, flags) = (
        (b.u32(44) as usize).min(10_000),
        b.u32(48) as usize,
        b.u32(52),
    );
    let dx_at = b.u32(72) as usize;
    let s = if wide {
        String::from_utf16_lossy(&(0..n).map(|i| b.u16(off + i * 2)).collect::<Vec<_>>())
    } else {
        g.ansi(b.part(off, n), l)
    };
    // Glyph indices mean nothing without the font they were made with.
    if flags & 0x10 != 0 {
        l.notes.add(
            "metafile-glyphs",
            "text given as glyph numbers in a metafile is not drawn",
        );
        return;
    }
    let dx: f64 = if dx_at > 0 {
        (0..n)
            .map(|i| f64::from(b.u32(dx_at + i * 4).min(1_000_000)))
            .sum()
    } else {
        0.0
    };
    g.text(l, &s, at, (dx > 0.0).then_some(dx));
}
