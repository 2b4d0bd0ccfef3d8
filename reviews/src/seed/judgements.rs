// SPDX-License-Identifier: MIT OR Apache-2.0
//! The reviews of a runs document: bound to their packets, complete, unblinded (C68–C70).

use std::collections::HashSet;

use deckproof_packets::json::{Place, Value, ValueKind};
use deckproof_packets::mapping::Label;

use super::evidence::{PacketRow, identity_text, named};
use super::runs::Run;
use super::suite::{Judging, Suite, named_cell};
use super::table::{Cell, Table};
use crate::exact::Exact;
use crate::fields::{Object, Read, boolean, clipped, fault, fault_at, list, number, object, wrong};

/// Whether each review found the candidate no worse.
#[derive(Debug)]
pub(super) struct Judgements {
    model: Table<bool>,
    human: Table<bool>,
}

impl Judgements {
    /// The reviews of one type: a suite knows the types model and human alone.
    pub(super) fn of(&self, kind: &str) -> &Table<bool> {
        match kind {
            MODEL => &self.model,
            _ => &self.human,
        }
    }
}

/// The types of reviewers.
pub(super) const KINDS: [&str; 2] = [HUMAN, MODEL];
const HUMAN: &str = "human";
const MODEL: &str = "model";

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
pub(super) fn read<'a>(
    value: &Value<'_, 'a>,
    suite: &Suite<'a>,
    runs: &Table<Run<'a>>,
    packets: &Table<PacketRow<'a>>,
) -> Read<Judgements> {
    let records = Records::new(suite, runs, packets);
    let items = list(value)?.iter();
    each_once(suite, items.map(|item| records.review(item)))
}

/// The judgements of reviews that may have nothing in common.
pub(super) fn each_once<'a>(
    suite: &Suite<'_>,
    reviews: impl IntoIterator<Item = Read<Review<'a>>>,
) -> Read<Judgements> {
    let mut model_threads = HashSet::new();
    let mut judgements = Judgements {
        model: Table::new(suite.cases.len()),
        human: Table::new(suite.cases.len()),
    };
    for read in reviews {
        let review = read?;
        let Reviewer {
            kind,
            thread,
            place,
        } = review.reviewer;
        if kind == MODEL && !model_threads.insert(thread) {
            let found = format!("`{}`", clipped(thread));
            return Err(fault_at(place, found, "a session of its own"));
        }
        let table = match kind {
            MODEL => &mut judgements.model,
            _ => &mut judgements.human,
        };
        if table.insert(review.cell, review.no_worse?).is_some() {
            let again = format!("a {kind} review of `{}` again", suite.name(review.cell));
            let expected = "one review of each type for each packet";
            return Err(fault_at(review.place, again, expected));
        }
    }
    Ok(judgements)
}

/// All that a review is held against.
pub(super) struct Records<'r, 'a> {
    suite: &'r Suite<'a>,
    runs: &'r Table<Run<'a>>,
    packets: &'r Table<PacketRow<'a>>,
    builders: HashSet<&'a str>,
}

/// One review, but for what it may have in common with others.
pub(super) struct Review<'a> {
    place: Place,
    cell: Cell,
    reviewer: Reviewer<'a>,
    no_worse: Read<bool>,
}

struct Reviewer<'a> {
    kind: &'a str,
    thread: &'a str,
    /// Where the thread stands.
    place: Place,
}

impl<'r, 'a> Records<'r, 'a> {
    pub(super) fn new(
        suite: &'r Suite<'a>,
        runs: &'r Table<Run<'a>>,
        packets: &'r Table<PacketRow<'a>>,
    ) -> Self {
        Self {
            suite,
            runs,
            packets,
            builders: runs.values().map(|run| run.protocol.thread).collect(),
        }
    }

    /// Reads one review.
    pub(super) fn review(&self, item: &Value<'_, 'a>) -> Read<Review<'a>> {
        let fields = object(item, &REVIEW_KEYS)?;
        let name = named_cell(&fields)?;
        let known = |cell: Cell| Some((cell, self.runs.get(cell)?, self.packets.get(cell)?));
        let Some((cell, run, packet)) = self.suite.numbers.cell(name).and_then(known) else {
            let found = format!("a review of {}", named(name));
            return Err(fault(item, found, "a case of the suite"));
        };
        Ok(Review {
            place: item.place(),
            cell,
            reviewer: self.reviewer(fields.get("reviewer")?)?,
            no_worse: bindings(&fields, self.suite, cell, run, packet)
                .and_then(|()| scores(&fields, &self.suite.judgement, packet.candidate)),
        })
    }

    fn reviewer(&self, value: &Value<'_, 'a>) -> Read<Reviewer<'a>> {
        let fields = object(value, &["type", "id", "model", "thread_id"])?;
        let kind = fields.text("type")?;
        let rules = &self.suite.judgement;
        if !rules.required.contains(&kind) && !rules.optional.contains(&kind) {
            return Err(wrong(fields.get("type")?, "a reviewer type of the suite"));
        }
        identity_text(&fields, "id")?;
        let thread = identity_text(&fields, "thread_id")?;
        let value = fields.get("thread_id")?;
        if self.builders.contains(thread) {
            return Err(wrong(value, "a session in which no deck was built"));
        }
        if kind == MODEL {
            identity_text(&fields, "model")?;
        } else if let Some(model) = fields.find("model") {
            let none = model.kind() == ValueKind::Null;
            if !none && model.as_str() != Some("") {
                return Err(wrong(model, "null, since a person is no model"));
            }
        }
        Ok(Reviewer {
            kind,
            thread,
            place: value.place(),
        })
    }
}

fn bindings(
    fields: &Object<'_, '_>,
    suite: &Suite<'_>,
    cell: Cell,
    run: &Run<'_>,
    packet: &PacketRow<'_>,
) -> Read<()> {
    if fields.text("review_packet_id")? != packet.id {
        let expected = format!("`{}`, the packet of this cell", packet.id);
        return Err(wrong(fields.get("review_packet_id")?, expected));
    }
    let Some(baseline) = suite.baseline.runs.get(cell) else {
        let found = format!("`{}`", suite.name(cell));
        return Err(fault_at(packet.place, found, "a run of the baseline"));
    };
    for (key, expected) in [
        ("review_prompt_sha256", packet.prompt),
        ("source_requirements_sha256", packet.requirements),
        ("candidate_artifact_sha256", run.artifact),
        ("baseline_artifact_sha256", baseline.artifact),
        ("candidate_render_set_sha256", packet.candidate_renders),
        ("baseline_render_set_sha256", packet.baseline_renders),
    ] {
        if fields.hash(key)? != expected {
            return Err(wrong(
                fields.get(key)?,
                format!("`{expected}`, as the records say"),
            ));
        }
    }
    Ok(())
}

/// Whether the candidate passes and scores no less than the baseline in every dimension.
fn scores(fields: &Object<'_, '_>, rules: &Judging<'_>, candidate: Label) -> Read<bool> {
    fields.text("overall_rationale")?;
    let labels = object(fields.get("scores_by_label")?, &["A", "B"])?;
    let names = rules.dimensions.as_slice();
    let of_candidate = object(labels.get(candidate.as_str())?, names)?;
    let of_baseline = object(labels.get(candidate.other().as_str())?, names)?;
    let mut no_worse = true;
    for name in names {
        let (candidate, passed) = judgement(of_candidate.get(name)?, rules)?;
        let (baseline, _) = judgement(of_baseline.get(name)?, rules)?;
        no_worse &= passed && candidate >= baseline;
    }
    Ok(no_worse)
}

fn judgement(value: &Value<'_, '_>, rules: &Judging<'_>) -> Read<(Exact, bool)> {
    let fields = object(value, &["score", "pass", "rationale"])?;
    let score = number(fields.get("score")?)?;
    if score < rules.min || score > rules.max {
        let expected = format!("a score from {} to {}", rules.min, rules.max);
        return Err(wrong(fields.get("score")?, expected));
    }
    identity_text(&fields, "rationale")?;
    Ok((score, boolean(fields.get("pass")?)?))
}
