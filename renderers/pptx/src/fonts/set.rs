// SPDX-License-Identifier: MIT OR Apache-2.0
//! The font set in use and its hash.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::catalog::{CORE, FACES, FOLDERS, Known, package_of};
use super::embedded::Embedded;
use super::face::{EMBEDDED, Face, FontFile};
use super::identity::Identity;

/// The fonts in use.
#[derive(Debug, Clone)]
pub struct FontSet {
    faces: Arc<Vec<Arc<Face>>>,
    /// Faces that the deck carries: lower-case family, bold, italic, index.
    embedded: Arc<Vec<(String, bool, bool, usize)>>,
    identity: Arc<Identity>,
    missing: Vec<String>,
}

/// Why no font set could be made.
#[derive(Debug, thiserror::Error)]
pub enum FontError {
    /// Not one file of the list is there.
    #[error(
        "no font of the renderer's list is in {folders}; expected at least LiberationSans-Regular.ttf; install fonts-liberation2 and fonts-crosextra-carlito"
    )]
    None {
        /// Where it looked.
        folders: String,
    },
    /// A file cannot be read.
    #[error("{}: cannot be read as a font file ({source}); expected a readable file; reinstall its package", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl FontSet {
    /// The fonts of the list that Debian's packages have put in their places.
    ///
    /// # Errors
    /// When none is there or one cannot be read.
    pub fn debian() -> Result<Self, FontError> {
        Self::from_folders(&FOLDERS.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    /// The fonts of the list in these folders; the first folder that has a file wins.
    ///
    /// # Errors
    /// When none is there or one cannot be read.
    pub fn from_folders(folders: &[PathBuf]) -> Result<Self, FontError> {
        let mut files: BTreeMap<&'static str, Arc<FontFile>> = BTreeMap::new();
        for known in FACES {
            if files.contains_key(known.file) {
                continue;
            }
            if let Some(path) = folders
                .iter()
                .map(|d| d.join(known.file))
                .find(|p| p.is_file())
            {
                readable(&path)?;
                files.insert(known.file, Arc::new(FontFile::new(path)));
            }
        }
        if files.is_empty() {
            let folders = folders
                .iter()
                .map(|f| f.display().to_string())
                .collect::<Vec<_>>()
                .join(", ");
            return Err(FontError::None { folders });
        }
        let faces: Vec<Arc<Face>> = FACES
            .iter()
            .filter_map(|k| files.get(k.file).map(|f| Face::new(*k, Arc::clone(f))))
            .map(Arc::new)
            .collect();
        let missing = missing(&faces);
        Ok(Self {
            faces: Arc::new(faces),
            embedded: Arc::default(),
            identity: Arc::new(Identity::of(files)),
            missing,
        })
    }

    /// The faces in fallback order.
    #[must_use]
    pub fn faces(&self) -> &[Arc<Face>] {
        &self.faces
    }

    /// Lower-case SHA-256 over sorted lines of file name and file hash. All files are read when it is first asked for,
    /// which takes longer than drawing most decks.
    #[must_use]
    pub fn hash(&self) -> &str {
        self.identity.hash()
    }

    /// The core families that are not there, each with the package that has it.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The set with a deck's own fonts after its faces.
    #[must_use]
    pub fn with_embedded(&self, fonts: Vec<Embedded>) -> Self {
        if fonts.is_empty() {
            return self.clone();
        }
        let mut faces = self.faces.to_vec();
        let mut embedded = Vec::new();
        for f in fonts {
            let known = Known {
                file: "",
                index: 0,
                family: EMBEDDED,
                bold: f.bold,
                italic: f.italic,
            };
            embedded.push((f.name.to_lowercase(), f.bold, f.italic, faces.len()));
            faces.push(Arc::new(Face::new(
                known,
                Arc::new(FontFile::in_memory(f.bytes)),
            )));
        }
        Self {
            faces: Arc::new(faces),
            embedded: Arc::new(embedded),
            identity: Arc::clone(&self.identity),
            missing: self.missing.clone(),
        }
    }

    /// The face that the deck carries under a name, nearest to a style.
    #[must_use]
    pub fn own(&self, name: &str, bold: bool, italic: bool) -> Option<usize> {
        if self.embedded.is_empty() {
            return None;
        }
        let name = name.to_lowercase();
        let score =
            |e: &&(String, bool, bool, usize)| u8::from(e.1 == bold) * 2 + u8::from(e.2 == italic);
        let same = self.embedded.iter().filter(|e| e.0 == name);
        same.rev().max_by_key(score).map(|e| e.3)
    }

    /// The face of a family nearest to a style.
    #[must_use]
    pub fn find(&self, family: &str, bold: bool, italic: bool) -> Option<usize> {
        let score =
            |f: &Face| u8::from(f.known.bold == bold) * 2 + u8::from(f.known.italic == italic);
        let mut best: Option<(u8, usize)> = None;
        for (i, f) in self
            .faces
            .iter()
            .enumerate()
            .filter(|(_, f)| f.known.family == family)
        {
            if best.is_none_or(|b| score(f) > b.0) {
                best = Some((score(f), i));
            }
        }
        best.map(|b| b.1)
    }
}

fn missing(faces: &[Arc<Face>]) -> Vec<String> {
    let absent = |family: &&&str| !faces.iter().any(|f| f.known.family == **family);
    CORE.iter()
        .filter(absent)
        .map(|family| {
            let file = FACES
                .iter()
                .find(|k| k.family == *family)
                .map_or("", |k| k.file);
            format!("{family} (package {})", package_of(file))
        })
        .collect()
}

fn readable(path: &Path) -> Result<(), FontError> {
    let read = |source| FontError::Read {
        path: path.to_owned(),
        source,
    };
    std::fs::File::open(path).map(drop).map_err(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_is_no_font_set() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let e = FontSet::from_folders(&[dir.path().to_owned()]).expect_err("nothing there");
        assert!(e.to_string().contains("fonts-liberation2"), "{e}");
    }

    #[test]
    fn the_hash_changes_with_any_byte() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let file = dir.path().join("Carlito-Regular.ttf");
        fs_err::write(&file, b"one").expect("written");
        let a = FontSet::from_folders(&[dir.path().to_owned()]).expect("a set");
        let one = a.hash().to_owned();
        fs_err::write(&file, b"two").expect("written");
        let b = FontSet::from_folders(&[dir.path().to_owned()]).expect("a set");
        assert_ne!(one, b.hash());
        assert!(a.missing().iter().any(|m| m.contains("fonts-dejavu-core")));
    }
}
