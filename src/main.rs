// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `deckproof` program: reads the command line, runs one command, answers with one exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    deckproof::cli::main()
}
