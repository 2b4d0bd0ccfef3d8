// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stores and renders each known deck once, whatever number of arms it stands in for.

use std::collections::BTreeMap;
use std::path::Path;

use deckproof_packets::relpath::RelPath;
use deckproof_packets::store::Store;
use deckproof_renderers::batch::Renderers;

use super::SelfCheckError;
use crate::execute::examine::{Bench, Examined, examine};
use crate::execute::{ExecuteError, Progress, snapshot};
use crate::experiment::records::Artifact;
use crate::suite::{Case, Format, Id, Loaded, Mode, SuitePath};

/// A deck as it is stored, and what is known of it.
#[derive(Debug)]
pub(super) struct Deck {
    pub artifact: Artifact,
    pub examined: Examined,
}

/// The decks of one case.
#[derive(Debug)]
pub(super) struct Decks {
    /// The known ones, in the suite's order.
    pub known: Vec<Deck>,
    /// What each arm's agent starts from: the deck that it is to revise, or none.
    pub untouched: BTreeMap<Id, Deck>,
}

pub(super) fn bench<'a>(folder: &Path, renderers: &'a mut Renderers) -> Bench<'a> {
    Bench {
        store: Store::new(folder.join("objects")),
        renderers,
    }
}

pub(super) fn examine_all(
    loaded: &Loaded,
    case: &Case,
    bench: &mut Bench<'_>,
    progress: &Progress,
) -> Result<Decks, SelfCheckError> {
    let mut known = Vec::new();
    for deck in &case.known {
        let entry = deck.entry.as_ref().map(|entry| &***entry);
        known.push(stored(
            loaded,
            deck.format,
            &deck.artifact,
            entry,
            bench,
            progress,
        )?);
    }
    let mut untouched = BTreeMap::new();
    for arm in &loaded.suite.arm {
        let deck = match start(loaded, case, arm.id.get()) {
            None => of(Artifact::Missing, arm.format, bench)?,
            Some((path, entry)) => stored(loaded, arm.format, path, entry, bench, progress)?,
        };
        untouched.insert(arm.id.get().clone(), deck);
    }
    Ok(Decks { known, untouched })
}

/// The deck that an arm's agent is given to revise, and its entry page.
pub(super) fn start<'a>(
    loaded: &'a Loaded,
    case: &Case,
    arm: &Id,
) -> Option<(&'a SuitePath, Option<&'a RelPath>)> {
    if case.mode == Mode::Create {
        return None;
    }
    let baseline = loaded
        .suite
        .baseline
        .iter()
        .find(|baseline| baseline.case.get() == case.id.get() && baseline.arm.get() == arm)?;
    let path = baseline.starting_point.as_ref();
    let path = path.unwrap_or(&baseline.artifact).get();
    Some((path, baseline.entry.as_ref().map(|entry| &***entry)))
}

fn stored(
    loaded: &Loaded,
    format: Format,
    path: &SuitePath,
    entry: Option<&RelPath>,
    bench: &mut Bench<'_>,
    progress: &Progress,
) -> Result<Deck, SelfCheckError> {
    // As a deck of an agent, it is taken from where no part of the path is a link.
    let root = fs_err::canonicalize(&loaded.root)?;
    let place = path.below(&root);
    let problem = |problem: String| SelfCheckError::Deck {
        path: path.below(&loaded.root),
        problem,
    };
    path.resolve_inside(&loaded.root)
        .map_err(|error| problem(error.to_string()))?;
    progress.line(format_args!("checking {}", path.as_str()));
    let taken = match (format, entry) {
        (Format::Html, Some(entry)) => snapshot::take(&bench.store, &place, entry, format),
        _ => {
            let name = path
                .name()
                .parse()
                .map_err(|_| problem("found no plain file name".to_owned()))?;
            let folder = place.parent().unwrap_or(&root);
            snapshot::take(&bench.store, folder, &name, format)
        }
    };
    match taken.map_err(ExecuteError::from)? {
        Artifact::Missing => Err(problem("there is no such deck".to_owned())),
        artifact => Ok(of(artifact, format, bench)?),
    }
}

fn of(artifact: Artifact, format: Format, bench: &mut Bench<'_>) -> Result<Deck, ExecuteError> {
    Ok(Deck {
        examined: examine(bench, format, &artifact)?,
        artifact,
    })
}
