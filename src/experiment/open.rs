// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens an experiment directory and checks that its plan, suite, lock and journal fit together.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::{self, JournalError, Records};
use deckproof_packets::json::{self, JsonError, Limits};
use deckproof_packets::relpath::RelPath;
use deckproof_packets::store::{Store, StoreError};

use super::Layout;
use super::plan::{Plan, PlannedTrial};
use super::records::Event;
use crate::seal::Lock;
use crate::suite::spec::Spec;
use crate::suite::{self, Arm, Case, Id, Suite, SuiteError};

/// An experiment whose plan, suite, lock and journal fit together.
#[derive(Debug)]
pub struct Experiment {
    /// Where everything is.
    pub layout: Layout,
    /// What was planned.
    pub plan: Plan,
    /// The sealed suite.
    pub suite: Suite,
    /// Its lock.
    pub lock: Lock,
    /// Each case's spec, as sealed.
    pub specs: BTreeMap<Id, Spec>,
    /// What happened.
    pub journal: Records<Event>,
    paths: BTreeMap<RelPath, Sha256Hex>,
}

/// An experiment directory that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// There is no experiment here.
    #[error(
        "`{path}` is not an experiment directory; expected `plan.json` and `journal.jsonl` in it, as `deckproof prepare` writes them"
    )]
    NotOne {
        /// The folder.
        path: PathBuf,
    },
    /// A file does not fit what names it.
    #[error("`{path}`: {problem}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What was found and what was expected.
        problem: String,
    },
    /// A file is not strict JSON of its schema.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// The journal does not hold.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The sealed suite breaks a rule.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// An object is missing or changed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ExperimentError {
    pub(crate) fn file(path: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        Self::File {
            path: path.into(),
            problem: problem.into(),
        }
    }
}

impl Layout {
    /// Refuses a folder without a journal: what is to be done there is done to an experiment.
    ///
    /// # Errors
    /// [`ExperimentError::NotOne`].
    pub fn expect_journal(&self) -> Result<(), ExperimentError> {
        let path = self.root().to_owned();
        match self.journal().is_file() {
            true => Ok(()),
            false => Err(ExperimentError::NotOne { path }),
        }
    }
}

impl Experiment {
    /// Opens the experiment at `root` as evidence.
    ///
    /// # Errors
    /// [`ExperimentError`] naming the file that does not fit.
    pub fn open(root: &Path) -> Result<Self, ExperimentError> {
        let layout = Layout::new(root);
        if !layout.plan().is_file() || !layout.journal().is_file() {
            return Err(ExperimentError::NotOne {
                path: root.to_owned(),
            });
        }
        let journal = journal::read::<Event>(&layout.journal())?;
        Self::with_journal(layout, journal)
    }

    /// Opens an experiment whose journal has been read already.
    ///
    /// # Errors
    /// As [`Experiment::open`].
    pub fn with_journal(layout: Layout, journal: Records<Event>) -> Result<Self, ExperimentError> {
        let plan = read_plan(&layout, &journal)?;
        let suite_bytes = read_bound(&layout.suite(), &plan.suite_sha256, "the plan")?;
        let suite = suite::parse(&layout.suite().display().to_string(), &suite_bytes)?;
        let lock_bytes = read_bound(&layout.lock(), &plan.lock_sha256, "the plan")?;
        let lock: Lock = json::read(&layout.lock().display().to_string(), &lock_bytes)?;
        if lock.suite_sha256 != plan.suite_sha256 {
            let problem = "the lock seals another suite than the plan names";
            return Err(ExperimentError::file(layout.lock(), problem));
        }
        let paths: BTreeMap<_, _> = lock
            .files
            .iter()
            .map(|file| (file.path.clone(), file.sha256.clone()))
            .collect();
        let specs = read_specs(&layout, &suite, &paths)?;
        Ok(Self {
            layout,
            plan,
            suite,
            lock,
            specs,
            journal,
            paths,
        })
    }

    /// The store of objects.
    #[must_use]
    pub fn store(&self) -> Store {
        self.layout.store()
    }

    /// The bytes of one sealed input, from the store.
    ///
    /// # Errors
    /// [`ExperimentError`] when the input is not in the lock or its object is not usable.
    pub fn input(&self, path: &RelPath) -> Result<Vec<u8>, ExperimentError> {
        sealed_input(&self.store(), path, self.input_sha256(path)?)
    }

    /// The hash of one sealed input.
    ///
    /// # Errors
    /// [`ExperimentError`] when the input is not in the lock.
    pub fn input_sha256(&self, path: &RelPath) -> Result<&Sha256Hex, ExperimentError> {
        self.paths.get(path).ok_or_else(|| {
            ExperimentError::file(self.layout.lock(), format!("does not list `{path}`"))
        })
    }

    /// The hash of a sealed file, by its path; `None` for a path that is not sealed.
    #[must_use]
    pub fn sealed_hash(&self, path: &RelPath) -> Option<Sha256Hex> {
        self.paths.get(path).cloned()
    }

    /// The messages of a trial in order, as objects: its prompt, then the replies of its case.
    ///
    /// # Errors
    /// [`ExperimentError`] when a reply is not sealed.
    pub fn messages(&self, trial: &PlannedTrial) -> Result<Vec<Sha256Hex>, ExperimentError> {
        let mut messages = vec![trial.prompt_sha256.clone()];
        for reply in &self.case(&trial.id.case)?.replies {
            let path: &RelPath = reply;
            let hash = self.paths.get(path).ok_or_else(|| {
                ExperimentError::file(self.layout.lock(), format!("does not list `{path}`"))
            })?;
            messages.push(hash.clone());
        }
        Ok(messages)
    }

    /// The case `id`.
    ///
    /// # Errors
    /// When the suite has no such case.
    pub fn case(&self, id: &Id) -> Result<&Case, ExperimentError> {
        self.suite
            .case
            .iter()
            .find(|case| case.id.get() == id)
            .ok_or_else(|| {
                ExperimentError::file(self.layout.suite(), format!("has no case `{id}`"))
            })
    }

    /// The arm `id`.
    ///
    /// # Errors
    /// When the suite has no such arm.
    pub fn arm(&self, id: &Id) -> Result<&Arm, ExperimentError> {
        self.suite
            .arm
            .iter()
            .find(|arm| arm.id.get() == id)
            .ok_or_else(|| ExperimentError::file(self.layout.suite(), format!("has no arm `{id}`")))
    }

    /// The spec of the case `id`.
    ///
    /// # Errors
    /// When the suite has no such case.
    pub fn spec(&self, id: &Id) -> Result<&Spec, ExperimentError> {
        self.specs.get(id).ok_or_else(|| {
            ExperimentError::file(self.layout.suite(), format!("has no case `{id}`"))
        })
    }
}

/// A plan has about 1 KB and ten values for each trial: enough for 500,000 trials.
const PLAN_LIMITS: Limits = Limits {
    bytes: 512 << 20,
    depth: 8,
    values: 8_000_000,
};

/// The plan must be the one that the journal named last.
fn read_plan(layout: &Layout, journal: &Records<Event>) -> Result<Plan, ExperimentError> {
    let named = journal
        .records
        .iter()
        .rev()
        .find_map(|record| match &record.event {
            Event::Prepared(event) => Some(&event.plan_sha256),
            Event::MappingsDrawn(event) => Some(&event.plan_sha256),
            Event::PacketVoided(event) => Some(&event.plan_sha256),
            _ => None,
        });
    let Some(named) = named else {
        return Err(ExperimentError::file(
            layout.journal(),
            "has no record of `prepare`",
        ));
    };
    let bytes = read_bound(&layout.plan(), named, "the journal")?;
    let name = layout.plan().display().to_string();
    Ok(json::read_within(&name, &bytes, &PLAN_LIMITS)?)
}

/// Reads a file that something names by its hash.
pub(crate) fn read_bound(
    path: &Path,
    hash: &Sha256Hex,
    named_by: &str,
) -> Result<Vec<u8>, ExperimentError> {
    let metadata = fs_err::symlink_metadata(path)?;
    if !metadata.is_file() {
        return Err(ExperimentError::file(path, "expected a regular file"));
    }
    let bytes = fs_err::read(path)?;
    let found = Sha256Hex::of(&bytes);
    if found == *hash {
        return Ok(bytes);
    }
    let problem = format!(
        "has changed: found content that hashes to {found}, expected {hash}, which {named_by} names; \
         restore the file from an untouched copy, or run the experiment anew"
    );
    Err(ExperimentError::file(path, problem))
}

/// The bytes of a sealed input; when they have changed, which one it is.
fn sealed_input(
    store: &Store,
    path: &RelPath,
    hash: &Sha256Hex,
) -> Result<Vec<u8>, ExperimentError> {
    store.get(hash).map_err(|error| match error {
        StoreError::Changed {
            path: object,
            found,
            expected,
        } => {
            let problem = format!(
                "has changed: found content that hashes to {found}, expected {expected}, the sealed input \
                 `{path}`; restore it from an untouched copy, or run the experiment anew"
            );
            ExperimentError::file(object, problem)
        }
        other => other.into(),
    })
}

fn read_specs(
    layout: &Layout,
    suite: &Suite,
    paths: &BTreeMap<RelPath, Sha256Hex>,
) -> Result<BTreeMap<Id, Spec>, ExperimentError> {
    let store = layout.store();
    let mut specs = BTreeMap::new();
    for case in &suite.case {
        let path: &RelPath = &case.spec;
        let hash = paths.get(path).ok_or_else(|| {
            ExperimentError::file(layout.lock(), format!("does not list `{path}`"))
        })?;
        let spec = json::read(path.as_str(), &sealed_input(&store, path, hash)?)?;
        specs.insert(case.id.get().clone(), spec);
    }
    Ok(specs)
}
