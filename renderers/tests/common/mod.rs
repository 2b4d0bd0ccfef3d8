// SPDX-License-Identifier: MIT OR Apache-2.0
//! What several test programs share.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "for test programs"
)]
#![allow(dead_code, reason = "each test program uses a part of it")]

pub mod html;
pub mod pptx;

use std::path::PathBuf;

/// The folder of shared material, or `None` with a visible line when it is absent.
pub fn shared() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("DECKPROOF_SHARED").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: ../shared is absent");
    None
}
