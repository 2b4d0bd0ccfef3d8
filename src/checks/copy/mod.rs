// SPDX-License-Identifier: MIT OR Apache-2.0
//! `required_copy`: every slide shows its required texts, to the character, each in its place.
//!
//! A required text stands on a slide when it is a whole line (or several whole lines) of a visible block, or when it
//! and other required texts together make up a whole line. "5%" therefore does not stand in "−5%", in "(5%)", or in
//! "not 5%". Each occurrence serves one field. Other texts (page numbers, labels of a drawing) may stand beside them.
//!
//! Fields keep their order and their identity; see [`order`]. White space is compared as [`super::text`] says.

mod field;
mod find;
mod order;

use self::find::{Finder, Placement};
use super::Evidence;
use super::outcome::{Problem, Verdict, error, facts, quoted, unless_found};
use super::text::{core, normal};
use crate::suite::spec::SpecSlide;
use deckproof_renderers::facts::SlideFacts;

/// Every slide shows its required copy.
pub(super) fn required(evidence: &Evidence<'_>) -> Verdict {
    let slides = &facts(evidence)?.slides;
    let (mut found, mut count) = (Vec::new(), 0);
    for (spec, at) in evidence.spec.slides.iter().zip(0_usize..) {
        count += spec.copy.len();
        let name = format!("slide {} ({})", at + 1, spec.id);
        match slides.get(at) {
            Some(slide) => found.extend(
                problems(spec, slide)?
                    .into_iter()
                    .map(|what| format!("{name}: {what}")),
            ),
            None if spec.copy.is_empty() => {}
            None => found.push(format!("{name}: there is no such slide")),
        }
    }
    unless_found(&found, format!("all {count} required texts are shown"))
}

/// What is wrong with the copy of one slide.
fn problems(spec: &SpecSlide, slide: &SlideFacts) -> Result<Vec<String>, Problem> {
    let texts: Vec<String> = spec.copy.iter().map(|field| normal(&field.text)).collect();
    if let Some((field, _)) = spec
        .copy
        .iter()
        .zip(&texts)
        .find(|(_, text)| text.is_empty())
    {
        return error(format!("the spec's field {} has no text", field.field));
    }
    if slide.hidden && !texts.is_empty() {
        return Ok(vec!["the slide is hidden".to_owned()]);
    }
    let finder = Finder::new(slide, &texts);
    let candidates: Vec<Vec<Placement>> =
        texts.iter().map(|text| finder.placements(text)).collect();
    let missing: Vec<String> = spec
        .copy
        .iter()
        .zip(&candidates)
        .filter(|(_, placements)| placements.is_empty())
        .map(|(field, _)| {
            format!(
                "{} {} is not shown{}",
                field.field,
                quoted(&field.text),
                near(slide, &field.text)
            )
        })
        .collect();
    if !missing.is_empty() {
        return Ok(missing);
    }
    let names: Vec<&str> = spec.copy.iter().map(|field| field.field.as_str()).collect();
    Ok(order::settle(&names, &texts, &candidates)
        .err()
        .into_iter()
        .collect())
}

/// What stands there in place of a missing text, if something alike does.
fn near(slide: &SlideFacts, text: &str) -> String {
    let wanted = normal(text);
    let holds =
        |shown: &str| normal(shown) == wanted || shown.lines().any(|line| normal(line) == wanted);
    if slide
        .texts
        .iter()
        .any(|text| !text.visible && holds(&text.text))
    {
        return ": it is on the slide, but cannot be seen".to_owned();
    }
    if slide
        .notes
        .as_deref()
        .is_some_and(|notes| normal(notes).contains(&wanted))
    {
        return ": it stands in the notes alone".to_owned();
    }
    let alike = core(text);
    let mut lines = slide
        .texts
        .iter()
        .filter(|text| text.visible)
        .flat_map(|text| text.text.lines());
    match lines.find(|line| !alike.is_empty() && core(line).contains(&alike)) {
        Some(line) => format!(", found {}", quoted(line.trim())),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
