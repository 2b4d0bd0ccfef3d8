// SPDX-License-Identifier: MIT OR Apache-2.0
//! The seed's own records: read, judged by the one gate engine, answered in the seed's summary.
//!
//! Verdict and figures agree with the seed's tool, but for what follows, on purpose:
//!
//! | the seed's tool | here |
//! | --- | --- |
//! | takes duplicate and unknown keys, NaN, numbers written as text | refuses them |
//! | takes hashes in upper case or with space around them | refuses them |
//! | compares rounded figures with limits | compares exact ones |
//! | keeps one ratio check for each mode, the last case's | has a gate for each case |
//! | takes placeholders as reviewer, model, thread or rationale | refuses them |
//! | takes counts of any size, and ends with 1 when one is too large | refuses counts above 2^53 |
//! | takes folders with `..`, and two spellings of one folder as two | refuses and normalizes them |
//! | takes slides of any size where the dimensions check passed | refuses the contradiction |
//! | does not look at `recorded_at` and the descriptive texts | wants a date, and texts |
//!
//! Where exact gates and the seed's rounded checks disagree, the summary's `result` follows the
//! gates, and `exact_gates` shows each with its reason.

mod clock;
mod controls;
mod evidence;
mod figures;
mod halves;
mod judgements;
mod paths;
mod python;
mod runs;
mod streamed;
mod suite;
mod summary;
mod table;

use std::collections::BTreeMap;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json::{self, Arena, JsonError, Limits, Value};

use crate::fields::{Fault, Hash, Object, Read, object, pointer, wrong};
use crate::gates::Verdict;
use suite::Suite;

const RUNS_SCHEMA: &str = "clara.html_deck_benchmark_runs.v1";
const HEAD: &str = "protocol_evidence";
const RUNS: &str = "runs";
const REVIEWS: &str = "semantic_reviews";

/// A document as the caller read it: its name for messages, and its bytes.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// The file's name.
    pub file: &'a str,
    /// Its content.
    pub bytes: &'a [u8],
}

/// The answer to a pair of seed records.
#[derive(Debug, Clone)]
pub struct SeedSummary {
    verdict: Verdict,
    text: String,
    reference_passed: bool,
}

impl SeedSummary {
    fn of(evidence: &summary::Evidence<'_>) -> Self {
        let answer = summary::judge(evidence);
        Self {
            verdict: answer.verdict,
            text: answer.text,
            reference_passed: answer.reference_passed,
        }
    }

    /// The verdict by exact gates. Its exit code is that of the command.
    #[must_use]
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// The summary in the seed's schema: JSON with sorted keys, two spaces of indent and a final
    /// newline.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the seed's own rounded checks would all have held. Differs from the verdict only
    /// where rounding or a mode shared by cases hid a failure, or rounding made one.
    #[must_use]
    pub fn reference_passed(&self) -> bool {
        self.reference_passed
    }
}

/// Seed records that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    /// Not strict JSON.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A rule of the records is broken.
    #[error("{file}:{line}:{column}: {path}: found {found}, expected {expected}")]
    Rule {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The place as a JSON pointer.
        path: String,
        /// What stands there.
        found: String,
        /// What must stand there.
        expected: String,
    },
}

/// Reads a suite and its runs, and judges them.
///
/// # Errors
/// A [`SeedError`] with file, place, what was found and what was expected, when either document is
/// not what the seed's rules and the table above allow. Then there is no verdict at all.
pub fn summarize_seed(suite: Document<'_>, runs: Document<'_>) -> Result<SeedSummary, SeedError> {
    let mut arenas = streamed::Arenas::default();
    if let Some(evidence) = streamed::evidence(suite, runs, &mut arenas) {
        return Ok(SeedSummary::of(&evidence));
    }
    // Something is wrong, or stands in another order. Whole documents tell.
    let arena = Arena::new();
    let (suite_root, runs_root) = (parse(suite, &arena)?, parse(runs, &arena)?);
    let read = Suite::read(&suite_root).map_err(|fault| located(suite, &suite_root, *fault))?;
    let evidence =
        evidence_of(read, &suite_root, &runs_root).map_err(|misplaced| match misplaced {
            Misplaced::InSuite(fault) => located(suite, &suite_root, *fault),
            Misplaced::InRuns(fault) => located(runs, &runs_root, *fault),
        })?;
    Ok(SeedSummary::of(&evidence))
}

/// A fault that was found while runs were read, and the document it is about.
enum Misplaced {
    InSuite(Box<Fault>),
    InRuns(Box<Fault>),
}

impl From<Box<Fault>> for Misplaced {
    fn from(fault: Box<Fault>) -> Self {
        Self::InRuns(fault)
    }
}

fn evidence_of<'a>(
    suite: Suite<'a>,
    suite_root: &Value<'_, 'a>,
    document: &Value<'_, 'a>,
) -> Result<summary::Evidence<'a>, Misplaced> {
    let root = runs_root(document, &suite)?;
    let packets = evidence::read(root.get(HEAD)?, &suite)?;
    let runs = runs::read(root.get(RUNS)?, &suite, &packets)?;
    let controls = controls::derive(&suite, &runs);
    known_controls(&suite, suite_root, &controls).map_err(Misplaced::InSuite)?;
    let reviews = root.get(REVIEWS)?;
    let judgements = judgements::read(reviews, &suite, &runs, &packets)?;
    Ok(summary::Evidence {
        suite,
        runs,
        controls,
        judgements,
    })
}

/// The root of a runs document, of this suite.
fn runs_root<'n, 'a>(document: &Value<'n, 'a>, suite: &Suite<'_>) -> Read<Object<'n, 'a>> {
    let known = ["schema_version", "suite_id", HEAD, RUNS, REVIEWS];
    let root = object(document, &known)?;
    root.constant("schema_version", RUNS_SCHEMA)?;
    root.constant("suite_id", suite.id)?;
    Ok(root)
}

/// A control that nothing derives would be a promise that nobody keeps.
fn known_controls(
    suite: &Suite<'_>,
    root: &Value<'_, '_>,
    derived: &BTreeMap<&'static str, bool>,
) -> Read<()> {
    if suite.controls.iter().eq(derived.keys()) {
        return Ok(());
    }
    let names: Vec<&str> = derived.keys().copied().collect();
    let value = root.get("controls").unwrap_or(root);
    Err(wrong(
        value,
        format!("exactly the controls {}", names.join(", ")),
    ))
}

fn parse<'a>(document: Document<'a>, arena: &'a Arena) -> Result<Value<'a, 'a>, JsonError> {
    json::parse(document.file, document.bytes, &Limits::default(), arena)
}

fn located(document: Document<'_>, root: &Value<'_, '_>, fault: Fault) -> SeedError {
    let (line, column) = fault.place.position(document.bytes);
    SeedError::Rule {
        file: document.file.to_owned(),
        line,
        column,
        path: pointer(root, fault.place),
        found: fault.found,
        expected: fault.expected,
    }
}

/// The hash of a list of files: lines of path, NUL, hash, sorted by path.
fn manifest(files: &BTreeMap<&str, Hash<'_>>) -> Sha256Hex {
    let mut lines = Vec::new();
    for (path, hash) in files {
        line(&mut lines, path, *hash);
    }
    Sha256Hex::of(&lines)
}

/// The hash of a list of slides: lines of number from 1, NUL, hash.
fn render_set(slides: &[Hash<'_>]) -> Sha256Hex {
    let mut lines = Vec::with_capacity(slides.len() * 72);
    for (at, hash) in slides.iter().enumerate() {
        line(&mut lines, &(at + 1).to_string(), *hash);
    }
    Sha256Hex::of(&lines)
}

fn line(lines: &mut Vec<u8>, name: &str, hash: Hash<'_>) {
    lines.extend_from_slice(name.as_bytes());
    lines.push(0);
    lines.extend_from_slice(hash.as_str().as_bytes());
    lines.push(b'\n');
}
