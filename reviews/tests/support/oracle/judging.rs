// SPDX-License-Identifier: MIT OR Apache-2.0
//! The oracle's rules of reviews and of costs.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Cells, cell, only, text, texts, words};

pub(super) fn reviews_hold(
    suite: &Value,
    reviews: &Value,
    runs: &Cells<'_>,
    packets: &Cells<'_>,
    baselines: &Cells<'_>,
    wanted: &BTreeSet<(String, String)>,
) -> Option<bool> {
    let judging = &suite["semantic_judgement"];
    let required = texts(&judging["required_reviewer_types"], 1)?;
    let optional = texts(&judging["optional_reviewer_types"], 0)?;
    let builders: BTreeSet<String> = runs
        .values()
        .map(|run| words(&run["protocol"]["thread_id"]))
        .collect();
    let mut threads = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut holds = true;
    for review in reviews.as_array()? {
        let cell = cell(review)?;
        let (run, packet) = (*runs.get(&cell)?, *packets.get(&cell)?);
        let reviewer = &review["reviewer"];
        let kind = words(&reviewer["type"]);
        let thread = words(&reviewer["thread_id"]);
        holds &= only(reviewer, &["type", "id", "model", "thread_id"])?
            && (required.contains(&kind) || optional.contains(&kind))
            && text(&reviewer["id"])
            && !thread.is_empty()
            && !builders.contains(&thread);
        holds &= match kind.as_str() {
            "model" => text(&reviewer["model"]) && threads.insert(thread),
            _ => reviewer["model"].is_null() || reviewer["model"] == "",
        };
        holds &= review_holds(judging, review, run, packet, baselines.get(&cell)?)?;
        holds &= seen.insert((cell, kind));
    }
    let complete = wanted.iter().all(|cell| {
        required
            .iter()
            .all(|kind| seen.contains(&(cell.clone(), kind.clone())))
    });
    Some(holds && complete)
}

fn review_holds(
    judging: &Value,
    review: &Value,
    run: &Value,
    packet: &Value,
    baseline: &Value,
) -> Option<bool> {
    let known = [
        "case_id",
        "format",
        "reviewer",
        "review_packet_id",
        "review_prompt_sha256",
        "source_requirements_sha256",
        "candidate_artifact_sha256",
        "baseline_artifact_sha256",
        "candidate_render_set_sha256",
        "baseline_render_set_sha256",
        "scores_by_label",
        "overall_rationale",
    ];
    let names = texts(&judging["dimensions"], 1)?;
    let (min, max) = (
        judging["score_min"].as_f64()?,
        judging["score_max"].as_f64()?,
    );
    let labels = &review["scores_by_label"];
    let side = |key: &str| labels[packet[key].as_str().unwrap_or_default()].as_object();
    let (candidate, other) = (side("candidate_label")?, side("baseline_label")?);
    let mut holds = only(review, &known)? && only(labels, &["A", "B"])?;
    for scores in [candidate, other] {
        holds &= scores.keys().cloned().collect::<BTreeSet<_>>() == names;
    }
    for name in &names {
        let (candidate, other) = (candidate.get(name)?, other.get(name)?);
        for judgement in [candidate, other] {
            holds &= only(judgement, &["score", "pass", "rationale"])?
                && judgement["pass"].is_boolean()
                && text(&judgement["rationale"])
                && (min..=max).contains(&judgement["score"].as_f64()?);
        }
        holds &= candidate["pass"] == true;
        holds &= candidate["score"].as_f64()? >= other["score"].as_f64()?;
    }
    Some(
        holds
            && words(&review["review_packet_id"]) == packet["packet_id"].as_str()?
            && text(&review["overall_rationale"])
            && review["review_prompt_sha256"] == packet["prompt_sha256"]
            && review["source_requirements_sha256"] == packet["source_requirements_sha256"]
            && review["candidate_artifact_sha256"] == run["artifact"]["sha256"]
            && review["baseline_artifact_sha256"] == baseline["artifact_sha256"]
            && review["candidate_render_set_sha256"] == packet["candidate_render_set_sha256"]
            && review["baseline_render_set_sha256"] == packet["baseline_render_set_sha256"],
    )
}

/// A decimal number as an integer number of millionths; the records hold no finer ones.
fn millionths(value: &Value) -> Option<i128> {
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let padded = format!("{fraction:0<6}");
    (padded.len() == 6).then_some(())?;
    format!("{whole}{padded}").parse().ok()
}

pub(super) fn costs_hold(suite: &Value, runs: &Cells<'_>, baselines: &Cells<'_>) -> Option<bool> {
    let targets = &suite["candidate_targets"];
    let least = millionths(&targets["minimum_html_median_improvement_percent"])?;
    let mut holds = true;
    for (field, limit) in [
        ("total_tokens", "total_tokens_max"),
        ("duration_ms", "duration_max"),
    ] {
        let mut gains: Vec<(i128, i128)> = Vec::new();
        for case in suite["cases"].as_array()? {
            let figure = |cells: &Cells<'_>, format: &str| {
                let run = *cells.get(&(words(&case["id"]), format.to_owned()))?;
                Some(i128::from(run[field].as_u64()?))
            };
            let (html, pptx) = (figure(runs, "HTML")?, figure(runs, "PPTX")?);
            let baseline = figure(baselines, "HTML")?;
            gains.push((baseline - html, baseline));
            let limits = &targets["format_ratio_limits_by_mode"][words(&case["mode"])];
            holds &= html * 1_000_000 <= millionths(&limits[limit])? * pptx;
        }
        gains.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
        let (lower, upper) = (gains[(gains.len() - 1) / 2], gains[gains.len() / 2]);
        // (a/b + c/d) / 2 >= least / 10^8
        let sum = lower.0 * upper.1 + upper.0 * lower.1;
        holds &= sum.checked_mul(100_000_000)? >= 2 * least.checked_mul(lower.1 * upper.1)?;
    }
    Some(holds)
}
