// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each gate and control of the seed failing alone, each intended difference, and each refusal with
//! its place.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on stops"
)]

mod support;

use deckproof_reviews::gates::Gate;
use deckproof_reviews::seed::{Document, summarize_seed};
use serde_json::{Value, json};
use support::{Pair, hash, pair};

fn failing(pair: &Pair) -> Vec<String> {
    let summary = pair.summarize().unwrap();
    summary
        .verdict()
        .failing()
        .map(|gate| gate.name().to_owned())
        .collect()
}

fn document(pair: &Pair) -> Value {
    serde_json::from_str(pair.summarize().unwrap().text()).unwrap()
}

fn set(document: &mut Value, path: &str, value: Value) {
    *document
        .pointer_mut(path)
        .unwrap_or_else(|| panic!("no {path}")) = value;
}

fn with_runs(path: &str, value: Value) -> Pair {
    let mut pair = pair(&["create", "revise"]);
    set(&mut pair.runs, path, value);
    pair
}

fn with_suite(path: &str, value: Value) -> Pair {
    let mut pair = pair(&["create", "revise"]);
    set(&mut pair.suite, path, value);
    pair.refresh();
    pair
}

/// Sets the HTML tokens of a case and all that must add up with them.
fn set_tokens(pair: &mut Pair, run: usize, total: u64) {
    let run = &mut pair.runs["runs"][run];
    run["total_tokens"] = json!(total);
    run["output_tokens"] = json!(total - 800);
    run["noncached_input_plus_output_tokens"] = json!(total - 300);
}

#[test]
fn a_valid_pair_passes_and_says_so() {
    let pair = pair(&["create", "revise"]);
    let summary = pair.summarize().unwrap();
    assert_eq!(summary.verdict().exit_code(), 0);
    assert!(summary.reference_passed());
    assert_eq!(summary.verdict().gates().len(), 9);
    let document = document(&pair);
    assert_eq!(document["result"], "pass");
    assert_eq!(
        document["html_median_improvement"]["tokens_percent"],
        json!(50.0)
    );
    assert_eq!(
        document["comparisons"]["case-0"]["html_to_pptx"]["duration_ratio"],
        json!(1.0)
    );
    assert!(document.get("exact_gates").is_none());
}

#[test]
fn each_control_fails_alone() {
    for (path, value, control) in [
        (
            "/runs/1/protocol/thread_id",
            json!("thread case-0 HTML"),
            "fresh_ephemeral_runs",
        ),
        (
            "/runs/1/protocol/isolated_workdir",
            json!("/w/case-0"),
            "fresh_ephemeral_runs",
        ),
        (
            "/runs/0/protocol/output_root",
            json!("/w/case-0/HTMLx/output"),
            "fresh_ephemeral_runs",
        ),
        (
            "/runs/0/execution_identity/model",
            json!("m"),
            "same_model_and_reasoning_effort",
        ),
        (
            "/runs/0/execution_identity/reasoning_effort",
            json!("l"),
            "same_model_and_reasoning_effort",
        ),
        (
            "/runs/0/protocol/started_at",
            json!("2026-07-14T09:00Z"),
            "",
        ),
        (
            "/runs/0/protocol/prompt_sha256",
            json!(hash("prompt case-0 PPTX")),
            "prompts_differ_only_by_target_format",
        ),
        (
            "/runs/0/protocol/normalized_prompt_sha256",
            json!(hash("n")),
            "prompts_differ_only_by_target_format",
        ),
        (
            "/runs/3/protocol/read_audit",
            json!("fail"),
            "no_prior_run_or_opposite_format_reads",
        ),
    ] {
        let mut pair = with_runs(path, value);
        if path.ends_with("isolated_workdir") {
            set(
                &mut pair.runs,
                "/runs/0/protocol/isolated_workdir",
                json!("/w//case-0/"),
            );
        }
        match control {
            "" => assert!(failing(&pair).is_empty(), "a longer run overlaps still"),
            _ => {
                assert_eq!(failing(&pair), ["protocol_controls"], "{path}");
                assert_eq!(
                    document(&pair)["failed_controls"],
                    json!([control]),
                    "{path}"
                );
            }
        }
    }
}

#[test]
fn runs_one_after_the_other_are_not_concurrent() {
    let mut pair = with_runs(
        "/runs/0/protocol/completed_at",
        json!("2026-07-14T10:00:30Z"),
    );
    set(
        &mut pair.runs,
        "/runs/1/protocol/started_at",
        json!("2026-07-14T12:00:30+02:00"),
    );
    assert_eq!(
        document(&pair)["failed_controls"],
        json!(["concurrent_format_runs"])
    );
}

#[test]
fn each_other_gate_fails_alone() {
    let check = with_runs("/runs/1/checks/render_qa", json!(false));
    assert_eq!(failing(&check), ["mechanical_checks"]);
    assert_eq!(
        document(&check)["mechanical_failures"],
        json!(["case-0:PPTX"])
    );
    let crashed = with_runs("/runs/1/process_exit_code", json!(-9));
    assert_eq!(failing(&crashed), ["mechanical_checks"]);

    let worse = with_runs(
        "/semantic_reviews/0/scores_by_label/A/story/score",
        json!(2.5),
    );
    assert_eq!(failing(&worse), ["semantic_non_regression"]);
    let expected = json!(["case-0:HTML:model_semantic_regression"]);
    assert_eq!(document(&worse)["semantic_failures"], expected);
    let refused = with_runs(
        "/semantic_reviews/0/scores_by_label/A/story/pass",
        json!(false),
    );
    assert_eq!(failing(&refused), ["semantic_non_regression"]);
    let baseline_fails = with_runs(
        "/semantic_reviews/0/scores_by_label/B/story/pass",
        json!(false),
    );
    assert!(failing(&baseline_fails).is_empty());

    let mut missing = pair(&["create"]);
    missing.runs["semantic_reviews"]
        .as_array_mut()
        .unwrap()
        .pop();
    assert_eq!(failing(&missing), ["semantic_non_regression"]);
    assert_eq!(
        document(&missing)["quality_failures"],
        json!(["case-0:PPTX:missing_model_review"])
    );

    let mut slow = pair(&["create", "revise"]);
    for run in [0, 1, 2, 3] {
        slow.runs["runs"][run]["duration_ms"] = json!(140_001);
    }
    assert_eq!(failing(&slow), ["median_duration_improvement"]);
    let mut dear = pair(&["create"]);
    set_tokens(&mut dear, 0, 1051);
    assert_eq!(failing(&dear), ["token_ratio:case-0"]);
    let late = with_runs("/runs/2/duration_ms", json!(120_001));
    assert_eq!(failing(&late), ["duration_ratio:case-1"]);
}

#[test]
fn rounding_decides_nothing() {
    let mut pair = pair(&["create"]);
    for run in [0, 1] {
        pair.runs["runs"][run]["duration_ms"] = json!(140_060);
    }
    let summary = pair.summarize().unwrap();
    assert!(summary.reference_passed());
    assert_eq!(summary.verdict().exit_code(), 1);
    let document = document(&pair);
    assert_eq!(
        document["html_median_improvement"]["duration_percent"],
        json!(30.0)
    );
    assert_eq!(document["result"], "fail");
    let reason = document["exact_gates"]["median_duration_improvement"]["reason"]
        .as_str()
        .unwrap();
    assert!(reason.contains("in full: 0.2997"), "{reason}");
}

#[test]
fn every_case_of_a_mode_counts() {
    let mut pair = pair(&["create", "create", "create"]);
    pair.runs["runs"][0]["duration_ms"] = json!(130_000);
    let summary = pair.summarize().unwrap();
    assert!(summary.reference_passed());
    let names: Vec<_> = summary.verdict().failing().map(Gate::name).collect();
    assert_eq!(names, ["duration_ratio:case-0"]);
    assert_eq!(
        document(&pair)["target_checks"]["create_duration_ratio"],
        json!(true)
    );
}

#[test]
fn broken_rules_are_refused_with_their_place() {
    let long = json!(10_000_000_000_000_000_000_u64);
    for (path, value, expected) in [
        ("/runs/0/duration_ms", json!(0), "above 0"),
        ("/runs/0/duration_ms", json!(1.0), "an integer"),
        ("/runs/0/duration_ms", json!("5"), "an integer"),
        ("/runs/0/duration_ms", json!(true), "an integer"),
        ("/runs/0/duration_ms", long, "an integer from 0 to"),
        ("/runs/0/total_tokens", json!(1001), "1000, the sum"),
        ("/runs/0/cached_input_tokens", json!(801), "at most the 800"),
        (
            "/runs/0/noncached_input_plus_output_tokens",
            json!(699),
            "700, the sum",
        ),
        ("/runs/0/process_exit_code", json!(0.0), "an integer"),
        ("/runs/0/protocol/ephemeral", json!(1), "expected true"),
        (
            "/runs/0/protocol/completed_at",
            json!("2026-07-14T10:00:00Z"),
            "after started_at",
        ),
        (
            "/runs/0/protocol/started_at",
            json!("2026-07-14T10:00:00"),
            "with its zone",
        ),
        (
            "/runs/0/protocol/isolated_workdir",
            json!("/w/a/../b"),
            "without `..`",
        ),
        (
            "/runs/0/protocol/read_audit",
            json!("passed"),
            "pass or fail",
        ),
        (
            "/runs/0/artifact/rendered_slides/1/sha256",
            json!(hash("z")),
            "the hash of the slides",
        ),
        (
            "/runs/0/artifact/rendered_slides/1/width",
            json!(1281),
            "since rendered_dimensions",
        ),
        (
            "/runs/0/checks",
            json!({"artifact_exists": true}),
            "exactly the checks",
        ),
        (
            "/semantic_reviews/0/reviewer/thread_id",
            json!("thread case-1 PPTX"),
            "no deck was built",
        ),
        (
            "/semantic_reviews/1/reviewer/thread_id",
            json!("review case-0 HTML"),
            "of its own",
        ),
        (
            "/semantic_reviews/0/reviewer/id",
            json!("<id>"),
            "no placeholder",
        ),
        (
            "/semantic_reviews/0/reviewer/model",
            json!("TODO"),
            "no placeholder",
        ),
        (
            "/semantic_reviews/0/reviewer/type",
            json!("human"),
            "a person is no model",
        ),
        (
            "/semantic_reviews/0/candidate_artifact_sha256",
            json!(hash("z")),
            "as the records say",
        ),
        (
            "/semantic_reviews/0/review_packet_id",
            json!("packet case-0 PPTX"),
            "of this cell",
        ),
        (
            "/semantic_reviews/0/scores_by_label/A/story/score",
            json!(5.5),
            "from 1 to 5",
        ),
        (
            "/semantic_reviews/0/scores_by_label/A/story/score",
            json!("4"),
            "a number",
        ),
        ("/semantic_reviews/1/format", json!("HTML"), "of this cell"),
        (
            "/protocol_evidence/review_packet_mappings/0/baseline_label",
            json!("A"),
            "the other label",
        ),
        (
            "/protocol_evidence/review_packet_mappings/0/prompt_sha256",
            json!("A".repeat(64)),
            "lower-case",
        ),
        (
            "/protocol_evidence/candidate_skill_paths/clara_root",
            json!("/p/0.1.73/x"),
            "last part",
        ),
        (
            "/protocol_evidence/suite_fingerprint_sha256",
            json!(hash("z")),
            "the suite given",
        ),
        (
            "/protocol_evidence/producer",
            json!("hand"),
            "run_clara_deck_benchmark.py",
        ),
        ("/suite_id", json!("suite-2"), "`suite-1`"),
    ] {
        let error = with_runs(path, value.clone())
            .summarize()
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{path} = {value}: {error}");
        assert!(error.starts_with("runs.json:1:"), "{error}");
        // The hash of a list is at fault where it stands, the second of two alike at the second.
        let steps: Vec<&str> = path.split('/').collect();
        let record = steps[..steps.len().min(3)].join("/");
        assert!(
            error.contains(&record) || path.contains("semantic_reviews"),
            "{path}: {error}"
        );
    }
}

#[test]
fn broken_suites_are_refused_with_their_place() {
    for (path, value, expected) in [
        (
            "/controls/sealed_inputs_immutable",
            json!(false),
            "expected true",
        ),
        ("/controls", json!({"other": true}), "exactly the controls"),
        ("/cases/0/mode", json!("redo"), "create or revise"),
        ("/cases/1/id", json!("case-0"), "each case once"),
        (
            "/cases/0/source_manifest/files/0/path",
            json!("../x"),
            "without `..`",
        ),
        (
            "/cases/0/source_manifest/files/0/path",
            json!("x"),
            "the hash of the files",
        ),
        ("/cases/0/required_formats/1", json!("html"), "each once"),
        (
            "/cases/0/required_checks_by_format/HTML/0",
            json!("other"),
            "checks of mechanical_gates",
        ),
        (
            "/semantic_judgement/score_min",
            json!(5),
            "less than score_max",
        ),
        (
            "/semantic_judgement/optional_reviewer_types/0",
            json!("model"),
            "not required already",
        ),
        (
            "/recorded_baseline/runs/0/artifact_validation",
            json!("fail"),
            "`pass`",
        ),
        (
            "/recorded_baseline/runs/0/total_tokens",
            json!(-1),
            "an integer from 0",
        ),
        (
            "/candidate_targets/quality_regression_allowed",
            json!(true),
            "expected false",
        ),
        (
            "/candidate_targets/minimum_html_median_improvement_percent",
            json!(101),
            "from 0 to 100",
        ),
        (
            "/candidate_targets/format_ratio_limits_by_mode/create/duration_max",
            json!(0),
            "above 0",
        ),
        (
            "/candidate_targets/format_ratio_limits_by_mode",
            json!({}),
            "exactly the modes",
        ),
    ] {
        let error = with_suite(path, value.clone())
            .summarize()
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{path} = {value}: {error}");
        assert!(error.starts_with("suite.json:1:"), "{error}");
    }
}

#[test]
fn unusual_spellings_that_the_seed_takes_are_taken() {
    for (path, value, code) in [
        ("/runs/0/format", json!(" html "), 0),
        ("/runs/0/case_id", json!("\u{a0}case-0\u{1f}"), 0),
        ("/runs/0/case_id", json!("\u{200b}case-0"), 2),
        ("/runs/0/process_exit_code", json!(-9), 1),
        ("/runs/0/protocol/started_at", json!("20260714T1000Z"), 0),
        ("/runs/0/protocol/started_at", json!("2026-W29-2 10+00"), 0),
        (
            "/runs/0/protocol/output_root",
            json!("/w/case-0//HTML/./o"),
            0,
        ),
        (
            "/runs/0/protocol/output_root",
            json!("/w/case-0/HTML2/o"),
            1,
        ),
        (
            "/runs/0/protocol/output_root",
            json!("//w/case-0/HTML/o"),
            1,
        ),
        (
            "/runs/0/protocol/isolated_workdir",
            json!("/w/case-0/HTML/"),
            0,
        ),
        ("/runs/0/protocol/read_audit", json!("fail"), 1),
        ("/semantic_reviews", json!([]), 1),
        ("/semantic_reviews/0/reviewer/type", json!(" model "), 0),
        (
            "/semantic_reviews/1/scores_by_label/B/story/score",
            json!(3.0),
            0,
        ),
        (
            "/semantic_reviews/1/scores_by_label/B/story/score",
            json!(2.99),
            1,
        ),
        (
            "/semantic_reviews/0/scores_by_label/B/story/pass",
            json!(false),
            0,
        ),
        (
            "/semantic_reviews/0/scores_by_label/A/story/pass",
            json!(false),
            1,
        ),
        (
            "/protocol_evidence/review_packet_mappings/0/packet_id",
            json!("p"),
            2,
        ),
        (
            "/protocol_evidence/candidate_skill_paths/clara_root",
            json!("0.1.73/"),
            0,
        ),
        (
            "/protocol_evidence/candidate_skill_paths/presentations_root",
            json!("a/26.7"),
            0,
        ),
        (
            "/protocol_evidence/candidate_skill_paths/presentations_root",
            json!("a/26.70"),
            2,
        ),
    ] {
        let pair = with_runs(path, value.clone());
        assert_eq!(
            pair.exit_code(),
            code,
            "{path} = {value}: {:?}",
            pair.summarize().err()
        );
    }
    for (path, value, code) in [
        ("/semantic_judgement/score_max", json!(5.0), 0),
        ("/semantic_judgement/score_max", json!(4), 0),
        ("/semantic_judgement/score_max", json!(3.5), 2),
        ("/cases/0/mode", json!(" create "), 0),
        ("/cases/0/required_formats", json!([" pptx", "Html"]), 0),
        ("/cases/0/baseline_evidence/files/0/path", json!("../x"), 2),
        (
            "/candidate_targets/minimum_html_median_improvement_percent",
            json!(50),
            0,
        ),
        (
            "/candidate_targets/minimum_html_median_improvement_percent",
            json!(50.000_001),
            1,
        ),
        (
            "/candidate_targets/format_ratio_limits_by_mode/create/duration_max",
            json!(1),
            0,
        ),
        (
            "/candidate_targets/format_ratio_limits_by_mode/create/duration_max",
            json!(0.999_999),
            1,
        ),
        ("/mechanical_gates/0", json!(" artifact_exists "), 0),
    ] {
        let pair = with_suite(path, value.clone());
        assert_eq!(
            pair.exit_code(),
            code,
            "{path} = {value}: {:?}",
            pair.summarize().err()
        );
    }
}

/// Any review that was submitted gates, and people may judge several packets in one session.
#[test]
fn optional_reviews_gate_too() {
    let by_a_person = |score: i32, thread: &str| {
        let mut pair = pair(&["create"]);
        for at in 0..2 {
            let mut review = pair.runs["semantic_reviews"][at].clone();
            let label = ["A", "B"][at];
            review["reviewer"] =
                json!({"type": "human", "id": "h", "model": "", "thread_id": thread});
            review["scores_by_label"][label]["story"]["score"] = json!(score);
            pair.runs["semantic_reviews"]
                .as_array_mut()
                .unwrap()
                .push(review);
        }
        pair
    };
    assert_eq!(by_a_person(5, "desk").exit_code(), 0);
    let worse = by_a_person(2, "desk");
    assert_eq!(worse.exit_code(), 1);
    let expected = json!([
        "case-0:HTML:human_semantic_regression",
        "case-0:PPTX:human_semantic_regression"
    ]);
    assert_eq!(document(&worse)["semantic_failures"], expected);
    assert_eq!(by_a_person(5, "thread case-0 PPTX").exit_code(), 2);
}

#[test]
fn strict_json_is_demanded() {
    let pair = pair(&["create"]);
    let suite = serde_json::to_string(&pair.suite).unwrap();
    let runs = serde_json::to_string(&pair.runs).unwrap();
    let judge = |runs: &str| {
        let suite = Document {
            file: "s",
            bytes: suite.as_bytes(),
        };
        summarize_seed(
            suite,
            Document {
                file: "r",
                bytes: runs.as_bytes(),
            },
        )
    };
    assert!(judge(&runs).unwrap().verdict().passed());
    let twice = runs.replacen("\"tool_calls\":5", "\"tool_calls\":5,\"tool_calls\":5", 1);
    let unknown = runs.replacen("\"tool_calls\":5", "\"tool_calls\":5,\"more\":5", 1);
    let not_a_number = runs.replacen("\"tool_calls\":5", "\"tool_calls\":NaN", 1);
    let huge = runs.replacen(
        "\"tool_calls\":5",
        &format!("\"tool_calls\":1{}", "0".repeat(400)),
        1,
    );
    let mark = format!("\u{feff}{runs}");
    let cut = runs.split_at(runs.len() - 1).0.to_owned();
    for bad in [
        twice,
        unknown,
        not_a_number,
        huge,
        mark,
        cut,
        "[".repeat(100_000),
    ] {
        assert_ne!(bad, runs);
        let error = judge(&bad).unwrap_err().to_string();
        assert!(error.starts_with("r:1:"), "{error}");
    }
}

#[test]
fn the_shared_vectors_agree_where_they_are_present() {
    let folder = std::env::var("DECKPROOF_SHARED")
        .unwrap_or_else(|_| format!("{}/../../shared", env!("CARGO_MANIFEST_DIR")));
    let path = format!("{folder}/vectors/clara/bases.json");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("skipped: ../shared is absent");
        return;
    };
    let bases: Value = serde_json::from_slice(&bytes).unwrap();
    for (name, base) in bases.as_object().unwrap() {
        let pair = Pair {
            suite: base["suite"].clone(),
            runs: base["runs"].clone(),
        };
        assert_eq!(pair.exit_code(), 0, "{name}: {:?}", pair.summarize().err());
    }
}
