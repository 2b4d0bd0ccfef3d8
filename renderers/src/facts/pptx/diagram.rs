// SPDX-License-Identifier: MIT OR Apache-2.0
//! SmartArt diagrams: the texts of their nodes, from the data part.

use deckproof_package::Relationships;
use deckproof_package::ns::{DGM, NodeExt};
use deckproof_package::roxmltree::{Document, Node};

use super::element::{Style, put};
use super::parts::Shelf;
use super::text;

/// The texts of the nodes, in the order of the data part. Transitions and presentation points have none of their own.
pub(super) fn texts(data: &Document<'_>) -> Vec<String> {
    let points = data
        .root_element()
        .child(DGM, "ptLst")
        .into_iter()
        .flat_map(|list| list.children());
    let nodes = points.filter(|node| matches!(node.plain("type"), None | Some("node" | "asst")));
    let bodies = nodes.filter_map(|node| node.child(DGM, "t"));
    bodies
        .map(|body| text::plain(&body))
        .filter(|text| !text.is_empty())
        .collect()
}

/// Layout, quick style and colours, by the content of their parts.
pub(super) fn style(ids: &Node<'_, '_>, relationships: &Relationships, shelf: &Shelf<'_>) -> Style {
    let mut style = Style::new();
    for (name, attribute) in [
        ("diagram-layout", "lo"),
        ("diagram-style", "qs"),
        ("diagram-colors", "cs"),
    ] {
        put(
            &mut style,
            name,
            ids.relationship(attribute)
                .map(|id| shelf.meaning(relationships, id)),
        );
    }
    style
}
