// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chart parts to the chart model: the frame of the chart, its title, legend and groups.

use roxmltree::Node as Xn;

use super::chart_axis::axis;
use super::chart_series::{SeriesCx, series};
use super::context::{Cx, Part};
use super::line::Draft;
use super::text_props::{ParaStyle, apply_paragraph, apply_run};
use super::theme::{ColorMap, Theme};
use super::{chart_ex, fill};
use crate::chart::model::{
    Chart, DataTable, Gaps, Grouping, Kind, Legend, SeriesGroup, Side, Title,
};
use crate::color::Color;
use crate::geometry::Rect;
use crate::text::model::{Align, Paragraph, Run, RunStyle, TextBody};
use crate::tree::{Fill, Frame, Line};
use crate::xml::Xml;

/// Resolves a chart part; `None` when it is of no kind we know.
#[must_use]
pub fn chart(part: &Part<'_>, frame: Frame, cx: &Cx<'_>) -> Option<Chart> {
    let root = part.doc.root_element();
    let own_map = root.child("clrMapOvr").map(ColorMap::read);
    let over = part
        .rels
        .first_part("themeOverride")
        .and_then(|p| cx.parts.shared(p));
    let mut theme: Theme<'_> = cx.theme.clone();
    if let Some(o) = over.as_deref() {
        theme.overlay(Theme::read(o.doc.root_element(), &o.rels));
    }
    let map = own_map.as_ref().unwrap_or(cx.map);
    let inner: Cx<'_> = Cx {
        rels: &part.rels,
        theme: &theme,
        map,
        ..cx.clone()
    };
    let _ = frame;
    if root
        .descendants()
        .any(|n| n.is_element() && n.name() == "plotAreaRegion")
    {
        return chart_ex::chart(root, &inner);
    }
    Some(read(root, &inner))
}

/// The text style of a `c:txPr` on top of another.
#[must_use]
pub fn text_style(parent: Xn<'_, '_>, base: &RunStyle, cx: &Cx<'_>) -> RunStyle {
    let mut s = ParaStyle {
        run: base.clone(),
        ..ParaStyle::default()
    };
    if let Some(p) = parent.path(&["txPr", "p", "pPr"]) {
        apply_paragraph(&mut s, p, cx);
    }
    s.run
}

/// Fill of a `c:spPr`; `None` when it says nothing.
#[must_use]
pub fn own_fill(parent: Xn<'_, '_>, cx: &Cx<'_>) -> Option<Fill> {
    fill::among(parent.child("spPr")?, cx)
}

/// Line of a `c:spPr`: unset, none or a line. `width` is what an unset width means.
#[must_use]
pub fn own_line(parent: Xn<'_, '_>, cx: &Cx<'_>) -> Option<Option<Line>> {
    let ln = parent.child("spPr")?.child("ln")?;
    fill::among(ln, cx)?;
    let mut d = Draft::default();
    d.overlay(ln, cx);
    Some(d.finish())
}

/// A solid line.
#[must_use]
pub fn solid_line(color: Color, width: f64) -> Line {
    Line {
        width,
        fill: Fill::Solid(color),
        dash: Vec::new(),
        cap: crate::tree::Cap::Flat,
        join: crate::tree::Join::Round,
        compound: crate::tree::Compound::Single,
        head: None,
        tail: None,
    }
}

fn read(root: Xn<'_, '_>, cx: &Cx<'_>) -> Chart {
    let Some(c) = root.child("chart") else {
        return Chart::default();
    };
    let base = RunStyle {
        size: 18.0,
        latin: cx.theme.font("+mn-lt", "").unwrap_or_default(),
        east: cx.theme.font("+mn-ea", "").unwrap_or_default(),
        fill: Fill::Solid(cx.theme_color("tx1").unwrap_or(Color::BLACK)),
        ..RunStyle::default()
    };
    let mut out = Chart {
        text: text_style(root, &base, cx),
        ..Chart::default()
    };
    let style = chart_style(root);
    out.fill = own_fill(root, cx).unwrap_or_default();
    out.border = own_line(root, cx).flatten();
    out.gaps = match c.child_val("dispBlanksAs") {
        Some("zero") => Gaps::Zero,
        Some("span") => Gaps::Span,
        _ => Gaps::Gap,
    };
    if let Some(p) = c.child("plotArea") {
        plot(&mut out, p, style, cx);
    }
    let deleted = c.child_flag("autoTitleDeleted").unwrap_or(false);
    out.title = match c.child("title") {
        Some(t) => title(t, &out.text, 1.2, cx).or_else(|| auto_title(&out, t, cx)),
        None if !deleted && single_series(&out).is_some() => {
            single_series(&out).map(|n| plain_title(&n, &out.text, 1.2))
        }
        None => None,
    };
    out.legend = c.child("legend").map(|l| legend(l, &out.text, cx));
    out
}

fn chart_style(root: Xn<'_, '_>) -> u32 {
    let direct = root.child_num("style");
    let wrapped = root
        .descendants()
        .find(|n| n.is_element() && n.name() == "style" && n.attr("val").is_some())
        .and_then(|n| n.num("val"));
    let v = direct.or(wrapped).unwrap_or(2.0);
    (if v >= 101.0 { v - 100.0 } else { v }).clamp(1.0, 48.0) as u32
}

fn single_series(c: &Chart) -> Option<String> {
    let mut all = c.groups.iter().flat_map(|g| &g.series);
    let first = all.next()?;
    (all.next().is_none() && !first.name.is_empty()).then(|| first.name.clone())
}

/// A title element without text shows the name of the only series, or the words the application puts there.
fn auto_title(c: &Chart, t: Xn<'_, '_>, cx: &Cx<'_>) -> Option<Title> {
    let name = single_series(c).unwrap_or_else(|| "Chart Title".to_owned());
    let style = text_style(t, &bold_base(t, &c.text), cx);
    let sized = has_size(t);
    let mut out = plain_title(&name, &style, if sized { 1.0 } else { 1.2 });
    // Measured on PowerPoint's pictures of titles without any size of their own.
    out.above = if sized { 0.0 } else { 5.0 };
    out.overlay = t.child_flag("overlay").unwrap_or(false);
    Some(out)
}

fn has_size(t: Xn<'_, '_>) -> bool {
    t.descendants()
        .any(|n| n.is_element() && n.name() == "defRPr" && n.attr("sz").is_some())
}

fn bold_base(_: Xn<'_, '_>, text: &RunStyle) -> RunStyle {
    RunStyle {
        bold: true,
        ..text.clone()
    }
}

fn plain_title(text: &str, style: &RunStyle, factor: f64) -> Title {
    let style = RunStyle {
        size: style.size * factor,
        ..style.clone()
    };
    let p = Paragraph {
        align: Align::Center,
        end: style.clone(),
        runs: vec![Run {
            text: text.to_owned(),
            style,
        }],
        ..Paragraph::default()
    };
    Title {
        text: TextBody {
            paragraphs: vec![p],
            insets: [0.0; 4],
            ..TextBody::default()
        },
        overlay: false,
        at: None,
        rot: 0.0,
        fill: Fill::None,
        above: 0.0,
    }
}

/// A title with text of its own; `None` when it has none. `factor` scales the inherited size.
#[must_use]
pub fn title(t: Xn<'_, '_>, text: &RunStyle, factor: f64, cx: &Cx<'_>) -> Option<Title> {
    t.child("tx").map(|_| title_or(t, "", text, factor, cx))
}

/// A title, with the words that the application puts there when it has no text of its own.
#[must_use]
pub fn title_or(t: Xn<'_, '_>, words: &str, text: &RunStyle, factor: f64, cx: &Cx<'_>) -> Title {
    let tx = t.child("tx");
    let mut base = RunStyle {
        size: text.size * factor,
        bold: true,
        ..text.clone()
    };
    base = text_style(t, &base, cx);
    let mut paragraphs = Vec::new();
    let mut rot = t.path(&["txPr", "bodyPr"]).and_then(|b| b.num("rot"));
    if let Some(rich) = tx.and_then(|tx| tx.child("rich")) {
        rot = rich.child("bodyPr").and_then(|b| b.num("rot")).or(rot);
        for p in rich.all("p").take(50) {
            paragraphs.push(title_paragraph(p, &base, cx));
        }
    } else {
        let cached = |tx| -> Vec<String> { points(tx).into_iter().map(|(_, v)| v).collect() };
        let run = Run {
            text: tx.map_or_else(|| words.to_owned(), |tx| cached(tx).join(" ")),
            style: base.clone(),
        };
        paragraphs.push(Paragraph {
            align: Align::Center,
            runs: vec![run],
            end: base,
            ..Paragraph::default()
        });
    }
    let layout = t.child("layout").and_then(manual);
    Title {
        text: TextBody {
            paragraphs,
            insets: [0.0; 4],
            ..TextBody::default()
        },
        overlay: t.child_flag("overlay").unwrap_or(false),
        at: layout.map(|l| (l.0.x, l.0.y)),
        rot: rot.unwrap_or(0.0) / crate::units::ANGLE_UNITS,
        fill: own_fill(t, cx).unwrap_or_default(),
        above: 0.0,
    }
}

fn title_paragraph(p: Xn<'_, '_>, base: &RunStyle, cx: &Cx<'_>) -> Paragraph {
    let mut s = ParaStyle {
        run: base.clone(),
        align: Align::Center,
        ..ParaStyle::default()
    };
    if let Some(q) = p.child("pPr") {
        apply_paragraph(&mut s, q, cx);
    }
    let mut runs = Vec::new();
    for r in p
        .elements()
        .filter(|e| matches!(e.name(), "r" | "fld" | "br"))
    {
        let mut style = s.run.clone();
        if let Some(q) = r.child("rPr") {
            apply_run(&mut style, q, cx);
        }
        let text = if r.name() == "br" {
            "\u{2028}".to_owned()
        } else {
            r.all("t").filter_map(|t| t.text()).collect()
        };
        runs.push(Run { text, style });
    }
    Paragraph {
        align: s.align,
        runs,
        end: s.run,
        ..Paragraph::default()
    }
}

/// A manual layout: rectangle in fractions, and whether it is the inner plot area.
fn manual(l: Xn<'_, '_>) -> Option<(Rect, bool)> {
    let m = l.child("manualLayout")?;
    let v = |k| m.child_num(k);
    let inner = m.child_val("layoutTarget") == Some("inner");
    Some((
        Rect::new(
            v("x")?,
            v("y")?,
            v("w").unwrap_or(0.0),
            v("h").unwrap_or(0.0),
        ),
        inner,
    ))
}

fn legend(l: Xn<'_, '_>, text: &RunStyle, cx: &Cx<'_>) -> Legend {
    let hidden = l
        .all("legendEntry")
        .filter(|e| e.child_flag("delete").unwrap_or(false))
        .filter_map(|e| e.child_num("idx"))
        .map(|v| v.max(0.0) as usize);
    Legend {
        side: match l.child_val("legendPos") {
            Some("l") => Side::Left,
            Some("t") => Side::Top,
            Some("b") => Side::Bottom,
            Some("tr") => Side::TopRight,
            _ => Side::Right,
        },
        overlay: l.child_flag("overlay").unwrap_or(false),
        layout: l.child("layout").and_then(manual).map(|m| m.0),
        text: text_style(l, text, cx),
        hidden: hidden.collect(),
        fill: own_fill(l, cx).unwrap_or_default(),
        border: own_line(l, cx).flatten(),
    }
}

fn plot(out: &mut Chart, p: Xn<'_, '_>, style: u32, cx: &Cx<'_>) {
    out.plot_fill = own_fill(p, cx).unwrap_or_default();
    out.plot_border = own_line(p, cx).flatten();
    out.plot_layout = p
        .child("layout")
        .and_then(manual)
        .filter(|l| l.0.w > 0.0 && l.0.h > 0.0);
    out.data_table = p.child("dTable").map(|t| data_table(t, &out.text, cx));
    for a in p
        .elements()
        .filter(|e| matches!(e.name(), "catAx" | "valAx" | "dateAx" | "serAx"))
        .take(8)
    {
        out.axes.push(axis(a, &out.text, cx));
    }
    let mut count = p
        .descendants()
        .filter(|n| n.is_element() && n.name() == "ser")
        .count();
    count = count.max(1);
    for g in p.elements().take(40) {
        if let Some(group) = group(g, out, style, count, cx) {
            out.groups.push(group);
        }
    }
}

fn data_table(t: Xn<'_, '_>, text: &RunStyle, cx: &Cx<'_>) -> DataTable {
    let on = |k: &str| t.child_flag(k).unwrap_or(false);
    let usual = || Some(solid_line(Color::hex(0x0086_8686), 9_525.0));
    DataTable {
        rows: on("showHorzBorder"),
        columns: on("showVertBorder"),
        outline: on("showOutline"),
        keys: on("showKeys"),
        text: text_style(t, text, cx),
        line: own_line(t, cx).unwrap_or_else(usual),
    }
}

fn group(
    g: Xn<'_, '_>,
    chart: &Chart,
    style: u32,
    count: usize,
    cx: &Cx<'_>,
) -> Option<SeriesGroup> {
    let name = g.name();
    let kind = match name {
        "barChart" | "bar3DChart" => {
            let stacked = matches!(g.child_val("grouping"), Some("stacked" | "percentStacked"));
            Kind::Bar {
                horizontal: g.child_val("barDir") == Some("bar"),
                gap: g.child_num("gapWidth").unwrap_or(150.0).clamp(0.0, 500.0) / 100.0,
                overlap: g
                    .child_num("overlap")
                    .unwrap_or(if stacked && name == "bar3DChart" {
                        100.0
                    } else {
                        0.0
                    })
                    .clamp(-100.0, 100.0)
                    / 100.0,
            }
        }
        "lineChart" | "line3DChart" | "stockChart" => Kind::Line,
        "areaChart" | "area3DChart" => Kind::Area,
        "pieChart" | "pie3DChart" | "ofPieChart" => {
            Kind::Pie(g.child_num("firstSliceAng").unwrap_or(0.0))
        }
        "doughnutChart" => {
            let hole = g.child_num("holeSize").unwrap_or(50.0).clamp(1.0, 90.0) / 100.0;
            Kind::Doughnut(g.child_num("firstSliceAng").unwrap_or(0.0), hole)
        }
        "scatterChart" => Kind::Scatter,
        "bubbleChart" => Kind::Bubble(
            g.child_num("bubbleScale")
                .unwrap_or(100.0)
                .clamp(0.0, 300.0)
                / 100.0,
        ),
        "radarChart" => Kind::Radar(g.child_val("radarStyle") == Some("filled")),
        "surfaceChart" | "surface3DChart" => {
            cx.notes
                .add("chart-kind", "a surface chart is drawn as areas");
            Kind::Area
        }
        _ => return None,
    };
    if name.contains("3D") {
        cx.notes.add("chart-3d", "a 3-D chart is drawn flat");
    }
    if name == "ofPieChart" {
        cx.notes
            .add("chart-kind", "a pie-of-pie chart is drawn as one pie");
    }
    let grouping = match g.child_val("grouping") {
        Some("stacked") => Grouping::Stacked,
        Some("percentStacked") => Grouping::Percent,
        _ => Grouping::Plain,
    };
    let vary = g
        .child_flag("varyColors")
        .unwrap_or(matches!(kind, Kind::Pie(_) | Kind::Doughnut(..)));
    let scx = SeriesCx {
        kind,
        group: g,
        vary,
        style,
        count,
        text: &chart.text,
        stock: name == "stockChart",
        three_d: name.contains("3D"),
    };
    let list: Vec<_> = g
        .all("ser")
        .take(256)
        .map(|s| series(s, &scx, cx))
        .collect();
    let find = |id: &str| chart.axes.iter().position(|a| a.id == id);
    let ids: Vec<usize> = g.all("axId").filter_map(|a| find(a.attr("val")?)).collect();
    let cat = ids
        .iter()
        .copied()
        .find(|i| chart.axes.get(*i).is_some_and(|a| a.category))
        .or_else(|| ids.first().copied());
    let val = ids.iter().copied().find(|i| Some(*i) != cat);
    let line_of = |k: &str| {
        g.child(k).map(|l| {
            own_line(l, cx)
                .flatten()
                .unwrap_or_else(|| solid_line(Color::BLACK, 9_525.0))
        })
    };
    let up_down = g.child("upDownBars").map(|u| {
        let f = |k: &str, d| {
            u.child(k)
                .and_then(|b| own_fill(b, cx))
                .unwrap_or(Fill::Solid(d))
        };
        (
            f("upBars", Color::WHITE),
            f("downBars", Color::hex(0x0040_4040)),
        )
    });
    Some(SeriesGroup {
        kind,
        grouping,
        series: list,
        axes: [cat, val],
        vary,
        high_low: line_of("hiLowLines"),
        drop: line_of("dropLines"),
        up_down,
    })
}

/// Cached points of a reference or literal: index and text.
#[must_use]
pub fn points(n: Xn<'_, '_>) -> Vec<(usize, String)> {
    let caches = ["strRef", "numRef", "multiLvlStrRef"]
        .iter()
        .find_map(|k| n.child(k))
        .and_then(|r| r.elements().find(|e| e.name().ends_with("Cache")));
    let holder = caches
        .or_else(|| n.child("numLit"))
        .or_else(|| n.child("strLit"))
        .or_else(|| n.child("v").map(|_| n));
    let Some(h) = holder else { return Vec::new() };
    if let Some(v) = h.child("v").and_then(|v| v.text()) {
        return vec![(0, v.to_owned())];
    }
    let level = h.child("lvl").unwrap_or(h);
    level
        .all("pt")
        .take(20_000)
        .filter_map(|p| {
            Some((
                p.num("idx")?.max(0.0) as usize,
                p.child("v").and_then(|v| v.text()).unwrap_or("").to_owned(),
            ))
        })
        .filter(|(i, _)| *i < 20_000)
        .collect()
}
