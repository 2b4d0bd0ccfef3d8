// SPDX-License-Identifier: MIT OR Apache-2.0
//! How texts are compared: to the character, but for white space.
//!
//! A run of white space (Unicode `White_Space`: spaces, no-break spaces, tabs, line ends) equals one space, and white
//! space at either end of a line does not count, because layout adds and removes it. Everything else counts: letters'
//! case, signs (U+2212 is no hyphen), punctuation, accents as composed, characters without width.

use deckproof_renderers::facts::TextFact;

/// A text with each run of white space as one space, and none at its ends.
pub(super) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines of a block that have characters, each as its words.
pub(super) fn lines(text: &TextFact) -> Vec<Vec<&str>> {
    text.text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Letters and digits alone, in lower case: what two texts share that differ in a sign or a space.
pub(super) fn core(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
