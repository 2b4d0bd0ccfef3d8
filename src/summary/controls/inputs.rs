// SPDX-License-Identifier: MIT OR Apache-2.0
//! What went in: one prompt but for its format line, one source, and inputs that stayed as sealed.

use std::collections::BTreeMap;

use deckproof_packets::hash::Sha256Hex;

use super::super::document::Control;
use super::super::trials::Trial;
use super::control;
use crate::experiment::{Experiment, ExperimentError};
use crate::suite::{Format, Id};
use crate::verify::VerifyError;
use crate::words::counted;

/// Prompts of a case are one template; they differ when their formats do, and only then.
pub(super) fn prompt_parity(
    experiment: &Experiment,
    trials: &[Trial<'_>],
) -> Result<Control, VerifyError> {
    let mut problems = Vec::new();
    // Repetitions share their prompt, and each is read once.
    let mut read = BTreeMap::new();
    for trial in trials {
        let planned = trial.planned;
        let (hash, normalized) = (&planned.prompt_sha256, &planned.normalized_prompt_sha256);
        let key = (hash, normalized, trial.arm.format.as_str());
        let made = match read.get(&key) {
            Some(made) => *made,
            None => {
                let store = experiment.store();
                let bytes = store.get(hash).map_err(ExperimentError::from)?;
                let made = is_made_from(&bytes, trial.arm.format, normalized);
                read.insert(key, made);
                made
            }
        };
        if !made {
            let id = trial.id();
            problems.push(format!(
                "{id}: the prompt is not its template with the format filled in"
            ));
        }
    }
    for (first, trial) in with_the_first_of_a_case(trials, |_| ()) {
        if first.planned.normalized_prompt_sha256 != trial.planned.normalized_prompt_sha256 {
            let names = format!("{} and {}", first.id(), trial.id());
            problems.push(format!("{names}: prompts differ beyond the format line"));
        }
    }
    problems.extend(prompts_by_format(trials));
    Ok(control(
        "prompt_parity",
        "Prompts of one case differ in the format line alone.",
        vec![format!("{} prompts read", trials.len())],
        problems,
    ))
}

/// Whether `prompt` with its format line blank again hashes to `normalized`. Any line that reads
/// like the format line may be it, since a template's own words may look like one.
fn is_made_from(prompt: &[u8], format: Format, normalized: &Sha256Hex) -> bool {
    let Ok(text) = std::str::from_utf8(prompt) else {
        return false;
    };
    let line = format!("TARGET_FORMAT: {}", format.as_str().to_uppercase());
    text.match_indices(&line).any(|(at, _)| {
        let (before, after) = (text.get(..at), text.get(at + line.len()..));
        let (Some(before), Some(after)) = (before, after) else {
            return false;
        };
        let blank = format!("{before}TARGET_FORMAT: {{{{TARGET_FORMAT}}}}{after}");
        Sha256Hex::of(blank.as_bytes()) == *normalized
    })
}

/// All arms of a case had the same inputs.
pub(super) fn same_source(trials: &[Trial<'_>]) -> Control {
    let differing = with_the_first_of_a_case(trials, |_| ())
        .into_iter()
        .filter(|(one, other)| one.planned.source_sha256 != other.planned.source_sha256)
        .map(|(one, other)| format!("{} and {} had other inputs", one.id(), other.id()));
    control(
        "same_source",
        "All arms of a case had the same brief, amendments, assets and spec.",
        vec![counted(trials.len(), "trial")],
        differing.collect(),
    )
}

/// The task tree was the planned one before launch, after the end and before the checks.
pub(super) fn sealed_inputs(trials: &[Trial<'_>]) -> Control {
    let mut problems = Vec::new();
    for trial in trials {
        let moments = [
            ("before launch", &trial.attempt.started.task_tree_sha256),
            ("after the agent ended", &trial.ended.task_tree_sha256),
            ("before the checks", &trial.judged.task_tree_sha256),
        ];
        let changed = moments
            .into_iter()
            .filter(|(_, found)| **found != trial.planned.task_tree_sha256)
            .map(|(when, _)| format!("{}: the task tree had changed {when}", trial.id()));
        problems.extend(changed);
    }
    control(
        "sealed_inputs",
        "Every task tree was the planned one before launch, after the end and before the checks.",
        vec![format!("{} task trees at three moments", trials.len())],
        problems,
    )
}

/// Prompts of one case are equal when the formats are, and only then.
fn prompts_by_format(trials: &[Trial<'_>]) -> Vec<String> {
    let mut pairs = with_the_first_of_a_case(trials, |trial| trial.arm.format.as_str());
    let mut firsts: BTreeMap<&Id, Vec<&Trial<'_>>> = BTreeMap::new();
    for trial in trials {
        let of_case = firsts.entry(&trial.id().case).or_default();
        if of_case.iter().all(|one| one.arm.format != trial.arm.format) {
            pairs.extend(of_case.iter().map(|one| (*one, trial)));
            of_case.push(trial);
        }
    }
    let odd = |(one, other): &(&Trial<'_>, &Trial<'_>)| {
        let differ = one.planned.prompt_sha256 != other.planned.prompt_sha256;
        differ != (one.arm.format != other.arm.format)
    };
    let text = |(one, other): (&Trial<'_>, &Trial<'_>)| {
        let names = format!("{} and {}", one.id(), other.id());
        format!("{names}: prompts must differ exactly when formats do")
    };
    pairs.into_iter().filter(odd).map(text).collect()
}

/// Every trial with the first one of its case that has the same `key`: what must be equal in all
/// of them is equal when it is in each of these pairs.
fn with_the_first_of_a_case<'a, K: Ord>(
    trials: &'a [Trial<'a>],
    key: impl Fn(&Trial<'a>) -> K,
) -> Vec<(&'a Trial<'a>, &'a Trial<'a>)> {
    let mut firsts = BTreeMap::new();
    let mut pairs = Vec::new();
    for trial in trials {
        let first = *firsts
            .entry((&trial.id().case, key(trial)))
            .or_insert(trial);
        if !std::ptr::eq(first, trial) {
            pairs.push((first, trial));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_its_template_with_the_format_line_filled_in() {
        let template = "Read TARGET_FORMAT: HTML below.\nTARGET_FORMAT: {{TARGET_FORMAT}}\nGo.\n";
        let normalized = Sha256Hex::of(template.as_bytes());
        let html = template.replace("{{TARGET_FORMAT}}", "HTML");
        assert!(is_made_from(html.as_bytes(), Format::Html, &normalized));
        assert!(!is_made_from(html.as_bytes(), Format::Pptx, &normalized));
        let hinted = html.replace("Go.", "Go fast.");
        assert!(!is_made_from(hinted.as_bytes(), Format::Html, &normalized));
        assert!(!is_made_from(b"\xff", Format::Html, &normalized));
    }
}
