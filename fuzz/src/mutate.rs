// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutations that keep what they change readable: blind byte changes mostly end in the zip reader or the XML parser.

use std::io::{Cursor, Read as _};

use libfuzzer_sys::fuzzer_mutate;

use crate::dice::Dice;
use crate::support::pack_stored;
use crate::xml::mutated;

/// Changes an XML part: as a tree three times in four, otherwise its bytes.
pub fn xml(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut dice = Dice::new(seed);
    let changed = std::str::from_utf8(&data[..size])
        .ok()
        .filter(|_| dice.below(4) > 0)
        .and_then(|text| mutated(text, &mut dice));
    match changed {
        Some(text) if text.len() <= max_size => {
            data[..text.len()].copy_from_slice(text.as_bytes());
            text.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}

/// Changes one part of a package, or sometimes the archive's own bytes.
pub fn package(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut dice = Dice::new(seed);
    let parts = unpacked(&data[..size]).filter(|p| !p.is_empty() && dice.below(6) > 0);
    let changed = parts.map(|mut parts| {
        let at = dice.below(parts.len());
        change(&mut parts, at, &mut dice, seed);
        pack_stored(&parts)
    });
    match changed {
        Some(bytes) if bytes.len() <= max_size => {
            data[..bytes.len()].copy_from_slice(&bytes);
            bytes.len()
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}

fn change(parts: &mut Vec<(String, Vec<u8>)>, at: usize, dice: &mut Dice, seed: u32) {
    match dice.below(16) {
        0 if parts.len() > 1 => {
            parts.remove(at);
        }
        1 => {
            let other = parts[dice.below(parts.len())].1.clone();
            parts[at].1 = other;
        }
        2 => parts[at].0.push_str("/../x"),
        _ => {
            let (name, bytes) = &mut parts[at];
            let size = bytes.len();
            bytes.resize(size + 4_096, 0);
            let max = bytes.len();
            let new = if name.ends_with(".xml") || name.ends_with(".rels") {
                xml(bytes, size, max, seed.rotate_left(7))
            } else {
                fuzzer_mutate(bytes, size, max)
            };
            bytes.truncate(new);
        }
    }
}

fn unpacked(bytes: &[u8]) -> Option<Vec<(String, Vec<u8>)>> {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut out = Vec::new();
    for i in 0..zip.len().min(300) {
        let entry = zip.by_index(i).ok()?;
        let name = entry.name().ok()?.into_owned();
        let mut part = Vec::new();
        entry.take(4 << 20).read_to_end(&mut part).ok()?;
        out.push((name, part));
    }
    Some(out)
}
