// SPDX-License-Identifier: MIT OR Apache-2.0
//! The theme: twelve colours, two font triples, and the style matrices that shapes point into.

use std::collections::BTreeMap;

use deckproof_package::Relationships;
use roxmltree::Node;

use crate::color::{self, Color, Scheme};
use crate::xml::Xml;

/// The fonts of one theme slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ThemeFonts {
    /// Latin.
    pub latin: String,
    /// East Asian.
    pub east: String,
    /// Complex scripts.
    pub complex: String,
    /// By script, such as `Jpan`.
    pub scripts: BTreeMap<String, String>,
}

/// A theme.
#[derive(Debug, Clone, Default)]
pub struct Theme<'a> {
    /// Colours by their name in the theme (`dk1`, `accent1`, …).
    pub colors: BTreeMap<String, Color>,
    /// Heading fonts.
    pub major: ThemeFonts,
    /// Body fonts.
    pub minor: ThemeFonts,
    /// `a:fmtScheme`.
    pub formats: Option<Node<'a, 'a>>,
    /// Relationships of the part that has the formats.
    pub rels: Option<&'a Relationships>,
}

struct NoScheme;
impl Scheme for NoScheme {
    fn scheme(&self, _: &str) -> Option<Color> {
        None
    }
}

impl<'a> Theme<'a> {
    /// Reads `a:theme` (or an override's `a:themeOverride`).
    #[must_use]
    pub fn read(root: Node<'a, 'a>, rels: &'a Relationships) -> Self {
        let elements = root.child("themeElements").unwrap_or(root);
        let mut theme = Self {
            formats: elements.child("fmtScheme"),
            rels: Some(rels),
            ..Self::default()
        };
        for c in elements
            .child("clrScheme")
            .into_iter()
            .flat_map(|s| s.elements().collect::<Vec<_>>())
        {
            if let Some(v) = color::read_child(c, &NoScheme) {
                theme.colors.insert(c.name().to_owned(), v);
            }
        }
        if let Some(f) = elements.child("fontScheme") {
            theme.major = f.child("majorFont").map(fonts).unwrap_or_default();
            theme.minor = f.child("minorFont").map(fonts).unwrap_or_default();
        }
        theme
    }

    /// Takes over what an override sets.
    pub fn overlay(&mut self, over: Self) {
        self.colors.extend(over.colors);
        if !over.major.latin.is_empty() {
            self.major = over.major;
            self.minor = over.minor;
        }
        if over.formats.is_some() {
            self.formats = over.formats;
            self.rels = over.rels;
        }
    }

    /// The entry of a style matrix: `list` such as `fillStyleLst`, counted from 1.
    #[must_use]
    pub fn format(&self, list: &str, index: usize) -> Option<Node<'a, 'a>> {
        self.formats?
            .child(list)?
            .elements()
            .nth(index.checked_sub(1)?)
    }

    /// A font name with the theme's references (`+mn-lt`, `+mj-ea`, …) resolved; `None` when that slot is empty.
    #[must_use]
    pub fn font(&self, name: &str, lang: &str) -> Option<String> {
        let Some(slot) = name.strip_prefix('+') else {
            return Some(name.to_owned());
        };
        let fonts = if slot.starts_with("mj") {
            &self.major
        } else {
            &self.minor
        };
        let direct = match slot.get(3..) {
            Some("ea") => &fonts.east,
            Some("cs") => &fonts.complex,
            _ => &fonts.latin,
        };
        if !direct.is_empty() {
            return Some(direct.clone());
        }
        let script = script_of(lang)?;
        fonts.scripts.get(script).cloned()
    }
}

fn script_of(lang: &str) -> Option<&'static str> {
    let l = lang.to_ascii_lowercase();
    let table = [
        ("ja", "Jpan"),
        ("ko", "Hang"),
        ("zh-tw", "Hant"),
        ("zh-hk", "Hant"),
        ("zh", "Hans"),
        ("ar", "Arab"),
        ("he", "Hebr"),
        ("th", "Thai"),
    ];
    table
        .iter()
        .find(|(k, _)| l.starts_with(k))
        .map(|(_, s)| *s)
}

fn fonts(n: Node<'_, '_>) -> ThemeFonts {
    let face = |k| {
        n.child(k)
            .and_then(|c| c.attr("typeface"))
            .unwrap_or_default()
            .to_owned()
    };
    let scripts = n
        .all("font")
        .filter_map(|f| Some((f.attr("script")?.to_owned(), f.attr("typeface")?.to_owned())))
        .collect();
    ThemeFonts {
        latin: face("latin"),
        east: face("ea"),
        complex: face("cs"),
        scripts,
    }
}

/// The map from the twelve names of a slide to the twelve of a theme.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColorMap(BTreeMap<String, String>);

impl ColorMap {
    /// Reads `p:clrMap` or `a:overrideClrMapping`.
    #[must_use]
    pub fn read(n: Node<'_, '_>) -> Self {
        Self(
            n.attributes()
                .map(|a| (a.name().to_owned(), a.value().to_owned()))
                .collect(),
        )
    }
    /// The theme's name for a slide's name.
    #[must_use]
    pub fn theme_name<'s>(&'s self, name: &'s str) -> &'s str {
        if let Some(v) = self.0.get(name) {
            return v;
        }
        match name {
            "bg1" => "lt1",
            "tx1" => "dk1",
            "bg2" => "lt2",
            "tx2" => "dk2",
            n => n,
        }
    }
}
