// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts: titles, series, categories and cached values as texts, and everything but the data as style.

use deckproof_package::ns::{A, C, NodeExt};
use deckproof_package::roxmltree::{Document, Node};

use super::canon::Canon;
use super::color::fill_node;
use super::element::{Style, fill_text, put};
use super::parts::Scope;
use super::text;
use crate::facts::TextOrigin;

/// One text of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) text: String,
    pub(super) origin: TextOrigin,
    /// Whether the chart prints it, as far as its own switches tell.
    pub(super) shown: bool,
}

/// A chart.
#[derive(Debug, Default)]
pub(super) struct Chart {
    pub(super) labels: Vec<Label>,
    pub(super) style: Style,
}

/// Reads a chart part: DrawingML's (`c:chartSpace`), or the later kinds of Microsoft (`cx:chartSpace`).
pub(super) fn read(document: &Document<'_>, scope: &Scope<'_, '_>, canon: &Canon<'_, '_>) -> Chart {
    let root = document.root_element();
    let mut style = Style::new();
    put(&mut style, "chart-style", Some(canon.of(&root)));
    let Some(chart) = root.child(C, "chart") else {
        return Chart {
            labels: extended(&root),
            style,
        };
    };
    let Some(plot) = chart.child(C, "plotArea") else {
        return Chart {
            labels: Vec::new(),
            style,
        };
    };
    let groups: Vec<_> = plot
        .children()
        .filter(|node| node.is_element() && node.child(C, "ser").is_some())
        .collect();
    let kinds: Vec<&str> = groups.iter().map(|group| group.tag_name().name()).collect();
    put(&mut style, "chart-type", Some(kinds.join(" ")));
    let mut labels: Vec<Label> = chart
        .child(C, "title")
        .map(|node| title(&node))
        .into_iter()
        .collect();
    let axes = plot
        .children()
        .filter(|node| node.is_element() && node.tag_name().name().ends_with("Ax"));
    let shown_axes: Vec<_> = axes.filter(|axis| !switch(axis, "delete")).collect();
    labels.extend(
        shown_axes
            .iter()
            .filter_map(|axis| axis.child(C, "title"))
            .map(|node| title(&node)),
    );
    let show = Show {
        legend: chart.child(C, "legend").is_some(),
        categories: shown_axes
            .iter()
            .any(|axis| axis.is(C, "catAx") || axis.is(C, "dateAx")),
        axes: plot
            .children()
            .any(|node| node.is_element() && node.tag_name().name().ends_with("Ax")),
    };
    series_labels(&groups, &show, &mut labels);
    for (series, number) in groups
        .iter()
        .flat_map(|group| group.children())
        .filter(|n| n.is(C, "ser"))
        .zip(1..)
    {
        let fill = series.child(C, "spPr").and_then(|node| fill_node(&node));
        put(
            &mut style,
            &format!("series {number} fill"),
            fill.map(|node| fill_text(&node, scope, canon)),
        );
    }
    labels.retain(|label| !label.text.trim().is_empty());
    Chart { labels, style }
}

/// What a chart prints of its data.
struct Show {
    legend: bool,
    categories: bool,
    /// Whether there are axes at all; pies have none.
    axes: bool,
}

fn series_labels(groups: &[Node<'_, '_>], show: &Show, labels: &mut Vec<Label>) {
    let mut known: Vec<Vec<String>> = Vec::new();
    for group in groups {
        for series in group.children().filter(|node| node.is(C, "ser")) {
            let on = |name: &str| {
                let own = series.child(C, "dLbls").or_else(|| group.child(C, "dLbls"));
                own.is_some_and(|node| switch(&node, name))
            };
            let mut add = |texts: Vec<String>, shown: bool| {
                labels.extend(texts.into_iter().map(|text| Label {
                    text,
                    origin: TextOrigin::ChartData,
                    shown,
                }));
            };
            add(
                points(series.child(C, "tx")),
                on("showSerName") || (show.legend && show.axes),
            );
            let categories = points(series.child(C, "cat"));
            if !known.contains(&categories) {
                known.push(categories.clone());
                add(
                    categories,
                    on("showCatName") || show.categories || (show.legend && !show.axes),
                );
            }
            add(points(series.child(C, "xVal")), on("showCatName"));
            add(
                points(series.child(C, "val").or_else(|| series.child(C, "yVal"))),
                on("showVal"),
            );
            add(points(series.child(C, "bubbleSize")), on("showBubbleSize"));
            add(own_labels(&series), true);
        }
    }
}

/// Data labels with a text of their own.
fn own_labels(series: &Node<'_, '_>) -> Vec<String> {
    let list = series
        .child(C, "dLbls")
        .into_iter()
        .flat_map(|node| node.children());
    let rich = list.filter_map(|label| label.child(C, "tx")?.child(C, "rich"));
    rich.map(|body| text::plain(&body)).collect()
}

/// A switch such as `c:delete`; present without a value means yes.
fn switch(node: &Node<'_, '_>, name: &str) -> bool {
    node.child(C, name)
        .is_some_and(|node| node.flag("val").unwrap_or(true))
}

fn title(node: &Node<'_, '_>) -> Label {
    let text = node.child(C, "tx").map(|tx| match tx.child(C, "rich") {
        Some(rich) => text::plain(&rich),
        None => points(Some(tx)).join("\n"),
    });
    Label {
        text: text.unwrap_or_default(),
        origin: TextOrigin::ChartTitle,
        shown: true,
    }
}

/// The cached values below a reference or literal, in the order of the file.
fn points(holder: Option<Node<'_, '_>>) -> Vec<String> {
    let nodes = holder.into_iter().flat_map(|node| node.descendants());
    nodes
        .filter(|node| node.is(C, "v"))
        .map(|node| text::characters(&node))
        .collect()
}

/// The texts of a chart of the later kinds, whose schema is Microsoft's own.
fn extended(root: &Node<'_, '_>) -> Vec<Label> {
    let mut labels = Vec::new();
    for node in root.descendants().filter(Node::is_element) {
        let in_title = || {
            node.ancestors()
                .any(|above| above.tag_name().name() == "title")
        };
        let origin = match node.tag_name().name() {
            "t" if node.is(A, "t") && in_title() => TextOrigin::ChartTitle,
            "pt" | "v" => TextOrigin::ChartData,
            _ => continue,
        };
        let text = text::characters(&node);
        if !text.trim().is_empty() {
            labels.push(Label {
                text,
                origin,
                shown: true,
            });
        }
    }
    labels
}
