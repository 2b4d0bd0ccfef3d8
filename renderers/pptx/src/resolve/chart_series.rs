// SPDX-License-Identifier: MIT OR Apache-2.0
//! Series of a chart part: data, looks, labels, trend lines and error bars.

use std::collections::BTreeMap;

use roxmltree::Node as Xn;

use super::charts::{own_fill, own_line, points, solid_line, text_style};
use super::context::Cx;
use super::line::Draft;
use crate::chart::levels::Level;
use crate::chart::model::{ErrorBars, Kind, Labels, Marker, Point, PointLabel, Series, Trend};
use crate::color::Color;
use crate::text::model::RunStyle;
use crate::tree::{Fill, Line};
use crate::xml::Xml;

/// What a series needs to know of its group.
#[derive(Debug, Clone, Copy)]
pub struct SeriesCx<'a> {
    /// Kind of the group.
    pub kind: Kind,
    /// The group's element.
    pub group: Xn<'a, 'a>,
    /// Whether points vary in colour.
    pub vary: bool,
    /// Chart style from 1 to 48.
    pub style: u32,
    /// Number of series in the chart.
    pub count: usize,
    /// Text of the chart.
    pub text: &'a RunStyle,
    /// Lines of stock charts are not drawn.
    pub stock: bool,
    /// The chart was made in 3-D.
    pub three_d: bool,
}

/// The automatic colour of a series or point.
#[must_use]
pub fn auto_color(style: u32, index: usize, count: usize, cx: &Cx<'_>) -> Color {
    let accent = |k: usize| {
        cx.theme_color(&format!("accent{}", k % 6 + 1))
            .unwrap_or(Color::hex(0x004F_81BD))
    };
    match style {
        1 | 9 | 17 | 25 | 33 | 41 => {
            let t = 0.35 + 0.5 * (index as f64 / count.max(1) as f64);
            Color::BLACK.mix(Color::WHITE, t)
        }
        3..=8 | 11..=16 | 19..=24 | 27..=32 | 35..=40 | 43..=48 => {
            let base = accent(((style - 3) % 8) as usize);
            spread(base, index, count)
        }
        _ => {
            let c = accent(index);
            match index / 6 {
                0 => c,
                // Later rounds are the same six in other lightnesses.
                k => spread(c, k, count / 6 + 1),
            }
        }
    }
}

/// One colour from dark to light over a number of series.
fn spread(base: Color, index: usize, count: usize) -> Color {
    if count <= 1 {
        return base;
    }
    let t = (index as f64 + 0.5) / count as f64;
    if t < 0.5 {
        crate::color::shade(base, 0.5 + t)
    } else {
        crate::color::tint(base, 1.5 - t)
    }
}

/// Resolves `c:ser`.
#[must_use]
pub fn series(s: Xn<'_, '_>, scx: &SeriesCx<'_>, cx: &Cx<'_>) -> Series {
    let index = s.child_num("idx").unwrap_or(0.0).clamp(0.0, 100_000.0) as usize;
    let auto = auto_color(scx.style, index, scx.count, cx);
    let name = s
        .child("tx")
        .map(|t| {
            points(t)
                .into_iter()
                .map(|p| p.1)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .unwrap_or_default();
    let val = s.child("val").or_else(|| s.child("yVal"));
    let cat = s.child("cat").or_else(|| s.child("xVal"));
    let values = numbers(val);
    let format = val
        .and_then(format_code)
        .unwrap_or_else(|| "General".to_owned());
    let mut out = Series {
        index,
        name,
        categories: categories(cat, values.len()),
        levels: levels(cat),
        xs: numbers(cat),
        sizes: numbers(s.child("bubbleSize")),
        values,
        fill: own_fill(s, cx).unwrap_or(Fill::Solid(auto)),
        line: series_line(s, scx, auto, cx),
        marker: None,
        points: BTreeMap::new(),
        labels: None,
        smooth: s.child_flag("smooth").unwrap_or(false),
        format,
        explosion: s.child_num("explosion").unwrap_or(0.0).clamp(0.0, 400.0) / 100.0,
        trends: s
            .all("trendline")
            .take(8)
            .map(|t| trend(t, auto, cx))
            .collect(),
        errors: s
            .all("errBars")
            .take(4)
            .map(|e| errors(e, scx, cx))
            .collect(),
        invert: s.child_flag("invertIfNegative").unwrap_or(false) && own_fill(s, cx).is_none(),
    };
    if !matches!(scx.kind, Kind::Scatter | Kind::Bubble(_)) {
        out.xs.clear();
    }
    out.marker = marker(s, scx, index, auto, cx);
    varied(&mut out, scx, cx);
    for d in s.all("dPt").take(2_000) {
        let at = d.child_num("idx").unwrap_or(0.0).max(0.0) as usize;
        let p = out.points.entry(at).or_default();
        p.fill = own_fill(d, cx).or_else(|| p.fill.take());
        p.line = point_line(d, scx, cx).or_else(|| p.line.take());
        p.marker = d
            .child("marker")
            .and_then(|m| marker_of(m, index, point_color(p, auto), cx));
        p.explosion = d
            .child_num("explosion")
            .map(|e| e.clamp(0.0, 400.0) / 100.0);
    }
    out.labels = labels(s, scx, cx);
    out
}

fn point_color(p: &Point, auto: Color) -> Color {
    p.fill.as_ref().and_then(Fill::plain).unwrap_or(auto)
}

fn point_line(d: Xn<'_, '_>, scx: &SeriesCx<'_>, cx: &Cx<'_>) -> Option<Option<Line>> {
    let own = own_line(d, cx)?;
    Some(own.map(|l| {
        if matches!(scx.kind, Kind::Line | Kind::Scatter) && l.width <= 0.0 {
            Line {
                width: line_width(scx.style, cx),
                ..l
            }
        } else {
            l
        }
    }))
}

/// Points of a group that varies in colour.
fn varied(out: &mut Series, scx: &SeriesCx<'_>, cx: &Cx<'_>) {
    let single = scx.group.all("ser").count() == 1;
    let round = matches!(scx.kind, Kind::Pie(_) | Kind::Doughnut(..));
    if !scx.vary || !(round || (single && matches!(scx.kind, Kind::Bar { .. } | Kind::Bubble(_)))) {
        return;
    }
    for i in 0..out.values.len() {
        let c = auto_color(scx.style, i, out.values.len(), cx);
        out.points.entry(i).or_default().fill = Some(Fill::Solid(c));
    }
}

fn numbers(n: Option<Xn<'_, '_>>) -> Vec<Option<f64>> {
    let Some(n) = n else { return Vec::new() };
    let pts = points(n);
    let count = declared(n)
        .unwrap_or(0)
        .max(pts.iter().map(|p| p.0 + 1).max().unwrap_or(0));
    let mut out = vec![None; count.min(20_000)];
    for (i, v) in pts {
        if let Some(slot) = out.get_mut(i) {
            *slot = v.trim().parse::<f64>().ok().filter(|v| v.is_finite());
        }
    }
    out
}

fn declared(n: Xn<'_, '_>) -> Option<usize> {
    n.descendants()
        .find(|d| d.is_element() && d.name() == "ptCount")
        .and_then(|d| d.num("val"))
        .map(|v| v.clamp(0.0, 20_000.0) as usize)
}

fn format_code(n: Xn<'_, '_>) -> Option<String> {
    n.descendants()
        .find(|d| d.is_element() && d.name() == "formatCode")
        .and_then(|d| d.text())
        .map(str::to_owned)
}

fn categories(n: Option<Xn<'_, '_>>, least: usize) -> Vec<String> {
    let Some(n) = n else {
        return (1..=least).map(|i| i.to_string()).collect();
    };
    let numeric = n.child("numRef").is_some() || n.child("numLit").is_some();
    let code = format_code(n);
    let pts = points(n);
    let count = declared(n).unwrap_or(0).max(least);
    let mut out = vec![String::new(); count.min(20_000)];
    for (i, v) in pts {
        let text = match v.trim().parse::<f64>() {
            Ok(x) if numeric => {
                crate::chart::number::format(x, code.as_deref().unwrap_or("General"))
            }
            _ => v,
        };
        if let Some(slot) = out.get_mut(i) {
            *slot = text;
        }
    }
    out
}

/// Names of the outer levels of categories, from the inside out.
fn levels(n: Option<Xn<'_, '_>>) -> Vec<Level> {
    let Some(cache) = n.and_then(|n| n.path(&["multiLvlStrRef", "multiLvlStrCache"])) else {
        return Vec::new();
    };
    let one = |lvl: Xn<'_, '_>| -> Level {
        let mut out: Level = lvl
            .all("pt")
            .take(2_000)
            .filter_map(|p| {
                let name = p.child("v").and_then(|v| v.text()).unwrap_or("");
                Some((p.num("idx")?.max(0.0) as usize, name.to_owned()))
            })
            .collect();
        out.sort_by_key(|p| p.0);
        out
    };
    cache.all("lvl").skip(1).take(8).map(one).collect()
}

fn series_line(s: Xn<'_, '_>, scx: &SeriesCx<'_>, auto: Color, cx: &Cx<'_>) -> Option<Line> {
    let drawn = matches!(scx.kind, Kind::Line | Kind::Scatter | Kind::Radar(false));
    let ln = s.child("spPr").and_then(|p| p.child("ln"));
    if !drawn {
        return own_line(s, cx).flatten();
    }
    if scx.stock && ln.is_none() {
        return None;
    }
    let mut base = solid_line(auto, line_width(scx.style, cx));
    base.cap = crate::tree::Cap::Round;
    let Some(ln) = ln else { return Some(base) };
    let mut d = Draft::from_line(base);
    d.overlay(ln, cx);
    d.finish()
}

/// Width in EMU that the chart style gives a series' line: some times the theme's finest line.
fn line_width(style: u32, cx: &Cx<'_>) -> f64 {
    let finest = cx.theme.format("lnStyleLst", 1).and_then(|l| l.num("w"));
    let times = match style {
        1..=8 => 3.0,
        25..=32 => 7.0,
        _ => 5.0,
    };
    finest.unwrap_or(9_525.0).clamp(0.0, 127_000.0) * times
}

fn marker(
    s: Xn<'_, '_>,
    scx: &SeriesCx<'_>,
    index: usize,
    auto: Color,
    cx: &Cx<'_>,
) -> Option<Marker> {
    if !matches!(scx.kind, Kind::Line | Kind::Scatter | Kind::Radar(false)) {
        return None;
    }
    if let Some(m) = s.child("marker") {
        return marker_of(m, index, auto, cx);
    }
    let by_group = match scx.kind {
        Kind::Line => scx.group.child_flag("marker").unwrap_or(false),
        Kind::Radar(_) => scx.group.child_val("radarStyle") == Some("marker"),
        _ => !matches!(
            scx.group.child_val("scatterStyle"),
            Some("line" | "smooth" | "none")
        ),
    };
    (by_group && !scx.three_d && !scx.stock).then(|| auto_marker(index, auto))
}

fn auto_marker(index: usize, auto: Color) -> Marker {
    const ORDER: [&str; 9] = [
        "diamond", "square", "triangle", "x", "star", "circle", "plus", "dash", "dot",
    ];
    Marker {
        symbol: ORDER
            .get(index % 9)
            .copied()
            .unwrap_or("diamond")
            .to_owned(),
        size: 7.0,
        fill: Fill::Solid(auto),
        line: Some(solid_line(auto, 9_525.0)),
    }
}

fn marker_of(m: Xn<'_, '_>, index: usize, auto: Color, cx: &Cx<'_>) -> Option<Marker> {
    let mut out = auto_marker(index, auto);
    match m.child_val("symbol") {
        Some("none") => return None,
        Some("auto") | None => {}
        Some(s) => s.clone_into(&mut out.symbol),
    }
    out.size = m.child_num("size").unwrap_or(7.0).clamp(2.0, 72.0);
    if let Some(f) = own_fill(m, cx) {
        out.fill = f;
    }
    if let Some(l) = own_line(m, cx) {
        out.line = l;
    }
    Some(out)
}

fn labels(s: Xn<'_, '_>, scx: &SeriesCx<'_>, cx: &Cx<'_>) -> Option<Labels> {
    let own = s.child("dLbls");
    let group = scx.group.child("dLbls");
    let d = own.or(group)?;
    if d.child_flag("delete").unwrap_or(false) {
        return None;
    }
    let mut out = label_settings(d, scx.text, cx);
    for l in d.all("dLbl").take(2_000) {
        let at = l.child_num("idx").unwrap_or(0.0).max(0.0) as usize;
        out.points.insert(at, point_label(l, &out, cx));
    }
    let shown = |l: &Labels| l.value || l.category || l.series || l.percent;
    let any = shown(&out)
        || out.points.values().any(|p| match p {
            PointLabel::Deleted => false,
            PointLabel::Own(l) => shown(l),
            PointLabel::Text(..) => true,
        });
    any.then_some(out)
}

fn label_settings(d: Xn<'_, '_>, text: &RunStyle, cx: &Cx<'_>) -> Labels {
    let on = |k| d.child_flag(k).unwrap_or(false);
    let format = d
        .child("numFmt")
        .filter(|n| !n.flag("sourceLinked").unwrap_or(false))
        .and_then(|n| n.attr("formatCode"));
    Labels {
        value: on("showVal"),
        category: on("showCatName"),
        series: on("showSerName"),
        percent: on("showPercent"),
        separator: d
            .child("separator")
            .and_then(|t| t.text())
            .map(str::to_owned),
        position: d.child_val("dLblPos").map(str::to_owned),
        text: text_style(d, text, cx),
        format: format.map(str::to_owned),
        fill: own_fill(d, cx).unwrap_or_default(),
        border: own_line(d, cx).flatten(),
        points: BTreeMap::new(),
    }
}

fn point_label(l: Xn<'_, '_>, base: &Labels, cx: &Cx<'_>) -> PointLabel {
    if l.child_flag("delete").unwrap_or(false) {
        return PointLabel::Deleted;
    }
    if let Some(rich) = l.path(&["tx", "rich"]) {
        let text: String = rich
            .all("p")
            .map(|p| {
                p.descendants()
                    .filter(|n| n.is_element() && n.name() == "t")
                    .filter_map(|t| t.text())
                    .collect::<String>()
            })
            .collect::<Vec<_>>()
            .join("\u{2028}");
        let mut style = base.text.clone();
        if let Some(r) = rich
            .descendants()
            .find(|n| n.is_element() && n.name() == "rPr")
        {
            super::text_props::apply_run(&mut style, r, cx);
        }
        return PointLabel::Text(text, Box::new(style));
    }
    let mut own = label_settings(l, &base.text, cx);
    own.position = own.position.or_else(|| base.position.clone());
    own.format = own.format.or_else(|| base.format.clone());
    PointLabel::Own(Box::new(own))
}

fn trend(t: Xn<'_, '_>, auto: Color, cx: &Cx<'_>) -> Trend {
    let line = own_line(t, cx).unwrap_or_else(|| Some(solid_line(auto, 19_050.0)));
    Trend {
        kind: t.child_val("trendlineType").unwrap_or("linear").to_owned(),
        order: t
            .child_num("order")
            .or_else(|| t.child_num("period"))
            .unwrap_or(2.0)
            .clamp(2.0, 6.0) as usize,
        extend: (
            t.child_num("forward").unwrap_or(0.0).clamp(0.0, 1e6),
            t.child_num("backward").unwrap_or(0.0).clamp(0.0, 1e6),
        ),
        line,
    }
}

fn errors(e: Xn<'_, '_>, scx: &SeriesCx<'_>, cx: &Cx<'_>) -> ErrorBars {
    let kind = e.child_val("errBarType").unwrap_or("both");
    let lying = matches!(
        scx.kind,
        Kind::Bar {
            horizontal: true,
            ..
        }
    );
    ErrorBars {
        along_x: e.child_val("errDir").map_or(lying, |d| d == "x"),
        kind: e.child_val("errValType").unwrap_or("fixedVal").to_owned(),
        value: e.child_num("val").unwrap_or(0.0),
        custom: (numbers(e.child("plus")), numbers(e.child("minus"))),
        both: (kind != "minus", kind != "plus"),
        cap: !e.child_flag("noEndCap").unwrap_or(false),
        line: own_line(e, cx).unwrap_or_else(|| Some(solid_line(Color::BLACK, 9_525.0))),
    }
}
