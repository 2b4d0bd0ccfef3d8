// SPDX-License-Identifier: MIT OR Apache-2.0
//! A byte changed, a file cut short or gone, a file too many: for every kind of file there is, the
//! message names it. `DECKPROOF_SWEEP=1` takes every file, not one of each kind.

use std::collections::BTreeSet;

use super::mutations::evidence::Stage;
use super::*;

/// What may lie there in any state, since nothing is derived from it.
fn is_no_evidence(name: &str) -> bool {
    name == "private/run.lock" || name.starts_with("work/") || name.starts_with("private/runs/")
}

/// One name for all files of a kind: ids, hashes and numbers blank.
fn kind(name: &str) -> String {
    let blank = |part: &str| {
        let digits = part.chars().filter(char::is_ascii_hexdigit).count();
        if digits * 4 > part.len() * 3 && part.len() > 1 {
            return "#".to_owned();
        }
        part.chars().filter(|c| !c.is_ascii_digit()).collect()
    };
    let parts: Vec<String> = name.split(['/', '.']).map(blank).collect();
    parts.join("/")
}

/// One file of each kind and every tenth object, or all.
fn chosen(stage: &Stage) -> Vec<String> {
    let all = std::env::var_os("DECKPROOF_SWEEP").is_some();
    let mut seen = BTreeSet::new();
    let mut objects = 0;
    let names = stage.good.keys().filter(|name| !is_no_evidence(name));
    let wanted = names.filter(|name| {
        if name.starts_with("objects/") {
            objects += 1;
            return all || objects % 10 == 1;
        }
        all || seen.insert(kind(name))
    });
    wanted.cloned().collect()
}

fn named(stage: &Stage, what: &str, name: &str) {
    let error = match verify(&stage.root) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{name}: {what}: verify took it"),
    };
    assert!(error.contains(name), "{name}: {what}: {error}");
}

#[test]
fn every_kind_of_file_is_named() {
    let lab = good();
    crate::report::write(&lab.root).unwrap();
    verify(&lab.root).unwrap();
    let mut stage = Stage::new(&lab.root);
    let names = chosen(&stage);
    let folders: BTreeSet<String> = names
        .iter()
        .map(|name| {
            name.rsplit_once('/')
                .map_or("", |(folder, _)| folder)
                .to_owned()
        })
        .collect();
    assert!(names.len() > 30, "{names:?}");
    for name in &names {
        let bytes = stage.good[name].0.clone();
        let mut flipped = bytes.clone();
        if let Some(byte) = flipped.get_mut(bytes.len() / 2) {
            *byte ^= 1;
            stage.put(name, Some(&flipped));
            named(&stage, "a bit flipped", name);
            stage.put(name, Some(&bytes[..bytes.len() / 2]));
            named(&stage, "cut short", name);
        }
        stage.put(name, Some(&[&bytes[..], b"x"].concat()));
        named(&stage, "longer", name);
        // What is derived may be absent.
        if name != "summary.json" && name != "report.html" {
            stage.put(name, None);
            named(&stage, "gone", name);
        }
        stage.restore();
    }
    for folder in folders {
        let name = format!("{folder}/more.txt")
            .trim_start_matches('/')
            .to_owned();
        stage.put(&name, Some(b"x"));
        named(&stage, "one too many", &name);
        stage.restore();
    }
    verify(&lab.root).unwrap();
    println!("{} files of {}", names.len(), stage.good.len());
}
