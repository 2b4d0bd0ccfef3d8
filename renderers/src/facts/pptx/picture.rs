// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures: the files that a fill shows (the plain one and the SVG beside it), how they are cut, and their hashes.

use deckproof_package::ns::{A, NodeExt};
use deckproof_package::roxmltree::Node;
use deckproof_package::{Relationships, Target};

use super::parts::Shelf;
use crate::facts::{Crop, ImageFact};

/// The pictures of a `blipFill`: one for each file that it names. Their boxes are the caller's to fill in.
pub(super) fn images(
    fill: &Node<'_, '_>,
    relationships: &Relationships,
    shelf: &Shelf<'_>,
) -> Vec<ImageFact> {
    let Some(blip) = fill.child(A, "blip") else {
        return Vec::new();
    };
    let crop = crop(fill);
    let embedded = blip
        .descendants()
        .filter_map(|node| Some((node.relationship("embed")?, true)));
    let linked = blip.relationship("link").map(|id| (id, false));
    let ids = embedded.chain(linked).filter(|(id, _)| !id.is_empty());
    ids.map(|(id, embedded)| image(id, embedded, relationships, shelf, crop))
        .collect()
}

fn image(
    id: &str,
    embedded: bool,
    relationships: &Relationships,
    shelf: &Shelf<'_>,
    crop: Crop,
) -> ImageFact {
    let target = relationships.get(id).map(|one| &one.target);
    let (source, sha256) = match target {
        Some(Target::Part(name)) => (name.clone(), shelf.sha256(name)),
        Some(Target::External(address)) => (address.clone(), None),
        Some(Target::Broken { written, .. }) => (written.clone(), None),
        None => (id.to_owned(), None),
    };
    // A picture outside of the package is never fetched, so nobody has seen it.
    let visible = embedded && sha256.is_some();
    ImageFact {
        sha256,
        source,
        crop,
        visible,
        ..ImageFact::default()
    }
}

fn crop(fill: &Node<'_, '_>) -> Crop {
    let Some(node) = fill.child(A, "srcRect") else {
        return Crop::default();
    };
    Crop {
        left: share(&node, "l"),
        top: share(&node, "t"),
        right: share(&node, "r"),
        bottom: share(&node, "b"),
    }
}

/// A share in thousandths of a percent; strict files write `12.5%` (ECMA-376-1, 22.9.2.9).
fn share(node: &Node<'_, '_>, name: &str) -> i32 {
    let Some(text) = node.plain(name).map(str::trim) else {
        return 0;
    };
    match text.strip_suffix('%') {
        None => text.parse().unwrap_or_default(),
        Some(percent) => thousandths(percent).unwrap_or_default(),
    }
}

fn thousandths(percent: &str) -> Option<i32> {
    let (whole, part) = percent.split_once('.').unwrap_or((percent, ""));
    let digits: String = part.chars().chain("000".chars()).take(3).collect();
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let (whole, part): (i32, i32) = (whole.parse().ok()?, digits.parse().ok()?);
    whole.checked_mul(1000)?.checked_add(sign * part)
}

#[cfg(test)]
mod tests {
    use super::thousandths;

    #[test]
    fn shares_are_read_in_both_dialects() {
        assert_eq!(thousandths("12.5"), Some(12_500));
        assert_eq!(thousandths("-3"), Some(-3_000));
        assert_eq!(thousandths("-0.25"), Some(-250));
        assert_eq!(thousandths("x"), None);
        assert_eq!(thousandths("99999999"), None);
    }
}
