// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plan against the sealed suite: every trial that the suite asks for, exactly as it asks.
//!
//! Everything that `prepare` derived is derived again from the sealed bytes, so that a plan can be
//! bent no more than a suite can.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use deckproof_packets::hash::{FieldHasher, Sha256Hex};
use deckproof_packets::json;
use deckproof_packets::mapping::PacketId;
use deckproof_packets::relpath::RelPath;
use deckproof_packets::tree::{Tree, TreeEntry};

use super::VerifyError;
use super::error::{Fault, must};
use super::history::History;
use crate::experiment::plan::{Commitment, Plan, PlannedTrial};
use crate::experiment::{Experiment, TrialId};
use crate::prepare::Prompt;
use crate::seal::LockedFile;
use crate::suite::{Arm, Baseline, Case, Format, Id, Mode, ScheduleKind, amendment_number};

/// The plan's trials are those of the suite, in groups as its schedule says.
pub(super) fn check_plan(experiment: &Experiment) -> Result<(), VerifyError> {
    let checks = [suite_named, cells, groups, commitments];
    let found = checks.iter().try_for_each(|check| check(experiment));
    found.map_err(|(found, expected)| {
        VerifyError::evidence(&experiment.layout.plan(), found, expected)
    })
}

fn suite_named(experiment: &Experiment) -> Result<(), Fault> {
    let (plan, suite) = (&experiment.plan, &experiment.suite);
    must(
        plan.suite == *suite.id.get() && plan.schedule == suite.schedule.kind,
        format!("the suite `{}`, {:?}", plan.suite, plan.schedule),
        format!("`{}`, {:?}", suite.id.get(), suite.schedule.kind),
    )
}

fn cells(experiment: &Experiment) -> Result<(), Fault> {
    let suite = &experiment.suite;
    let mut expected = BTreeSet::new();
    for case in &suite.case {
        for arm in &suite.arm {
            expected.extend((1..=suite.schedule.repetitions).map(|repetition| TrialId {
                case: case.id.get().clone(),
                arm: arm.id.get().clone(),
                repetition,
            }));
        }
    }
    let mut found = BTreeSet::new();
    for planned in &experiment.plan.trials {
        let id = &planned.id;
        must(
            expected.contains(id) && found.insert(id),
            format!("the trial `{id}`"),
            "each trial of the suite once",
        )?;
    }
    let missing = expected.iter().find(|id| !found.contains(id));
    missing.map_or(Ok(()), |id| {
        Err((
            format!("no trial `{id}`"),
            "each trial of the suite".to_owned(),
        ))
    })
}

/// Paired: one group for each case and repetition. Sequential: one for each trial. In order.
fn groups(experiment: &Experiment) -> Result<(), Fault> {
    let paired = experiment.plan.schedule == ScheduleKind::Paired;
    let mut members: BTreeMap<u32, Vec<&TrialId>> = BTreeMap::new();
    let mut last = 0;
    for planned in &experiment.plan.trials {
        must(
            planned.group >= last,
            format!("group {} after group {last}", planned.group),
            "groups in order",
        )?;
        last = planned.group;
        members.entry(last).or_default().push(&planned.id);
    }
    let expected = if paired {
        experiment.suite.arm.len()
    } else {
        1
    };
    for (group, members) in members {
        let cells: BTreeSet<_> = members.iter().map(|id| (&id.case, id.repetition)).collect();
        must(
            members.len() == expected && cells.len() == 1,
            format!("{} trials in group {group}", members.len()),
            format!("{expected} of one case and repetition"),
        )?;
    }
    Ok(())
}

fn commitments(experiment: &Experiment) -> Result<(), Fault> {
    let packets: Vec<_> = experiment
        .plan
        .commitments
        .iter()
        .map(|one| one.packet.clone())
        .collect();
    must(
        packets.is_sorted_by(|a, b| a < b),
        "commitments in another order, or one twice",
        "one for each packet, sorted by id",
    )
}

/// The plan without its commitments is the one that `prepare` wrote.
pub(super) fn check_first_plan(
    experiment: &Experiment,
    first: &Sha256Hex,
) -> Result<(), VerifyError> {
    let plan = Plan {
        commitments: Vec::new(),
        ..experiment.plan.clone()
    };
    let bytes = json::pretty(&plan).map_err(std::io::Error::from)?;
    let found = Sha256Hex::of(&bytes);
    if found == *first {
        return Ok(());
    }
    Err(VerifyError::evidence(
        &experiment.layout.plan(),
        "other trials than `prepare` planned",
        format!("the plan {first} with commitments added and nothing else changed"),
    ))
}

/// Every version of the plan after the first: the draw, and one more packet for each one voided. A
/// draw that the plan does not list, or lists with another reason, is another plan.
pub(super) fn check_drawn_plans(
    experiment: &Experiment,
    history: &History,
) -> Result<(), VerifyError> {
    let Some(drawn) = &history.drawn else {
        return Ok(());
    };
    let order = history.voided_packets();
    let later = history.voided.iter().map(|one| &one.event.plan_sha256);
    for (voids, named) in std::iter::once(drawn).chain(later).enumerate() {
        let plan = experiment.plan.after(&order, voids);
        let found = Sha256Hex::of(&json::pretty(&plan).map_err(std::io::Error::from)?);
        if found != *named {
            let found = format!("other draws than the plan {named} had");
            let expected = "every draw listed, the voided ones with their reasons";
            return Err(VerifyError::evidence(
                &experiment.layout.plan(),
                found,
                expected,
            ));
        }
    }
    let listed = experiment.plan.commitments.iter();
    let odd = listed.filter(|one| one.replaces.is_some() || one.voided.is_some());
    let known = |packet: &PacketId| order.contains(packet);
    let replaced = |one: &&Commitment| {
        one.replaces.as_ref().is_none_or(known) && (one.voided.is_none() || known(&one.packet))
    };
    match odd.into_iter().find(|one| !replaced(one)) {
        None => Ok(()),
        Some(one) => Err(VerifyError::evidence(
            &experiment.layout.plan(),
            format!("the packet {} voided or drawn anew", one.packet),
            "a record of it in the journal",
        )),
    }
}

/// What one trial is made of.
pub(super) struct Cell<'a> {
    pub case: &'a Case,
    pub arm: &'a Arm,
    pub baseline: &'a Baseline,
}

impl<'a> Cell<'a> {
    pub(super) fn find(experiment: &'a Experiment, id: &TrialId) -> Result<Self, VerifyError> {
        let mut baselines = experiment.suite.baseline.iter();
        let baseline = baselines
            .find(|one| *one.case.get() == id.case && *one.arm.get() == id.arm)
            .ok_or_else(|| {
                let found = format!("no baseline for the trial `{id}`");
                VerifyError::evidence(&experiment.layout.suite(), found, "one for each trial")
            })?;
        Ok(Self {
            case: experiment.case(&id.case)?,
            arm: experiment.arm(&id.arm)?,
            baseline,
        })
    }
}

/// What every trial of one cell must have, derived again from the sealed inputs.
pub(super) struct Derived {
    source: Sha256Hex,
    spec: Sha256Hex,
    prompt: Option<Prompt>,
    tree_sha256: Sha256Hex,
    /// The task tree.
    pub tree: Tree,
}

/// Every cell of the plan. Repetitions share theirs.
pub(super) fn derive(experiment: &Experiment) -> Result<BTreeMap<(Id, Id), Derived>, VerifyError> {
    let mut cells = BTreeMap::new();
    for planned in &experiment.plan.trials {
        let key = (planned.id.case.clone(), planned.id.arm.clone());
        if let Entry::Vacant(place) = cells.entry(key) {
            place.insert(Derived::of(experiment, &planned.id)?);
        }
    }
    Ok(cells)
}

impl Derived {
    fn of(experiment: &Experiment, trial: &TrialId) -> Result<Self, VerifyError> {
        let cell = Cell::find(experiment, trial)?;
        let inputs = Inputs { experiment };
        let spec = inputs.spec(&cell)?;
        let tree = inputs.tree(&cell, &spec)?;
        Ok(Self {
            source: inputs.source(&cell)?,
            spec,
            prompt: inputs.prompt(&cell)?,
            tree_sha256: tree.sha256(),
            tree,
        })
    }

    /// A trial's hashes are those of its cell.
    pub(super) fn check(
        &self,
        experiment: &Experiment,
        planned: &PlannedTrial,
    ) -> Result<(), VerifyError> {
        let same = |what: &str, found: &Sha256Hex, expected: &Sha256Hex| {
            if found == expected {
                return Ok(());
            }
            Err(VerifyError::evidence(
                &experiment.layout.plan(),
                format!("{what} {found} for `{}`", planned.id),
                format!("{expected}, as the sealed suite gives"),
            ))
        };
        same("source", &planned.source_sha256, &self.source)?;
        same("spec", &planned.spec_sha256, &self.spec)?;
        if let Some(prompt) = &self.prompt {
            same("prompt", &planned.prompt_sha256, &prompt.literal_sha256)?;
            let normalized = &planned.normalized_prompt_sha256;
            same("normalized prompt", normalized, &prompt.normalized_sha256)?;
        }
        same("task tree", &planned.task_tree_sha256, &self.tree_sha256)
    }
}

struct Inputs<'a> {
    experiment: &'a Experiment,
}

/// A file of a task tree: its content and whether it may be run.
type Content = (Sha256Hex, bool);

impl Inputs<'_> {
    /// The hash over everything that the arms of a case share.
    fn source(&self, cell: &Cell<'_>) -> Result<Sha256Hex, VerifyError> {
        let mut hasher = FieldHasher::new("deckproof.source.v1");
        hasher
            .field(b"spec")
            .field(&self.experiment.input(&cell.case.spec)?);
        for (to, from) in shared(cell.case) {
            hasher
                .field(to.as_bytes())
                .field(&self.experiment.input(from)?);
        }
        Ok(hasher.finish())
    }

    /// The hash of the spec as it is rewritten for the arm.
    fn spec(&self, cell: &Cell<'_>) -> Result<Sha256Hex, VerifyError> {
        let entry = match cell.case.mode {
            Mode::Create => None,
            Mode::Revise => Some(self.path(&format!("baseline/{}", baseline_entry(cell)))?),
        };
        let spec = self.experiment.spec(cell.case.id.get())?;
        let bytes = json::pretty(&spec.for_format(cell.arm.format, entry));
        Ok(Sha256Hex::of(&bytes.map_err(std::io::Error::from)?))
    }

    /// The prompt from the suite's template. The built-in one may be another version's.
    fn prompt(&self, cell: &Cell<'_>) -> Result<Option<Prompt>, VerifyError> {
        let Some(path) = &self.experiment.suite.prompt else {
            return Ok(None);
        };
        let file = PathBuf::from(path.as_str());
        let problem = |found: String| VerifyError::evidence(&file, found, "a prompt's template");
        let template = String::from_utf8(self.experiment.input(path)?)
            .map_err(|_| problem("invalid UTF-8".to_owned()))?;
        Prompt::from_template(&template, cell.arm.format)
            .map(Some)
            .map_err(problem)
    }

    fn tree(&self, cell: &Cell<'_>, spec: &Sha256Hex) -> Result<Tree, VerifyError> {
        let mut files = BTreeMap::<RelPath, Content>::new();
        for (to, from) in shared(cell.case) {
            let content = (self.locked(from)?.sha256.clone(), false);
            files.insert(self.path(&to)?, content);
        }
        files.insert(self.path("spec.json")?, (spec.clone(), false));
        if cell.case.mode == Mode::Revise {
            self.add_below(starting_point(cell.baseline), "baseline", &mut files)?;
        }
        let mut skills = self.experiment.suite.skill.iter();
        let skill = skills.find(|skill| {
            cell.arm
                .skill
                .as_ref()
                .is_some_and(|id| id.get() == skill.id.get())
        });
        if let Some(skill) = skill {
            self.add_below(&skill.path, "skill", &mut files)?;
        }
        self.with_folders(files)
    }

    fn add_below(
        &self,
        from: &RelPath,
        to: &str,
        files: &mut BTreeMap<RelPath, Content>,
    ) -> Result<(), VerifyError> {
        for (relative, file) in below(&self.experiment.lock.files, from) {
            let path = self.path(&format!("{to}/{relative}"))?;
            files.insert(path, (file.sha256.clone(), file.executable));
        }
        Ok(())
    }

    /// Everything in a task tree is read-only.
    fn with_folders(&self, files: BTreeMap<RelPath, Content>) -> Result<Tree, VerifyError> {
        let mut entries = BTreeMap::new();
        for (path, (sha256, executable)) in files {
            let mut folder = String::new();
            let parts: Vec<_> = path.as_str().split('/').collect();
            for part in parts.iter().take(parts.len() - 1) {
                folder = if folder.is_empty() {
                    (*part).to_owned()
                } else {
                    format!("{folder}/{part}")
                };
                entries.insert(self.path(&folder)?, (None, 0o555));
            }
            let mode = if executable { 0o555 } else { 0o444 };
            entries.insert(path, (Some(sha256), mode));
        }
        let entries = entries.into_iter().map(|(path, (sha256, mode))| TreeEntry {
            path,
            mode,
            sha256,
            bytes: 0,
        });
        Ok(Tree {
            entries: entries.collect(),
        })
    }

    fn locked(&self, path: &RelPath) -> Result<&LockedFile, VerifyError> {
        let mut files = self.experiment.lock.files.iter();
        files.find(|file| file.path == *path).ok_or_else(|| {
            let found = format!("no file `{path}`");
            VerifyError::evidence(&self.experiment.layout.lock(), found, "every input")
        })
    }

    fn path(&self, text: &str) -> Result<RelPath, VerifyError> {
        text.parse().map_err(|error| {
            let found = format!("{error}");
            VerifyError::evidence(&self.experiment.layout.suite(), found, "plain paths")
        })
    }
}

/// What every arm of a case gets alike: where it lies in the task tree, and where it comes from.
pub(super) fn shared(case: &Case) -> Vec<(String, &RelPath)> {
    let brief: &RelPath = &case.brief;
    let mut files = vec![("brief.md".to_owned(), brief)];
    let mut amendments: Vec<&RelPath> = case.amendments.iter().map(|path| &***path).collect();
    amendments.sort_by_key(|path| amendment_number(path.name()));
    files.extend(
        amendments
            .into_iter()
            .map(|path| (format!("amendments/{}", path.name()), path)),
    );
    let assets = case.assets.iter().map(|path| -> &RelPath { path });
    files.extend(assets.map(|path| (format!("assets/{}", path.name()), path)));
    files
}

fn starting_point(baseline: &Baseline) -> &RelPath {
    match &baseline.starting_point {
        Some(start) => start,
        None => &baseline.artifact,
    }
}

/// The entry of the deck that a revision starts from, below its folder.
fn baseline_entry(cell: &Cell<'_>) -> String {
    match (cell.arm.format, &cell.baseline.entry) {
        (Format::Html, Some(entry)) => entry.as_str().to_owned(),
        _ => starting_point(cell.baseline).name().to_owned(),
    }
}

/// The sealed files that are `path` or lie below it, with their paths below it.
pub(super) fn below<'a>(files: &'a [LockedFile], path: &RelPath) -> Vec<(RelPath, &'a LockedFile)> {
    let relative = |file: &'a LockedFile| {
        if file.path == *path {
            return Some((path.name().parse().ok()?, file));
        }
        Some((file.path.relative_to(path)?, file))
    };
    files.iter().filter_map(relative).collect()
}
