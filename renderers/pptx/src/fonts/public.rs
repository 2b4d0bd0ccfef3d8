// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stand-ins for the fonts that everybody may use, and that decks made by agents and by designers name most.
//!
//! The factor is the average width of a font's letters, weighted by how often English uses them, divided by that of the
//! stand-in: measured on the fonts' own public files.

use super::substitute::{Substitute, near, tall};

const SANS: &str = "Noto Sans";
const PLAIN: &str = "Liberation Sans";
const HUMAN: &str = "Carlito";
const SERIF: &str = "Noto Serif";
const BOOK: &str = "Liberation Serif";

/// Names in lower case, stand-in, factor on the widths.
const WIDTHS: [(&str, &str, f64); 82] = [
    ("albert sans", SANS, 0.977),
    ("alegreya", BOOK, 1.009),
    ("archivo", PLAIN, 0.987),
    ("archivo narrow", PLAIN, 0.825),
    ("arvo", SERIF, 1.015),
    ("asap", PLAIN, 0.991),
    ("assistant", HUMAN, 1.009),
    ("barlow", PLAIN, 0.967),
    ("barlow condensed", PLAIN, 0.765),
    ("be vietnam pro", SANS, 1.038),
    ("bitter", SERIF, 0.967),
    ("cabin", HUMAN, 1.029),
    ("cairo", HUMAN, 1.029),
    ("cardo", BOOK, 1.052),
    ("comfortaa", SANS, 1.105),
    ("cormorant", BOOK, 0.967),
    ("cormorant garamond", BOOK, 0.970),
    ("crimson pro", BOOK, 0.985),
    ("crimson text", BOOK, 0.973),
    ("dm sans", SANS, 0.983),
    ("dm serif display", BOOK, 1.098),
    ("domine", SERIF, 1.008),
    ("eb garamond", BOOK, 0.948),
    ("exo 2", SANS, 0.960),
    ("figtree", PLAIN, 1.007),
    ("fira sans", SANS, 0.966),
    ("fira sans condensed", PLAIN, 0.924),
    ("fraunces", SERIF, 0.975),
    ("geist", SANS, 0.985),
    ("heebo", PLAIN, 0.999),
    ("hind", PLAIN, 0.962),
    ("ibm plex sans", PLAIN, 1.012),
    ("ibm plex sans condensed", PLAIN, 0.913),
    ("ibm plex serif", SERIF, 0.983),
    ("instrument sans", SANS, 0.966),
    ("inter", SANS, 1.007),
    ("inter tight", SANS, 0.907),
    ("josefin sans", SANS, 0.962),
    ("jost", HUMAN, 1.043),
    ("kanit", SANS, 0.954),
    ("karla", PLAIN, 1.024),
    ("league spartan", PLAIN, 0.928),
    ("lexend", SANS, 1.034),
    ("libre baskerville", SERIF, 1.075),
    ("libre franklin", SANS, 0.981),
    ("lora", SERIF, 0.973),
    ("manrope", SANS, 0.970),
    ("maven pro", SANS, 0.975),
    ("merriweather", SERIF, 1.008),
    ("montserrat", SANS, 1.061),
    ("muli", SANS, 0.979),
    ("mulish", SANS, 0.979),
    ("newsreader", BOOK, 1.055),
    ("nunito", SANS, 0.954),
    ("nunito sans", SANS, 0.954),
    ("old standard tt", BOOK, 1.080),
    ("open sans", SANS, 0.989),
    ("outfit", PLAIN, 0.998),
    ("overpass", PLAIN, 1.007),
    ("oxygen", PLAIN, 1.011),
    ("playfair display", BOOK, 1.112),
    ("plus jakarta sans", SANS, 0.987),
    ("poppins", SANS, 1.055),
    ("prompt", SANS, 1.053),
    ("pt sans", HUMAN, 1.051),
    ("pt serif", BOOK, 1.103),
    ("public sans", SANS, 0.986),
    ("quicksand", SANS, 0.981),
    ("raleway", SANS, 0.977),
    ("roboto", PLAIN, 0.998),
    ("roboto condensed", PLAIN, 0.888),
    ("roboto slab", SERIF, 0.987),
    ("rubik", SANS, 0.987),
    ("sora", SANS, 1.070),
    ("source sans 3", HUMAN, 1.019),
    ("source sans pro", HUMAN, 1.019),
    ("source serif 4", SERIF, 0.996),
    ("source serif pro", SERIF, 0.996),
    ("space grotesk", SANS, 1.032),
    ("titillium web", HUMAN, 1.026),
    ("ubuntu", SANS, 0.960),
    ("work sans", SANS, 1.053),
];

/// The stand-in for a name in lower case.
pub(super) fn listed(n: &str) -> Option<Substitute> {
    let found = WIDTHS.binary_search_by(|w| w.0.cmp(n)).ok();
    if let Some((_, family, width)) = found.and_then(|i| WIDTHS.get(i)) {
        return Some(near(family, *width));
    }
    Some(match n {
        // Carlito is Lato made as large as Calibri.
        "lato" => tall(HUMAN, 1.062, 1.09),
        "oswald" => near(PLAIN, 0.814).heavy(),
        "bebas neue" => near(PLAIN, 0.767).heavy(),
        "anton" => near(PLAIN, 0.85).heavy(),
        "abril fatface" => near(BOOK, 1.1).heavy(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_in_order() {
        assert!(
            WIDTHS.is_sorted_by(|a, b| a.0 < b.0),
            "binary search needs it"
        );
    }

    #[test]
    fn a_listed_font_has_its_width() {
        assert_eq!(listed("montserrat"), Some(near(SANS, 1.061)));
        assert_eq!(listed("nobody's"), None);
    }
}
