// SPDX-License-Identifier: MIT OR Apache-2.0
//! Named predicates over one trial's deck, each of which can pass and can fail.
//!
//! A check sees [`Evidence`] alone: facts, pictures, usage and the sealed spec. It never opens a file, so its outcome
//! is the same on every machine. Exactly the declared checks run, each on its own; what one cannot tell, no other
//! makes up for. Nothing that a deck says about itself (an attribute, a class, a name) waives anything.
//!
//! To add a check: a key in [`CheckList`], a module here with a function from evidence to a verdict, and a line in
//! [`run`]; `verify` names the declared checks on its own, and its exhaustive match will remind you.

mod artifact;
mod assets;
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

use self::config::Scope;
use self::outcome::{Problem, Verdict};
use crate::experiment::records::CheckRecord;
use crate::suite::{Format, Id};

/// Runs exactly the checks that `list` declares for the trial's arm. The records are sorted by name.
#[must_use]
pub fn run(list: &CheckList, evidence: &Evidence<'_>) -> Vec<CheckRecord> {
    // Taken apart, so that a check that the list grows cannot be forgotten here.
    let CheckList {
        artifact_exists,
        slide_count,
        required_copy,
        source_assets,
        render_count,
        render_dimensions,
        not_blank,
        package_sound,
        static_html,
        revision_fidelity,
        absent,
        usage_limit,
    } = list;
    let scoped =
        |name: &'static str, scope: &Option<Scope>, check: fn(&Evidence<'_>) -> Verdict| {
            let scope = scope
                .as_ref()
                .filter(|scope| is_for(scope, only(name), evidence));
            scope.map(|_| one(name, || check(evidence)))
        };
    let arm = |arms: &Option<Vec<Id>>| arms.as_ref().is_none_or(|arms| arms.contains(evidence.arm));
    let slide_count = slide_count.as_ref().filter(|check| arm(&check.arms));
    let usage_limit = usage_limit.as_ref().filter(|check| arm(&check.arms));
    let mut records: Vec<CheckRecord> = [
        scoped("artifact_exists", artifact_exists, artifact::exists),
        slide_count.map(|check| one("slide_count", || slides::count(check, evidence))),
        scoped("required_copy", required_copy, copy::required),
        scoped("source_assets", source_assets, assets::shown),
        scoped("render_count", render_count, pictures::count),
        scoped("render_dimensions", render_dimensions, pictures::dimensions),
        scoped("not_blank", not_blank, pictures::not_blank),
        scoped("package_sound", package_sound, package::sound),
        scoped("static_html", static_html, html::sound),
        scoped("revision_fidelity", revision_fidelity, revision::fidelity),
        scoped("absent", absent, artifact::absent),
        usage_limit.map(|check| one("usage_limit", || usage::within(check, evidence))),
    ]
    .into_iter()
    .flatten()
    .collect();
    records.sort_by(|a, b| a.name.cmp(&b.name));
    records
}

/// The one format that a check makes sense for.
fn only(name: &str) -> Option<Format> {
    match name {
        "package_sound" => Some(Format::Pptx),
        "static_html" => Some(Format::Html),
        _ => None,
    }
}

fn is_for(scope: &Scope, only: Option<Format>, evidence: &Evidence<'_>) -> bool {
    only.is_none_or(|format| format == evidence.format)
        && scope
            .formats
            .as_ref()
            .is_none_or(|formats| formats.contains(&evidence.format))
        && scope
            .arms
            .as_ref()
            .is_none_or(|arms| arms.contains(evidence.arm))
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
    use crate::experiment::records::CheckStatus;

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
            assert_eq!(ran.len(), 11, "one of the twelve is for the other format");
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
