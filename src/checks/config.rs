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
    /// HTML: every text stands out from its ground, 4.5:1 or 3:1 when it is large.
    pub contrast: Option<Scope>,
    /// Drawn again, every picture is the same bytes.
    pub deterministic: Option<Scope>,
    /// No picture is the same as an earlier one.
    pub distinct_slides: Option<Scope>,
    /// HTML: one key leads through all slides in order, and its opposite back.
    pub keyboard_navigation: Option<Scope>,
    /// HTML: the deck asks for nothing outside of its folder.
    pub no_blocked_requests: Option<Scope>,
    /// HTML: the deck writes no error to the console and throws none.
    pub no_console_errors: Option<Scope>,
    /// HTML: no text is cut off, leaves its box or the slide, or would have to be scrolled to.
    pub no_overflow: Option<Scope>,
    /// HTML: no two texts lie on each other.
    pub no_text_overlap: Option<Scope>,
    /// HTML: a person and an automated browser are shown the same, sooner and later.
    pub same_for_viewers: Option<Scope>,
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
/// sense (`package_sound` is for PPTX alone, `static_html` and what a browser shows for HTML alone).
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

impl CheckList {
    /// The names of the checks that run for one arm, sorted. Records hold exactly these.
    #[must_use]
    pub fn names_for(&self, arm: &Id, format: Format) -> Vec<&'static str> {
        let scoped = |name, scope: &Option<Scope>, only: Option<Format>| {
            scope
                .as_ref()
                .filter(|scope| scope.covers(arm, format, only))
                .map(|_| name)
        };
        let listed = |name, present: bool, arms: Option<&Vec<Id>>| {
            (present && arms.is_none_or(|arms| arms.contains(arm))).then_some(name)
        };
        let count_arms = self
            .slide_count
            .as_ref()
            .and_then(|check| check.arms.as_ref());
        let usage_arms = self
            .usage_limit
            .as_ref()
            .and_then(|check| check.arms.as_ref());
        let mut names: Vec<_> = [
            scoped("absent", &self.absent, None),
            scoped("artifact_exists", &self.artifact_exists, None),
            scoped("not_blank", &self.not_blank, None),
            scoped("contrast", &self.contrast, Some(Format::Html)),
            scoped("deterministic", &self.deterministic, None),
            scoped("distinct_slides", &self.distinct_slides, None),
            scoped(
                "keyboard_navigation",
                &self.keyboard_navigation,
                Some(Format::Html),
            ),
            scoped(
                "no_blocked_requests",
                &self.no_blocked_requests,
                Some(Format::Html),
            ),
            scoped(
                "no_console_errors",
                &self.no_console_errors,
                Some(Format::Html),
            ),
            scoped("no_overflow", &self.no_overflow, Some(Format::Html)),
            scoped("no_text_overlap", &self.no_text_overlap, Some(Format::Html)),
            scoped(
                "same_for_viewers",
                &self.same_for_viewers,
                Some(Format::Html),
            ),
            scoped("package_sound", &self.package_sound, Some(Format::Pptx)),
            scoped("render_count", &self.render_count, None),
            scoped("render_dimensions", &self.render_dimensions, None),
            scoped("required_copy", &self.required_copy, None),
            scoped("revision_fidelity", &self.revision_fidelity, None),
            listed("slide_count", self.slide_count.is_some(), count_arms),
            scoped("source_assets", &self.source_assets, None),
            scoped("static_html", &self.static_html, Some(Format::Html)),
            listed("usage_limit", self.usage_limit.is_some(), usage_arms),
        ]
        .into_iter()
        .flatten()
        .collect();
        names.sort_unstable();
        names
    }
}

impl Scope {
    /// Whether the check runs for an arm. A check that makes sense for one format alone never runs
    /// for the other.
    fn covers(&self, arm: &Id, format: Format, only: Option<Format>) -> bool {
        only.is_none_or(|only| only == format)
            && self.arms.as_ref().is_none_or(|arms| arms.contains(arm))
            && self
                .formats
                .as_ref()
                .is_none_or(|formats| formats.contains(&format))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_declared_checks_run_for_an_arm() {
        let id = |text: &str| Id::new(text).unwrap();
        let list = CheckList {
            package_sound: Some(Scope::default()),
            static_html: Some(Scope::default()),
            not_blank: Some(Scope {
                formats: Some(vec![Format::Pptx]),
                ..Scope::default()
            }),
            slide_count: Some(SlideCount {
                count: None,
                arms: Some(vec![id("new")]),
            }),
            ..CheckList::default()
        };
        assert_eq!(
            list.names_for(&id("new"), Format::Html),
            ["slide_count", "static_html"]
        );
        assert_eq!(
            list.names_for(&id("old"), Format::Pptx),
            ["not_blank", "package_sound"]
        );
        assert!(
            CheckList::default()
                .names_for(&id("old"), Format::Pptx)
                .is_empty()
        );
    }
}
