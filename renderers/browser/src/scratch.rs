// SPDX-License-Identifier: MIT OR Apache-2.0
//! Throw-away folders that do not outlive us, not even when we are killed.
//!
//! A folder is removed when its owner drops it. An owner that was killed cannot do that, so whoever
//! makes the next folder removes those whose owner is gone: an owner holds a lock on a file inside
//! for as long as it lives, and the kernel lets go of that lock when it dies.

use std::io;
use std::path::Path;

use fs_err::File;
use rustix::fs::{FlockOperation, flock};
use tempfile::TempDir;

/// What all names begin with.
const PREFIX: &str = "deckproof-scratch-";
/// The file that is locked.
const LOCK: &str = ".lock";
/// Its name until it is locked: whoever sees it under its own name must find it held.
const UNLOCKED: &str = ".unlocked";

/// A folder of one's own below the machine's folder for temporary files.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes a folder, and removes those of owners that are gone.
    ///
    /// # Errors
    /// When no folder can be made.
    pub fn new() -> io::Result<Self> {
        Self::below(&std::env::temp_dir())
    }

    fn below(parent: &Path) -> io::Result<Self> {
        sweep(parent);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let unlocked = folder.path().join(UNLOCKED);
        let lock = File::create(&unlocked)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        fs_err::rename(unlocked, folder.path().join(LOCK))?;
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes folders that nobody holds. What cannot be removed belongs to somebody else.
fn sweep(parent: &Path) {
    let Ok(entries) = fs_err::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_stale(&entry.path()) {
            let _ = fs_err::remove_dir_all(entry.path());
        }
    }
}

/// Whether a folder has a lock that nobody holds. One without a lock may just be in the making.
fn is_stale(folder: &Path) -> bool {
    let real = fs_err::symlink_metadata(folder.join(LOCK)).is_ok_and(|found| found.is_file());
    let lock = real.then(|| File::open(folder.join(LOCK)).ok()).flatten();
    lock.is_some_and(|lock| flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn folders_of_the_dead_are_removed_and_those_of_the_living_stay() {
        let parent = tempfile::tempdir().unwrap();
        let living = Scratch::below(parent.path()).unwrap();
        let dead = parent.path().join(format!("{PREFIX}dead"));
        fs_err::create_dir_all(dead.join("data")).unwrap();
        fs_err::write(dead.join(LOCK), "").unwrap();
        let making = parent.path().join(format!("{PREFIX}making"));
        fs_err::create_dir(&making).unwrap();
        let other = parent.path().join("other");
        fs_err::create_dir(&other).unwrap();
        fs_err::write(other.join(LOCK), "").unwrap();
        let next = Scratch::below(parent.path()).unwrap();
        assert!(!dead.exists());
        assert!(living.path().exists() && making.exists() && other.exists());
        let path = next.path().to_owned();
        drop(next);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_in_the_making_survives_those_who_sweep_meanwhile() {
        let parent = tempfile::tempdir().unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let sweeping = || {
                while !done.load(Ordering::Relaxed) {
                    sweep(parent.path());
                }
            };
            scope.spawn(sweeping);
            scope.spawn(sweeping);
            let lost = (0..300).find_map(|_| match Scratch::below(parent.path()) {
                Ok(folder) => (!folder.path().join(LOCK).exists()).then(|| "swept".to_owned()),
                Err(error) => Some(error.to_string()),
            });
            done.store(true, Ordering::Relaxed);
            assert_eq!(lost, None);
        });
    }
}
