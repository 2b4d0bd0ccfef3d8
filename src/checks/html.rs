// SPDX-License-Identifier: MIT OR Apache-2.0
//! `static_html`: a page that stands on its own. Everything is asked of the DOM and of what the browser was asked for
//! while the network was shut; no word is searched for in a file.

use super::Evidence;
use super::outcome::{Verdict, error, facts, quoted, unless_found};
use deckproof_renderers::facts::{DocumentFacts, HtmlFacts};

/// The page is sound and needs nothing from outside of its folder.
pub(super) fn sound(evidence: &Evidence<'_>) -> Verdict {
    let document = &facts(evidence)?.document;
    let Some(html) = &document.html else {
        return error("the deck is no HTML page");
    };
    let mut found = head(document, html);
    for (what, list) in [
        ("a reference to another origin", &html.remote_references),
        ("a request that was stopped", &html.blocked_requests),
        ("a resource that is missing", &html.missing_resources),
        ("an attribute with a script", &html.inline_handlers),
        ("an address that is a script", &html.script_urls),
        ("an id used twice", &html.duplicate_ids),
        ("an error on the console", &html.console_errors),
        ("an error of the page", &html.page_errors),
    ] {
        found.extend(
            list.iter()
                .map(|item| format!("found {what}: {}", quoted(item))),
        );
    }
    unless_found(&found, "the page is sound and stands on its own")
}

fn head(document: &DocumentFacts, html: &HtmlFacts) -> Vec<String> {
    let mut found = Vec::new();
    let is_html = html
        .doctype
        .as_deref()
        .is_some_and(|name| name.eq_ignore_ascii_case("html"));
    if !is_html || html.compat_mode == "BackCompat" {
        found.push("found no <!doctype html> in force, expected one".to_owned());
    }
    let is_blank =
        |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
    if is_blank(&document.title) {
        found.push("found no title, expected one".to_owned());
    }
    if is_blank(&document.language) {
        found.push("found no lang on the root element, expected a language".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::outcome::Problem;
    use crate::checks::testing::Case;

    /// Bends the document's facts and expects a failure that says `message`.
    fn bent(bend: impl Fn(&mut DocumentFacts, &mut HtmlFacts), message: &str) {
        let mut case = Case::html().slide(&[]);
        let mut html = case.facts.document.html.take().unwrap();
        bend(&mut case.facts.document, &mut html);
        case.facts.document.html = Some(html);
        match sound(&case.evidence()) {
            Err(Problem::Fail(reason)) => assert!(reason.contains(message), "{reason}"),
            other => panic!("{message}: {other:?}"),
        }
    }

    #[test]
    fn a_sound_page_passes_and_each_fault_fails() {
        assert!(sound(&Case::html().evidence()).is_ok());
        let item = || vec!["x".to_owned()];
        bent(|_, html| html.doctype = None, "doctype");
        bent(|_, html| html.doctype = Some("svg".to_owned()), "doctype");
        bent(
            |_, html| html.compat_mode = "BackCompat".to_owned(),
            "doctype",
        );
        bent(|document, _| document.title = None, "no title");
        bent(
            |document, _| document.title = Some("  ".to_owned()),
            "no title",
        );
        bent(|document, _| document.language = None, "no lang");
        bent(|_, html| html.remote_references = item(), "another origin");
        bent(|_, html| html.blocked_requests = item(), "stopped");
        bent(|_, html| html.missing_resources = item(), "missing");
        bent(|_, html| html.inline_handlers = item(), "with a script");
        bent(|_, html| html.script_urls = item(), "is a script");
        bent(|_, html| html.duplicate_ids = item(), "used twice");
        bent(|_, html| html.console_errors = item(), "console");
        bent(|_, html| html.page_errors = item(), "of the page");
    }

    #[test]
    fn a_package_is_no_page() {
        assert!(matches!(
            sound(&Case::pptx().evidence()),
            Err(Problem::Error(_))
        ));
    }
}
