// SPDX-License-Identifier: MIT OR Apache-2.0
//! `prepare`: from a sealed suite to an experiment directory, without launching any agent.
//!
//! Everything is built beside the final name and renamed when it is whole, so that a preparation
//! that fails leaves nothing behind and an experiment that exists is complete.

mod prompt;
mod schedule;
mod task;

use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::{Journal, JournalError};
use deckproof_packets::store::StoreError;
use deckproof_packets::tree::TreeError;
use deckproof_packets::{atomic, json};

use crate::clock;
use crate::experiment::Layout;
use crate::experiment::plan::{Plan, PlanSchema};
use crate::experiment::records::{Event, Prepared};
use crate::seal::{self, Inputs, Lock, SealError};
use crate::suite::Loaded;

pub use prompt::Prompt;

/// Why an experiment could not be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The output path is taken.
    #[error("`{path}` already exists; expected a new folder, name another with `--out`")]
    Exists {
        /// The output path.
        path: PathBuf,
    },
    /// The suite is not sealed, or has changed since.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The prompt's template is not usable.
    #[error("`{path}`: {problem}")]
    Prompt {
        /// The template.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// A text that reviewers see names what they must not know.
    #[error(
        "`{path}` names the case `{case}`; reviewers read this text and must not learn which case they judge, so expected it without that name"
    )]
    Unblinds {
        /// The text.
        path: String,
        /// The case whose name it holds.
        case: String,
    },
    /// The recording of a trial is missing.
    #[error(
        "`{path}`: no recording for the trial `{trial}`; expected a folder of that name with recording.json"
    )]
    NoRecording {
        /// The folder.
        path: String,
        /// The trial.
        trial: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A tree cannot be listed.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Builds the experiment of `loaded` at `out`.
///
/// # Errors
/// [`PrepareError`]; nothing is left at `out` then.
pub fn prepare(loaded: &Loaded, out: &Path) -> Result<Layout, PrepareError> {
    let (lock, lock_bytes) = seal::verify(loaded)?;
    if fs_err::symlink_metadata(out).is_ok() {
        return Err(PrepareError::Exists {
            path: out.to_owned(),
        });
    }
    let parent = match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs_err::create_dir_all(parent)?;
    let temporary = tempfile::Builder::new()
        .prefix(".deckproof-prepare-")
        .tempdir_in(parent)?;
    let result = build(loaded, &lock, &lock_bytes, temporary.path());
    if let Err(error) = result {
        make_removable(temporary.path());
        return Err(error);
    }
    // A rename replaces an empty folder but nothing else, and fails when one appeared meanwhile.
    let built = temporary.keep();
    let moved = fs_err::rename(&built, out);
    if let Err(error) = moved {
        make_removable(&built);
        let _ = fs_err::remove_dir_all(&built);
        return Err(error.into());
    }
    atomic::sync_folder(parent)?;
    Ok(Layout::new(out))
}

fn build(loaded: &Loaded, lock: &Lock, lock_bytes: &[u8], root: &Path) -> Result<(), PrepareError> {
    let layout = Layout::new(root);
    make_folders(&layout)?;
    let inputs = Inputs::new(&loaded.root, lock);
    store_inputs(&layout, lock, &inputs)?;
    atomic::write_new(&layout.suite(), &loaded.bytes, 0o444)?;
    atomic::write_new(&layout.lock(), lock_bytes, 0o444)?;
    check_blinding(loaded, &inputs)?;
    let trials =
        schedule::plan_trials(loaded, |trial| task::build(loaded, &inputs, &layout, trial))?;
    let plan = Plan {
        schema: PlanSchema::V1,
        suite: loaded.suite.id.get().clone(),
        suite_sha256: lock.suite_sha256.clone(),
        lock_sha256: Sha256Hex::of(lock_bytes),
        schedule: loaded.suite.schedule.kind,
        trials,
        commitments: Vec::new(),
    };
    let bytes = json::pretty(&plan).map_err(io::Error::from)?;
    atomic::write_new(&layout.plan(), &bytes, 0o644)?;
    let mut journal = Journal::<Event>::create(&layout.journal())?;
    let event = Event::Prepared(Prepared {
        deckproof: env!("CARGO_PKG_VERSION").to_owned(),
        plan_sha256: Sha256Hex::of(&bytes),
    });
    journal.append(clock::now(), event)?;
    fs_err::set_permissions(root, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
}

fn make_folders(layout: &Layout) -> io::Result<()> {
    let sealed = layout.sealed().join("tasks");
    let work = layout.root().join("work");
    for folder in [sealed, work, layout.packets(), layout.reviews()] {
        fs_err::create_dir_all(folder)?;
    }
    let mut private = std::fs::DirBuilder::new();
    private
        .mode(0o700)
        .recursive(true)
        .create(layout.private().join("mappings"))
}

/// Keeps every sealed byte in the experiment, so that evidence never depends on the suite's folder.
fn store_inputs(layout: &Layout, lock: &Lock, inputs: &Inputs<'_>) -> Result<(), PrepareError> {
    let store = layout.store();
    for file in &lock.files {
        store.put(&inputs.read(&file.path)?)?;
    }
    Ok(())
}

/// Reviewers read brief, amendments and spec; a case's name there would tell them which it is.
fn check_blinding(loaded: &Loaded, inputs: &Inputs<'_>) -> Result<(), PrepareError> {
    for case in &loaded.suite.case {
        let texts = [&case.brief, &case.spec]
            .into_iter()
            .chain(&case.amendments);
        for path in texts {
            let bytes = inputs.read(path)?;
            let text = String::from_utf8_lossy(&bytes);
            let named = loaded
                .suite
                .case
                .iter()
                .find(|other| text.contains(other.id.as_str()));
            if let Some(named) = named {
                return Err(PrepareError::Unblinds {
                    path: path.as_str().to_owned(),
                    case: named.id.get().to_string(),
                });
            }
        }
    }
    Ok(())
}

/// Task trees are read-only; a folder that is to be removed must be writable again.
fn make_removable(root: &Path) {
    let Ok(entries) = fs_err::read_dir(root) else {
        return;
    };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let is_folder = fs_err::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_dir());
        if is_folder {
            let _ = fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755));
            make_removable(&path);
        }
    }
}
