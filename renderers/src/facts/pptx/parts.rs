// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parsed parts with their relationships. Layouts, masters and themes serve many slides and are parsed once.

use std::cell::RefCell;
use std::collections::BTreeMap;

use deckproof_package::roxmltree::{Document, Node};
use deckproof_package::{Package, PackageError, Relationships, Slide, Target};

use super::canon::Canon;
use super::color::{ColorMap, Theme};

/// One parsed part.
#[derive(Debug)]
pub(super) struct Part<'p> {
    pub(super) name: String,
    pub(super) document: Document<'p>,
    pub(super) relationships: Relationships,
}

impl<'p> Part<'p> {
    fn read(package: &'p Package, name: &str) -> Result<Self, PackageError> {
        Ok(Self {
            name: name.to_owned(),
            document: package.document(name)?,
            relationships: package.relationships(name)?,
        })
    }

    pub(super) fn root(&self) -> Node<'_, 'p> {
        self.document.root_element()
    }
}

/// The parts that slides share.
#[derive(Debug)]
pub(super) struct Shelf<'p> {
    pub(super) package: &'p Package,
    pub(super) presentation: Part<'p>,
    shared: BTreeMap<String, Part<'p>>,
    themes: BTreeMap<String, Theme>,
    hashes: RefCell<BTreeMap<String, String>>,
    contents: RefCell<BTreeMap<String, String>>,
}

impl<'p> Shelf<'p> {
    /// Parses the presentation, and the layouts, masters and themes of its slides.
    pub(super) fn new(package: &'p Package) -> Result<Self, PackageError> {
        let presentation = package.presentation();
        let mut shelf = Self {
            package,
            presentation: Part::read(package, &presentation.part)?,
            shared: BTreeMap::new(),
            themes: BTreeMap::new(),
            hashes: RefCell::default(),
            contents: RefCell::default(),
        };
        for slide in &presentation.slides {
            for name in [&slide.layout, &slide.master].into_iter().flatten() {
                if !shelf.shared.contains_key(name) {
                    shelf
                        .shared
                        .insert(name.clone(), Part::read(package, name)?);
                }
            }
            if let Some(master) = &slide.master {
                shelf.add_theme(master);
            }
        }
        Ok(shelf)
    }

    /// A theme that is absent or damaged leaves scheme colours unknown; soundness names it.
    fn add_theme(&mut self, master: &str) {
        if self.themes.contains_key(master) {
            return;
        }
        let theme = self.shared.get(master).and_then(|part| {
            let part = Part::read(self.package, part.relationships.first_part("theme")?).ok()?;
            let mut theme = Theme::read(&part.document);
            theme.content = self.content(&part);
            Some(theme)
        });
        self.themes
            .insert(master.to_owned(), theme.unwrap_or_default());
    }

    /// SHA-256 of a part's bytes, or `None` when it cannot be read.
    pub(super) fn sha256(&self, name: &str) -> Option<String> {
        if let Some(hash) = self.hashes.borrow().get(name) {
            return Some(hash.clone());
        }
        let hash = crate::sha256_hex(self.package.part(name).ok()?);
        self.hashes
            .borrow_mut()
            .insert(name.to_owned(), hash.clone());
        Some(hash)
    }

    /// A shared part's whole content, names of parts apart, as a hash.
    pub(super) fn content(&self, part: &Part<'_>) -> String {
        if let Some(content) = self.contents.borrow().get(&part.name) {
            return content.clone();
        }
        let canon = Canon {
            shelf: self,
            relationships: &part.relationships,
            without_text: false,
        };
        let content = canon.of(&part.root());
        self.contents
            .borrow_mut()
            .insert(part.name.clone(), content.clone());
        content
    }

    /// What a relationship stands for, in a form that does not depend on names: the content of a part, or an address.
    pub(super) fn meaning(&self, relationships: &Relationships, id: &str) -> String {
        match relationships.get(id).map(|one| &one.target) {
            Some(Target::Part(name)) => self
                .sha256(name)
                .map_or_else(|| "absent".to_owned(), |hash| format!("sha256:{hash}")),
            Some(Target::External(address)) => address.clone(),
            Some(Target::Broken { .. }) | None => "broken".to_owned(),
        }
    }
}

/// One slide with the parts that it rests on.
#[derive(Debug)]
pub(super) struct Scope<'s, 'p> {
    pub(super) shelf: &'s Shelf<'p>,
    pub(super) slide: Part<'p>,
    pub(super) layout: Option<&'s Part<'p>>,
    pub(super) master: Option<&'s Part<'p>>,
    pub(super) theme: Theme,
    pub(super) map: ColorMap,
}

impl<'s, 'p> Scope<'s, 'p> {
    pub(super) fn new(shelf: &'s Shelf<'p>, slide: &Slide) -> Result<Self, PackageError> {
        let part = Part::read(shelf.package, &slide.part)?;
        let shared = |name: &Option<String>| name.as_ref().and_then(|name| shelf.shared.get(name));
        let (layout, master) = (shared(&slide.layout), shared(&slide.master));
        let theme = slide
            .master
            .as_ref()
            .and_then(|master| shelf.themes.get(master))
            .cloned()
            .unwrap_or_default();
        let roots = [
            Some(part.root()),
            layout.map(Part::root),
            master.map(Part::root),
        ];
        let map = ColorMap::read(roots.into_iter().flatten());
        Ok(Self {
            shelf,
            slide: part,
            layout,
            master,
            theme,
            map,
        })
    }
}
