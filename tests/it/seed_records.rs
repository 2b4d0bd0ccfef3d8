// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summarize --suite --runs` against recorded answers of the system that it replaces.

use std::process::Command;

use crate::support::shared;

#[test]
fn the_recorded_vectors_agree() {
    let Some(shared) = shared() else { return };
    let output = Command::new("python3")
        .arg(shared.join("vectors/run.py"))
        .arg(env!("CARGO_BIN_EXE_deckproof"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.trim_end().ends_with(", 0 differ"), "{text}");
}
