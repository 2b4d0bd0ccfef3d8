// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fixed set of fonts that decks are drawn with, whatever else the machine has.
//!
//! Which fonts exist decides where lines break, so renderers get a fontconfig file of our own that
//! lists five Debian packages and nothing else. Their hash is part of a renderer's identity.

use std::path::{Path, PathBuf};

use crate::RenderError;
use crate::hash::{sha256_hex, sha256_known};

/// A Debian package, the folder of its fonts, and the beginnings of their names. The rest of a
/// folder belongs to other packages.
const PACKAGES: [(&str, &str, &[&str]); 5] = [
    (
        "fonts-liberation2",
        "/usr/share/fonts/truetype/liberation2",
        &["Liberation"],
    ),
    (
        "fonts-crosextra-carlito",
        "/usr/share/fonts/truetype/crosextra",
        &["Carlito-"],
    ),
    (
        "fonts-crosextra-caladea",
        "/usr/share/fonts/truetype/crosextra",
        &["Caladea-"],
    ),
    (
        "fonts-dejavu-core",
        "/usr/share/fonts/truetype/dejavu",
        &[
            "DejaVuSans.ttf",
            "DejaVuSans-Bold.ttf",
            "DejaVuSansMono.ttf",
            "DejaVuSansMono-Bold.ttf",
            "DejaVuSerif.ttf",
            "DejaVuSerif-Bold.ttf",
        ],
    ),
    (
        "fonts-noto-core",
        "/usr/share/fonts/truetype/noto",
        &["Noto"],
    ),
];

/// Names that decks ask for, and what stands in for them.
const STANDS_FOR: [(&str, &str); 12] = [
    ("Arial", "Liberation Sans"),
    ("Helvetica", "Liberation Sans"),
    ("Helvetica Neue", "Liberation Sans"),
    ("sans-serif", "Liberation Sans"),
    ("Times New Roman", "Liberation Serif"),
    ("Times", "Liberation Serif"),
    ("serif", "Liberation Serif"),
    ("Courier New", "Liberation Mono"),
    ("Courier", "Liberation Mono"),
    ("monospace", "DejaVu Sans Mono"),
    ("Calibri", "Carlito"),
    ("Cambria", "Caladea"),
];

/// The fonts found, hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FontSet {
    files: FontFiles,
    sha256: String,
}

/// The fonts found, of which only the names are known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FontFiles {
    files: Vec<PathBuf>,
    missing: Vec<&'static str>,
}

impl FontFiles {
    /// Looks the packages up.
    ///
    /// # Errors
    /// When `fonts-liberation2` is absent, for no deck can be drawn without.
    pub(crate) fn find() -> Result<Self, RenderError> {
        let mut files = Vec::new();
        let mut missing = Vec::new();
        for (package, folder, names) in PACKAGES {
            let found = matching(Path::new(folder), names);
            if found.is_empty() {
                missing.push(package);
            }
            files.extend(found);
        }
        if missing.contains(&"fonts-liberation2") {
            return Err(RenderError::ToolMissing {
                what: "the fonts of Debian's package fonts-liberation2".to_owned(),
                reason: "no file in /usr/share/fonts/truetype/liberation2".to_owned(),
            });
        }
        Ok(Self { files, missing })
    }

    /// SHA-256 over the names and the hashes of all files, in order.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn sha256(&self) -> std::io::Result<String> {
        hash(&self.files)
    }

    /// Packages of the set that this machine has not got.
    pub(crate) fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// A fontconfig file that knows these fonts alone.
    pub(crate) fn fontconfig(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n",
        );
        let mut folders: Vec<&Path> = self.files.iter().filter_map(|file| file.parent()).collect();
        folders.dedup();
        for folder in folders {
            text.push_str(&format!("<dir>{}</dir>\n", folder.display()));
        }
        text.push_str("<cachedir>/var/cache/fontconfig</cachedir>\n");
        text.push_str("<cachedir prefix=\"xdg\">fontconfig</cachedir>\n<selectfont>\n");
        text.push_str("<rejectfont><glob>*.*</glob></rejectfont>\n<acceptfont>\n");
        for file in &self.files {
            text.push_str(&format!("<glob>{}</glob>\n", file.display()));
        }
        text.push_str("</acceptfont>\n</selectfont>\n");
        for (asked, given) in STANDS_FOR {
            text.push_str(&format!(
                "<alias binding=\"same\"><family>{asked}</family><prefer><family>{given}</family></prefer></alias>\n"
            ));
        }
        text.push_str("</fontconfig>\n");
        text
    }
}

impl FontSet {
    /// Looks the packages up and hashes every font file.
    ///
    /// # Errors
    /// When `fonts-liberation2` is absent, for no deck can be drawn without, or a file cannot be
    /// read.
    pub fn find() -> Result<Self, RenderError> {
        let files = FontFiles::find()?;
        let sha256 = files
            .sha256()
            .map_err(|source| RenderError::io("read the fonts", source))?;
        Ok(Self { files, sha256 })
    }

    /// SHA-256 over the names and the hashes of all files, in order.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Packages of the set that this machine has not got.
    #[must_use]
    pub fn missing(&self) -> &[&'static str] {
        self.files.missing()
    }

    /// A fontconfig file that knows these fonts alone.
    #[must_use]
    pub fn fontconfig(&self) -> String {
        self.files.fontconfig()
    }
}

/// The font files of a folder whose names begin with one of `names`, sorted.
fn matching(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    let Ok(entries) = fs_err::read_dir(folder) else {
        return Vec::new();
    };
    let fits = |path: &PathBuf| {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| {
            let font = name.ends_with(".ttf") || name.ends_with(".otf") || name.ends_with(".ttc");
            font && names.iter().any(|start| name.starts_with(start))
        })
    };
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(fits)
        .collect();
    files.sort();
    files
}

fn hash(files: &[PathBuf]) -> std::io::Result<String> {
    let mut lines = String::new();
    for file in files {
        let name = file
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        lines.push_str(&format!(
            "{} {}\n",
            sha256_known(file)?,
            name.unwrap_or_default()
        ));
    }
    Ok(sha256_hex(lines.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_is_named_and_hashed() {
        let set = FontSet::find().unwrap();
        let text = set.fontconfig();
        assert!(text.contains("LiberationSans-Regular.ttf"));
        // The package fonts-dejavu-extra shares the folder and is not of the set.
        assert!(!text.contains("DejaVuSansCondensed"));
        assert_eq!(set.sha256(), FontSet::find().unwrap().sha256());
        assert_eq!(set.sha256().len(), 64);
    }

    #[test]
    fn the_hash_sees_names_and_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &str| {
            let path = folder.path().join(name);
            fs_err::write(&path, bytes).unwrap();
            path
        };
        let (a, b) = (file("a.ttf", "1"), file("b.ttf", "1"));
        let first = hash(std::slice::from_ref(&a)).unwrap();
        assert_ne!(first, hash(&[b]).unwrap());
        file("a.ttf", "2");
        assert_ne!(first, hash(&[a]).unwrap());
        assert_eq!(matching(folder.path(), &["a"]).len(), 1);
    }
}
