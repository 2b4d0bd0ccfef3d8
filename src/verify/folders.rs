// SPDX-License-Identifier: MIT OR Apache-2.0
//! What lies in the experiment's folders: nothing that no rule names, no links, no special files.

use std::collections::BTreeSet;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use deckproof_packets::tree::open_regular;

use super::VerifyError;
use crate::experiment::Layout;

/// Largest review, mapping or summary, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// One name in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::File => "a regular file",
            Self::Folder => "a folder",
        }
    }
}

/// The names in `folder`, sorted, each with its kind. What an interrupted write left is passed
/// over: nothing reads such a file, and the next writer removes it.
///
/// # Errors
/// When `folder` is no folder, or something in it is a link, a special file, or has no UTF-8 name.
pub(crate) fn list(folder: &Path) -> Result<Vec<(String, Kind)>, VerifyError> {
    expect_kind(folder, Kind::Folder)?;
    let mut names = Vec::new();
    for item in fs_err::read_dir(folder)? {
        let path = item?.path();
        let kind = kind_of(&path)?;
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name else {
            return Err(VerifyError::evidence(
                &path,
                "a name that is not UTF-8",
                "no such file",
            ));
        };
        if !(kind == Kind::File && is_unfinished_write(name)) {
            names.push((name.to_owned(), kind));
        }
    }
    names.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(names)
}

/// Refuses every name in `folder` that is not in `expected`, and every one of those that is missing.
pub(crate) fn expect_exactly(
    folder: &Path,
    expected: &BTreeSet<String>,
    kind: Kind,
    named_by: &str,
) -> Result<(), VerifyError> {
    let found = list(folder)?;
    for (name, found) in &found {
        let path = folder.join(name);
        if !expected.contains(name) {
            return Err(stray(&path, named_by));
        }
        if *found != kind {
            return Err(VerifyError::evidence(&path, found.word(), kind.word()));
        }
    }
    let missing = expected.iter().find(|name| {
        let at = found.binary_search_by(|(found, _)| found.as_str().cmp(name));
        at.is_err()
    });
    missing.map_or(Ok(()), |name| {
        let expected = format!("{}, which {named_by} names", kind.word());
        Err(VerifyError::evidence(
            &folder.join(name),
            "nothing",
            expected,
        ))
    })
}

/// A file or folder that nothing names.
pub(crate) fn stray(path: &Path, named_by: &str) -> VerifyError {
    let found = format!("something that {named_by} does not name");
    VerifyError::evidence(path, found, "nothing there")
}

/// `path` itself, no link, is of this kind.
pub(crate) fn expect_kind(path: &Path, kind: Kind) -> Result<(), VerifyError> {
    let found = kind_of(path)?;
    if found == kind {
        return Ok(());
    }
    Err(VerifyError::evidence(path, found.word(), kind.word()))
}

/// The bytes of a small file, no link.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, VerifyError> {
    let mut bytes = Vec::new();
    open_regular(path)?
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= MAX_FILE {
        return Ok(bytes);
    }
    let expected = format!("at most {MAX_FILE}");
    Err(VerifyError::evidence(path, "more bytes", expected))
}

/// `path` has exactly these permission bits.
pub(crate) fn expect_mode(path: &Path, mode: u32) -> Result<(), VerifyError> {
    let found = fs_err::symlink_metadata(path)?.permissions().mode() & 0o7777;
    if found == mode {
        return Ok(());
    }
    let (found, expected) = (format!("mode {found:04o}"), format!("mode {mode:04o}"));
    Err(VerifyError::evidence(path, found, expected))
}

fn kind_of(path: &Path) -> Result<Kind, VerifyError> {
    let metadata = match fs_err::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(VerifyError::evidence(
                path,
                "nothing",
                "it, since every experiment has it",
            ));
        }
        other => other?,
    };
    if metadata.is_file() {
        return Ok(Kind::File);
    }
    if metadata.is_dir() {
        return Ok(Kind::Folder);
    }
    let found = if metadata.is_symlink() {
        "a symbolic link"
    } else {
        "a special file"
    };
    Err(VerifyError::evidence(
        path,
        found,
        "regular files and folders alone",
    ))
}

/// The names of [`deckproof_packets::atomic`]'s temporary files.
pub(crate) fn is_unfinished_write(name: &str) -> bool {
    name.strip_prefix(".deckproof-").is_some_and(|rest| {
        rest.len() == 6 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// The experiment's own folder and its private one hold what they must hold and nothing else.
pub(crate) fn check_root(layout: &Layout) -> Result<(), VerifyError> {
    for (name, kind) in list(layout.root())? {
        let expected = match name.as_str() {
            "plan.json" | "journal.jsonl" | "journal.head" | "summary.json" | "report.html" => {
                Kind::File
            }
            "objects" | "sealed" | "work" | "packets" | "private" | "reviews" | "signatures" => {
                Kind::Folder
            }
            _ => return Err(unknown(&layout.root().join(name))),
        };
        if kind != expected {
            let path = layout.root().join(name);
            return Err(VerifyError::evidence(&path, kind.word(), expected.word()));
        }
    }
    for folder in [layout.packets(), layout.private(), layout.reviews()] {
        expect_kind(&folder, Kind::Folder)?;
    }
    check_private(layout)
}

fn check_private(layout: &Layout) -> Result<(), VerifyError> {
    let private = layout.private();
    expect_mode(&private, 0o700)?;
    for (name, kind) in list(&private)? {
        let path = private.join(&name);
        let known = match kind {
            Kind::File => path == layout.lock_file(),
            Kind::Folder => name == "mappings" || path == layout.runs(),
        };
        if !known {
            return Err(unknown(&path));
        }
    }
    expect_mode(&private.join("mappings"), 0o700)
}

fn unknown(path: &Path) -> VerifyError {
    VerifyError::evidence(
        path,
        "something that no experiment directory has",
        "nothing there",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_unfinished_writes_are_passed_over() {
        assert!(is_unfinished_write(".deckproof-aB3xZ9"));
        for name in [
            ".deckproof-",
            ".deckproof-aB3xZ90",
            ".deckproof-aB3x.9",
            "x.deckproof-aB3xZ9",
        ] {
            assert!(!is_unfinished_write(name), "{name}");
        }
    }

    #[test]
    fn strays_and_missing_names_are_named() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("a"), "").unwrap();
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let check = |expected: &BTreeSet<String>| {
            expect_exactly(folder.path(), expected, Kind::File, "the plan")
        };
        check(&names(&["a"])).unwrap();
        let error = check(&names(&["a", "b"])).unwrap_err().to_string();
        assert!(error.contains("b`: found nothing"), "{error}");
        let error = check(&names(&[])).unwrap_err().to_string();
        assert!(error.contains("a`: found something"), "{error}");
        std::os::unix::fs::symlink("a", folder.path().join("b")).unwrap();
        let error = check(&names(&["a", "b"])).unwrap_err().to_string();
        assert!(error.contains("b`: found a symbolic link"), "{error}");
    }
}
