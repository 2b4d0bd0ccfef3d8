// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seven controls that the records themselves show, or not (C67).

use std::collections::{BTreeMap, BTreeSet};

use super::paths;
use super::runs::Run;
use super::suite::{Case, Cell, Format, Suite};

/// Every control by name, and whether it held.
pub(super) fn derive(suite: &Suite, runs: &BTreeMap<Cell, Run>) -> BTreeMap<&'static str, bool> {
    BTreeMap::from([
        ("fresh_ephemeral_runs", fresh(runs)),
        ("same_model_and_reasoning_effort", same_model(suite, runs)),
        ("concurrent_format_runs", pairs_hold(suite, runs, overlap)),
        (
            "prompts_differ_only_by_target_format",
            pairs_hold(suite, runs, prompts_differ),
        ),
        (
            "no_prior_run_or_opposite_format_reads",
            runs.values().all(|run| run.protocol.audit_passed),
        ),
        // A record in which one of these two did not hold was refused when it was read.
        ("same_source_package", true),
        ("sealed_inputs_immutable", true),
    ])
}

/// No two runs share a folder or a thread, and each writes below its own folder.
fn fresh(runs: &BTreeMap<Cell, Run>) -> bool {
    let folders: BTreeSet<Vec<&str>> = runs
        .values()
        .map(|run| paths::components(&run.protocol.workdir))
        .collect();
    let threads: BTreeSet<&str> = runs
        .values()
        .map(|run| run.protocol.thread.as_str())
        .collect();
    let inside = |run: &Run| paths::is_within(&run.protocol.output_root, &run.protocol.workdir);
    folders.len() == runs.len() && threads.len() == runs.len() && runs.values().all(inside)
}

fn same_model(suite: &Suite, runs: &BTreeMap<Cell, Run>) -> bool {
    let baseline = (&suite.baseline.model, &suite.baseline.effort);
    runs.values()
        .all(|run| (&run.model, &run.effort) == baseline)
}

/// Whether `holds` is true of the two runs of every case. A case without both does not hold.
fn pairs_hold(
    suite: &Suite,
    runs: &BTreeMap<Cell, Run>,
    holds: impl Fn(&Run, &Run) -> bool,
) -> bool {
    let pair = |case: &Case| {
        let [html, pptx] = Format::BOTH.map(|format| runs.get(&(case.id.clone(), format)));
        html.zip(pptx).is_some_and(|(html, pptx)| holds(html, pptx))
    };
    suite.cases.iter().all(pair)
}

/// Each began before the other ended.
fn overlap(html: &Run, pptx: &Run) -> bool {
    let (html, pptx) = (&html.protocol, &pptx.protocol);
    html.started < pptx.completed && pptx.started < html.completed
}

fn prompts_differ(html: &Run, pptx: &Run) -> bool {
    let (html, pptx) = (&html.protocol, &pptx.protocol);
    html.normalized_prompt == pptx.normalized_prompt && html.prompt != pptx.prompt
}
