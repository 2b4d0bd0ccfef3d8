// SPDX-License-Identifier: MIT OR Apache-2.0
//! The head of a runs document: what made it, for which suite, and who was which label (C64, C65).

use std::collections::HashMap;

use deckproof_packets::json::{Place, Value};
use deckproof_packets::mapping::Label;

use super::clock::instant;
use super::halves::in_halves;
use super::paths;
use super::suite::{Format, Suite, identities, named_cell};
use super::table::Table;
use crate::fields::{Hash, Object, Read, fault, map, object, text, wrong};
use crate::review::placeholder;

const PRODUCER: &str = "run_clara_deck_benchmark.py";

/// Which label is which in one packet, and what the packet is bound to.
#[derive(Debug)]
pub(super) struct PacketRow<'a> {
    pub(super) place: Place,
    pub(super) id: &'a str,
    pub(super) candidate: Label,
    pub(super) prompt: Hash<'a>,
    pub(super) requirements: Hash<'a>,
    pub(super) candidate_renders: Hash<'a>,
    pub(super) baseline_renders: Hash<'a>,
}

/// Validates the head and gives its mappings by cell.
pub(super) fn read<'a>(value: &Value<'_, 'a>, suite: &Suite<'_>) -> Read<Table<PacketRow<'a>>> {
    let head = object(
        value,
        &[
            "producer",
            "suite_fingerprint_sha256",
            "codex_cli_version",
            "recorded_at",
            "candidate_skill_identity",
            "candidate_skill_paths",
            "baseline_evidence_manifests",
            "review_packet_mappings",
        ],
    )?;
    head.constant("producer", PRODUCER)?;
    let fingerprint = suite.fingerprint.as_str();
    if head.hash("suite_fingerprint_sha256")?.as_str() != fingerprint {
        let expected = format!("`{fingerprint}`, the fingerprint of the suite given");
        return Err(wrong(head.get("suite_fingerprint_sha256")?, expected));
    }
    identity_text(&head, "codex_cli_version")?;
    date(&head, "recorded_at")?;
    skills(&head, suite)?;
    manifests(head.get("baseline_evidence_manifests")?, suite)?;
    mappings(&head, suite)
}

/// A text that identifies something: no form's own words.
pub(super) fn identity_text<'a>(of: &Object<'_, 'a>, key: &str) -> Read<&'a str> {
    let found = of.text(key)?;
    if placeholder(found) {
        return Err(wrong(of.get(key)?, "an identity, no placeholder"));
    }
    Ok(found)
}

fn date(of: &Object<'_, '_>, key: &str) -> Read<()> {
    match instant(of.text(key)?) {
        Some(_) => Ok(()),
        None => Err(wrong(of.get(key)?, "a date and time with its zone")),
    }
}

fn skills(head: &Object<'_, '_>, suite: &Suite<'_>) -> Read<()> {
    let found = head.get("candidate_skill_identity")?;
    if identities(found)? != [suite.clara, suite.presentations] {
        return Err(fault(
            found,
            "another identity",
            "the suite's candidate_skill_identity",
        ));
    }
    let known = ["clara_root", "presentations_root"];
    let roots = object(head.get("candidate_skill_paths")?, &known)?;
    let clara = suite.clara.version;
    if paths::name(roots.text("clara_root")?) != Some(clara) {
        let expected = format!("a path whose last part is `{clara}`");
        return Err(wrong(roots.get("clara_root")?, expected));
    }
    let presentations = suite.presentations.version;
    let root = roots.text("presentations_root")?;
    if !paths::components(root).any(|part| part == presentations) {
        let expected = format!("a path with the part `{presentations}`");
        return Err(wrong(roots.get("presentations_root")?, expected));
    }
    Ok(())
}

fn manifests(value: &Value<'_, '_>, suite: &Suite<'_>) -> Read<()> {
    let found = map(value)?;
    let members: HashMap<&str, &Value<'_, '_>> = found
        .members
        .iter()
        .map(|member| (member.key, &member.value))
        .collect();
    for case in &suite.cases {
        let Some(hash) = members.get(case.id) else {
            return Err(fault(
                value,
                format!("no manifest of `{}`", case.id),
                "every case",
            ));
        };
        if hash.as_str() != Some(case.evidence.as_str()) {
            return Err(wrong(hash, format!("`{}`, as in the suite", case.evidence)));
        }
    }
    if members.len() != suite.cases.len() {
        return Err(wrong(value, "the cases of the suite alone"));
    }
    Ok(())
}

fn mappings<'a>(head: &Object<'_, 'a>, suite: &Suite<'_>) -> Read<Table<PacketRow<'a>>> {
    let mut rows = Table::new(suite.cases.len());
    let items = head.list("review_packet_mappings")?;
    for (item, read) in items.iter().zip(in_halves(items, mapping)) {
        let (name, row) = read?;
        let Some(cell) = suite.numbers.cell(name) else {
            return Err(fault(item, named(name), "a case of the suite"));
        };
        if let Some(first) = rows.insert(cell, row) {
            let found = format!("the cell of packet `{}` again", first.id);
            return Err(fault(item, found, "one packet for each case and format"));
        }
    }
    if !rows.is_full() {
        let value = head.get("review_packet_mappings")?;
        let cells = suite.cells().count();
        return Err(wrong(
            value,
            format!("{cells} packets, one for each case and format"),
        ));
    }
    Ok(rows)
}

/// A cell for messages.
pub(super) fn named((id, format): (&str, Format)) -> String {
    format!("`{id}:{}`", format.as_str())
}

fn mapping<'a>(value: &Value<'_, 'a>) -> Read<((&'a str, Format), PacketRow<'a>)> {
    let fields = object(
        value,
        &[
            "packet_id",
            "case_id",
            "format",
            "candidate_label",
            "baseline_label",
            "prompt_sha256",
            "source_requirements_sha256",
            "candidate_render_set_sha256",
            "baseline_render_set_sha256",
        ],
    )?;
    let candidate = label(fields.get("candidate_label")?)?;
    if label(fields.get("baseline_label")?)? == candidate {
        return Err(wrong(fields.get("baseline_label")?, "the other label"));
    }
    text(fields.get("packet_id")?)?;
    let row = PacketRow {
        place: value.place(),
        // The id is compared as it was written, as the seed compares it.
        id: fields.get("packet_id")?.as_str().unwrap_or_default(),
        candidate,
        prompt: fields.hash("prompt_sha256")?,
        requirements: fields.hash("source_requirements_sha256")?,
        candidate_renders: fields.hash("candidate_render_set_sha256")?,
        baseline_renders: fields.hash("baseline_render_set_sha256")?,
    };
    Ok((named_cell(&fields)?, row))
}

fn label(value: &Value<'_, '_>) -> Read<Label> {
    match value.as_str() {
        Some("A") => Ok(Label::A),
        Some("B") => Ok(Label::B),
        _ => Err(wrong(value, "A or B")),
    }
}
