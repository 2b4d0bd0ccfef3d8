// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a suite's review rules look like on the form that a packet carries.

use deckproof_packets::packet::{Dimension, Form};
use deckproof_reviews::review::ReviewRules;

/// The form of `rules`.
#[must_use]
pub fn form(rules: &ReviewRules) -> Form {
    Form {
        score_min: rules.score_min,
        score_max: rules.score_max,
        min_rationale_chars: rules.min_rationale_chars,
        dimensions: rules
            .dimensions
            .iter()
            .map(|dimension| Dimension {
                name: dimension.name.clone(),
                question: dimension.question.clone(),
                anchors: dimension.anchors.clone(),
            })
            .collect(),
    }
}
