// SPDX-License-Identifier: MIT OR Apache-2.0
//! docs/frameworks.md is made from the table; `DECKPROOF_WRITE=1` writes it anew.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test program"
)]

use std::path::Path;

use deckproof_renderers::html::frameworks_page;

#[test]
fn the_page_is_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/frameworks.md");
    if std::env::var_os("DECKPROOF_WRITE").is_some() {
        fs_err::write(&path, frameworks_page()).unwrap();
    }
    let found = fs_err::read_to_string(&path).unwrap();
    assert!(
        found == frameworks_page(),
        "docs/frameworks.md is stale: run with DECKPROOF_WRITE=1"
    );
}
