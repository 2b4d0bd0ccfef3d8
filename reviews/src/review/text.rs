// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texts that say nothing: placeholders, blanks and fillers are no identity and no reason.

use std::collections::BTreeSet;

/// The longest rationale, in characters.
const MAX_RATIONALE: usize = 20_000;
/// The longest id, model name or thread, in characters.
const MAX_IDENTITY: usize = 200;
/// Different letters that a rationale has at least; fewer is a key held down.
const MIN_DIFFERENT: usize = 5;

/// Words that forms are pre-filled with, compared without case.
const PLACEHOLDERS: [&str; 30] = [
    "todo",
    "tbd",
    "tba",
    "tbc",
    "fixme",
    "n/a",
    "n.a.",
    "null",
    "nil",
    "none",
    "undefined",
    "unknown",
    "anonymous",
    "placeholder",
    "changeme",
    "change_me",
    "change me",
    "replaceme",
    "replace_me",
    "replace me",
    "fill me in",
    "fill in",
    "insert",
    "example",
    "your name",
    "your id",
    "your-id",
    "reviewer id",
    "thread id",
    "model name",
];

/// Why a text is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// Nothing but white space or punctuation.
    #[error("no letter or digit, expected words")]
    Blank,
    /// Space at an end, where it hides that two texts are one.
    #[error("white space at an end, expected none")]
    LooseSpace,
    /// A character that cannot be seen or printed.
    #[error("the control or invisible character U+{0:04X}, expected printable text")]
    Control(u32),
    /// A form's own words.
    #[error("the placeholder `{0}`, expected an answer")]
    Placeholder(String),
    /// Fewer letters and digits than the suite asks for.
    #[error("{found} {}, expected at least {least}", letters(*found))]
    Short {
        /// Letters and digits found.
        found: usize,
        /// Letters and digits demanded.
        least: usize,
    },
    /// A filler such as `aaaaaaaaaaaa`.
    #[error("{0} different letters, expected words")]
    Filler(usize),
    /// Longer than any honest text.
    #[error("{found} characters, expected at most {most}")]
    Long {
        /// Characters found.
        found: usize,
        /// Characters allowed.
        most: usize,
    },
}

/// What a count of letters and digits counts.
fn letters(count: usize) -> &'static str {
    match count {
        1 => "letter or digit",
        _ => "letters and digits",
    }
}

/// Why `text` is no identity (an id, a model name, a thread), if it is none.
#[must_use]
pub fn identity_fault(text: &str) -> Option<TextFault> {
    if text.trim() != text {
        return Some(TextFault::LooseSpace);
    }
    common_fault(text, MAX_IDENTITY, |c| c.is_control() || is_invisible(c))
}

/// Why `text` is no rationale, if it is none. `least` counts letters and digits.
#[must_use]
pub fn rationale_fault(text: &str, least: usize) -> Option<TextFault> {
    let hidden = |c: char| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || is_invisible(c);
    if let Some(fault) = common_fault(text, MAX_RATIONALE, hidden) {
        return Some(fault);
    }
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
    if letters.len() < least {
        return Some(TextFault::Short {
            found: letters.len(),
            least,
        });
    }
    let different: BTreeSet<char> = letters.iter().copied().collect();
    let demanded = MIN_DIFFERENT.min(least);
    (different.len() < demanded).then_some(TextFault::Filler(different.len()))
}

/// One form of a rationale for comparing: case and space do not make a text another one.
pub(crate) fn folded(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// Whether the text is one of the words of an empty form.
pub(crate) fn placeholder(text: &str) -> bool {
    let lower;
    let trimmed = match text.is_ascii() {
        // Compared without case below, so that most texts need no copy.
        true => text.trim(),
        false => {
            lower = text.trim().to_lowercase();
            &lower
        }
    };
    let ends = (trimmed.as_bytes().first(), trimmed.as_bytes().last());
    let bracketed = [(b'<', b'>'), (b'[', b']'), (b'{', b'}')]
        .iter()
        .any(|(open, close)| ends == (Some(open), Some(close)));
    let bare = trimmed.trim_end_matches(['.', ':', '!', '?', '…']);
    let named = |word: &&str| word.eq_ignore_ascii_case(trimmed) || word.eq_ignore_ascii_case(bare);
    bracketed || (bare.len() <= LONGEST && PLACEHOLDERS.iter().any(named))
}

/// Bytes of the longest placeholder.
const LONGEST: usize = 11;

fn common_fault(text: &str, most: usize, hidden: impl Fn(char) -> bool) -> Option<TextFault> {
    let found = text.chars().count();
    if found > most {
        return Some(TextFault::Long { found, most });
    }
    if let Some(control) = text.chars().find(|c| hidden(*c)) {
        return Some(TextFault::Control(u32::from(control)));
    }
    if placeholder(text) {
        return Some(TextFault::Placeholder(
            text.trim().chars().take(60).collect(),
        ));
    }
    (!text.chars().any(char::is_alphanumeric)).then_some(TextFault::Blank)
}

/// Characters that take no space or turn the order of others around.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_a_form_is_known_in_any_dress() {
        assert_eq!(
            PLACEHOLDERS.iter().map(|word| word.len()).max(),
            Some(LONGEST)
        );
        for word in PLACEHOLDERS {
            let upper = word.to_uppercase();
            assert!(
                placeholder(word) && placeholder(&format!(" {upper}\t")),
                "{word}"
            );
            assert!(!placeholder(&format!("{word} é")) && !placeholder(&format!("a {word}")));
            // Marks at the end are taken off a word, and with them the word's own.
            if word.ends_with('.') {
                continue;
            }
            for text in [word, &upper, &format!(" {word}.. "), &format!("<{word}é>")] {
                assert!(placeholder(text), "{text}");
            }
            assert!(placeholder(&format!("{word}…")) && placeholder(&format!("{upper}…!")));
        }
        assert!(placeholder("un\u{212a}nown") && placeholder("[]") && !placeholder("[a"));
    }
}
