// SPDX-License-Identifier: MIT OR Apache-2.0
//! The demo, with every outcome: what a new user sees first.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{failed_gates, run};

fn pictures(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pictures(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "png") {
            found.push(path);
        }
    }
}

#[test]
fn the_demo_passes_and_every_slide_is_the_canvas() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("demo");
    let ran = run(["demo", "--out", out.to_str().unwrap()]).expect(0);
    assert!(ran.stdout.contains("page.html"), "{}", ran.stdout);
    let mut found = Vec::new();
    for packet in fs::read_dir(out.join("experiment/packets")).unwrap() {
        let packet = packet.unwrap().path();
        pictures(&packet.join("A"), &mut found);
        pictures(&packet.join("B"), &mut found);
    }
    assert!(found.len() >= 32, "{} pictures", found.len());
    for path in found {
        let bytes = fs::read(&path).unwrap();
        let image = deckproof_renderers::png::decode_strict(&bytes).unwrap();
        assert_eq!(
            (image.width(), image.height()),
            (1280, 720),
            "{}",
            path.display()
        );
    }
    run(["verify", out.join("experiment").to_str().unwrap()]).expect(0);
}

#[test]
fn a_failing_demo_names_the_one_gate() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("demo");
    run(["demo", "--out", out.to_str().unwrap(), "--outcome", "fail"]).expect(1);
    assert_eq!(
        failed_gates(&out.join("experiment")),
        ["token_ratio:ops-review"]
    );
}

#[test]
fn a_tampered_demo_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("demo");
    let ran = run([
        "demo",
        "--out",
        out.to_str().unwrap(),
        "--outcome",
        "tampered",
    ])
    .expect(2);
    let error = ran
        .stderr
        .lines()
        .find(|line| line.starts_with("error: "))
        .unwrap();
    assert!(error.contains("objects/"), "{error}");
    assert!(!out.join("experiment/summary.json").exists());
}
