// SPDX-License-Identifier: MIT OR Apache-2.0
//! The style of a shape as named properties, so that a difference can be told to a person.

use std::collections::BTreeMap;

use deckproof_package::Relationships;
use deckproof_package::ns::{A, NodeExt, P};
use deckproof_package::roxmltree::Node;

use super::canon::{Canon, attributes, readable};
use super::color::{Color, Fill, fill_node};
use super::inherit::{Lineage, Placeholder};
use super::parts::Scope;
use super::place::Transform;

/// Named properties.
pub(super) type Style = BTreeMap<String, String>;

/// A canon for the markup of one part.
pub(super) fn canon<'c, 'p>(
    scope: &'c Scope<'_, 'p>,
    relationships: &'c Relationships,
) -> Canon<'c, 'p> {
    Canon {
        shelf: scope.shelf,
        relationships,
        without_text: false,
    }
}

/// Writes down the properties that shapes, pictures, connectors and groups have in common.
pub(super) fn shape(
    lineage: &Lineage<'_, '_>,
    transform: &Transform,
    scope: &Scope<'_, '_>,
    canon: &Canon<'_, '_>,
) -> Style {
    let mut style = Style::new();
    put(
        &mut style,
        "placeholder",
        lineage.placeholder.as_ref().map(Placeholder::name),
    );
    put(
        &mut style,
        "rotation",
        (transform.rotation != 0).then(|| transform.rotation.to_string()),
    );
    put(&mut style, "flip", flip(transform));
    let fill = lineage
        .first(|shape| fill_node(&properties(shape)?).map(|node| fill_text(&node, scope, canon)));
    put(&mut style, "fill", fill);
    for (name, elements) in [
        ("geometry", &["prstGeom", "custGeom"][..]),
        ("line", &["ln"]),
        ("effects", &["effectLst", "effectDag"]),
        ("depth", &["scene3d", "sp3d"]),
    ] {
        let written = lineage.shapes.iter().find_map(|shape| {
            let text = canon.inside(&properties(shape)?, |node| {
                elements.iter().any(|element| node.is(A, element))
            });
            (!text.is_empty()).then_some(text)
        });
        put(&mut style, name, written);
    }
    put(
        &mut style,
        "style",
        lineage.first(|shape| shape.child(P, "style").map(|node| canon.of(&node))),
    );
    put(
        &mut style,
        "text-box",
        lineage.first(|shape| text_box(&shape.child(P, "txBody")?, canon)),
    );
    style
}

fn properties<'a, 'input>(shape: &Node<'a, 'input>) -> Option<Node<'a, 'input>> {
    shape.child(P, "spPr").or_else(|| shape.child(P, "grpSpPr"))
}

/// Adds a property that there is.
pub(super) fn put(style: &mut Style, name: &str, value: Option<String>) {
    if let Some(value) = value.filter(|value| !value.is_empty()) {
        style.insert(name.to_owned(), readable(value));
    }
}

fn flip(transform: &Transform) -> Option<String> {
    match (transform.flip_h, transform.flip_v) {
        (false, false) => None,
        (true, false) => Some("horizontal".to_owned()),
        (false, true) => Some("vertical".to_owned()),
        (true, true) => Some("both".to_owned()),
    }
}

/// One way of writing a fill: a colour where it is one.
pub(super) fn fill_text(
    node: &Node<'_, '_>,
    scope: &Scope<'_, '_>,
    canon: &Canon<'_, '_>,
) -> String {
    let color = || Color::inside(node, &scope.theme, &scope.map).map(|color| color.written);
    match node.tag_name().name() {
        "noFill" => "none".to_owned(),
        "solidFill" => color().unwrap_or_else(|| "automatic".to_owned()),
        _ => canon.of(node),
    }
}

/// Insets, columns, anchoring and wrapping. The scale that a program computed for autofit goes with the text, so it
/// is left out.
fn text_box(body: &Node<'_, '_>, canon: &Canon<'_, '_>) -> Option<String> {
    let node = body.child(A, "bodyPr")?;
    let fit = node
        .children()
        .find(|child| child.is_element() && child.tag_name().name().ends_with("Autofit"));
    let fit = fit
        .or_else(|| node.child(A, "spAutoFit"))
        .map(|child| child.tag_name().name())
        .unwrap_or_default();
    let rest = canon.inside(&node, |child| {
        !["noAutofit", "normAutofit", "spAutoFit"]
            .iter()
            .any(|name| child.is(A, name))
    });
    let parts = [attributes(&node), fit.to_owned(), rest];
    let written = parts
        .iter()
        .filter(|part| !part.is_empty())
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ");
    (!written.is_empty()).then_some(written)
}

/// The fill that decides what can be seen: the shape's own, its models', or that of its style.
pub(super) fn fill(lineage: &Lineage<'_, '_>, scope: &Scope<'_, '_>) -> Fill {
    let own =
        lineage.first(|shape| Fill::inside(&shape.child(P, "spPr")?, &scope.theme, &scope.map));
    let reference = || lineage.first(|shape| shape.child(P, "style")?.child(A, "fillRef"));
    own.or_else(|| reference().map(|node| Fill::of_reference(&node, &scope.theme, &scope.map)))
        .unwrap_or(Fill::None)
}

/// Whether a shape fills its box to the corners.
pub(super) fn is_box(lineage: &Lineage<'_, '_>, transform: &Transform) -> bool {
    let preset = lineage.first(|shape| {
        shape
            .child(P, "spPr")?
            .child(A, "prstGeom")?
            .plain("prst")
            .map(str::to_owned)
    });
    let custom = lineage.first(|shape| shape.child(P, "spPr")?.child(A, "custGeom"));
    let upright = transform.rotation.rem_euclid(5_400_000) == 0;
    upright && custom.is_none() && preset.is_none_or(|name| name == "rect")
}

impl Placeholder {
    fn name(&self) -> String {
        if self.index == 0 {
            self.kind.clone()
        } else {
            format!("{} {}", self.kind, self.index)
        }
    }
}
