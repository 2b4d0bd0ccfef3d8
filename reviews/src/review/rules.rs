// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a suite asks of its reviews: the `[review]` table of `suite.toml`.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blinding::BlindingRules;
use super::panel::Panel;

/// Who judged. A scripted reviewer exists for demonstrations alone and is called so everywhere.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum ReviewerType {
    /// A person.
    Human,
    /// A language model that saw the packet alone.
    Model,
    /// A program that looked at nothing: for demonstrations and tests.
    Scripted,
}

impl ReviewerType {
    /// The word that stands in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Model => "model",
            Self::Scripted => "scripted",
        }
    }
}

impl std::fmt::Display for ReviewerType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DimensionRule {
    /// Its name in responses: lower-case letters, digits and underscores.
    pub name: String,
    /// The question that the reviewer answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// What a score means in words, by score.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub anchors: BTreeMap<String, String>,
}

/// The rules that every response of a suite is held to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRules {
    /// What is judged, each once per label.
    pub dimensions: Vec<DimensionRule>,
    /// The lowest score.
    pub score_min: i32,
    /// The highest score.
    pub score_max: i32,
    /// The kinds of reviewer without whose review a comparison fails.
    pub required_reviewer_types: Vec<ReviewerType>,
    /// The kinds of reviewer whose review is welcome too, and gates when it comes.
    #[serde(default)]
    pub optional_reviewer_types: Vec<ReviewerType>,
    /// Letters and digits that a rationale has at least.
    #[serde(default = "default_min_rationale_chars")]
    pub min_rationale_chars: usize,
    /// The lowest score with which a candidate can pass, whatever the baseline's score is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_floor: Option<i32>,
    /// Refuse a model reviewer whose model built one of the decks.
    #[serde(default)]
    pub independent_model: bool,
    /// How many reviewers judge every comparison, each with packets of their own. Without it, one
    /// packet for each comparison, which every reviewer judges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
    /// What must hold for the blind to have held.
    #[serde(default)]
    pub blinding: BlindingRules,
}

fn default_min_rationale_chars() -> usize {
    20
}

/// Rules that no response could be held to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("review.{key}: found {found}, expected {expected}")]
pub struct RulesError {
    /// The key of the `[review]` table.
    pub key: String,
    /// What stands there.
    pub found: String,
    /// What must stand there.
    pub expected: &'static str,
}

impl ReviewRules {
    /// Whether the rules make sense together.
    ///
    /// # Errors
    /// A [`RulesError`] that names the key: no or duplicate dimensions, an empty scale, anchors or
    /// a floor outside it, no or duplicate reviewer types, a type both required and optional.
    pub fn check(&self) -> Result<(), RulesError> {
        self.check_scale()?;
        self.check_dimensions()?;
        self.check_types()?;
        self.check_panel()
    }

    /// Whether a review by `kind` is taken at all.
    #[must_use]
    pub fn allows(&self, kind: ReviewerType) -> bool {
        self.required_reviewer_types.contains(&kind) || self.optional_reviewer_types.contains(&kind)
    }

    fn check_panel(&self) -> Result<(), RulesError> {
        let allowed = |kind| self.allows(kind);
        let panel = self.panel.as_ref();
        let panel = panel.and_then(|panel| panel.fault(allowed, &self.required_reviewer_types));
        match panel.or_else(|| self.blinding.fault(self.panel.as_ref())) {
            None => Ok(()),
            Some((key, found, expected)) => Err(fault(key, found, expected)),
        }
    }

    fn check_scale(&self) -> Result<(), RulesError> {
        let scale = self.score_min..=self.score_max;
        if self.score_min >= self.score_max {
            let found = format!("{} to {}", self.score_min, self.score_max);
            return Err(fault("score_min", found, "less than score_max"));
        }
        match self.score_floor {
            Some(floor) if !scale.contains(&floor) => Err(fault(
                "score_floor",
                floor.to_string(),
                "a score of the scale",
            )),
            _ => Ok(()),
        }
    }

    fn check_dimensions(&self) -> Result<(), RulesError> {
        if self.dimensions.is_empty() {
            return Err(fault("dimensions", "none".to_owned(), "at least one"));
        }
        let mut names = BTreeSet::new();
        for dimension in &self.dimensions {
            if !is_name(&dimension.name) {
                let expected = "lower-case letters, digits and underscores, a letter first";
                return Err(fault("dimensions.name", shown(&dimension.name), expected));
            }
            if !names.insert(&dimension.name) {
                return Err(fault(
                    "dimensions",
                    shown(&dimension.name),
                    "each name once",
                ));
            }
            self.check_anchors(dimension)?;
        }
        Ok(())
    }

    fn check_anchors(&self, dimension: &DimensionRule) -> Result<(), RulesError> {
        for (score, words) in &dimension.anchors {
            let in_scale = score
                .parse::<i32>()
                .is_ok_and(|score| (self.score_min..=self.score_max).contains(&score));
            // "01" is a score too, but not the one form of it.
            let one_form = score
                .parse::<i32>()
                .is_ok_and(|value| value.to_string() == *score);
            if !(in_scale && one_form) || words.trim().is_empty() {
                let key = format!("dimensions.{}.anchors", dimension.name);
                return Err(fault(
                    &key,
                    shown(score),
                    "a score of the scale and its words",
                ));
            }
        }
        Ok(())
    }

    fn check_types(&self) -> Result<(), RulesError> {
        if self.required_reviewer_types.is_empty() {
            return Err(fault(
                "required_reviewer_types",
                "none".to_owned(),
                "at least one",
            ));
        }
        let mut seen = BTreeSet::new();
        let all = self
            .required_reviewer_types
            .iter()
            .chain(&self.optional_reviewer_types);
        for kind in all {
            if !seen.insert(kind) {
                let expected = "each type once, required or optional";
                return Err(fault(
                    "required_reviewer_types",
                    shown(kind.as_str()),
                    expected,
                ));
            }
        }
        Ok(())
    }
}

fn is_name(name: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.len() <= 64
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(part)
}

fn fault(key: &str, found: String, expected: &'static str) -> RulesError {
    RulesError {
        key: key.to_owned(),
        found,
        expected,
    }
}

fn shown(text: &str) -> String {
    format!(
        "`{}`",
        text.chars().take(60).collect::<String>().escape_debug()
    )
}
