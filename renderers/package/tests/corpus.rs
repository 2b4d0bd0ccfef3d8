// SPDX-License-Identifier: MIT OR Apache-2.0
//! Real decks: each opens with its true slide count, or is refused with a reason. The decks are outside of this
//! repository; a small subset runs always when they are there, all of them with DECKPROOF_CORPUS=1.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use deckproof_package::{Limits, Package};

/// The corpus folder, or `None` with a visible line when it is absent.
fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("DECKPROOF_SHARED")
        .map_or_else(beside, PathBuf::from)
        .join("corpus/pptx");
    if !folder.is_dir() {
        eprintln!("skipped: ../shared is absent");
        return None;
    }
    Some(folder)
}

/// Rows of a table as (id, value of `column`), every tenth of them unless the whole corpus is asked for.
fn rows(folder: &Path, table: &str, column: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(folder.join(table)).expect("the table is there");
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let at = header
        .iter()
        .position(|name| *name == column)
        .expect("the column is there");
    let all = std::env::var_os("DECKPROOF_CORPUS").is_some_and(|value| value == "1");
    lines
        .step_by(if all { 1 } else { 10 })
        .map(|row| (row[0].to_owned(), row[at].to_owned()))
        .collect()
}

fn open(folder: &Path, set: &str, id: &str) -> Result<Package, String> {
    let path = folder.join(set).join(format!("{id}.pptx"));
    let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
    Package::open(bytes, &Limits::default()).map_err(|error| error.to_string())
}

#[test]
fn good_decks_open_with_their_true_slide_counts() {
    let Some(folder) = corpus() else { return };
    for set in ["fidelity", "robust"] {
        let rows = rows(&folder, &format!("{set}.tsv"), "slides");
        assert!(rows.len() >= 9, "{set} has {} rows", rows.len());
        for (id, slides) in rows {
            match open(&folder, set, &id) {
                Ok(package) => assert_eq!(
                    package.presentation().slides.len().to_string(),
                    slides,
                    "{set}/{id}"
                ),
                Err(error) => panic!("{set}/{id}: {error}"),
            }
        }
    }
}

#[test]
fn every_xml_part_of_good_decks_is_acceptable() {
    let Some(folder) = corpus() else { return };
    for (id, _) in rows(&folder, "fidelity.tsv", "slides") {
        let package = open(&folder, "fidelity", &id).expect("it opens");
        for part in package
            .part_names()
            .filter(|name| name.ends_with(".xml") || name.ends_with(".rels"))
        {
            if let Err(error) = package.document(part) {
                panic!("{id}: {error}");
            }
        }
    }
}

#[test]
fn hostile_files_are_refused_at_once_and_by_name() {
    let Some(folder) = corpus() else { return };
    let all = std::fs::read_to_string(folder.join("hostile.tsv")).expect("the table is there");
    for row in all
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
    {
        let begun = Instant::now();
        let outcome = open(&folder, "hostile", row[0]);
        assert!(
            begun.elapsed() < Duration::from_secs(2),
            "{} took {:?}",
            row[0],
            begun.elapsed()
        );
        let error = outcome.err().unwrap_or_default();
        let expected = match row[1] {
            "encrypted" => "encrypted with a password",
            "empty" => "file is empty",
            // One of them is a sound package with a placeholder that its layout lacks: nothing to refuse.
            "ok" => "",
            _ => "zip archive",
        };
        assert!(
            error.contains(expected),
            "{} ({}): {error:?}",
            row[0],
            row[1]
        );
        eprintln!("{} {}: {error}", row[0], row[1]);
    }
}
