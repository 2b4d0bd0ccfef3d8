// SPDX-License-Identifier: MIT OR Apache-2.0
//! `sealed/`: the suite, its lock, and one task tree for each trial, to the byte and to the mode.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::tree::{Tree, TreeLimits};

use super::folders::{Kind, expect_exactly, expect_kind, list, stray};
use super::parallel::check_all;
use super::planned::Derived;
use super::{VerifyError, planned};
use crate::experiment::Experiment;
use crate::experiment::plan::PlannedTrial;
use crate::seal::LOCK_NAME;
use crate::suite::Id;

/// Checks the plan, the lock and everything below `sealed/`.
pub(super) fn check(experiment: &Experiment) -> Result<(), VerifyError> {
    check_lock(experiment)?;
    planned::check_plan(experiment)?;
    let sealed = experiment.layout.sealed();
    for (name, kind) in list(&sealed)? {
        let path = sealed.join(&name);
        match name.as_str() {
            "tasks" => expect_kind(&path, Kind::Folder)?,
            "suite.toml" | LOCK_NAME if kind == Kind::File => {}
            _ => return Err(stray(&path, "the plan")),
        }
    }
    let trials = &experiment.plan.trials;
    let names: BTreeSet<_> = trials.iter().map(|trial| trial.id.to_string()).collect();
    expect_exactly(&sealed.join("tasks"), &names, Kind::Folder, "the plan")?;
    let cells = planned::derive(experiment)?;
    check_all(trials, |trial| check_task(experiment, trial, &cells))
}

fn check_lock(experiment: &Experiment) -> Result<(), VerifyError> {
    let paths: Vec<_> = experiment
        .lock
        .files
        .iter()
        .map(|file| &file.path)
        .collect();
    if paths.is_sorted_by(|a, b| a < b) {
        return Ok(());
    }
    Err(VerifyError::evidence(
        &experiment.layout.lock(),
        "files in another order, or one twice",
        "each input once, sorted by path",
    ))
}

fn check_task(
    experiment: &Experiment,
    planned: &PlannedTrial,
    cells: &BTreeMap<(Id, Id), Derived>,
) -> Result<(), VerifyError> {
    let key = (planned.id.case.clone(), planned.id.arm.clone());
    let Some(derived) = cells.get(&key) else {
        let found = format!("no cell for the trial `{}`", planned.id);
        return Err(VerifyError::evidence(
            &experiment.layout.plan(),
            found,
            "one",
        ));
    };
    derived.check(experiment, planned)?;
    let root = experiment.layout.task_tree(&planned.id);
    let found = Tree::scan(&root, &TreeLimits::default())?;
    let Some(difference) = derived.tree.difference(&found) else {
        return Ok(());
    };
    // The difference begins with the file's name in quotes, which belongs into the path.
    let (name, found) = match difference
        .strip_prefix('`')
        .and_then(|rest| rest.split_once("` "))
    {
        Some((name, how)) => (root.join(name), how.to_owned()),
        None => (root, difference),
    };
    Err(VerifyError::evidence(
        &name,
        format!("that it {found}"),
        "the task tree as it was planned",
    ))
}
