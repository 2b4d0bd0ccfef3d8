// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON as evidence: one strict reader for every file that a verdict hangs on.
//!
//! Most JSON readers let things through that two programs can read in two ways: a key twice, NaN,
//! a byte-order mark, data behind the document. Here each of those is an error with file, line and
//! column. [`parse`] gives a [`Value`] that keeps the text of numbers; [`read`] gives a typed
//! document, where the type refuses unknown keys and numbers written as strings.

mod scan;
mod stream;
mod typed;
mod value;
mod write;

#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;

pub use scan::Limits;
pub use stream::Stream;
pub use value::{Arena, Member, Place, Value, ValueKind};
pub use write::{canonical, pretty};

/// A JSON text that evidence may not contain, with where and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {problem}")]
pub struct JsonError {
    /// The file's name as the reader was told it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub problem: String,
}

/// Parses one document strictly. Its values lie in `arena`.
///
/// # Errors
/// A [`JsonError`] for anything that RFC 8259 does not allow, for a duplicate key (compared after
/// escapes are resolved), a byte-order mark, invalid UTF-8, a lone surrogate, a number that is not
/// finite as a double, and for a document beyond `limits`.
pub fn parse<'a>(
    file: &str,
    bytes: &'a [u8],
    limits: &Limits,
    arena: &'a Arena,
) -> Result<Value<'a, 'a>, JsonError> {
    scan::scan(file, bytes, limits, arena)
}

/// Reads one document strictly into `T`.
///
/// `T` and all that it holds must carry `#[serde(deny_unknown_fields)]`; this function adds what
/// serde does not look at, and takes no list for a structure.
///
/// # Errors
/// As [`parse`], and a [`JsonError`] for a missing or unknown key and for a value of a wrong type.
pub fn read<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, JsonError> {
    read_within(file, bytes, &Limits::default())
}

/// As [`read`], with limits of the caller's.
///
/// # Errors
/// As [`read`].
pub fn read_within<T: DeserializeOwned>(
    file: &str,
    bytes: &[u8],
    limits: &Limits,
) -> Result<T, JsonError> {
    let arena = Arena::new();
    let document = parse(file, bytes, limits, &arena)?;
    typed::read(&document).map_err(|fault| {
        let place = fault.place.unwrap_or(document.place());
        let (line, column) = place.position(bytes);
        JsonError {
            file: file.to_owned(),
            line,
            column,
            problem: fault.problem,
        }
    })
}
