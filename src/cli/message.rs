// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the program speaks: results on standard output, everything else on standard error.

use std::error::Error;
use std::io::{self, Write};

/// Says an error and what caused it, each once.
pub fn say_error(error: &dyn Error) {
    eprintln!("error: {error}");
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let text = inner.to_string();
        if !said.contains(&text) {
            eprintln!("  caused by: {text}");
            said.push_str(&text);
        }
        cause = inner.source();
    }
}

/// Says what may be done next, which is no result.
///
/// # Errors
/// As [`out`].
pub fn next(quiet: bool, what: &str) -> io::Result<()> {
    if quiet {
        return Ok(());
    }
    out(&format!("next: {what}\n"))
}

/// Writes a result to standard output. A reader that has gone away is no error.
///
/// # Errors
/// Any other error of standard output.
pub fn out(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
