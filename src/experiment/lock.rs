// SPDX-License-Identifier: MIT OR Apache-2.0
//! One writer at a time: whoever changes an experiment holds its lock.

use std::fs::{File, TryLockError};
use std::io;
use std::path::PathBuf;

use super::Layout;

/// The lock, held until it is dropped. The system frees it when the process dies, however it dies.
#[derive(Debug)]
pub struct ExperimentLock {
    _file: File,
}

/// Why the lock was not had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process holds it.
    #[error("`{path}` is held by another deckproof process; wait for it to end, or stop it")]
    Held {
        /// The lock file.
        path: PathBuf,
    },
    /// The file system failed.
    #[error("cannot lock `{path}`: {source}")]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl ExperimentLock {
    /// Takes the lock of an experiment, or says who has it.
    ///
    /// # Errors
    /// [`LockError`].
    pub fn take(layout: &Layout) -> Result<Self, LockError> {
        let path = layout.lock_file();
        let io = |source| LockError::Io {
            path: path.clone(),
            source,
        };
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::Held { path }),
            Err(TryLockError::Error(source)) => Err(io(source)),
        }
    }
}
