// SPDX-License-Identifier: MIT OR Apache-2.0
//! Named predicates over one trial's deck, each of which can pass and can fail.
//!
//! A check sees [`Evidence`] alone: facts, pictures, usage and the sealed spec. It never opens a file, so its outcome
//! is the same on every machine. Exactly the declared checks run, each on its own; what one cannot tell, no other
//! makes up for. Nothing that a deck says about itself (an attribute, a class, a name) waives anything.
//!
//! To add a check: a key in [`CheckList`], a module here with a function from evidence to a verdict, a line in
//! [`run`], and its name in [`CheckList::names_for`].

mod artifact;
mod assets;
mod browser;
pub mod config;
mod copy;
pub mod evidence;
mod html;
mod outcome;
mod package;
mod pictures;
mod revision;
mod slides;
#[cfg(test)]
mod testing;
mod text;
mod usage;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use config::CheckList;
pub use evidence::{Evidence, PictureFacts};

use self::outcome::{Problem, Verdict};
use crate::experiment::records::CheckRecord;

/// Runs exactly the checks that `list` declares for the trial's arm. The records are sorted by name.
#[must_use]
pub fn run(list: &CheckList, evidence: &Evidence<'_>) -> Vec<CheckRecord> {
    // Taken apart, so that a check that the list grows cannot be forgotten here.
    let CheckList {
        artifact_exists: _,
        slide_count,
        required_copy: _,
        source_assets: _,
        render_count: _,
        render_dimensions: _,
        not_blank: _,
        contrast: _,
        deterministic: _,
        distinct_slides: _,
        keyboard_navigation: _,
        no_blocked_requests: _,
        no_console_errors: _,
        no_overflow: _,
        no_text_overlap: _,
        same_for_viewers: _,
        package_sound: _,
        static_html: _,
        revision_fidelity: _,
        absent: _,
        usage_limit,
    } = list;
    // Which checks are for this trial is said in one place, which `verify` asks too.
    let names = list.names_for(evidence.arm, evidence.format);
    let declared = |name: &str| names.contains(&name);
    let plain = |name: &'static str, check: fn(&Evidence<'_>) -> Verdict| {
        declared(name).then(|| one(name, || check(evidence)))
    };
    let slide_count = slide_count.as_ref().filter(|_| declared("slide_count"));
    let usage_limit = usage_limit.as_ref().filter(|_| declared("usage_limit"));
    let mut records: Vec<CheckRecord> = [
        plain("artifact_exists", artifact::exists),
        slide_count.map(|check| one("slide_count", || slides::count(check, evidence))),
        plain("required_copy", copy::required),
        plain("source_assets", assets::shown),
        plain("render_count", pictures::count),
        plain("render_dimensions", pictures::dimensions),
        plain("not_blank", pictures::not_blank),
        plain("contrast", browser::contrast),
        plain("deterministic", pictures::deterministic),
        plain("distinct_slides", pictures::distinct),
        plain("keyboard_navigation", browser::keyboard_navigation),
        plain("no_blocked_requests", browser::no_blocked_requests),
        plain("no_console_errors", browser::no_console_errors),
        plain("no_overflow", browser::no_overflow),
        plain("no_text_overlap", browser::no_text_overlap),
        plain("same_for_viewers", browser::same_for_viewers),
        plain("package_sound", package::sound),
        plain("static_html", html::sound),
        plain("revision_fidelity", revision::fidelity),
        plain("absent", artifact::absent),
        usage_limit.map(|check| one("usage_limit", || usage::within(check, evidence))),
    ]
    .into_iter()
    .flatten()
    .collect();
    records.sort_by(|a, b| a.name.cmp(&b.name));
    records
}

/// One check. A fault of ours while judging an odd deck is an error of that check, not the end of the experiment.
fn one(name: &'static str, check: impl FnOnce() -> Verdict) -> CheckRecord {
    let verdict = catch_unwind(AssertUnwindSafe(check));
    let fault = |_| {
        Err(Problem::Error(
            "the check itself failed on this deck; please report it".to_owned(),
        ))
    };
    outcome::record(name, verdict.unwrap_or_else(fault))
}

#[cfg(test)]
mod tests {
    use super::testing::{Case, scope};
    use super::*;
    use crate::checks::config::Scope;
    use crate::experiment::records::CheckStatus;
    use crate::suite::{Format, Id};

    #[test]
    fn exactly_the_declared_checks_run_sorted_by_name() {
        let case = Case::html();
        assert!(run(&CheckList::default(), &case.evidence()).is_empty());
        let list = CheckList {
            not_blank: scope(),
            artifact_exists: scope(),
            package_sound: scope(),
            ..CheckList::default()
        };
        let names: Vec<_> = run(&list, &case.evidence())
            .into_iter()
            .map(|record| record.name)
            .collect();
        assert_eq!(
            names,
            ["artifact_exists", "not_blank"],
            "an HTML deck is no package"
        );
    }

    #[test]
    fn the_checks_that_run_are_those_that_the_list_names() {
        let list = CheckList {
            artifact_exists: scope(),
            slide_count: Some(config::SlideCount {
                count: None,
                arms: None,
            }),
            required_copy: scope(),
            source_assets: scope(),
            render_count: scope(),
            render_dimensions: scope(),
            not_blank: scope(),
            contrast: scope(),
            deterministic: scope(),
            distinct_slides: scope(),
            keyboard_navigation: scope(),
            no_blocked_requests: scope(),
            no_console_errors: scope(),
            no_overflow: scope(),
            no_text_overlap: scope(),
            same_for_viewers: scope(),
            package_sound: scope(),
            static_html: scope(),
            revision_fidelity: scope(),
            absent: scope(),
            usage_limit: Some(config::UsageLimit {
                max_total_tokens: Some(1),
                max_duration_ms: None,
                max_tool_calls: None,
                arms: None,
            }),
        };
        for case in [Case::html(), Case::pptx()] {
            let evidence = case.evidence();
            let ran: Vec<String> = run(&list, &evidence)
                .into_iter()
                .map(|record| record.name)
                .collect();
            assert_eq!(ran, list.names_for(evidence.arm, evidence.format));
            let expected = match evidence.format {
                Format::Html => 20,
                Format::Pptx => 13,
            };
            assert_eq!(ran.len(), expected, "the others are for the other format");
        }
    }

    #[test]
    fn scopes_choose_arms_and_formats() {
        let case = Case::html();
        let with = |scope: Scope| {
            let list = CheckList {
                not_blank: Some(scope),
                ..CheckList::default()
            };
            run(&list, &case.evidence()).len()
        };
        let arms = |name: &str| Scope {
            arms: Some(vec![Id::new(name).unwrap()]),
            ..Scope::default()
        };
        let formats = |format| Scope {
            formats: Some(vec![format]),
            ..Scope::default()
        };
        assert_eq!((with(arms("html")), with(arms("other"))), (1, 0));
        assert_eq!(
            (with(formats(Format::Html)), with(formats(Format::Pptx))),
            (1, 0)
        );
    }

    #[test]
    fn what_cannot_be_told_is_an_error_and_no_pass() {
        let case = Case::html();
        let list = CheckList {
            required_copy: scope(),
            source_assets: scope(),
            static_html: scope(),
            ..CheckList::default()
        };
        let evidence = Evidence {
            facts: Err("the deck crashed the renderer"),
            ..case.evidence()
        };
        for record in run(&list, &evidence) {
            assert_eq!(record.status, CheckStatus::Error, "{record:?}");
            assert!(record.reason.contains("crashed"), "{record:?}");
        }
    }

    #[test]
    fn a_panic_is_an_error_of_its_check() {
        let record = one("x", || panic!("on purpose"));
        assert_eq!(record.status, CheckStatus::Error);
    }
}
