// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seed's suite: what was compared, under which limits, against which baseline (rules C1–C14).

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json::Value;

use super::python::canonical;
use super::table::{Cell, Numbers, Table};
use super::{manifest, paths};
use crate::exact::Exact;
use crate::fields::{Hash, Object, Read, fault, list, map, number, object, text, wrong};

pub(super) const SUITE_SCHEMA: &str = "clara.html_deck_benchmark_suite.v1";

/// One of the two formats that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Format {
    Html,
    Pptx,
}

impl Format {
    pub(super) const BOTH: [Self; 2] = [Self::Html, Self::Pptx];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Html => "HTML",
            Self::Pptx => "PPTX",
        }
    }

    /// The format that a text names, in any case.
    pub(super) fn read(value: &Value<'_, '_>) -> Read<Self> {
        let named = text(value)?;
        match named {
            "HTML" => return Ok(Self::Html),
            "PPTX" => return Ok(Self::Pptx),
            _ => {}
        }
        match named.to_uppercase().as_str() {
            "HTML" => Ok(Self::Html),
            "PPTX" => Ok(Self::Pptx),
            _ => Err(wrong(value, "HTML or PPTX")),
        }
    }
}

/// Reads `case_id` and `format`.
pub(super) fn named_cell<'a>(of: &Object<'_, 'a>) -> Read<(&'a str, Format)> {
    Ok((of.text("case_id")?, Format::read(of.get("format")?)?))
}

/// A skill's identity: its version, and its hashes in the order of [`identity`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity<'a> {
    pub(super) version: &'a str,
    hashes: [Option<Hash<'a>>; 3],
}

pub(super) const CLARA: &str = "clara";
pub(super) const PRESENTATIONS: &str = "presentations";

#[derive(Debug)]
pub(super) struct Suite<'a> {
    pub(super) id: &'a str,
    pub(super) fingerprint: Sha256Hex,
    pub(super) clara: Identity<'a>,
    pub(super) presentations: Identity<'a>,
    pub(super) controls: BTreeSet<&'a str>,
    pub(super) judgement: Judging<'a>,
    pub(super) cases: Vec<Case<'a>>,
    pub(super) numbers: Numbers<'a>,
    pub(super) baseline: Baseline<'a>,
    pub(super) targets: Targets<'a>,
}

#[derive(Debug)]
pub(super) struct Judging<'a> {
    pub(super) dimensions: Vec<&'a str>,
    pub(super) required: Vec<&'a str>,
    pub(super) optional: Vec<&'a str>,
    pub(super) min: Exact,
    pub(super) max: Exact,
}

#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) id: &'a str,
    pub(super) mode: &'a str,
    pub(super) source: Hash<'a>,
    pub(super) evidence: Hash<'a>,
    html_checks: Vec<&'a str>,
    pptx_checks: Vec<&'a str>,
}

impl<'a> Case<'a> {
    /// The checks that a run of `format` must have.
    pub(super) fn checks(&self, format: Format) -> &[&'a str] {
        match format {
            Format::Html => &self.html_checks,
            Format::Pptx => &self.pptx_checks,
        }
    }
}

#[derive(Debug)]
pub(super) struct Baseline<'a> {
    pub(super) model: &'a str,
    pub(super) effort: &'a str,
    pub(super) runs: Table<BaselineRun<'a>>,
}

#[derive(Debug)]
pub(super) struct BaselineRun<'a> {
    pub(super) duration_ms: u64,
    pub(super) total_tokens: u64,
    pub(super) artifact: Hash<'a>,
}

#[derive(Debug)]
pub(super) struct Targets<'a> {
    /// The least improvement, as a part of one.
    pub(super) minimum: Exact,
    pub(super) limits: BTreeMap<&'a str, RatioLimits>,
}

#[derive(Debug)]
pub(super) struct RatioLimits {
    pub(super) tokens: Exact,
    pub(super) duration: Exact,
}

impl<'a> Suite<'a> {
    pub(super) fn read(document: &Value<'_, 'a>) -> Read<Self> {
        // The fingerprint takes as long as all the rest.
        std::thread::scope(|scope| {
            let fingerprint =
                scope.spawn(|| Sha256Hex::of_pieces(|take| canonical(document, take)));
            Self::fields(document, || {
                let made = fingerprint.join();
                made.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }

    fn fields(
        document: &Value<'_, 'a>,
        fingerprint: impl FnOnce() -> Read<Sha256Hex>,
    ) -> Read<Self> {
        let root = object(
            document,
            &[
                "schema_version",
                "suite_id",
                "purpose",
                "candidate_skill_identity",
                "baseline_limitations",
                "fixture_root",
                "controls",
                "semantic_judgement",
                "mechanical_gates",
                "cases",
                "recorded_baseline",
                "candidate_targets",
            ],
        )?;
        root.constant("schema_version", SUITE_SCHEMA)?;
        root.text("suite_id")?;
        optional_texts(&root, &["purpose"])?;
        described(&root)?;
        let [clara, presentations] = identities(root.get("candidate_skill_identity")?)?;
        let gates = distinct(root.get("mechanical_gates")?)?;
        let (cases, numbers) = cases(root.get("cases")?, &gates)?;
        Ok(Self {
            id: root.get("suite_id")?.as_str().unwrap_or_default(),
            fingerprint: fingerprint()?,
            clara,
            presentations,
            controls: controls(root.get("controls")?)?,
            judgement: judging(root.get("semantic_judgement")?)?,
            baseline: baseline(root.get("recorded_baseline")?, cases.len(), &numbers)?,
            targets: targets(root.get("candidate_targets")?, &cases)?,
            cases,
            numbers,
        })
    }

    /// Every cell in the suite's order, HTML first.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        Cell::all(self.cases.len())
    }

    /// A cell for messages.
    pub(super) fn name(&self, cell: Cell) -> String {
        let id = self.cases.get(cell.case).map_or("", |case| case.id);
        format!("{id}:{}", cell.format.as_str())
    }

    /// The identity that a run of `format` was made with.
    pub(super) fn identity(&self, format: Format) -> &Identity<'a> {
        match format {
            Format::Html => &self.clara,
            Format::Pptx => &self.presentations,
        }
    }
}

/// Descriptive texts decide nothing, but where they stand they are texts.
fn optional_texts(of: &Object<'_, '_>, keys: &[&str]) -> Read<()> {
    keys.iter()
        .filter_map(|key| of.find(key))
        .try_for_each(|value| text(value).map(drop))
}

fn described(root: &Object<'_, '_>) -> Read<()> {
    let texts = [
        "historical_improvement_interpretation",
        "primary_comparison",
    ];
    let known = ["raw_prior_jsonl_available", texts[0], texts[1]];
    let limitations = object(root.get("baseline_limitations")?, &known)?;
    limitations.truth("raw_prior_jsonl_available", false)?;
    optional_texts(&limitations, &texts)?;
    let Some(fixture) = root.find("fixture_root") else {
        return Ok(());
    };
    let known = ["environment_variable", "default", "description"];
    optional_texts(&object(fixture, &known)?, &known)
}

/// Both identities, in the order of their names.
pub(super) fn identities<'a>(value: &Value<'_, 'a>) -> Read<[Identity<'a>; 2]> {
    let both = object(value, &[CLARA, PRESENTATIONS])?;
    Ok([
        identity(both.get(CLARA)?, Format::Html)?,
        identity(both.get(PRESENTATIONS)?, Format::Pptx)?,
    ])
}

/// The identity of the skill that makes decks of `format`.
pub(super) fn identity<'a>(value: &Value<'_, 'a>, format: Format) -> Read<Identity<'a>> {
    let known: &[&str] = match format {
        Format::Html => &[
            "skill_sha256",
            "plugin_manifest_sha256",
            "runtime_tree_sha256",
            "version",
        ],
        Format::Pptx => &["skill_sha256", "skill_tree_sha256", "version"],
    };
    let fields = object(value, known)?;
    let version = fields.text("version")?;
    let mut hashes = [None; 3];
    let keys = known.iter().filter(|key| **key != "version");
    for (hash, key) in hashes.iter_mut().zip(keys) {
        *hash = Some(fields.hash(key)?);
    }
    Ok(Identity { version, hashes })
}

fn controls<'a>(value: &Value<'_, 'a>) -> Read<BTreeSet<&'a str>> {
    let controls = map(value)?;
    if controls.members.is_empty() {
        return Err(wrong(value, "at least one control"));
    }
    for member in controls.members {
        if member.value.as_bool() != Some(true) {
            return Err(wrong(&member.value, true));
        }
    }
    Ok(controls.members.iter().map(|member| member.key).collect())
}

/// Lists of up to this many names are compared one by one.
const FEW: usize = 16;

/// A list of texts, none twice.
fn distinct_or_none<'a>(value: &Value<'_, 'a>) -> Read<Vec<&'a str>> {
    let items = list(value)?;
    let mut seen = BTreeSet::new();
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let found = text(item)?;
        let new = match items.len() {
            0..=FEW => !texts.contains(&found),
            _ => seen.insert(found),
        };
        if !new {
            return Err(wrong(item, "each name once"));
        }
        texts.push(found);
    }
    Ok(texts)
}

fn distinct<'a>(value: &Value<'_, 'a>) -> Read<Vec<&'a str>> {
    let texts = distinct_or_none(value)?;
    if texts.is_empty() {
        return Err(wrong(value, "at least one name"));
    }
    Ok(texts)
}

fn judging<'a>(value: &Value<'_, 'a>) -> Read<Judging<'a>> {
    let known = [
        "owner",
        "required_reviewer_types",
        "optional_reviewer_types",
        "score_min",
        "score_max",
        "dimensions",
    ];
    let fields = object(value, &known)?;
    optional_texts(&fields, &["owner"])?;
    let judging = Judging {
        dimensions: distinct(fields.get("dimensions")?)?,
        required: distinct(fields.get("required_reviewer_types")?)?,
        optional: distinct_or_none(fields.get("optional_reviewer_types")?)?,
        min: number(fields.get("score_min")?)?,
        max: number(fields.get("score_max")?)?,
    };
    let known_type = |kind: &&str| ["human", "model"].contains(kind);
    if !judging
        .required
        .iter()
        .chain(&judging.optional)
        .all(known_type)
    {
        return Err(wrong(value, "no other reviewer types than human and model"));
    }
    if judging
        .optional
        .iter()
        .any(|kind| judging.required.contains(kind))
    {
        let value = fields.get("optional_reviewer_types")?;
        return Err(wrong(value, "types that are not required already"));
    }
    if judging.min >= judging.max {
        return Err(wrong(fields.get("score_min")?, "less than score_max"));
    }
    Ok(judging)
}

fn cases<'a>(value: &Value<'_, 'a>, gates: &[&str]) -> Read<(Vec<Case<'a>>, Numbers<'a>)> {
    let gates: BTreeSet<&str> = gates.iter().copied().collect();
    let mut numbers = Numbers::default();
    let mut cases = Vec::new();
    for item in list(value)? {
        let case = case(item, &gates)?;
        if !numbers.add(case.id) {
            return Err(fault(
                item,
                format!("the case `{}` again", case.id),
                "each case once",
            ));
        }
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(wrong(value, "at least one case"));
    }
    Ok((cases, numbers))
}

fn case<'a>(value: &Value<'_, 'a>, gates: &BTreeSet<&str>) -> Read<Case<'a>> {
    let known = [
        "id",
        "mode",
        "fixture_subdirectory",
        "instruction_file",
        "spec_file",
        "source_manifest",
        "baseline_evidence",
        "required_formats",
        "required_checks_by_format",
    ];
    let fields = object(value, &known)?;
    let mode = fields.text("mode")?;
    if !["create", "revise"].contains(&mode) {
        return Err(wrong(fields.get("mode")?, "create or revise"));
    }
    for key in ["fixture_subdirectory", "instruction_file", "spec_file"] {
        fields.text(key)?;
    }
    formats(fields.get("required_formats")?)?;
    let id = fields.text("id")?;
    let source = sealed_files(fields.get("source_manifest")?, true)?;
    let evidence = sealed_files(fields.get("baseline_evidence")?, false)?;
    let checks = fields.get("required_checks_by_format")?;
    let [html_checks, pptx_checks] = required_checks(checks, gates)?;
    Ok(Case {
        id,
        mode,
        source,
        evidence,
        html_checks,
        pptx_checks,
    })
}

fn formats(value: &Value<'_, '_>) -> Read<()> {
    let mut found: Vec<Format> = list(value)?.iter().map(Format::read).collect::<Read<_>>()?;
    found.sort();
    if found == Format::BOTH {
        return Ok(());
    }
    Err(wrong(value, "HTML and PPTX, each once"))
}

/// The manifest's hash, when it is that of its files. Sources must be there and stay inside.
fn sealed_files<'a>(value: &Value<'_, 'a>, source: bool) -> Read<Hash<'a>> {
    let fields = object(value, &["algorithm", "manifest_sha256", "files"])?;
    fields.constant("algorithm", "sha256")?;
    let mut files = BTreeMap::new();
    for item in fields.list("files")? {
        let file = object(item, &["path", "sha256"])?;
        let path = file.text("path")?;
        if source && (paths::is_absolute(path) || paths::climbs(path)) {
            return Err(wrong(file.get("path")?, "a relative path without `..`"));
        }
        if files.insert(path, file.hash("sha256")?).is_some() {
            return Err(wrong(file.get("path")?, "each path once"));
        }
    }
    if source && files.is_empty() {
        return Err(wrong(fields.get("files")?, "at least one file"));
    }
    let expected = manifest(&files);
    let found = fields.hash("manifest_sha256")?;
    if found.as_str() == expected.as_str() {
        return Ok(found);
    }
    let value = fields.get("manifest_sha256")?;
    Err(wrong(
        value,
        format!("`{expected}`, the hash of the files listed here"),
    ))
}

/// The checks of HTML and of PPTX.
fn required_checks<'a>(value: &Value<'_, 'a>, gates: &BTreeSet<&str>) -> Read<[Vec<&'a str>; 2]> {
    let mut checks = [Vec::new(), Vec::new()];
    for member in map(value)?.members {
        let [html, pptx] = &mut checks;
        let place = match member.key {
            "HTML" => html,
            "PPTX" => pptx,
            _ => {
                let expected = "the formats HTML and PPTX alone";
                return Err(fault(&member.value, member.key, expected));
            }
        };
        let names = distinct(&member.value)?;
        if let Some(name) = names.iter().find(|name| !gates.contains(*name)) {
            return Err(fault(
                &member.value,
                format!("`{name}`"),
                "checks of mechanical_gates",
            ));
        }
        *place = names;
    }
    // A list that is there has names.
    if checks.iter().any(Vec::is_empty) {
        return Err(wrong(value, "checks for HTML and for PPTX"));
    }
    Ok(checks)
}

fn baseline<'a>(value: &Value<'_, 'a>, cases: usize, numbers: &Numbers<'a>) -> Read<Baseline<'a>> {
    let fields = object(value, &["date", "model", "reasoning_effort", "runs"])?;
    optional_texts(&fields, &["date"])?;
    let mut runs = Table::new(cases);
    for item in fields.list("runs")? {
        let (named, run) = baseline_run(item)?;
        let Some(cell) = numbers.cell(named) else {
            return Err(fault(
                item,
                format!("the case `{}`", named.0),
                "a case of the suite",
            ));
        };
        if runs.insert(cell, run).is_some() {
            return Err(wrong(item, "each case and format once"));
        }
    }
    if !runs.is_full() {
        return Err(wrong(
            fields.get("runs")?,
            "a run for every case and format",
        ));
    }
    Ok(Baseline {
        model: fields.text("model")?,
        effort: fields.text("reasoning_effort")?,
        runs,
    })
}

fn baseline_run<'a>(value: &Value<'_, 'a>) -> Read<((&'a str, Format), BaselineRun<'a>)> {
    let known = [
        "case_id",
        "format",
        "duration_ms",
        "total_tokens",
        "tool_calls",
        "artifact_sha256",
        "render_set_sha256",
        "artifact_validation",
    ];
    let fields = object(value, &known)?;
    fields.constant("artifact_validation", "pass")?;
    fields.positive("tool_calls")?;
    fields.hash("render_set_sha256")?;
    let run = BaselineRun {
        duration_ms: fields.positive("duration_ms")?,
        total_tokens: fields.positive("total_tokens")?,
        artifact: fields.hash("artifact_sha256")?,
    };
    Ok((named_cell(&fields)?, run))
}

fn targets<'a>(value: &Value<'_, 'a>, cases: &[Case<'_>]) -> Read<Targets<'a>> {
    let known = [
        "quality_regression_allowed",
        "minimum_html_median_improvement_percent",
        "format_ratio_limits_by_mode",
    ];
    let fields = object(value, &known)?;
    fields.truth("quality_regression_allowed", false)?;
    let percent = fields.get(known[1])?;
    let minimum = number(percent)?;
    if minimum < Exact::zero() || minimum > Exact::from(100_u64) {
        return Err(wrong(percent, "a percentage from 0 to 100"));
    }
    let by_mode = fields.get(known[2])?;
    let limits = ratio_limits(by_mode)?;
    let modes: BTreeSet<&str> = cases.iter().map(|case| case.mode).collect();
    if !limits.keys().eq(modes.iter()) {
        return Err(wrong(by_mode, "limits for exactly the modes of the cases"));
    }
    Ok(Targets {
        minimum: Exact::from_percent(&minimum),
        limits,
    })
}

fn ratio_limits<'a>(value: &Value<'_, 'a>) -> Read<BTreeMap<&'a str, RatioLimits>> {
    let mut limits = BTreeMap::new();
    for member in map(value)?.members {
        let fields = object(&member.value, &["total_tokens_max", "duration_max"])?;
        let tokens = limit(fields.get("total_tokens_max")?)?;
        let duration = limit(fields.get("duration_max")?)?;
        limits.insert(member.key, RatioLimits { tokens, duration });
    }
    Ok(limits)
}

fn limit(value: &Value<'_, '_>) -> Read<Exact> {
    let limit = number(value)?;
    if limit.is_positive() {
        Ok(limit)
    } else {
        Err(wrong(value, "a ratio above 0"))
    }
}
