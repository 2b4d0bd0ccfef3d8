// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a deck shows, as a check can ask it: text, pictures and elements of every slide.
//!
//! Checks know these types alone. They never look at markup, so that what counts as text, as order and as visible
//! is settled once, where the deck is read: for HTML by the browser that drew it, for PPTX by `pptx` from the
//! package's own relationships. Whatever the deck says about itself (attributes, names) is reported, never obeyed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Format;

pub mod pptx;

/// EMU in one CSS pixel at 96 dpi.
pub const EMU_PER_PX: i64 = 9525;

/// A box in English Metric Units from the slide's top left corner. One CSS pixel is [`EMU_PER_PX`] of them.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Rect {
    /// Distance from the left edge.
    pub x: i64,
    /// Distance from the top edge.
    pub y: i64,
    /// Width, not negative.
    pub width: i64,
    /// Height, not negative.
    pub height: i64,
}

impl Rect {
    /// The part that two boxes share; of no area when they are apart.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let right = self.right().min(other.right());
        let bottom = self.bottom().min(other.bottom());
        let width = right.saturating_sub(x).max(0);
        let height = bottom.saturating_sub(y).max(0);
        Self {
            x,
            y,
            width,
            height,
        }
    }

    /// The right edge.
    #[must_use]
    pub fn right(&self) -> i64 {
        self.x.saturating_add(self.width)
    }

    /// The bottom edge.
    #[must_use]
    pub fn bottom(&self) -> i64 {
        self.y.saturating_add(self.height)
    }

    /// The area in square EMU.
    #[must_use]
    pub fn area(&self) -> i128 {
        i128::from(self.width.max(0)) * i128::from(self.height.max(0))
    }
}

/// All facts of one deck.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeckFacts {
    /// What was read.
    pub format: Format,
    /// The slide's box in EMU, at the origin: the canvas for HTML, the slide size for PPTX.
    pub canvas: Rect,
    /// The slides in deck order, hidden ones included.
    pub slides: Vec<SlideFacts>,
    /// Facts of the document as a whole.
    pub document: DocumentFacts,
}

/// Facts of a document as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentFacts {
    /// HTML: the document's title as the browser gives it. PPTX: the title of the core properties.
    pub title: Option<String>,
    /// HTML: `lang` of the root element. PPTX: the language of the core properties.
    pub language: Option<String>,
    /// What only HTML has; `None` for PPTX.
    pub html: Option<HtmlFacts>,
    /// What only PPTX has; `None` for HTML.
    pub pptx: Option<PptxFacts>,
}

/// Facts of an HTML document, from the DOM and from what the browser was asked for while it drew the deck.
/// Every list is in document order (or in the order of events) without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HtmlFacts {
    /// The document type's name, such as `html`; `None` when there is none.
    pub doctype: Option<String>,
    /// `BackCompat` (quirks mode) or `CSS1Compat`, as `document.compatMode` has it.
    pub compat_mode: String,
    /// References to other origins in elements and style sheets (`src`, `href` of resources, `@import`, `url()`), as
    /// resolved. Links that a reader may follow (`a href`) are none.
    pub remote_references: Vec<String>,
    /// Requests that the renderer stopped: network, files outside of the artifact's folder, other schemes.
    pub blocked_requests: Vec<String>,
    /// Local resources that the document names and that are absent or could not be loaded.
    pub missing_resources: Vec<String>,
    /// Attributes that hold script, as `element@attribute`.
    pub inline_handlers: Vec<String>,
    /// Attributes with a `javascript:` or other script address, as `element@attribute`.
    pub script_urls: Vec<String>,
    /// Values of `id` that occur more than once.
    pub duplicate_ids: Vec<String>,
    /// Errors and failed assertions that the page wrote to its console.
    pub console_errors: Vec<String>,
    /// Exceptions that nothing caught.
    pub page_errors: Vec<String>,
    /// Where keys lead, pressed as a person presses them; `None` when it was not tried or could not be told.
    #[serde(default)]
    pub keyboard: Option<KeyboardFacts>,
}

/// Where keys lead in an HTML deck that was loaded anew after all its slides were drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyboardFacts {
    /// How many slides the deck has.
    pub slides: u32,
    /// The key that leads on, such as `ArrowRight`; `None` when none does.
    pub key: Option<String>,
    /// The slides that it shows, in order of their first visit, from 1.
    pub forward: Vec<u32>,
    /// How many slides its opposite leads back from the last one reached.
    pub back: u32,
    /// Slides that then read otherwise than when they were drawn, digits aside.
    pub changed: Vec<u32>,
}

/// Facts of a PPTX package.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PptxFacts {
    /// What `deckproof_package::soundness::problems` found; empty for a sound package.
    pub problems: Vec<String>,
}

/// The facts of one slide.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlideFacts {
    /// Place in the deck, from 1.
    pub index: u32,
    /// Whether a presentation leaves it out. Its contents are reported all the same.
    pub hidden: bool,
    /// Blocks of text in document order (PPTX: drawing order, then paragraph or cell order).
    pub texts: Vec<TextFact>,
    /// Pictures in drawing order.
    pub images: Vec<ImageFact>,
    /// Structure, style and geometry in document order, for fidelity checks. The first one is the slide itself.
    pub elements: Vec<ElementFact>,
    /// Speaker notes, when the format has them. They are no text of the slide.
    pub notes: Option<String>,
    /// HTML: texts that are cut off, that leave their box, or that would have to be scrolled to.
    #[serde(default)]
    pub overflows: Vec<OverflowFact>,
    /// HTML: pairs of visible texts that lie on each other.
    #[serde(default)]
    pub overlaps: Vec<OverlapFact>,
}

/// Something that does not fit where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverflowFact {
    /// What happens to it.
    pub kind: OverflowKind,
    /// The beginning of the text; empty for a box that scrolls.
    pub text: String,
    /// The [`ElementFact::key`] of the element.
    pub element: String,
    /// By how many pixels, rounded up.
    pub pixels: u32,
}

/// What happens to a text that does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OverflowKind {
    /// A part of it is seen, and a part is cut off.
    Cut,
    /// It lies beyond the slide's edge.
    OffSlide,
    /// It leaves the painted box that it stands in.
    LeavesBox,
    /// Its box would have to be scrolled.
    Scrolls,
}

/// Two visible texts that lie on each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OverlapFact {
    /// The beginning of one text.
    pub first: String,
    /// The beginning of the other.
    pub second: String,
    /// The size of the shared area in pixels.
    pub width: u32,
    /// Its height.
    pub height: u32,
}

/// How well a text can be read, by its colour, its size and the pixels around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Legibility {
    /// Contrast with the ground as WCAG 2 defines it, in hundredths: 100 (none) to 2100.
    pub contrast: u32,
    /// Height of the font as drawn, in hundredths of a pixel.
    pub size: u32,
    /// Whether its weight is 600 or more.
    pub bold: bool,
}

/// One block of text: what a reader takes in as one unit. In HTML the text of a block-level box with its inline
/// children joined; in PPTX the text of a shape, of a table cell, or of one label of a chart or diagram.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextFact {
    /// The characters as written, before styling such as `text-transform` or `cap` changes letters' case. Line breaks
    /// and paragraph ends are `\n`; other white space is as written.
    pub text: String,
    /// Where it is: the box of the block.
    pub rect: Rect,
    /// Whether a viewer can see it: shown, opaque, most of its box on the slide, in a colour of its own.
    pub visible: bool,
    /// What kind of thing shows it.
    pub origin: TextOrigin,
    /// The [`ElementFact::key`] of the element that shows it.
    pub element: String,
    /// HTML: how well it can be read; `None` for a text that is not visible.
    #[serde(default)]
    pub legibility: Option<Legibility>,
}

/// What shows a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextOrigin {
    /// A text box, a placeholder, a paragraph, a heading.
    #[default]
    Block,
    /// A table cell.
    Cell,
    /// A title of a chart or of one of its axes.
    ChartTitle,
    /// A category, series name or value of a chart: data that a chart prints as it sees fit.
    ChartData,
    /// A node of a SmartArt diagram.
    Diagram,
    /// A field that the program fills in: slide number, date, footer.
    Field,
}

/// One picture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageFact {
    /// SHA-256 of the source file's bytes, lower case; `None` when there is no source file.
    pub sha256: Option<String>,
    /// Where it came from, inside the artifact: a part name or a relative path.
    pub source: String,
    /// Where it is.
    pub rect: Rect,
    /// The part of `rect` that can be seen on the slide, after clipping by the slide and by ancestors.
    pub shown: Rect,
    /// How much of the picture is cut away at each edge.
    pub crop: Crop,
    /// Whether a viewer can see it.
    pub visible: bool,
    /// The [`ElementFact::key`] of the element that shows it.
    pub element: String,
}

/// Shares of a picture that are cut away, in thousandths of a percent of its width or height; negative ones widen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crop {
    /// From the left.
    pub left: i32,
    /// From the top.
    pub top: i32,
    /// From the right.
    pub right: i32,
    /// From the bottom.
    pub bottom: i32,
}

/// One element of a slide's structure.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ElementFact {
    /// Its path from the slide, unique in the slide and the same in two decks of the same structure. Places are
    /// counted among siblings: `2/0` in PPTX (empty for the slide itself, `3/row 1 column 2` for a cell), `section/div:2/h1` in HTML. No identifiers.
    pub key: String,
    /// What it is: a tag, or `slide`, `shape`, `picture`, `table`, `cell`, `chart`, `diagram`,
    /// `group`, `connector`, `other`.
    pub kind: String,
    /// Its name as its author gave it: classes, or a shape's name.
    pub name: String,
    /// Its own text, without that of child elements. Blocks are joined by `\n`.
    pub text: String,
    /// Style properties, each in one normal form. Those that both formats have are named alike: `fill`, `color`,
    /// `font-size`, `font-family`, `bold`, `italic`, `align`; colours are `#RRGGBB`, lengths pixels such as `32px`.
    pub style: BTreeMap<String, String>,
    /// Where it is.
    pub rect: Rect,
    /// Whether a viewer can see it.
    pub visible: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x: i64, y: i64, width: i64, height: i64) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    #[test]
    fn boxes_meet_or_are_apart() {
        assert_eq!(
            rect(0, 0, 10, 10).intersection(&rect(5, -5, 10, 10)),
            rect(5, 0, 5, 5)
        );
        assert_eq!(
            rect(0, 0, 10, 10).intersection(&rect(20, 0, 5, 5)).area(),
            0
        );
        assert_eq!(
            rect(i64::MAX, 0, i64::MAX, 1).right(),
            i64::MAX,
            "hostile numbers do not wrap"
        );
        assert!(rect(0, 0, i64::MAX, i64::MAX).area() > 0);
    }

    #[test]
    fn unknown_keys_are_refused() {
        assert!(serde_json::from_str::<Rect>(r#"{"x":1,"y":2,"width":3,"height":4}"#).is_ok());
        assert!(
            serde_json::from_str::<Rect>(r#"{"x":1,"y":2,"width":3,"height":4,"z":5}"#).is_err()
        );
    }
}
