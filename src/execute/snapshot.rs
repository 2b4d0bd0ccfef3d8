// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies what an agent left into the store, once, after every process of it is gone.
//!
//! Checks, pictures and hashes use the copy alone. What is there is untrusted: a link, a pipe, a
//! folder of a million files. None of that is an error of the experiment; it is a deck that is
//! refused, which its trial's checks then fail on.

use std::io;
use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::json;
use deckproof_packets::relpath::RelPath;
use deckproof_packets::store::{Store, StoreError};
use deckproof_packets::tree::{Tree, TreeError, TreeLimits, open_regular};

use crate::experiment::records::{Artifact, Object, StoredArtifact};
use crate::suite::Format;

/// How large a deck may be: 4,000 files, 512 MiB.
const LIMITS: TreeLimits = TreeLimits {
    entries: 4_000,
    bytes: 512 << 20,
    depth: 16,
};

/// Why an artifact could not be copied although it may be a good one.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Copies the deck whose entry is `entry` below the folder `output`.
///
/// # Errors
/// [`SnapshotError`] when our own side fails; whatever is wrong with the deck is in the answer.
pub fn take(
    store: &Store,
    output: &Path,
    entry: &RelPath,
    format: Format,
) -> Result<Artifact, SnapshotError> {
    if let Some(problem) = replaced(output) {
        return Ok(Artifact::Refused(problem));
    }
    let folder = match plain_folder(output, entry) {
        Ok(Some(folder)) => folder,
        Ok(None) => return Ok(Artifact::Missing),
        Err(problem) => return Ok(Artifact::Refused(problem)),
    };
    let name = entry.name();
    match fs_err::symlink_metadata(folder.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Artifact::Missing),
        Err(error) => return Ok(Artifact::Refused(told(&error.to_string(), output))),
        Ok(found) if found.is_dir() => {
            let problem = format!("`{entry}` is a folder, expected a regular file");
            return Ok(Artifact::Refused(problem));
        }
        Ok(_) => {}
    }
    let copied = match format {
        Format::Html => copy_folder(store, &folder),
        Format::Pptx => copy_file(store, &folder, name),
    };
    match copied {
        Ok(tree) => store_tree(store, tree, name),
        Err(Refusal::Deck(problem)) => Ok(Artifact::Refused(told(&problem, output))),
        Err(Refusal::Own(error)) => Err(error),
    }
}

/// An agent that nothing confines can put a link in the place of its work folder itself.
fn replaced(output: &Path) -> Option<String> {
    let work = output.parent()?;
    match work.canonicalize() {
        Ok(real) if real == work => None,
        Ok(_) => Some("its work folder is reached through a link".to_owned()),
        Err(error) => Some(format!("its work folder: {error}")),
    }
}

/// The folder of the entry, no part of its path a link. `None` when it is not there.
fn plain_folder(output: &Path, entry: &RelPath) -> Result<Option<PathBuf>, String> {
    let mut folder = output.to_owned();
    let parts: Vec<_> = entry.as_str().split('/').collect();
    let folders = parts
        .split_last()
        .map(|(_, folders)| folders)
        .unwrap_or_default();
    for part in std::iter::once(&"").chain(folders) {
        if !part.is_empty() {
            folder.push(part);
        }
        match std::fs::symlink_metadata(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                return Err(told(
                    &format!("`{}` is not a plain folder", folder.display()),
                    output,
                ));
            }
        }
    }
    Ok(Some(folder))
}

/// Messages name files below the output folder, not where the experiment happens to lie.
fn told(problem: &str, output: &Path) -> String {
    let prefix = output.parent().unwrap_or(output).display().to_string();
    problem
        .replace(&format!("{prefix}/"), "")
        .replace(&prefix, ".")
}

enum Refusal {
    Deck(String),
    Own(SnapshotError),
}

impl From<TreeError> for Refusal {
    fn from(error: TreeError) -> Self {
        Self::Deck(error.to_string())
    }
}

fn copy_folder(store: &Store, folder: &Path) -> Result<Tree, Refusal> {
    let tree = Tree::scan(folder, &LIMITS)?;
    for (entry, hash) in tree.files() {
        put(store, &entry.path.below(folder), entry.bytes, hash)?;
    }
    Ok(tree)
}

/// A PPTX deck is its file alone, whatever else lies beside it.
fn copy_file(store: &Store, folder: &Path, name: &str) -> Result<Tree, Refusal> {
    let path = folder.join(name);
    let mut file = open_regular(&path)?;
    let (hash, bytes) = Sha256Hex::of_reader(&mut file, LIMITS.bytes)
        .map_err(|error| Refusal::Deck(format!("`{name}`: {error}")))?;
    put(store, &path, bytes, &hash)?;
    let path = name
        .parse()
        .map_err(|_| Refusal::Deck(format!("`{name}` is no plain name")))?;
    let entry = deckproof_packets::tree::TreeEntry {
        path,
        mode: 0o644,
        sha256: Some(hash),
        bytes,
    };
    Ok(Tree {
        entries: vec![entry],
    })
}

fn put(store: &Store, path: &Path, bytes: u64, hash: &Sha256Hex) -> Result<(), Refusal> {
    let file = open_regular(path)?;
    let (found, _) = store.put_reader(file, bytes).map_err(|error| match error {
        StoreError::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Refusal::Deck(format!("`{}` grew while it was copied", path.display()))
        }
        other => Refusal::Own(other.into()),
    })?;
    if found == *hash {
        return Ok(());
    }
    Err(Refusal::Deck(format!(
        "`{}` changed while it was copied",
        path.display()
    )))
}

/// Keeps the list of a deck's files and describes the whole.
pub(super) fn store_tree(
    store: &Store,
    tree: Tree,
    entry: &str,
) -> Result<Artifact, SnapshotError> {
    Ok(Artifact::Stored(stored(store, tree, entry)?))
}

/// As [`store_tree`], for a deck that is known to be good.
pub(super) fn stored(
    store: &Store,
    tree: Tree,
    entry: &str,
) -> Result<StoredArtifact, SnapshotError> {
    let tree = tree.with_portable_modes();
    let bytes = json::canonical(&tree).map_err(io::Error::from)?;
    let object = Object {
        bytes: bytes.len() as u64,
        sha256: store.put(&bytes)?,
    };
    let entry = entry
        .parse()
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, format!("{error}")))?;
    Ok(StoredArtifact {
        entry,
        tree_sha256: tree.sha256(),
        tree: object,
    })
}

/// The list of a stored deck's files.
///
/// # Errors
/// [`SnapshotError`] when the list is missing, changed, or no list.
pub fn list(store: &Store, artifact: &StoredArtifact) -> Result<Tree, SnapshotError> {
    let bytes = store.get(&artifact.tree.sha256)?;
    Ok(json::read("the artifact's list of files", &bytes).map_err(io::Error::other)?)
}

/// Writes a stored deck into the empty folder `to`, for a renderer to read.
///
/// # Errors
/// [`SnapshotError`] when an object is missing or changed, or the file system fails.
pub fn materialize(
    store: &Store,
    artifact: &StoredArtifact,
    to: &Path,
) -> Result<(), SnapshotError> {
    for entry in &list(store, artifact)?.entries {
        let path = entry.path.below(to);
        match &entry.sha256 {
            None => fs_err::create_dir_all(&path)?,
            Some(hash) => {
                if let Some(folder) = path.parent() {
                    fs_err::create_dir_all(folder)?;
                }
                fs_err::write(&path, store.get(hash)?)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bench {
        folder: tempfile::TempDir,
        store: Store,
    }

    fn bench() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        fs_err::create_dir(folder.path().join("output")).unwrap();
        let store = Store::new(folder.path().join("objects"));
        Bench { folder, store }
    }

    impl Bench {
        fn output(&self) -> PathBuf {
            self.folder.path().join("output")
        }

        fn take(&self, entry: &str, format: Format) -> Artifact {
            take(&self.store, &self.output(), &entry.parse().unwrap(), format).unwrap()
        }
    }

    #[test]
    fn an_html_deck_is_its_folder_and_comes_back_whole() {
        let bench = bench();
        fs_err::create_dir(bench.output().join("img")).unwrap();
        fs_err::write(bench.output().join("index.html"), "<p>").unwrap();
        fs_err::write(bench.output().join("img/a.png"), "png").unwrap();
        let Artifact::Stored(stored) = bench.take("index.html", Format::Html) else {
            panic!("not stored");
        };
        fs_err::remove_dir_all(bench.output()).unwrap();
        let again = tempfile::tempdir().unwrap();
        materialize(&bench.store, &stored, again.path()).unwrap();
        assert_eq!(
            fs_err::read(again.path().join("img/a.png")).unwrap(),
            b"png"
        );
    }

    #[test]
    fn a_pptx_deck_is_one_file() {
        let bench = bench();
        fs_err::write(bench.output().join("deck.pptx"), "zip").unwrap();
        fs_err::write(bench.output().join("notes.txt"), "scratch").unwrap();
        let Artifact::Stored(stored) = bench.take("deck.pptx", Format::Pptx) else {
            panic!("not stored");
        };
        let list = bench.store.get(&stored.tree.sha256).unwrap();
        assert!(!String::from_utf8(list).unwrap().contains("notes"));
    }

    #[test]
    fn what_is_missing_or_odd_is_an_answer_and_names_no_place() {
        let bench = bench();
        assert_eq!(bench.take("deck.pptx", Format::Pptx), Artifact::Missing);
        assert_eq!(bench.take("a/deck.html", Format::Html), Artifact::Missing);
        std::os::unix::fs::symlink("/etc/passwd", bench.output().join("deck.pptx")).unwrap();
        std::os::unix::fs::symlink("/etc", bench.output().join("sub")).unwrap();
        fs_err::create_dir(bench.output().join("dir.pptx")).unwrap();
        for (entry, format) in [
            ("deck.pptx", Format::Pptx),
            ("dir.pptx", Format::Pptx),
            ("sub/passwd", Format::Html),
        ] {
            let Artifact::Refused(problem) = bench.take(entry, format) else {
                panic!("{entry} was not refused");
            };
            assert!(!problem.contains("/tmp"), "{problem}");
        }
        fs_err::write(bench.output().join("index.html"), "<p>").unwrap();
        assert!(matches!(
            bench.take("index.html", Format::Html),
            Artifact::Refused(_)
        ));
    }
}
