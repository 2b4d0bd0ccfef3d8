// SPDX-License-Identifier: MIT OR Apache-2.0
//! The background of a slide: its own, its layout's or its master's.

use roxmltree::Node;

use super::context::Cx;
use super::fill;
use crate::tree::Fill;
use crate::xml::Xml;

/// The background that a slide, layout or master sets; `None` when it sets none.
#[must_use]
pub fn of(root: Node<'_, '_>, cx: &Cx<'_>) -> Option<Fill> {
    let bg = root.path(&["cSld", "bg"])?;
    if let Some(p) = bg.child("bgPr") {
        return fill::among(p, cx);
    }
    fill::reference(bg.child("bgRef")?, cx)
}
