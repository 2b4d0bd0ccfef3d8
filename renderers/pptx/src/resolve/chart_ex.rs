// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chart kinds of Office 2016 (`cx:`): their data as columns or slices, with a note that it is an approximation.

use std::collections::BTreeMap;

use roxmltree::Node as Xn;

use super::charts::solid_line;
use super::chart_series::auto_color;
use super::context::Cx;
use crate::chart::model::{Axis, Chart, Crosses, Grouping, Kind, Legend, Point, Series, SeriesGroup, Side};
use crate::color::Color;
use crate::text::model::RunStyle;
use crate::tree::Fill;
use crate::xml::Xml;

/// Resolves a `cx:chartSpace`.
#[must_use]
pub fn chart(root: Xn<'_, '_>, cx: &Cx<'_>) -> Option<Chart> {
    let region = root.descendants().find(|n| n.is_element() && n.name() == "plotAreaRegion")?;
    let first = region.child("series")?;
    let layout = first.attr("layoutId").unwrap_or("clusteredColumn");
    cx.notes.add("chart-kind", format!("a {layout} chart is drawn as a plain chart of its data"));
    let data_id = first.child("dataId").and_then(|d| d.attr("val")).unwrap_or("0");
    let data = root.child("chartData")?.all("data").find(|d| d.attr("id") == Some(data_id))?;
    let text = RunStyle {
        size: 12.0,
        latin: cx.theme.font("+mn-lt", "").unwrap_or_default(),
        fill: Fill::Solid(cx.theme_color("tx1").unwrap_or(Color::BLACK)),
        ..RunStyle::default()
    };
    let values = level(data.child("numDim")).into_iter().map(|v| v.parse::<f64>().ok().filter(|v| v.is_finite())).collect::<Vec<_>>();
    let mut categories = level(data.child("strDim"));
    categories.resize(values.len().max(categories.len()), String::new());
    let round = matches!(layout, "sunburst" | "treemap");
    let lying = layout == "funnel";
    let kind = if round { Kind::Doughnut(0.0, 0.4) } else { Kind::Bar { horizontal: lying, gap: 0.3, overlap: 0.0 } };
    let series = series(values, categories, round, cx);
    Some(Chart {
        groups: vec![SeriesGroup { kind, grouping: Grouping::Plain, series: vec![series], axes: [Some(0), Some(1)], vary: round, high_low: None, drop: None, up_down: None }],
        axes: if round { Vec::new() } else { axes(lying, &text) },
        legend: round.then(|| Legend { side: Side::Bottom, text: text.clone(), ..Legend::default() }),
        text,
        ..Chart::default()
    })
}

fn series(values: Vec<Option<f64>>, categories: Vec<String>, vary: bool, cx: &Cx<'_>) -> Series {
    let n = values.len();
    let point = |i: usize| (i, Point { fill: Some(Fill::Solid(auto_color(2, i, n, cx))), ..Point::default() });
    Series {
        index: 0,
        name: String::new(),
        categories,
        values,
        xs: Vec::new(),
        sizes: Vec::new(),
        fill: Fill::Solid(auto_color(2, 0, 1, cx)),
        line: None,
        marker: None,
        points: if vary { (0..n).map(point).collect() } else { BTreeMap::new() },
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
    let Some(l) = dim.and_then(|d| d.child("lvl")) else { return Vec::new() };
    l.all("pt").take(2_000).map(|p| p.text().unwrap_or("").to_owned()).collect()
}

fn axes(lying: bool, text: &RunStyle) -> Vec<Axis> {
    let make = |id: &str, category: bool, side: Side| Axis {
        id: id.to_owned(),
        cross_id: String::new(),
        category,
        date: false,
        side,
        deleted: false,
        min: None,
        max: None,
        major: None,
        reversed: lying && category,
        log: None,
        crosses: Crosses::Zero,
        on_marks: false,
        label_place: "nextTo".to_owned(),
        format: None,
        grid: None,
        minor_grid: None,
        line: Some(solid_line(Color::hex(0x00D9_D9D9), 9_525.0)),
        ticks: "none".to_owned(),
        text: text.clone(),
        rot: None,
        skip: None,
        title: None,
        units: None,
    };
    let (a, b) = if lying { (Side::Left, Side::Bottom) } else { (Side::Bottom, Side::Left) };
    vec![make("c", true, a), make("v", false, b)]
}
