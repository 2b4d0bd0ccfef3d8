// SPDX-License-Identifier: MIT OR Apache-2.0
//! `deckproof render` as a tool of its own.

use std::fs;

use crate::support::{html_deck, run};

#[test]
fn one_deck_gives_numbered_pictures_and_one_line_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    let out = folder.path().join("out");
    let ran = run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--json",
    ])
    .expect(0);
    let line: serde_json::Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    assert_eq!(line["slides"][0]["width"], 1280);
    assert_eq!(line["slides"][0]["height"], 720);
    let bytes = fs::read(out.join("slide-001.png")).unwrap();
    assert!(!deckproof_renderers::png::is_blank(
        &deckproof_renderers::png::decode_strict(&bytes).unwrap()
    ));
}

#[test]
fn a_deck_that_fails_is_named_and_the_others_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.html");
    let bad = folder.path().join("bad.pptx");
    fs::write(&good, html_deck("One")).unwrap();
    fs::write(&bad, "this is no package").unwrap();
    let out = folder.path().join("out");
    let ran = run([
        "render",
        bad.to_str().unwrap(),
        good.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ])
    .expect(1);
    assert!(ran.stderr.contains("bad.pptx"), "{}", ran.stderr);
    assert!(out.join("good/slide-001.png").is_file());
    assert!(!out.join("bad").exists());
}

#[test]
fn what_is_no_deck_is_said_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    fs::write(&text, "notes").unwrap();
    let out = folder.path().join("out");
    for deck in [
        text.to_str().unwrap(),
        folder.path().to_str().unwrap(),
        "/nowhere.pptx",
    ] {
        run(["render", deck, "--out", out.to_str().unwrap()]).expect(1);
        assert!(!out.exists());
    }
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--slides",
        "0",
    ])
    .expect(2);
}

#[test]
fn a_second_opinion_says_how_far_the_engines_differ() {
    let folder = tempfile::tempdir().unwrap();
    let decks =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("renderers/pptx/tests/agents/decks");
    let deck = decks.join("py_cards.pptx");
    let out = folder.path().join("out");
    let ran = run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--second-opinion",
        "--json",
    ])
    .expect(0);
    let line: serde_json::Value = serde_json::from_str(ran.stdout.trim()).unwrap();
    let opinion = &line["second_opinion"];
    assert_eq!(opinion["renderer"]["name"], "libreoffice");
    let slide = &opinion["slides"][0];
    let (whole, block) = (&slide["ssim"], &slide["worst_block"]);
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    assert!(number(whole) > 0.5 && number(whole) < 1.0, "{opinion}");
    assert!(number(&block["ssim"]) < number(whole), "{opinion}");
    assert_eq!(
        (&block["width"], &block["height"]),
        (&80.into(), &80.into())
    );
    assert!(
        ran.stderr.contains("worst block 80x80 at"),
        "{}",
        ran.stderr
    );
    let second = fs::read(out.join("second-opinion/slide-001.png")).unwrap();
    deckproof_renderers::png::decode_strict(&second).unwrap();
}

#[test]
fn html_decks_have_no_second_engine() {
    let folder = tempfile::tempdir().unwrap();
    let deck = folder.path().join("index.html");
    fs::write(&deck, html_deck("One")).unwrap();
    let out = folder.path().join("out");
    let ran = run([
        "render",
        deck.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--second-opinion",
    ])
    .expect(1);
    assert!(ran.stderr.contains("--second-opinion"), "{}", ran.stderr);
}
