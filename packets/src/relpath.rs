// SPDX-License-Identifier: MIT OR Apache-2.0
//! Relative paths in one normal form.
//!
//! `./a`, `a//b`, `a/../b` and `a` can name one file in many ways, and a check that compares text
//! then sees two files or none. A [`RelPath`] has one spelling and cannot climb.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A relative path: components joined by `/`, none of them empty, `.` or `..`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(String);

/// Why a text is no [`RelPath`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the path `{found}` {problem}; expected a relative path such as `cases/one/brief.md`")]
pub struct BadPath {
    found: String,
    problem: &'static str,
}

/// Longest path in bytes.
const MAX_PATH: usize = 1024;
/// Longest component in bytes: what common file systems take.
const MAX_COMPONENT: usize = 255;

impl RelPath {
    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path below `root`, links not resolved.
    #[must_use]
    pub fn below(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }

    /// This path with one more component, or several joined by `/`.
    ///
    /// # Errors
    /// When `tail` is not itself in the one form.
    pub fn join(&self, tail: &str) -> Result<Self, BadPath> {
        format!("{}/{tail}", self.0).parse()
    }

    /// The last component.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Whether this path is `folder` or lies below it.
    #[must_use]
    pub fn is_within(&self, folder: &RelPath) -> bool {
        self.0
            .strip_prefix(&folder.0)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The part of this path below `folder`.
    #[must_use]
    pub fn relative_to(&self, folder: &RelPath) -> Option<RelPath> {
        let rest = self.0.strip_prefix(&folder.0)?.strip_prefix('/')?;
        Some(Self(rest.to_owned()))
    }

    /// The file below `root`, after every link is resolved, provided that it stays inside.
    ///
    /// # Errors
    /// When the file does not exist, or lies outside `root` once links are resolved.
    pub fn resolve_inside(&self, root: &Path) -> std::io::Result<PathBuf> {
        let root = fs_err::canonicalize(root)?;
        let resolved = fs_err::canonicalize(root.join(&self.0))?;
        if resolved.starts_with(&root) {
            return Ok(resolved);
        }
        let problem = format!("`{self}` leads outside `{}`", root.display());
        Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            problem,
        ))
    }
}

fn problem_of(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        return Some("is empty");
    }
    if text.starts_with('/') {
        return Some("is absolute");
    }
    if text.len() > MAX_PATH {
        return Some("is longer than 1024 bytes");
    }
    if text.chars().any(|c| c.is_control() || c == '\\') {
        return Some("holds a control character or a backslash");
    }
    text.split('/').find_map(|component| match component {
        "" => Some("has an empty component"),
        "." => Some("has a `.` component"),
        ".." => Some("has a `..` component"),
        _ if component.len() > MAX_COMPONENT => Some("has a component longer than 255 bytes"),
        _ => None,
    })
}

impl FromStr for RelPath {
    type Err = BadPath;

    fn from_str(text: &str) -> Result<Self, BadPath> {
        match problem_of(text) {
            None => Ok(Self(text.to_owned())),
            Some(problem) => Err(BadPath {
                found: text.chars().take(120).collect(),
                problem,
            }),
        }
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Serialize for RelPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RelPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_only() {
        for good in ["a", "a/b.c", "ä/…", "a b", "..a", "a.."] {
            assert_eq!(good.parse::<RelPath>().unwrap().as_str(), good);
        }
        for bad in [
            "", "/a", "./a", "a/", "a//b", "a/..", "..", ".", "a\\b", "a\0", "a\n",
        ] {
            assert!(bad.parse::<RelPath>().is_err(), "{bad:?}");
        }
        assert!("x".repeat(256).parse::<RelPath>().is_err());
    }

    #[test]
    fn containment_is_by_component() {
        let path = |text: &str| text.parse::<RelPath>().unwrap();
        assert!(path("a/b").is_within(&path("a")));
        assert!(!path("ab").is_within(&path("a")));
        assert_eq!(path("a/b/c").relative_to(&path("a")), Some(path("b/c")));
        assert_eq!(path("ab/c").relative_to(&path("a")), None);
    }

    #[test]
    fn a_link_that_leads_outside_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/etc", folder.path().join("out")).unwrap();
        let path: RelPath = "out/passwd".parse().unwrap();
        assert!(path.resolve_inside(folder.path()).is_err());
        fs_err::write(folder.path().join("in"), "x").unwrap();
        assert!(
            "in".parse::<RelPath>()
                .unwrap()
                .resolve_inside(folder.path())
                .is_ok()
        );
    }
}
