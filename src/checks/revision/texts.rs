// SPDX-License-Identifier: MIT OR Apache-2.0
//! The texts of one slide: those before with the declared changes made, compared with those after, line by line and in
//! document order.

use super::changes::Changes;
use crate::checks::outcome::{Problem, error, quoted};
use crate::checks::text::normal;
use deckproof_renderers::facts::{SlideFacts, TextFact, TextOrigin};

/// One line of a slide's text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    text: String,
    visible: bool,
}

/// What differs between the texts of two slides beyond the declared changes; `was` and `is` are their numbers.
pub(super) fn problems(
    old: &SlideFacts,
    new: &SlideFacts,
    changes: &Changes<'_>,
    (was, is): (u32, u32),
) -> Result<Vec<String>, Problem> {
    let expected = expected(old, changes, (was, is))?;
    let found: Vec<Line> = new.texts.iter().flat_map(lines).collect();
    let mut problems = compare(&expected, &found, &changes.added);
    let notes = |slide: &SlideFacts| -> Vec<String> {
        slide
            .notes
            .as_deref()
            .unwrap_or_default()
            .lines()
            .map(normal)
            .filter(|line| !line.is_empty())
            .collect()
    };
    let expected_notes: Vec<String> = notes(old)
        .into_iter()
        .map(|line| changes.replaced(&line).unwrap_or(line))
        .collect();
    if notes(new) != expected_notes {
        problems.push("the notes changed".to_owned());
    }
    Ok(problems)
}

fn lines(text: &TextFact) -> Vec<Line> {
    let lines = text
        .text
        .lines()
        .map(normal)
        .filter(|line| !line.is_empty());
    lines
        .map(|line| Line {
            text: line,
            visible: text.visible,
        })
        .collect()
}

/// The lines that the slide must have. A change that finds nothing to change is the spec's fault.
fn expected(
    old: &SlideFacts,
    changes: &Changes<'_>,
    (was, is): (u32, u32),
) -> Result<Vec<Line>, Problem> {
    let mut expected = Vec::new();
    let mut used = Vec::new();
    let mut removed = changes.removed.clone();
    for text in &old.texts {
        let whole = normal(&text.text);
        if let Some(to) = changes.replaced(&whole) {
            used.push(whole);
            expected.push(Line {
                text: to,
                visible: text.visible,
            });
            continue;
        }
        if let Some(at) = removed.iter().position(|gone| *gone == whole) {
            removed.remove(at);
            continue;
        }
        for line in lines(text) {
            if let Some(to) = changes.replaced(&line.text) {
                used.push(line.text);
                expected.push(Line {
                    text: to,
                    visible: line.visible,
                });
            } else if let Some(at) = removed.iter().position(|gone| *gone == line.text) {
                removed.remove(at);
            } else if text.origin == TextOrigin::Field {
                expected.push(Line {
                    text: renumbered(&line.text, was, is),
                    ..line
                });
            } else {
                expected.push(line);
            }
        }
    }
    // Notes may hold a replaced text too, so the check for those that found nothing comes last.
    let in_notes = |from: &str| {
        old.notes
            .as_deref()
            .is_some_and(|notes| notes.lines().any(|line| normal(line) == from))
    };
    let unused = changes
        .replaced_texts()
        .find(|from| !used.iter().any(|used| used == from) && !in_notes(from));
    match (unused, removed.first()) {
        (Some(from), _) => error(format!(
            "the spec changes {} on slide {is}, which was not there before",
            quoted(from)
        )),
        (None, Some(gone)) => error(format!(
            "the spec removes {} from slide {is}, which was not there before",
            quoted(gone)
        )),
        (None, None) => Ok(expected),
    }
}

/// A slide number field follows its slide.
fn renumbered(text: &str, was: u32, is: u32) -> String {
    match text.parse::<u32>() {
        Ok(number) if number >= was => number.saturating_sub(was).saturating_add(is).to_string(),
        _ => text.to_owned(),
    }
}

/// Walks over both, passing by declared new texts where they stand.
fn compare(expected: &[Line], found: &[Line], added: &[String]) -> Vec<String> {
    let mut added: Vec<&String> = added.iter().collect();
    let mut expected = expected.iter().peekable();
    let mut problems = Vec::new();
    for line in found {
        match expected.peek() {
            Some(wanted) if *wanted == line => {
                expected.next();
            }
            wanted => {
                if let Some(at) = added
                    .iter()
                    .position(|text| **text == line.text && line.visible)
                {
                    added.remove(at);
                    continue;
                }
                problems.push(difference(wanted.copied(), line));
                break;
            }
        }
    }
    if problems.is_empty() {
        problems.extend(
            expected
                .next()
                .map(|line| format!("{} is gone", quoted(&line.text))),
        );
        problems.extend(
            added
                .iter()
                .map(|text| format!("{} was not added", quoted(text))),
        );
    }
    problems
}

fn difference(wanted: Option<&Line>, line: &Line) -> String {
    match wanted {
        Some(wanted) if wanted.text == line.text && wanted.visible => {
            format!("{} can no longer be seen", quoted(&line.text))
        }
        Some(wanted) if wanted.text == line.text => {
            format!("{} can be seen now", quoted(&line.text))
        }
        Some(wanted) => format!(
            "found the text {} where {} is expected",
            quoted(&line.text),
            quoted(&wanted.text)
        ),
        None => format!(
            "found the text {}, which nobody asked for",
            quoted(&line.text)
        ),
    }
}
