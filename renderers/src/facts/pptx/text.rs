// SPDX-License-Identifier: MIT OR Apache-2.0
//! The characters of a text body: runs joined, breaks and paragraph ends as `\n`, fields as shown.

use deckproof_package::ns::{A, MC, NodeExt};
use deckproof_package::roxmltree::Node;

/// The text of a body (`p:txBody`, `a:txBody`, `c:rich`), fields as the file has them.
pub(super) fn plain(body: &Node<'_, '_>) -> String {
    with_number(body, None)
}

/// The text of a body; slide number fields give `number`, as a viewer shows it, whatever the file has.
pub(super) fn with_number(body: &Node<'_, '_>, number: Option<&str>) -> String {
    let paragraphs: Vec<String> = paragraphs(body)
        .map(|node| paragraph(&node, number))
        .collect();
    let text = paragraphs.join("\n");
    if text.trim().is_empty() {
        String::new()
    } else {
        text
    }
}

/// The paragraphs of a body.
pub(super) fn paragraphs<'a, 'input: 'a>(
    body: &Node<'a, 'input>,
) -> impl Iterator<Item = Node<'a, 'input>> {
    body.children().filter(|node| node.is(A, "p"))
}

fn paragraph(node: &Node<'_, '_>, number: Option<&str>) -> String {
    let mut text = String::new();
    for child in node.children().filter(Node::is_element) {
        if child.is(A, "br") {
            text.push('\n');
        } else if child.is(A, "r") || child.is(A, "fld") {
            text.push_str(&run(&child, number));
        } else if child.is(MC, "AlternateContent") {
            text.push_str(&alternate(&child));
        }
    }
    text
}

/// The text of a run or a field.
pub(super) fn run(node: &Node<'_, '_>, number: Option<&str>) -> String {
    match number {
        Some(number) if node.is(A, "fld") && node.plain("type") == Some("slidenum") => {
            return number.to_owned();
        }
        _ => {}
    }
    node.child(A, "t")
        .map(|t| characters(&t))
        .unwrap_or_default()
}

/// The letters of a formula, which PowerPoint writes as the first choice of an alternative.
fn alternate(node: &Node<'_, '_>) -> String {
    let Some(choice) = node.child(MC, "Choice") else {
        return String::new();
    };
    let letters = choice
        .descendants()
        .filter(|node| node.is_element() && node.tag_name().name() == "t");
    letters.map(|node| characters(&node)).collect()
}

/// Whether a body shows nothing but what a program fills in.
pub(super) fn is_field(body: &Node<'_, '_>) -> bool {
    let parts = || paragraphs(body).flat_map(|paragraph| paragraph.children());
    let has_ink = |node: &Node<'_, '_>| !run(node, None).trim().is_empty();
    parts().any(|node| node.is(A, "fld")) && !parts().any(|node| node.is(A, "r") && has_ink(&node))
}

/// The characters directly inside an element; comments between them are none.
pub(super) fn characters(node: &Node<'_, '_>) -> String {
    node.children()
        .filter(Node::is_text)
        .filter_map(|part| part.text())
        .collect()
}
