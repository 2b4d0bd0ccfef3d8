// SPDX-License-Identifier: MIT OR Apache-2.0
//! One new slide beside the one that it comes from.

use deckproof_renderers::facts::{ElementFact, SlideFacts};

use super::changes::Changes;
use super::elements::{Comparison, aligned};
use super::{pictures, texts};
use crate::checks::Evidence;
use crate::checks::outcome::Problem;
use crate::checks::text::normal;
use crate::suite::Format;

/// The two slides, and what may differ.
pub(super) struct Pair<'a> {
    pub(super) old: &'a SlideFacts,
    pub(super) new: &'a SlideFacts,
    /// The new slide's number.
    pub(super) number: u32,
    pub(super) changes: &'a Changes<'a>,
    pub(super) evidence: &'a Evidence<'a>,
}

impl Pair<'_> {
    /// Everything that differs beyond the declared changes, and every declared change that was not made.
    pub(super) fn problems(&self) -> Result<Vec<String>, Problem> {
        let mut found = texts::problems(
            self.old,
            self.new,
            self.changes,
            (self.old.index, self.number),
        )?;
        if self.old.hidden != self.new.hidden {
            found.push(if self.new.hidden {
                "it is hidden now".to_owned()
            } else {
                "it was hidden before".to_owned()
            });
        }
        let place = usize::try_from(self.number)
            .unwrap_or_default()
            .saturating_sub(1);
        let names = self
            .evidence
            .spec
            .slides
            .get(place)
            .map(|slide| slide.assets.as_slice())
            .unwrap_or_default();
        let declared: Vec<_> = names
            .iter()
            .filter_map(|name| self.evidence.assets.get(name))
            .collect();
        found.extend(pictures::problems(self.old, self.new, &declared));
        let pairs = match aligned(
            &self.old.elements,
            &self.new.elements,
            |e| self.is_removed(e),
            |e| self.is_added(e),
        ) {
            Ok(pairs) => pairs,
            Err(what) => {
                found.push(what);
                return Ok(found);
            }
        };
        let is_html = self.evidence.format == Format::Html;
        match Comparison::new(self.old, self.new, self.changes, is_html) {
            Ok(comparison) => found.extend(comparison.problems(&pairs)),
            Err(Problem::Fail(what)) => found.push(what),
            Err(problem) => return Err(problem),
        }
        Ok(found)
    }

    fn is_added(&self, element: &ElementFact) -> bool {
        consists_of(self.new, element, &self.changes.added)
    }

    fn is_removed(&self, element: &ElementFact) -> bool {
        consists_of(self.old, element, &self.changes.removed)
    }
}

/// Whether an element shows text, and none but of these.
fn consists_of(slide: &SlideFacts, element: &ElementFact, texts: &[String]) -> bool {
    if texts.is_empty() {
        return false;
    }
    let lines = lines_within(slide, &element.key);
    let whole = lines.join(" ");
    let one = |line: &String| texts.contains(line);
    !lines.is_empty() && (texts.contains(&whole) || lines.iter().all(one))
}

/// The lines of text of an element and of what is in it.
pub(super) fn lines_within(slide: &SlideFacts, key: &str) -> Vec<String> {
    let texts = slide
        .texts
        .iter()
        .filter(|text| is_within(&text.element, key));
    texts
        .flat_map(|text| text.text.lines())
        .map(normal)
        .filter(|line| !line.is_empty())
        .collect()
}

/// Whether the element `key` is `outer` or in it.
pub(super) fn is_within(key: &str, outer: &str) -> bool {
    key == outer
        || key
            .strip_prefix(outer)
            .is_some_and(|rest| rest.starts_with('/'))
}
