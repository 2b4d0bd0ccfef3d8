// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that are either the old one or the new one, whatever happens in between.
//!
//! A file is written under a temporary name in its own folder, synced, and renamed; then the folder
//! is synced. A crash at any moment leaves the old file or the new one, never half of either.

use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes `bytes` to `path` with permission bits `mode`, replacing what stood there.
///
/// # Errors
/// Any error of the file system; the old file then stands as it was.
pub fn write(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let file = temporary(path, bytes, mode)?;
    file.persist(path)
        .map_err(|error| with_path(error.error, path))?;
    sync_folder(parent(path))
}

/// As [`write`], but refuses to replace a file that is already there.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] when `path` exists, and any error of the file system.
pub fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let file = temporary(path, bytes, mode)?;
    file.persist_noclobber(path)
        .map_err(|error| with_path(error.error, path))?;
    sync_folder(parent(path))
}

/// Makes the entries of `folder` durable.
///
/// # Errors
/// Any error of the file system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    fs_err::File::open(folder)?.sync_all()
}

fn temporary(path: &Path, bytes: &[u8], mode: u32) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix(".deckproof-")
        .tempfile_in(parent(path))
        .map_err(|error| with_path(error, path))?;
    file.write_all(bytes)
        .map_err(|error| with_path(error, path))?;
    file.as_file()
        .set_permissions(std::fs::Permissions::from_mode(mode))?;
    file.as_file()
        .sync_all()
        .map_err(|error| with_path(error, path))?;
    Ok(file)
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn with_path(error: io::Error, path: &Path) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot write `{}`: {error}", path.display()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        write(&path, b"one", 0o600).unwrap();
        write(&path, b"two", 0o644).unwrap();
        assert_eq!(fs_err::read(&path).unwrap(), b"two");
        assert_eq!(
            fs_err::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o644
        );
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_new_file_never_replaces_an_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        write_new(&path, b"one", 0o600).unwrap();
        let error = write_new(&path, b"two", 0o600).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs_err::read(&path).unwrap(), b"one");
        assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_file() {
        let error = write(Path::new("/nowhere/at/all"), b"", 0o600).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
    }
}
