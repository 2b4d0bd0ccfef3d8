// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seed's summary (C71–C74), and beside it the exact verdict of the one gate engine.

use std::collections::BTreeMap;

use super::figures;
use super::halves::{both, in_halves};
use super::judgements::{Judgements, KINDS};
use super::python::Json;
use super::runs::Run;
use super::suite::{Case, Format, Suite};
use super::table::{Cell, Table};
use crate::exact::Exact;
use crate::gates::{self, Figure, Verdict};

const SUMMARY_SCHEMA: &str = "clara.html_deck_benchmark_summary.v1";

/// All that was read and is sound.
pub(super) struct Evidence<'a> {
    pub(super) suite: Suite<'a>,
    pub(super) runs: Table<Run<'a>>,
    pub(super) controls: BTreeMap<&'static str, bool>,
    pub(super) judgements: Judgements,
}

/// What did not hold, in the seed's own words.
struct Failures {
    controls: BTreeMap<&'static str, bool>,
    mechanical: Vec<String>,
    semantic: Vec<String>,
}

/// One case with its four figures' sources.
struct Row<'a> {
    case: &'a Case<'a>,
    html: &'a Run<'a>,
    pptx: &'a Run<'a>,
    html_baseline: (u64, u64),
    pptx_baseline: (u64, u64),
}

pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// The summary in the seed's schema.
    pub(super) text: String,
    /// The seed's own reading of its target checks, by rounded figures.
    pub(super) reference_passed: bool,
}

/// Judges the evidence.
pub(super) fn judge(evidence: &Evidence<'_>) -> Answer {
    let failures = failures(evidence);
    let rows = rows(evidence);
    let (verdict, comparisons) = both(
        || Verdict::of(exact_gates(&evidence.suite, &failures, &rows)),
        || comparisons(&rows),
    );
    let shown = Shown::of(&rows);
    let targets = target_checks(&evidence.suite, &failures, &rows, &shown);
    let reference_passed = targets.values().all(|passed| *passed);
    let document = document(evidence, &failures, comparisons, &shown, &targets, &verdict);
    Answer {
        text: document.pretty(),
        verdict,
        reference_passed,
    }
}

fn failures(evidence: &Evidence<'_>) -> Failures {
    let Evidence { suite, runs, .. } = evidence;
    let unsound = |cell: &Cell| runs.get(*cell).is_none_or(|run| !run.is_sound());
    Failures {
        controls: evidence.controls.clone(),
        mechanical: suite
            .cells()
            .filter(unsound)
            .map(|cell| suite.name(cell))
            .collect(),
        semantic: semantic_failures(suite, &evidence.judgements),
    }
}

fn semantic_failures(suite: &Suite<'_>, judgements: &Judgements) -> Vec<String> {
    let mut semantic: Vec<String> = Vec::new();
    for kind in KINDS {
        let required = suite.judgement.required.contains(&kind);
        for cell in suite.cells() {
            match judgements.of(kind).get(cell) {
                Some(true) => {}
                Some(false) => {
                    semantic.push(format!("{}:{kind}_semantic_regression", suite.name(cell)));
                }
                None if required => {
                    semantic.push(format!("{}:missing_{kind}_review", suite.name(cell)));
                }
                None => {}
            }
        }
    }
    semantic.sort();
    semantic
}

/// One row for each case; a case without its runs was refused when they were read.
fn rows<'a>(evidence: &'a Evidence<'a>) -> Vec<Row<'a>> {
    let row = |(case, found): (usize, &'a Case<'a>)| {
        let cell = |format| Cell { case, format };
        let run = |format| evidence.runs.get(cell(format));
        let baseline = |format| {
            let run = evidence.suite.baseline.runs.get(cell(format))?;
            Some((run.total_tokens, run.duration_ms))
        };
        Some(Row {
            case: found,
            html: run(Format::Html)?,
            pptx: run(Format::Pptx)?,
            html_baseline: baseline(Format::Html)?,
            pptx_baseline: baseline(Format::Pptx)?,
        })
    };
    evidence
        .suite
        .cases
        .iter()
        .enumerate()
        .filter_map(row)
        .collect()
}

fn exact_gates(suite: &Suite<'_>, failures: &Failures, rows: &[Row<'_>]) -> Vec<gates::Gate> {
    let known = |count: u64| Figure::of(Exact::from(count));
    let cases = |of: fn(&Row<'_>) -> (u64, u64)| -> Vec<(String, Figure, Figure)> {
        let case = |row: &Row<'_>| {
            let (baseline, candidate) = of(row);
            (row.case.id.to_owned(), known(baseline), known(candidate))
        };
        rows.iter().map(case).collect()
    };
    let tokens = cases(|row| (row.html_baseline.0, row.html.total_tokens));
    let times = cases(|row| (row.html_baseline.1, row.html.duration_ms));
    let failed = failed_controls(failures);
    let mut gates = vec![
        gates::protocol_controls(Ok(failed)),
        gates::mechanical_checks(Ok(failures.mechanical.clone())),
        gates::semantic_non_regression(Ok(failures.semantic.clone())),
        gates::median_token_improvement(&tokens, &suite.targets.minimum),
        gates::median_duration_improvement(&times, &suite.targets.minimum),
    ];
    let ratios = in_halves(rows, |row| {
        let (case, limits) = (row.case.id, suite.targets.limits.get(row.case.mode)?);
        let (html, pptx) = (known(row.html.total_tokens), known(row.pptx.total_tokens));
        let tokens = gates::token_ratio(case, &html, &pptx, &limits.tokens);
        let (html, pptx) = (known(row.html.duration_ms), known(row.pptx.duration_ms));
        let duration = gates::duration_ratio(case, &html, &pptx, &limits.duration);
        Some([tokens, duration])
    });
    gates.extend(ratios.into_iter().flatten().flatten());
    gates
}

fn failed_controls(failures: &Failures) -> Vec<String> {
    let failed = failures.controls.iter().filter(|(_, held)| !**held);
    failed.map(|(name, _)| (*name).to_owned()).collect()
}

/// The medians over cases as shown.
struct Shown {
    tokens: f64,
    duration: f64,
}

impl Shown {
    fn of(rows: &[Row<'_>]) -> Self {
        let tokens = |row: &Row<'_>| {
            figures::improvement_percent(row.html_baseline.0, row.html.total_tokens)
        };
        let duration =
            |row: &Row<'_>| figures::improvement_percent(row.html_baseline.1, row.html.duration_ms);
        Self {
            tokens: figures::median(&rows.iter().map(tokens).collect::<Vec<_>>()),
            duration: figures::median(&rows.iter().map(duration).collect::<Vec<_>>()),
        }
    }
}

/// The seed's target checks as it reads them: from rounded figures, and with one key for each mode,
/// where the last case of the mode stands. They are reported; the verdict comes from exact gates.
fn target_checks(
    suite: &Suite<'_>,
    failures: &Failures,
    rows: &[Row<'_>],
    shown: &Shown,
) -> BTreeMap<String, bool> {
    let least = suite.targets.minimum.to_percent().approximate();
    let mut checks = BTreeMap::from([
        (
            "protocol_controls".to_owned(),
            failures.controls.values().all(|held| *held),
        ),
        (
            "mechanical_quality".to_owned(),
            failures.mechanical.is_empty(),
        ),
        (
            "semantic_non_regression".to_owned(),
            failures.semantic.is_empty(),
        ),
        (
            "html_median_token_improvement".to_owned(),
            shown.tokens >= least,
        ),
        (
            "html_median_duration_improvement".to_owned(),
            shown.duration >= least,
        ),
    ]);
    for row in rows {
        let Some(limits) = suite.targets.limits.get(row.case.mode) else {
            continue;
        };
        let mode = row.case.mode;
        let tokens = figures::ratio(row.html.total_tokens, row.pptx.total_tokens);
        let duration = figures::ratio(row.html.duration_ms, row.pptx.duration_ms);
        let holds = |ratio: f64, limit: &Exact| ratio <= limit.approximate();
        checks.insert(format!("{mode}_token_ratio"), holds(tokens, &limits.tokens));
        checks.insert(
            format!("{mode}_duration_ratio"),
            holds(duration, &limits.duration),
        );
    }
    checks
}

fn document<'a>(
    evidence: &'a Evidence<'_>,
    failures: &'a Failures,
    comparisons: Json<'a>,
    shown: &Shown,
    targets: &'a BTreeMap<String, bool>,
    verdict: &'a Verdict,
) -> Json<'a> {
    let mut quality: Vec<&String> = failures
        .mechanical
        .iter()
        .chain(&failures.semantic)
        .collect();
    quality.sort();
    let truths = |truths: &'a BTreeMap<String, bool>| {
        Json::object(
            truths
                .iter()
                .map(|(key, truth)| (key.as_str(), Json::Bool(*truth))),
        )
    };
    let controls = failures
        .controls
        .iter()
        .map(|(key, held)| (*key, Json::Bool(*held)));
    let result = if verdict.passed() { "pass" } else { "fail" };
    let mut members = vec![
        ("schema_version", Json::text(SUMMARY_SCHEMA)),
        ("suite_id", Json::text(evidence.suite.id)),
        ("result", Json::text(result)),
        ("protocol_controls", Json::object(controls)),
        ("failed_controls", Json::texts(failed_controls(failures))),
        ("mechanical_failures", Json::texts(&failures.mechanical)),
        ("semantic_failures", Json::texts(&failures.semantic)),
        ("quality_failures", Json::texts(quality)),
        (
            "html_median_improvement",
            Json::object([
                ("tokens_percent", Json::Double(shown.tokens)),
                ("duration_percent", Json::Double(shown.duration)),
            ]),
        ),
        ("comparisons", comparisons),
        ("target_checks", truths(targets)),
    ];
    if targets.values().all(|passed| *passed) != verdict.passed() {
        members.push(("exact_gates", exact_section(verdict)));
    }
    Json::object(members)
}

/// Where rounding or a shared mode would hide the reason for the result, every gate is shown.
fn exact_section(verdict: &Verdict) -> Json<'_> {
    let gate = |gate: &'_ gates::Gate| {
        let members = [
            ("passed", Json::Bool(gate.passed())),
            ("reason", Json::text(gate.reason().to_owned())),
        ];
        (gate.name().to_owned(), Json::object(members))
    };
    Json::object(verdict.gates().iter().map(gate))
}

/// The largest part of a summary, as the text that it is there.
fn comparisons(rows: &[Row<'_>]) -> Json<'static> {
    let texts = in_halves(rows, |row| compared(row).written(2));
    let ids = rows.iter().map(|row| row.case.id.to_owned());
    Json::object(ids.zip(texts))
}

fn compared<'a>(row: &Row<'a>) -> Json<'a> {
    let (html, pptx) = (row.html, row.pptx);
    let ratio = |of: fn(&Run<'_>) -> u64| Json::Double(figures::ratio(of(html), of(pptx)));
    Json::object([
        ("HTML", arm(row.case, Format::Html, html, row.html_baseline)),
        ("PPTX", arm(row.case, Format::Pptx, pptx, row.pptx_baseline)),
        (
            "html_to_pptx",
            Json::object([
                ("duration_ratio", ratio(|run| run.duration_ms)),
                (
                    "noncached_input_plus_output_tokens_ratio",
                    ratio(|run| run.noncached),
                ),
                ("output_tokens_ratio", ratio(|run| run.output_tokens)),
                ("tool_calls_ratio", ratio(|run| run.tool_calls)),
                ("total_tokens_ratio", ratio(|run| run.total_tokens)),
            ]),
        ),
        ("mode", Json::text(row.case.mode)),
    ])
}

fn arm<'a>(case: &'a Case<'a>, format: Format, run: &'a Run<'a>, baseline: (u64, u64)) -> Json<'a> {
    let (tokens, duration) = baseline;
    let validation = if run.is_sound() { "pass" } else { "fail" };
    let saved =
        |baseline, candidate| Json::Double(figures::improvement_percent(baseline, candidate));
    Json::object([
        ("artifact_sha256", Json::text(run.artifact.as_str())),
        ("artifact_validation", Json::text(validation)),
        (
            "duration_improvement_vs_baseline_percent",
            saved(duration, run.duration_ms),
        ),
        ("duration_ms", Json::Count(run.duration_ms)),
        (
            "failed_checks",
            Json::texts(run.failed_checks.iter().copied()),
        ),
        (
            "noncached_input_plus_output_tokens",
            Json::Count(run.noncached),
        ),
        ("output_tokens", Json::Count(run.output_tokens)),
        (
            "required_checks",
            Json::texts(case.checks(format).iter().copied()),
        ),
        (
            "token_improvement_vs_baseline_percent",
            saved(tokens, run.total_tokens),
        ),
        ("tool_calls", Json::Count(run.tool_calls)),
        ("total_tokens", Json::Count(run.total_tokens)),
    ])
}
