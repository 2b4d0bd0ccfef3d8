// SPDX-License-Identifier: MIT OR Apache-2.0
//! One feature, one fixture, one reference picture: `cases/CONCEPT/NAME.xml` and `.png` beside it.
//!
//! Each case says which feature it shows (`<feature>`) and how well that is drawn (`<how>`); the support table of the
//! documents is made from that.
//!
//! A mismatch writes expected | got | difference to the target folder. `DECKPROOF_PPTX_BLESS=1` writes references and then
//! fails, so that a blessed run never passes for a test; any other value writes only those whose `CONCEPT-NAME` begins so.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

#[path = "support/pictures.rs"]
mod pictures;
mod support;
#[path = "support/table.rs"]
mod table;

use std::path::{Path, PathBuf};

use deckproof_pptx::{FontSet, NativeRenderer};
use pictures::{compare, half, save};
use support::Case;
use table::Table;

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut out = Vec::new();
    for folder in fs_err::read_dir(root)
        .expect("the cases")
        .flatten()
        .filter(|f| f.path().is_dir())
    {
        let files = fs_err::read_dir(folder.path())
            .expect("a concept")
            .flatten()
            .map(|f| f.path());
        out.extend(files.filter(|p| p.extension().is_some_and(|e| e == "xml")));
    }
    out.sort();
    out
}

#[test]
fn every_fixture_looks_like_its_reference() {
    let Ok(fonts) = FontSet::debian() else {
        println!("skipped: the fonts are absent");
        return;
    };
    if !fonts.missing().is_empty() {
        println!("skipped: fonts are missing: {:?}", fonts.missing());
        return;
    }
    let bless = std::env::var("DECKPROOF_PPTX_BLESS").ok();
    let part = bless.as_deref().filter(|b| *b != "1").unwrap_or_default();
    let renderer = NativeRenderer::new(fonts);
    let mut wrong = Vec::new();
    let mut table = Table::default();
    let all = cases();
    for path in &all {
        let case = Case::parse(&fs_err::read_to_string(path).expect("a case"));
        let concept = path
            .parent()
            .and_then(Path::file_name)
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let name = format!(
            "{concept}-{}",
            path.file_stem().unwrap_or_default().to_string_lossy()
        );
        if !name.starts_with(part) {
            continue;
        }
        let rendered = renderer
            .render(&case.deck())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let slide = rendered.slides.first().expect("one slide");
        assert!(
            slide.diagnostics.iter().all(|d| d.code != "slide-failed"),
            "{name}: {:?}",
            slide.diagnostics
        );
        table.add(&name, &case.feature, &case.how, &slide.diagnostics);
        let got = half(&slide.rgb);
        let reference = path.with_extension("png");
        if bless.is_some() {
            save(&reference, &got);
        } else {
            wrong.extend(compare(&name, &reference, &got));
        }
    }
    wrong.extend(table.problems(bless.as_deref() == Some("1")));
    assert!(all.len() >= 150, "only {} fixtures", all.len());
    assert!(
        bless.is_none(),
        "references were written; run again without DECKPROOF_PPTX_BLESS"
    );
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        all.len(),
        wrong.join("\n")
    );
}
