// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures what an agent's folders take on the disk, without following links and without endless walks.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What folders hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// Allocated bytes.
    pub(super) bytes: u64,
    /// Files and folders of every kind.
    pub(super) files: u64,
}

/// Adds up everything below `folders`, and stops as soon as there are more than `most_files`.
/// What cannot be read (it may have been deleted meanwhile) counts nothing.
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
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
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
}
