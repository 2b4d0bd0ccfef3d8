// SPDX-License-Identifier: MIT OR Apache-2.0
//! One way of writing down a piece of markup, so that two pieces that mean the same compare equal: prefixes, attribute
//! order, relationship identifiers, editing marks and extensions do not matter.

use deckproof_package::Relationships;
use deckproof_package::ns::R;
use deckproof_package::roxmltree::Node;

use super::parts::Shelf;

/// Longer writings are given as a hash.
const READABLE: usize = 160;

/// Attributes that editors leave behind and nothing shows.
const MARKS: [&str; 9] = [
    "dirty",
    "err",
    "smtClean",
    "bmk",
    "lang",
    "altLang",
    "noProof",
    "userDrawn",
    "preserve",
];

/// Elements without any effect on the picture.
const SILENT: [&str; 3] = ["extLst", "cNvPr", "creationId"];

/// The attributes of a node in name order, without editing marks.
pub(super) fn attributes(node: &Node<'_, '_>) -> String {
    let mut pairs: Vec<String> = node
        .attributes()
        .filter(|attribute| !MARKS.contains(&attribute.name()))
        .map(|attribute| format!("{}={}", attribute.name(), attribute.value().trim()))
        .collect();
    pairs.sort_unstable();
    pairs.join(" ")
}

/// What to leave out, and how to read relationship identifiers.
pub(super) struct Canon<'c, 'p> {
    pub(super) shelf: &'c Shelf<'p>,
    pub(super) relationships: &'c Relationships,
    /// Whether texts and cached values are left out.
    pub(super) without_text: bool,
}

impl Canon<'_, '_> {
    /// The node written down; as a hash when that is long.
    pub(super) fn of(&self, node: &Node<'_, '_>) -> String {
        let mut written = String::new();
        self.write(node, &mut written);
        readable(written)
    }

    /// The children of a node written down, empty when there are none.
    pub(super) fn inside(
        &self,
        node: &Node<'_, '_>,
        keep: impl Fn(&Node<'_, '_>) -> bool,
    ) -> String {
        let mut written = String::new();
        for child in node
            .children()
            .filter(|child| child.is_element() && keep(child))
        {
            self.write(&child, &mut written);
        }
        readable(written)
    }

    fn write(&self, node: &Node<'_, '_>, out: &mut String) {
        let name = node.tag_name().name();
        if SILENT.contains(&name)
            || (self.without_text
                && matches!(name, "t" | "v" | "f" | "pt" | "ptCount" | "externalData"))
        {
            return;
        }
        out.push_str(name);
        self.write_attributes(node, out);
        let mut inner = String::new();
        for child in node.children() {
            if child.is_element() {
                self.write(&child, &mut inner);
            } else if let Some(text) = child
                .text()
                .filter(|text| child.is_text() && !text.trim().is_empty())
            {
                inner.push_str(&format!("{text:?}"));
            }
        }
        if !inner.is_empty() {
            out.push('{');
            out.push_str(&inner);
            out.push('}');
        }
        out.push(';');
    }

    fn write_attributes(&self, node: &Node<'_, '_>, out: &mut String) {
        let mut pairs: Vec<(&str, String)> = Vec::new();
        for attribute in node
            .attributes()
            .filter(|attribute| !MARKS.contains(&attribute.name()))
        {
            let value = if R.has(attribute.namespace()) {
                self.shelf.meaning(self.relationships, attribute.value())
            } else {
                attribute.value().trim().to_owned()
            };
            pairs.push((attribute.name(), value));
        }
        pairs.sort_unstable();
        for (name, value) in pairs {
            out.push_str(&format!(" {name}={value}"));
        }
    }
}

/// The writing itself, or its hash when it is long.
pub(super) fn readable(written: String) -> String {
    if written.len() <= READABLE {
        written
    } else {
        format!("sha256:{}", crate::sha256_hex(written.as_bytes()))
    }
}
