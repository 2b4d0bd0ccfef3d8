// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a path that a person typed to a deck, and from decks to the names of their folders.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::{Deck, Format, RenderError};

/// The deck at a path: a file that is named as a deck, or a folder with one entry page in it.
///
/// # Errors
/// When there is nothing, or nothing that can be told to be one deck.
pub fn find_deck(path: &Path) -> Result<Deck, RenderError> {
    let metadata = fs_err::metadata(path);
    let bad = |found: &str, expected: &str| RenderError::BadEntry {
        path: path.to_owned(),
        found: found.to_owned(),
        expected: expected.to_owned(),
    };
    match metadata {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(RenderError::EntryMissing {
                path: path.to_owned(),
            })
        }
        Err(error) => Err(bad(&error.to_string(), "a readable file")),
        Ok(metadata) if metadata.is_dir() => in_folder(path)
            .ok_or_else(|| bad("it is a folder", "index.html or exactly one deck in it")),
        Ok(_) => {
            of_file(path).ok_or_else(|| bad("its name ends otherwise", "a .html or .pptx file"))
        }
    }
}

fn of_file(path: &Path) -> Option<Deck> {
    let name = path.file_name()?.to_str()?;
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    Some(Deck::new(
        parent.unwrap_or(Path::new(".")),
        name,
        Format::of_name(name)?,
    ))
}

fn in_folder(folder: &Path) -> Option<Deck> {
    let index = folder.join("index.html");
    if index.is_file() {
        return of_file(&index);
    }
    let entries = fs_err::read_dir(folder).ok()?;
    let mut decks = entries.flatten().filter_map(|entry| of_file(&entry.path()));
    let only = decks.next()?;
    decks.next().is_none().then_some(only)
}

/// A name for each deck, unique among them: the file's stem, or the folder's name for a page that is
/// called index.
#[must_use]
pub fn folder_names(decks: &[Deck]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    decks
        .iter()
        .map(|deck| unique(stem(deck), &mut taken))
        .collect()
}

fn stem(deck: &Deck) -> String {
    let text =
        |path: Option<&std::ffi::OsStr>| path.map(|name| name.to_string_lossy().into_owned());
    let stem = text(PathBuf::from(&deck.entry).file_stem()).unwrap_or_default();
    if stem != "index" {
        return stem;
    }
    let root = fs_err::canonicalize(&deck.root).unwrap_or_else(|_| deck.root.clone());
    text(root.file_name()).unwrap_or(stem)
}

fn unique(stem: String, taken: &mut BTreeSet<String>) -> String {
    let mut name = stem.clone();
    let mut number = 2_u32;
    while !taken.insert(name.clone()) {
        name = format!("{stem}-{number}");
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_become_decks() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs_err::write(root.join("a.pptx"), "").unwrap();
        assert_eq!(find_deck(root).unwrap().entry, "a.pptx");
        fs_err::write(root.join("b.html"), "").unwrap();
        assert!(find_deck(root).is_err(), "two decks");
        fs_err::write(root.join("index.html"), "").unwrap();
        assert_eq!(
            find_deck(root).unwrap(),
            Deck::new(root, "index.html", Format::Html)
        );
        assert_eq!(
            find_deck(&root.join("b.html")).unwrap().format,
            Format::Html
        );
        assert!(matches!(
            find_deck(&root.join("c")),
            Err(RenderError::EntryMissing { .. })
        ));
        fs_err::write(root.join("notes.txt"), "").unwrap();
        let error = find_deck(&root.join("notes.txt")).unwrap_err();
        assert!(error.to_string().contains("expected a .html or .pptx file"));
    }

    #[test]
    fn names_are_unique() {
        let deck = |root: &str, entry: &str| Deck::new(root, entry, Format::Html);
        let decks = [
            deck("/x/a", "index.html"),
            deck("/y/a", "index.html"),
            deck("/z", "a.html"),
            deck("/z", "b.html"),
        ];
        assert_eq!(folder_names(&decks), ["a", "a-2", "a-3", "b"]);
    }
}
