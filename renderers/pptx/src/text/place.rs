// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paragraphs to placed lines, by PowerPoint's rules for line height, spacing, bullets and alignment.
//!
//! A line at 100 % is 1.2 times the size for every font; its baseline divides that height as the font's Windows ascent
//! and descent do. Percent spacing below 100 % takes from the top, above it stretches both parts. All results are in
//! points, relative to the text area's corner.

use std::ops::Range;

use super::breaking::{Line, Stops, lines, visual_order};
use super::engine::TextEngine;
use super::model::{Align, Paragraph, RunStyle, Spacing, TextBody};
use super::shape::{Cluster, Source, shape};
use crate::units::pt;

/// Height of a line in sizes.
pub const LINE: f64 = 1.2;

/// A line in its place.
#[derive(Debug, Clone)]
pub struct PlacedLine {
    /// Index of its paragraph.
    pub paragraph: usize,
    /// Left edge of what is seen.
    pub x: f64,
    /// Top edge.
    pub top: f64,
    /// Distance of the baseline from the top.
    pub ascent: f64,
    /// Height.
    pub height: f64,
    /// Width of what is seen.
    pub width: f64,
    /// Clusters in visual order, each with its x.
    pub clusters: Vec<(f64, Cluster)>,
    /// Bullet clusters with their x.
    pub bullet: Vec<(f64, Cluster)>,
}

/// Placed text.
#[derive(Debug, Clone, Default)]
pub struct Flow {
    /// Lines from top to bottom.
    pub lines: Vec<PlacedLine>,
    /// Height of all.
    pub height: f64,
    /// Width of the widest line with its start.
    pub width: f64,
}

/// How much sizes and spacings are reduced.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Factor on sizes.
    pub font: f64,
    /// Taken from percent line spacings.
    pub reduction: f64,
}

impl Scale {
    /// Nothing is reduced.
    pub const FULL: Self = Self {
        font: 1.0,
        reduction: 0.0,
    };
}

/// Lays out paragraphs in a width; `f64::INFINITY` never wraps.
pub fn flow(engine: &mut TextEngine, body: &TextBody, width: f64, scale: Scale) -> Flow {
    let mut out = Flow::default();
    let mut y = 0.0;
    for (index, p) in body.paragraphs.iter().enumerate() {
        let before = if index == 0 {
            0.0
        } else {
            space(p.before, first_size(p) * scale.font)
        };
        y += before;
        y = paragraph(engine, &mut out, index, p, width, scale, y);
        if index + 1 < body.paragraphs.len() {
            y += space(p.after, first_size(p) * scale.font);
        }
    }
    out.height = y;
    if !width.is_finite() {
        align_unwrapped(&mut out, body);
    }
    out
}

fn first_size(p: &Paragraph) -> f64 {
    p.runs
        .iter()
        .map(|r| r.style.size)
        .reduce(f64::max)
        .unwrap_or(p.end.size)
}

fn space(s: Spacing, size: f64) -> f64 {
    match s {
        Spacing::Percent(p) => p * LINE * size,
        Spacing::Points(v) => v,
    }
}

/// Without wrapping, lines are aligned within the widest of them.
fn align_unwrapped(flow: &mut Flow, body: &TextBody) {
    let widest = flow.width;
    for l in &mut flow.lines {
        let align = body
            .paragraphs
            .get(l.paragraph)
            .map_or(Align::Left, |p| p.align);
        let shift = match align {
            Align::Center => (widest - l.width) / 2.0,
            Align::Right => widest - l.width,
            _ => continue,
        } - l.x;
        shift_line(l, shift);
    }
}

/// Moves a line sideways.
pub fn shift_line(l: &mut PlacedLine, dx: f64) {
    l.x += dx;
    for c in l.clusters.iter_mut().chain(&mut l.bullet) {
        c.0 += dx;
    }
}

fn paragraph(
    engine: &mut TextEngine,
    out: &mut Flow,
    index: usize,
    p: &Paragraph,
    width: f64,
    scale: Scale,
    mut y: f64,
) -> f64 {
    let sources: Vec<Source<'_>> = p
        .runs
        .iter()
        .map(|r| Source {
            text: &r.text,
            style: &r.style,
        })
        .collect();
    let mut clusters = shape(engine, &sources, scale.font, p.rtl);
    let (mut left, right) = (pt(p.margin_left), pt(p.margin_right));
    if p.rtl {
        left = left.max(0.0);
    }
    let bullet = bullet(engine, p, scale);
    let bullet_width: f64 = bullet.iter().map(|c| c.advance).sum();
    let stops = stops(p);
    let indent = pt(p.indent);
    let first_start = if bullet.is_empty() {
        (left + indent).max(0.0)
    } else {
        let after = left + indent + bullet_width;
        if after <= left + 0.01 {
            left
        } else {
            bullet_end(after, left, &stops)
        }
    };
    let room = |start: f64| (start, (width - start - right).max(1.0));
    let cut = if clusters.is_empty() {
        vec![Line {
            range: 0..0,
            seen: 0,
            width: 0.0,
            last: true,
        }]
    } else {
        let mut l = lines(&mut clusters, room(first_start), room(left), &stops);
        if clusters.last().is_some_and(Cluster::is_break) {
            let n = clusters.len();
            l.push(Line {
                range: n..n,
                seen: n,
                width: 0.0,
                last: true,
            });
        }
        l
    };
    let bullet_x = (left + indent).max(0.0);
    for (i, line) in cut.iter().enumerate() {
        let m = metrics(engine, p, &clusters, line, scale);
        let start = if i == 0 { first_start } else { left };
        let mut placed = place(&clusters, line, p, start, (width - start - right).max(1.0));
        placed.paragraph = index;
        placed.top = y;
        placed.ascent = m.0;
        placed.height = m.1;
        if i == 0 && !bullet.is_empty() {
            attach_bullet(&mut placed, &bullet, bullet_x, start, p, width);
        }
        out.width = out.width.max(placed.x + placed.width);
        y += m.1;
        out.lines.push(placed);
    }
    y
}

/// A bullet wider than the indent pushes the text to the next stop.
fn bullet_end(after: f64, left: f64, stops: &Stops) -> f64 {
    let own = stops.own.iter().map(|s| s.0).find(|s| *s >= after);
    own.unwrap_or_else(|| {
        if after > left {
            stops.after(after).0.min(after + 6.0)
        } else {
            left
        }
    })
}

fn attach_bullet(
    line: &mut PlacedLine,
    bullet: &[Cluster],
    at: f64,
    start: f64,
    p: &Paragraph,
    width: f64,
) {
    let mut x = at + (line.x - start).max(0.0);
    if p.rtl {
        let w: f64 = bullet.iter().map(|c| c.advance).sum();
        x = width - at - w;
    }
    for c in bullet {
        line.bullet.push((x, c.clone()));
        x += c.advance;
    }
}

fn bullet(engine: &mut TextEngine, p: &Paragraph, scale: Scale) -> Vec<Cluster> {
    let Some(b) = &p.bullet else {
        return Vec::new();
    };
    if p.runs.iter().all(|r| r.text.is_empty()) {
        return Vec::new();
    }
    let mut style = b.style.clone();
    style.baseline = 0.0;
    style.size = match b.size {
        Spacing::Percent(k) => p.runs.first().map_or(p.end.size, |r| r.style.size) * k,
        Spacing::Points(v) => v,
    };
    shape(
        engine,
        &[Source {
            text: &b.text,
            style: &style,
        }],
        scale.font,
        p.rtl,
    )
}

fn stops(p: &Paragraph) -> Stops {
    Stops {
        own: p.tabs.iter().map(|(x, k)| (pt(*x), *k)).collect(),
        default: pt(p.default_tab),
    }
}

/// Ascent and height of a line.
fn metrics(
    engine: &TextEngine,
    p: &Paragraph,
    clusters: &[Cluster],
    line: &Line,
    scale: Scale,
) -> (f64, f64) {
    let mut up = 0.0f64;
    let mut down = 0.0f64;
    let mut add = |face: Option<usize>, size: f64| {
        let v = face
            .and_then(|f| engine.set.faces().get(f))
            .map(|f| f.vertical());
        let share = v.map_or(0.8, |v| v.ascent / (v.ascent + v.descent));
        up = up.max(LINE * size * share);
        down = down.max(LINE * size * (1.0 - share));
    };
    let seen = clusters.get(line.range.clone()).unwrap_or_default();
    let only_break = seen.iter().all(Cluster::is_break);
    for c in seen.iter().filter(|c| only_break || !c.is_break()) {
        let size = p
            .runs
            .get(c.run)
            .map_or(c.size, |r| r.style.size * scale.font);
        add(Some(c.choice.face), size);
    }
    if seen.is_empty() {
        let style = if clusters.is_empty() {
            &p.end
        } else {
            p.runs.last().map_or(&p.end, |r| &r.style)
        };
        add(face_of(engine, style), style.size * scale.font);
    }
    spaced(p.line, up, down, scale)
}

fn face_of(engine: &TextEngine, style: &RunStyle) -> Option<usize> {
    if let Some(own) = engine.set.own(&style.latin, style.bold, style.italic) {
        return Some(own);
    }
    let s = crate::fonts::substitute::substitute(&style.latin);
    engine
        .set
        .find(s.family, style.bold || s.bold, style.italic)
}

fn spaced(line: Spacing, up: f64, down: f64, scale: Scale) -> (f64, f64) {
    let natural = up + down;
    let k = match line {
        Spacing::Percent(p) => (p - scale.reduction).max(0.1),
        Spacing::Points(v) => {
            let v = v * if scale.font < 1.0 { scale.font } else { 1.0 };
            return (up - (natural - v), v);
        }
    };
    if k < 1.0 {
        (up - (1.0 - k) * natural, natural * k)
    } else {
        (up * k, natural * k)
    }
}

/// Puts the clusters of a line in visual order and aligns them in `room`.
fn place(clusters: &[Cluster], line: &Line, p: &Paragraph, start: f64, room: f64) -> PlacedLine {
    let mut out = PlacedLine {
        paragraph: 0,
        x: start,
        top: 0.0,
        ascent: 0.0,
        height: 0.0,
        width: line.width,
        clusters: Vec::new(),
        bullet: Vec::new(),
    };
    let seen: Range<usize> = line.range.start..line.seen;
    let extra = if room.is_finite() {
        room - line.width
    } else {
        0.0
    };
    let forced = line.last;
    let (gap_space, gap_all) = justify(clusters, seen.clone(), p.align, forced, extra);
    let align = match p.align {
        Align::Justify if p.rtl && forced => Align::Right,
        a => a,
    };
    let mut x = start;
    if room.is_finite() {
        match align {
            Align::Center => x += extra / 2.0,
            Align::Right => x += extra,
            _ => {}
        }
    }
    if p.rtl && room.is_finite() {
        x -= start;
    }
    out.x = x;
    for i in visual_order(clusters, seen) {
        if let Some(c) = clusters.get(i) {
            out.clusters.push((x, c.clone()));
            x += c.advance + gap_all + if c.is_space() { gap_space } else { 0.0 };
        }
    }
    out.width = (x - out.x).max(line.width);
    out
}

fn justify(
    clusters: &[Cluster],
    seen: Range<usize>,
    align: Align,
    last: bool,
    extra: f64,
) -> (f64, f64) {
    let part = clusters.get(seen).unwrap_or_default();
    if extra <= 0.0 || part.len() < 2 {
        return (0.0, 0.0);
    }
    match align {
        Align::Justify if !last => {
            let n = part.iter().filter(|c| c.is_space()).count();
            if n > 0 {
                (extra / n as f64, 0.0)
            } else {
                (0.0, 0.0)
            }
        }
        Align::Distribute => (0.0, extra / (part.len() - 1) as f64),
        _ => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tight_spacing_takes_from_the_top() {
        let (a, h) = spaced(Spacing::Percent(0.5), 8.0, 2.0, Scale::FULL);
        assert_eq!((a, h), (3.0, 5.0), "what is below the baseline stays");
    }

    #[test]
    fn wide_spacing_stretches_both_parts() {
        let (a, h) = spaced(Spacing::Percent(2.0), 8.0, 2.0, Scale::FULL);
        assert_eq!((a, h), (16.0, 20.0));
    }

    #[test]
    fn a_reduction_is_subtracted_from_percent_spacing() {
        let (_, h) = spaced(
            Spacing::Percent(1.0),
            8.0,
            2.0,
            Scale {
                font: 0.9,
                reduction: 0.2,
            },
        );
        assert!((h - 8.0).abs() < 1e-9);
    }
}
