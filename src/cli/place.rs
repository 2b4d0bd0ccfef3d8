// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where output goes: a folder, which no file may stand in the way of.

use std::path::{Path, PathBuf};

/// A file stands where a folder is to be.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: found a file at `{}`, expected a folder or nothing there; {way_out}", asked.display(), file.display())]
pub(super) struct FileInTheWay {
    asked: PathBuf,
    file: PathBuf,
    way_out: &'static str,
}

/// Whether the folder `path` is there or can be made.
pub(super) fn expect_folder(path: &Path, way_out: &'static str) -> Result<(), FileInTheWay> {
    let nearest = path.ancestors().find(|one| one.exists());
    match nearest.filter(|one| !one.is_dir()) {
        None => Ok(()),
        Some(file) => Err(FileInTheWay {
            asked: path.to_owned(),
            file: file.to_owned(),
            way_out,
        }),
    }
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
}
