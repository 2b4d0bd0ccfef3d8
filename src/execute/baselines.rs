// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders every baseline today, with the renderers that the candidates get.

use deckproof_packets::tree::{Tree, TreeEntry};

use super::progress::Progress;
use super::state::RunState;
use super::{ExecuteError, examine, snapshot};
use crate::experiment::Experiment;
use crate::experiment::records::{BaselineRendered, Event, StoredArtifact};
use crate::suite::{Arm, Baseline, Format, SuitePath};

/// Renders the baselines that no record has yet.
pub(super) fn render_all(state: &mut RunState, progress: &Progress) -> Result<(), ExecuteError> {
    for baseline in state.experiment.suite.baseline.clone() {
        let cell = (baseline.case.get().clone(), baseline.arm.get().clone());
        if state.baselines.contains_key(&cell) {
            continue;
        }
        let arm = state.experiment.arm(&cell.1)?.clone();
        let artifact = artifact(&state.experiment, &arm, &baseline.artifact, &baseline)?;
        let problem = |problem: String| ExecuteError::Baseline {
            case: cell.0.to_string(),
            arm: cell.1.to_string(),
            problem,
        };
        let examined = examine::examine_stored(&mut state.bench(), arm.format, &artifact)?;
        let pictures = examined.pictures.map_err(&problem)?;
        progress.line(format_args!(
            "baseline of {} for {}: rendered",
            cell.0, cell.1
        ));
        state.record(Event::BaselineRendered(Box::new(BaselineRendered {
            case: cell.0.clone(),
            arm: cell.1.clone(),
            artifact,
            render: pictures.set,
        })))?;
    }
    Ok(())
}

/// The sealed deck at `path` as an artifact, from objects that `prepare` stored.
pub(super) fn artifact(
    experiment: &Experiment,
    arm: &Arm,
    path: &SuitePath,
    baseline: &Baseline,
) -> Result<StoredArtifact, ExecuteError> {
    let mut entries = Vec::new();
    for file in &experiment.lock.files {
        let relative = if file.path == **path {
            path.name().parse().ok()
        } else {
            file.path.relative_to(path)
        };
        let Some(relative) = relative else { continue };
        entries.push(TreeEntry {
            path: relative,
            mode: if file.executable { 0o755 } else { 0o644 },
            sha256: Some(file.sha256.clone()),
            bytes: file.bytes,
        });
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let entry = match (arm.format, &baseline.entry) {
        (Format::Html, Some(entry)) => entry.as_str().to_owned(),
        _ => path.name().to_owned(),
    };
    Ok(snapshot::stored(
        &experiment.store(),
        Tree { entries },
        &entry,
    )?)
}
