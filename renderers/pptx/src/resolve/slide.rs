// SPDX-License-Identifier: MIT OR Apache-2.0
//! One slide with its layout, master and theme, to the plain tree.

use std::rc::Rc;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::context::{Cx, Fields, Lookup, Part, Space};
use super::placeholder::Layers;
use super::table_style::TableStyles;
use super::theme::{ColorMap, Theme};
use super::{background, shape};
use crate::diag::Notes;
use crate::metafile::code_page;
use crate::tree::{Fill, Slide};
use crate::xml::Xml;

/// Where the parts of a slide are.
#[derive(Debug, Clone)]
pub struct Sources {
    /// The slide's part.
    pub slide: String,
    /// The layout's part.
    pub layout: Option<String>,
    /// The master's part.
    pub master: Option<String>,
    /// The presentation's part.
    pub presentation: String,
    /// Slide size in EMU.
    pub size: (f64, f64),
    /// What the slide-number field shows.
    pub number: i64,
}

struct Layer<'a> {
    part: Option<&'a Part<'a>>,
    theme: Theme<'a>,
    map: ColorMap,
}

/// Resolves a slide. Never fails: what cannot be read is noted and left out.
#[must_use]
pub fn slide<'p>(parts: &'p dyn Lookup, src: &Sources, notes: &Notes) -> Slide {
    let shared = |name: &Option<String>, what: &str| -> Option<Rc<Part<'p>>> {
        let found = name.as_deref().and_then(|n| parts.shared(n));
        if found.is_none() {
            notes.add("part-missing", format!("the slide's {what} cannot be read"));
        }
        found
    };
    let layout = shared(&src.layout, "layout");
    let master = shared(&src.master, "master");
    let presentation = parts.shared(&src.presentation);
    let kinds = |p: &Option<Rc<Part<'p>>>, kind: &str| {
        p.as_ref()
            .and_then(|p| parts.shared(p.rels.first_part(kind)?))
    };
    let theme = kinds(&master, "theme");
    if theme.is_none() {
        notes.add("part-missing", "the master's theme cannot be read");
    }
    let layout_override = kinds(&layout, "themeOverride");
    let styles = kinds(&presentation, "tableStyles");
    let Some(own) = parts.read(&src.slide) else {
        notes.add("slide-unreadable", format!("{} cannot be read", src.slide));
        return Slide {
            size: src.size,
            background: Fill::None,
            nodes: Vec::new(),
            local: WINDOWS_1252,
        };
    };
    let slide_override = own
        .rels
        .first_part("themeOverride")
        .and_then(|p| parts.shared(p));
    let base = theme
        .as_deref()
        .map(|t| Theme::read(t.doc.root_element(), &t.rels))
        .unwrap_or_default();
    let mut layout_theme = base.clone();
    if let Some(o) = layout_override.as_deref() {
        layout_theme.overlay(Theme::read(o.doc.root_element(), &o.rels));
    }
    let mut slide_theme = layout_theme.clone();
    if let Some(o) = slide_override.as_deref() {
        slide_theme.overlay(Theme::read(o.doc.root_element(), &o.rels));
    }
    let master_map = master
        .as_deref()
        .and_then(|m| m.doc.root_element().child("clrMap"))
        .map(ColorMap::read)
        .unwrap_or_default();
    let over = |p: Option<&Part<'_>>, below: &ColorMap| {
        p.and_then(|p| {
            p.doc
                .root_element()
                .path(&["clrMapOvr", "overrideClrMapping"])
        })
        .map_or_else(|| below.clone(), ColorMap::read)
    };
    let layout_map = over(layout.as_deref(), &master_map);
    let slide_map = over(Some(&own), &layout_map);
    let tables = TableStyles::new(styles.as_deref().map(|s| s.doc.root_element()));
    let layers = [
        Layer {
            part: master.as_deref(),
            theme: base,
            map: master_map,
        },
        Layer {
            part: layout.as_deref(),
            theme: layout_theme,
            map: layout_map,
        },
        Layer {
            part: Some(&own),
            theme: slide_theme,
            map: slide_map,
        },
    ];
    let roots = layers
        .each_ref()
        .map(|l| l.part.map(|p| p.doc.root_element()));
    let show = |i: usize| {
        roots
            .get(i)
            .copied()
            .flatten()
            .and_then(|r| r.flag("showMasterSp"))
            .unwrap_or(true)
    };
    let visible = [show(2) && show(1), show(2), true];
    let fields = Fields { number: src.number };
    let stores_fit = written_by_powerpoint(own.doc.root_element());
    let root_of_presentation = presentation.as_deref().map(|p| p.doc.root_element());
    let mut out = Slide {
        size: src.size,
        background: Fill::None,
        nodes: Vec::new(),
        local: local(own.doc.root_element()),
    };
    for (i, layer) in layers.iter().enumerate() {
        let Some(part) = layer.part else { continue };
        let below = Layers {
            layout: if i == 2 {
                roots.get(1).copied().flatten()
            } else {
                None
            },
            master: if i >= 1 {
                roots.first().copied().flatten()
            } else {
                None
            },
            presentation: root_of_presentation,
        };
        let cx = Cx {
            parts,
            rels: &part.rels,
            theme: &layer.theme,
            map: &layer.map,
            placeholder_color: None,
            layers: &below,
            tables: &tables,
            group_fill: None,
            space: Space::PLAIN,
            fields: &fields,
            stores_fit,
            notes,
            depth: 0,
        };
        let root = part.doc.root_element();
        if let Some(b) = background::of(root, &cx) {
            out.background = b;
        }
        if visible.get(i).copied().unwrap_or(true)
            && let Some(tree) = root.path(&["cSld", "spTree"])
        {
            out.nodes.extend(shape::children(tree, &cx, i < 2));
        }
    }
    out
}

/// Whether PowerPoint saved a slide last: since 2010 it gives each one an identifier (MS-PPTX 2.2.3, `creationId`), in
/// 2007 it marked text as clean for smart tags (ISO/IEC 29500-4, `smtClean`). Programs that write slides do neither.
fn written_by_powerpoint(root: roxmltree::Node<'_, '_>) -> bool {
    root.descendants()
        .any(|n| n.is_element() && (n.name() == "creationId" || n.attr("smtClean").is_some()))
}

/// The code page of the first language of a slide's text that has one of its own.
fn local(root: roxmltree::Node<'_, '_>) -> &'static Encoding {
    let texts = root.descendants().filter(roxmltree::Node::is_element);
    let mut tags = texts.flat_map(|n| [n.attr("lang"), n.attr("altLang")]);
    let found = tags.find_map(|tag| code_page::of_language(tag?));
    found.unwrap_or(WINDOWS_1252)
}
