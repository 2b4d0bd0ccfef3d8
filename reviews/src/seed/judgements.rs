// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reviews of a runs document: bound to their packets, complete, unblinded (C68–C70).

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::json::Value;
use deckproof_packets::mapping::Label;

use super::evidence::{PacketRow, identity_text, named};
use super::runs::Run;
use super::suite::{Cell, Judging, Suite, cell};
use crate::exact::Exact;
use crate::fields::{Object, Read, boolean, fault, list, number, object, wrong};

/// By cell and reviewer type, whether the review found the candidate no worse.
pub(super) type Judgements = BTreeMap<(Cell, String), bool>;

const REVIEW_KEYS: [&str; 12] = [
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

/// Reads all reviews.
pub(super) fn read(
    value: &Value,
    suite: &Suite,
    runs: &BTreeMap<Cell, Run>,
    packets: &BTreeMap<Cell, PacketRow<'_>>,
) -> Read<Judgements> {
    let mut threads = Threads {
        builders: runs
            .values()
            .map(|run| run.protocol.thread.as_str())
            .collect(),
        models: BTreeSet::new(),
    };
    let mut judgements = Judgements::new();
    for item in list(value)? {
        let fields = object(item, &REVIEW_KEYS)?;
        let cell = cell(&fields)?;
        let Some((run, packet)) = runs.get(&cell).zip(packets.get(&cell)) else {
            return Err(fault(
                item,
                format!("a review of {}", named(&cell)),
                "a case of the suite",
            ));
        };
        let kind = reviewer(fields.get("reviewer")?, &suite.judgement, &mut threads)?;
        bindings(&fields, suite, &cell, run, packet)?;
        let passed = scores(&fields, &suite.judgement, packet.candidate)?;
        let again = format!("a {kind} review of {} again", named(&cell));
        if judgements.insert((cell, kind), passed).is_some() {
            return Err(fault(
                item,
                again,
                "one review of each type for each packet",
            ));
        }
    }
    Ok(judgements)
}

struct Threads<'a> {
    builders: BTreeSet<&'a str>,
    models: BTreeSet<&'a str>,
}

fn reviewer<'a>(value: &'a Value<'a>, rules: &Judging, threads: &mut Threads<'a>) -> Read<String> {
    let fields = object(value, &["type", "id", "model", "thread_id"])?;
    let kind = fields.text("type")?;
    if !rules
        .required
        .iter()
        .chain(&rules.optional)
        .any(|allowed| allowed == kind)
    {
        return Err(wrong(fields.get("type")?, "a reviewer type of the suite"));
    }
    identity_text(&fields, "id")?;
    let thread = identity_text(&fields, "thread_id")?;
    if threads.builders.contains(thread) {
        return Err(wrong(
            fields.get("thread_id")?,
            "a session in which no deck was built",
        ));
    }
    if kind == "model" {
        identity_text(&fields, "model")?;
        if !threads.models.insert(thread) {
            return Err(wrong(fields.get("thread_id")?, "a session of its own"));
        }
    } else if let Some(model) = fields.find("model") {
        let none = model.kind == deckproof_packets::json::ValueKind::Null;
        if !none && model.as_str() != Some("") {
            return Err(wrong(model, "null, since a person is no model"));
        }
    }
    Ok(kind.to_owned())
}

fn bindings(
    fields: &Object<'_>,
    suite: &Suite,
    cell: &Cell,
    run: &Run,
    packet: &PacketRow<'_>,
) -> Read<()> {
    if fields.text("review_packet_id")? != packet.id {
        let expected = format!("`{}`, the packet of this cell", packet.id);
        return Err(wrong(fields.get("review_packet_id")?, expected));
    }
    let Some(baseline) = suite.baseline.runs.get(cell) else {
        return Err(fault(packet.value, named(cell), "a run of the baseline"));
    };
    for (key, expected) in [
        ("review_prompt_sha256", &packet.prompt),
        ("source_requirements_sha256", &packet.requirements),
        ("candidate_artifact_sha256", &run.artifact),
        ("baseline_artifact_sha256", &baseline.artifact),
        ("candidate_render_set_sha256", &packet.candidate_renders),
        ("baseline_render_set_sha256", &packet.baseline_renders),
    ] {
        if fields.hash(key)? != *expected {
            return Err(wrong(
                fields.get(key)?,
                format!("`{expected}`, as the records say"),
            ));
        }
    }
    Ok(())
}

/// Whether the candidate passes and scores no less than the baseline in every dimension.
fn scores(fields: &Object<'_>, rules: &Judging, candidate: Label) -> Read<bool> {
    fields.text("overall_rationale")?;
    let labels = object(fields.get("scores_by_label")?, &["A", "B"])?;
    let names: Vec<&str> = rules.dimensions.iter().map(String::as_str).collect();
    let of_candidate = object(labels.get(candidate.as_str())?, &names)?;
    let of_baseline = object(labels.get(candidate.other().as_str())?, &names)?;
    let mut no_worse = true;
    for name in names {
        let (candidate, passed) = judgement(of_candidate.get(name)?, rules)?;
        let (baseline, _) = judgement(of_baseline.get(name)?, rules)?;
        no_worse &= passed && candidate >= baseline;
    }
    Ok(no_worse)
}

fn judgement(value: &Value, rules: &Judging) -> Read<(Exact, bool)> {
    let fields = object(value, &["score", "pass", "rationale"])?;
    let score = number(fields.get("score")?)?;
    if score < rules.min || score > rules.max {
        let expected = format!("a score from {} to {}", rules.min, rules.max);
        return Err(wrong(fields.get("score")?, expected));
    }
    identity_text(&fields, "rationale")?;
    Ok((score, boolean(fields.get("pass")?)?))
}
