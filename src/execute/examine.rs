// SPDX-License-Identifier: MIT OR Apache-2.0
//! Renders a stored deck and reads what it shows, for every deck that is judged or compared: what
//! agents made, baselines, starting points, and the known decks of `selfcheck`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use deckproof_package::{Limits, Package, soundness};
use deckproof_packets::store::Store;
use deckproof_renderers::batch::Renderers;
use deckproof_renderers::facts::{self, DeckFacts};
use deckproof_renderers::{
    DIFFERS_BY_VIEWER, Deck, NOT_DETERMINISTIC, NOT_DRAWN, RenderOptions, Rendering,
};

use super::attempt::put;
use super::{ExecuteError, snapshot};
use crate::checks::PictureFacts;
use crate::experiment::records::{Artifact, Object, RenderSet, StoredArtifact};
use crate::suite::Format;

/// Where decks are stored and what draws them.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    pub store: Store,
    pub renderers: &'a mut Renderers,
}

/// What is known of a stored deck: each part by itself, so that a renderer that fails says nothing
/// about the package.
#[derive(Debug)]
pub(crate) struct Examined {
    /// The pictures, or why there are none.
    pub pictures: Result<Pictures, String>,
    pub facts: Result<DeckFacts, String>,
    /// PPTX: what is unsound about the package.
    pub package: Result<Vec<String>, String>,
}

/// The pictures of a deck, stored.
#[derive(Debug)]
pub(crate) struct Pictures {
    pub set: RenderSet,
    pub facts: Vec<PictureFacts>,
}

impl Examined {
    /// What checks ask of the pictures, or why there are none.
    pub(crate) fn picture_facts(&self) -> Result<&[PictureFacts], &str> {
        match &self.pictures {
            Ok(pictures) => Ok(&pictures.facts),
            Err(problem) => Err(problem),
        }
    }

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

/// Looks at what an agent left, or did not.
pub(crate) fn examine(
    bench: &mut Bench<'_>,
    format: Format,
    artifact: &Artifact,
) -> Result<Examined, ExecuteError> {
    match artifact {
        Artifact::Stored(artifact) => examine_stored(bench, format, artifact),
        Artifact::Missing => Ok(Examined::nothing("there is no deck")),
        Artifact::Refused(problem) => Ok(Examined::nothing(&format!(
            "the deck was refused: {problem}"
        ))),
    }
}

/// What a stored deck shows, or why that cannot be told: no more than a revision is compared with.
pub(crate) fn shown(
    bench: &mut Bench<'_>,
    format: Format,
    artifact: &StoredArtifact,
) -> Result<Result<DeckFacts, String>, ExecuteError> {
    Ok(match format {
        Format::Html => examine_stored(bench, format, artifact)?.facts,
        Format::Pptx => package_facts(&bench.store, artifact)?.0,
    })
}

/// Renders a stored deck and reads its facts. What is wrong with the deck is in the answer; an error
/// is ours.
pub(super) fn examine_stored(
    bench: &mut Bench<'_>,
    format: Format,
    artifact: &StoredArtifact,
) -> Result<Examined, ExecuteError> {
    let (drawn, shown) = match draw(bench, format, artifact)? {
        Ok(rendering) => {
            let shown = rendering.facts.clone();
            let shown = shown.ok_or_else(|| "the renderer gave no facts".to_owned());
            (Ok(rendering), shown)
        }
        Err(problem) => (Err(problem.clone()), Err(problem)),
    };
    let (facts, package) = match format {
        Format::Html => (shown, Err("an HTML deck is no package".to_owned())),
        Format::Pptx => package_facts(&bench.store, artifact)?,
    };
    let pictures = match drawn {
        Ok(rendering) if rendering.slides.is_empty() => {
            Err("the deck has no visible slide".to_owned())
        }
        Ok(rendering) => Ok(store_pictures(
            &bench.store,
            &rendering,
            facts.as_ref().ok(),
        )?),
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
    bench: &mut Bench<'_>,
    format: Format,
    artifact: &StoredArtifact,
) -> Result<Result<Rendering, String>, ExecuteError> {
    let folder = tempfile::tempdir()?;
    snapshot::materialize(&bench.store, artifact, folder.path())?;
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
        viewers: format == Format::Html,
        ..RenderOptions::default()
    };
    let drawn = catch_unwind(AssertUnwindSafe(|| {
        bench.renderers.of(deck.format)?.render(&deck, &options)
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

fn package_facts(store: &Store, artifact: &StoredArtifact) -> Result<PackageFacts, ExecuteError> {
    let bytes = entry_bytes(store, artifact)?;
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

fn entry_bytes(store: &Store, artifact: &StoredArtifact) -> Result<Vec<u8>, ExecuteError> {
    let tree = snapshot::list(store, artifact)?;
    let hash = tree
        .get(&artifact.entry)
        .and_then(|entry| entry.sha256.clone());
    let hash = hash.ok_or_else(|| std::io::Error::other("the artifact's list lacks its entry"))?;
    Ok(store.get(&hash)?)
}

fn store_pictures(
    store: &Store,
    rendering: &Rendering,
    facts: Option<&DeckFacts>,
) -> Result<Pictures, ExecuteError> {
    let slides = rendering
        .slides
        .iter()
        .map(|slide| put(store, &slide.png))
        .collect::<Result<Vec<Object>, _>>()?;
    let to_json = |bytes: Result<Vec<u8>, serde_json::Error>| bytes.map_err(std::io::Error::from);
    let diagnostics = put(store, &to_json(serde_json::to_vec(&rendering.diagnostics))?)?;
    let facts = match facts {
        Some(facts) => Some(put(store, &to_json(serde_json::to_vec(facts))?)?),
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
    Ok(Pictures {
        set,
        facts: picture_facts(rendering),
    })
}

/// What checks ask of each picture.
fn picture_facts(rendering: &Rendering) -> Vec<PictureFacts> {
    let remarked = |code: &str, slide: u32| {
        let mut remarks = rendering.diagnostics.iter().filter(|one| one.code == code);
        remarks.any(|one| one.slide.is_none_or(|about| about == slide))
    };
    let mut first = std::collections::BTreeMap::new();
    let slides = (1_u32..).zip(&rendering.slides);
    slides
        .map(|(number, slide)| {
            let same = *first.entry(slide.sha256.as_str()).or_insert(number);
            let (twice, viewers) = (rendering.compared.twice, rendering.compared.viewers);
            PictureFacts {
                width: slide.width,
                height: slide.height,
                blank: slide.blank,
                drawn: !remarked(NOT_DRAWN, slide.index),
                same_as: (same != number).then_some(same),
                steady: twice.then(|| !remarked(NOT_DETERMINISTIC, slide.index)),
                same_for_viewers: viewers.then(|| !remarked(DIFFERS_BY_VIEWER, slide.index)),
            }
        })
        .collect()
}
