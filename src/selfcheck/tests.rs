// SPDX-License-Identifier: MIT OR Apache-2.0
//! What known decks show, tried on the PPTX decks of the embedded suite. The whole suite is checked
//! by the real program, in `tests/it`.

use std::path::Path;

use super::*;
use crate::{embedded, suite};

const GOLD: &str = "artifact = \"recordings/pptx/ops-review/1/output/deck.pptx\"\n";
const BROKEN: &str = "artifact = \"baselines/backlog-revision/deck.pptx\"\nfails = [\"required_copy\", \"slide_count\", \"source_assets\"]\n";

/// The embedded suite with other known decks in its first case.
fn suite_with(folder: &Path, known: &[&str]) -> Loaded {
    embedded::write("suite", folder).unwrap();
    let path = folder.join("suite.toml");
    let text = fs_err::read_to_string(&path).unwrap();
    let from = text.find("[[case.known]]").unwrap();
    let to = text.find("# Declared changes").unwrap();
    let known: String = known
        .iter()
        .map(|deck| format!("[[case.known]]\nformat = \"pptx\"\n{deck}\n"))
        .collect();
    fs_err::write(&path, format!("{}{known}{}", &text[..from], &text[to..])).unwrap();
    suite::load(&path).unwrap()
}

fn check(loaded: &Loaded) -> Result<SelfCheck, SelfCheckError> {
    let quiet = Progress::new(true);
    run(loaded, Some("ops-review"), Engine::Native, &quiet)
}

#[test]
fn a_gold_deck_passes_and_a_broken_one_fails_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let found = check(&suite_with(folder.path(), &[GOLD, BROKEN])).unwrap();
    let pptx: Vec<_> = found
        .decks
        .iter()
        .filter(|deck| deck.arm.as_str() == "pptx")
        .collect();
    let kinds: Vec<_> = pptx.iter().map(|deck| deck.kind).collect();
    assert_eq!(kinds, [Kind::Gold, Kind::Broken, Kind::Untouched]);
    assert_eq!(failing(&pptx[0].checks).count(), 0);
    assert!(failing(&pptx[1].checks).count() >= 3);
    assert_eq!(pptx[2].artifact, None);
    assert!(failing(&pptx[2].checks).any(|check| check.name == "artifact_exists"));
    assert!(found.decks.iter().all(|deck| deck.problems.is_empty()));
    assert!(!found.holds(), "no gold deck is known for the other arm");
    assert_eq!(found.problems.len(), 1);
    assert!(found.problems[0].contains("arm `html`"), "{found:?}");
}

#[test]
fn a_broken_deck_called_gold_and_a_gold_one_called_broken_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let called_gold = BROKEN.lines().next().unwrap();
    let called_broken = format!("{GOLD}fails = [\"required_copy\"]\n");
    let found = check(&suite_with(folder.path(), &[called_gold, &called_broken])).unwrap();
    let problems: Vec<&String> = found.decks.iter().flat_map(|deck| &deck.problems).collect();
    for expected in [
        "`required_copy` should pass and does not",
        "`slide_count` should pass and does not",
        "`required_copy` should fail and passes",
    ] {
        let said = |problem: &&&String| problem.starts_with(expected);
        assert!(
            problems.iter().any(|p| said(&p)),
            "{expected}: {problems:?}"
        );
    }
}

#[test]
fn what_is_no_case_and_what_is_no_deck_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = suite_with(folder.path(), &[GOLD]);
    let quiet = Progress::new(true);
    let error = run(&loaded, Some("nowhere"), Engine::Native, &quiet).unwrap_err();
    assert!(error.to_string().contains("`nowhere`"), "{error}");
    let deck = "recordings/pptx/ops-review/1/output/deck.pptx";
    fs_err::remove_file(folder.path().join(deck)).unwrap();
    let error = check(&loaded).unwrap_err().to_string();
    assert!(error.contains(deck), "{error}");
}
