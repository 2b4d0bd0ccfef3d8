// SPDX-License-Identifier: MIT OR Apache-2.0
//! The task tree of one trial: the read-only view of its inputs, and nothing of anybody else's.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use deckproof_packets::hash::FieldHasher;
use deckproof_packets::json;
use deckproof_packets::relpath::RelPath;
use deckproof_packets::tree::{Tree, TreeLimits};

use super::{PrepareError, prompt};
use crate::experiment::plan::PlannedTrial;
use crate::experiment::{Layout, TrialId};
use crate::seal::Inputs;
use crate::suite::{Arm, Baseline, Case, Format, HostKind, Loaded, Mode, amendment_number};

/// Builds the task tree of `trial` and returns its plan, with group 0.
pub(super) fn build(
    loaded: &Loaded,
    inputs: &Inputs<'_>,
    layout: &Layout,
    trial: TrialId,
) -> Result<PlannedTrial, PrepareError> {
    let missing = || io::Error::other(format!("the trial `{trial}` has no cell in the suite"));
    let cell = Cell::find(loaded, &trial).ok_or_else(missing)?;
    check_recording(inputs, &cell, &trial)?;
    let root = layout.task_tree(&trial);
    fs_err::create_dir(&root)?;
    let mut writer = Writer {
        inputs,
        root: &root,
        source: FieldHasher::new("deckproof.source.v1"),
    };
    writer.shared(&cell)?;
    let source_sha256 = writer.source.finish();
    let spec = writer.spec(loaded, &cell)?;
    let spec_sha256 = layout.store().put(&spec)?;
    writer.skill(loaded, &cell)?;
    seal_tree(&root)?;
    let tree = Tree::scan(&root, &TreeLimits::default())?;
    let list = json::canonical(&tree).map_err(io::Error::from)?;
    let task_list_sha256 = layout.store().put(&list)?;
    let prompt = prompt::make(loaded, inputs, cell.arm.format)?;
    layout.store().put(prompt.text.as_bytes())?;
    Ok(PlannedTrial {
        id: trial,
        group: 0,
        task_tree_sha256: tree.sha256(),
        task_list_sha256,
        source_sha256,
        spec_sha256,
        prompt_sha256: prompt.literal_sha256,
        normalized_prompt_sha256: prompt.normalized_sha256,
    })
}

/// What a trial is made of.
struct Cell<'a> {
    case: &'a Case,
    arm: &'a Arm,
    baseline: &'a Baseline,
}

impl<'a> Cell<'a> {
    fn find(loaded: &'a Loaded, trial: &TrialId) -> Option<Self> {
        let suite = &loaded.suite;
        Some(Self {
            case: suite
                .case
                .iter()
                .find(|case| *case.id.get() == trial.case)?,
            arm: suite.arm.iter().find(|arm| *arm.id.get() == trial.arm)?,
            baseline: suite.baseline.iter().find(|baseline| {
                *baseline.case.get() == trial.case && *baseline.arm.get() == trial.arm
            })?,
        })
    }
}

/// A replay without its recording would fail after the first trial has run; better now.
fn check_recording(
    inputs: &Inputs<'_>,
    cell: &Cell<'_>,
    trial: &TrialId,
) -> Result<(), PrepareError> {
    let (HostKind::Replay, Some(recordings)) = (cell.arm.host, &cell.arm.recordings) else {
        return Ok(());
    };
    let folder = format!("{}/{}", trial.case, trial.repetition);
    let found = recordings
        .join(&format!("{folder}/recording.json"))
        .is_ok_and(|path| inputs.below(&path).next().is_some());
    if found {
        return Ok(());
    }
    Err(PrepareError::NoRecording {
        path: format!("{}/{folder}", recordings.as_str()),
        trial: trial.to_string(),
    })
}

struct Writer<'a> {
    inputs: &'a Inputs<'a>,
    root: &'a Path,
    source: FieldHasher,
}

impl Writer<'_> {
    /// What every arm of the case gets alike.
    fn shared(&mut self, cell: &Cell<'_>) -> Result<(), PrepareError> {
        let spec = self.inputs.read(&cell.case.spec)?;
        self.source.field(b"spec").field(&spec);
        self.copy(&cell.case.brief, "brief.md")?;
        let mut amendments: Vec<_> = cell.case.amendments.iter().collect();
        amendments.sort_by_key(|path| amendment_number(path.name()));
        for path in amendments {
            self.copy(path, &format!("amendments/{}", path.name()))?;
        }
        for path in &cell.case.assets {
            self.copy(path, &format!("assets/{}", path.name()))?;
        }
        Ok(())
    }

    fn copy(&mut self, from: &RelPath, to: &str) -> Result<(), PrepareError> {
        let bytes = self.inputs.read(from)?;
        self.source.field(to.as_bytes()).field(&bytes);
        self.put(to, &bytes, false)
    }

    fn put(&self, to: &str, bytes: &[u8], executable: bool) -> Result<(), PrepareError> {
        let path = self.root.join(to);
        if let Some(folder) = path.parent() {
            fs_err::create_dir_all(folder)?;
        }
        fs_err::write(&path, bytes)?;
        let mode = if executable { 0o555 } else { 0o444 };
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(mode))?;
        Ok(())
    }

    /// The rewritten spec, and for a revision the arm's own baseline.
    fn spec(&self, loaded: &Loaded, cell: &Cell<'_>) -> Result<Vec<u8>, PrepareError> {
        let baseline = match cell.case.mode {
            Mode::Create => None,
            Mode::Revise => Some(self.baseline(cell)?),
        };
        let missing = || io::Error::other(format!("the case `{}` has no spec", cell.case.id.get()));
        let spec = loaded.specs.get(cell.case.id.get()).ok_or_else(missing)?;
        let rewritten = spec.for_format(cell.arm.format, baseline);
        let bytes = json::pretty(&rewritten).map_err(io::Error::from)?;
        self.put("spec.json", &bytes, false)?;
        Ok(bytes)
    }

    /// Copies the deck to revise to `baseline/` and returns its entry's path in the task tree.
    fn baseline(&self, cell: &Cell<'_>) -> Result<RelPath, PrepareError> {
        let from: &RelPath = match &cell.baseline.starting_point {
            Some(start) => start,
            None => &cell.baseline.artifact,
        };
        for (relative, file) in self.inputs.below(from) {
            let bytes = self.inputs.read(&file.path)?;
            self.put(&format!("baseline/{relative}"), &bytes, file.executable)?;
        }
        let entry = match (cell.arm.format, &cell.baseline.entry) {
            (Format::Html, Some(entry)) => entry.as_str(),
            _ => from.name(),
        };
        format!("baseline/{entry}")
            .parse()
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, format!("{error}")).into())
    }

    fn skill(&self, loaded: &Loaded, cell: &Cell<'_>) -> Result<(), PrepareError> {
        let Some(id) = &cell.arm.skill else {
            return Ok(());
        };
        let skill = loaded
            .suite
            .skill
            .iter()
            .find(|skill| skill.id.get() == id.get());
        let Some(skill) = skill else { return Ok(()) };
        for (relative, file) in self.inputs.below(&skill.path) {
            let bytes = self.inputs.read(&file.path)?;
            self.put(&format!("skill/{relative}"), &bytes, file.executable)?;
        }
        Ok(())
    }
}

/// Makes every folder of the tree read-only; the files are already.
fn seal_tree(root: &Path) -> io::Result<()> {
    for entry in fs_err::read_dir(root)? {
        let path = entry?.path();
        if fs_err::symlink_metadata(&path)?.is_dir() {
            seal_tree(&path)?;
        }
    }
    fs_err::set_permissions(root, std::fs::Permissions::from_mode(0o555))
}
