// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summarize` and `verify`: the verdict, and whether the evidence behind it holds.

use std::path::{Path, PathBuf};

use deckproof_packets::{atomic, bulk};
use deckproof_reviews::seed::{self, Document};

use super::args::{Summarize, Verify};
use super::message::out;
use super::place::KEY;
use super::{Answer, Exit, place};
use crate::signing::Keys;
use crate::verify::VerifyError;
use crate::{summary, verify as verification};

/// A file of the seed's records that cannot be used.
#[derive(Debug, thiserror::Error)]
enum SeedFile {
    #[error("`{}`: {problem}", path.display())]
    Read { path: PathBuf, problem: String },
    #[error("`{}` is an input too; expected another path for `--output`", path.display())]
    Output { path: PathBuf },
}

/// Largest seed document, in bytes.
const MAX_SEED: u64 = 1 << 30;

pub(super) fn summarize(options: &Summarize) -> Answer {
    match (&options.experiment, &options.suite, &options.runs) {
        (Some(experiment), None, None) => ours(experiment, options),
        (None, Some(suite), Some(runs)) => theirs(suite, runs, options.output.as_deref()),
        _ => Err(
            "found neither an experiment nor `--suite` with `--runs`, expected one of them".into(),
        ),
    }
}

fn ours(experiment: &Path, options: &Summarize) -> Answer {
    if let Some(key) = &options.sign {
        place::expect_input(key, KEY)?;
    }
    let summary = summary::summarize(experiment)?;
    summary::write(experiment, &summary)?;
    if let Some(key) = &options.sign {
        summary::sign(experiment, &summary, key)?;
    }
    let text = match options {
        Summarize { json: true, .. } => String::from_utf8_lossy(&summary.to_bytes()?).into_owned(),
        Summarize { markdown: true, .. } => summary.to_markdown(),
        Summarize { junit: true, .. } => summary.to_junit(),
        Summarize { csv: true, .. } => summary.to_csv(),
        _ => summary.to_text(),
    };
    out(&text)?;
    Ok(if summary.passed() {
        Exit::Holds
    } else {
        Exit::FallsShort
    })
}

fn theirs(suite: &Path, runs: &Path, output: Option<&Path>) -> Answer {
    if let Some(path) = output {
        place::expect_output(path)?;
        refuse_input(path, &[suite, runs])?;
    }
    let (suite_bytes, runs_bytes) = (read(suite)?, read(runs)?);
    let (suite, runs) = (suite.display().to_string(), runs.display().to_string());
    let summary = seed::summarize_seed(
        Document {
            file: &suite,
            bytes: &suite_bytes,
        },
        Document {
            file: &runs,
            bytes: &runs_bytes,
        },
    )?;
    match output {
        None => out(summary.text())?,
        Some(path) => atomic::write(path, summary.text().as_bytes(), 0o644)?,
    }
    Ok(match summary.verdict().exit_code() {
        0 => Exit::Holds,
        _ => Exit::FallsShort,
    })
}

/// An output that is also an input would destroy the evidence that it is made of.
fn refuse_input(output: &Path, inputs: &[&Path]) -> Result<(), SeedFile> {
    let Ok(real) = fs_err::canonicalize(output) else {
        return Ok(());
    };
    let same =
        |input: &&&Path| fs_err::canonicalize(input).is_ok_and(|input| same_file(&input, &real));
    match inputs.iter().find(same) {
        Some(_) => Err(SeedFile::Output {
            path: output.to_owned(),
        }),
        None => Ok(()),
    }
}

/// Whether two paths are one file, by name or by a hard link.
fn same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |path: &Path| {
        fs_err::metadata(path)
            .map(|data| (data.dev(), data.ino()))
            .ok()
    };
    one == other || (id(one).is_some() && id(one) == id(other))
}

fn read(path: &Path) -> Result<Vec<u8>, SeedFile> {
    bulk::read(path, MAX_SEED).map_err(|error| SeedFile::Read {
        path: path.to_owned(),
        problem: error.to_string(),
    })
}

/// The journal ends elsewhere than somebody noted.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{file}`: found {found} as the hash of the last record, expected {expected} by `--expect-head`; records were added or cut off since that hash was noted"
)]
struct OtherHead {
    file: String,
    found: String,
    expected: String,
}

pub(super) fn verify(options: &Verify) -> Answer {
    if let Some(keys) = &options.keys {
        place::expect_input(keys, "lines such as `\"R. Meier\" ssh-ed25519 AAAA…`")?;
    }
    let verified = verification::verify(&options.experiment)?;
    let journal = &verified.journal;
    if let Some(expected) = &options.expect_head
        && expected != journal.head.as_str()
    {
        return Err(OtherHead {
            file: verified.experiment.layout.journal().display().to_string(),
            found: journal.head.to_string(),
            expected: expected.clone(),
        }
        .into());
    }
    let signatures = match &options.keys {
        None => String::new(),
        Some(path) => signed(&verified, &Keys::open(path)?)?,
    };
    out(&format!(
        "the evidence holds: every file that the journal names was hashed again\n\
         records      {}, the last of which is {}\n\
         experiment   {}\n{signatures}",
        journal.records,
        journal.head,
        standing(&verified)
    ))?;
    Ok(Exit::Holds)
}

/// Says what is signed by the keys that were brought.
fn signed(verified: &verification::Verified, keys: &Keys) -> Result<String, VerifyError> {
    let found = verification::signatures::check(verified, keys)?;
    let summary = match found.summary {
        true => "and the summary",
        false => "and no summary on file",
    };
    let reviews = found.reviews;
    Ok(format!(
        "signatures   {reviews} reviews by keys of their reviewers, {summary}\n"
    ))
}

/// Where an experiment stands. That its evidence holds says nothing about its result.
fn standing(verified: &verification::Verified) -> String {
    let planned = verified.experiment.plan.trials.len();
    if verified.history.finished.is_none() {
        let judged = verified
            .history
            .trials
            .values()
            .filter(|trial| trial.judged.is_some())
            .count();
        return format!(
            "not finished: {judged} of {planned} trials judged; `deckproof execute` goes on"
        );
    }
    let on_file = verified.experiment.layout.summary().is_file();
    match summary::derive(verified) {
        Ok(summary) if on_file => format!("{} (summary.json agrees)", summary.headline()),
        Ok(summary) => format!(
            "{} (no summary.json; `deckproof summarize` writes it)",
            summary.headline()
        ),
        Err(error) => error.to_string(),
    }
}
