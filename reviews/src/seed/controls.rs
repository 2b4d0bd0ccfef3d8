// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seven controls that the records themselves show, or not (C67).

use std::collections::{BTreeMap, HashSet};

use super::paths;
use super::runs::Run;
use super::suite::{Format, Suite};
use super::table::{Cell, Table};

/// Every control by name, and whether it held.
pub(super) fn derive(suite: &Suite<'_>, runs: &Table<Run<'_>>) -> BTreeMap<&'static str, bool> {
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
fn fresh(runs: &Table<Run<'_>>) -> bool {
    let mut folders = HashSet::with_capacity(runs.len());
    let mut threads = HashSet::with_capacity(runs.len());
    runs.values().map(|run| &run.protocol).all(|protocol| {
        folders.insert(paths::normalized(protocol.workdir))
            && threads.insert(protocol.thread)
            && paths::is_within(protocol.output_root, protocol.workdir)
    })
}

fn same_model(suite: &Suite<'_>, runs: &Table<Run<'_>>) -> bool {
    let baseline = (suite.baseline.model, suite.baseline.effort);
    runs.values().all(|run| (run.model, run.effort) == baseline)
}

/// Whether `holds` is true of the two runs of every case. A case without both does not hold.
fn pairs_hold(
    suite: &Suite<'_>,
    runs: &Table<Run<'_>>,
    holds: impl Fn(&Run<'_>, &Run<'_>) -> bool,
) -> bool {
    let pair = |case: usize| {
        let [html, pptx] = Format::BOTH.map(|format| runs.get(Cell { case, format }));
        html.zip(pptx).is_some_and(|(html, pptx)| holds(html, pptx))
    };
    (0..suite.cases.len()).all(pair)
}

/// Each began before the other ended.
fn overlap(html: &Run<'_>, pptx: &Run<'_>) -> bool {
    let (html, pptx) = (&html.protocol, &pptx.protocol);
    html.started < pptx.completed && pptx.started < html.completed
}

fn prompts_differ(html: &Run<'_>, pptx: &Run<'_>) -> bool {
    let (html, pptx) = (&html.protocol, &pptx.protocol);
    html.normalized_prompt == pptx.normalized_prompt && html.prompt != pptx.prompt
}
