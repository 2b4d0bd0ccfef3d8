// SPDX-License-Identifier: MIT OR Apache-2.0
//! The content-addressed store: every artifact, log and picture once, under its own hash.
//!
//! An object's name is its SHA-256, so a changed byte is a wrong name. Every read hashes what it
//! read before anybody may use it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::atomic;
use crate::hash::Sha256Hex;

/// The folder `objects/` of an experiment.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
}

/// An object that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The object is not there.
    #[error(
        "`{}` is missing; the evidence names it and cannot be used without it, so restore it from an untouched copy, or run the experiment anew",
        path.display()
    )]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// The object's bytes do not have the object's name.
    #[error(
        "`{}` has changed: found content that hashes to {found}, expected {expected}, as it is named; restore it from an untouched copy, or run the experiment anew",
        path.display()
    )]
    Changed {
        /// Which object.
        path: PathBuf,
        /// The hash of what is there.
        found: Sha256Hex,
        /// The hash that names it.
        expected: Sha256Hex,
    },
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Largest object, in bytes.
pub const MAX_OBJECT: u64 = 1 << 30;

impl Store {
    /// The store below `root`, which need not exist yet.
    #[must_use]
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Where the object `hash` lies: two digits, a slash, the other 62.
    #[must_use]
    pub fn path(&self, hash: &Sha256Hex) -> PathBuf {
        let (folder, name) = hash.as_str().split_at(2);
        self.root.join(folder).join(name)
    }

    /// Keeps `bytes`. An object that is already there is checked, not written again.
    ///
    /// # Errors
    /// [`StoreError::Changed`] when an object of that name holds something else, and any error of
    /// the file system.
    pub fn put(&self, bytes: &[u8]) -> Result<Sha256Hex, StoreError> {
        let hash = Sha256Hex::of(bytes);
        let path = self.path(&hash);
        if path.exists() {
            self.get(&hash)?;
            return Ok(hash);
        }
        fs_err::create_dir_all(path.parent().unwrap_or(&self.root))?;
        atomic::write(&path, bytes, 0o444)?;
        Ok(hash)
    }

    /// Keeps what `reader` gives, at most `limit` bytes, hashed as it is copied.
    ///
    /// # Errors
    /// [`io::ErrorKind::FileTooLarge`] beyond the limit, and as [`Store::put`].
    pub fn put_reader(
        &self,
        reader: impl Read,
        limit: u64,
    ) -> Result<(Sha256Hex, u64), StoreError> {
        let limit = limit.min(MAX_OBJECT);
        let mut bytes = Vec::new();
        reader.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            let problem = format!("larger than the limit of {limit} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem).into());
        }
        Ok((self.put(&bytes)?, bytes.len() as u64))
    }

    /// The bytes of `hash`, hashed again before they are given out.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Changed`], and any error of the file system.
    pub fn get(&self, hash: &Sha256Hex) -> Result<Vec<u8>, StoreError> {
        let path = self.path(hash);
        let bytes = match read_plain(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::Missing { path });
            }
            other => other?,
        };
        let found = Sha256Hex::of(&bytes);
        if found == *hash {
            return Ok(bytes);
        }
        Err(StoreError::Changed {
            path,
            found,
            expected: hash.clone(),
        })
    }
}

fn read_plain(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = crate::tree::open_regular(path).map_err(|error| match error {
        crate::tree::TreeError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    })?;
    file.take(MAX_OBJECT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn keeps_once_and_notices_every_change() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("objects"));
        let hash = store.put(b"deck").unwrap();
        assert_eq!(store.put(b"deck").unwrap(), hash);
        assert_eq!(store.get(&hash).unwrap(), b"deck");
        let path = store.path(&hash);
        fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        fs_err::write(&path, b"duck").unwrap();
        assert!(matches!(store.get(&hash), Err(StoreError::Changed { .. })));
        assert!(matches!(
            store.put(b"deck"),
            Err(StoreError::Changed { .. })
        ));
        fs_err::remove_file(&path).unwrap();
        assert!(matches!(store.get(&hash), Err(StoreError::Missing { .. })));
        std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
        assert!(store.get(&hash).is_err());
    }

    #[test]
    fn a_reader_beyond_the_limit_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path().join("objects"));
        assert!(store.put_reader(&b"12345"[..], 4).is_err());
        assert!(!folder.path().join("objects").exists());
        assert_eq!(store.put_reader(&b"1234"[..], 4).unwrap().1, 4);
    }
}
