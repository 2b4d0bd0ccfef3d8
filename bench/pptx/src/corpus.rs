// SPDX-License-Identifier: MIT OR Apache-2.0
//! The decks: the public ones of ../shared where they are present, else those that our tests draw.

use std::error::Error;
use std::path::{Path, PathBuf};

/// The fixtures' own deck writer.
#[path = "../../../renderers/pptx/tests/support/mod.rs"]
mod support;

/// A deck.
#[derive(Debug)]
pub struct Deck {
    /// Its file.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// All decks, sorted, and where they come from. `work` takes the decks that have to be written first.
pub fn decks(work: &Path) -> Result<(Vec<Deck>, &'static str), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared =
        std::env::var_os("DECKPROOF_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let mut paths = files(&shared.join("corpus/pptx/fidelity"), "pptx");
    paths.extend(files(&shared.join("corpus/pptx/robust"), "pptx"));
    if !paths.is_empty() {
        return Ok((read(paths)?, "of ../shared"));
    }
    std::fs::create_dir_all(work)?;
    for case in files(&root.join("renderers/pptx/tests/cases"), "xml") {
        let deck = support::Case::parse(&std::fs::read_to_string(&case)?).deck();
        let stem = case.with_extension("pptx");
        let concept = case.parent().and_then(Path::file_name).unwrap_or_default();
        let name = format!(
            "{}-{}",
            concept.to_string_lossy(),
            stem.file_name().unwrap_or_default().to_string_lossy()
        );
        std::fs::write(work.join(name), deck)?;
    }
    let mut paths = files(work, "pptx");
    paths.extend(files(&root.join("renderers/pptx/tests/agents"), "pptx"));
    Ok((read(paths)?, "that our tests draw, as ../shared is absent"))
}

fn read(paths: Vec<PathBuf>) -> Result<Vec<Deck>, Box<dyn Error>> {
    let deck = |path: PathBuf| -> std::io::Result<Deck> {
        let bytes = std::fs::read(&path)?;
        Ok(Deck { path, bytes })
    };
    Ok(paths.into_iter().map(deck).collect::<Result<_, _>>()?)
}

/// Files of an extension below a folder, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            out.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
    out.sort();
    out
}
