// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower-case hexadecimal SHA-256, the only way in which this crate names bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

/// The SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256 of a file's content, read in pieces.
///
/// # Errors
/// When the file cannot be opened or read; the message names it.
pub fn sha256_file(path: &Path) -> io::Result<String> {
    let mut file = fs_err::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        match buffer.get(..read) {
            Some([]) | None => return Ok(hex(&hasher.finalize())),
            Some(piece) => hasher.update(piece),
        }
    }
}

/// What tells a file from another, and from itself after a change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Stamp {
    path: PathBuf,
    place: (u64, u64),
    bytes: u64,
    written: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Self> {
        let found = fs_err::metadata(path)?;
        Ok(Self {
            path: path.to_owned(),
            place: (found.dev(), found.ino()),
            bytes: found.len(),
            written: (found.mtime(), found.mtime_nsec()),
            changed: (found.ctime(), found.ctime_nsec()),
        })
    }
}

/// As [`sha256_file`], for large files of the machine that several renderers of one process name:
/// one that has not changed since is read once. Who asks meanwhile waits, for reading it twice at
/// the same time would take longer.
pub(crate) fn sha256_known(path: &Path) -> io::Result<String> {
    static KNOWN: Mutex<BTreeMap<Stamp, String>> = Mutex::new(BTreeMap::new());
    let stamp = Stamp::of(path)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(hash) = known.get(&stamp) {
        return Ok(hash.clone());
    }
    let hash = sha256_file(path)?;
    known.insert(stamp, hash.clone());
    Ok(hash)
}

fn hex(digest: &[u8]) -> String {
    digest
        .iter()
        .fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vector_for_abc() {
        assert_eq!(
            sha256_hex(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_file_hashes_as_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = vec![7_u8; 200_000];
        fs_err::write(file.path(), &bytes).unwrap();
        assert_eq!(sha256_file(file.path()).unwrap(), sha256_hex(&bytes));
    }

    #[test]
    fn a_known_file_is_read_again_when_it_changed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for text in ["one", "another"] {
            fs_err::write(file.path(), text).unwrap();
            for _ in 0..2 {
                assert_eq!(
                    sha256_known(file.path()).unwrap(),
                    sha256_hex(text.as_bytes())
                );
            }
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = sha256_file(Path::new("/nowhere/at/all")).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all"));
    }
}
