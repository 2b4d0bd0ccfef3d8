// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of fonts that a deck carries: which parts are which faces.

use super::context::{Lookup, Part};
use crate::fonts::embedded::{Embedded, unpack};
use crate::xml::Xml;

/// Most embedded faces of one deck.
const MAX_FACES: usize = 32;
/// Most bytes of all.
const MAX_TOTAL: usize = 48 << 20;

/// The fonts of a deck that can be used, and a message for each that cannot.
#[must_use]
pub fn of_deck(presentation: &Part<'_>, parts: &dyn Lookup) -> (Vec<Embedded>, Vec<String>) {
    let (mut fonts, mut notes) = (Vec::new(), Vec::new());
    let Some(list) = presentation.doc.root_element().child("embeddedFontLst") else {
        return (fonts, notes);
    };
    let mut total = 0usize;
    for e in list.all("embeddedFont").take(MAX_FACES) {
        let Some(name) = e.child("font").and_then(|f| f.attr("typeface")) else {
            continue;
        };
        for (slot, bold, italic) in [
            ("regular", false, false),
            ("bold", true, false),
            ("italic", false, true),
            ("boldItalic", true, true),
        ] {
            let target = e
                .child(slot)
                .and_then(|s| s.attr("id"))
                .and_then(|id| presentation.rels.part(id));
            let Some(part) = target.and_then(|t| parts.picture(t)) else {
                continue;
            };
            match unpack(&part.bytes) {
                Ok(bytes) if fonts.len() < MAX_FACES && total + bytes.len() <= MAX_TOTAL => {
                    total += bytes.len();
                    fonts.push(Embedded {
                        name: name.to_owned(),
                        bold,
                        italic,
                        bytes,
                    });
                }
                Ok(_) => notes.push(format!("the embedded font {name} ({slot}) is one too many")),
                Err(why) => notes.push(format!(
                    "the embedded font {name} ({slot}) is not used: {why}"
                )),
            }
        }
    }
    (fonts, notes)
}
