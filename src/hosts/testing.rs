// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the tests of all hosts share.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::supervise::Exit;

use super::{Previous, TurnRecord};

/// The first turn of a thread.
pub(super) fn record(events: &[u8], exit: Exit) -> TurnRecord<'_> {
    TurnRecord {
        events,
        stderr: b"",
        exit,
        killed_for: None,
        model: Some("some-model"),
        effort: None,
        previous: Previous::First,
        ledger: None,
    }
}

/// The recorded streams whose names begin with `prefix`, by the rest of their names without extension.
/// `None`, and a line that says so, when the recordings are not there.
pub(super) fn shared_streams(prefix: &str) -> Option<BTreeMap<String, Vec<u8>>> {
    let shared = std::env::var_os("DECKPROOF_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(shared.join("samples/hosts")) else {
        eprintln!("skipped: ../shared is absent");
        return None;
    };
    let mut found = BTreeMap::new();
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if let Some(rest) = name.strip_prefix(prefix) {
            found.insert(rest.to_owned(), std::fs::read(&path).unwrap());
        }
    }
    assert!(!found.is_empty(), "no stream begins with {prefix}");
    Some(found)
}
