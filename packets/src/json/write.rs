// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two forms in which Deckproof writes JSON.
//!
//! Both come from `serde` structures with a fixed member order and hold no floating-point numbers,
//! so that equal documents are equal bytes on every machine.

use serde::Serialize;

/// One line without spaces: the form of journal records, whose bytes are hashed.
///
/// # Errors
/// When `document` cannot be written as JSON, which only a map with odd keys can cause.
pub fn canonical<T: Serialize>(document: &T) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(document)
}

/// Two spaces of indent and a final newline: the form of files that people open.
///
/// # Errors
/// As [`canonical`].
pub fn pretty<T: Serialize>(document: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = serde_json::to_vec_pretty(document)?;
    bytes.push(b'\n');
    Ok(bytes)
}
