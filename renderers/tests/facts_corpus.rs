// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts of real decks: each can be read, twice with the same outcome, and says what the deck plainly holds. The decks
//! are outside of this repository; every tenth runs when they are there, all of them with DECKPROOF_CORPUS=1.

#![allow(clippy::panic, reason = "a helper of a test may fail the test")]

use std::path::{Path, PathBuf};

use deckproof_package::{Limits, Package};
use deckproof_renderers::facts::{DeckFacts, pptx};

/// The corpus folder, or `None` with a visible line when it is absent.
fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("DECKPROOF_SHARED")
        .map_or_else(beside, PathBuf::from)
        .join("corpus/pptx");
    if !folder.is_dir() {
        eprintln!("skipped: ../shared is absent");
        return None;
    }
    Some(folder)
}

/// Rows of a table as (path, slides, features), every tenth of them unless the whole corpus is asked for.
fn decks(folder: &Path, set: &str) -> Vec<(PathBuf, usize, String)> {
    let text =
        std::fs::read_to_string(folder.join(format!("{set}.tsv"))).expect("the table is there");
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let column = |wanted: &str| {
        header
            .iter()
            .position(|name| name.ends_with(wanted))
            .expect("the column is there")
    };
    let (slides, features) = (column("slides"), column("features"));
    let all = std::env::var_os("DECKPROOF_CORPUS").is_some_and(|value| value == "1");
    let rows = lines.step_by(if all { 1 } else { 10 });
    rows.map(|row| {
        let path = folder.join(set).join(format!("{}.pptx", row[0]));
        (
            path,
            row[slides].parse().expect("a number"),
            row[features].to_owned(),
        )
    })
    .collect()
}

fn read(path: &Path) -> DeckFacts {
    let bytes = std::fs::read(path).expect("it can be read");
    let package = Package::open(bytes, &Limits::default())
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    pptx::read(&package).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_deck_has_facts_and_always_the_same() {
    let Some(folder) = corpus() else { return };
    let (mut unsound, mut total) = (0, 0);
    for set in ["fidelity", "robust"] {
        for (path, slides, _) in decks(&folder, set) {
            let facts = read(&path);
            assert_eq!(facts.slides.len(), slides, "{}", path.display());
            assert_eq!(facts, read(&path), "{}", path.display());
            let problems = &facts.document.pptx.as_ref().expect("a package").problems;
            unsound += usize::from(!problems.is_empty());
            total += 1;
            if let Some(first) = problems.first() {
                eprintln!(
                    "{}: {} problems, the first: {first}",
                    path.display(),
                    problems.len()
                );
            }
        }
    }
    eprintln!("{unsound} of {total} decks have problems");
    assert!(
        unsound * 4 < total,
        "most real decks are sound, or soundness is too strict"
    );
}

#[test]
fn what_the_first_slide_holds_is_found() {
    let Some(folder) = corpus() else { return };
    let (mut found, mut expected) = (0, 0);
    for (path, _, features) in decks(&folder, "fidelity") {
        let facts = read(&path);
        let slide = &facts.slides[0];
        let kind = |kind: &str| slide.elements.iter().any(|element| element.kind == kind);
        for feature in features.split(',') {
            let seen = match feature {
                "table" => kind("table"),
                "smartart" => kind("diagram"),
                "group" => kind("group"),
                "connector" => kind("connector"),
                "picture" => !slide.images.is_empty(),
                "chart" => kind("chart"),
                _ => continue,
            };
            expected += 1;
            found += usize::from(seen);
            if !seen {
                eprintln!("{}: {feature} not found", path.display());
            }
        }
    }
    assert!(
        expected > 5 && found * 20 >= expected * 19,
        "{found} of {expected}"
    );
}

#[test]
fn most_texts_of_real_decks_are_visible() {
    let Some(folder) = corpus() else { return };
    let (mut visible, mut total) = (0, 0);
    for (path, ..) in decks(&folder, "fidelity") {
        for slide in read(&path).slides {
            for text in slide
                .texts
                .iter()
                .filter(|text| !text.element.contains(':'))
            {
                total += 1;
                visible += usize::from(text.visible);
                if !text.visible {
                    eprintln!(
                        "{} {}: {:?} {:?} {:?}",
                        path.display(),
                        slide.index,
                        text.origin,
                        text.rect,
                        text.text
                    );
                }
            }
        }
    }
    assert!(
        total > 50 && visible * 10 >= total * 8,
        "{visible} of {total}"
    );
    eprintln!("{visible} of {total} texts are visible");
}
