// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chart kinds of Office 2016 (`cx:`): waterfalls and funnels as they are, the others by their data in a plain chart
//! with a note that it is an approximation.

use std::collections::BTreeMap;

use roxmltree::Node as Xn;

use super::chart_series::auto_color;
use super::charts::{solid_line, text_style, title};
use super::context::Cx;
use crate::chart::model::{
    Axis, Chart, Crosses, Grouping, Kind, Labels, Legend, Point, Series, SeriesGroup, Side, Title,
};
use crate::color::Color;
use crate::text::model::{Align, RunStyle};
use crate::tree::Fill;
use crate::xml::Xml;

/// Resolves a `cx:chartSpace`.
#[must_use]
pub fn chart(root: Xn<'_, '_>, cx: &Cx<'_>) -> Option<Chart> {
    let region = root
        .descendants()
        .find(|n| n.is_element() && n.name() == "plotAreaRegion")?;
    let first = region.child("series")?;
    let layout = first.attr("layoutId").unwrap_or("clusteredColumn");
    let data_id = first
        .child("dataId")
        .and_then(|d| d.attr("val"))
        .unwrap_or("0");
    let data = root
        .child("chartData")?
        .all("data")
        .find(|d| d.attr("id") == Some(data_id))?;
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
    let values: Vec<Option<f64>> = level(data.child("numDim"))
        .into_iter()
        .map(|v| v.parse::<f64>().ok().filter(|v| v.is_finite()))
        .collect();
    let mut categories = level(data.child("strDim"));
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
            approximate(layout, cx);
            out.groups.push(group(
                Kind::Doughnut(0.0, 0.4),
                vec![series(0, values, categories, true, cx)],
            ));
            out.legend = Some(Legend {
                side: Side::Bottom,
                text: text.clone(),
                ..Legend::default()
            });
        }
        _ => {
            let lying = layout == "funnel";
            if !lying {
                approximate(layout, cx);
            }
            out.groups.push(group(
                Kind::Bar {
                    horizontal: lying,
                    gap: if lying { 0.06 } else { 0.3 },
                    overlap: 0.0,
                },
                vec![series(0, values, categories, false, cx)],
            ));
            out.axes = axes(lying, &text);
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
    let Some(l) = dim.and_then(|d| d.child("lvl")) else {
        return Vec::new();
    };
    l.all("pt")
        .take(2_000)
        .map(|p| p.text().unwrap_or("").to_owned())
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
