// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a check ends: it holds, it does not, or it could not be told. The last two both count as not passed; they are
//! told apart for the person who reads the reason.

use super::Evidence;
use crate::experiment::records::{CheckRecord, CheckStatus};
use deckproof_renderers::facts::DeckFacts;

/// Reasons longer than this are cut; a hostile deck must not fill the journal.
const LONGEST: usize = 2_000;

/// Why a check did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Problem {
    /// The predicate does not hold.
    Fail(String),
    /// The predicate could not be evaluated.
    Error(String),
}

/// What a check says: why it passed, or why not.
pub(super) type Verdict = Result<String, Problem>;

/// A predicate that does not hold.
pub(super) fn fail<T>(reason: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Fail(reason.into()))
}

/// A predicate that could not be evaluated.
pub(super) fn error<T>(reason: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Error(reason.into()))
}

/// Passes when nothing was found, and fails with everything that was; the first few in words.
pub(super) fn unless_found(found: &[String], passed: impl Into<String>) -> Verdict {
    const SHOWN: usize = 6;
    if found.is_empty() {
        return Ok(passed.into());
    }
    let mut reason = found
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join("; ");
    if found.len() > SHOWN {
        reason += &format!("; and {} more", found.len() - SHOWN);
    }
    fail(reason)
}

/// The deck's facts, without which a check cannot be evaluated.
pub(super) fn facts<'a>(evidence: &Evidence<'a>) -> Result<&'a DeckFacts, Problem> {
    evidence
        .facts
        .or_else(|why| error(format!("what the deck shows is unknown: {why}")))
}

/// The record of a check.
pub(super) fn record(name: &str, verdict: Verdict) -> CheckRecord {
    let (status, reason) = match verdict {
        Ok(reason) => (CheckStatus::Pass, reason),
        Err(Problem::Fail(reason)) => (CheckStatus::Fail, reason),
        Err(Problem::Error(reason)) => (CheckStatus::Error, reason),
    };
    CheckRecord {
        name: name.to_owned(),
        status,
        reason: cut(reason),
    }
}

fn cut(reason: String) -> String {
    match reason.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", reason.get(..at).unwrap_or_default()),
        None => reason,
    }
}

/// A text for a message: in quotes, short, and with characters escaped that a reader could not tell from others.
pub(super) fn quoted(text: &str) -> String {
    const SHOWN: usize = 80;
    let mut shown = String::from("“");
    for c in text.chars().take(SHOWN) {
        match c {
            '\n' => shown.push_str(" ⏎ "),
            ' '..='~' | '−' | '–' | '—' | '’' | '‘' | '…' | '€' | '·' => {
                shown.push(c)
            }
            c if c.is_alphanumeric() => shown.push(c),
            c => shown.extend(c.escape_unicode()),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown.push('”');
    shown
}
