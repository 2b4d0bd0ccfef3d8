// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads `suite.toml` and the specs that it names.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use deckproof_packets::json;

use super::error::Places;
use super::spec::Spec;
use super::{Id, Suite, SuiteError, rules};

/// A suite with its specs, ready to use.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The folder that all paths are relative to.
    pub root: PathBuf,
    /// The suite.
    pub suite: Suite,
    /// `suite.toml`, to the byte.
    pub bytes: Vec<u8>,
    /// Each case's spec.
    pub specs: BTreeMap<Id, Spec>,
}

/// Largest `suite.toml`, in bytes.
const MAX_SUITE: u64 = 4 << 20;

/// Reads the suite at `path`: a `suite.toml` or the folder that holds one.
///
/// # Errors
/// [`SuiteError`] with every broken rule that was found.
pub fn load(path: &Path) -> Result<Loaded, SuiteError> {
    let file = if path.is_dir() {
        path.join("suite.toml")
    } else {
        path.to_owned()
    };
    let bytes = read(&file, MAX_SUITE)?;
    let suite = parse(&file.display().to_string(), &bytes)?;
    let root = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let specs = read_specs(&root, &suite, &file, &bytes)?;
    rules::check_specs(&root, &suite, &specs)?;
    Ok(Loaded {
        root,
        suite,
        bytes,
        specs,
    })
}

/// Parses the text of a suite and checks the rules that need no other file.
///
/// # Errors
/// [`SuiteError::Rules`].
pub fn parse(file: &str, bytes: &[u8]) -> Result<Suite, SuiteError> {
    let lossy = String::from_utf8_lossy(bytes);
    let places = Places { file, text: &lossy };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        SuiteError::Rules(vec![places.problem(at..at, "invalid UTF-8")])
    })?;
    if text.starts_with('\u{feff}') {
        let problem = "found a byte-order mark, expected plain UTF-8";
        return Err(SuiteError::Rules(vec![places.problem(0..0, problem)]));
    }
    let suite: Suite = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        SuiteError::Rules(vec![places.problem(span, error.message())])
    })?;
    let problems = rules::check(&suite, &places);
    if problems.is_empty() {
        Ok(suite)
    } else {
        Err(SuiteError::Rules(problems))
    }
}

/// What is found where no file can be read, in words.
fn found_instead(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "found nothing".to_owned(),
        _ => format!("found a file that cannot be read ({error})"),
    }
}

fn read(file: &Path, limit: u64) -> Result<Vec<u8>, SuiteError> {
    let problem = |problem: String| SuiteError::File {
        file: file.to_owned(),
        problem,
    };
    let size = std::fs::metadata(file)
        .map_err(|error| {
            problem(format!(
                "{}, expected a suite here; `deckproof init` writes one",
                found_instead(&error)
            ))
        })?
        .len();
    if size > limit {
        return Err(problem(format!(
            "found {size} bytes, expected at most {limit}"
        )));
    }
    std::fs::read(file).map_err(|error| problem(error.to_string()))
}

fn read_specs(
    root: &Path,
    suite: &Suite,
    named_in: &Path,
    text: &[u8],
) -> Result<BTreeMap<Id, Spec>, SuiteError> {
    let (named_in, text) = (
        named_in.display().to_string(),
        String::from_utf8_lossy(text),
    );
    let places = Places {
        file: &named_in,
        text: &text,
    };
    let mut specs = BTreeMap::new();
    for case in &suite.case {
        let path = case.spec.below(root);
        let name = path.display().to_string();
        let file = |problem: String| SuiteError::File {
            file: path.clone(),
            problem,
        };
        let bytes = std::fs::read(&path).map_err(|error| {
            let named = places.problem(case.id.span(), "");
            file(format!(
                "{}, expected the `spec` of the case `{}` ({}, line {}); write it, or name another",
                found_instead(&error),
                case.id.get(),
                named.file,
                named.line
            ))
        })?;
        let spec = json::read(&name, &bytes).map_err(|error| {
            file(format!(
                "line {}, column {}: {}",
                error.line, error.column, error.problem
            ))
        })?;
        specs.insert(case.id.get().clone(), spec);
    }
    Ok(specs)
}
