// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of the bytes of any file: a bit, a cut, more bytes, another file's, none at all, and
//! files that nobody made.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

use deckproof_packets::hash::Sha256Hex;

use super::bend::{below, pick};
use super::evidence::Stage;

pub(super) fn bend(stage: &mut Stage, rng: &mut ChaCha20Rng) -> String {
    let names: Vec<String> = stage.good.keys().cloned().collect();
    // Kinds of file in turn, since there are many more objects than plans.
    let tops = [
        "objects/",
        "packets/",
        "sealed/",
        "private/",
        "reviews/",
        "plan.json",
        "journal.",
        "packets/",
    ];
    let top = *pick(rng, &tops);
    let of_top: Vec<String> = names
        .iter()
        .filter(|name| name.starts_with(top))
        .cloned()
        .collect();
    let name = pick(rng, &of_top).clone();
    let good = stage.good[&name].0.clone();
    let at = below(rng, good.len());
    let how = match below(rng, 10) {
        0..=2 if !good.is_empty() => {
            let mut bytes = good;
            bytes[at] ^= 1 << below(rng, 8);
            stage.put(&name, Some(&bytes));
            "a bit flipped"
        }
        3 if !good.is_empty() => {
            stage.put(&name, Some(&good[..at]));
            "cut short"
        }
        4 => {
            let more = *pick(rng, &[" ", "\n", "x", "\0", "{}"]);
            stage.put(&name, Some(&[&good, more.as_bytes()].concat()));
            "longer"
        }
        5 => {
            stage.put(&name, None);
            "gone"
        }
        6 => {
            let other = pick(rng, &names);
            let bytes = stage.good[other].0.clone();
            stage.put(&name, Some(&bytes));
            return format!("{name}: the bytes of {other}");
        }
        7 => {
            let mode = *pick(rng, &[0o600, 0o644, 0o444, 0o755]);
            stage.change_mode(&name, mode);
            return format!("{name}: mode {mode:o}");
        }
        8 => return stranger(stage, &name, rng),
        _ => {
            // A byte-order mark, or the text of the file with another white space in it.
            let mut bytes = good;
            let (from, more): (usize, &[u8]) = if at.is_multiple_of(2) {
                (0, b"\xef\xbb\xbf")
            } else {
                (at, b" ")
            };
            bytes.splice(from..from, more.iter().copied());
            stage.put(&name, Some(&bytes));
            "bytes put in"
        }
    };
    format!("{name}: {how} at {at}")
}

/// A file that no record names: beside another, or an object of the right name.
fn stranger(stage: &mut Stage, beside: &str, rng: &mut ChaCha20Rng) -> String {
    let bytes = rng.next_u64().to_be_bytes();
    let folder = beside.rsplit_once('/').map_or("", |(folder, _)| folder);
    let hash = Sha256Hex::of(&bytes);
    let name = match below(rng, 4) {
        0 => format!("objects/{}/{}", &hash.as_str()[..2], &hash.as_str()[2..]),
        1 => format!("{folder}/.deckproof-aB3xZ9")
            .trim_start_matches('/')
            .to_owned(),
        2 => format!("{folder}/notes.txt")
            .trim_start_matches('/')
            .to_owned(),
        _ => format!("{folder}/{}", &hash.as_str()[..32])
            .trim_start_matches('/')
            .to_owned(),
    };
    stage.put(&name, Some(&bytes));
    format!("{name}: a stranger")
}
