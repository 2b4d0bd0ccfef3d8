// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decks and machines that fail: clear words, nothing left behind, and the next deck is drawn.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

mod common;

use std::process::Command;
use std::time::Duration;

use common::html::{Folder, renderer, texts};
use deckproof_renderers::html::{BrowserOptions, HtmlRenderer};
use deckproof_renderers::{RenderError, RenderOptions, Renderer};

const FINE: &str = "<!doctype html><title>T</title><section class=slide style='height:720px'><h1>Fine</h1></section>";

/// Whether any process of a group still runs.
fn runs(group: i32) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let stats = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    let mut found = stats.filter_map(|stat| {
        let (_, after) = stat.rsplit_once(')')?;
        let mut fields = after.split_whitespace();
        let state = fields.next()?.to_owned();
        (fields.nth(1)?.parse() == Ok(group)).then_some(state)
    });
    found.any(|state| state != "Z")
}

fn many(count: usize) -> String {
    let slides: String = (1..=count)
        .map(|n| format!("<section class=slide><h1>Number {n}</h1></section>"))
        .collect();
    format!(
        "<!doctype html><title>T</title><style>body{{margin:0}}section{{height:720px}}</style>{slides}"
    )
}

#[test]
fn a_browser_that_is_killed_is_the_end_of_its_deck_alone() {
    let mut renderer = renderer();
    let group = renderer.process_group().unwrap();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(1500));
        Command::new("kill")
            .args(["-9", "--", &format!("-{group}")])
            .status()
            .unwrap()
    });
    let deck = Folder::page(&many(400));
    let error = renderer
        .render(&deck.deck(), &RenderOptions::default())
        .unwrap_err();
    assert!(killer.join().unwrap().success());
    assert!(matches!(error, RenderError::DeckCrash { .. }), "{error}");
    assert!(error.to_string().contains("index.html"), "{error}");
    assert!(!runs(group), "something of the killed browser still runs");
    let fine = Folder::page(FINE);
    assert_eq!(
        renderer
            .render(&fine.deck(), &RenderOptions::default())
            .unwrap()
            .slide_count,
        1
    );
    let group = renderer.process_group().unwrap();
    assert!(runs(group));
    drop(renderer);
    assert!(!runs(group), "something outlived its renderer");
}

#[test]
fn a_deck_that_takes_too_much_memory_is_ended_and_the_next_one_drawn() {
    let memory = deckproof_browser::MemoryLimits {
        process_bytes: 600 << 20,
        total_bytes: 700 << 20,
    };
    let mut renderer = HtmlRenderer::new(BrowserOptions {
        memory,
        patience: common::html::long_patience(),
        ..Default::default()
    })
    .unwrap();
    let bomb = Folder::page(
        "<!doctype html><h1>x</h1><script>const a=[];for(;;)a.push(new Uint8Array(8<<20).fill(1))</script>",
    );
    let error = renderer
        .render(&bomb.deck(), &RenderOptions::default())
        .unwrap_err();
    assert!(
        matches!(error, RenderError::DeckCrash { .. }) && error.to_string().contains("memory"),
        "{error}"
    );
    let fine = Folder::page(FINE);
    assert_eq!(
        renderer
            .render(&fine.deck(), &RenderOptions::default())
            .unwrap()
            .slide_count,
        1
    );
}

#[test]
fn two_thousand_slides_are_a_deck_and_one_more_is_not() {
    let mut renderer = renderer();
    let options = RenderOptions {
        slides: Some("1,2000".parse().unwrap()),
        facts: true,
        ..RenderOptions::default()
    };
    let deck = Folder::page(&many(2000));
    let rendering = renderer.render(&deck.deck(), &options).unwrap();
    assert_eq!((rendering.slide_count, rendering.slides.len()), (2000, 2));
    assert_eq!(texts(&rendering, 2000), [("Number 2000", true)]);
    let deck = Folder::page(&many(2001));
    let error = renderer.render(&deck.deck(), &options).unwrap_err();
    assert!(
        matches!(error, RenderError::TooManySlides { limit: 2000, .. }),
        "{error}"
    );
}

#[test]
fn a_selection_beyond_the_deck_is_refused() {
    let options = RenderOptions {
        slides: Some("2,9".parse().unwrap()),
        ..RenderOptions::default()
    };
    let deck = Folder::page(&many(5));
    let error = renderer().render(&deck.deck(), &options).unwrap_err();
    assert!(
        matches!(error, RenderError::NoSuchSlide { count: 5, .. }),
        "{error}"
    );
}

#[test]
fn a_page_of_fifty_megabytes_is_drawn_and_one_that_is_too_large_refused() {
    let mut renderer = common::html::patient();
    let filler = "x".repeat(1 << 20);
    let large = |megabytes: usize| format!("{FINE}<!--{}-->", filler.repeat(megabytes));
    let deck = Folder::page(&large(50));
    assert_eq!(
        renderer
            .render(&deck.deck(), &RenderOptions::default())
            .unwrap()
            .slide_count,
        1
    );
    let deck = Folder::page(&large(65));
    let error = renderer
        .render(&deck.deck(), &RenderOptions::default())
        .unwrap_err();
    assert!(
        matches!(error, RenderError::BadEntry { .. }) && error.to_string().contains("64 MB"),
        "{error}"
    );
}

#[test]
fn what_is_no_html_is_refused() {
    let mut renderer = renderer();
    let deck = Folder::page("");
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0_u8; 5000]].concat();
    for (bytes, expected) in [
        (png, "binary data"),
        (vec![0xff; 300_000], "no markup"),
        (b"%PDF-1.7\n1 0 obj<<>>".to_vec(), "a PDF document"),
        (b"PK\x03\x04<".to_vec(), "a ZIP archive"),
        (b"{\"a\":1}".to_vec(), "no markup"),
    ] {
        fs_err::write(deck.deck().entry_path(), bytes).unwrap();
        let error = renderer
            .render(&deck.deck(), &RenderOptions::default())
            .unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let wide: Vec<u8> = "\u{feff}<p style='font-size:90px'>Sixteen bits"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    fs_err::write(deck.deck().entry_path(), wide).unwrap();
    let drawn = renderer.render(&deck.deck(), &RenderOptions::default());
    assert!(!drawn.unwrap().slides[0].blank);
}
