// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes seeds of the fuzz targets to fuzz/corpus/TARGET/, from the fixtures and from the decks of ../shared where they are
//! present. It stands here and not in fuzz/, which only cargo fuzz builds. Nothing that it writes is ever committed.
#![allow(clippy::print_stdout, reason = "a tool for the terminal")]

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};

#[path = "../tests/support/mod.rs"]
mod support;

use support::{Case, pack_stored};

/// Most bytes of a seed: long inputs make slow runs.
const MAX_PART: usize = 24 << 10;
/// Most bytes of a package that is a seed.
const MAX_PACKAGE: usize = 64 << 10;
/// Most seeds of a target out of one source.
const MAX_SEEDS: usize = 150;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seeds = Seeds::default();
    for case in files(&root.join("tests/cases"), "xml") {
        seeds.deck(&Case::parse(&fs_err::read_to_string(case)?).deck());
    }
    seeds.next_source();
    let shared = std::env::var_os("DECKPROOF_SHARED")
        .map_or_else(|| root.join("../../../shared"), PathBuf::from);
    let decks = files(&shared.join("corpus/pptx"), "pptx");
    if decks.is_empty() {
        println!("skipped: ../shared is absent; seeds come from the fixtures alone");
    }
    for deck in decks {
        seeds.deck(&fs_err::read(deck)?);
    }
    seeds.write(&root.join("../../fuzz/corpus"))
}

/// Files of an extension below a folder, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs_err::read_dir(folder).into_iter().flatten().flatten() {
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

#[derive(Default)]
struct Seeds {
    by_target: BTreeMap<&'static str, Vec<Vec<u8>>>,
    before: BTreeMap<&'static str, usize>,
}

impl Seeds {
    fn deck(&mut self, bytes: &[u8]) {
        let parts = unpacked(bytes).unwrap_or_default();
        for (name, part) in &parts {
            if let Some(target) = target(name, part) {
                self.add(target, part.clone(), MAX_PART);
            }
        }
        if !parts.is_empty() {
            self.add("package", pack_stored(&parts), MAX_PACKAGE);
        }
    }

    fn add(&mut self, target: &'static str, seed: Vec<u8>, most: usize) {
        let list = self.by_target.entry(target).or_default();
        let before = self.before.get(target).copied().unwrap_or_default();
        if !seed.is_empty()
            && seed.len() <= most
            && list.len() < before + MAX_SEEDS
            && !list.contains(&seed)
        {
            list.push(seed);
        }
    }

    /// From here on, each target takes as many seeds again.
    fn next_source(&mut self) {
        self.before = self.by_target.iter().map(|(k, v)| (*k, v.len())).collect();
    }

    fn write(&self, root: &Path) -> Result<(), Box<dyn std::error::Error>> {
        for (target, list) in &self.by_target {
            let folder = root.join(target);
            fs_err::create_dir_all(&folder)?;
            for (i, seed) in list.iter().enumerate() {
                fs_err::write(folder.join(format!("seed-{i:03}")), seed)?;
            }
            println!("{target}: {} seeds", list.len());
        }
        Ok(())
    }
}

/// Which target a part is a seed of.
fn target(name: &str, part: &[u8]) -> Option<&'static str> {
    let has = |word: &[u8]| part.windows(word.len()).any(|w| w == word);
    let (folder, file) = name.rsplit_once('/')?;
    match (folder, file.rsplit_once('.')?.1) {
        ("ppt", _) if file == "presentation.xml" => Some("presentation"),
        ("ppt", _) if file == "tableStyles.xml" => Some("table_styles"),
        ("ppt/slides", "xml") => Some("slide"),
        ("ppt/slideLayouts" | "ppt/slideMasters", "xml") => Some("layout_master"),
        ("ppt/theme", "xml") if has(b"themeElements") => Some("theme"),
        ("ppt/charts", "xml") if has(b"plotAreaRegion") => Some("chartex"),
        ("ppt/charts", "xml") if has(b"plotArea") => Some("chart"),
        ("ppt/diagrams", "xml") if file.starts_with("data") || file.starts_with("drawing") => {
            Some("diagram")
        }
        (_, "emf") => Some("emf"),
        (_, "wmf") => Some("wmf"),
        ("ppt/media", "png" | "jpg" | "jpeg" | "gif" | "bmp" | "tif" | "tiff" | "webp" | "svg") => {
            Some("picture")
        }
        _ => None,
    }
}

fn unpacked(bytes: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut out = Vec::new();
    for i in 0..zip.len() {
        let entry = zip.by_index(i).ok()?;
        let name = entry.name().ok()?.into_owned();
        let mut part = Vec::new();
        entry.take(1 << 20).read_to_end(&mut part).ok()?;
        out.push((name, part));
    }
    Some(out)
}
