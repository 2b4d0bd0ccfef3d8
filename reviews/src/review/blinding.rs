// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a suite may demand of the blind: the `[review.blinding]` table.
//!
//! A verdict of reviewers who know which deck is new is none. The limits are in percent of an index,
//! so that they are exact; a figure that cannot be known does not keep a limit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::panel::Panel;

/// What must hold for the blind to have held. Without limits the figures are shown and nothing more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BlindingRules {
    /// The largest distance of Bang's index from 0, in percent, for candidates at A and at B alike.
    pub max_bang_percent: Option<u32>,
    /// The least of James's index, in percent; 50 is chance.
    pub min_james_percent: Option<u32>,
    /// The share of anchors that reviewers must see for what they are, in percent.
    pub min_anchors_percent: Option<u32>,
    /// The share of dimensions in which a reviewer's hidden repeats must agree with the first time
    /// (who is better, or a tie), in percent.
    pub min_repeat_agreement_percent: Option<u32>,
    /// The share of pairs judged in both orders whose preference may turn with the order, in percent.
    pub max_flip_percent: Option<u32>,
    /// The least of Krippendorff's alpha over the reviewers of a comparison, in percent.
    pub min_alpha_percent: Option<u32>,
}

impl BlindingRules {
    /// What is wrong with the rules, as key, found and expected.
    pub(super) fn fault(
        &self,
        panel: Option<&Panel>,
    ) -> Option<(&'static str, String, &'static str)> {
        let limits = [
            ("blinding.max_bang_percent", self.max_bang_percent),
            ("blinding.min_james_percent", self.min_james_percent),
            ("blinding.min_anchors_percent", self.min_anchors_percent),
            (
                "blinding.min_repeat_agreement_percent",
                self.min_repeat_agreement_percent,
            ),
            ("blinding.max_flip_percent", self.max_flip_percent),
            ("blinding.min_alpha_percent", self.min_alpha_percent),
        ];
        for (key, limit) in limits {
            if let Some(limit) = limit.filter(|limit| *limit > 100) {
                return Some((key, limit.to_string(), "0 to 100"));
            }
        }
        self.unfed(panel)
    }

    /// A limit on a figure that the panel never yields would fail every experiment.
    fn unfed(&self, panel: Option<&Panel>) -> Option<(&'static str, String, &'static str)> {
        let anchors = panel.is_some_and(|one| one.identical_percent + one.broken_percent > 0);
        let repeats = panel.is_some_and(|one| one.repeat_percent > 0);
        let orders = panel.is_some_and(|one| !one.both_orders.is_empty());
        let found = |what: &str| format!("a limit, and a panel without {what}");
        if self.min_anchors_percent.is_some() && !anchors {
            let expected = "`identical_percent` or `broken_percent` in the panel";
            return Some(("blinding.min_anchors_percent", found("anchors"), expected));
        }
        if self.min_repeat_agreement_percent.is_some() && !repeats {
            let key = "blinding.min_repeat_agreement_percent";
            return Some((key, found("repeats"), "`repeat_percent` in the panel"));
        }
        if self.max_flip_percent.is_some() && !orders {
            let expected = "`both_orders` in the panel";
            return Some(("blinding.max_flip_percent", found("both orders"), expected));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_nothing_feeds_are_refused() {
        let none = BlindingRules::default();
        assert_eq!(none.fault(None), None);
        let asked = BlindingRules {
            max_bang_percent: Some(30),
            min_james_percent: Some(40),
            min_alpha_percent: Some(10),
            ..none
        };
        assert_eq!(asked.fault(None), None);
        let bad = [
            (
                BlindingRules {
                    max_bang_percent: Some(101),
                    ..asked
                },
                "blinding.max_bang_percent",
            ),
            (
                BlindingRules {
                    min_anchors_percent: Some(1),
                    ..none
                },
                "blinding.min_anchors_percent",
            ),
            (
                BlindingRules {
                    min_repeat_agreement_percent: Some(1),
                    ..none
                },
                "blinding.min_repeat_agreement_percent",
            ),
            (
                BlindingRules {
                    max_flip_percent: Some(1),
                    ..none
                },
                "blinding.max_flip_percent",
            ),
        ];
        for (rules, key) in bad {
            assert_eq!(rules.fault(None).unwrap().0, key);
        }
    }
}
