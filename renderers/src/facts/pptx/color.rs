// SPDX-License-Identifier: MIT OR Apache-2.0
//! Colours and fills as far as facts need them: which plain colour a thing has, whether it hides what lies behind,
//! and one way of writing it down. Tints and gradients are written down, not computed.

use std::collections::BTreeMap;

use deckproof_package::ns::{A, NodeExt, P};
use deckproof_package::roxmltree::{Document, Node};

use super::canon::attributes;

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

/// A theme's colours by name, its fonts, and how plain its fill styles are.
#[derive(Debug, Clone, Default)]
pub(super) struct Theme {
    colors: BTreeMap<String, Rgb>,
    pub(super) major_font: Option<String>,
    pub(super) minor_font: Option<String>,
    /// For each fill style: whether it is the placeholder colour and nothing else.
    fills: Vec<bool>,
    background_fills: Vec<bool>,
    /// All of it, written down or hashed.
    pub(super) content: String,
}

impl Theme {
    pub(super) fn read(document: &Document<'_>) -> Self {
        let Some(elements) = document.root_element().child(A, "themeElements") else {
            return Self::default();
        };
        let scheme = elements.child(A, "clrScheme");
        let colors = scheme
            .into_iter()
            .flat_map(|node| node.children())
            .filter_map(|node| {
                Some((
                    node.tag_name().name().to_owned(),
                    literal(&node.first_element_child()?)?,
                ))
            });
        let font = |kind: &str| {
            let latin = elements
                .child(A, "fontScheme")?
                .child(A, kind)?
                .child(A, "latin")?;
            latin.plain("typeface").map(str::to_owned)
        };
        let formats = elements.child(A, "fmtScheme");
        let plain = |list: &str| -> Vec<bool> {
            let list = formats.and_then(|node| node.child(A, list));
            let fills = list
                .into_iter()
                .flat_map(|node| node.children())
                .filter(Node::is_element);
            fills.map(|fill| is_plain_placeholder(&fill)).collect()
        };
        Self {
            colors: colors.collect(),
            major_font: font("majorFont"),
            minor_font: font("minorFont"),
            fills: plain("fillStyleLst"),
            background_fills: plain("bgFillStyleLst"),
            content: String::new(),
        }
    }

    /// Whether a fill style reference (from 1; backgrounds from 1001) means its colour and nothing else.
    fn plain_reference(&self, index: usize) -> bool {
        let (list, at) = if index > 1000 {
            (&self.background_fills, index - 1001)
        } else {
            (&self.fills, index.wrapping_sub(1))
        };
        list.get(at).copied().unwrap_or(false)
    }
}

fn is_plain_placeholder(fill: &Node<'_, '_>) -> bool {
    let color = fill.first_element_child();
    fill.is(A, "solidFill")
        && color
            .is_some_and(|c| c.plain("val") == Some("phClr") && c.first_element_child().is_none())
}

/// From the names that slides use (`tx1`, `bg1`, …) to the names of the theme.
#[derive(Debug, Clone, Default)]
pub(super) struct ColorMap(BTreeMap<String, String>);

impl ColorMap {
    /// The first override of slide or layout, or else the master's map.
    pub(super) fn read<'a, 'input: 'a>(roots: impl Iterator<Item = Node<'a, 'input>>) -> Self {
        let found = roots.filter_map(|root| {
            let over = root
                .child(P, "clrMapOvr")
                .and_then(|node| node.child(A, "overrideClrMapping"));
            over.or_else(|| root.child(P, "clrMap"))
        });
        let map = found
            .map(|node| {
                node.attributes()
                    .map(|a| (a.name().to_owned(), a.value().to_owned()))
                    .collect()
            })
            .next();
        Self(map.unwrap_or_default())
    }

    fn theme_name<'a>(&'a self, name: &'a str) -> &'a str {
        let usual = match name {
            "tx1" => "dk1",
            "bg1" => "lt1",
            "tx2" => "dk2",
            "bg2" => "lt2",
            other => other,
        };
        self.0.get(name).map_or(usual, String::as_str)
    }
}

/// A colour: its base, its opacity in thousandths of a percent, and whatever else is done to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Color {
    base: Option<Rgb>,
    alpha: i64,
    /// One way of writing it: `#RRGGBB`, followed by transforms if there are any.
    pub(super) written: String,
    transformed: bool,
}

impl Color {
    /// Reads the colour element inside `holder` (`a:solidFill`, `a:fontRef`, …).
    pub(super) fn inside(holder: &Node<'_, '_>, theme: &Theme, map: &ColorMap) -> Option<Self> {
        let node = holder
            .children()
            .find(|child| child.is_element() && child.tag_name().name().ends_with("Clr"))?;
        Some(Self::read(&node, theme, map))
    }

    /// The colour of text that nothing colours: the first text colour.
    pub(super) fn automatic(theme: &Theme, map: &ColorMap) -> Self {
        let [r, g, b] = theme
            .colors
            .get(map.theme_name("tx1"))
            .copied()
            .unwrap_or([0, 0, 0]);
        let written = format!("#{r:02X}{g:02X}{b:02X}");
        Self {
            base: Some([r, g, b]),
            alpha: 100_000,
            written,
            transformed: false,
        }
    }

    fn read(node: &Node<'_, '_>, theme: &Theme, map: &ColorMap) -> Self {
        let base = literal(node).or_else(|| scheme(node, theme, map));
        let mut written = match base {
            Some([r, g, b]) => format!("#{r:02X}{g:02X}{b:02X}"),
            None => format!("{}({})", node.tag_name().name(), attributes(node)),
        };
        let (mut alpha, mut transformed) = (100_000, false);
        for change in node.children().filter(Node::is_element) {
            written += &format!(" {}({})", change.tag_name().name(), attributes(&change));
            match (
                change.tag_name().name(),
                change
                    .plain("val")
                    .and_then(|value| value.trim().parse().ok()),
            ) {
                ("alpha", Some(value)) => alpha = value,
                _ => transformed = true,
            }
        }
        Self {
            base,
            alpha,
            written,
            transformed,
        }
    }

    /// The plain colour, when nothing but opacity is done to it.
    pub(super) fn plain(&self) -> Option<Rgb> {
        self.base.filter(|_| !self.transformed)
    }

    /// Whether it is too transparent to be seen.
    pub(super) fn vanishes(&self) -> bool {
        self.alpha < 5_000
    }

    fn opaque(&self) -> bool {
        self.alpha >= 100_000
    }
}

fn scheme(node: &Node<'_, '_>, theme: &Theme, map: &ColorMap) -> Option<Rgb> {
    if !node.is(A, "schemeClr") {
        return None;
    }
    theme
        .colors
        .get(map.theme_name(node.plain("val")?))
        .copied()
}

/// A colour that needs no theme.
fn literal(node: &Node<'_, '_>) -> Option<Rgb> {
    match node.tag_name().name() {
        "srgbClr" => hex(node.plain("val")?),
        "sysClr" => node.plain("lastClr").and_then(hex),
        "prstClr" => match node.plain("val")? {
            "black" => Some([0, 0, 0]),
            "white" => Some([255, 255, 255]),
            "red" => Some([255, 0, 0]),
            "blue" => Some([0, 0, 255]),
            _ => None,
        },
        _ => None,
    }
}

fn hex(text: &str) -> Option<Rgb> {
    let value = u32::from_str_radix(text.trim(), 16)
        .ok()
        .filter(|_| text.trim().len() == 6)?;
    let [_, r, g, b] = value.to_be_bytes();
    Some([r, g, b])
}

/// What fills a shape, as far as it decides what can be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fill {
    /// Nothing: what lies behind shows.
    None,
    /// One opaque colour.
    Solid(Rgb),
    /// Something that may hide what lies behind: a gradient, a picture, a tint.
    Unknown,
}

impl Fill {
    /// The fill that is a child of `holder` (`p:spPr`, `p:bgPr`, `a:tcPr`), if it has one.
    pub(super) fn inside(holder: &Node<'_, '_>, theme: &Theme, map: &ColorMap) -> Option<Self> {
        let node = fill_node(holder)?;
        Some(match node.tag_name().name() {
            "noFill" => Self::None,
            "solidFill" => Color::inside(&node, theme, map)
                .map_or(Self::Unknown, |color| Self::of_color(&color)),
            _ => Self::Unknown,
        })
    }

    /// The fill that a style reference (`a:fillRef`, `p:bgRef`) means.
    pub(super) fn of_reference(reference: &Node<'_, '_>, theme: &Theme, map: &ColorMap) -> Self {
        let index = reference
            .plain("idx")
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or_default();
        match Color::inside(reference, theme, map) {
            _ if index == 0 || index == 1000 => Self::None,
            Some(color) if theme.plain_reference(index) => Self::of_color(&color),
            _ => Self::Unknown,
        }
    }

    fn of_color(color: &Color) -> Self {
        match color.plain() {
            _ if color.vanishes() => Self::None,
            Some(rgb) if color.opaque() => Self::Solid(rgb),
            _ => Self::Unknown,
        }
    }
}

/// The child that says how something is filled.
pub(super) fn fill_node<'a, 'input>(holder: &Node<'a, 'input>) -> Option<Node<'a, 'input>> {
    const FILLS: [&str; 6] = [
        "noFill",
        "solidFill",
        "gradFill",
        "blipFill",
        "pattFill",
        "grpFill",
    ];
    holder
        .children()
        .find(|node| FILLS.iter().any(|name| node.is(A, name)))
}
