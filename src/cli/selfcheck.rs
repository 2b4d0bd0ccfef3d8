// SPDX-License-Identifier: MIT OR Apache-2.0
//! `selfcheck`: shows that the checks of a suite can pass and can fail.

use std::fmt::Write;

use super::args::SelfCheck as Options;
use super::message::out;
use super::{Answer, Exit, lab};
use crate::execute::Progress;
use crate::experiment::records::CheckStatus;
use crate::seal::{self, SealError};
use crate::selfcheck::{self, JudgedDeck, Kind, SelfCheck};
use crate::suite::{self, Loaded};

pub(super) fn run(options: &Options, quiet: bool) -> Answer {
    let loaded = suite::load(&options.suite)?;
    say_broken_seal(&loaded);
    let engine = lab::engine(options.renderer)?;
    let only = options.case.as_deref();
    let found = selfcheck::run(&loaded, only, engine, &Progress::new(quiet))?;
    if options.json {
        out(&format!("{}\n", serde_json::to_string_pretty(&found)?))?;
    } else {
        out(&text(&found))?;
    }
    Ok(if found.holds() {
        Exit::Holds
    } else {
        Exit::FallsShort
    })
}

/// What is found here is of the files as they are, which may be others than the sealed ones. A suite that
/// is not sealed yet is being written.
fn say_broken_seal(loaded: &Loaded) {
    match seal::verify(loaded) {
        Ok(_) | Err(SealError::NoLock { .. }) => {}
        Err(error) => eprintln!("warning: the seal does not hold: {error}"),
    }
}

fn text(found: &SelfCheck) -> String {
    let mut text = String::new();
    for deck in &found.decks {
        say(&mut text, deck);
    }
    for problem in &found.problems {
        let _ = writeln!(text, "problem: {problem}");
    }
    if !found.never_failed.is_empty() {
        text.push_str("no known deck fails these checks, so nothing shows that they can fail:\n");
        for name in &found.never_failed {
            let _ = writeln!(text, "  {name}");
        }
    }
    text.push_str(if found.holds() {
        "the checks tell the known decks apart\n"
    } else {
        "the checks do not tell the known decks apart\n"
    });
    text
}

fn say(text: &mut String, deck: &JudgedDeck) {
    let failed: Vec<&str> = deck
        .checks
        .iter()
        .filter(|check| check.status != CheckStatus::Pass)
        .map(|check| check.name.as_str())
        .collect();
    let failed = match failed.as_slice() {
        [] => "every check passes".to_owned(),
        failed => format!("fails {}", failed.join(", ")),
    };
    let kind = match deck.kind {
        Kind::Gold => "gold",
        Kind::Broken => "broken",
        Kind::Untouched => "untouched",
    };
    let artifact = deck.artifact.as_deref().unwrap_or("no deck");
    let verdict = if deck.problems.is_empty() {
        "ok"
    } else {
        "WRONG"
    };
    let _ = writeln!(
        text,
        "{verdict:5} {}/{} {kind} ({artifact}): {failed}",
        deck.case, deck.arm
    );
    for problem in &deck.problems {
        let _ = writeln!(text, "      {problem}");
    }
}
