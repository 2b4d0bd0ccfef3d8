// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which Chromium there is. The real executables are called, not `/usr/bin/chromium`: that is a
//! shell script which adds switches of the machine's owner.

use std::path::{Path, PathBuf};

use crate::BrowserError;

/// What an executable can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `chromium-headless-shell`: frames are drawn on command, so pictures are repeatable.
    HeadlessShell,
    /// Full Chromium: frames come when they come, so pictures are not promised to be repeatable.
    Full,
}

/// A Chromium to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executable {
    /// Its real path.
    pub path: PathBuf,
    /// What it can do.
    pub kind: Kind,
}

const KNOWN: [(&str, Kind); 4] = [
    (
        "/usr/lib/chromium/chromium-headless-shell",
        Kind::HeadlessShell,
    ),
    (
        "/usr/lib64/chromium-browser/headless_shell",
        Kind::HeadlessShell,
    ),
    ("/usr/lib/chromium/chromium", Kind::Full),
    ("/usr/lib64/chromium-browser/chromium-browser", Kind::Full),
];

impl Executable {
    /// The first known executable that exists.
    ///
    /// # Errors
    /// [`BrowserError::NotFound`] with every path that was tried.
    pub fn find() -> Result<Self, BrowserError> {
        first_of(&KNOWN.map(|(path, kind)| (PathBuf::from(path), kind)))
    }

    /// A given executable; its name tells its kind.
    ///
    /// # Errors
    /// [`BrowserError::NotFound`] when it is no file.
    pub fn at(path: &Path) -> Result<Self, BrowserError> {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().replace('_', "-"));
        let shell = name.is_some_and(|name| name.contains("headless-shell"));
        first_of(&[(
            path.to_owned(),
            if shell {
                Kind::HeadlessShell
            } else {
                Kind::Full
            },
        )])
    }
}

fn first_of(known: &[(PathBuf, Kind)]) -> Result<Executable, BrowserError> {
    let found = known.iter().find(|(path, _)| path.is_file());
    let (path, kind) = found.ok_or_else(|| BrowserError::NotFound {
        tried: known.iter().map(|(path, _)| path.clone()).collect(),
    })?;
    Ok(Executable {
        path: path.clone(),
        kind: *kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_browser_names_what_was_tried_and_the_package() {
        let error = Executable::at(Path::new("/nowhere/chromium"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("/nowhere/chromium"), "{error}");
        assert!(error.contains("chromium-headless-shell"), "{error}");
    }

    #[test]
    fn the_name_tells_the_kind() {
        let folder = tempfile::tempdir().unwrap();
        for (name, kind) in [
            ("chromium", Kind::Full),
            ("headless_shell", Kind::HeadlessShell),
        ] {
            let path = folder.path().join(name);
            fs_err::write(&path, "").unwrap();
            assert_eq!(Executable::at(&path).unwrap(), Executable { path, kind });
        }
    }
}
