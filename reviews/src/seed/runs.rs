// SPDX-License-Identifier: MIT OR Apache-2.0
//! The candidate runs: counts that add up, identities that match, renders that hash (C66).

use std::collections::BTreeSet;

use deckproof_packets::json::{Place, Value};

use super::clock::{Instant, instant};
use super::evidence::{PacketRow, identity_text, named};
use super::suite::{Case, Suite, identity, named_cell};
use super::table::{Cell, Table};
use super::{paths, render_set};
use crate::fields::{
    Fault, Hash, Object, Read, boolean, count, fault, fault_at, list, map, object, wrong,
};

/// One candidate run as it enters controls, gates and the summary.
#[derive(Debug)]
pub(super) struct Run<'a> {
    pub(super) duration_ms: u64,
    pub(super) total_tokens: u64,
    pub(super) output_tokens: u64,
    pub(super) noncached: u64,
    pub(super) tool_calls: u64,
    pub(super) exited_well: bool,
    pub(super) model: &'a str,
    pub(super) effort: &'a str,
    pub(super) protocol: Protocol<'a>,
    pub(super) artifact: Hash<'a>,
    pub(super) failed_checks: Vec<&'a str>,
}

/// How a run was made.
#[derive(Debug)]
pub(super) struct Protocol<'a> {
    pub(super) workdir: &'a str,
    pub(super) output_root: &'a str,
    pub(super) prompt: Hash<'a>,
    pub(super) normalized_prompt: Hash<'a>,
    pub(super) thread: &'a str,
    pub(super) audit_passed: bool,
    pub(super) started: Instant,
    pub(super) completed: Instant,
}

impl Run<'_> {
    /// The process ended well and no check failed.
    pub(super) fn is_sound(&self) -> bool {
        self.exited_well && self.failed_checks.is_empty()
    }
}

/// Reads all runs: one for every cell of the suite, each bound to its packet.
pub(super) fn read<'a>(
    value: &Value<'_, 'a>,
    suite: &Suite<'a>,
    packets: &Table<PacketRow<'a>>,
) -> Read<Table<Run<'a>>> {
    let items = list(value)?.iter();
    let runs = each_once(suite, items.map(|item| one(item, suite, packets)))?;
    if !is_complete(&runs, packets) {
        return Err(wrong(
            value,
            format!("{} runs, one for each cell", packets.len()),
        ));
    }
    Ok(runs)
}

/// Whether there is a run for every packet.
pub(super) fn is_complete(runs: &Table<Run<'_>>, packets: &Table<PacketRow<'_>>) -> bool {
    runs.len() == packets.len()
}

/// The runs by their cells.
pub(super) fn each_once<'a>(
    suite: &Suite<'_>,
    read: impl IntoIterator<Item = Read<Placed<'a>>>,
) -> Read<Table<Run<'a>>> {
    let mut runs = Table::new(suite.cases.len());
    for read in read {
        let Placed { place, cell, run } = read?;
        if runs.insert(cell, run).is_some() {
            let again = format!("a run of `{}` again", suite.name(cell));
            return Err(fault_at(place, again, "one run for each case and format"));
        }
    }
    Ok(runs)
}

/// A run, its cell, and where it stands.
pub(super) struct Placed<'a> {
    place: Place,
    cell: Cell,
    run: Run<'a>,
}

/// Reads one run.
pub(super) fn one<'a>(
    item: &Value<'_, 'a>,
    suite: &Suite<'a>,
    packets: &Table<PacketRow<'a>>,
) -> Read<Placed<'a>> {
    let fields = object(item, &RUN_KEYS)?;
    let name = named_cell(&fields)?;
    let known = |cell: Cell| Some((cell, suite.cases.get(cell.case)?));
    let Some((cell, case)) = suite.numbers.cell(name).and_then(known) else {
        let found = format!("a run of {}", named(name));
        return Err(fault(item, found, "a case of the suite"));
    };
    Ok(Placed {
        place: item.place(),
        cell,
        run: run(&fields, suite, case, cell, packets)?,
    })
}

const RUN_KEYS: [&str; 14] = [
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

fn run<'a>(
    fields: &Object<'_, 'a>,
    suite: &Suite<'a>,
    case: &Case<'a>,
    cell: Cell,
    packets: &Table<PacketRow<'a>>,
) -> Read<Run<'a>> {
    tokens(fields)?;
    let (model, effort) = execution(fields.get("execution_identity")?, suite, cell)?;
    let checks = fields.get("checks")?;
    let failed_checks = failed_checks(checks, case, cell)?;
    let shown = !failed_checks.contains(&"rendered_dimensions");
    let (artifact, renders) =
        artifact(fields.get("artifact")?, shown && checks_dimensions(checks))?;
    let bound = packets
        .get(cell)
        .is_some_and(|packet| packet.candidate_renders == renders);
    if !bound {
        let expected = "the render set of this cell's packet";
        return Err(fault(
            fields.get("artifact")?,
            format!("render set `{renders}`"),
            expected,
        ));
    }
    Ok(Run {
        duration_ms: fields.positive("duration_ms")?,
        total_tokens: fields.positive("total_tokens")?,
        output_tokens: fields.positive("output_tokens")?,
        noncached: fields.positive("noncached_input_plus_output_tokens")?,
        tool_calls: fields.positive("tool_calls")?,
        exited_well: exit_code(fields.get("process_exit_code")?)?,
        model,
        effort,
        protocol: protocol(fields.get("protocol")?, case)?,
        artifact,
        failed_checks,
    })
}

/// The parts must make the whole: total = input + output, cached within input, rest left over.
fn tokens(fields: &Object<'_, '_>) -> Read<()> {
    let input = fields.positive("input_tokens")?;
    let output = fields.positive("output_tokens")?;
    let cached = count(fields.get("cached_input_tokens")?)?;
    if cached > input {
        let expected = format!("at most the {input} input tokens");
        return Err(wrong(fields.get("cached_input_tokens")?, expected));
    }
    for (key, sum) in [
        ("total_tokens", input + output),
        (
            "noncached_input_plus_output_tokens",
            input - cached + output,
        ),
    ] {
        if fields.positive(key)? != sum {
            return Err(wrong(
                fields.get(key)?,
                format!("{sum}, the sum of its parts"),
            ));
        }
    }
    Ok(())
}

/// Whether an exit code, an integer of any sign and size, is nought.
fn exit_code(value: &Value<'_, '_>) -> Read<bool> {
    let text = value.as_number().unwrap_or_default();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong(value, "an integer"));
    }
    Ok(digits == "0")
}

fn execution<'a>(value: &Value<'_, 'a>, suite: &Suite<'a>, cell: Cell) -> Read<(&'a str, &'a str)> {
    let fields = object(
        value,
        &["model", "reasoning_effort", "enforced_by", "skill_identity"],
    )?;
    fields.constant("enforced_by", "codex_cli_explicit_override")?;
    let skill = fields.get("skill_identity")?;
    if identity(skill, cell.format)? != *suite.identity(cell.format) {
        return Err(fault(
            skill,
            "another skill",
            "the suite's candidate skill of this format",
        ));
    }
    let model = identity_text(&fields, "model")?;
    Ok((model, identity_text(&fields, "reasoning_effort")?))
}

fn protocol<'a>(value: &Value<'_, 'a>, case: &Case<'_>) -> Read<Protocol<'a>> {
    let fields = object(
        value,
        &[
            "ephemeral",
            "isolated_workdir",
            "output_root",
            "prompt_sha256",
            "normalized_prompt_sha256",
            "source_manifest_sha256",
            "source_manifest_verified",
            "sealed_task_manifest_sha256",
            "sealed_task_verified_before_after",
            "event_log_sha256",
            "thread_id",
            "read_audit",
            "started_at",
            "completed_at",
        ],
    )?;
    for key in [
        "ephemeral",
        "source_manifest_verified",
        "sealed_task_verified_before_after",
    ] {
        fields.truth(key, true)?;
    }
    fields.hash("sealed_task_manifest_sha256")?;
    fields.hash("event_log_sha256")?;
    if fields.hash("source_manifest_sha256")? != case.source {
        let expected = format!("`{}`, the case's source manifest", case.source);
        return Err(wrong(fields.get("source_manifest_sha256")?, expected));
    }
    let (started, completed) = (time(&fields, "started_at")?, time(&fields, "completed_at")?);
    if completed <= started {
        return Err(wrong(
            fields.get("completed_at")?,
            "a time after started_at",
        ));
    }
    Ok(Protocol {
        workdir: folder(&fields, "isolated_workdir")?,
        output_root: folder(&fields, "output_root")?,
        prompt: fields.hash("prompt_sha256")?,
        normalized_prompt: fields.hash("normalized_prompt_sha256")?,
        thread: identity_text(&fields, "thread_id")?,
        audit_passed: audit(fields.get("read_audit")?)?,
        started,
        completed,
    })
}

fn audit(value: &Value<'_, '_>) -> Read<bool> {
    match value.as_str() {
        Some("pass") => Ok(true),
        Some("fail") => Ok(false),
        _ => Err(wrong(value, "pass or fail")),
    }
}

fn time(of: &Object<'_, '_>, key: &str) -> Read<Instant> {
    let expected = "a date and time with its zone";
    instant(of.text(key)?).ok_or_else(|| of.get(key).map_or_else(|e| e, |v| wrong(v, expected)))
}

/// A folder that climbs is nowhere in particular.
fn folder<'a>(of: &Object<'_, 'a>, key: &str) -> Read<&'a str> {
    let path = of.text(key)?;
    if paths::climbs(path) {
        return Err(wrong(of.get(key)?, "a path without `..`"));
    }
    Ok(path)
}

fn artifact<'a>(value: &Value<'_, 'a>, exact_size: bool) -> Read<(Hash<'a>, Hash<'a>)> {
    let known = [
        "path",
        "sha256",
        "bytes",
        "render_set_sha256",
        "rendered_slides",
    ];
    let fields = object(value, &known)?;
    fields.text("path")?;
    fields.positive("bytes")?;
    let mut hashes = Vec::new();
    for item in fields.list("rendered_slides")? {
        hashes.push(slide(item, exact_size)?);
    }
    if hashes.is_empty() {
        return Err(wrong(fields.get("rendered_slides")?, "at least one slide"));
    }
    let expected = render_set(&hashes);
    let found = fields.hash("render_set_sha256")?;
    if found.as_str() != expected.as_str() {
        let expected = format!("`{expected}`, the hash of the slides listed here");
        return Err(wrong(fields.get("render_set_sha256")?, expected));
    }
    Ok((fields.hash("sha256")?, found))
}

fn slide<'a>(value: &Value<'_, 'a>, exact_size: bool) -> Read<Hash<'a>> {
    let known = ["path", "sha256", "bytes", "width", "height", "renderer"];
    let fields = object(value, &known)?;
    fields.text("path")?;
    fields.text("renderer")?;
    fields.positive("bytes")?;
    let size = (fields.positive("width")?, fields.positive("height")?);
    if exact_size && size != (1280, 720) {
        let found = format!("{} by {} pixels", size.0, size.1);
        return Err(fault(
            value,
            found,
            "1280 by 720, since rendered_dimensions passed",
        ));
    }
    fields.hash("sha256")
}

fn checks_dimensions(checks: &Value<'_, '_>) -> bool {
    checks.get("rendered_dimensions").is_some()
}

/// The names of the failed checks, sorted; the checks must be the required ones.
fn failed_checks<'a>(value: &Value<'_, 'a>, case: &Case<'a>, cell: Cell) -> Read<Vec<&'a str>> {
    let required = case.checks(cell.format);
    let found = map(value)?;
    // No name stands twice on either side.
    let same = found.members.len() == required.len()
        && required.iter().all(|name| found.find(name).is_some());
    if !same {
        return Err(other_checks(value, &found, required));
    }
    let mut failed = Vec::new();
    for name in required {
        if !boolean(found.get(name)?)? {
            failed.push(*name);
        }
    }
    failed.sort_unstable();
    Ok(failed)
}

fn other_checks(value: &Value<'_, '_>, found: &Object<'_, '_>, required: &[&str]) -> Box<Fault> {
    let names: BTreeSet<&str> = found.members.iter().map(|m| m.key).collect();
    let expected: BTreeSet<&str> = required.iter().copied().collect();
    let name = expected.symmetric_difference(&names).next();
    let name = name.copied().unwrap_or_default();
    let word = if names.contains(name) {
        "the check"
    } else {
        "no check"
    };
    fault(
        value,
        format!("{word} `{name}`"),
        "exactly the checks required",
    )
}
