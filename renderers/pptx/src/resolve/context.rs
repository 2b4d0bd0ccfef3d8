// SPDX-License-Identifier: MIT OR Apache-2.0
//! What has to be at hand while one part's shapes are resolved.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use deckproof_package::{Package, Relationships};
use roxmltree::{Document, Node};

use super::placeholder::Layers;
use super::table_style::TableStyles;
use super::theme::{ColorMap, Theme};
use crate::color::{Color, Scheme};
use crate::diag::Notes;
use crate::geometry::Rect;
use crate::tree::{Fill, Frame, PictureSource};
use crate::xml::Xml;

/// An XML part with its relationships.
#[derive(Debug)]
pub struct Part<'p> {
    /// Its XML.
    pub doc: Document<'p>,
    /// Its relationships.
    pub rels: Relationships,
}

/// Where parts come from. A trait, so that what borrows from it need not name the package's lifetime.
pub trait Lookup: std::fmt::Debug {
    /// A part that is kept; `None` when it is missing or not well-formed.
    fn shared(&self, name: &str) -> Option<Rc<Part<'_>>>;
    /// A part that is not kept.
    fn read(&self, name: &str) -> Option<Part<'_>>;
    /// The bytes of a picture part.
    fn picture(&self, name: &str) -> Option<Arc<PictureSource>>;
}

/// Parts that are read once and used by many slides.
#[derive(Debug)]
pub struct Parts<'p> {
    /// The package.
    pub package: &'p Package,
    cache: RefCell<BTreeMap<String, Option<Rc<Part<'p>>>>>,
    pictures: RefCell<BTreeMap<String, Arc<PictureSource>>>,
}

impl<'p> Parts<'p> {
    /// Over a package.
    #[must_use]
    pub fn new(package: &'p Package) -> Self {
        Self {
            package,
            cache: RefCell::default(),
            pictures: RefCell::default(),
        }
    }
}

impl Lookup for Parts<'_> {
    fn shared(&self, name: &str) -> Option<Rc<Part<'_>>> {
        if let Some(hit) = self.cache.borrow().get(name) {
            return hit.clone();
        }
        let part = self.read_own(name).map(Rc::new);
        self.cache
            .borrow_mut()
            .insert(name.to_owned(), part.clone());
        part
    }

    fn read(&self, name: &str) -> Option<Part<'_>> {
        self.read_own(name)
    }

    fn picture(&self, name: &str) -> Option<Arc<PictureSource>> {
        if let Some(hit) = self.pictures.borrow().get(name) {
            return Some(Arc::clone(hit));
        }
        let bytes = self.package.part(name).ok()?.to_vec();
        let source = Arc::new(PictureSource {
            part: name.to_owned(),
            bytes,
        });
        self.pictures
            .borrow_mut()
            .insert(name.to_owned(), Arc::clone(&source));
        Some(source)
    }
}

impl<'p> Parts<'p> {
    fn read_own(&self, name: &str) -> Option<Part<'p>> {
        let doc = self.package.document(name).ok()?;
        let rels = self.package.relationships(name).unwrap_or_default();
        Some(Part { doc, rels })
    }
}

/// The context of one part's shapes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Cx<'a> {
    /// The parts of the deck.
    pub parts: &'a (dyn Lookup + 'a),
    /// The part whose relationships count.
    pub rels: &'a Relationships,
    /// The theme.
    pub theme: &'a Theme<'a>,
    /// The colour map.
    pub map: &'a ColorMap,
    /// The colour that `phClr` stands for.
    pub placeholder_color: Option<Color>,
    /// Where placeholders inherit from.
    pub layers: &'a Layers<'a>,
    /// Table styles.
    pub tables: &'a TableStyles<'a>,
    /// Fill of the surrounding group, for `a:grpFill`.
    pub group_fill: Option<Rc<Fill>>,
    /// How frames of this level map to the parent's coordinates.
    pub space: Space,
    /// Facts for fields.
    pub fields: &'a Fields,
    /// Whether PowerPoint wrote the slide, which stores how far an autofit has shrunk a text.
    pub stores_fit: bool,
    /// Notes.
    pub notes: &'a Notes,
    /// Depth of groups.
    pub depth: usize,
}

/// The child coordinates of a group: text and lines keep their sizes, frames are scaled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Space {
    off: (f64, f64),
    k: (f64, f64),
}

impl Space {
    /// Coordinates that are taken as they are.
    pub const PLAIN: Self = Self {
        off: (0.0, 0.0),
        k: (1.0, 1.0),
    };

    /// The space inside a group whose placed frame is given.
    #[must_use]
    pub fn of_group(xfrm: Node<'_, '_>, frame: &Frame) -> Self {
        let child = |k: &str, a, b| {
            xfrm.child(k)
                .map(|c| (c.num(a).unwrap_or(0.0), c.num(b).unwrap_or(0.0)))
        };
        let own = |k: &str, a, b| child(k, a, b).unwrap_or((0.0, 0.0));
        let off = child("chOff", "x", "y").unwrap_or_else(|| own("off", "x", "y"));
        let ext = child("chExt", "cx", "cy").unwrap_or_else(|| own("ext", "cx", "cy"));
        let ratio = |whole: f64, part: f64| if part > 0.0 { whole / part } else { 1.0 };
        Self {
            off,
            k: (ratio(frame.rect.w, ext.0), ratio(frame.rect.h, ext.1)),
        }
    }

    /// A frame in the group's own coordinates. A frame that lies on its side swaps the two factors.
    #[must_use]
    pub fn place(&self, f: Frame) -> Frame {
        let (cx, cy) = f.rect.centre();
        let turned = (45.0..135.0).contains(&f.rot.rem_euclid(180.0));
        let (kw, kh) = if turned { (self.k.1, self.k.0) } else { self.k };
        let (w, h) = (f.rect.w * kw, f.rect.h * kh);
        let (x, y) = ((cx - self.off.0) * self.k.0, (cy - self.off.1) * self.k.1);
        Frame {
            rect: Rect::new(x - w / 2.0, y - h / 2.0, w, h),
            ..f
        }
    }
}

/// What fields show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// The slide's number as shown.
    pub number: i64,
}

impl<'a> Cx<'a> {
    /// The same with another meaning of `phClr`.
    #[must_use]
    pub fn with_placeholder(&self, c: Option<Color>) -> Self {
        Self {
            placeholder_color: c,
            ..self.clone()
        }
    }
    /// The part that a relationship points to.
    #[must_use]
    pub fn target(&self, id: &str) -> Option<&'a str> {
        self.rels.part(id)
    }
    /// Scheme colour without the map, for charts that name theme slots.
    #[must_use]
    pub fn theme_color(&self, name: &str) -> Option<Color> {
        self.theme.colors.get(self.map.theme_name(name)).copied()
    }
    /// A colour among the children of a node.
    #[must_use]
    pub fn color(&self, parent: Node<'_, '_>) -> Option<Color> {
        crate::color::read_child(parent, self)
    }
}

impl Scheme for Cx<'_> {
    fn scheme(&self, name: &str) -> Option<Color> {
        if name == "phClr" {
            return self.placeholder_color.or_else(|| self.theme_color("tx1"));
        }
        self.theme_color(name)
    }
}
