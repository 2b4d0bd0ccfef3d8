// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures what an agent's folders take on the disk, without following links and without endless walks.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The most open files of one process that are looked at.
const MOST_HANDLES: usize = 4096;

/// What folders hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// Allocated bytes.
    pub(super) bytes: u64,
    /// Files and folders of every kind.
    pub(super) files: u64,
}

/// Adds up everything below `folders`, and stops as soon as there are more than `most_files`. What has been deleted
/// meanwhile counts nothing. A folder that cannot be looked into, because it is shut or too deep for a path, counts
/// as too many files: it could hide any number of them.
pub(super) fn measure(folders: &[PathBuf], most_files: u64) -> Size {
    let mut size = Size::default();
    let mut next: Vec<PathBuf> = folders.to_vec();
    while let Some(folder) = next.pop() {
        add_folder(&folder, most_files, &mut size, &mut next);
        if size.files > most_files {
            break;
        }
    }
    size
}

fn add_folder(folder: &Path, most_files: u64, size: &mut Size, next: &mut Vec<PathBuf>) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        Err(_) => {
            size.files = most_files.saturating_add(1);
            return;
        }
    };
    for entry in entries.flatten() {
        let Ok(data) = entry.metadata() else { continue };
        size.files += 1;
        size.bytes = size.bytes.saturating_add(data.blocks().saturating_mul(512));
        if data.is_dir() {
            next.push(entry.path());
        }
        if size.files > most_files {
            return;
        }
    }
}

/// Bytes of the files without a name that the processes `pids` hold open, each counted once. They take disk or
/// memory, and no walk through folders sees them.
pub(super) fn nameless_bytes(pids: impl Iterator<Item = i32>) -> u64 {
    let mut seen = BTreeSet::new();
    let mut bytes: u64 = 0;
    for pid in pids {
        let Ok(handles) = std::fs::read_dir(format!("/proc/{pid}/fd")) else {
            continue;
        };
        for handle in handles.flatten().take(MOST_HANDLES) {
            // Follows the link to the open file, whose name need not exist any more.
            let Ok(data) = std::fs::metadata(handle.path()) else {
                continue;
            };
            let nameless = data.is_file() && data.nlink() == 0;
            if nameless && seen.insert((data.dev(), data.ino())) {
                bytes = bytes.saturating_add(data.blocks().saturating_mul(512));
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_files_and_bytes_and_follows_no_link() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/b"), vec![1; 100_000]).unwrap();
        std::os::unix::fs::symlink("/", folder.path().join("root")).unwrap();
        std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
        let size = measure(&[folder.path().to_owned()], 1000);
        assert_eq!(size.files, 4);
        assert!(size.bytes >= 100_000 && size.bytes < 200_000, "{size:?}");
    }

    #[test]
    fn stops_when_there_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        for name in 0..20 {
            std::fs::write(folder.path().join(name.to_string()), "").unwrap();
        }
        assert_eq!(measure(&[folder.path().to_owned()], 5).files, 6);
        assert_eq!(measure(&["/nonexistent".into()], 5), Size::default());
    }

    #[test]
    fn a_folder_too_deep_to_look_into_is_too_much() {
        let folder = tempfile::tempdir().unwrap();
        let name = "d".repeat(250);
        let mut at = std::fs::File::open(folder.path()).unwrap();
        for _ in 0..20 {
            rustix::fs::mkdirat(&at, &name, 0o700.into()).unwrap();
            let flags = rustix::fs::OFlags::DIRECTORY;
            at = rustix::fs::openat(&at, &name, flags, 0.into())
                .unwrap()
                .into();
        }
        assert_eq!(measure(&[folder.path().to_owned()], 500).files, 501);
    }

    #[test]
    fn counts_files_that_have_no_name() {
        use std::io::Write as _;
        let own = || std::iter::once(i32::try_from(std::process::id()).unwrap());
        let before = nameless_bytes(own());
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[7; 300_000]).unwrap();
        file.sync_all().unwrap();
        assert!(nameless_bytes(own()) >= before + 300_000);
        assert_eq!(nameless_bytes(std::iter::once(-1)), 0);
    }
}
