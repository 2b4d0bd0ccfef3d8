// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which checks a case declares: the table `[case.checks]` of `suite.toml`.
//!
//! One key a check, so that none can be declared twice and a mistyped name is an error with its
//! place. Exactly the declared checks run; none is added and none is left out.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::suite::{Format, Id};

/// The checks of one case. An absent key is a check that does not run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckList {
    /// The deck is there: a regular file, with its folder for HTML.
    pub artifact_exists: Option<Scope>,
    /// The deck has exactly so many visible slides.
    pub slide_count: Option<SlideCount>,
    /// Every slide shows its required copy, to the character and in order.
    pub required_copy: Option<Scope>,
    /// Every slide shows its assets: the very bytes, on a visible area.
    pub source_assets: Option<Scope>,
    /// There is one picture for each visible slide.
    pub render_count: Option<Scope>,
    /// Every picture is exactly the canvas in size.
    pub render_dimensions: Option<Scope>,
    /// No picture is blank.
    pub not_blank: Option<Scope>,
    /// PPTX: the package opens, its parts and relationships resolve, its XML is well formed.
    pub package_sound: Option<Scope>,
    /// HTML: sound markup that needs nothing from outside its folder.
    pub static_html: Option<Scope>,
    /// Revisions: the declared changes were made and nothing else changed.
    pub revision_fidelity: Option<Scope>,
    /// There is no deck. For cases in which none may be made.
    pub absent: Option<Scope>,
    /// The trial stayed within figures.
    pub usage_limit: Option<UsageLimit>,
}

/// The trials that a check is for. Without either key: all arms of the case for which it makes
/// sense (`package_sound` is for PPTX alone, `static_html` for HTML alone).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Scope {
    /// Only these arms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arms: Option<Vec<Id>>,
    /// Only arms of these formats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formats: Option<Vec<Format>>,
}

/// How many slides a deck has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlideCount {
    /// The exact count. Without it, the number of slides in the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Only these arms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arms: Option<Vec<Id>>,
}

/// Limits of one trial's usage. A figure that is unknown does not keep its limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsageLimit {
    /// Most tokens, input and output together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_total_tokens: Option<u64>,
    /// Most wall time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_duration_ms: Option<u64>,
    /// Most tool calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tool_calls: Option<u64>,
    /// Only these arms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arms: Option<Vec<Id>>,
}
