// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decks of one page per slide: `slide-1.html`, `slide-2.html` and so on beside each other.

use std::collections::BTreeSet;
use std::path::Path;

use super::discover::{Found, Keys, MAX_SLIDES};
use super::drive::{Drive, take, wanted};
use super::fault::Fault;
use super::page::Page;
use super::site::Site;
use crate::RenderOptions;

/// The pages of such a deck in the order of their numbers; empty when the deck is none. `entry` is
/// one of them, an index page beside them or above their folder, or the first one that has no number.
pub(super) fn pages(root: &Path, entry: &str) -> Vec<String> {
    let (folder, name) = entry.rsplit_once('/').unwrap_or(("", entry));
    let own = numbered(name);
    if own.is_none() && name != "index.html" {
        return Vec::new();
    }
    let found = series(root, folder, own.as_ref().map(|own| own.0.as_str()));
    if own.is_some() {
        return found.into_iter().map(|(_, path)| path).collect();
    }
    let found = match found.is_empty() {
        true => below(root, folder),
        false => found,
    };
    let first = found.first().is_some_and(|(number, _)| *number == 2);
    let entry = first.then(|| entry.to_owned());
    entry
        .into_iter()
        .chain(found.into_iter().map(|(_, path)| path))
        .collect()
}

/// The numbered pages of a folder with their paths, when there are two or more and all numbers
/// follow the same name: `stem`, when it is known.
fn series(root: &Path, folder: &str, stem: Option<&str>) -> Vec<(u64, String)> {
    let mut found: Vec<(String, u64, String)> = names(&root.join(folder))
        .into_iter()
        .filter_map(|name| numbered(&name).map(|(stem, number)| (stem, number, name)))
        .filter(|(found, _, _)| stem.is_none_or(|stem| stem == found))
        .collect();
    found.sort();
    let stems: BTreeSet<&String> = found.iter().map(|(stem, _, _)| stem).collect();
    if found.len() < 2 || stems.len() != 1 {
        return Vec::new();
    }
    let pages = found.into_iter();
    pages
        .map(|(_, number, name)| (number, joined(folder, &name)))
        .collect()
}

/// The one series of pages in the folders inside a folder.
fn below(root: &Path, folder: &str) -> Vec<(u64, String)> {
    // A link to a folder leads who knows where.
    let real =
        |path: &String| fs_err::symlink_metadata(root.join(path)).is_ok_and(|it| it.is_dir());
    let folders = names(&root.join(folder)).into_iter();
    let all = folders
        .map(|name| joined(folder, &name))
        .filter(real)
        .map(|path| series(root, &path, None));
    let mut found: Vec<_> = all.filter(|series| !series.is_empty()).take(2).collect();
    match found.len() {
        1 => found.pop().unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        return name.to_owned();
    }
    format!("{folder}/{name}")
}

/// Draws each page; or the entry alone, when it is an index that shows them all by itself.
pub(super) fn drive(
    page: &mut Page,
    found: &Found,
    pages: &[String],
    options: &RenderOptions,
) -> Result<Drive, Fault> {
    let name = page.entry().rsplit('/').next().unwrap_or_default();
    if numbered(name).is_none() {
        let alone = super::drive::drive(page, found, options)?;
        if alone.slide_count > 1 {
            return Ok(alone);
        }
    }
    each(page, pages, options)
}

fn each(page: &mut Page, pages: &[String], options: &RenderOptions) -> Result<Drive, Fault> {
    let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    if count > MAX_SLIDES {
        return Err(Fault::TooMany(MAX_SLIDES));
    }
    let mut drive = Drive {
        slide_count: count,
        ..Drive::default()
    };
    for (slide, path) in (1..).zip(pages) {
        if wanted(options.slides.as_ref(), slide) {
            page.load(&Site::url(path))?;
            page.discover(Keys::Off)?;
            drive.shots.push(take(page, slide, options)?);
        }
    }
    drive.notes.push(format!(
        "{count} numbered pages beside each other, one for each slide"
    ));
    Ok(drive)
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs_err::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

/// What comes before a page's number, and the number: `slide-07.html` is `slide-` and 7, and
/// `07-intro.html` is nothing and 7.
fn numbered(name: &str) -> Option<(String, u64)> {
    let stem = name
        .strip_suffix(".html")
        .or_else(|| name.strip_suffix(".htm"))?;
    let start = stem.find(|c: char| c.is_ascii_digit())?;
    let (before, rest) = stem.split_at(start);
    let digits = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let number = rest.get(..digits)?.parse().ok()?;
    Some((before.to_owned(), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs_err::write(folder.path().join(name), "x").unwrap();
        }
        folder
    }

    #[test]
    fn numbers_order_pages() {
        let folder = folder(&[
            "slide10.html",
            "slide2.html",
            "slide1.html",
            "notes.html",
            "other1.html",
            "slide3.css",
        ]);
        assert_eq!(
            pages(folder.path(), "slide1.html"),
            ["slide1.html", "slide2.html", "slide10.html"]
        );
    }

    #[test]
    fn an_index_stands_for_one_series_alone() {
        let two = folder(&["index.html", "01-a.html", "02-b.html"]);
        assert_eq!(pages(two.path(), "index.html"), ["01-a.html", "02-b.html"]);
        let mixed = folder(&["index.html", "a1.html", "b1.html"]);
        assert!(pages(mixed.path(), "index.html").is_empty());
        assert!(pages(two.path(), "other.html").is_empty());
    }

    #[test]
    fn an_index_leads_to_pages_in_a_folder_of_their_own_and_may_be_the_first_itself() {
        let folder = folder(&["index.html"]);
        let inside = |name: &str| {
            let path = folder.path().join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "x").unwrap();
        };
        for name in ["slides/2.html", "slides/1.html", "notes/1.html"] {
            inside(name);
        }
        assert_eq!(
            pages(folder.path(), "index.html"),
            ["slides/1.html", "slides/2.html"]
        );
        inside("notes/2.html");
        assert!(pages(folder.path(), "index.html").is_empty());
        let goes_on = self::folder(&["index.html", "slide2.html", "slide3.html"]);
        assert_eq!(
            pages(goes_on.path(), "index.html"),
            ["index.html", "slide2.html", "slide3.html"]
        );
    }
}
