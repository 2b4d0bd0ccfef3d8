// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a renderer is given: a deck on disk, and the canvas that every picture must fill.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Width of every picture, in pixels.
pub const CANVAS_WIDTH: u32 = 1280;
/// Height of every picture, in pixels.
pub const CANVAS_HEIGHT: u32 = 720;

/// The two formats that an agent may be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A page with everything it needs in its folder.
    Html,
    /// An Office Open XML presentation package.
    Pptx,
}

impl Format {
    /// The name used in files, messages and suites.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Pptx => "pptx",
        }
    }

    /// The format that a file name promises, `None` when its ending says nothing.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
        match ending.as_str() {
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "pptx" => Some(Self::Pptx),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One artifact on disk. Its content is untrusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deck {
    /// The folder that holds the artifact. Nothing outside it is ever read for the deck.
    pub root: PathBuf,
    /// Path of the entry file relative to `root`, with `/` between its parts.
    pub entry: String,
    /// What the entry file is.
    pub format: Format,
}

impl Deck {
    /// A deck from its folder, its entry file and its format. Reads nothing.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>, entry: impl Into<String>, format: Format) -> Self {
        Self {
            root: root.into(),
            entry: entry.into(),
            format,
        }
    }

    /// The entry file's path on disk. Not yet checked to exist, or to stay inside `root`.
    #[must_use]
    pub fn entry_path(&self) -> PathBuf {
        self.root.join(&self.entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_promises_a_format_by_its_ending_alone() {
        assert_eq!(Format::of_name("deck.HTML"), Some(Format::Html));
        assert_eq!(Format::of_name("a.b/deck.pptx"), Some(Format::Pptx));
        assert_eq!(Format::of_name("deck.pptm"), None);
        assert_eq!(Format::of_name("html"), None);
    }

    #[test]
    fn formats_are_written_by_name() {
        assert_eq!(serde_json::to_string(&Format::Pptx).unwrap(), "\"pptx\"");
        assert!(serde_json::from_str::<Format>("\"PPTX\"").is_err());
    }
}
