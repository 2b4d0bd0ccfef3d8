// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chart kinds of Office 2016 (`cx:`): waterfalls, funnels, histograms, Pareto charts, boxes with whiskers, treemaps and
//! sunbursts; others by their data in a plain chart with a note that it is an approximation.

use std::collections::BTreeMap;

use roxmltree::Node as Xn;

use super::chart_ex_data as data;
use super::chart_series::auto_color;
use super::charts::{solid_line, text_style, title};
use super::context::Cx;
use crate::chart::model::{
    Axis, BoxSeries, Chart, Crosses, Grouping, Hierarchy, Kind, Labels, Legend, Point, Series,
    SeriesGroup, Side, Title,
};
use crate::color::Color;
use crate::text::model::{Align, RunStyle};
use crate::tree::Fill;
use crate::xml::Xml;

/// Most points of a dimension.
const MOST: f64 = 5_000.0;

/// Resolves a `cx:chartSpace`.
#[must_use]
pub fn chart(root: Xn<'_, '_>, cx: &Cx<'_>) -> Option<Chart> {
    let region = root
        .descendants()
        .find(|n| n.is_element() && n.name() == "plotAreaRegion")?;
    let first = region.child("series")?;
    let layout = first.attr("layoutId").unwrap_or("clusteredColumn");
    let source = data_of(root, first)?;
    let base = RunStyle {
        size: 12.0,
        latin: cx.theme.font("+mn-lt", "").unwrap_or_default(),
        fill: Fill::Solid(
            cx.theme_color("tx1")
                .map_or(Color::BLACK, |c| c.mix(Color::WHITE, 0.35)),
        ),
        ..RunStyle::default()
    };
    let text = text_style(root, &base, cx);
    let values = numbers(source);
    let mut categories = level(source.child("strDim"));
    if categories.is_empty() {
        categories = (1..=values.len()).map(|i| i.to_string()).collect();
    }
    let mut out = Chart {
        text: text.clone(),
        plot_room: 8.0,
        ..Chart::default()
    };
    match layout {
        "waterfall" => waterfall(&mut out, first, &values, categories, &text, cx),
        "sunburst" | "treemap" => {
            let branches = data::branches(&levels(source.child("strDim")), &values, cx);
            out.hierarchy = Some(Hierarchy {
                sunburst: layout == "sunburst",
                branches,
                text: RunStyle {
                    size: text.size * 0.8,
                    fill: Fill::Solid(Color::WHITE),
                    ..text.clone()
                },
            });
        }
        "boxWhisker" => boxes(&mut out, root, region, &text, cx),
        "clusteredColumn" if first.path(&["layoutPr", "binning"]).is_some() => {
            let (names, counts) = data::bins(first, &values);
            columns(&mut out, counts, names, 0.0, &text, cx);
        }
        "clusteredColumn"
            if region
                .all("series")
                .any(|s| s.attr("layoutId") == Some("paretoLine")) =>
        {
            pareto(&mut out, &values, &categories, &text, cx);
        }
        "funnel" => funnel(&mut out, first, &values, &categories, &text, cx),
        _ => {
            approximate(layout, cx);
            columns(&mut out, values, categories, 0.3, &text, cx);
        }
    }
    out.title = root
        .descendants()
        .find(|n| {
            n.is_element()
                && n.name() == "title"
                && n.parent().is_some_and(|p| p.tag_name().name() == "chart")
        })
        .map(|t| heading(t, &text, cx));
    Some(out)
}

fn columns(
    out: &mut Chart,
    values: Vec<Option<f64>>,
    names: Vec<String>,
    gap: f64,
    text: &RunStyle,
    cx: &Cx<'_>,
) {
    let kind = Kind::Bar {
        horizontal: false,
        gap,
        overlap: 0.0,
    };
    let mut one = series(0, values, names, false, cx);
    if gap == 0.0 {
        one.line = Some(solid_line(Color::WHITE, 9_525.0));
    }
    out.groups.push(group(kind, vec![one]));
    out.axes = axes(false, text);
}

/// Bars about the middle: each over an unseen base of half of what the greatest has more.
fn funnel(
    out: &mut Chart,
    s: Xn<'_, '_>,
    values: &[Option<f64>],
    names: &[String],
    text: &RunStyle,
    cx: &Cx<'_>,
) {
    let sizes: Vec<f64> = values.iter().map(|v| v.unwrap_or(0.0).max(0.0)).collect();
    let most = sizes.iter().copied().fold(0.0, f64::max);
    let base = sizes.iter().map(|v| Some((most - v) / 2.0)).collect();
    let mut hidden = series(0, base, names.to_vec(), false, cx);
    hidden.fill = Fill::None;
    let mut seen = series(0, values.to_vec(), names.to_vec(), false, cx);
    if s.child("dataLabels").is_some() {
        seen.labels = Some(Labels {
            value: true,
            position: Some("ctr".to_owned()),
            text: RunStyle {
                size: text.size * 0.75,
                fill: Fill::Solid(Color::WHITE),
                ..text.clone()
            },
            ..Labels::default()
        });
    }
    let kind = Kind::Bar {
        horizontal: true,
        gap: 0.06,
        overlap: 1.0,
    };
    let mut g = group(kind, vec![hidden, seen]);
    g.grouping = Grouping::Stacked;
    out.groups.push(g);
    out.axes = axes(true, text);
    if let Some(a) = out.axes.get_mut(1).filter(|_| most > 0.0) {
        (a.min, a.max) = (Some(0.0), Some(most));
    }
}

/// Sums by category from the greatest down, and the share that is reached on a second axis.
fn pareto(out: &mut Chart, values: &[Option<f64>], names: &[String], text: &RunStyle, cx: &Cx<'_>) {
    let (names, sums) = data::by_category(names, values);
    let total: f64 = sums.iter().sum();
    let mut reached = 0.0;
    let shares: Vec<Option<f64>> = sums
        .iter()
        .map(|v| {
            reached += v;
            (total > 0.0).then(|| reached / total)
        })
        .collect();
    columns(
        out,
        sums.into_iter().map(Some).collect(),
        names.clone(),
        0.05,
        text,
        cx,
    );
    let mut line = series(1, shares, names, false, cx);
    line.line = Some(solid_line(auto_color(2, 1, 1, cx), 28_575.0));
    let mut g = group(Kind::Line, vec![line]);
    g.axes = [Some(0), Some(2)];
    out.groups.push(g);
    if let Some(mut second) = out.axes.get(1).cloned() {
        "p".clone_into(&mut second.id);
        second.side = Side::Right;
        second.crosses = Crosses::Max;
        "c".clone_into(&mut second.cross_id);
        second.grid = None;
        second.format = Some("0%".to_owned());
        (second.min, second.max) = (Some(0.0), Some(1.0));
        out.axes.push(second);
    }
}

/// Boxes of every series, over the categories of the first.
fn boxes(out: &mut Chart, root: Xn<'_, '_>, region: Xn<'_, '_>, text: &RunStyle, cx: &Cx<'_>) {
    let all: Vec<Xn<'_, '_>> = region
        .all("series")
        .filter(|s| s.attr("layoutId") == Some("boxWhisker"))
        .take(64)
        .collect();
    let mut names: Vec<String> = Vec::new();
    let read: Vec<(Vec<String>, Vec<Option<f64>>, bool)> = all
        .iter()
        .map(|s| {
            let data = data_of(root, *s);
            let values = data.map(numbers).unwrap_or_default();
            let inclusive = s
                .path(&["layoutPr", "statistics"])
                .and_then(|q| q.attr("quartileMethod"))
                == Some("inclusive");
            let own = level(data.and_then(|d| d.child("strDim")));
            (own, values, inclusive)
        })
        .collect();
    for n in read.iter().flat_map(|r| &r.0) {
        if !names.contains(n) && names.len() < 500 {
            names.push(n.clone());
        }
    }
    if names.is_empty() {
        names.push(String::new());
    }
    let (mut low, mut high) = (vec![None; names.len()], vec![None; names.len()]);
    for (k, (own, values, inclusive)) in read.iter().enumerate() {
        let spread = |name: &String| {
            let of_name = |i: usize| own.get(i).map_or(names.len() == 1, |n| n == name);
            let part: Vec<f64> = values
                .iter()
                .enumerate()
                .filter(|(i, _)| of_name(*i))
                .filter_map(|(_, v)| *v)
                .collect();
            data::spread(part, *inclusive)
        };
        let list: Vec<_> = names.iter().map(spread).collect();
        for (i, s) in list.iter().enumerate() {
            let Some(s) = s else { continue };
            let least = s.outliers.iter().copied().fold(s.whiskers.0, f64::min);
            let most = s.outliers.iter().copied().fold(s.whiskers.1, f64::max);
            merge(&mut low, i, least, f64::min);
            merge(&mut high, i, most, f64::max);
        }
        out.boxes.push(BoxSeries {
            color: auto_color(2, k, read.len(), cx),
            boxes: list,
        });
    }
    let hidden = |values: Vec<Option<f64>>| Series {
        fill: Fill::None,
        ..series(0, values, names.clone(), false, cx)
    };
    out.groups
        .push(group(Kind::Line, vec![hidden(low), hidden(high)]));
    out.axes = axes(false, text);
}

fn merge(list: &mut [Option<f64>], i: usize, v: f64, f: fn(f64, f64) -> f64) {
    if let Some(slot) = list.get_mut(i) {
        *slot = Some(slot.map_or(v, |old| f(old, v)));
    }
}

fn data_of<'a>(root: Xn<'a, 'a>, series: Xn<'a, 'a>) -> Option<Xn<'a, 'a>> {
    let id = series
        .child("dataId")
        .and_then(|d| d.attr("val"))
        .unwrap_or("0");
    root.child("chartData")?
        .all("data")
        .find(|d| d.attr("id") == Some(id))
}

fn numbers(data: Xn<'_, '_>) -> Vec<Option<f64>> {
    level(data.child("numDim"))
        .into_iter()
        .map(|v| v.trim().parse::<f64>().ok().filter(|v| v.is_finite()))
        .collect()
}

fn approximate(layout: &str, cx: &Cx<'_>) {
    cx.notes.add(
        "chart-kind",
        format!("a {layout} chart is drawn as a plain chart of its data"),
    );
}

fn heading(t: Xn<'_, '_>, text: &RunStyle, cx: &Cx<'_>) -> Title {
    let style = RunStyle {
        size: text.size * 1.55,
        ..text.clone()
    };
    title(t, &style, 1.0, cx).unwrap_or_else(|| Title {
        text: crate::chart::words::body("Chart Title", &style, Align::Center, true),
        overlay: false,
        at: None,
        rot: 0.0,
        fill: Fill::None,
        above: 0.0,
    })
}

fn group(kind: Kind, series: Vec<Series>) -> SeriesGroup {
    let vary = matches!(kind, Kind::Doughnut(..));
    SeriesGroup {
        kind,
        grouping: Grouping::Plain,
        series,
        axes: [Some(0), Some(1)],
        vary,
        high_low: None,
        drop: None,
        up_down: None,
    }
}

/// Rises, falls and totals as stacked columns over an unseen base.
fn waterfall(
    out: &mut Chart,
    s: Xn<'_, '_>,
    values: &[Option<f64>],
    categories: Vec<String>,
    text: &RunStyle,
    cx: &Cx<'_>,
) {
    let totals: Vec<usize> = s
        .descendants()
        .filter(|n| {
            n.is_element()
                && n.name() == "idx"
                && n.parent()
                    .is_some_and(|p| p.tag_name().name() == "subtotals")
        })
        .filter_map(|n| n.num("val"))
        .map(|v| v.max(0.0) as usize)
        .collect();
    let n = values.len();
    let mut parts = [vec![None; n], vec![None; n], vec![None; n], vec![None; n]];
    let mut sum = 0.0;
    for (i, v) in values.iter().enumerate() {
        let v = v.unwrap_or(0.0);
        let (base, kind, size) = if totals.contains(&i) {
            sum = v;
            (0.0, 3, v)
        } else {
            let from = sum;
            sum += v;
            (from.min(sum), if v >= 0.0 { 1 } else { 2 }, v.abs())
        };
        for (k, value) in [(0, base), (kind, size)] {
            if let Some(slot) = parts.get_mut(k).and_then(|p| p.get_mut(i)) {
                *slot = Some(value);
            }
        }
    }
    let labelled = s.child("dataLabels").is_some();
    let names = ["", "Increase", "Decrease", "Total"];
    let list = parts
        .into_iter()
        .zip(names)
        .enumerate()
        .map(|(k, (v, name))| {
            let mut one = series(k.saturating_sub(1), v, categories.clone(), false, cx);
            name.clone_into(&mut one.name);
            if k == 0 {
                one.fill = Fill::None;
            } else if labelled {
                let format = (k == 2).then(|| "-General".to_owned());
                one.labels = Some(Labels {
                    value: true,
                    position: Some(if k == 2 { "below" } else { "outEnd" }.to_owned()),
                    text: RunStyle {
                        size: text.size * 0.75,
                        ..text.clone()
                    },
                    format: format.map(|_| "\"-\"0.##########".to_owned()),
                    ..Labels::default()
                });
            }
            one
        });
    let mut g = group(
        Kind::Bar {
            horizontal: false,
            gap: 0.5,
            overlap: 1.0,
        },
        list.collect(),
    );
    g.grouping = Grouping::Stacked;
    out.groups.push(g);
    out.axes = axes(false, text);
    out.legend = Some(Legend {
        side: Side::Top,
        text: text.clone(),
        hidden: vec![0],
        ..Legend::default()
    });
}

fn series(
    index: usize,
    values: Vec<Option<f64>>,
    categories: Vec<String>,
    vary: bool,
    cx: &Cx<'_>,
) -> Series {
    let n = values.len();
    let point = |i: usize| {
        (
            i,
            Point {
                fill: Some(Fill::Solid(auto_color(2, i, n, cx))),
                ..Point::default()
            },
        )
    };
    Series {
        index,
        name: String::new(),
        categories,
        levels: Vec::new(),
        values,
        xs: Vec::new(),
        sizes: Vec::new(),
        fill: Fill::Solid(auto_color(2, index, 1, cx)),
        line: None,
        marker: None,
        points: if vary {
            (0..n).map(point).collect()
        } else {
            BTreeMap::new()
        },
        labels: None,
        smooth: false,
        format: "General".to_owned(),
        explosion: 0.0,
        trends: Vec::new(),
        errors: Vec::new(),
        invert: false,
    }
}

fn level(dim: Option<Xn<'_, '_>>) -> Vec<String> {
    levels(dim).into_iter().next().unwrap_or_default()
}

/// Every level of a dimension, each point at its index, the innermost level first.
fn levels(dim: Option<Xn<'_, '_>>) -> Vec<Vec<String>> {
    let one = |l: Xn<'_, '_>| {
        let count = l.num("ptCount").unwrap_or(0.0).clamp(0.0, MOST) as usize;
        let mut out = vec![String::new(); count];
        for (k, p) in l.all("pt").take(MOST as usize).enumerate() {
            let i = p
                .num("idx")
                .map_or(k, |v| v.clamp(0.0, MOST - 1.0) as usize);
            if out.len() <= i {
                out.resize(i + 1, String::new());
            }
            if let Some(slot) = out.get_mut(i) {
                p.text().unwrap_or("").clone_into(slot);
            }
        }
        out
    };
    dim.into_iter()
        .flat_map(|d| d.all("lvl"))
        .take(8)
        .map(one)
        .collect()
}

fn axes(lying: bool, text: &RunStyle) -> Vec<Axis> {
    let light = || Some(solid_line(Color::hex(0x00D9_D9D9), 9_525.0));
    let text = RunStyle {
        size: text.size * 0.8,
        ..text.clone()
    };
    let make = |id: &str, category: bool, side: Side| Axis {
        id: id.to_owned(),
        cross_id: String::new(),
        category,
        date: false,
        side,
        deleted: lying && !category,
        min: None,
        max: None,
        major: None,
        reversed: lying && category,
        log: None,
        crosses: Crosses::Zero,
        on_marks: false,
        label_place: "nextTo".to_owned(),
        format: None,
        grid: if category || lying { None } else { light() },
        minor_grid: None,
        line: if category { light() } else { None },
        ticks: "none".to_owned(),
        text: text.clone(),
        rot: None,
        skip: None,
        title: None,
        units: None,
    };
    let (a, b) = if lying {
        (Side::Left, Side::Bottom)
    } else {
        (Side::Bottom, Side::Left)
    };
    vec![make("c", true, a), make("v", false, b)]
}
