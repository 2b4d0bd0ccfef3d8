// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a folder holds, as a list that can be hashed and compared by name.
//!
//! The hash covers every path, kind, mode and content, each with its length before it, so that no
//! two different folders share one. Links and special files are refused: what they mean depends on
//! what lies outside the folder.

use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use fs_err::os::unix::fs::OpenOptionsExt;
use serde::{Deserialize, Serialize};

use crate::hash::{FieldHasher, Sha256Hex};
use crate::relpath::RelPath;

/// How large a folder may be.
#[derive(Debug, Clone, Copy)]
pub struct TreeLimits {
    /// Files and folders together.
    pub entries: usize,
    /// Bytes of all files.
    pub bytes: u64,
    /// Folders within each other.
    pub depth: usize,
}

impl Default for TreeLimits {
    /// 20,000 entries, 2 GiB, 32 levels.
    fn default() -> Self {
        Self {
            entries: 20_000,
            bytes: 2 << 30,
            depth: 32,
        }
    }
}

/// One file or folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeEntry {
    /// The path below the folder.
    pub path: RelPath,
    /// Permission bits, as a number (0o644 is 420).
    pub mode: u32,
    /// The content's hash; absent for a folder.
    pub sha256: Option<Sha256Hex>,
    /// The content's size; 0 for a folder.
    pub bytes: u64,
}

/// All that a folder holds, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// The entries, sorted by path, no path twice.
    pub entries: Vec<TreeEntry>,
}

/// A folder that cannot be listed.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// A link or a special file.
    #[error("`{path}` is {found}, expected a regular file or a folder")]
    Kind {
        /// Where.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// A name that no suite can spell.
    #[error("`{path}` has a name that evidence cannot carry: {problem}")]
    Name {
        /// Where.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// More than the limits allow.
    #[error("`{path}` exceeds the limit of {limit}")]
    Limit {
        /// Where the limit was passed.
        path: PathBuf,
        /// Which one.
        limit: String,
    },
    /// The file system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Tree {
    /// Lists `root`, reading and hashing every file.
    ///
    /// # Errors
    /// [`TreeError`] for links, special files, odd names, limits and read errors.
    pub fn scan(root: &Path, limits: &TreeLimits) -> Result<Self, TreeError> {
        let mut walk = Walk {
            root,
            limits,
            entries: Vec::new(),
            bytes: 0,
        };
        walk.folder(root, 0)?;
        let mut entries = walk.entries;
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { entries })
    }

    /// The hash of the whole list.
    #[must_use]
    pub fn sha256(&self) -> Sha256Hex {
        let mut hasher = FieldHasher::new("deckproof.tree.v1");
        for entry in &self.entries {
            hasher.field(entry.path.as_str().as_bytes());
            hasher.field(format!("{:o}", entry.mode).as_bytes());
            match &entry.sha256 {
                Some(hash) => hasher.field(b"file").field(hash.as_str().as_bytes()),
                None => hasher.field(b"folder").field(b""),
            };
        }
        hasher.finish()
    }

    /// This list with modes reduced to what a version control system keeps: 0755 for folders and
    /// executable files, 0644 for others. Seals use it, so that a checkout with another umask is
    /// not a changed input.
    #[must_use]
    pub fn with_portable_modes(mut self) -> Self {
        for entry in &mut self.entries {
            let runs = entry.sha256.is_none() || entry.mode & 0o100 != 0;
            entry.mode = if runs { 0o755 } else { 0o644 };
        }
        self
    }

    /// The entry at `path`.
    #[must_use]
    pub fn get(&self, path: &RelPath) -> Option<&TreeEntry> {
        let index = self
            .entries
            .binary_search_by(|entry| entry.path.cmp(path))
            .ok()?;
        self.entries.get(index)
    }

    /// The files alone.
    pub fn files(&self) -> impl Iterator<Item = (&TreeEntry, &Sha256Hex)> {
        self.entries
            .iter()
            .filter_map(|entry| Some((entry, entry.sha256.as_ref()?)))
    }

    /// The first difference from `found`, told to a person; `None` when the lists are equal.
    #[must_use]
    pub fn difference(&self, found: &Tree) -> Option<String> {
        for entry in &self.entries {
            let Some(other) = found.get(&entry.path) else {
                return Some(format!("`{}` is missing", entry.path));
            };
            if entry.sha256 != other.sha256 {
                return Some(format!("`{}` has changed", entry.path));
            }
            if entry.mode != other.mode {
                let (was, is) = (entry.mode, other.mode);
                return Some(format!(
                    "`{}` has mode {is:o}, expected {was:o}",
                    entry.path
                ));
            }
        }
        let extra = found
            .entries
            .iter()
            .find(|entry| self.get(&entry.path).is_none())?;
        Some(format!("`{}` was added", extra.path))
    }
}

struct Walk<'a> {
    root: &'a Path,
    limits: &'a TreeLimits,
    entries: Vec<TreeEntry>,
    bytes: u64,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), TreeError> {
        if depth > self.limits.depth {
            return Err(self.limit(folder, format!("{} levels", self.limits.depth)));
        }
        let mut names = Vec::new();
        for item in fs_err::read_dir(folder)? {
            names.push(item?.path());
            if self.entries.len() + names.len() > self.limits.entries {
                return Err(self.limit(folder, format!("{} entries", self.limits.entries)));
            }
        }
        names.sort();
        names.iter().try_for_each(|path| self.entry(path, depth))
    }

    fn entry(&mut self, path: &Path, depth: usize) -> Result<(), TreeError> {
        let metadata = fs_err::symlink_metadata(path)?;
        let relative = self.relative(path)?;
        let mode = metadata.permissions().mode() & 0o7777;
        if metadata.is_dir() {
            self.entries.push(TreeEntry {
                path: relative,
                mode,
                sha256: None,
                bytes: 0,
            });
            return self.folder(path, depth + 1);
        }
        let mut file = open_regular(path)?;
        let left = self.limits.bytes.saturating_sub(self.bytes);
        let (hash, bytes) = Sha256Hex::of_reader(&mut file, left).map_err(|error| {
            if error.kind() == io::ErrorKind::FileTooLarge {
                return self.limit(path, format!("{} bytes", self.limits.bytes));
            }
            error.into()
        })?;
        self.bytes += bytes;
        self.entries.push(TreeEntry {
            path: relative,
            mode,
            sha256: Some(hash),
            bytes,
        });
        Ok(())
    }

    fn relative(&self, path: &Path) -> Result<RelPath, TreeError> {
        let name = |problem: String| TreeError::Name {
            path: path.to_owned(),
            problem,
        };
        let relative = path
            .strip_prefix(self.root)
            .map_err(|error| name(error.to_string()))?;
        let text = relative
            .to_str()
            .ok_or_else(|| name("it is not UTF-8".to_owned()))?;
        text.parse()
            .map_err(|error: crate::relpath::BadPath| name(error.to_string()))
    }

    fn limit(&self, path: &Path, limit: String) -> TreeError {
        TreeError::Limit {
            path: path.to_owned(),
            limit,
        }
    }
}

/// Opens a regular file without following a link and without waiting for a pipe's other end.
///
/// # Errors
/// [`TreeError::Kind`] when `path` is anything but a regular file, and any error of the file system.
pub fn open_regular(path: &Path) -> Result<fs_err::File, TreeError> {
    let kind = |found| TreeError::Kind {
        path: path.to_owned(),
        found,
    };
    let metadata = fs_err::symlink_metadata(path)?;
    let file_type = metadata.file_type();
    if file_type.is_symlink() {
        return Err(kind("a symbolic link"));
    }
    if !file_type.is_file() {
        return Err(kind(if file_type.is_dir() {
            "a folder"
        } else {
            "a special file"
        }));
    }
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = fs_err::OpenOptions::new()
        .read(true)
        .custom_flags(i32::try_from(flags.bits()).unwrap_or_default())
        .open(path)?;
    let opened = file.metadata()?;
    if opened.is_file() && opened.ino() == metadata.ino() && opened.dev() == metadata.dev() {
        return Ok(file);
    }
    Err(kind("another file than a moment before"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs_err::create_dir_all(folder.path().join("b/empty")).unwrap();
        fs_err::write(folder.path().join("a"), "one").unwrap();
        fs_err::write(folder.path().join("b/c"), "two").unwrap();
        folder
    }

    fn scan(folder: &tempfile::TempDir) -> Tree {
        Tree::scan(folder.path(), &TreeLimits::default()).unwrap()
    }

    #[test]
    fn content_names_modes_and_empty_folders_count() {
        let folder = sample();
        let before = scan(&folder);
        let paths: Vec<_> = before
            .entries
            .iter()
            .map(|entry| entry.path.as_str())
            .collect();
        assert_eq!(paths, ["a", "b", "b/c", "b/empty"]);
        type Change = fn(&Path);
        let changes: [(&str, Change); 5] = [
            ("`a` has changed", |root| {
                fs_err::write(root.join("a"), "onf").unwrap()
            }),
            ("`b/d` was added", |root| {
                fs_err::write(root.join("b/d"), "").unwrap()
            }),
            ("`b/c` is missing", |root| {
                fs_err::remove_file(root.join("b/c")).unwrap()
            }),
            ("`b/empty` is missing", |root| {
                fs_err::remove_dir(root.join("b/empty")).unwrap()
            }),
            ("`a` has mode 755", |root| {
                let mode = std::fs::Permissions::from_mode(0o755);
                fs_err::set_permissions(root.join("a"), mode).unwrap();
            }),
        ];
        for (message, change) in changes {
            let folder = sample();
            change(folder.path());
            let after = scan(&folder);
            assert_ne!(before.sha256(), after.sha256());
            let told = before.difference(&after).unwrap();
            assert!(told.starts_with(message), "{told}");
        }
        assert_eq!(before.difference(&scan(&sample())), None);
    }

    #[test]
    fn portable_modes_forget_the_umask() {
        let folder = sample();
        let before = scan(&folder).with_portable_modes();
        let mode = std::fs::Permissions::from_mode(0o600);
        fs_err::set_permissions(folder.path().join("a"), mode).unwrap();
        assert_eq!(scan(&folder).with_portable_modes(), before);
    }

    #[test]
    fn links_pipes_and_excess_are_refused() {
        let folder = sample();
        std::os::unix::fs::symlink("a", folder.path().join("link")).unwrap();
        let error = Tree::scan(folder.path(), &TreeLimits::default()).unwrap_err();
        assert!(error.to_string().contains("is a symbolic link"), "{error}");
        for limits in [
            TreeLimits {
                entries: 2,
                ..TreeLimits::default()
            },
            TreeLimits {
                bytes: 4,
                ..TreeLimits::default()
            },
            TreeLimits {
                depth: 0,
                ..TreeLimits::default()
            },
        ] {
            let error = Tree::scan(sample().path(), &limits).unwrap_err();
            assert!(matches!(error, TreeError::Limit { .. }), "{error}");
        }
        assert!(open_regular(Path::new("/dev/null")).is_err());
    }
}
