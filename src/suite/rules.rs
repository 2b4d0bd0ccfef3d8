// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules of a suite that no single key can keep: names that must exist, cells that must be
//! filled, figures that must fit together. Every broken rule is reported, not only the first.

mod statistics;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use deckproof_packets::relpath::RelPath;

use super::error::{Places, Problem};
use super::spec::Spec;
use super::{
    Arm, At, Baseline, Case, Format, HostKind, Id, KnownDeck, Mode, Suite, SuiteError, SuitePath,
};
use crate::cost::Money;

/// The rules that `suite.toml` alone must keep.
pub(super) fn check(suite: &Suite, places: &Places<'_>) -> Vec<Problem> {
    let mut rules = Rules {
        suite,
        places,
        problems: Vec::new(),
    };
    rules.schedule();
    rules.names();
    suite.arm.iter().for_each(|arm| rules.arm(arm));
    suite.case.iter().for_each(|case| rules.case(case));
    rules.baselines();
    rules.gates();
    rules.money();
    rules.review();
    rules.statistics();
    rules
        .problems
        .sort_by_key(|problem| (problem.line, problem.column));
    rules.problems
}

/// Environment variables that Deckproof sets itself, in upper case.
const OWN_VARIABLES: [&str; 10] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "DECKPROOF_TURN",
    "CODEX_HOME",
    "CLAUDE_CONFIG_DIR",
];

/// Most messages after the first.
const MOST_REPLIES: usize = 100;

struct Rules<'a> {
    suite: &'a Suite,
    places: &'a Places<'a>,
    problems: Vec<Problem>,
}

impl Rules<'_> {
    fn say(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.problems.push(self.places.problem(span, message));
    }

    /// For rules about a table that holds no placed value of its own.
    fn say_at(&mut self, text: &str, message: impl Into<String>) {
        let start = self.places.text.find(text).unwrap_or(0);
        self.say(start..start, message);
    }

    fn schedule(&mut self) {
        let schedule = &self.suite.schedule;
        let ranges = [
            ("repetitions", u64::from(schedule.repetitions), 1, 1000),
            (
                "min_overlap_percent",
                u64::from(schedule.min_overlap_percent),
                0,
                100,
            ),
            (
                "time_limit_seconds",
                schedule.time_limit_seconds,
                1,
                7 * 24 * 3600,
            ),
            (
                "turn_time_limit_seconds",
                schedule.turn_time_limit_seconds.unwrap_or(1),
                1,
                7 * 24 * 3600,
            ),
            (
                "infrastructure_retries",
                u64::from(schedule.infrastructure_retries),
                0,
                10,
            ),
        ];
        for (key, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                let message = format!("found `{key} = {value}`, expected {least} to {most}");
                self.say_at(key, message);
            }
        }
        for key in schedule.limits.zeros() {
            self.say_at(key, format!("found `{key} = 0`, expected at least 1"));
        }
    }

    fn names(&mut self) {
        let suite = self.suite;
        if suite.arm.is_empty() {
            self.say_at(
                "schema",
                "the suite has no `[[arm]]`, expected at least one",
            );
        }
        if suite.case.is_empty() {
            self.say_at(
                "schema",
                "the suite has no `[[case]]`, expected at least one",
            );
        }
        self.unique("arm", suite.arm.iter().map(|arm| &arm.id));
        self.unique("case", suite.case.iter().map(|case| &case.id));
        self.unique("skill", suite.skill.iter().map(|skill| &skill.id));
    }

    fn unique<'a>(&mut self, what: &str, names: impl Iterator<Item = &'a At<Id>>) {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name.get().clone()) {
                self.say(
                    name.span(),
                    format!("the {what} `{}` is declared twice", name.get()),
                );
            }
        }
    }

    fn arm(&mut self, arm: &Arm) {
        let span = arm.id.span();
        let id = arm.id.get();
        let skills = &self.suite.skill;
        if let Some(skill) = &arm.skill
            && !skills.iter().any(|known| known.id.get() == skill.get())
        {
            let message = format!("no `[[skill]]` has the id `{}`", skill.get());
            self.say(skill.span(), message);
        }
        let needs = |key: &str| format!("the arm `{id}` needs `{key}` for its host");
        let extra = |key: &str| format!("the arm `{id}` has `{key}`, which its host does not use");
        match (arm.host, &arm.command) {
            (HostKind::Command, None) => self.say(span.clone(), needs("command")),
            (HostKind::Command, Some(command)) if command.is_empty() => {
                self.say(command.span(), "the command is empty, expected a program");
            }
            (HostKind::Command, Some(command)) => self.program(command),
            (_, None) => {}
            (_, Some(command)) => self.say(command.span(), extra("command")),
        }
        match (arm.host, &arm.recordings) {
            (HostKind::Replay, None) => self.say(span.clone(), needs("recordings")),
            (HostKind::Replay, Some(_)) | (_, None) => {}
            (_, Some(recordings)) => self.say(recordings.span(), extra("recordings")),
        }
        let models = !matches!(
            arm.host,
            HostKind::Command | HostKind::Replay | HostKind::Manual
        );
        if models && arm.model.is_none() {
            self.say(span, needs("model"));
        }
        self.reach(arm);
    }

    /// What an arm is given to reach its model, and to be let in there.
    fn reach(&mut self, arm: &Arm) {
        let id = arm.id.get();
        let extra = |key: &str| format!("the arm `{id}` has `{key}`, which its host does not use");
        let runs = !matches!(arm.host, HostKind::Replay | HostKind::Manual);
        let models = runs && arm.host != HostKind::Command;
        if arm.host == HostKind::Opencode && arm.endpoint.is_none() && arm.network.is_none() {
            let message = format!(
                "the arm `{id}` needs `endpoint` or `network`: opencode has no service of its own"
            );
            self.say(arm.id.span(), message);
        }
        let given = [
            ("endpoint", arm.endpoint.as_ref().map(At::span), models),
            ("network", arm.network.as_ref().map(At::span), runs),
            (
                "credential_file",
                arm.credential_file.as_ref().map(At::span),
                models,
            ),
        ];
        for (key, span, used) in given {
            if let (Some(span), false) = (span, used) {
                self.say(span, extra(key));
            }
        }
        if let Some(file) = &arm.credential_file
            && !file.starts_with('/')
        {
            let message = format!("found `{}`, expected an absolute path", file.get());
            self.say(file.span(), message);
        }
        for name in arm.environment.keys() {
            let own = OWN_VARIABLES.contains(&name.to_ascii_uppercase().as_str());
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let passed = arm.pass_environment.iter().any(|passed| passed == name);
            if own || passed || name.is_empty() || !name.chars().all(plain) {
                let message = format!(
                    "the arm `{id}` sets the variable `{name}`, expected a name that Deckproof does not set and `pass_environment` does not pass"
                );
                self.say(arm.id.span(), message);
            }
        }
    }

    /// A program with a `/` is a file of the suite, unless the path is absolute.
    fn program(&mut self, command: &At<Vec<String>>) {
        let Some(program) = command.first() else {
            return;
        };
        if program.contains('/')
            && !program.starts_with('/')
            && let Err(error) = program.parse::<RelPath>()
        {
            self.say(command.span(), error.to_string());
        }
    }

    fn case(&mut self, case: &Case) {
        self.amendments(case);
        let names: Vec<_> = case.assets.iter().map(|asset| asset.name()).collect();
        for (index, asset) in case.assets.iter().enumerate() {
            if names.iter().take(index).any(|name| *name == asset.name()) {
                let message = format!("two assets are named `{}`", asset.name());
                self.say(asset.span(), message);
            }
        }
        self.checks(case);
        case.known.iter().for_each(|deck| self.known(case, deck));
        let replays = |arm: &Arm| arm.host == HostKind::Replay;
        if let Some(reply) = case.replies.first()
            && self.suite.arm.iter().any(replays)
        {
            let message = "`replies` needs agents that run, and an arm plays recordings";
            self.say(reply.span(), message);
        }
        if case.replies.len() > MOST_REPLIES {
            let message = format!(
                "found {} replies, expected at most {MOST_REPLIES}",
                case.replies.len()
            );
            self.say(case.id.span(), message);
        }
        let html = self.suite.arm.iter().any(|arm| arm.format == Format::Html);
        let pptx = self.suite.arm.iter().any(|arm| arm.format == Format::Pptx);
        for (key, limit) in [
            ("max_token_ratio", &case.max_token_ratio),
            ("max_duration_ratio", &case.max_duration_ratio),
        ] {
            match limit {
                Some(limit) if !(html && pptx) => {
                    let message =
                        format!("`{key}` compares an HTML arm with a PPTX arm, and one is missing");
                    self.say(limit.span(), message);
                }
                None if html && pptx => {
                    let message = format!("the case `{}` needs `{key}`", case.id.get());
                    self.say(case.id.span(), message);
                }
                _ => {}
            }
        }
    }

    fn amendments(&mut self, case: &Case) {
        let mut seen = BTreeMap::new();
        for path in &case.amendments {
            match amendment_number(path.name()) {
                None => self.say(
                    path.span(),
                    format!(
                        "the amendment `{}` has no number in its file name",
                        path.get().as_str()
                    ),
                ),
                Some(number) => {
                    if let Some(other) = seen.insert(number, path.name().to_owned()) {
                        let message = format!(
                            "the amendments `{other}` and `{}` share a number",
                            path.name()
                        );
                        self.say(path.span(), message);
                    }
                }
            }
        }
    }

    fn checks(&mut self, case: &Case) {
        let list = &case.checks;
        let span = case.id.span();
        let id = case.id.get();
        let any = serde_json::to_value(list).ok().and_then(|value| {
            value
                .as_object()
                .map(|map| map.values().any(|v| !v.is_null()))
        });
        if any != Some(true) {
            self.say(span.clone(), format!("the case `{id}` declares no check"));
        }
        if list.revision_fidelity.is_some() && case.mode == Mode::Create {
            self.say(
                span.clone(),
                format!("`revision_fidelity` is for revisions, and `{id}` creates"),
            );
        }
        if list.absent.is_some() && list.artifact_exists.is_some() {
            self.say(
                span.clone(),
                format!("`{id}` declares both `absent` and `artifact_exists`"),
            );
        }
        let scopes = [
            &list.artifact_exists,
            &list.required_copy,
            &list.source_assets,
            &list.render_count,
            &list.render_dimensions,
            &list.not_blank,
            &list.contrast,
            &list.deterministic,
            &list.distinct_slides,
            &list.keyboard_navigation,
            &list.no_blocked_requests,
            &list.no_console_errors,
            &list.no_overflow,
            &list.no_text_overlap,
            &list.same_for_viewers,
            &list.package_sound,
            &list.static_html,
            &list.revision_fidelity,
            &list.absent,
        ];
        let arms = scopes
            .into_iter()
            .flatten()
            .filter_map(|scope| scope.arms.as_ref())
            .chain(
                list.slide_count
                    .as_ref()
                    .and_then(|check| check.arms.as_ref()),
            )
            .chain(
                list.usage_limit
                    .as_ref()
                    .and_then(|check| check.arms.as_ref()),
            );
        let unknown: Vec<_> = arms
            .flatten()
            .filter(|arm| self.find_arm(arm).is_none())
            .collect();
        for arm in unknown {
            self.say(
                span.clone(),
                format!("a check of `{id}` names the unknown arm `{arm}`"),
            );
        }
    }

    /// A known deck is one that some arm could have made, and fails checks that are declared for it.
    fn known(&mut self, case: &Case, deck: &KnownDeck) {
        let span = deck.artifact.span();
        let arms = self
            .suite
            .arm
            .iter()
            .filter(|arm| arm.format == deck.format);
        let names: Vec<Vec<&str>> = arms
            .map(|arm| case.checks.names_for(arm.id.get(), arm.format))
            .collect();
        let format = deck.format.as_str();
        if names.is_empty() {
            let message = format!("a known deck is {format}, and no arm makes that");
            self.say(span.clone(), message);
        }
        match (deck.format, &deck.entry) {
            (Format::Html, None) => {
                let message = "a known HTML deck needs `entry`, the page inside its folder";
                self.say(span, message);
            }
            (Format::Pptx, Some(entry)) => {
                self.say(
                    entry.span(),
                    "a known PPTX deck is one file and has no `entry`",
                );
            }
            _ => {}
        }
        let Some(fails) = &deck.fails else { return };
        if fails.is_empty() {
            let message = "the list is empty, expected the names of checks; without `fails` the deck is a gold one";
            self.say(fails.span(), message);
        }
        for name in fails.iter() {
            if !names.iter().any(|names| names.contains(&name.as_str())) {
                let id = case.id.get();
                let message = format!("`{id}` declares no check `{name}` for {format} decks");
                self.say(fails.span(), message);
            }
        }
    }

    fn find_arm(&self, id: &Id) -> Option<&Arm> {
        self.suite.arm.iter().find(|arm| arm.id.get() == id)
    }

    fn baselines(&mut self) {
        let mut filled = BTreeSet::new();
        for baseline in &self.suite.baseline {
            self.baseline(baseline);
            let cell = (baseline.case.get().clone(), baseline.arm.get().clone());
            if !filled.insert(cell) {
                let (case, arm) = (baseline.case.get(), baseline.arm.get());
                self.say(
                    baseline.case.span(),
                    format!("two baselines for `{case}` and `{arm}`"),
                );
            }
        }
        for case in &self.suite.case {
            for arm in &self.suite.arm {
                if !filled.contains(&(case.id.get().clone(), arm.id.get().clone())) {
                    let (case_id, arm) = (case.id.get(), arm.id.get());
                    self.say(
                        case.id.span(),
                        format!("no `[[baseline]]` for the case `{case_id}` and the arm `{arm}`"),
                    );
                }
            }
        }
    }

    fn baseline(&mut self, baseline: &Baseline) {
        if !self
            .suite
            .case
            .iter()
            .any(|case| case.id.get() == baseline.case.get())
        {
            let message = format!("no `[[case]]` has the id `{}`", baseline.case.get());
            self.say(baseline.case.span(), message);
        }
        let Some(arm) = self.find_arm(baseline.arm.get()).cloned() else {
            let message = format!("no `[[arm]]` has the id `{}`", baseline.arm.get());
            self.say(baseline.arm.span(), message);
            return;
        };
        let span = baseline.artifact.span();
        match (arm.format, &baseline.entry) {
            (Format::Html, None) => {
                self.say(
                    span,
                    "an HTML baseline needs `entry`, the page inside its folder",
                );
            }
            (Format::Pptx, Some(entry)) => {
                self.say(
                    entry.span(),
                    "a PPTX baseline is one file and has no `entry`",
                );
            }
            _ => {}
        }
        for (key, figure) in [
            ("total_tokens", baseline.total_tokens),
            ("duration_ms", baseline.duration_ms),
        ] {
            if figure == 0 {
                self.say(
                    baseline.case.span(),
                    format!("found `{key} = 0`, expected a figure above 0"),
                );
            }
        }
    }

    fn gates(&mut self) {
        let gates = &self.suite.gates;
        for limit in [
            &gates.median_token_improvement_percent,
            &gates.median_duration_improvement_percent,
        ] {
            let whole = limit
                .as_str()
                .split('.')
                .next()
                .and_then(|text| text.parse::<u64>().ok());
            if whole.is_none_or(|whole| whole > 99) {
                let message = format!("found {}, expected less than 100 percent", limit.get());
                self.say(limit.span(), message);
            }
        }
        let unknown: Vec<_> = gates
            .improvement_arms
            .iter()
            .flatten()
            .filter(|arm| self.find_arm(arm).is_none())
            .cloned()
            .collect();
        for arm in unknown {
            self.say(
                arm.span(),
                format!("no `[[arm]]` has the id `{}`", arm.get()),
            );
        }
        if gates.improvement_arms.as_ref().is_some_and(Vec::is_empty) {
            self.say_at(
                "improvement_arms",
                "the list is empty, expected at least one arm",
            );
        }
    }

    fn money(&mut self) {
        let suite = self.suite;
        let prices = suite.price.iter().flat_map(|price| {
            [&price.input_per_million, &price.output_per_million]
                .into_iter()
                .chain(&price.cached_input_per_million)
        });
        let budget = suite.budget.iter();
        let caps = budget.flat_map(|budget| [&budget.spending_cap, &budget.reserve_per_trial]);
        for amount in prices.chain(caps) {
            if Money::read(amount).is_none() {
                let found = amount.get();
                let message =
                    format!("found {found}, expected at most 9 digits on each side of the point");
                self.say(amount.span(), message);
            }
        }
        for (index, price) in suite.price.iter().enumerate() {
            let mut earlier = suite.price.iter().take(index);
            if earlier.any(|other| other.model.get() == price.model.get()) {
                let message = format!("two prices for the model `{}`", price.model.get());
                self.say(price.model.span(), message);
            }
        }
    }

    fn review(&mut self) {
        if let Err(problem) = self.suite.review.check() {
            self.say_at("[review]", problem.to_string());
        }
    }
}

/// The number that orders an amendment: the last run of digits in its file name.
pub(crate) fn amendment_number(name: &str) -> Option<u64> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let end = stem.rfind(|c: char| c.is_ascii_digit())? + 1;
    let head = stem.get(..end)?;
    let start = head
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    let first = head
        .char_indices()
        .map(|(at, _)| at)
        .find(|at| *at >= start)?;
    head.get(first..)?.parse().ok()
}

/// The rules that need the specs.
pub(super) fn check_specs(
    root: &Path,
    suite: &Suite,
    specs: &BTreeMap<Id, Spec>,
) -> Result<(), SuiteError> {
    for case in &suite.case {
        let Some(spec) = specs.get(case.id.get()) else {
            continue;
        };
        if let Err(problem) = check_spec(suite, case, spec) {
            return Err(SuiteError::File {
                file: case.spec.below(root),
                problem,
            });
        }
    }
    Ok(())
}

fn check_spec(suite: &Suite, case: &Case, spec: &Spec) -> Result<(), String> {
    if spec.slides.is_empty() {
        return Err("the spec has no slide, expected at least one".to_owned());
    }
    if !spec.baselines.is_empty() {
        return Err("found `baselines`, which `prepare` writes; the suite's `[[baseline]]` says where they are".to_owned());
    }
    for arm in &suite.arm {
        let format = arm.format.as_str();
        let Some(target) = spec.target_outputs.get(&arm.format) else {
            return Err(format!(
                "`target_outputs` lacks `{format}`, which the arm `{}` makes",
                arm.id.get()
            ));
        };
        if arm.format == Format::Pptx && target.entry.as_str().contains('/') {
            return Err(format!(
                "the PPTX target is `{}`, expected a plain file name",
                target.entry
            ));
        }
    }
    match (case.mode, &spec.revision) {
        (Mode::Revise, None) => {
            return Err("a revision needs `revision`, the declared changes".to_owned());
        }
        (Mode::Create, Some(_)) => return Err("found `revision` in a case that creates".to_owned()),
        _ => {}
    }
    let known = |name: &str| {
        case.assets
            .iter()
            .any(|asset: &At<SuitePath>| asset.name() == name)
    };
    for slide in &spec.slides {
        if let Some(missing) = slide.assets.iter().find(|name| !known(name)) {
            return Err(format!(
                "the slide `{}` shows `{missing}`, which is no asset of the case",
                slide.id
            ));
        }
        let mut fields = BTreeSet::new();
        if let Some(twice) = slide.copy.iter().find(|copy| !fields.insert(&copy.field)) {
            return Err(format!(
                "the slide `{}` has the field `{}` twice",
                slide.id, twice.field
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::amendment_number;

    #[test]
    fn amendments_are_numbered_not_spelled() {
        assert_eq!(amendment_number("amendment_2.json"), Some(2));
        assert_eq!(amendment_number("amendment_10.json"), Some(10));
        assert_eq!(amendment_number("v3-amendment-007.md"), Some(7));
        assert_eq!(amendment_number("12"), Some(12));
        assert_eq!(amendment_number("nachtrag-ä3x.md"), Some(3));
        assert_eq!(amendment_number("amendment.md"), None);
    }
}
