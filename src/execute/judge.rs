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

/// A deck's pictures and what is known of it.
#[derive(Debug)]
pub(super) struct Rendered {
    pub set: RenderSet,
    pub pictures: Vec<PictureFacts>,
    pub facts: Result<DeckFacts, String>,
    /// PPTX: what is unsound about the package.
    pub package: Result<Vec<String>, String>,
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
    let rendered = match &ended.artifact {
        Artifact::Stored(artifact) => render(state, format, artifact)?,
        Artifact::Missing => Err("there is no deck".to_owned()),
        Artifact::Refused(problem) => Err(format!("the deck was refused: {problem}")),
    };
    let checks = check(state, planned, &ended, format, &rendered)?;
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
    let (render, render_problem) = match rendered {
        Ok(rendered) => (Some(rendered.set), None),
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

/// Renders a stored deck. The inner error is the deck's fault, the outer one is ours.
pub(super) fn render(
    state: &mut RunState,
    format: Format,
    artifact: &StoredArtifact,
) -> Result<Result<Rendered, String>, ExecuteError> {
    let store = state.experiment.store();
    let folder = tempfile::tempdir()?;
    snapshot::materialize(&store, artifact, folder.path())?;
    let deck = Deck {
        root: folder.path().to_owned(),
        entry: artifact.entry.as_str().to_owned(),
        format: match format {
            Format::Html => deckproof_renderers::Format::Html,
            Format::Pptx => deckproof_renderers::Format::Pptx,
        },
    };
    let options = RenderOptions {
        facts: true,
        twice: true,
        ..RenderOptions::default()
    };
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        state.renderers.render(format, &deck, &options)
    }));
    let place = folder.path().display().to_string();
    let rendering = match drawn {
        Ok(Ok(rendering)) => rendering,
        Ok(Err(error)) if error.is_infrastructure() => {
            return Err(ExecuteError::Renderer(error.to_string()));
        }
        Ok(Err(error)) => {
            return Ok(Err(error.to_string().replace(&format!("{place}/"), "")));
        }
        Err(_) => return Ok(Err("the deck crashed the renderer".to_owned())),
    };
    if rendering.slides.is_empty() {
        return Ok(Err("the deck has no visible slide".to_owned()));
    }
    let package = match format {
        Format::Html => Err("an HTML deck is no package".to_owned()),
        Format::Pptx => Ok(()),
    };
    let (facts, package) = match package {
        Err(problem) => {
            let facts = rendering.facts.clone();
            (
                facts.ok_or_else(|| "the browser gave no facts".to_owned()),
                Err(problem),
            )
        }
        Ok(()) => package_facts(state, artifact)?,
    };
    let set = store_set(state, &rendering, facts.as_ref().ok())?;
    let pictures = rendering
        .slides
        .iter()
        .map(|slide| PictureFacts {
            width: slide.width,
            height: slide.height,
            blank: slide.blank,
        })
        .collect();
    Ok(Ok(Rendered {
        set,
        pictures,
        facts,
        package,
    }))
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
    let list = store.get(&artifact.tree.sha256)?;
    let tree: deckproof_packets::tree::Tree =
        deckproof_packets::json::read("the artifact's list of files", &list)
            .map_err(std::io::Error::other)?;
    let hash = tree
        .get(&artifact.entry)
        .and_then(|entry| entry.sha256.clone());
    let hash = hash.ok_or_else(|| std::io::Error::other("the artifact's list lacks its entry"))?;
    Ok(store.get(&hash)?)
}

fn store_set(
    state: &RunState,
    rendering: &Rendering,
    facts: Option<&DeckFacts>,
) -> Result<RenderSet, ExecuteError> {
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
    let sha256 = rendering
        .set_sha256()
        .parse()
        .map_err(std::io::Error::other)?;
    Ok(RenderSet {
        renderer: rendering.identity.clone(),
        sha256,
        slides,
        diagnostics,
        facts,
    })
}

fn check(
    state: &mut RunState,
    planned: &PlannedTrial,
    ended: &AttemptEnded,
    format: Format,
    rendered: &Result<Rendered, String>,
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
        package: match rendered {
            Ok(rendered) => rendered.package.as_deref().map_err(String::as_str),
            Err(problem) => Err(problem),
        },
        pictures: match rendered {
            Ok(rendered) => Ok(&rendered.pictures),
            Err(problem) => Err(problem),
        },
        facts: match rendered {
            Ok(rendered) => rendered.facts.as_ref().map_err(String::as_str),
            Err(problem) => Err(problem),
        },
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
    Ok(Some(
        render(state, arm.format, &artifact)?.and_then(|rendered| rendered.facts),
    ))
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
