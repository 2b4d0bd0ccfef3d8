// SPDX-License-Identifier: MIT OR Apache-2.0
//! A check cannot have passed against what the renderer remarked, or against the pictures' own hashes.

use std::collections::BTreeSet;

use deckproof_renderers::{DIFFERS_BY_VIEWER, Diagnostic, NOT_DETERMINISTIC, NOT_DRAWN};

use crate::experiment::records::{CheckRecord, CheckStatus, RenderSet};

/// Checks, and the codes of remarks with which none of them passes.
const AGAINST: [(&str, &[&str]); 3] = [
    ("render_count", &[NOT_DRAWN]),
    ("deterministic", &[NOT_DETERMINISTIC]),
    (
        "same_for_viewers",
        &[NOT_DETERMINISTIC, DIFFERS_BY_VIEWER, "changes-with-time"],
    ),
];

/// Whether any of the checks is one that a remark can speak against.
pub(super) fn concern(checks: &[CheckRecord]) -> bool {
    let mut named = AGAINST.iter().map(|(name, _)| *name);
    named.any(|name| checks.iter().any(|check| check.name == name))
}

/// The first check that is recorded as passed although it cannot have, and what speaks against it.
pub(super) fn contradiction(
    checks: &[CheckRecord],
    render: &RenderSet,
    remarks: &[Diagnostic],
) -> Option<(String, String)> {
    let passed = |name: &str| {
        let mut named = checks.iter().filter(|check| check.name == name);
        named.any(|check| check.status == CheckStatus::Pass)
    };
    for (name, codes) in AGAINST {
        let mut against = remarks
            .iter()
            .filter(|one| codes.contains(&one.code.as_str()));
        if let Some(remark) = against.next().filter(|_| passed(name)) {
            return Some((
                name.to_owned(),
                format!("the renderer's remark `{}`", remark.code),
            ));
        }
    }
    let mut seen = BTreeSet::new();
    let repeated = render
        .slides
        .iter()
        .find(|slide| !seen.insert(&slide.sha256));
    let name = "distinct_slides";
    let repeated = repeated.filter(|_| passed(name))?;
    Some((
        name.to_owned(),
        format!("the picture {} twice", repeated.sha256),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::records::Object;
    use deckproof_packets::hash::Sha256Hex;
    use deckproof_renderers::RendererIdentity;

    fn object(text: &str) -> Object {
        Object {
            sha256: Sha256Hex::of(text.as_bytes()),
            bytes: 1,
        }
    }

    fn render(slides: &[&str]) -> RenderSet {
        RenderSet {
            renderer: RendererIdentity {
                name: "chromium".to_owned(),
                version: String::new(),
                executable_sha256: String::new(),
                fonts_sha256: String::new(),
                flags: Vec::new(),
                deterministic: true,
            },
            sha256: Sha256Hex::of(b"set"),
            slides: slides.iter().map(|slide| object(slide)).collect(),
            diagnostics: object("diagnostics"),
            facts: None,
        }
    }

    fn found(name: &str, status: CheckStatus, slides: &[&str], code: &str) -> bool {
        let check = CheckRecord {
            name: name.to_owned(),
            status,
            reason: String::new(),
        };
        let remarks = [Diagnostic::slide(1, code, "x")];
        contradiction(&[check], &render(slides), &remarks).is_some()
    }

    #[test]
    fn a_pass_against_a_remark_is_found_and_a_failure_is_not() {
        let pass = CheckStatus::Pass;
        assert!(found("deterministic", pass, &["a"], "not-deterministic"));
        assert!(found("render_count", pass, &["a"], "slide-failed"));
        assert!(found("same_for_viewers", pass, &["a"], "differs-by-viewer"));
        assert!(found("same_for_viewers", pass, &["a"], "changes-with-time"));
        assert!(!found("deterministic", pass, &["a"], "differs-by-viewer"));
        assert!(!found(
            "deterministic",
            CheckStatus::Fail,
            &["a"],
            "not-deterministic"
        ));
        assert!(found("distinct_slides", pass, &["a", "b", "a"], "x"));
        assert!(!found("distinct_slides", pass, &["a", "b"], "x"));
        assert!(!found("not_blank", pass, &["a", "a"], "x"));
    }
}
