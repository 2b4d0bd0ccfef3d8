// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seed's suite: what was compared, under which limits, against which baseline (rules C1–C14).

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json::Value;

use super::python::canonical;
use super::{manifest, paths};
use crate::exact::Exact;
use crate::fields::{Object, Read, fault, list, map, number, object, text, wrong};

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
    pub(super) fn read(value: &Value) -> Read<Self> {
        match text(value)?.to_uppercase().as_str() {
            "HTML" => Ok(Self::Html),
            "PPTX" => Ok(Self::Pptx),
            _ => Err(wrong(value, "HTML or PPTX")),
        }
    }
}

/// One case in one format.
pub(super) type Cell = (String, Format);

/// Reads `case_id` and `format`.
pub(super) fn cell(of: &Object<'_>) -> Read<Cell> {
    Ok((
        of.text("case_id")?.to_owned(),
        Format::read(of.get("format")?)?,
    ))
}

/// A skill's identity by its field names.
pub(super) type Identity = BTreeMap<&'static str, String>;

pub(super) const CLARA: &str = "clara";
pub(super) const PRESENTATIONS: &str = "presentations";

#[derive(Debug)]
pub(super) struct Suite {
    pub(super) id: String,
    pub(super) fingerprint: Sha256Hex,
    pub(super) clara: Identity,
    pub(super) presentations: Identity,
    pub(super) controls: BTreeSet<String>,
    pub(super) judgement: Judging,
    pub(super) cases: Vec<Case>,
    pub(super) baseline: Baseline,
    pub(super) targets: Targets,
}

#[derive(Debug)]
pub(super) struct Judging {
    pub(super) dimensions: Vec<String>,
    pub(super) required: Vec<String>,
    pub(super) optional: Vec<String>,
    pub(super) min: Exact,
    pub(super) max: Exact,
}

#[derive(Debug)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) mode: String,
    pub(super) source: Sha256Hex,
    pub(super) evidence: Sha256Hex,
    pub(super) checks: BTreeMap<Format, Vec<String>>,
}

#[derive(Debug)]
pub(super) struct Baseline {
    pub(super) model: String,
    pub(super) effort: String,
    pub(super) runs: BTreeMap<Cell, BaselineRun>,
}

#[derive(Debug)]
pub(super) struct BaselineRun {
    pub(super) duration_ms: u64,
    pub(super) total_tokens: u64,
    pub(super) artifact: Sha256Hex,
}

#[derive(Debug)]
pub(super) struct Targets {
    /// The least improvement, as a part of one.
    pub(super) minimum: Exact,
    pub(super) limits: BTreeMap<String, RatioLimits>,
}

#[derive(Debug)]
pub(super) struct RatioLimits {
    pub(super) tokens: Exact,
    pub(super) duration: Exact,
}

impl Suite {
    pub(super) fn read(document: &Value) -> Read<Self> {
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
        let cases = cases(root.get("cases")?, &gates)?;
        Ok(Self {
            id: root
                .get("suite_id")?
                .as_str()
                .unwrap_or_default()
                .to_owned(),
            fingerprint: Sha256Hex::of(canonical(document)?.as_bytes()),
            clara,
            presentations,
            controls: controls(root.get("controls")?)?,
            judgement: judging(root.get("semantic_judgement")?)?,
            baseline: baseline(root.get("recorded_baseline")?, &cases)?,
            targets: targets(root.get("candidate_targets")?, &cases)?,
            cases,
        })
    }

    /// Every cell in the suite's order, HTML first.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let of_case = |case: &Case| Format::BOTH.map(|format| (case.id.clone(), format));
        self.cases.iter().flat_map(of_case)
    }

    /// The identity that a run of `format` was made with.
    pub(super) fn identity(&self, format: Format) -> &Identity {
        match format {
            Format::Html => &self.clara,
            Format::Pptx => &self.presentations,
        }
    }
}

/// Descriptive texts decide nothing, but where they stand they are texts.
fn optional_texts(of: &Object<'_>, keys: &[&str]) -> Read<()> {
    keys.iter()
        .filter_map(|key| of.find(key))
        .try_for_each(|value| text(value).map(drop))
}

fn described(root: &Object<'_>) -> Read<()> {
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
pub(super) fn identities(value: &Value) -> Read<[Identity; 2]> {
    let both = object(value, &[CLARA, PRESENTATIONS])?;
    Ok([
        identity(both.get(CLARA)?, Format::Html)?,
        identity(both.get(PRESENTATIONS)?, Format::Pptx)?,
    ])
}

/// The identity of the skill that makes decks of `format`.
pub(super) fn identity(value: &Value, format: Format) -> Read<Identity> {
    let hashes: &[&'static str] = match format {
        Format::Html => &[
            "skill_sha256",
            "plugin_manifest_sha256",
            "runtime_tree_sha256",
        ],
        Format::Pptx => &["skill_sha256", "skill_tree_sha256"],
    };
    let known: Vec<&str> = hashes.iter().copied().chain(["version"]).collect();
    let fields = object(value, &known)?;
    let mut identity = Identity::from([("version", fields.text("version")?.to_owned())]);
    for key in hashes {
        identity.insert(key, fields.hash(key)?.to_string());
    }
    Ok(identity)
}

fn controls(value: &Value) -> Read<BTreeSet<String>> {
    let controls = map(value)?;
    if controls.members.is_empty() {
        return Err(wrong(value, "at least one control"));
    }
    for member in controls.members {
        controls.truth(&member.key, true)?;
    }
    Ok(controls
        .members
        .iter()
        .map(|member| member.key.to_string())
        .collect())
}

/// A list of texts, none twice.
fn distinct_or_none(value: &Value) -> Read<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    for item in list(value)? {
        let found = text(item)?.to_owned();
        if !seen.insert(found.clone()) {
            return Err(wrong(item, "each name once"));
        }
        texts.push(found);
    }
    Ok(texts)
}

fn distinct(value: &Value) -> Read<Vec<String>> {
    let texts = distinct_or_none(value)?;
    if texts.is_empty() {
        return Err(wrong(value, "at least one name"));
    }
    Ok(texts)
}

fn judging(value: &Value) -> Read<Judging> {
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
    let known_type = |kind: &String| ["human", "model"].contains(&kind.as_str());
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

fn cases(value: &Value, gates: &[String]) -> Read<Vec<Case>> {
    let mut ids = BTreeSet::new();
    let mut cases = Vec::new();
    for item in list(value)? {
        let case = case(item, gates)?;
        if !ids.insert(case.id.clone()) {
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
    Ok(cases)
}

fn case(value: &Value, gates: &[String]) -> Read<Case> {
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
    Ok(Case {
        id: fields.text("id")?.to_owned(),
        mode: mode.to_owned(),
        source: sealed_files(fields.get("source_manifest")?, true)?,
        evidence: sealed_files(fields.get("baseline_evidence")?, false)?,
        checks: checks(fields.get("required_checks_by_format")?, gates)?,
    })
}

fn formats(value: &Value) -> Read<()> {
    let mut found: Vec<Format> = list(value)?.iter().map(Format::read).collect::<Read<_>>()?;
    found.sort();
    if found == Format::BOTH {
        return Ok(());
    }
    Err(wrong(value, "HTML and PPTX, each once"))
}

/// The manifest's hash, when it is that of its files. Sources must be there and stay inside.
fn sealed_files(value: &Value, source: bool) -> Read<Sha256Hex> {
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
    if found == expected {
        return Ok(found);
    }
    let value = fields.get("manifest_sha256")?;
    Err(wrong(
        value,
        format!("`{expected}`, the hash of the files listed here"),
    ))
}

fn checks(value: &Value, gates: &[String]) -> Read<BTreeMap<Format, Vec<String>>> {
    let declared: BTreeSet<&str> = gates.iter().map(String::as_str).collect();
    let mut checks = BTreeMap::new();
    for member in map(value)?.members {
        let format = match &*member.key {
            "HTML" => Format::Html,
            "PPTX" => Format::Pptx,
            _ => {
                return Err(fault(
                    &member.value,
                    &member.key,
                    "the formats HTML and PPTX alone",
                ));
            }
        };
        let names = distinct(&member.value)?;
        if let Some(name) = names.iter().find(|name| !declared.contains(name.as_str())) {
            return Err(fault(
                &member.value,
                format!("`{name}`"),
                "checks of mechanical_gates",
            ));
        }
        if checks.insert(format, names).is_some() {
            return Err(fault(&member.value, format.as_str(), "each format once"));
        }
    }
    if checks.len() != Format::BOTH.len() {
        return Err(wrong(value, "checks for HTML and for PPTX"));
    }
    Ok(checks)
}

fn baseline(value: &Value, cases: &[Case]) -> Read<Baseline> {
    let fields = object(value, &["date", "model", "reasoning_effort", "runs"])?;
    optional_texts(&fields, &["date"])?;
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let mut runs = BTreeMap::new();
    for item in fields.list("runs")? {
        let (cell, run) = baseline_run(item)?;
        if !ids.contains(cell.0.as_str()) {
            return Err(fault(
                item,
                format!("the case `{}`", cell.0),
                "a case of the suite",
            ));
        }
        if runs.insert(cell, run).is_some() {
            return Err(wrong(item, "each case and format once"));
        }
    }
    if runs.len() != cases.len() * Format::BOTH.len() {
        return Err(wrong(
            fields.get("runs")?,
            "a run for every case and format",
        ));
    }
    Ok(Baseline {
        model: fields.text("model")?.to_owned(),
        effort: fields.text("reasoning_effort")?.to_owned(),
        runs,
    })
}

fn baseline_run(value: &Value) -> Read<(Cell, BaselineRun)> {
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
    Ok((cell(&fields)?, run))
}

fn targets(value: &Value, cases: &[Case]) -> Read<Targets> {
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
    let modes: BTreeSet<&str> = cases.iter().map(|case| case.mode.as_str()).collect();
    if !limits.keys().map(String::as_str).eq(modes.iter().copied()) {
        return Err(wrong(by_mode, "limits for exactly the modes of the cases"));
    }
    Ok(Targets {
        minimum: Exact::from_percent(&minimum),
        limits,
    })
}

fn ratio_limits(value: &Value) -> Read<BTreeMap<String, RatioLimits>> {
    let mut limits = BTreeMap::new();
    for member in map(value)?.members {
        let fields = object(&member.value, &["total_tokens_max", "duration_max"])?;
        let tokens = limit(fields.get("total_tokens_max")?)?;
        let duration = limit(fields.get("duration_max")?)?;
        limits.insert(member.key.to_string(), RatioLimits { tokens, duration });
    }
    Ok(limits)
}

fn limit(value: &Value) -> Read<Exact> {
    let limit = number(value)?;
    if limit.is_positive() {
        Ok(limit)
    } else {
        Err(wrong(value, "a ratio above 0"))
    }
}
