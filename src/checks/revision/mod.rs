// SPDX-License-Identifier: MIT OR Apache-2.0
//! `revision_fidelity`: the declared changes were made, and nothing else changed.
//!
//! The deck before and the deck after are compared as a viewer and an editor would find them: slides in order, texts
//! in document order, structure, every style property, every box, pictures by their bytes, notes, title and language.
//! A difference that no declared change accounts for fails, and so does a declared change that was not made. What a
//! declared change brings with it is allowed and no more: what inherits a colour, what moves with its box, the size
//! of a box whose text changed.

mod changes;
mod elements;
mod pictures;
mod slide;
#[cfg(test)]
mod tests;
mod texts;

use self::changes::Changes;
use super::Evidence;
use super::outcome::{Problem, Verdict, error, facts, quoted, unless_found};
use super::text::normal;
use crate::suite::spec::Revision;
use deckproof_renderers::facts::DeckFacts;

/// The declared changes were made and nothing else changed.
pub(super) fn fidelity(evidence: &Evidence<'_>) -> Verdict {
    let Some(revision) = &evidence.spec.revision else {
        return error("the spec declares no revision");
    };
    let before = match evidence.before {
        Some(before) => {
            before.or_else(|why| error(format!("what the deck showed before is unknown: {why}")))?
        }
        None => return error("there is no deck to compare with"),
    };
    let after = facts(evidence)?;
    let order = order(revision, before)?;
    let mut found = document(revision, before, after);
    if order.len() != after.slides.len() {
        found.push(format!(
            "found {} slides, expected {}",
            after.slides.len(),
            order.len()
        ));
        return unless_found(&found, "");
    }
    for ((source, new), number) in order.iter().zip(&after.slides).zip(1_u32..) {
        let changes = Changes::of_slide(revision, number);
        let Some(at) = source else { continue };
        let Some(old) = before.slides.get(*at) else {
            return error(format!("there was no slide {}", at + 1));
        };
        let pair = slide::Pair {
            old,
            new,
            number,
            changes: &changes,
            evidence,
        };
        found.extend(
            pair.problems()?
                .into_iter()
                .map(|what| format!("slide {number}: {what}")),
        );
    }
    unless_found(
        &found,
        format!(
            "the declared changes were made on {} slides and nothing else",
            order.len()
        ),
    )
}

/// For each new slide the place of the one that it comes from, or `None` for a new one.
fn order(revision: &Revision, before: &DeckFacts) -> Result<Vec<Option<usize>>, Problem> {
    if revision.order.is_empty() {
        return Ok((0..before.slides.len()).map(Some).collect());
    }
    let place = |number: &u32| match usize::try_from(*number).unwrap_or(usize::MAX) {
        0 => Ok(None),
        number if number <= before.slides.len() => Ok(Some(number - 1)),
        number => error(format!(
            "the spec's order names slide {number} of {}",
            before.slides.len()
        )),
    };
    revision.order.iter().map(place).collect()
}

/// What changed about the document as a whole. A replacement on slide 0 is one of the title.
fn document(revision: &Revision, before: &DeckFacts, after: &DeckFacts) -> Vec<String> {
    let changes = Changes::of_slide(revision, 0);
    let title = |deck: &DeckFacts| {
        deck.document
            .title
            .as_deref()
            .map(normal)
            .unwrap_or_default()
    };
    let expected = changes
        .replaced(&title(before))
        .unwrap_or_else(|| title(before));
    let mut found = Vec::new();
    if title(after) != expected {
        found.push(format!(
            "the document's title is {}, expected {}",
            quoted(&title(after)),
            quoted(&expected)
        ));
    }
    let language = |deck: &DeckFacts| deck.document.language.clone().unwrap_or_default();
    if language(before) != language(after) {
        let (now, was) = (language(after), language(before));
        found.push(format!(
            "the document's language is {}, expected {}",
            quoted(&now),
            quoted(&was)
        ));
    }
    found
}
