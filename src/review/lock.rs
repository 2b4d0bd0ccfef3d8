// SPDX-License-Identifier: MIT OR Apache-2.0
//! The experiment's lock, as `execute` takes it.

use std::fs::{File, TryLockError};

use crate::experiment::Layout;
use crate::verify::VerifyError;

/// Takes the lock, held until the file is dropped; the system frees it when the process dies.
pub(super) fn take(layout: &Layout) -> Result<File, VerifyError> {
    let lock = layout.lock_file();
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&lock)
        .map_err(|error| {
            let problem = format!("cannot open `{}`: {error}", lock.display());
            std::io::Error::new(error.kind(), problem)
        })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(VerifyError::Busy { lock }),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
