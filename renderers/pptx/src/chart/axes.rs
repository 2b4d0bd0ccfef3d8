// SPDX-License-Identifier: MIT OR Apache-2.0
//! Axes: scales from the data, the inner plot rectangle, grid lines, axis lines and labels.

use super::model::{Axis, Chart, Crosses, Grouping, Kind, SeriesGroup, Side};
use super::scale::{Scale, settle};
use super::words;
use super::{data_table, levels, number};
use crate::display::Item;
use crate::geometry::{Path, Rect};
use crate::layout::Layouter;
use crate::text::model::RunStyle;

/// Gap between an axis and its labels in text sizes.
const LABEL_GAP: f64 = 0.35;
/// The same below a lying axis.
const LYING_GAP: f64 = 0.7;
/// Further room beyond tick marks beside a standing axis, in sizes of the text.
const BEYOND_TICKS: f64 = 0.2;

/// A settled axis.
#[derive(Debug, Clone)]
pub struct Settled {
    /// The scale; a category axis counts from 0 to n.
    pub scale: Scale,
    /// Labels with their place from 0 to 1 along the axis.
    pub labels: Vec<(f64, String)>,
    /// Categories, or 0.
    pub count: usize,
    /// Categories sit on the marks.
    pub on_marks: bool,
    /// Whether it lies.
    pub lying: bool,
    /// Its place across the plot from 0 (left, bottom) to 1.
    pub place: f64,
}

impl Settled {
    /// The place of a category from 0 to 1: its middle.
    #[must_use]
    pub fn category(&self, i: f64) -> f64 {
        let n = self.count.max(1) as f64;
        let t = if self.on_marks {
            if n > 1.0 { i / (n - 1.0) } else { 0.5 }
        } else {
            (i + 0.5) / n
        };
        if self.scale.reversed { 1.0 - t } else { t }
    }
}

/// The plot with its axes.
#[derive(Debug, Clone)]
pub struct Plot {
    /// The inner rectangle.
    pub rect: Rect,
    /// Settled axes, in the chart's order.
    pub axes: Vec<Settled>,
}

impl Plot {
    /// The point for fractions along a lying and a standing axis.
    #[must_use]
    pub fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.rect.x + self.rect.w * x,
            self.rect.bottom() - self.rect.h * y,
        )
    }
}

/// Settles axes and the inner rectangle. `fixed` is a manual layout and whether it is the inner one.
pub fn plot(l: &mut Layouter<'_>, c: &Chart, rest: Rect, fixed: Option<(Rect, bool)>) -> Plot {
    let outer = fixed.map_or(rest, |f| f.0);
    let inner_fixed = fixed.is_some_and(|f| f.1);
    let mut axes: Vec<Settled> = (0..c.axes.len()).map(|i| settled(c, i, outer)).collect();
    let mut rect = outer;
    // Labels need room, and the room changes how many there are: twice is enough.
    for _ in 0..2 {
        if !inner_fixed {
            rect = inner(l, c, &axes, outer);
        }
        axes = (0..c.axes.len()).map(|i| settled(c, i, rect)).collect();
    }
    cross(c, &mut axes);
    Plot { rect, axes }
}

fn lying(c: &Chart, i: usize) -> bool {
    c.axes
        .get(i)
        .is_some_and(|a| matches!(a.side, Side::Bottom | Side::Top))
}

fn groups_of(c: &Chart, i: usize) -> impl Iterator<Item = &SeriesGroup> {
    c.groups.iter().filter(move |g| g.axes.contains(&Some(i)))
}

fn settled(c: &Chart, i: usize, r: Rect) -> Settled {
    let Some(a) = c.axes.get(i) else {
        return empty();
    };
    let lying = lying(c, i);
    let length = if lying { r.w } else { r.h };
    let x_of_points = groups_of(c, i).any(|g| {
        matches!(g.kind, Kind::Scatter | Kind::Bubble(_)) && g.axes.first() == Some(&Some(i))
    });
    if a.category && !x_of_points {
        return categories(c, i, a, lying);
    }
    let (lo, hi, percent) = extent(c, i, x_of_points);
    let em = a.text.size;
    let room = if lying {
        length / (em * 4.5)
    } else {
        length / (em * 1.25)
    };
    let scale = settle(a, lo, hi, room, percent);
    let code = a.format.clone().unwrap_or_else(|| {
        if percent {
            "0%".to_owned()
        } else {
            data_format(c, i)
        }
    });
    let divisor = a.units.as_ref().map_or(1.0, |u| u.0);
    let labels = scale
        .marks()
        .into_iter()
        .map(|v| (scale.at(v), number::format(v / divisor, &code)))
        .collect();
    Settled {
        scale,
        labels,
        count: 0,
        on_marks: true,
        lying,
        place: 0.0,
    }
}

fn empty() -> Settled {
    let scale = Scale {
        min: 0.0,
        max: 1.0,
        step: 1.0,
        log: None,
        reversed: false,
    };
    Settled {
        scale,
        labels: Vec::new(),
        count: 0,
        on_marks: false,
        lying: true,
        place: 0.0,
    }
}

fn data_format(c: &Chart, i: usize) -> String {
    groups_of(c, i)
        .flat_map(|g| &g.series)
        .map(|s| s.format.clone())
        .next()
        .unwrap_or_else(|| "General".to_owned())
}

fn categories(c: &Chart, i: usize, a: &Axis, lying: bool) -> Settled {
    let count = groups_of(c, i)
        .flat_map(|g| &g.series)
        .map(|s| s.categories.len().max(s.values.len()))
        .max()
        .unwrap_or(0);
    let names = groups_of(c, i)
        .flat_map(|g| &g.series)
        .map(|s| &s.categories)
        .max_by_key(|n| n.len());
    let value_axis = groups_of(c, i)
        .find_map(|g| g.axes.get(1).copied().flatten())
        .and_then(|v| c.axes.get(v));
    let all_area = groups_of(c, i).all(|g| matches!(g.kind, Kind::Area));
    let on_marks = value_axis.is_some_and(|v| v.on_marks) || (all_area && a.date);
    let scale = Scale {
        min: 0.0,
        max: count as f64,
        step: 1.0,
        log: None,
        reversed: a.reversed,
    };
    let mut out = Settled {
        scale,
        labels: Vec::new(),
        count,
        on_marks,
        lying,
        place: 0.0,
    };
    for k in 0..count {
        let mut name = names.and_then(|n| n.get(k)).cloned().unwrap_or_default();
        if let (Some(code), Ok(v)) = (&a.format, name.parse::<f64>()) {
            name = number::format(v, code);
        }
        out.labels.push((out.category(k as f64), name));
    }
    out
}

/// Least and greatest value on an axis, and whether it counts shares.
fn extent(c: &Chart, i: usize, xs: bool) -> (f64, f64, bool) {
    let (mut lo, mut hi, mut percent) = (f64::INFINITY, f64::NEG_INFINITY, false);
    let mut add = |v: f64| {
        lo = lo.min(v);
        hi = hi.max(v);
    };
    for g in groups_of(c, i) {
        if xs {
            for s in &g.series {
                let own: Vec<f64> = s.xs.iter().flatten().copied().collect();
                if own.is_empty() {
                    add(1.0);
                    add(s.values.len() as f64);
                }
                own.into_iter().for_each(&mut add);
            }
            continue;
        }
        match g.grouping {
            Grouping::Percent => {
                percent = true;
                add(0.0);
                add(1.0);
                if g.series
                    .iter()
                    .flat_map(|s| &s.values)
                    .flatten()
                    .any(|v| *v < 0.0)
                {
                    add(-1.0);
                }
            }
            Grouping::Stacked => stacked(g, &mut add),
            Grouping::Plain => g
                .series
                .iter()
                .flat_map(|s| s.values.iter().flatten())
                .for_each(|v| add(*v)),
        }
        if matches!(g.kind, Kind::Bar { .. } | Kind::Area) {
            add(0.0);
        }
    }
    if lo > hi {
        (0.0, 1.0, percent)
    } else {
        (lo, hi, percent)
    }
}

fn stacked(g: &SeriesGroup, add: &mut dyn FnMut(f64)) {
    let n = g.series.iter().map(|s| s.values.len()).max().unwrap_or(0);
    for k in 0..n {
        let (mut up, mut down) = (0.0, 0.0);
        for v in g
            .series
            .iter()
            .filter_map(|s| s.values.get(k).copied().flatten())
        {
            if v >= 0.0 { up += v } else { down += v }
        }
        add(up);
        add(down);
    }
}

/// Where each axis stands on the one it crosses, and on which side its labels are.
fn cross(c: &Chart, axes: &mut [Settled]) {
    for i in 0..axes.len() {
        let Some(a) = c.axes.get(i) else { continue };
        let other = c
            .axes
            .iter()
            .position(|o| o.id == a.cross_id && o.id != a.id);
        let at = match (other, other.and_then(|o| axes.get(o))) {
            (Some(_), Some(s)) => crossing(a, s),
            _ => 0.0,
        };
        if let Some(s) = axes.get_mut(i) {
            s.place = at;
        }
    }
}

fn crossing(a: &Axis, on: &Settled) -> f64 {
    if on.count > 0 {
        let t = match a.crosses {
            Crosses::Max => 1.0,
            Crosses::At(v) => {
                ((v - if on.on_marks { 1.0 } else { 0.5 }) / on.count as f64).clamp(0.0, 1.0)
            }
            _ => 0.0,
        };
        return if on.scale.reversed { 1.0 - t } else { t };
    }
    let s = &on.scale;
    match a.crosses {
        Crosses::Min => s.at(s.min),
        Crosses::Max => s.at(s.max),
        Crosses::At(v) => s.at(v.clamp(s.min, s.max)),
        Crosses::Zero => s.at(if s.log.is_some() {
            s.min
        } else {
            0.0f64.clamp(s.min, s.max)
        }),
    }
}

/// Room that the labels of an axis take across it, all levels of them.
fn depth(l: &mut Layouter<'_>, c: &Chart, i: usize, s: &Settled, r: Rect) -> f64 {
    let Some(a) = c.axes.get(i) else { return 0.0 };
    let own = own_depth(l, a, s, r);
    if own > 0.0 && s.count > 0 {
        return own + levels::of(c, i).len() as f64 * levels::step(a);
    }
    own
}

/// From the labels beside a standing axis to it: they keep clear of marks that point at them.
pub(super) fn standing_gap(a: &Axis) -> f64 {
    let marks = if matches!(a.ticks.as_str(), "out" | "cross") {
        tick_length(a) + a.text.size * BEYOND_TICKS
    } else {
        0.0
    };
    a.text.size * LABEL_GAP + marks
}

fn tick_length(a: &Axis) -> f64 {
    (a.text.size * 0.22).clamp(2.0, 5.0)
}

/// Room that the innermost labels take.
fn own_depth(l: &mut Layouter<'_>, a: &Axis, s: &Settled, r: Rect) -> f64 {
    if a.deleted || a.label_place == "none" {
        return 0.0;
    }
    let em = a.text.size;
    if !s.lying {
        let widest = s
            .labels
            .iter()
            .take(200)
            .map(|x| words::size(l, &x.1, &a.text, None).0)
            .fold(0.0, f64::max);
        let limit = if s.count > 0 { r.w * 0.4 } else { r.w };
        return widest.min(limit) + em * LABEL_GAP * 0.6 + standing_gap(a);
    }
    let (turn, wrap) = turned(l, a, s, r);
    let mut most = 0.0f64;
    for (_, t) in s.labels.iter().take(200) {
        let (w, h) = words::size(l, t, &a.text, wrap);
        let rad = turn.to_radians();
        most = most.max(w * rad.sin().abs() + h * rad.cos().abs());
    }
    most.min(r.h * 0.5) + em * LYING_GAP
}

/// Rotation of the labels of a lying axis, and the width they wrap at.
fn turned(l: &mut Layouter<'_>, a: &Axis, s: &Settled, r: Rect) -> (f64, Option<f64>) {
    if let Some(t) = a.rot.filter(|t| t.abs() > 0.5) {
        return (t, None);
    }
    if s.count == 0 {
        return (0.0, None);
    }
    let pitch = r.w / s.count.max(1) as f64 * a.skip.unwrap_or(1) as f64;
    let fits = |l: &mut Layouter<'_>, t: &str| {
        t.split_whitespace()
            .all(|w| words::size(l, w, &a.text, None).0 <= pitch)
    };
    if a.rot.is_some() || s.labels.iter().take(60).all(|(_, t)| fits(l, t)) {
        return (0.0, Some(pitch.max(1.0)));
    }
    (-45.0, None)
}

fn inner(l: &mut Layouter<'_>, c: &Chart, axes: &[Settled], outer: Rect) -> Rect {
    let (mut left, mut right, mut top, mut bottom) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
    for (i, (a, s)) in c.axes.iter().zip(axes).enumerate() {
        if let Some(t) = c.data_table.as_ref().filter(|_| s.count > 0 && s.lying) {
            let head = data_table::head(l, c, t).min(outer.w * 0.4);
            let tall = data_table::height(l, c, t, s, outer.w - head);
            left = left.max(head);
            bottom = bottom.max(tall.min(outer.h * 0.6) + title_room(l, a, outer));
            continue;
        }
        let d = depth(l, c, i, s, outer);
        let t = title_room(l, a, outer);
        match side_of_labels(a) {
            Side::Left => left = left.max(d + t),
            Side::Right | Side::TopRight => right = right.max(d + t),
            Side::Top => top = top.max(d + t),
            Side::Bottom => bottom = bottom.max(d + t),
        }
        if !a.deleted && a.label_place != "none" && s.count == 0 {
            // Half a label stands over each end.
            let half = a.text.size * 0.55;
            if s.lying {
                let w = s
                    .labels
                    .last()
                    .map_or(0.0, |x| words::size(l, &x.1, &a.text, None).0)
                    / 2.0;
                right = right.max(w);
            } else {
                top = top.max(half);
                bottom = bottom.max(half);
            }
        }
    }
    Rect::new(
        outer.x + left,
        outer.y + top,
        (outer.w - left - right).max(1.0),
        (outer.h - top - bottom).max(1.0),
    )
}

fn side_of_labels(a: &Axis) -> Side {
    match (a.label_place.as_str(), a.side) {
        ("high", Side::Left) => Side::Right,
        ("high", Side::Bottom) => Side::Top,
        ("high", Side::Right) | ("low", Side::Right) if a.label_place == "low" => Side::Left,
        (_, s) => s,
    }
}

fn title_room(l: &mut Layouter<'_>, a: &Axis, r: Rect) -> f64 {
    match &a.title {
        Some(t) if !a.deleted && !t.overlay => {
            words::measure(
                l,
                &t.text,
                Some(if matches!(a.side, Side::Left | Side::Right) {
                    r.h
                } else {
                    r.w
                }),
            )
            .1 + 4.0
        }
        _ => 0.0,
    }
}

/// Draws grid lines.
pub fn grid(l: &mut Layouter<'_>, c: &Chart, p: &Plot, out: &mut Vec<Item>) {
    for (a, s) in c.axes.iter().zip(&p.axes) {
        minor(l, a, s, p, out);
        let Some(line) = &a.grid else { continue };
        for t in mark_places(s) {
            let path = if s.lying {
                Path::polyline(&[p.point(t, 0.0), p.point(t, 1.0)])
            } else {
                Path::polyline(&[p.point(0.0, t), p.point(1.0, t)])
            };
            l.line_items(&path, line, p.rect, 0.0, out);
        }
    }
}

/// Minor grid lines: five to a major step.
fn minor(l: &mut Layouter<'_>, a: &Axis, s: &Settled, p: &Plot, out: &mut Vec<Item>) {
    let Some(line) = a
        .minor_grid
        .as_ref()
        .filter(|_| s.count == 0 && s.scale.log.is_none())
    else {
        return;
    };
    let fine = Scale {
        step: s.scale.step / 5.0,
        ..s.scale
    };
    for v in fine.marks() {
        let t = fine.at(v);
        let ends = if s.lying {
            [p.point(t, 0.0), p.point(t, 1.0)]
        } else {
            [p.point(0.0, t), p.point(1.0, t)]
        };
        l.line_items(&Path::polyline(&ends), line, p.rect, 0.0, out);
    }
}

fn mark_places(s: &Settled) -> Vec<f64> {
    if s.count == 0 {
        return s.scale.marks().into_iter().map(|v| s.scale.at(v)).collect();
    }
    let n = s.count.min(500);
    if s.on_marks {
        (0..n).map(|i| s.category(i as f64)).collect()
    } else {
        (0..=n).map(|i| i as f64 / n as f64).collect()
    }
}

/// Draws axis lines and tick marks.
pub fn lines(l: &mut Layouter<'_>, c: &Chart, p: &Plot, out: &mut Vec<Item>) {
    for (a, s) in c.axes.iter().zip(&p.axes) {
        if a.deleted {
            continue;
        }
        let Some(line) = &a.line else { continue };
        let ends = if s.lying {
            [p.point(0.0, s.place), p.point(1.0, s.place)]
        } else {
            [p.point(s.place, 0.0), p.point(s.place, 1.0)]
        };
        l.line_items(&Path::polyline(&ends), line, p.rect, 0.0, out);
        let (inside, outside) = match a.ticks.as_str() {
            "out" => (0.0, 1.0),
            "in" => (1.0, 0.0),
            "cross" => (1.0, 1.0),
            _ => continue,
        };
        let long = tick_length(a);
        for t in mark_places(s).into_iter().take(200) {
            let path = if s.lying {
                let (x, y) = p.point(t, s.place);
                let d = if a.side == Side::Top { -1.0 } else { 1.0 };
                Path::polyline(&[(x, y - d * inside * long), (x, y + d * outside * long)])
            } else {
                let (x, y) = p.point(s.place, t);
                let d = if a.side == Side::Right { -1.0 } else { 1.0 };
                Path::polyline(&[(x + d * inside * long, y), (x - d * outside * long, y)])
            };
            l.line_items(&path, line, p.rect, 0.0, out);
        }
    }
}

/// Draws the labels and titles of the axes.
pub fn labels(l: &mut Layouter<'_>, c: &Chart, p: &Plot, out: &mut Vec<Item>) {
    for (i, (a, s)) in c.axes.iter().zip(&p.axes).enumerate() {
        let table = c.data_table.as_ref().filter(|_| s.count > 0 && s.lying);
        if let Some(t) = table {
            data_table::draw(l, c, t, p, out);
        }
        if a.deleted {
            continue;
        }
        if a.label_place != "none" && table.is_none() {
            if s.lying {
                lying_labels(l, a, s, p, out)
            } else {
                standing_labels(l, a, s, p, out)
            }
            let outer = levels::of(c, i);
            if !outer.is_empty() && s.count > 0 {
                let own = own_depth(l, a, s, p.rect);
                levels::draw(l, a, s, outer, p, own, out);
            }
        }
        let d = match table {
            Some(t) => data_table::height(l, c, t, s, p.rect.w),
            None => depth(l, c, i, s, p.rect),
        };
        axis_title(l, a, s, p, d, out);
    }
}

fn line_of_labels(a: &Axis, s: &Settled) -> f64 {
    match (a.label_place.as_str(), a.side) {
        ("low", _) => 0.0,
        ("high", _) => 1.0,
        _ => s.place,
    }
}

fn lying_labels(l: &mut Layouter<'_>, a: &Axis, s: &Settled, p: &Plot, out: &mut Vec<Item>) {
    let below = !matches!(side_of_labels(a), Side::Top);
    let (turn, wrap) = turned(l, a, s, p.rect);
    let every = a.skip.unwrap_or_else(|| every_nth(l, a, s, p, turn));
    let gap = a.text.size * LYING_GAP;
    for (t, text) in s.labels.iter().step_by(every.max(1)) {
        let (x, y0) = p.point(*t, line_of_labels(a, s));
        let y = if below { y0 + gap } else { y0 - gap };
        if turn == 0.0 {
            let (w, h) = words::size(l, text, &a.text, wrap);
            let b = words::body(
                text,
                &a.text,
                crate::text::model::Align::Center,
                wrap.is_some(),
            );
            words::put_body(
                l,
                &b,
                (wrap.unwrap_or(w + 1.0), h),
                (x, y),
                (0.5, if below { 0.0 } else { 1.0 }),
                0.0,
                out,
            );
        } else {
            let hang = if (turn < 0.0) == below { 1.0 } else { 0.0 };
            let hang_y = if turn.abs() > 80.0 { 0.5 } else { 0.3 };
            words::put(
                l,
                text,
                &a.text,
                (x, y + gap * 0.3),
                (hang, hang_y),
                turn,
                out,
            );
        }
    }
}

/// Crowded labels are thinned out.
fn every_nth(l: &mut Layouter<'_>, a: &Axis, s: &Settled, p: &Plot, turn: f64) -> usize {
    if s.count == 0 {
        return 1;
    }
    let pitch = p.rect.w / s.count.max(1) as f64;
    let need = if turn == 0.0 {
        pitch.min(a.text.size)
    } else {
        a.text.size * 1.25
    };
    let _ = l;
    (need / pitch.max(0.01)).ceil().max(1.0) as usize
}

fn standing_labels(l: &mut Layouter<'_>, a: &Axis, s: &Settled, p: &Plot, out: &mut Vec<Item>) {
    let left = !matches!(side_of_labels(a), Side::Right);
    let gap = standing_gap(a);
    let pitch = p.rect.h / s.count.max(1) as f64;
    let every = if s.count > 0 {
        a.skip
            .unwrap_or((a.text.size * 1.1 / pitch.max(0.01)).ceil().max(1.0) as usize)
    } else {
        1
    };
    for (t, text) in s.labels.iter().step_by(every.max(1)) {
        let (x0, y) = p.point(line_of_labels(a, s), *t);
        let x = if left { x0 - gap } else { x0 + gap };
        words::put(
            l,
            text,
            &a.text,
            (x, y),
            (if left { 1.0 } else { 0.0 }, 0.5),
            0.0,
            out,
        );
    }
}

fn axis_title(l: &mut Layouter<'_>, a: &Axis, s: &Settled, p: &Plot, d: f64, out: &mut Vec<Item>) {
    let unit_style: &RunStyle = &a.text;
    if let Some((_, name)) = a.units.as_ref().filter(|u| !u.1.is_empty()) {
        words::put(
            l,
            name,
            unit_style,
            (p.rect.x, p.rect.y - 2.0),
            (0.5, 1.0),
            0.0,
            out,
        );
    }
    let Some(t) = &a.title else { return };
    let turn = if t.rot != 0.0 {
        t.rot
    } else if s.lying {
        0.0
    } else {
        -90.0
    };
    let along = if s.lying { p.rect.w } else { p.rect.h };
    let (w, h) = words::measure(l, &t.text, Some(along));
    let (cx, cy) = p.rect.centre();
    let half = if s.lying || turn.abs() > 45.0 {
        h / 2.0
    } else {
        w / 2.0
    };
    let at = match a.side {
        Side::Left => (p.rect.x - d - half - 2.0, cy),
        Side::Right | Side::TopRight => (p.rect.right() + d + half + 2.0, cy),
        Side::Top => (cx, p.rect.y - d - half - 2.0),
        Side::Bottom => (cx, p.rect.bottom() + d + half + 2.0),
    };
    words::put_body(l, &t.text, (w + 1.0, h), at, (0.5, 0.5), turn, out);
}
