// SPDX-License-Identifier: MIT OR Apache-2.0
//! A bare command around [`deckproof_reviews::seed`], to replay vectors without the whole tool.

use std::process::ExitCode;

use deckproof_reviews::seed::{Document, summarize_seed};

fn main() -> ExitCode {
    match run() {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<u8, String> {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1))
            .ok_or(format!("{name} is missing"))
    };
    let (suite, runs) = (option("--suite")?, option("--runs")?);
    let read = |path: &String| std::fs::read(path).map_err(|error| format!("{path}: {error}"));
    let (suite_bytes, runs_bytes) = (read(suite)?, read(runs)?);
    let summary = summarize_seed(
        Document {
            file: suite,
            bytes: &suite_bytes,
        },
        Document {
            file: runs,
            bytes: &runs_bytes,
        },
    )
    .map_err(|error| error.to_string())?;
    let output = option("--output")?;
    std::fs::write(output, summary.text()).map_err(|error| format!("{output}: {error}"))?;
    Ok(summary.verdict().exit_code())
}
