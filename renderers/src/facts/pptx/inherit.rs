// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placeholders: which shape of the layout, and which of the master, a slide's placeholder takes after.

use deckproof_package::ns::{NodeExt, P};
use deckproof_package::roxmltree::Node;

use super::parts::Part;

/// Placeholders of one part that are looked at; real layouts have a dozen.
const MAX_PLACEHOLDERS: usize = 500;

/// How a shape says which placeholder it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placeholder {
    /// `title`, `body`, …; `obj` when it does not say.
    pub(super) kind: String,
    /// Its number in the layout; 0 when it does not say.
    pub(super) index: u32,
}

impl Placeholder {
    /// The kind by which the master is asked: it has one title and one body (ECMA-376-1, 19.7.10).
    fn master_kind(&self) -> &str {
        match self.kind.as_str() {
            "ctrTitle" => "title",
            "subTitle" | "obj" | "chart" | "tbl" | "clipArt" | "dgm" | "media" | "pic" => "body",
            other => other,
        }
    }

    /// Whether its text takes after the master's title style.
    pub(super) fn is_title(&self) -> bool {
        self.master_kind() == "title"
    }

    /// Whether its text takes after the master's body style.
    pub(super) fn is_body(&self) -> bool {
        self.master_kind() == "body"
    }
}

/// The non-visual properties of a shape, whatever kind of shape it is.
pub(super) fn non_visual<'a, 'input>(shape: &Node<'a, 'input>) -> Option<Node<'a, 'input>> {
    shape
        .children()
        .find(|node| node.is_element() && node.tag_name().name().starts_with("nv"))
}

/// What a shape says about being a placeholder.
pub(super) fn placeholder(shape: &Node<'_, '_>) -> Option<Placeholder> {
    let holder = non_visual(shape)?.child(P, "nvPr")?.child(P, "ph")?;
    Some(Placeholder {
        kind: holder.plain("type").unwrap_or("obj").to_owned(),
        index: holder
            .plain("idx")
            .and_then(|text| text.trim().parse().ok())
            .unwrap_or_default(),
    })
}

/// The placeholders of a layout or master.
#[derive(Debug, Default)]
pub(super) struct Placeholders<'a, 'input>(Vec<(Placeholder, Node<'a, 'input>)>);

impl<'a, 'input> Placeholders<'a, 'input> {
    pub(super) fn of(part: Option<&'a Part<'input>>) -> Self {
        let tree = part.and_then(|part| part.root().child(P, "cSld")?.child(P, "spTree"));
        let shapes = tree.into_iter().flat_map(|tree| tree.descendants());
        Self(
            shapes
                .filter_map(|node| Some((placeholder(&node)?, node)))
                .take(MAX_PLACEHOLDERS)
                .collect(),
        )
    }

    /// The layout's shape for a slide's placeholder: by number, or else by kind.
    fn of_layout(&self, wanted: &Placeholder) -> Option<Node<'a, 'input>> {
        let by =
            |same: &dyn Fn(&Placeholder) -> bool| self.0.iter().find(|(holder, _)| same(holder));
        by(&|holder| holder == wanted)
            .or_else(|| by(&|holder| holder.index == wanted.index && wanted.index != 0))
            .or_else(|| by(&|holder| holder.master_kind() == wanted.master_kind()))
            .map(|(_, node)| *node)
    }

    fn of_master(&self, wanted: &Placeholder) -> Option<Node<'a, 'input>> {
        self.0
            .iter()
            .find(|(holder, _)| holder.kind == wanted.master_kind())
            .map(|(_, node)| *node)
    }
}

/// A shape with the shapes it takes after, nearest first.
#[derive(Debug, Clone)]
pub(super) struct Lineage<'a, 'input> {
    pub(super) placeholder: Option<Placeholder>,
    /// The shape itself, then those of layout and master.
    pub(super) shapes: Vec<Node<'a, 'input>>,
}

impl<'a, 'input> Lineage<'a, 'input> {
    pub(super) fn of(
        shape: Node<'a, 'input>,
        layout: &Placeholders<'a, 'input>,
        master: &Placeholders<'a, 'input>,
    ) -> Self {
        let placeholder = placeholder(&shape);
        let mut shapes = vec![shape];
        if let Some(wanted) = &placeholder {
            let model = layout.of_layout(wanted);
            let kind = model
                .and_then(|node| self::placeholder(&node))
                .unwrap_or_else(|| wanted.clone());
            shapes.extend(model);
            shapes.extend(master.of_master(&kind));
        }
        Self {
            placeholder,
            shapes,
        }
    }

    /// What the nearest shape that answers at all answers.
    pub(super) fn first<T>(&self, ask: impl Fn(&Node<'a, 'input>) -> Option<T>) -> Option<T> {
        self.shapes.iter().find_map(ask)
    }
}
