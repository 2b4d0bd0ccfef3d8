// SPDX-License-Identifier: MIT OR Apache-2.0
//! How text looks: every property settled through run, paragraph, shape, layout, master and presentation, so that a
//! value that is inherited and the same value written out compare equal.

use std::collections::BTreeMap;

use deckproof_package::ns::{A, NodeExt, P};
use deckproof_package::roxmltree::Node;

use super::canon::Canon;
use super::color::{Color, Rgb};
use super::distinct;
use super::inherit::Lineage;
use super::parts::Scope;
use super::text;

/// Hundredths of a point that a text has when nothing says otherwise.
const DEFAULT_SIZE: i64 = 1_800;

/// The lists of level styles that a text looks into, nearest first, and the reference of its shape's style.
pub(super) struct Styles<'a, 'input> {
    lists: Vec<Node<'a, 'input>>,
    fallback: Vec<Node<'a, 'input>>,
    font_reference: Option<Node<'a, 'input>>,
}

impl<'a, 'input> Styles<'a, 'input> {
    /// The styles of a shape's text.
    pub(super) fn of<'s: 'a>(lineage: &Lineage<'a, 'input>, scope: &'s Scope<'_, 'input>) -> Self {
        let body = |shape: &Node<'a, 'input>| shape.child(P, "txBody")?.child(A, "lstStyle");
        let lists = lineage.shapes.iter().filter_map(body).collect();
        let font_reference = lineage.first(|shape| shape.child(P, "style")?.child(A, "fontRef"));
        let name = match &lineage.placeholder {
            Some(holder) if holder.is_title() => "titleStyle",
            Some(holder) if holder.is_body() => "bodyStyle",
            _ => "otherStyle",
        };
        Self {
            lists,
            fallback: fallback(scope, name),
            font_reference,
        }
    }

    /// The styles of a table cell, whose own style the program has built in.
    pub(super) fn of_cell<'s: 'a>(body: &Node<'a, 'input>, scope: &'s Scope<'_, 'input>) -> Self {
        let lists = body.child(A, "lstStyle").into_iter().collect();
        Self {
            lists,
            fallback: fallback(scope, "otherStyle"),
            font_reference: None,
        }
    }

    /// What the nearest list says about a paragraph of this level.
    fn level<T>(
        &self,
        lists: &[Node<'a, 'input>],
        level: usize,
        ask: &dyn Fn(&Node<'a, 'input>) -> Option<T>,
    ) -> Option<T> {
        const NAMES: [&str; 9] = [
            "lvl1pPr", "lvl2pPr", "lvl3pPr", "lvl4pPr", "lvl5pPr", "lvl6pPr", "lvl7pPr", "lvl8pPr",
            "lvl9pPr",
        ];
        let name = NAMES.get(level).copied().unwrap_or("lvl9pPr");
        lists
            .iter()
            .find_map(|list| list.child(A, name).and_then(|node| ask(&node)))
    }
}

fn fallback<'a, 'input: 'a>(scope: &'a Scope<'_, 'input>, name: &str) -> Vec<Node<'a, 'input>> {
    let master = scope
        .master
        .and_then(|part| part.root().child(P, "txStyles")?.child(P, name));
    let presentation = scope.shelf.presentation.root().child(P, "defaultTextStyle");
    master.into_iter().chain(presentation).collect()
}

/// The looks of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RunStyle {
    color: Option<Color>,
    /// Text without a fill is an outline at best.
    unfilled: bool,
    size: i64,
    family: String,
    bold: bool,
    italic: bool,
    rest: String,
}

/// The looks of one paragraph that has characters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ParagraphStyle {
    align: String,
    rest: String,
    runs: Vec<RunStyle>,
}

/// The looks of a whole text body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Looks {
    /// The properties, several values joined by ` | ` in the order they occur. Where paragraphs differ, each has its
    /// own beside it, such as `paragraph 2 color`; paragraphs without characters do not count.
    pub(super) style: BTreeMap<String, String>,
    /// The plain colours of the runs that have one.
    pub(super) colors: Vec<Rgb>,
    /// Whether some run is too small, too transparent or without fill to be read.
    pub(super) unreadable: bool,
}

/// The looks of the runs of a body that have characters.
pub(super) fn looks<'a, 'input: 'a>(
    body: &Node<'a, 'input>,
    styles: &Styles<'a, 'input>,
    scope: &Scope<'_, 'input>,
    canon: &Canon<'_, '_>,
) -> Looks {
    let mut paragraphs = Vec::new();
    for node in text::paragraphs(body) {
        let own: Vec<_> = node
            .children()
            .filter(|run| (run.is(A, "r") || run.is(A, "fld")) && has_ink(run))
            .collect();
        if own.is_empty() {
            continue;
        }
        let properties = node.child(A, "pPr");
        let level = properties
            .and_then(|node| node.plain("lvl")?.trim().parse().ok())
            .unwrap_or_default();
        let align = |node: &Node<'a, 'input>| node.plain("algn");
        let align = properties
            .and_then(|node| align(&node))
            .or_else(|| styles.level(&styles.lists, level, &align))
            .or_else(|| styles.level(&styles.fallback, level, &align));
        paragraphs.push(ParagraphStyle {
            align: align_name(align.unwrap_or("l")),
            rest: properties
                .map(|node| paragraph_rest(&node, canon))
                .unwrap_or_default(),
            runs: own
                .iter()
                .map(|run| run_style(run, level, styles, scope, canon))
                .collect(),
        });
    }
    gather(&paragraphs)
}

fn has_ink(run: &Node<'_, '_>) -> bool {
    text::run(run, None).chars().any(|c| !c.is_whitespace())
}

fn align_name(value: &str) -> String {
    match value {
        "l" => "left",
        "ctr" => "center",
        "r" => "right",
        "just" => "justify",
        other => other,
    }
    .to_owned()
}

/// What a paragraph says beyond its alignment: level, indents, spacing, bullets, tabs.
fn paragraph_rest(properties: &Node<'_, '_>, canon: &Canon<'_, '_>) -> String {
    let attributes = super::canon::attributes(properties);
    let attributes: Vec<&str> = attributes
        .split(' ')
        .filter(|pair| !pair.starts_with("algn="))
        .collect();
    let inside = canon.inside(properties, |node| !node.is(A, "defRPr"));
    format!("{} {inside}", attributes.join(" "))
        .trim()
        .to_owned()
}

fn run_style<'a, 'input: 'a>(
    run: &Node<'a, 'input>,
    level: usize,
    styles: &Styles<'a, 'input>,
    scope: &Scope<'_, 'input>,
    canon: &Canon<'_, '_>,
) -> RunStyle {
    let own = run.child(A, "rPr");
    let settle = |ask: &dyn Fn(&Node<'a, 'input>) -> Option<String>| {
        let of_level =
            |node: &Node<'a, 'input>| node.child(A, "defRPr").and_then(|node| ask(&node));
        own.and_then(|node| ask(&node))
            .or_else(|| styles.level(&styles.lists, level, &of_level))
            .or_else(|| styles.font_reference.and_then(|node| ask(&node)))
            .or_else(|| styles.level(&styles.fallback, level, &of_level))
    };
    let attribute = |name: &'static str| settle(&move |node| node.plain(name).map(str::to_owned));
    let on = |name| matches!(attribute(name).as_deref(), Some("1" | "true"));
    let (color, unfilled) = color(own, level, styles, scope);
    RunStyle {
        color,
        unfilled,
        size: attribute("sz")
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or(DEFAULT_SIZE),
        family: family(
            settle(&|node| node.child(A, "latin")?.plain("typeface").map(str::to_owned)),
            styles,
            scope,
        ),
        bold: on("b"),
        italic: on("i"),
        rest: own.map(|node| run_rest(&node, canon)).unwrap_or_default(),
    }
}

/// The colour of a run, and whether it has no fill at all.
fn color<'a, 'input: 'a>(
    own: Option<Node<'a, 'input>>,
    level: usize,
    styles: &Styles<'a, 'input>,
    scope: &Scope<'_, 'input>,
) -> (Option<Color>, bool) {
    let fill = |node: &Node<'a, 'input>| super::color::fill_node(node);
    let of_level = |node: &Node<'a, 'input>| node.child(A, "defRPr").and_then(|node| fill(&node));
    let near = own
        .and_then(|node| fill(&node))
        .or_else(|| styles.level(&styles.lists, level, &of_level));
    let reference = || {
        styles
            .font_reference
            .and_then(|node| Color::inside(&node, &scope.theme, &scope.map))
    };
    let far = || styles.level(&styles.fallback, level, &of_level);
    let inside = |node: Node<'a, 'input>| {
        (
            Color::inside(&node, &scope.theme, &scope.map),
            node.is(A, "noFill"),
        )
    };
    let found = match near {
        Some(node) => Some(inside(node)),
        None => reference()
            .map(|color| (Some(color), false))
            .or_else(|| far().map(inside)),
    };
    found.unwrap_or_else(|| (Some(Color::automatic(&scope.theme, &scope.map)), false))
}

fn family(typeface: Option<String>, styles: &Styles<'_, '_>, scope: &Scope<'_, '_>) -> String {
    let index = styles.font_reference.and_then(|node| node.plain("idx"));
    let themed = |major: bool| {
        if major {
            &scope.theme.major_font
        } else {
            &scope.theme.minor_font
        }
    };
    let font = match typeface.as_deref() {
        Some(name) if name.starts_with("+mj") => themed(true).clone(),
        Some(name) if name.starts_with("+mn") => themed(false).clone(),
        Some(name) => Some(name.to_owned()),
        None => themed(index == Some("major")).clone(),
    };
    font.unwrap_or_default()
}

/// What a run says beyond size, colour, face, weight and slant.
fn run_rest(properties: &Node<'_, '_>, canon: &Canon<'_, '_>) -> String {
    let attributes = super::canon::attributes(properties);
    let settled = ["sz=", "b=", "i=", "u=none", "strike=noStrike", "baseline=0"];
    let attributes: Vec<&str> = attributes
        .split(' ')
        .filter(|pair| !settled.iter().any(|start| pair.starts_with(start)))
        .collect();
    let inside = canon.inside(properties, |node| {
        !["solidFill", "latin"].iter().any(|name| node.is(A, name))
    });
    format!("{} {inside}", attributes.join(" "))
        .trim()
        .to_owned()
}

fn gather(paragraphs: &[ParagraphStyle]) -> Looks {
    let mut style = BTreeMap::new();
    for (name, of) in PROPERTIES {
        put(&mut style, name, paragraphs.iter().map(of).collect());
    }
    let runs = || {
        paragraphs
            .iter()
            .flat_map(|paragraph| paragraph.runs.iter())
    };
    let unreadable = |run: &RunStyle| {
        run.unfilled || run.size < 300 || run.color.as_ref().is_some_and(Color::vanishes)
    };
    Looks {
        style,
        colors: distinct(runs().filter_map(|run| run.color.as_ref()?.plain())),
        unreadable: runs().any(unreadable),
    }
}

/// A property's name, and its value for one paragraph.
type Property = (&'static str, fn(&ParagraphStyle) -> String);

const PROPERTIES: [Property; 8] = [
    ("align", |paragraph| paragraph.align.clone()),
    ("paragraph-style", |paragraph| paragraph.rest.clone()),
    ("color", |paragraph| {
        paragraph.each(|run| {
            run.color
                .as_ref()
                .map(|c| c.written.clone())
                .unwrap_or_default()
        })
    }),
    ("font-size", |paragraph| {
        paragraph.each(|run| pixels(run.size))
    }),
    ("font-family", |paragraph| {
        paragraph.each(|run| run.family.clone())
    }),
    ("bold", |paragraph| {
        paragraph.each(|run| run.bold.to_string())
    }),
    ("italic", |paragraph| {
        paragraph.each(|run| run.italic.to_string())
    }),
    ("run-style", |paragraph| {
        paragraph.each(|run| run.rest.clone())
    }),
];

impl ParagraphStyle {
    /// A property of its runs: one value, or several where they differ.
    fn each(&self, of: fn(&RunStyle) -> String) -> String {
        distinct(self.runs.iter().map(of)).join(" | ")
    }
}

/// Adds a property for the whole text and, where its paragraphs differ, for each of them.
fn put(style: &mut BTreeMap<String, String>, name: &str, values: Vec<String>) {
    let all = distinct(
        values
            .iter()
            .flat_map(|value| value.split(" | "))
            .map(str::to_owned),
    );
    if all.len() > 1 {
        for (value, number) in values.into_iter().zip(1..) {
            style.insert(
                format!("paragraph {number} {name}"),
                super::canon::readable(value),
            );
        }
    }
    let joined = all.join(" | ");
    if !joined.is_empty() {
        style.insert(name.to_owned(), super::canon::readable(joined));
    }
}

/// Hundredths of a point as pixels at 96 dpi, with as many digits as needed: `1800` is `24px`.
pub(super) fn pixels(hundredths: i64) -> String {
    // 1 pt is 4/3 px, so a hundredth is 4/300 px; to the hundredth of a pixel, rounded half up.
    let scaled = (i128::from(hundredths) * 400 + 150).div_euclid(300);
    let (whole, part) = (scaled / 100, scaled % 100);
    match part {
        0 => format!("{whole}px"),
        tens if tens % 10 == 0 => format!("{whole}.{}px", tens / 10),
        part => format!("{whole}.{part:02}px"),
    }
}

#[cfg(test)]
mod tests {
    use super::pixels;

    #[test]
    fn points_become_pixels() {
        assert_eq!(pixels(1800), "24px");
        assert_eq!(pixels(1000), "13.33px");
        assert_eq!(pixels(1050), "14px");
        assert_eq!(pixels(1995), "26.6px");
        assert_eq!(pixels(0), "0px");
    }
}
