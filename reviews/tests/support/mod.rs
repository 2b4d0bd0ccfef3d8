// SPDX-License-Identifier: MIT OR Apache-2.0
//! A valid pair of seed records made from nothing, and what tests need to bend it.

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod oracle;

use deckproof_packets::hash::Sha256Hex;
use deckproof_reviews::seed::{Document, SeedError, SeedSummary, summarize_seed};
use serde_json::{Value, json};

pub const DIMENSIONS: [&str; 3] = ["fidelity", "story", "clarity"];
const CHECKS: [&str; 3] = ["artifact_exists", "rendered_dimensions", "render_qa"];
const CONTROLS: [&str; 7] = [
    "fresh_ephemeral_runs",
    "same_model_and_reasoning_effort",
    "concurrent_format_runs",
    "prompts_differ_only_by_target_format",
    "no_prior_run_or_opposite_format_reads",
    "same_source_package",
    "sealed_inputs_immutable",
];

/// A suite and its runs.
#[derive(Debug, Clone)]
pub struct Pair {
    pub suite: Value,
    pub runs: Value,
}

pub fn hash(text: &str) -> String {
    Sha256Hex::of(text.as_bytes()).to_string()
}

fn lines_hash(lines: &[(String, String)]) -> String {
    let text: String = lines
        .iter()
        .map(|(name, hash)| format!("{name}\0{hash}\n"))
        .collect();
    hash(&text)
}

fn manifest(prefix: &str) -> Value {
    let files: Vec<(String, String)> = (0..2)
        .map(|at| (format!("{prefix}/{at}.bin"), hash(&format!("{prefix}{at}"))))
        .collect();
    json!({
        "algorithm": "sha256",
        "manifest_sha256": lines_hash(&files),
        "files": files.iter().map(|(path, hash)| json!({"path": path, "sha256": hash}))
            .collect::<Vec<_>>(),
    })
}

fn clara() -> Value {
    json!({
        "version": "0.1.73", "skill_sha256": hash("c1"),
        "plugin_manifest_sha256": hash("c2"), "runtime_tree_sha256": hash("c3"),
    })
}

fn presentations() -> Value {
    json!({"version": "26.7", "skill_sha256": hash("p1"), "skill_tree_sha256": hash("p2")})
}

/// The modes give the number of cases. HTML takes `tokens` of 1000 and `time` of 100000.
pub fn pair(modes: &[&str]) -> Pair {
    let cases: Vec<(String, &str)> = modes
        .iter()
        .enumerate()
        .map(|(at, mode)| (format!("case-{at}"), *mode))
        .collect();
    let mut runs = runs(&cases);
    let suite = suite(&cases);
    runs["protocol_evidence"]["suite_fingerprint_sha256"] = json!(fingerprint(&suite));
    Pair { suite, runs }
}

/// `serde_json` writes sorted keys and no spaces too, and these records hold no odd doubles.
pub fn fingerprint(suite: &Value) -> String {
    hash(&serde_json::to_string(suite).unwrap())
}

fn cells(cases: &[(String, &str)]) -> Vec<(String, &'static str)> {
    let of_case = |(id, _): &(String, &str)| [(id.clone(), "HTML"), (id.clone(), "PPTX")];
    cases.iter().flat_map(of_case).collect()
}

fn suite(cases: &[(String, &str)]) -> Value {
    let case = |(id, mode): &(String, &str)| {
        json!({
            "id": id, "mode": mode, "fixture_subdirectory": "f", "instruction_file": "brief.txt",
            "spec_file": "spec.json", "source_manifest": manifest(&format!("{id}/source")),
            "baseline_evidence": manifest(&format!("{id}/baseline")),
            "required_formats": ["HTML", "PPTX"],
            "required_checks_by_format": {"HTML": CHECKS[..2], "PPTX": CHECKS[1..]},
        })
    };
    let baseline = |(id, format): &(String, &str)| {
        json!({
            "case_id": id, "format": format, "duration_ms": 200_000, "total_tokens": 2000,
            "tool_calls": 9, "artifact_sha256": hash(&format!("baseline {id} {format}")),
            "render_set_sha256": hash(&format!("old renders {id} {format}")),
            "artifact_validation": "pass",
        })
    };
    let mut limits = json!({});
    for (_, mode) in cases {
        limits[*mode] = json!({"total_tokens_max": 1.05, "duration_max": 1.2});
    }
    json!({
        "schema_version": "clara.html_deck_benchmark_suite.v1",
        "suite_id": "suite-1",
        "purpose": "to test",
        "candidate_skill_identity": {"clara": clara(), "presentations": presentations()},
        "baseline_limitations": {"raw_prior_jsonl_available": false},
        "controls": CONTROLS.iter().map(|name| (name.to_string(), json!(true)))
            .collect::<serde_json::Map<_, _>>(),
        "semantic_judgement": {
            "owner": "model", "required_reviewer_types": ["model"],
            "optional_reviewer_types": ["human"], "score_min": 1, "score_max": 5,
            "dimensions": DIMENSIONS,
        },
        "mechanical_gates": CHECKS,
        "cases": cases.iter().map(case).collect::<Vec<_>>(),
        "recorded_baseline": {
            "date": "2026-07-13", "model": "model-1", "reasoning_effort": "high",
            "runs": cells(cases).iter().map(baseline).collect::<Vec<_>>(),
        },
        "candidate_targets": {
            "quality_regression_allowed": false,
            "minimum_html_median_improvement_percent": 30.0,
            "format_ratio_limits_by_mode": limits,
        },
    })
}

fn slides(id: &str, format: &str) -> (Vec<Value>, String) {
    let hashes: Vec<(String, String)> = (1..=2)
        .map(|at| (at.to_string(), hash(&format!("{id} {format} slide {at}"))))
        .collect();
    let slide = |(at, hash): &(String, String)| {
        json!({
            "path": format!("/w/{id}/{format}/{at}.png"), "sha256": hash, "bytes": 5000,
            "width": 1280, "height": 720, "renderer": "chromium",
        })
    };
    (hashes.iter().map(slide).collect(), lines_hash(&hashes))
}

fn runs(cases: &[(String, &str)]) -> Value {
    let cells = cells(cases);
    let evidence: serde_json::Map<String, Value> = cases
        .iter()
        .map(|(id, _)| {
            (
                id.clone(),
                manifest(&format!("{id}/baseline"))["manifest_sha256"].clone(),
            )
        })
        .collect();
    json!({
        "schema_version": "clara.html_deck_benchmark_runs.v1",
        "suite_id": "suite-1",
        "protocol_evidence": {
            "producer": "run_clara_deck_benchmark.py",
            "suite_fingerprint_sha256": "",
            "codex_cli_version": "codex-cli 1.0",
            "recorded_at": "2026-07-14T11:00:00+00:00",
            "candidate_skill_identity": {"clara": clara(), "presentations": presentations()},
            "candidate_skill_paths": {
                "clara_root": "/p/clara/0.1.73", "presentations_root": "/p/26.7/skills",
            },
            "baseline_evidence_manifests": evidence,
            "review_packet_mappings": cells.iter().map(mapping).collect::<Vec<_>>(),
        },
        "runs": cells.iter().map(|(id, format)| run(id, format)).collect::<Vec<_>>(),
        "semantic_reviews": cells.iter().map(review).collect::<Vec<_>>(),
    })
}

/// HTML candidates are A, PPTX candidates B.
fn mapping((id, format): &(String, &str)) -> Value {
    let (candidate, baseline) = if *format == "HTML" {
        ("A", "B")
    } else {
        ("B", "A")
    };
    json!({
        "packet_id": format!("packet {id} {format}"), "case_id": id, "format": format,
        "candidate_label": candidate, "baseline_label": baseline,
        "prompt_sha256": hash("review prompt"),
        "source_requirements_sha256": hash(&format!("requirements {id}")),
        "candidate_render_set_sha256": slides(id, format).1,
        "baseline_render_set_sha256": hash(&format!("renders {id} {format}")),
    })
}

fn run(id: &str, format: &str) -> Value {
    let (identity, checks) = match format {
        "HTML" => (clara(), &CHECKS[..2]),
        _ => (presentations(), &CHECKS[1..]),
    };
    let (slides, render_set) = slides(id, format);
    let workdir = format!("/w/{id}/{format}");
    json!({
        "case_id": id, "format": format, "duration_ms": 100_000, "total_tokens": 1000,
        "input_tokens": 800, "cached_input_tokens": 300, "output_tokens": 200,
        "noncached_input_plus_output_tokens": 700, "tool_calls": 5, "process_exit_code": 0,
        "execution_identity": {
            "model": "model-1", "reasoning_effort": "high",
            "enforced_by": "codex_cli_explicit_override", "skill_identity": identity,
        },
        "protocol": {
            "ephemeral": true, "isolated_workdir": workdir,
            "output_root": format!("{workdir}/output"),
            "prompt_sha256": hash(&format!("prompt {id} {format}")),
            "normalized_prompt_sha256": hash(&format!("prompt {id}")),
            "source_manifest_sha256": manifest(&format!("{id}/source"))["manifest_sha256"],
            "source_manifest_verified": true,
            "sealed_task_manifest_sha256": hash(&format!("task {id} {format}")),
            "sealed_task_verified_before_after": true,
            "event_log_sha256": hash(&format!("log {id} {format}")),
            "thread_id": format!("thread {id} {format}"), "read_audit": "pass",
            "started_at": "2026-07-14T10:00:00Z", "completed_at": "2026-07-14T10:01:40+00:00",
        },
        "artifact": {
            "path": format!("{workdir}/output/deck"),
            "sha256": hash(&format!("artifact {id} {format}")), "bytes": 90_000,
            "render_set_sha256": render_set, "rendered_slides": slides,
        },
        "checks": checks.iter().map(|name| (name.to_string(), json!(true)))
            .collect::<serde_json::Map<_, _>>(),
    })
}

fn review(cell: &(String, &'static str)) -> Value {
    let (id, format) = cell;
    let mapping = mapping(cell);
    let label = |score: i32| -> serde_json::Map<String, Value> {
        let judgement = |name: &str| json!({"score": score, "pass": true, "rationale": name});
        DIMENSIONS
            .iter()
            .map(|name| (name.to_string(), judgement(name)))
            .collect()
    };
    let (a, b) = if *format == "HTML" { (4, 3) } else { (3, 3) };
    json!({
        "case_id": id, "format": format,
        "reviewer": {
            "type": "model", "id": "r-1", "model": "judge",
            "thread_id": format!("review {id} {format}"),
        },
        "review_packet_id": mapping["packet_id"],
        "review_prompt_sha256": mapping["prompt_sha256"],
        "source_requirements_sha256": mapping["source_requirements_sha256"],
        "candidate_artifact_sha256": hash(&format!("artifact {id} {format}")),
        "baseline_artifact_sha256": hash(&format!("baseline {id} {format}")),
        "candidate_render_set_sha256": mapping["candidate_render_set_sha256"],
        "baseline_render_set_sha256": mapping["baseline_render_set_sha256"],
        "scores_by_label": {"A": label(a), "B": label(b)},
        "overall_rationale": "both are fine",
    })
}

impl Pair {
    /// States the fingerprint of the suite as it is now.
    pub fn refresh(&mut self) {
        self.runs["protocol_evidence"]["suite_fingerprint_sha256"] =
            json!(fingerprint(&self.suite));
    }

    pub fn summarize(&self) -> Result<SeedSummary, SeedError> {
        self.summarize_text(&serde_json::to_vec(&self.runs).unwrap())
    }

    /// The same with the runs document turned around: its reviews stand before its runs, so that it
    /// cannot be read item by item.
    pub fn summarize_turned(&self) -> Result<SeedSummary, SeedError> {
        let members = self.runs.as_object().into_iter().flatten();
        let text = |(key, value): (&String, &Value)| format!("{}:{value}", json!(key));
        let members: Vec<String> = members.map(text).rev().collect();
        self.summarize_text(format!("{{{}}}", members.join(",")).as_bytes())
    }

    fn summarize_text(&self, runs: &[u8]) -> Result<SeedSummary, SeedError> {
        let suite = serde_json::to_vec(&self.suite).unwrap();
        summarize_seed(
            Document {
                file: "suite.json",
                bytes: &suite,
            },
            Document {
                file: "runs.json",
                bytes: runs,
            },
        )
    }

    /// 0, 1 or 2.
    pub fn exit_code(&self) -> u8 {
        self.summarize()
            .map_or(2, |summary| summary.verdict().exit_code())
    }
}
