// SPDX-License-Identifier: MIT OR Apache-2.0
//! The example suite inside the program, and how it is written out.

use std::io;
use std::path::Path;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The embedded files below `folder` (such as `suite`), with their paths below it.
pub fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let prefix = format!("{folder}/");
    FILES
        .iter()
        .filter_map(move |(path, bytes)| Some((path.strip_prefix(&prefix)?, *bytes)))
}

/// One embedded file.
#[must_use]
pub fn file(path: &str) -> Option<&'static [u8]> {
    FILES
        .iter()
        .find(|(name, _)| *name == path)
        .map(|(_, bytes)| *bytes)
}

/// Writes the embedded files below `folder` to `to`, replacing files of the same name.
///
/// # Errors
/// Any error of the file system.
pub fn write(folder: &str, to: &Path) -> io::Result<()> {
    for (path, bytes) in below(folder) {
        let path = to.join(path);
        if let Some(parent) = path.parent() {
            fs_err::create_dir_all(parent)?;
        }
        fs_err::write(&path, bytes)?;
    }
    Ok(())
}
