// SPDX-License-Identifier: MIT OR Apache-2.0
//! The declared changes of one slide, with texts in their normal form.

use crate::checks::text::normal;
use crate::suite::spec::{GeometryChange, Revision, StyleChange};

/// What may and must change on one new slide.
#[derive(Debug, Default)]
pub(super) struct Changes<'a> {
    replace: Vec<(String, String)>,
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
    pub(super) style: Vec<&'a StyleChange>,
    pub(super) geometry: Vec<&'a GeometryChange>,
    /// How far boxes may move because texts got longer or shorter, in pixels.
    pub(super) reflow_px: i64,
}

impl<'a> Changes<'a> {
    pub(super) fn of_slide(revision: &'a Revision, slide: u32) -> Self {
        let texts = |list: &[crate::suite::spec::SlideText]| -> Vec<String> {
            list.iter()
                .filter(|text| text.slide == slide)
                .map(|text| normal(&text.text))
                .collect()
        };
        let replace = revision
            .replace
            .iter()
            .filter(|change| change.slide == slide);
        Self {
            replace: replace
                .map(|change| (normal(&change.from), normal(&change.to)))
                .collect(),
            added: texts(&revision.added),
            removed: texts(&revision.removed),
            style: revision
                .style
                .iter()
                .filter(|change| change.slide == slide)
                .collect(),
            geometry: revision
                .geometry
                .iter()
                .filter(|change| change.slide == slide)
                .collect(),
            reflow_px: revision.reflow_px.unwrap_or(0).max(0),
        }
    }

    /// What a text in normal form becomes, if it is one that changes.
    pub(super) fn replaced(&self, text: &str) -> Option<String> {
        self.replace
            .iter()
            .find(|(from, _)| from == text)
            .map(|(_, to)| to.clone())
    }

    /// The texts that change, as they were.
    pub(super) fn replaced_texts(&self) -> impl Iterator<Item = &str> {
        self.replace.iter().map(|(from, _)| from.as_str())
    }

    /// Whether a text in normal form is new or not what it was.
    pub(super) fn touches(&self, after: &str) -> bool {
        self.replace.iter().any(|(_, to)| to == after)
            || self.added.iter().any(|text| text == after)
    }

    /// Whether elements may come or go.
    pub(super) fn changes_structure(&self) -> bool {
        !self.added.is_empty() || !self.removed.is_empty()
    }
}
