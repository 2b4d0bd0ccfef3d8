// SPDX-License-Identifier: MIT OR Apache-2.0
//! The prompt of a trial: one template for all arms, which differ in the format line alone.

use deckproof_packets::hash::Sha256Hex;

use super::PrepareError;
use crate::seal::Inputs;
use crate::suite::{Format, Loaded};

/// The placeholder that the target format replaces.
const PLACEHOLDER: &str = "{{TARGET_FORMAT}}";
/// The one line in which prompts may differ.
const LINE: &str = "TARGET_FORMAT: {{TARGET_FORMAT}}";
/// The template that is used when a suite names none.
const BUILT_IN: &str = include_str!("prompt.md");

/// One trial's prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The text as sent.
    pub text: String,
    /// Hash of the text as sent.
    pub literal_sha256: Sha256Hex,
    /// Hash of the template, with the format line blank: equal for all arms of a case.
    pub normalized_sha256: Sha256Hex,
}

impl Prompt {
    /// The prompt for `format` from `template`.
    ///
    /// # Errors
    /// A text saying why the template cannot be used.
    pub fn from_template(template: &str, format: Format) -> Result<Self, String> {
        let lines = template.lines().filter(|line| *line == LINE).count();
        let places = template.matches(PLACEHOLDER).count();
        if lines != 1 || places != 1 {
            return Err(format!(
                "found the placeholder {places} times, expected it once, in a line of its own: `{LINE}`"
            ));
        }
        let text = template.replace(PLACEHOLDER, &format.as_str().to_uppercase());
        Ok(Self {
            literal_sha256: Sha256Hex::of(text.as_bytes()),
            normalized_sha256: Sha256Hex::of(template.as_bytes()),
            text,
        })
    }
}

/// The prompt for `format` from the suite's template or the built-in one.
pub(super) fn make(
    loaded: &Loaded,
    inputs: &Inputs<'_>,
    format: Format,
) -> Result<Prompt, PrepareError> {
    let (name, template) = match &loaded.suite.prompt {
        None => ("the built-in prompt".to_owned(), BUILT_IN.to_owned()),
        Some(path) => {
            let bytes = inputs.read(path)?;
            let name = path.as_str().to_owned();
            let template = String::from_utf8(bytes).map_err(|_| PrepareError::Prompt {
                path: name.clone(),
                problem: "found invalid UTF-8".to_owned(),
            })?;
            (name, template)
        }
    };
    Prompt::from_template(&template, format).map_err(|problem| PrepareError::Prompt {
        path: name,
        problem,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_of_a_pair_differ_in_one_line() {
        let html = Prompt::from_template(BUILT_IN, Format::Html).unwrap();
        let pptx = Prompt::from_template(BUILT_IN, Format::Pptx).unwrap();
        assert_eq!(html.normalized_sha256, pptx.normalized_sha256);
        assert_ne!(html.literal_sha256, pptx.literal_sha256);
        let differing: Vec<_> = html
            .text
            .lines()
            .zip(pptx.text.lines())
            .filter(|(a, b)| a != b)
            .collect();
        assert_eq!(differing, [("TARGET_FORMAT: HTML", "TARGET_FORMAT: PPTX")]);
    }

    #[test]
    fn a_template_has_one_place_for_the_format() {
        for bad in [
            "no place",
            "in a line {{TARGET_FORMAT}}",
            &format!("{LINE}\n{LINE}\n"),
        ] {
            assert!(Prompt::from_template(bad, Format::Html).is_err(), "{bad}");
        }
    }
}
