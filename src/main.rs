// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `deckproof` command.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    match words.as_slice() {
        [_, command, job] if command == deckproof::supervise::SUPERVISE_COMMAND => {
            deckproof::supervise::supervise_main(Path::new(job)).into()
        }
        _ => ExitCode::from(2),
    }
}
