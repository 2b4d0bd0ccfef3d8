// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths on the command line, looked at before any work: the system's own words say too little.

use std::path::{Path, PathBuf};

/// What signs.
pub(super) const KEY: &str = "an ed25519 private key of OpenSSH";

/// A path with something else than it was named for.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: found {found}, expected {expected}; {way_out}", path.display())]
pub(super) struct OutOfPlace {
    path: PathBuf,
    found: String,
    expected: &'static str,
    way_out: &'static str,
}

/// Whether the folder `path` is there or can be made.
pub(super) fn expect_folder(path: &Path, way_out: &'static str) -> Result<(), OutOfPlace> {
    let nearest = path.ancestors().find(|one| one.exists());
    match nearest.filter(|one| !one.is_dir()) {
        None => Ok(()),
        Some(file) => Err(OutOfPlace {
            path: path.to_owned(),
            found: format!("a file at `{}`", file.display()),
            expected: "a folder or nothing there",
            way_out,
        }),
    }
}

/// Whether a file can be written at `path`: its folder is there, and no folder is in its place.
pub(super) fn expect_output(path: &Path) -> Result<(), OutOfPlace> {
    let folder = path.parent().filter(|one| !one.as_os_str().is_empty());
    let found = match folder.filter(|one| !one.is_dir()) {
        Some(folder) => format!("no folder `{}`", folder.display()),
        None if path.is_dir() => "a folder".to_owned(),
        None => return Ok(()),
    };
    Err(OutOfPlace {
        path: path.to_owned(),
        found,
        expected: "the name of a file in a folder that is there",
        way_out: "make the folder, or name another file",
    })
}

/// Whether there is a file at `path`, which is to be `expected`.
pub(super) fn expect_input(path: &Path, expected: &'static str) -> Result<(), OutOfPlace> {
    let found = match path.try_exists() {
        Ok(false) => "nothing",
        Ok(true) if path.is_dir() => "a folder",
        _ => return Ok(()),
    };
    Err(OutOfPlace {
        path: path.to_owned(),
        found: found.to_owned(),
        expected,
        way_out: "correct the path",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_on_the_way_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs_err::write(&file, "").unwrap();
        assert!(expect_folder(folder.path(), "x").is_ok());
        assert!(expect_folder(&folder.path().join("a/b"), "x").is_ok());
        assert!(expect_folder(Path::new("new"), "x").is_ok());
        for path in [file.clone(), file.join("a/b")] {
            let error = expect_folder(&path, "name another").unwrap_err();
            let found = format!("found a file at `{}`", file.display());
            let error = error.to_string();
            assert!(
                error.contains(&found) && error.ends_with("name another"),
                "{error}"
            );
        }
    }

    #[test]
    fn files_are_looked_for_where_they_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs_err::write(&file, "").unwrap();
        assert!(expect_output(&file).is_ok() && expect_output(Path::new("new")).is_ok());
        assert!(expect_output(&folder.path().join("new")).is_ok());
        let error = |path: &Path| expect_output(path).unwrap_err().to_string();
        assert!(error(folder.path()).contains("found a folder, expected the name of a file"));
        assert!(error(&folder.path().join("no/new")).contains("found no folder `"));
        assert!(expect_input(&file, "a key").is_ok());
        let error = |path: &Path| expect_input(path, "a key").unwrap_err().to_string();
        assert!(error(folder.path()).contains("found a folder, expected a key"));
        assert!(error(&folder.path().join("no")).contains("found nothing, expected a key"));
    }
}
