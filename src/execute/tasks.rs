// SPDX-License-Identifier: MIT OR Apache-2.0
//! The task tree of a trial, looked at before launch, after the agent ended and before the checks.
//!
//! What is found goes into the records as a hash. A tree that an agent changed is put back from the
//! store, so that the evidence stays whole; the change itself stays on record and fails the control.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::store::Store;
use deckproof_packets::tree::{Tree, TreeLimits};

use super::ExecuteError;
use crate::experiment::plan::PlannedTrial;
use crate::experiment::{Experiment, Layout};

/// The hash of the tree as it is now. A tree that cannot be listed has a hash of its own, which no
/// real tree has.
pub fn observe(layout: &Layout, trial: &PlannedTrial) -> Sha256Hex {
    match Tree::scan(&layout.task_tree(&trial.id), &TreeLimits::default()) {
        Ok(tree) => tree.sha256(),
        Err(_) => Sha256Hex::of(b"a task tree that cannot be listed"),
    }
}

/// Observes the tree and, when it has changed, puts it back. Returns what was found.
///
/// # Errors
/// When the tree cannot be put back.
pub fn observe_and_restore(
    experiment: &Experiment,
    trial: &PlannedTrial,
) -> Result<Sha256Hex, ExecuteError> {
    let found = observe(&experiment.layout, trial);
    if found != trial.task_tree_sha256 {
        restore(experiment, trial)?;
    }
    Ok(found)
}

fn restore(experiment: &Experiment, trial: &PlannedTrial) -> Result<(), ExecuteError> {
    let store = experiment.store();
    let tree = find_tree(&store, trial)?;
    let root = experiment.layout.task_tree(&trial.id);
    remove(&root)?;
    fs_err::create_dir(&root)?;
    for entry in &tree.entries {
        let path = entry.path.below(&root);
        match &entry.sha256 {
            None => fs_err::create_dir(&path)?,
            Some(hash) => {
                fs_err::write(&path, store.get(hash)?)?;
                set_mode(&path, entry.mode)?;
            }
        }
    }
    for entry in tree
        .entries
        .iter()
        .rev()
        .filter(|entry| entry.sha256.is_none())
    {
        set_mode(&entry.path.below(&root), entry.mode)?;
    }
    set_mode(&root, 0o555)?;
    Ok(())
}

/// The stored list whose hash the plan names; `prepare` put it beside the files.
fn find_tree(store: &Store, trial: &PlannedTrial) -> Result<Tree, ExecuteError> {
    let bytes = store.get(&trial.task_list_sha256)?;
    let tree: Tree =
        json::read("the task tree's list of files", &bytes).map_err(io::Error::other)?;
    if tree.sha256() == trial.task_tree_sha256 {
        return Ok(tree);
    }
    Err(io::Error::other("the stored list of a task tree is not the planned one").into())
}

fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

pub(crate) use super::remove::remove;
