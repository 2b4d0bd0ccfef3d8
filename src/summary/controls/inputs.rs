// SPDX-License-Identifier: MIT OR Apache-2.0
//! What went in: one prompt but for its format line, one source, and inputs that stayed as sealed.

use deckproof_packets::hash::Sha256Hex;

use super::super::document::Control;
use super::super::trials::Trial;
use super::control;
use crate::experiment::{Experiment, ExperimentError};
use crate::suite::Format;
use crate::verify::VerifyError;
use crate::words::counted;

/// Prompts of a case are one template; they differ when their formats do, and only then.
pub(super) fn prompt_parity(
    experiment: &Experiment,
    trials: &[Trial<'_>],
) -> Result<Control, VerifyError> {
    let mut problems = Vec::new();
    for trial in trials {
        let hash = &trial.planned.prompt_sha256;
        let bytes = experiment
            .store()
            .get(hash)
            .map_err(ExperimentError::from)?;
        if !is_made_from(
            &bytes,
            trial.arm.format,
            &trial.planned.normalized_prompt_sha256,
        ) {
            let id = trial.id();
            problems.push(format!(
                "{id}: the prompt is not its template with the format filled in"
            ));
        }
    }
    for (one, other) in pairs_of_a_case(trials) {
        let (first, second) = (one.planned, other.planned);
        let names = format!("{} and {}", one.id(), other.id());
        if first.normalized_prompt_sha256 != second.normalized_prompt_sha256 {
            problems.push(format!("{names}: prompts differ beyond the format line"));
        }
        let differ = first.prompt_sha256 != second.prompt_sha256;
        if differ != (one.arm.format != other.arm.format) {
            problems.push(format!(
                "{names}: prompts must differ exactly when formats do"
            ));
        }
    }
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
    let differing = pairs_of_a_case(trials)
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

/// Every two trials of one case.
fn pairs_of_a_case<'a>(
    trials: &'a [Trial<'a>],
) -> impl Iterator<Item = (&'a Trial<'a>, &'a Trial<'a>)> {
    trials.iter().enumerate().flat_map(|(index, one)| {
        trials
            .iter()
            .skip(index + 1)
            .filter(|other| other.id().case == one.id().case)
            .map(move |other| (one, other))
    })
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
