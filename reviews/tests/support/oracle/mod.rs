// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules once more, written for the tests alone: whether a pair of records may pass at all.
//!
//! It shares no code with the library: it asks one long conjunction of the untyped documents, in
//! machine integers, and knows no reasons.

mod judging;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{fingerprint, hash};
use judging::{costs_hold, reviews_hold};

type Cells<'a> = BTreeMap<(String, String), &'a Value>;

/// Whether every rule holds and every gate passes.
pub fn may_pass(suite: &Value, runs: &Value) -> bool {
    passes(suite, runs).unwrap_or(false)
}

/// `None` where something is missing or of another type: then nothing may pass.
fn passes(suite: &Value, runs: &Value) -> Option<bool> {
    let suite_holds = suite_holds(suite)?;
    let evidence = &runs["protocol_evidence"];
    let keys = [
        "schema_version",
        "suite_id",
        "protocol_evidence",
        "runs",
        "semantic_reviews",
    ];
    let head = only(runs, &keys)?
        && runs["schema_version"] == "clara.html_deck_benchmark_runs.v1"
        && runs["suite_id"] == suite["suite_id"]
        && evidence_holds(suite, evidence)?;
    let by_cell = |list: &'_ Value| -> Option<Vec<(String, String)>> {
        list.as_array()?.iter().map(cell).collect()
    };
    let wanted: BTreeSet<(String, String)> = suite["cases"]
        .as_array()?
        .iter()
        .flat_map(|case| ["HTML", "PPTX"].map(|f| (words(&case["id"]), f.to_owned())))
        .collect();
    let mut matrices = true;
    let baseline = &suite["recorded_baseline"]["runs"];
    for list in [
        baseline,
        &runs["runs"],
        &evidence["review_packet_mappings"],
        &runs["semantic_reviews"],
    ] {
        let mut cells = by_cell(list)?;
        cells.sort();
        if !std::ptr::eq(list, &runs["semantic_reviews"]) {
            matrices &= cells.iter().cloned().collect::<BTreeSet<_>>() == wanted;
            matrices &= cells.len() == wanted.len();
        }
    }
    let runs_of = index(&runs["runs"])?;
    let packets = index(&evidence["review_packet_mappings"])?;
    let baselines = index(baseline)?;
    if !(suite_holds && head && matrices) {
        return Some(false);
    }
    let mut holds = fresh(&runs_of)?;
    for case in suite["cases"].as_array()? {
        holds &= case_holds(suite, case, &runs_of, &packets)?;
    }
    holds &= reviews_hold(
        suite,
        &runs["semantic_reviews"],
        &runs_of,
        &packets,
        &baselines,
        &wanted,
    )?;
    holds &= costs_hold(suite, &runs_of, &baselines)?;
    Some(holds)
}

fn only(value: &Value, keys: &[&str]) -> Option<bool> {
    Some(
        value
            .as_object()?
            .keys()
            .all(|key| keys.contains(&key.as_str())),
    )
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().trim().to_owned()
}

fn text(value: &Value) -> bool {
    !words(value).is_empty()
}

fn is_hash(value: &Value) -> bool {
    let good = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    value
        .as_str()
        .is_some_and(|text| text.len() == 64 && text.chars().all(good))
}

fn positive(value: &Value) -> bool {
    value
        .as_u64()
        .is_some_and(|count| (1..=1 << 53).contains(&count))
}

fn cell(value: &Value) -> Option<(String, String)> {
    Some((
        value["case_id"].as_str()?.trim().into(),
        value["format"].as_str()?.trim().to_uppercase(),
    ))
}

fn index(list: &Value) -> Option<Cells<'_>> {
    list.as_array()?
        .iter()
        .map(|item| Some((cell(item)?, item)))
        .collect()
}

fn texts(value: &Value, at_least: usize) -> Option<BTreeSet<String>> {
    let list = value.as_array()?;
    let set: BTreeSet<String> = list
        .iter()
        .map(words)
        .filter(|word| !word.is_empty())
        .collect();
    (set.len() == list.len() && set.len() >= at_least).then_some(set)
}

fn manifest_holds(value: &Value, source: bool) -> Option<bool> {
    let mut files = BTreeMap::new();
    let list = value["files"].as_array()?;
    let mut sound = only(value, &["algorithm", "manifest_sha256", "files"])?;
    for file in list {
        let path = words(&file["path"]);
        sound &= only(file, &["path", "sha256"])? && !path.is_empty() && is_hash(&file["sha256"]);
        sound &= !(source && (path.starts_with('/') || path.split('/').any(|part| part == "..")));
        files.insert(path, words(&file["sha256"]));
    }
    let lines: String = files
        .iter()
        .map(|(path, hash)| format!("{path}\0{hash}\n"))
        .collect();
    Some(
        sound
            && files.len() == list.len()
            && !(source && list.is_empty())
            && value["algorithm"] == "sha256"
            && value["manifest_sha256"] == hash(&lines),
    )
}

fn identity_holds(value: &Value) -> Option<bool> {
    let clara = &value["clara"];
    let other = &value["presentations"];
    let (a, b) = (
        [
            "version",
            "skill_sha256",
            "plugin_manifest_sha256",
            "runtime_tree_sha256",
        ],
        ["version", "skill_sha256", "skill_tree_sha256"],
    );
    Some(
        only(value, &["clara", "presentations"])?
            && only(clara, &a)?
            && only(other, &b)?
            && text(&clara["version"])
            && text(&other["version"])
            && a[1..].iter().all(|key| is_hash(&clara[key]))
            && b[1..].iter().all(|key| is_hash(&other[key])),
    )
}

fn suite_holds(suite: &Value) -> Option<bool> {
    let known = [
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
    ];
    let controls = suite["controls"].as_object()?;
    let judging = &suite["semantic_judgement"];
    let required = texts(&judging["required_reviewer_types"], 1)?;
    let optional = texts(&judging["optional_reviewer_types"], 0)?;
    let targets = &suite["candidate_targets"];
    let least = targets["minimum_html_median_improvement_percent"].as_f64()?;
    let gates = texts(&suite["mechanical_gates"], 1)?;
    let mut cases = !suite["cases"].as_array()?.is_empty();
    let mut modes = BTreeSet::new();
    for case in suite["cases"].as_array()? {
        cases &= suite_case_holds(case, &gates)?;
        modes.insert(words(&case["mode"]));
    }
    let limits = targets["format_ratio_limits_by_mode"].as_object()?;
    let mut limits_hold = limits.keys().cloned().collect::<BTreeSet<_>>() == modes;
    for limit in limits.values() {
        limits_hold &= only(limit, &["total_tokens_max", "duration_max"])?
            && limit["total_tokens_max"].as_f64()? > 0.0
            && limit["duration_max"].as_f64()? > 0.0;
    }
    let descriptive = |value: &Value| value.is_null() || text(value);
    Some(
        only(suite, &known)?
            && suite["schema_version"] == "clara.html_deck_benchmark_suite.v1"
            && text(&suite["suite_id"])
            && suite.get("purpose").is_none_or(text)
            && suite.get("fixture_root").is_none()
            && identity_holds(&suite["candidate_skill_identity"])?
            && suite["baseline_limitations"]["raw_prior_jsonl_available"] == false
            && only(
                &suite["baseline_limitations"],
                &[
                    "raw_prior_jsonl_available",
                    "historical_improvement_interpretation",
                    "primary_comparison",
                ],
            )?
            && controls.keys().map(String::as_str).collect::<BTreeSet<_>>()
                == super::CONTROLS.into_iter().collect()
            && controls.values().all(|value| *value == true)
            && only(
                judging,
                &[
                    "owner",
                    "required_reviewer_types",
                    "optional_reviewer_types",
                    "score_min",
                    "score_max",
                    "dimensions",
                ],
            )?
            && judging.get("owner").is_none_or(descriptive)
            && judging.get("owner").is_none_or(text)
            && required
                .union(&optional)
                .all(|kind| kind == "human" || kind == "model")
            && required.is_disjoint(&optional)
            && judging["score_min"].as_f64()? < judging["score_max"].as_f64()?
            && texts(&judging["dimensions"], 1).is_some()
            && cases
            && texts_of(suite["cases"].as_array()?, "id")
            && baseline_holds(&suite["recorded_baseline"])?
            && only(
                targets,
                &[
                    "quality_regression_allowed",
                    "minimum_html_median_improvement_percent",
                    "format_ratio_limits_by_mode",
                ],
            )?
            && targets["quality_regression_allowed"] == false
            && (0.0..=100.0).contains(&least)
            && limits_hold,
    )
}

fn texts_of(list: &[Value], key: &str) -> bool {
    let set: BTreeSet<String> = list.iter().map(|item| words(&item[key])).collect();
    set.len() == list.len() && !set.contains("")
}

fn suite_case_holds(case: &Value, gates: &BTreeSet<String>) -> Option<bool> {
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
    let formats: Vec<String> = case["required_formats"]
        .as_array()?
        .iter()
        .map(|format| words(format).to_uppercase())
        .collect();
    let mut sorted = formats.clone();
    sorted.sort();
    let checks = &case["required_checks_by_format"];
    Some(
        only(case, &known)?
            && ["create", "revise"].contains(&words(&case["mode"]).as_str())
            && known[2..5].iter().all(|key| text(&case[key]))
            && manifest_holds(&case["source_manifest"], true)?
            && manifest_holds(&case["baseline_evidence"], false)?
            && sorted == ["HTML", "PPTX"]
            && only(checks, &["HTML", "PPTX"])?
            && texts(&checks["HTML"], 1)?.is_subset(gates)
            && texts(&checks["PPTX"], 1)?.is_subset(gates),
    )
}

fn baseline_holds(baseline: &Value) -> Option<bool> {
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
    let mut holds = only(baseline, &["date", "model", "reasoning_effort", "runs"])?
        && text(&baseline["model"])
        && text(&baseline["reasoning_effort"])
        && baseline.get("date").is_none_or(text);
    for run in baseline["runs"].as_array()? {
        holds &= only(run, &known)?
            && known[2..5].iter().all(|key| positive(&run[key]))
            && is_hash(&run["artifact_sha256"])
            && is_hash(&run["render_set_sha256"])
            && run["artifact_validation"] == "pass";
    }
    Some(holds)
}

fn evidence_holds(suite: &Value, evidence: &Value) -> Option<bool> {
    let known = [
        "producer",
        "suite_fingerprint_sha256",
        "codex_cli_version",
        "recorded_at",
        "candidate_skill_identity",
        "candidate_skill_paths",
        "baseline_evidence_manifests",
        "review_packet_mappings",
    ];
    let identity = &evidence["candidate_skill_identity"];
    let paths = &evidence["candidate_skill_paths"];
    let version = |skill: &str| words(&suite["candidate_skill_identity"][skill]["version"]);
    let parts = |key: &str| -> Vec<String> {
        words(&paths[key])
            .split('/')
            .filter(|p| !p.is_empty() && *p != ".")
            .map(Into::into)
            .collect()
    };
    let manifests = evidence["baseline_evidence_manifests"].as_object()?;
    let cases = suite["cases"].as_array()?;
    let mut holds = manifests.len() == cases.len();
    for case in cases {
        holds &=
            manifests.get(&words(&case["id"]))? == &case["baseline_evidence"]["manifest_sha256"];
    }
    for packet in evidence["review_packet_mappings"].as_array()? {
        holds &= mapping_holds(packet)?;
    }
    Some(
        holds
            && only(evidence, &known)?
            && evidence["producer"] == "run_clara_deck_benchmark.py"
            && evidence["suite_fingerprint_sha256"] == fingerprint(suite)
            && text(&evidence["codex_cli_version"])
            && is_time(&evidence["recorded_at"])
            && identity_holds(identity)?
            && same_texts(identity, &suite["candidate_skill_identity"])
            && only(paths, &["clara_root", "presentations_root"])?
            && parts("clara_root").last()? == &version("clara")
            && parts("presentations_root").contains(&version("presentations")),
    )
}

/// Equal but for white space around texts.
fn same_texts(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, v)| b.get(key).is_some_and(|w| same_texts(v, w)))
        }
        _ if is_hash(b) => a == b,
        _ => a.is_string() && b.is_string() && words(a) == words(b),
    }
}

/// The mutations make no other time stamps than the two that the records hold and rubbish.
fn is_time(value: &Value) -> bool {
    micros(value).is_some()
}

/// Seconds of a time in the form `2026-07-14T10:01:40+00:00`, any sign between date and time.
fn micros(value: &Value) -> Option<i64> {
    let text = words(value).replace('Z', "+00:00");
    let shape = text.len() == 25 && text.is_ascii();
    let marks = [(4, '-'), (7, '-'), (13, ':'), (16, ':'), (22, ':')];
    let marked = |(at, mark): &(usize, char)| text.as_bytes()[*at] == *mark as u8;
    (shape && marks.iter().all(marked)).then_some(())?;
    let part = |from: usize, to: usize| {
        let digits = &text[from..to];
        digits
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(())?;
        digits.parse::<i64>().ok()
    };
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    let (hours, minutes) = (part(20, 22)?, part(23, 25)?);
    let zone = match &text[19..20] {
        "+" => hours * 60 + minutes,
        "-" => -hours * 60 - minutes,
        _ => return None,
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [
        31,
        28 + i64::from(leap),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let before = lengths.get(..usize::try_from(month - 1).ok()?)?;
    let fits = year > 0
        && (1..=*lengths.get(before.len())?).contains(&day)
        && (hour < 24 && minute < 60 && second < 60)
        && zone.abs() < 24 * 60;
    let years = year - 1;
    let days =
        years * 365 + years / 4 - years / 100 + years / 400 + before.iter().sum::<i64>() + day;
    fits.then_some(((days * 24 + hour) * 60 + minute - zone) * 60 + second)
}

/// Whether a run has a time in another form than the oracle reads: the seed takes many.
pub fn has_odd_times(runs: &Value) -> bool {
    let times = |run: &Value| {
        let protocol = &run["protocol"];
        [
            protocol["started_at"].clone(),
            protocol["completed_at"].clone(),
        ]
    };
    let all = runs["runs"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(times);
    all.chain([runs["protocol_evidence"]["recorded_at"].clone()])
        .any(|time| !is_time(&time))
}

fn mapping_holds(packet: &Value) -> Option<bool> {
    let known = [
        "packet_id",
        "case_id",
        "format",
        "candidate_label",
        "baseline_label",
        "prompt_sha256",
        "source_requirements_sha256",
        "candidate_render_set_sha256",
        "baseline_render_set_sha256",
    ];
    let labels = (
        packet["candidate_label"].as_str()?,
        packet["baseline_label"].as_str()?,
    );
    Some(
        only(packet, &known)?
            && text(&packet["packet_id"])
            && matches!(labels, ("A", "B") | ("B", "A"))
            && known[5..].iter().all(|key| is_hash(&packet[key])),
    )
}

fn folders(value: &Value) -> Vec<String> {
    words(value)
        .split('/')
        .filter(|p| !p.is_empty() && *p != ".")
        .map(Into::into)
        .collect()
}

fn fresh(runs: &Cells<'_>) -> Option<bool> {
    let mut workdirs = BTreeSet::new();
    let mut threads = BTreeSet::new();
    let mut inside = true;
    for run in runs.values() {
        let protocol = &run["protocol"];
        let workdir = (
            words(&protocol["isolated_workdir"]).starts_with('/'),
            folders(&protocol["isolated_workdir"]),
        );
        let output = (
            words(&protocol["output_root"]).starts_with('/'),
            folders(&protocol["output_root"]),
        );
        inside &= workdir.0 == output.0 && output.1.starts_with(&workdir.1);
        inside &= !output.1.contains(&"..".into()) && !workdir.1.contains(&"..".into());
        workdirs.insert(workdir);
        threads.insert(words(&protocol["thread_id"]));
    }
    Some(
        inside
            && workdirs.len() == runs.len()
            && threads.len() == runs.len()
            && !threads.contains(""),
    )
}

fn case_holds(suite: &Value, case: &Value, runs: &Cells<'_>, packets: &Cells<'_>) -> Option<bool> {
    let key = |format: &str| (words(&case["id"]), format.to_owned());
    let (html, pptx) = (*runs.get(&key("HTML"))?, *runs.get(&key("PPTX"))?);
    let mut holds = run_holds(suite, case, "HTML", html, packets.get(&key("HTML"))?)?
        && run_holds(suite, case, "PPTX", pptx, packets.get(&key("PPTX"))?)?;
    let (h, p) = (&html["protocol"], &pptx["protocol"]);
    holds &= h["normalized_prompt_sha256"] == p["normalized_prompt_sha256"];
    holds &= h["prompt_sha256"] != p["prompt_sha256"];
    holds &= micros(&h["started_at"])? < micros(&p["completed_at"])?;
    holds &= micros(&p["started_at"])? < micros(&h["completed_at"])?;
    Some(holds)
}

fn run_holds(
    suite: &Value,
    case: &Value,
    format: &str,
    run: &Value,
    packet: &Value,
) -> Option<bool> {
    let known = [
        "case_id",
        "format",
        "duration_ms",
        "total_tokens",
        "input_tokens",
        "cached_input_tokens",
        "output_tokens",
        "noncached_input_plus_output_tokens",
        "tool_calls",
        "process_exit_code",
        "execution_identity",
        "protocol",
        "artifact",
        "checks",
    ];
    let count = |key: &str| run[key].as_u64();
    let (input, cached, output) = (
        count("input_tokens")?,
        count("cached_input_tokens")?,
        count("output_tokens")?,
    );
    let identity = &run["execution_identity"];
    let skill = if format == "HTML" {
        "clara"
    } else {
        "presentations"
    };
    let required = texts(&case["required_checks_by_format"][format], 1)?;
    let checks = run["checks"].as_object()?;
    let baseline = &suite["recorded_baseline"];
    Some(
        only(run, &known)?
            && ["duration_ms", "tool_calls", "total_tokens"]
                .iter()
                .all(|key| positive(&run[key]))
            && input > 0
            && output > 0
            && cached <= input
            && count("total_tokens")? == input.checked_add(output)?
            && count("noncached_input_plus_output_tokens")?
                == (input - cached).checked_add(output)?
            && run["process_exit_code"].as_i64() == Some(0)
            && only(
                identity,
                &["model", "reasoning_effort", "enforced_by", "skill_identity"],
            )?
            && words(&identity["model"]) == words(&baseline["model"])
            && words(&identity["reasoning_effort"]) == words(&baseline["reasoning_effort"])
            && identity["enforced_by"] == "codex_cli_explicit_override"
            && same_texts(
                &identity["skill_identity"],
                &suite["candidate_skill_identity"][skill],
            )
            && protocol_holds(
                &run["protocol"],
                &case["source_manifest"]["manifest_sha256"],
            )?
            && artifact_holds(&run["artifact"], packet, &required)?
            && checks.keys().cloned().collect::<BTreeSet<_>>() == required
            && checks.values().all(|value| *value == true),
    )
}

fn protocol_holds(protocol: &Value, source: &Value) -> Option<bool> {
    let known = [
        "ephemeral",
        "source_manifest_verified",
        "sealed_task_verified_before_after",
        "prompt_sha256",
        "normalized_prompt_sha256",
        "sealed_task_manifest_sha256",
        "event_log_sha256",
        "isolated_workdir",
        "output_root",
        "thread_id",
        "source_manifest_sha256",
        "read_audit",
        "started_at",
        "completed_at",
    ];
    Some(
        only(protocol, &known)?
            && known[..3].iter().all(|key| protocol[key] == true)
            && known[3..7].iter().all(|key| is_hash(&protocol[key]))
            && known[7..10].iter().all(|key| text(&protocol[key]))
            && protocol["source_manifest_sha256"] == *source
            && protocol["read_audit"] == "pass"
            && micros(&protocol["started_at"])? < micros(&protocol["completed_at"])?,
    )
}

fn artifact_holds(artifact: &Value, packet: &Value, required: &BTreeSet<String>) -> Option<bool> {
    let slides = artifact["rendered_slides"].as_array()?;
    let mut lines = String::new();
    let mut holds = !slides.is_empty();
    for (at, slide) in slides.iter().enumerate() {
        let sized = slide["width"] == 1280 && slide["height"] == 720;
        holds &= only(
            slide,
            &["path", "sha256", "bytes", "width", "height", "renderer"],
        )? && text(&slide["path"])
            && text(&slide["renderer"])
            && is_hash(&slide["sha256"])
            && ["bytes", "width", "height"]
                .iter()
                .all(|key| positive(&slide[key]))
            && (sized || !required.contains("rendered_dimensions"));
        lines += &format!("{}\0{}\n", at + 1, words(&slide["sha256"]));
    }
    Some(
        holds
            && only(
                artifact,
                &[
                    "path",
                    "sha256",
                    "bytes",
                    "render_set_sha256",
                    "rendered_slides",
                ],
            )?
            && text(&artifact["path"])
            && is_hash(&artifact["sha256"])
            && positive(&artifact["bytes"])
            && artifact["render_set_sha256"] == hash(&lines)
            && packet["candidate_render_set_sha256"] == hash(&lines),
    )
}
