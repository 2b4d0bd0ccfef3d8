// SPDX-License-Identifier: MIT OR Apache-2.0
//! The identity of the browser, whose hashes are made while the first deck is drawn: 300 MB take as
//! long to read as a browser takes to start.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use crate::RendererIdentity;
use crate::fonts::FontFiles;
use crate::hash::sha256_known;

/// The hashes of the executable and of the fonts.
type Hashes = (String, String);
/// Hashes in the making.
pub(super) type Hashing = JoinHandle<io::Result<Hashes>>;

/// Begins to hash.
pub(super) fn hash_aside(executable: PathBuf, fonts: FontFiles) -> Hashing {
    std::thread::spawn(move || Ok((sha256_known(&executable)?, fonts.sha256()?)))
}

/// An identity that is complete once its hashes are.
#[derive(Debug)]
pub(super) struct Identity {
    without: RendererIdentity,
    hashing: Mutex<Option<Hashing>>,
    complete: OnceLock<RendererIdentity>,
}

impl Identity {
    /// One whose hashes are in the making; without any, it is as complete as it will be.
    pub(super) fn new(without: RendererIdentity, hashing: Option<Hashing>) -> Self {
        let complete = match hashing {
            Some(_) => OnceLock::new(),
            None => OnceLock::from(without.clone()),
        };
        Self {
            without,
            hashing: Mutex::new(hashing),
            complete,
        }
    }

    /// The complete identity. Waits for its hashes the first time.
    ///
    /// # Errors
    /// When a file could not be read.
    pub(super) fn known(&self) -> io::Result<&RendererIdentity> {
        let mut hashing = self.hashing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hashing) = hashing.take() {
            let stopped = |_| Err(io::Error::other("the hashing thread stopped"));
            let (executable_sha256, fonts_sha256) = hashing.join().unwrap_or_else(stopped)?;
            let complete = RendererIdentity {
                executable_sha256,
                fonts_sha256,
                ..self.without.clone()
            };
            // Nobody else gets here, for the hashes were taken under the lock.
            let _ = self.complete.set(complete);
        }
        self.complete
            .get()
            .ok_or_else(|| io::Error::other("the browser or a font could not be read"))
    }

    /// The identity as far as it can be told. No rendering carries one whose hashes are still missing.
    pub(super) fn best(&self) -> &RendererIdentity {
        self.known().unwrap_or(&self.without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(executable: &str) -> Identity {
        let without = RendererIdentity {
            name: "chromium".to_owned(),
            version: "1".to_owned(),
            executable_sha256: String::new(),
            fonts_sha256: String::new(),
            flags: Vec::new(),
            deterministic: true,
        };
        let fonts = FontFiles::find().unwrap();
        Identity::new(without, Some(hash_aside(executable.into(), fonts)))
    }

    #[test]
    fn one_without_hashes_is_no_error_and_has_none() {
        let without = identity("/bin/true").without.clone();
        let known = Identity::new(without.clone(), None);
        assert_eq!(known.known().unwrap(), &without);
        assert_eq!(known.best().executable_sha256, "");
    }

    #[test]
    fn it_is_complete_or_an_error_each_time_it_is_asked() {
        let good = identity("/bin/true");
        let hash = crate::sha256_file("/bin/true".as_ref()).unwrap();
        for _ in 0..2 {
            assert_eq!(good.known().unwrap().executable_sha256, hash);
        }
        let bad = identity("/nowhere/at/all");
        for _ in 0..2 {
            assert!(bad.known().is_err());
        }
        assert_eq!(bad.best().executable_sha256, "");
    }
}
