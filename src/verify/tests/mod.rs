// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every kind of change to a finished experiment is refused, by `verify` and by `summarize`, with
//! the name of the file.

mod files;
mod forged;
mod mutations;
mod reviewing;
mod sweep;

use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::journal::{self, Journal};
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::summary::testing::{Lab, Script};

/// The experiment that tests spoil copies of, with its summary.
fn good() -> Lab {
    let lab = Lab::good();
    let summary = crate::summary::summarize(&lab.root).unwrap();
    crate::summary::write(&lab.root, &summary).unwrap();
    verify(&lab.root).unwrap();
    lab
}

/// Spoils a copy of the good experiment and expects both commands to name a file. `spoil` returns
/// a part of the message that must be there: the file's name.
fn refused(good: &Lab, what: &str, spoil: impl FnOnce(&Lab) -> String) {
    let lab = good.copy();
    let expected = spoil(&lab);
    for (command, result) in [
        ("verify", verify(&lab.root).map(drop)),
        ("summarize", crate::summary::summarize(&lab.root).map(drop)),
    ] {
        let error = match result {
            Err(error) => error.to_string(),
            Ok(()) => panic!("{what}: {command} took it"),
        };
        assert!(
            error.contains(&expected),
            "{what}: {command}: {error}\nexpected {expected}"
        );
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs_err::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Edits a file in place; its modes stay.
fn edit(path: &Path, change: impl FnOnce(Vec<u8>) -> Vec<u8>) {
    let before = mode(path);
    set_mode(path, 0o600);
    let bytes = change(fs_err::read(path).unwrap());
    fs_err::write(path, bytes).unwrap();
    set_mode(path, before);
}

fn replace(path: &Path, from: &str, to: &str) {
    edit(path, |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(from), "{} lacks {from}", path.display());
        text.replacen(from, to, 1).into_bytes()
    });
}

/// The last byte but one, flipped.
fn flip(path: &Path) {
    edit(path, |mut bytes| {
        let at = bytes.len() - 1 - usize::from(bytes.len() > 1);
        bytes[at] ^= 1;
        bytes
    });
}

/// In a folder that may be read-only.
fn in_folder(folder: &Path, change: impl FnOnce()) {
    let before = mode(folder);
    set_mode(folder, 0o700);
    change();
    set_mode(folder, before);
}

fn events(lab: &Lab) -> Vec<Event> {
    let records = journal::read::<Event>(&lab.path("journal.jsonl"))
        .unwrap()
        .records;
    records.into_iter().map(|record| record.event).collect()
}

/// The store's file of one object, and its name below the experiment.
fn object(lab: &Lab, hash: &Sha256Hex) -> (PathBuf, String) {
    let path = lab.layout().store().path(hash);
    let name = path.strip_prefix(&lab.root).unwrap().display().to_string();
    (path, name)
}

fn first_review(lab: &Lab) -> PathBuf {
    let mut files: Vec<_> = fs_err::read_dir(lab.path("reviews"))
        .unwrap()
        .map(|item| item.unwrap().path())
        .collect();
    files.sort();
    files[0].clone()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn an_experiment_holds_before_it_is_finished() {
    let lab = Lab::run(&Script {
        unfinished: true,
        ..Script::default()
    });
    let verified = verify(&lab.root).unwrap();
    assert_eq!(verified.history.judged(), 4);
    assert!(verified.comparisons.is_empty());
}

#[test]
fn a_plan_that_a_stop_left_behind_is_no_tampering() {
    let lab = Lab::run(&Script {
        unfinished: true,
        ..Script::default()
    });
    let (mut journal, _) = Journal::<Event>::resume(&lab.path("journal.jsonl")).unwrap();
    let plan_sha256 = Sha256Hex::of(b"the new plan");
    let drawn = Event::MappingsDrawn(crate::experiment::records::MappingsDrawn { plan_sha256 });
    journal
        .append("2026-01-02T03:04:05Z".to_owned(), drawn)
        .unwrap();
    let error = crate::summary::summarize(&lab.root)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("stopped while the plan was rewritten; `deckproof execute"),
        "{error}"
    );
}

#[test]
fn the_counts_are_those_of_the_files() {
    let good = good();
    let verified = verify(&good.root).unwrap();
    assert_eq!(verified.counts.pictures, 16);
    assert_eq!((verified.comparisons.len(), verified.reviews.len()), (4, 4));
    assert!(verified.counts.objects > 30, "{:?}", verified.counts);
}
