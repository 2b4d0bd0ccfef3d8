// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every object that a record, the plan or the lock names, and what each of them must be.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::store::StoreError;
use deckproof_packets::tree::Tree;
use deckproof_renderers::{Diagnostic, png};

use super::VerifyError;
use super::history::History;
use super::planned::below;
use crate::experiment::records::{
    Artifact, AttemptEnded, BaselineRendered, Object, RenderSet, ReplyOutcome, ReviewerRan,
    StoredArtifact, TrialJudged,
};
use crate::experiment::{Experiment, TrialId};

/// What is known of a named object.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    /// Its size, where something states it.
    pub bytes: Option<u64>,
    /// Whether it is a slide's picture.
    pub picture: bool,
    /// What it is, for messages.
    pub what_it_is: String,
}

/// All named objects.
#[derive(Debug, Default)]
pub(super) struct References {
    pub objects: BTreeMap<Sha256Hex, Reference>,
}

/// Collects what is named. Lists of files are read on the way, since they name objects themselves.
pub(super) fn collect(
    experiment: &Experiment,
    history: &History,
) -> Result<References, VerifyError> {
    let mut collector = Collector {
        experiment,
        references: References::default(),
    };
    collector.plan()?;
    for (id, trial) in &history.trials {
        for ended in trial.attempts.iter().filter_map(|one| one.ended.as_ref()) {
            collector.attempt(ended)?;
        }
        if let Some((_, ended, judged)) = trial.counted() {
            collector.judged(id, ended, judged)?;
        }
    }
    for baseline in history.baselines.values() {
        collector.baseline(baseline)?;
    }
    for ran in history.reviewer_runs.values().flatten() {
        collector.reviewer(ran)?;
    }
    Ok(collector.references)
}

struct Collector<'a> {
    experiment: &'a Experiment,
    references: References,
}

impl Collector<'_> {
    fn plan(&mut self) -> Result<(), VerifyError> {
        let experiment = self.experiment;
        for file in &experiment.lock.files {
            let what_it_is = || format!("the sealed input `{}`", file.path);
            self.add(&file.sha256, Some(file.bytes), what_it_is)?;
        }
        let mut lists = BTreeSet::new();
        for trial in &experiment.plan.trials {
            let hashes = [
                ("the spec", &trial.spec_sha256),
                ("the prompt", &trial.prompt_sha256),
                ("the list of task files", &trial.task_list_sha256),
            ];
            for (what, hash) in hashes {
                self.add(hash, None, || format!("{what} of `{}`", trial.id))?;
            }
            // Repetitions share their list.
            let list = (&trial.task_list_sha256, &trial.task_tree_sha256);
            if lists.insert(list) {
                self.task_list(list.0, list.1)?;
            }
        }
        Ok(())
    }

    fn task_list(&mut self, list: &Sha256Hex, tree: &Sha256Hex) -> Result<(), VerifyError> {
        let (path, found) = self.read_tree(list, "the list of task files")?;
        if found.sha256() == *tree {
            return Ok(());
        }
        let expected = format!("that of the task tree {tree}");
        Err(VerifyError::evidence(
            &path,
            "another list of files",
            expected,
        ))
    }

    fn attempt(&mut self, ended: &AttemptEnded) -> Result<(), VerifyError> {
        let of = &format!("attempt {} at `{}`", ended.attempt, ended.trial);
        let logs = [
            ("event log", &ended.run.events),
            ("standard error", &ended.run.stderr),
            ("trace", &ended.trace.events),
        ];
        for (what, object) in logs {
            self.object(object, || format!("the {what} of {of}"))?;
        }
        for (number, turn) in (1..).zip(&ended.turns) {
            let of = format!("turn {number} of {of}");
            self.object(&turn.events, || format!("the event log of {of}"))?;
            self.object(&turn.stderr, || format!("the standard error of {of}"))?;
            if let Some(ledger) = &turn.ledger {
                self.object(ledger, || format!("the host's own record of {of}"))?;
            }
        }
        match &ended.artifact {
            Artifact::Stored(artifact) => self.artifact(artifact, of).map(drop),
            Artifact::Missing | Artifact::Refused(_) => Ok(()),
        }
    }

    fn reviewer(&mut self, ran: &ReviewerRan) -> Result<(), VerifyError> {
        let of = format!("run {} for the packet {}", ran.run, ran.packet);
        self.object(&ran.events, || format!("the event log of {of}"))?;
        self.object(&ran.stderr, || format!("the standard error of {of}"))?;
        match &ran.outcome {
            ReplyOutcome::Replied(response) => {
                self.object(response, || format!("the response of {of}"))
            }
            ReplyOutcome::Malformed(_) | ReplyOutcome::Failed(_) => Ok(()),
        }
    }

    fn judged(
        &mut self,
        id: &TrialId,
        ended: &AttemptEnded,
        judged: &TrialJudged,
    ) -> Result<(), VerifyError> {
        self.checks(id, judged)?;
        let Some(render) = &judged.render else {
            return Ok(());
        };
        if !matches!(ended.artifact, Artifact::Stored(_)) {
            let found = format!("pictures of `{id}`, which left no deck");
            return Err(self.in_journal(found, "pictures of decks alone"));
        }
        self.render(render, &format!("`{id}`"))?;
        self.remarks(id, judged, render)
    }

    /// No check passed against what the renderer remarked.
    fn remarks(
        &self,
        id: &TrialId,
        judged: &TrialJudged,
        render: &RenderSet,
    ) -> Result<(), VerifyError> {
        let store = self.experiment.store();
        let path = store.path(&render.diagnostics.sha256).display().to_string();
        let remarks: Vec<Diagnostic> = match super::remarks::concern(&judged.checks) {
            true => json::read(&path, &store.get(&render.diagnostics.sha256)?)?,
            false => Vec::new(),
        };
        match super::remarks::contradiction(&judged.checks, render, &remarks) {
            None => Ok(()),
            Some((check, against)) => {
                let found = format!("the check `{check}` of `{id}` passed against {against}");
                Err(self.in_journal(found, "that it did not pass"))
            }
        }
    }

    /// The record holds the declared checks and no other.
    fn checks(&self, id: &TrialId, judged: &TrialJudged) -> Result<(), VerifyError> {
        let case = self.experiment.case(&id.case)?;
        let arm = self.experiment.arm(&id.arm)?;
        let declared = case.checks.names_for(arm.id.get(), arm.format);
        let mut found = BTreeSet::new();
        for check in &judged.checks {
            let name = check.name.as_str();
            if !declared.contains(&name) || !found.insert(name) {
                let found = format!("the check `{}` of `{id}`", name.escape_debug());
                return Err(self.in_journal(found, "each declared check once"));
            }
        }
        let missing = declared.iter().find(|name| !found.contains(*name));
        missing.map_or(Ok(()), |name| {
            let found = format!("no check `{name}` of `{id}`");
            Err(self.in_journal(found, "every declared check"))
        })
    }

    fn render(&mut self, render: &RenderSet, of: &str) -> Result<(), VerifyError> {
        for (number, slide) in (1..).zip(&render.slides) {
            self.object(slide, || format!("picture {number} of {of}"))?;
            if let Some(reference) = self.references.objects.get_mut(&slide.sha256) {
                reference.picture = true;
            }
        }
        self.object(&render.diagnostics, || format!("the diagnostics of {of}"))?;
        if let Some(facts) = &render.facts {
            self.object(facts, || format!("the facts of {of}"))?;
        }
        let hashes: Vec<&str> = render
            .slides
            .iter()
            .map(|one| one.sha256.as_str())
            .collect();
        let expected = png::render_set_sha256(&hashes);
        if expected == render.sha256.as_str() {
            return Ok(());
        }
        let found = format!("the render set {} of {of}", render.sha256);
        Err(self.in_journal(found, &format!("{expected}, that of its pictures")))
    }

    /// A baseline's deck is the sealed one, file by file.
    fn baseline(&mut self, rendered: &BaselineRendered) -> Result<(), VerifyError> {
        let of = format!("the baseline of `{}` for `{}`", rendered.case, rendered.arm);
        let tree = self.artifact(&rendered.artifact, &of)?;
        let mut baselines = self.experiment.suite.baseline.iter();
        let sealed = baselines
            .find(|one| *one.case.get() == rendered.case && *one.arm.get() == rendered.arm);
        let expected: BTreeMap<_, _> = sealed
            .map(|one| below(&self.experiment.lock.files, &one.artifact))
            .unwrap_or_default()
            .into_iter()
            .map(|(path, file)| (path, file.sha256.clone()))
            .collect();
        let found: BTreeMap<_, _> = tree
            .files()
            .map(|(entry, hash)| (entry.path.clone(), hash.clone()))
            .collect();
        if found != expected {
            return Err(self.in_journal(format!("other files for {of}"), "the sealed ones"));
        }
        let entry = sealed.map(|one| match &one.entry {
            Some(entry) => entry.as_str().to_owned(),
            None => one.artifact.name().to_owned(),
        });
        if entry.as_deref() != Some(rendered.artifact.entry.as_str()) {
            let found = format!("the entry `{}` for {of}", rendered.artifact.entry);
            return Err(self.in_journal(found, "the sealed one"));
        }
        self.render(&rendered.render, &of)
    }

    fn artifact(&mut self, artifact: &StoredArtifact, of: &str) -> Result<Tree, VerifyError> {
        self.object(&artifact.tree, || format!("the list of files of {of}"))?;
        let what = format!("the list of files of {of}");
        let (path, tree) = self.read_tree(&artifact.tree.sha256, &what)?;
        if tree.sha256() != artifact.tree_sha256 {
            let expected = format!("that of the deck {}", artifact.tree_sha256);
            return Err(VerifyError::evidence(
                &path,
                "another list of files",
                expected,
            ));
        }
        let entry = tree
            .get(&artifact.entry)
            .and_then(|entry| entry.sha256.as_ref());
        if entry.is_none() {
            let found = format!("no file `{}`", artifact.entry);
            return Err(VerifyError::evidence(&path, found, "the deck's entry"));
        }
        for (entry, hash) in tree.files() {
            self.add(hash, Some(entry.bytes), || {
                format!("the file `{}` of {of}", entry.path)
            })?;
        }
        Ok(tree)
    }

    fn read_tree(
        &self,
        hash: &Sha256Hex,
        what: &str,
    ) -> Result<(std::path::PathBuf, Tree), VerifyError> {
        let store = self.experiment.store();
        let path = store.path(hash);
        let bytes = store.get(hash).map_err(|error| match error {
            StoreError::Changed { found, .. } => super::objects::changed(hash, &path, &found, what),
            other => other.into(),
        })?;
        let tree: Tree = json::read(&path.display().to_string(), &bytes)?;
        if tree.entries.is_sorted_by(|a, b| a.path < b.path) {
            return Ok((path, tree));
        }
        let found = "files in another order, or one twice";
        Err(VerifyError::evidence(
            &path,
            found,
            "each file once, sorted by path",
        ))
    }

    fn object(
        &mut self,
        object: &Object,
        what_it_is: impl FnOnce() -> String,
    ) -> Result<(), VerifyError> {
        self.add(&object.sha256, Some(object.bytes), what_it_is)
    }

    fn add(
        &mut self,
        hash: &Sha256Hex,
        bytes: Option<u64>,
        what_it_is: impl FnOnce() -> String,
    ) -> Result<(), VerifyError> {
        let Some(known) = self.references.objects.get_mut(hash) else {
            let reference = Reference {
                bytes,
                picture: false,
                what_it_is: what_it_is(),
            };
            self.references.objects.insert(hash.clone(), reference);
            return Ok(());
        };
        if let (Some(one), Some(other)) = (known.bytes, bytes)
            && one != other
        {
            let found = format!("{other} bytes for {}", what_it_is());
            let expected = format!("{one} bytes, as for {}", known.what_it_is);
            return Err(self.in_journal(found, &expected));
        }
        known.bytes = known.bytes.or(bytes);
        Ok(())
    }

    fn in_journal(&self, found: impl Into<String>, expected: &str) -> VerifyError {
        VerifyError::evidence(&self.experiment.layout.journal(), found, expected)
    }
}
