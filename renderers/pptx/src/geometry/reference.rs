// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares our table of presets with the standard's definitions, where the reference data is at hand.

use std::path::PathBuf;

use super::custom;
use super::preset::{Outline, preset};
use crate::xml::Xml;

fn shared() -> Option<PathBuf> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    std::env::var_os("DECKPROOF_SHARED")
        .map(PathBuf::from)
        .or(Some(beside))
        .filter(|p| p.is_dir())
}

fn same(a: &Outline, b: &Outline) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-6 * (1.0 + x.abs());
    let boxes = near(a.text.x, b.text.x)
        && near(a.text.y, b.text.y)
        && near(a.text.w, b.text.w)
        && near(a.text.h, b.text.h);
    boxes && a.paths == b.paths
}

#[test]
fn every_preset_equals_the_standard() {
    let Some(dir) = shared() else {
        println!("skipped: ../shared is absent");
        return;
    };
    let text = fs_err::read_to_string(dir.join("data/preset_shapes.xml")).expect("reference data");
    let doc = roxmltree::Document::parse(&text).expect("well-formed");
    let mut count = 0;
    for n in doc.root_element().elements() {
        let name = n.name();
        let ours = preset(name).unwrap_or_else(|| panic!("{name} is missing"));
        let theirs = custom::definition(n);
        let adjusts: Vec<(String, String)> = theirs
            .adjusts
            .iter()
            .map(|(k, _)| (k.clone(), "val 30000".to_owned()))
            .collect();
        for (w, h) in [
            (914_400.0, 914_400.0),
            (3_000_000.0, 500_000.0),
            (100.0, 9_000_000.0),
        ] {
            assert!(
                same(&ours.evaluate(w, h, &[]), &theirs.evaluate(w, h, &[])),
                "{name} at {w} x {h}"
            );
            assert!(
                same(
                    &ours.evaluate(w, h, &adjusts),
                    &theirs.evaluate(w, h, &adjusts)
                ),
                "{name} adjusted at {w} x {h}"
            );
        }
        count += 1;
    }
    assert_eq!(count, 187);
}
