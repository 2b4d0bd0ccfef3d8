// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placed text to glyph outlines, decorations and colour glyphs.

use std::sync::Arc;

use crate::display::{Encoded, Group, Item, Paint, Stroke};
use crate::fonts::outline;
use crate::geometry::{Affine, Path, Rect};
use crate::layout::Layouter;
use crate::text::model::{Align, Anchor, Fit, RunStyle, TextBody, Underline, Vertical};
use crate::text::place::{Flow, PlacedLine, Scale, flow, shift_line};
use crate::text::shape::Cluster;
use crate::tree::{Cap, Effects, Fill, Join};
use crate::units::pt;

/// Scales that a shrinking text box tries, as PowerPoint steps them.
const STEPS: [(f64, f64); 11] = [
    (1.0, 0.0),
    (0.925, 0.1),
    (0.85, 0.2),
    (0.775, 0.2),
    (0.7, 0.2),
    (0.625, 0.2),
    (0.55, 0.2),
    (0.475, 0.2),
    (0.4, 0.2),
    (0.325, 0.2),
    (0.25, 0.2),
];

/// Text may stand this much over its box before a bare autofit is taken for one that was never computed.
const TOLERANCE: f64 = 1.08;

impl Layouter<'_> {
    /// Lays out a text body in a box (points) and draws it.
    pub fn text_box(&mut self, body: &TextBody, r: Rect) -> Vec<Item> {
        // A warp fills the whole box.
        let insets = if body.warp.is_some() {
            [0.0; 4]
        } else {
            body.insets
        };
        let [l, t, ri, b] = insets.map(pt);
        // Insets that leave nothing leave the line in the middle between them.
        let over = (t + b - r.h).max(0.0);
        let area = Rect::new(
            r.x + l,
            r.y + t - over / 2.0,
            (r.w - l - ri).max(0.0),
            (r.h - t - b).max(0.0),
        );
        let turn = match body.vertical {
            Vertical::Horizontal | Vertical::Stacked => 0.0,
            Vertical::Clockwise | Vertical::EastAsian => 90.0,
            Vertical::CounterClockwise => -90.0,
        };
        let (w, h) = if turn == 0.0 {
            (area.w, area.h)
        } else {
            (area.h, area.w)
        };
        let items = if let Some(warp) = &body.warp {
            self.warped(body, warp, w, h)
        } else if body.vertical == Vertical::Stacked {
            self.stacked(body, w, h)
        } else {
            self.flat(body, w, h)
        };
        if items.is_empty() {
            return items;
        }
        let (cx, cy) = area.centre();
        let map = Affine::translate(cx, cy)
            .then_inner(&Affine::rotate(turn + body.rot))
            .then_inner(&Affine::translate(-w / 2.0, -h / 2.0));
        vec![Item::mapped(map, items)]
    }

    /// Height of a text body in a width, insets included; for table rows.
    pub fn text_height(&mut self, body: &TextBody, width: f64) -> f64 {
        let [l, t, r, b] = body.insets.map(pt);
        let f = flow(self.engine, body, (width - l - r).max(1.0), Scale::FULL);
        f.height + t + b
    }

    fn flat(&mut self, body: &TextBody, w: f64, h: f64) -> Vec<Item> {
        let columns = body.columns.max(1);
        let gap = if columns > 1 {
            pt(body.column_gap)
        } else {
            0.0
        };
        let column = ((w - gap * (columns - 1) as f64) / columns as f64).max(1.0);
        let width = if body.wrap { column } else { f64::INFINITY };
        let mut f = self.fitted(body, width, h, columns);
        if columns > 1 {
            into_columns(&mut f, h, column + gap, columns);
        }
        if !body.wrap {
            self.place_unwrapped(body, &mut f, w);
        } else if body.anchor_center {
            let shift = (w - f.width).max(0.0) / 2.0;
            let left = f.lines.iter().map(|l| l.x).reduce(f64::min).unwrap_or(0.0);
            for line in &mut f.lines {
                shift_line(line, shift - left / 2.0);
            }
        }
        let top = match body.anchor {
            Anchor::Top => 0.0,
            Anchor::Middle => (h - f.height) / 2.0,
            Anchor::Bottom => h - f.height,
        };
        let upright = body.vertical == Vertical::EastAsian;
        let mut out = Vec::new();
        for line in &f.lines {
            self.draw_line(body, line, top, upright, &mut out);
        }
        out
    }

    fn fitted(&mut self, body: &TextBody, width: f64, h: f64, columns: usize) -> Flow {
        match body.fit {
            Fit::Stored(font, reduction) => {
                flow(self.engine, body, width, Scale { font, reduction })
            }
            Fit::Shrink => {
                let room = h * columns as f64;
                let first = flow(self.engine, body, width, Scale::FULL);
                if first.height <= room * TOLERANCE || h <= 0.0 || body.is_blank() {
                    return first;
                }
                self.notes.add(
                    "autofit-computed",
                    "text with a bare autofit was shrunk to its box; the deck stores no scale",
                );
                let mut last = first;
                for (font, reduction) in STEPS.into_iter().skip(1) {
                    last = flow(self.engine, body, width, Scale { font, reduction });
                    if last.height <= room {
                        break;
                    }
                }
                last
            }
            Fit::None | Fit::Resize => flow(self.engine, body, width, Scale::FULL),
        }
    }

    fn place_unwrapped(&mut self, body: &TextBody, f: &mut Flow, w: f64) {
        let align = body.paragraphs.first().map_or(Align::Left, |p| p.align);
        let shift = match align {
            _ if body.anchor_center => (w - f.width) / 2.0,
            Align::Center => (w - f.width) / 2.0,
            Align::Right => w - f.width,
            _ => 0.0,
        };
        for line in &mut f.lines {
            shift_line(line, shift);
        }
    }

    /// One letter below the other.
    fn stacked(&mut self, body: &TextBody, w: f64, h: f64) -> Vec<Item> {
        let mut one = body.clone();
        one.vertical = Vertical::Horizontal;
        for p in &mut one.paragraphs {
            p.align = Align::Center;
            for r in &mut p.runs {
                let letters: Vec<String> = r
                    .text
                    .chars()
                    .filter(|c| !c.is_whitespace())
                    .map(String::from)
                    .collect();
                r.text = letters.join("\u{2028}");
            }
        }
        self.flat(&one, w, h)
    }

    pub(super) fn draw_line(
        &mut self,
        body: &TextBody,
        line: &PlacedLine,
        top: f64,
        upright: bool,
        out: &mut Vec<Item>,
    ) {
        let Some(p) = body.paragraphs.get(line.paragraph) else {
            return;
        };
        let base = top + line.top + line.ascent;
        if let Some(b) = &p.bullet {
            self.draw_run(&line.bullet, &b.style, base, upright, out);
        }
        self.highlights(p, line, top, out);
        let mut from = 0;
        while let Some((_, first)) = line.clusters.get(from) {
            let key = |c: &Cluster| (c.run, c.choice.face, c.size.to_bits());
            let n = line
                .clusters
                .iter()
                .skip(from)
                .take_while(|c| key(&c.1) == key(first))
                .count();
            if let (Some(r), Some(part)) =
                (p.runs.get(first.run), line.clusters.get(from..from + n))
            {
                self.draw_run(part, &r.style, base, upright, out);
            }
            from += n;
        }
    }

    fn highlights(
        &mut self,
        p: &crate::text::model::Paragraph,
        line: &PlacedLine,
        top: f64,
        out: &mut Vec<Item>,
    ) {
        for (x, c) in &line.clusters {
            if let Some(color) = p.runs.get(c.run).and_then(|r| r.style.highlight) {
                let r = Rect::new(*x, top + line.top, c.advance + 0.05, line.height);
                out.push(Item::filled(Path::rect(&r), Paint::Solid(color)));
            }
        }
    }

    fn draw_run(
        &mut self,
        clusters: &[(f64, Cluster)],
        style: &RunStyle,
        base: f64,
        upright: bool,
        out: &mut Vec<Item>,
    ) {
        let (Some(first), Some(last)) = (clusters.first(), clusters.last()) else {
            return;
        };
        let size = first.1.size;
        // A raised or lowered run is drawn at two thirds of its size; the shift counts in the full size.
        let base = if style.baseline == 0.0 {
            base
        } else {
            base - style.baseline * size * 1.5
        };
        let mut path = Path::default();
        let mut colored = Vec::new();
        let mut embolden = false;
        for (x, c) in clusters {
            let Some(face) = self.engine.set.faces().get(c.choice.face) else {
                continue;
            };
            embolden |= c.choice.embolden;
            for g in &c.glyphs {
                let slant = if c.choice.slant { 0.21 } else { 0.0 };
                let mut map = Affine {
                    m: [
                        c.size * c.choice.width,
                        0.0,
                        slant * c.size,
                        -c.size * c.choice.height,
                        x + g.x,
                        base - g.y,
                    ],
                };
                if upright && crate::fonts::select::is_east_asian(c.ch) {
                    let (cx, cy) = (x + c.advance / 2.0, base - c.size * 0.38);
                    map = Affine::rotate_about(-90.0, cx, cy).then_inner(&map);
                }
                if outline::append(&mut path, face, g.id, &map) {
                    continue;
                }
                if let Some(glyph) = outline::color_glyph(face, g.id) {
                    colored.push(color_item(glyph, x + g.x, base, c.size));
                }
            }
        }
        let b = Rect::new(
            first.0,
            base - size,
            last.0 + last.1.advance - first.0,
            size * 1.2,
        );
        let mut items = Vec::new();
        self.glyphs(path, style, b, embolden.then_some(size / 28.0), &mut items);
        items.extend(colored);
        self.decorate(first.1.choice.face, style, b, base, size, &mut items);
        self.text_effects(items, &style.effects, out);
    }

    fn glyphs(
        &mut self,
        path: Path,
        style: &RunStyle,
        b: Rect,
        bold: Option<f64>,
        out: &mut Vec<Item>,
    ) {
        if path.steps.is_empty() {
            return;
        }
        let fill = match &style.fill {
            Fill::Picture(_) => None,
            f => self.paint(f, b, 0.0),
        };
        let stroke = match &style.line {
            Some(l) => self.stroke(l, b, 0.0),
            None => bold.and_then(|width| {
                let paint = fill.clone()?;
                Some(Stroke {
                    paint,
                    width,
                    dash: Vec::new(),
                    cap: Cap::Round,
                    join: Join::Round,
                })
            }),
        };
        out.push(Item::Path {
            path,
            fill,
            stroke,
            even_odd: false,
        });
    }

    pub(super) fn text_effects(&mut self, items: Vec<Item>, e: &Effects, out: &mut Vec<Item>) {
        if e.is_empty() || items.is_empty() {
            out.extend(items);
            return;
        }
        self.with_effects(
            Item::Group(Group {
                items,
                ..Group::default()
            }),
            e,
            0.0,
            out,
        );
    }

    fn decorate(
        &mut self,
        face: usize,
        style: &RunStyle,
        b: Rect,
        base: f64,
        size: f64,
        out: &mut Vec<Item>,
    ) {
        let Some(v) = self.engine.set.faces().get(face).map(|f| f.vertical()) else {
            return;
        };
        let Some(color) = style.underline_color.or_else(|| style.fill.plain()) else {
            return;
        };
        let thick = (v.underline_width * size).max(0.4);
        let bar = |y: f64, h: f64| {
            Item::filled(
                Path::rect(&Rect::new(b.x, y - h / 2.0, b.w, h)),
                Paint::Solid(color),
            )
        };
        let y = base + v.underline.max(0.05) * size;
        match style.underline {
            Underline::None => {}
            Underline::Single => out.push(bar(y, thick)),
            Underline::Double => {
                out.extend([bar(y - thick, thick * 0.8), bar(y + thick, thick * 0.8)])
            }
            Underline::Heavy => out.push(bar(y, thick * 2.0)),
            Underline::Dotted | Underline::Dashed | Underline::Wavy => {
                let on = if style.underline == Underline::Dotted {
                    thick
                } else {
                    thick * 4.0
                };
                let stroke = Stroke {
                    paint: Paint::Solid(color),
                    width: thick,
                    dash: vec![on, on.min(thick * 2.0)],
                    cap: Cap::Flat,
                    join: Join::Round,
                };
                out.push(Item::Path {
                    path: Path::polyline(&[(b.x, y), (b.right(), y)]),
                    fill: None,
                    stroke: Some(stroke),
                    even_odd: false,
                });
            }
        }
        let s = base - v.strike.max(0.2) * size;
        match style.strike {
            1 => out.push(bar(s, thick)),
            2 => out.extend([bar(s - thick, thick * 0.8), bar(s + thick, thick * 0.8)]),
            _ => {}
        }
    }
}

fn color_item(g: outline::ColorGlyph, x: f64, base: f64, size: f64) -> Item {
    let r = Rect::new(
        x + g.rect.x * size,
        base + g.rect.y * size,
        g.rect.w * size,
        g.rect.h * size,
    );
    Item::Image {
        image: Arc::new(Encoded {
            mime: "image/png",
            bytes: g.png,
            size: (0, 0),
            shrunk: false,
        }),
        rect: r,
        alpha: 1.0,
    }
}

/// Lines that do not fit the height go on at the top of the next column.
fn into_columns(f: &mut Flow, h: f64, pitch: f64, columns: usize) {
    let mut column = 0;
    let mut start = 0.0;
    let mut height = 0.0f64;
    for l in &mut f.lines {
        if l.top + l.height - start > h + 0.5 && column + 1 < columns && l.top > start {
            column += 1;
            start = l.top;
        }
        l.top -= start;
        shift_line(l, pitch * column as f64);
        height = height.max(l.top + l.height);
    }
    f.height = height;
}
