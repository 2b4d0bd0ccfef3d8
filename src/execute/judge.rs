// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders and checks what a trial made, from the stored copy alone.
//!
//! Whatever is bad about a candidate is an outcome of its checks: no deck, a deck that is a link, a
//! deck that brings a parser or the browser down. Only a renderer that is itself broken ends the run.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use deckproof_package::{Limits, Package, soundness};
use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::relpath::RelPath;
use deckproof_renderers::facts::{self, DeckFacts};
use deckproof_renderers::{Deck, RenderOptions, Rendering};

use super::attempt::put;
use super::progress::Progress;
use super::state::RunState;
use super::{ExecuteError, baselines, snapshot, tasks};
use crate::checks::{self, Evidence, PictureFacts};
use crate::experiment::plan::PlannedTrial;
use crate::experiment::records::{
    Artifact, AttemptEnded, CheckRecord, CheckStatus, Event, Object, RenderSet, StoredArtifact,
    TrialJudged,
};
use crate::suite::{Format, Mode};

/// What is known of a stored deck: each part by itself, so that a renderer that fails says nothing
/// about the package.
#[derive(Debug)]
pub(super) struct Examined {
    /// The pictures, or why there are none.
    pub pictures: Result<Pictures, String>,
    pub facts: Result<DeckFacts, String>,
    /// PPTX: what is unsound about the package.
    pub package: Result<Vec<String>, String>,
}

/// The pictures of a deck, stored.
#[derive(Debug)]
pub(super) struct Pictures {
    pub set: RenderSet,
    pub facts: Vec<PictureFacts>,
}

impl Examined {
    /// Nothing is known, for one reason.
    fn nothing(problem: &str) -> Self {
        let problem = problem.to_owned();
        Self {
            pictures: Err(problem.clone()),
            facts: Err(problem.clone()),
            package: Err(problem),
        }
    }
}

/// Judges one trial, once.
pub(super) fn trial(
    state: &mut RunState,
    planned: &PlannedTrial,
    progress: &Progress,
) -> Result<(), ExecuteError> {
    if state.judged.contains_key(&planned.id) {
        return Ok(());
    }
    let Some(ended) = state.ended.get(&planned.id).cloned() else {
        return Ok(());
    };
    let task_tree_sha256 = tasks::observe_and_restore(&state.experiment, planned)?;
    let format = state.experiment.arm(&planned.id.arm)?.format;
    let examined = match &ended.artifact {
        Artifact::Stored(artifact) => examine(state, format, artifact)?,
        Artifact::Missing => Examined::nothing("there is no deck"),
        Artifact::Refused(problem) => {
            Examined::nothing(&format!("the deck was refused: {problem}"))
        }
    };
    let checks = check(state, planned, &ended, format, &examined)?;
    let failed = checks
        .iter()
        .filter(|check| check.status != CheckStatus::Pass)
        .count();
    progress.line(format_args!(
        "{}: {} of {} checks passed",
        planned.id,
        checks.len() - failed,
        checks.len()
    ));
    let (render, render_problem) = match examined.pictures {
        Ok(pictures) => (Some(pictures.set), None),
        Err(problem) => (None, Some(problem)),
    };
    state.record(Event::TrialJudged(Box::new(TrialJudged {
        trial: planned.id.clone(),
        attempt: ended.attempt,
        task_tree_sha256,
        render,
        render_problem,
        checks,
    })))
}

/// Renders a stored deck and reads its facts. What is wrong with the deck is in the answer; an error
/// is ours.
pub(super) fn examine(
    state: &mut RunState,
    format: Format,
    artifact: &StoredArtifact,
) -> Result<Examined, ExecuteError> {
    let (drawn, shown) = match draw(state, format, artifact)? {
        Ok(rendering) => {
            let shown = rendering.facts.clone();
            let shown = shown.ok_or_else(|| "the renderer gave no facts".to_owned());
            (Ok(rendering), shown)
        }
        Err(problem) => (Err(problem.clone()), Err(problem)),
    };
    let (facts, package) = match format {
        Format::Html => (shown, Err("an HTML deck is no package".to_owned())),
        Format::Pptx => package_facts(state, artifact)?,
    };
    let pictures = match drawn {
        Ok(rendering) if rendering.slides.is_empty() => {
            Err("the deck has no visible slide".to_owned())
        }
        Ok(rendering) => Ok(store_pictures(state, &rendering, facts.as_ref().ok())?),
        Err(problem) => Err(problem),
    };
    Ok(Examined {
        pictures,
        facts,
        package,
    })
}

/// Draws a stored deck. The inner error is the deck's fault, the outer one is ours.
fn draw(
    state: &mut RunState,
    format: Format,
    artifact: &StoredArtifact,
) -> Result<Result<Rendering, String>, ExecuteError> {
    let folder = tempfile::tempdir()?;
    snapshot::materialize(&state.experiment.store(), artifact, folder.path())?;
    let deck = Deck {
        root: folder.path().to_owned(),
        entry: artifact.entry.as_str().to_owned(),
        format: match format {
            Format::Html => deckproof_renderers::Format::Html,
            Format::Pptx => deckproof_renderers::Format::Pptx,
        },
    };
    let options = RenderOptions {
        facts: format == Format::Html,
        twice: true,
        ..RenderOptions::default()
    };
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        state.renderers.of(deck.format)?.render(&deck, &options)
    }));
    match drawn {
        Ok(Ok(rendering)) => Ok(Ok(rendering)),
        Ok(Err(error)) if error.is_infrastructure() => {
            Err(ExecuteError::Renderer(error.to_string()))
        }
        Ok(Err(error)) => {
            let place = format!("{}/", folder.path().display());
            Ok(Err(error.to_string().replace(&place, "")))
        }
        Err(_) => Ok(Err("the deck crashed the renderer".to_owned())),
    }
}

/// Facts of a package and what is unsound about it.
type PackageFacts = (Result<DeckFacts, String>, Result<Vec<String>, String>);

fn package_facts(
    state: &RunState,
    artifact: &StoredArtifact,
) -> Result<PackageFacts, ExecuteError> {
    let bytes = entry_bytes(state, artifact)?;
    let read = catch_unwind(AssertUnwindSafe(|| {
        let package =
            Package::open(bytes, &Limits::default()).map_err(|error| error.to_string())?;
        let facts = facts::pptx::read(&package).map_err(|error| error.to_string());
        let findings = soundness::problems(&package);
        Ok((facts, findings))
    }));
    Ok(match read {
        Ok(Ok((facts, findings))) => (facts, Ok(findings)),
        Ok(Err(problem)) => {
            let problem: String = problem;
            (Err(problem.clone()), Err(problem))
        }
        Err(_) => {
            let problem = "the package crashed the reader".to_owned();
            (Err(problem.clone()), Err(problem))
        }
    })
}

fn entry_bytes(state: &RunState, artifact: &StoredArtifact) -> Result<Vec<u8>, ExecuteError> {
    let store = state.experiment.store();
    let tree = snapshot::list(&store, artifact)?;
    let hash = tree
        .get(&artifact.entry)
        .and_then(|entry| entry.sha256.clone());
    let hash = hash.ok_or_else(|| std::io::Error::other("the artifact's list lacks its entry"))?;
    Ok(store.get(&hash)?)
}

fn store_pictures(
    state: &RunState,
    rendering: &Rendering,
    facts: Option<&DeckFacts>,
) -> Result<Pictures, ExecuteError> {
    let store = state.experiment.store();
    let slides = rendering
        .slides
        .iter()
        .map(|slide| put(&store, &slide.png))
        .collect::<Result<Vec<Object>, _>>()?;
    let to_json = |bytes: Result<Vec<u8>, serde_json::Error>| bytes.map_err(std::io::Error::from);
    let diagnostics = put(
        &store,
        &to_json(serde_json::to_vec(&rendering.diagnostics))?,
    )?;
    let facts = match facts {
        Some(facts) => Some(put(&store, &to_json(serde_json::to_vec(facts))?)?),
        None => None,
    };
    let set = RenderSet {
        renderer: rendering.identity.clone(),
        sha256: rendering
            .set_sha256()
            .parse()
            .map_err(std::io::Error::other)?,
        slides,
        diagnostics,
        facts,
    };
    let pictures = rendering.slides.iter().map(|slide| PictureFacts {
        width: slide.width,
        height: slide.height,
        blank: slide.blank,
    });
    Ok(Pictures {
        set,
        facts: pictures.collect(),
    })
}

fn check(
    state: &mut RunState,
    planned: &PlannedTrial,
    ended: &AttemptEnded,
    format: Format,
    examined: &Examined,
) -> Result<Vec<CheckRecord>, ExecuteError> {
    let before = before(state, planned)?;
    let experiment = &state.experiment;
    let case = experiment.case(&planned.id.case)?;
    let assets = assets(state, planned)?;
    let before = before
        .as_ref()
        .map(|before| before.as_ref().map_err(String::as_str));
    let evidence = Evidence {
        arm: &planned.id.arm,
        format,
        spec: experiment.spec(&planned.id.case)?,
        assets: &assets,
        artifact: &ended.artifact,
        package: examined.package.as_deref().map_err(String::as_str),
        pictures: match &examined.pictures {
            Ok(pictures) => Ok(&pictures.facts),
            Err(problem) => Err(problem),
        },
        facts: examined.facts.as_ref().map_err(String::as_str),
        before,
        usage: &ended.usage,
        duration_ms: ended.run.duration_ms,
    };
    Ok(checks::run(&case.checks, &evidence))
}

/// Revisions: the facts of the deck that the agent was given.
fn before(
    state: &mut RunState,
    planned: &PlannedTrial,
) -> Result<Option<Result<DeckFacts, String>>, ExecuteError> {
    let case = state.experiment.case(&planned.id.case)?;
    if case.mode == Mode::Create || case.checks.revision_fidelity.is_none() {
        return Ok(None);
    }
    let suite = &state.experiment.suite;
    let baseline = suite.baseline.iter().find(|baseline| {
        *baseline.case.get() == planned.id.case && *baseline.arm.get() == planned.id.arm
    });
    let Some(baseline) = baseline.cloned() else {
        return Ok(None);
    };
    let arm = state.experiment.arm(&planned.id.arm)?.clone();
    let path = baseline
        .starting_point
        .as_ref()
        .unwrap_or(&baseline.artifact);
    let artifact = baselines::artifact(&state.experiment, &arm, path, &baseline)?;
    Ok(Some(match arm.format {
        Format::Html => examine(state, arm.format, &artifact)?.facts,
        Format::Pptx => package_facts(state, &artifact)?.0,
    }))
}

fn assets(
    state: &RunState,
    planned: &PlannedTrial,
) -> Result<BTreeMap<String, Sha256Hex>, ExecuteError> {
    let experiment = &state.experiment;
    let case = experiment.case(&planned.id.case)?;
    let mut assets = BTreeMap::new();
    for path in &case.assets {
        let path: &RelPath = path;
        let hash = experiment.lock.files.iter().find(|file| file.path == *path);
        if let Some(file) = hash {
            assets.insert(path.name().to_owned(), file.sha256.clone());
        }
    }
    Ok(assets)
}
