// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decks of one page per slide: `slide-1.html`, `slide-2.html` and so on beside each other.

use std::path::Path;

use super::discover::{Keys, MAX_SLIDES};
use super::drive::{Drive, take, wanted};
use super::fault::Fault;
use super::page::Page;
use super::site::Site;
use crate::{Deck, RenderOptions};

/// The pages of such a deck in the order of their numbers; empty when the deck is none. The entry is
/// one of them, or an index page beside them.
pub(super) fn pages(deck: &Deck) -> Vec<String> {
    let (folder, name) = deck.entry.rsplit_once('/').unwrap_or(("", &deck.entry));
    let own = numbered(name);
    if own.is_none() && name != "index.html" {
        return Vec::new();
    }
    let mut found: Vec<(String, u64, String)> = names(&deck.root.join(folder))
        .into_iter()
        .filter_map(|name| numbered(&name).map(|(stem, number)| (stem, number, name)))
        .filter(|(stem, _, _)| own.as_ref().is_none_or(|own| own.0 == *stem))
        .collect();
    found.sort();
    let stems = found
        .iter()
        .map(|(stem, _, _)| stem)
        .collect::<std::collections::BTreeSet<_>>();
    if found.len() < 2 || stems.len() != 1 {
        return Vec::new();
    }
    let path = |name: String| {
        if folder.is_empty() {
            name
        } else {
            format!("{folder}/{name}")
        }
    };
    found.into_iter().map(|(_, _, name)| path(name)).collect()
}

/// Draws each page.
pub(super) fn drive(
    page: &mut Page,
    pages: &[String],
    options: &RenderOptions,
) -> Result<Drive, Fault> {
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
    use crate::Format;

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
        let deck = Deck::new(folder.path(), "slide1.html", Format::Html);
        assert_eq!(pages(&deck), ["slide1.html", "slide2.html", "slide10.html"]);
    }

    #[test]
    fn an_index_stands_for_one_series_alone() {
        let two = folder(&["index.html", "01-a.html", "02-b.html"]);
        let deck = Deck::new(two.path(), "index.html", Format::Html);
        assert_eq!(pages(&deck), ["01-a.html", "02-b.html"]);
        let mixed = folder(&["index.html", "a1.html", "b1.html"]);
        assert!(pages(&Deck::new(mixed.path(), "index.html", Format::Html)).is_empty());
        let deck = Deck::new(two.path(), "other.html", Format::Html);
        assert!(pages(&deck).is_empty());
    }
}
