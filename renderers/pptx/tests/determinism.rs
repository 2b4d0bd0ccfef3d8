// SPDX-License-Identifier: MIT OR Apache-2.0
//! Equal decks give equal pixels: again, on several threads, and whatever the environment holds.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod support;

use std::path::Path;
use std::process::Command;

use deckproof_pptx::{FontSet, NativeRenderer};
use support::Case;

fn deck(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(name);
    Case::parse(&fs_err::read_to_string(path).expect("a case")).deck()
}

const DECKS: [&str; 8] = [
    "text/bullets.xml",
    "text/hebrew-and-arabic.xml",
    "tables/style-medium2.xml",
    "charts/combined-second-axis.xml",
    "fills/shape-path.xml",
    "charts/pie-labels.xml",
    "effects/outer-shadow.xml",
    "pictures/duotone.xml",
];

fn all(renderer: &NativeRenderer) -> Vec<Vec<u8>> {
    DECKS
        .iter()
        .map(|d| {
            renderer
                .render(&deck(d))
                .expect("drawn")
                .slides
                .remove(0)
                .rgb
        })
        .collect()
}

#[test]
fn two_threads_draw_what_one_draws() {
    let Ok(fonts) = FontSet::debian() else {
        println!("skipped: the fonts are absent");
        return;
    };
    let renderer = NativeRenderer::new(fonts);
    let once = all(&renderer);
    assert_eq!(once, all(&renderer), "a second run differs");
    let both: Vec<Vec<Vec<u8>>> = std::thread::scope(|s| {
        let threads: Vec<_> = (0..2).map(|_| s.spawn(|| all(&renderer))).collect();
        threads
            .into_iter()
            .map(|t| t.join().expect("a thread"))
            .collect()
    });
    for other in both {
        assert_eq!(once, other);
    }
}

#[test]
fn the_environment_changes_nothing() {
    let Ok(fonts) = FontSet::debian() else {
        println!("skipped: the fonts are absent");
        return;
    };
    if let Some(out) = std::env::var_os("DECKPROOF_PPTX_CHILD") {
        let pixels = all(&NativeRenderer::new(fonts)).concat();
        fs_err::write(out, pixels).expect("written");
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let run = |name: &str, full: bool| {
        let out = dir.path().join(name);
        let mut c = Command::new(std::env::current_exe().expect("this test"));
        c.args(["--exact", "the_environment_changes_nothing"])
            .env_clear()
            .env("DECKPROOF_PPTX_CHILD", &out);
        if full {
            c.env("LANG", "tr_TR.UTF-8")
                .env("TZ", "Asia/Tokyo")
                .env("HOME", "/nowhere")
                .env("FONTCONFIG_PATH", "/nowhere")
                .env("RAYON_NUM_THREADS", "7");
        }
        assert!(c.status().expect("the child runs").success());
        fs_err::read(out).expect("its pixels")
    };
    assert!(
        run("empty", false) == run("full", true),
        "pixels depend on the environment"
    );
}

#[test]
fn the_font_set_is_part_of_the_identity() {
    let Ok(fonts) = FontSet::debian() else {
        println!("skipped: the fonts are absent");
        return;
    };
    assert_eq!(fonts.hash().len(), 64);
    assert_eq!(
        NativeRenderer::new(fonts.clone()).fonts_hash(),
        fonts.hash()
    );
}
