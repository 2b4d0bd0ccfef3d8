// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small HTML decks on disk, and questions to what was drawn of them.

use std::path::Path;
use std::time::Duration;

use deckproof_renderers::html::{BrowserOptions, HtmlRenderer, Patience};
use deckproof_renderers::png::decode_strict;
use deckproof_renderers::{Deck, Format, Picture, Rendering};

/// A picture with a dot.
pub const DOT: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='100'><circle cx='100' cy='50' r='40' fill='red'/></svg>";

/// A folder that holds a deck's folder, so that there is an outside.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A deck of one page.
    pub fn page(html: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs_err::create_dir(folder.root()).unwrap();
        folder.file("index.html", html);
        folder
    }

    fn root(&self) -> std::path::PathBuf {
        self.0.path().join("deck")
    }

    pub fn file(&self, name: &str, content: &str) {
        fs_err::write(self.root().join(name), content).unwrap();
    }

    /// Puts a picture beside the deck's folder, and a link to it inside.
    pub fn secret(&self) {
        fs_err::write(self.0.path().join("secret.svg"), DOT).unwrap();
        let link = self.root().join("link.svg");
        if !link.exists() {
            std::os::unix::fs::symlink(Path::new("../secret.svg"), link).unwrap();
        }
    }

    pub fn deck(&self) -> Deck {
        Deck::new(self.root(), "index.html", Format::Html)
    }
}

pub fn renderer() -> HtmlRenderer {
    HtmlRenderer::new(BrowserOptions::default()).unwrap()
}

/// Minutes, for what takes long on a busy machine.
pub fn long_patience() -> Patience {
    Patience {
        command: Duration::from_secs(240),
        slide: Duration::from_secs(480),
        deck: Duration::from_secs(960),
    }
}

/// A renderer that waits for minutes.
pub fn patient() -> HtmlRenderer {
    HtmlRenderer::new(BrowserOptions {
        patience: long_patience(),
        ..Default::default()
    })
    .unwrap()
}

/// A renderer that gives up after seconds.
pub fn impatient() -> HtmlRenderer {
    let patience = Patience {
        command: Duration::from_secs(8),
        slide: Duration::from_secs(12),
        deck: Duration::from_secs(120),
    };
    HtmlRenderer::new(BrowserOptions {
        patience,
        ..Default::default()
    })
    .unwrap()
}

pub fn colour_at(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    decode_strict(&picture.png).unwrap().pixel(x, y).unwrap()
}

/// How many different pictures there are.
pub fn distinct(rendering: &Rendering) -> usize {
    let hashes = rendering.slides.iter().map(|slide| slide.sha256.as_str());
    hashes.collect::<std::collections::BTreeSet<_>>().len()
}

/// The texts of a slide, from 1, with their visibility.
pub fn texts(rendering: &Rendering, slide: u32) -> Vec<(&str, bool)> {
    let facts = rendering.facts.as_ref().unwrap();
    let slide = facts
        .slides
        .iter()
        .find(|facts| facts.index == slide)
        .unwrap();
    slide
        .texts
        .iter()
        .map(|text| (text.text.as_str(), text.visible))
        .collect()
}
