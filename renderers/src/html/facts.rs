// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the rendered document says about itself, as [`crate::facts`] has it.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use deckproof_browser::cdp::{DOM, Runtime};
use serde::Deserialize;
use serde_json::json;

use super::fault::Fault;
use super::page::{Page, World, command};
use super::site::Site;
use crate::facts::{
    Crop, DeckFacts, DocumentFacts, ElementFact, HtmlFacts, ImageFact, Legibility, OverflowFact,
    OverflowKind, Rect, SlideFacts, TextFact, TextOrigin,
};
use crate::{CANVAS_HEIGHT, CANVAS_WIDTH, Diagnostic, Format};

const SLIDE: &str = include_str!("js/facts.js");
const DOCUMENT: &str = include_str!("js/document.js");
/// EMU in a pixel.
const EMU: i64 = crate::facts::EMU_PER_PX;

/// A slide's facts as the script gives them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawSlide {
    too_many: bool,
    texts: Vec<RawText>,
    images: Vec<RawImage>,
    elements: Vec<ElementFact>,
    notes: Option<String>,
    /// Boxes with text that would have to be scrolled: their keys, and by how many pixels.
    scrollers: Vec<(String, f64)>,
    /// The slide's width and height, and by how much its content is wider and higher.
    overflow: (i64, i64, i64, i64),
}

impl RawSlide {
    /// The texts, for those who look at their pixels.
    pub(super) fn texts(&self) -> &[RawText] {
        &self.texts
    }

    /// What the slide reads, without digits and white space: equal when nothing but a number changed.
    pub(super) fn words(&self) -> String {
        let texts = self.texts.iter().filter(|text| text.inside && text.visible);
        let letters = texts.flat_map(|text| text.text.chars());
        letters
            .filter(|c| !c.is_whitespace() && !c.is_numeric())
            .collect()
    }

    fn overflows(&self) -> Vec<OverflowFact> {
        let scrolls = self.scrollers.iter().map(|(element, by)| OverflowFact {
            kind: OverflowKind::Scrolls,
            text: String::new(),
            element: element.clone(),
            pixels: pixels(*by as f32),
        });
        self.texts
            .iter()
            .flat_map(RawText::overflows)
            .chain(scrolls)
            .collect()
    }

    /// A remark when the slide's content is larger than the slide.
    pub(super) fn overflow(&self, slide: u32) -> Option<Diagnostic> {
        let (width, height, wider, higher) = self.overflow;
        let message = format!(
            "content is {wider} px wider and {higher} px higher than its {width}x{height} slide"
        );
        (wider > 2 || higher > 2).then(|| Diagnostic::slide(slide, "overflow", message))
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawText {
    pub(super) text: String,
    rect: Rect,
    pub(super) visible: bool,
    cell: bool,
    element: String,
    /// Whether it belongs to the slide's own element.
    inside: bool,
    /// Boxes of its lines: left, top, right, bottom, in pixels.
    pub(super) lines: Vec<[f32; 4]>,
    /// Red, green, blue up to 255 and opacity up to 1, when a plain colour fills its smallest letters.
    pub(super) ink: Option<[f32; 4]>,
    /// Height of its smallest font as drawn, in pixels.
    size: f32,
    bold: bool,
    /// Whether it runs neither level nor upright.
    pub(super) tilted: bool,
    cut: f32,
    off: f32,
    spill: f32,
}

impl RawText {
    /// How well it can be read, from the contrast that its pixels show.
    fn legibility(&self, contrast: Option<u32>) -> Option<Legibility> {
        let size = (self.size.clamp(0.0, 10_000.0) * 100.0).round();
        contrast
            .filter(|_| self.visible)
            .map(|contrast| Legibility {
                contrast,
                size: size as u32,
                bold: self.bold,
            })
    }

    fn overflows(&self) -> impl Iterator<Item = OverflowFact> + '_ {
        let kinds = [
            (OverflowKind::Cut, self.cut),
            (OverflowKind::OffSlide, self.off),
            (OverflowKind::LeavesBox, self.spill),
        ];
        kinds
            .into_iter()
            .filter(|(_, by)| *by > 0.0)
            .map(|(kind, by)| OverflowFact {
                kind,
                text: beginning(&self.text),
                element: self.element.clone(),
                pixels: pixels(by),
            })
    }
}

/// Whole pixels, rounded up.
fn pixels(by: f32) -> u32 {
    by.clamp(0.0, 1e6).ceil() as u32
}

/// As much of a text as a message needs.
fn beginning(text: &str) -> String {
    text.chars().take(60).collect()
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawImage {
    source: String,
    rect: Rect,
    shown: Rect,
    crop: (i32, i32, i32, i32),
    visible: bool,
    element: String,
}

/// The document's facts as the script gives them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawDocument {
    title: Option<String>,
    language: Option<String>,
    doctype: Option<String>,
    compat_mode: String,
    remote_references: Vec<String>,
    inline_handlers: Vec<String>,
    script_urls: Vec<String>,
    duplicate_ids: Vec<String>,
}

impl Page<'_> {
    /// Asks for the facts of the slide that shows.
    pub(super) fn slide_facts(&mut self) -> Result<RawSlide, Fault> {
        let context = self.isolated_world()?;
        let slide = self.slide_element(context)?;
        let arguments =
            slide.map_or_else(|| json!([{"value": null}]), |id| json!([{"objectId": id}]));
        let mut call = json!({
            "functionDeclaration": SLIDE, "arguments": arguments, "returnByValue": true, "silent": true,
        });
        call["executionContextId"] = json!(context);
        let answer = self.call(command::<Runtime::CallFunctionOn>(call)?)?;
        let raw: RawSlide = self.answer(answer.result, answer.exception_details)?;
        if raw.too_many {
            return Err(Fault::Odd(
                "a slide has more than 20000 elements".to_owned(),
            ));
        }
        Ok(raw)
    }

    /// The slide's element as our own world knows it. The page's world names it; what is asked of
    /// it is asked where the page has no say.
    fn slide_element(&mut self, context: u32) -> Result<Option<String>, Fault> {
        let expression = self.hidden("deckproofDeck.element()");
        let ask = command::<Runtime::Evaluate>(json!({
            "expression": expression, "silent": true, "objectGroup": "facts",
        }))?;
        let Some(object_id) = self.call(ask)?.result.object_id else {
            return Ok(None);
        };
        let describe = command::<DOM::DescribeNode>(json!({"objectId": object_id}))?;
        let Ok(node) = self.call(describe) else {
            return Ok(None);
        };
        let backend = node.node.backend_node_id;
        let resolve = command::<DOM::ResolveNode>(
            json!({"backendNodeId": backend, "executionContextId": context, "objectGroup": "facts"}),
        )?;
        Ok(self.call(resolve)?.object.object_id)
    }

    pub(super) fn document_facts(&mut self) -> Result<RawDocument, Fault> {
        self.ask(World::Isolated, DOCUMENT)
    }
}

/// Everything together.
pub(super) fn deck_facts(
    page: &Page,
    document: RawDocument,
    slides: Vec<(u32, RawSlide, Vec<Option<u32>>)>,
) -> DeckFacts {
    let traffic = &page.traffic;
    let slides = slides
        .into_iter()
        .map(|(index, raw, contrasts)| slide(index, raw, &contrasts, traffic.site.served()));
    DeckFacts {
        format: Format::Html,
        canvas: Rect {
            x: 0,
            y: 0,
            width: i64::from(CANVAS_WIDTH) * EMU,
            height: i64::from(CANVAS_HEIGHT) * EMU,
        },
        slides: slides.collect(),
        document: DocumentFacts {
            title: document.title,
            language: document.language,
            html: Some(HtmlFacts {
                doctype: document.doctype,
                compat_mode: document.compat_mode,
                remote_references: document.remote_references,
                blocked_requests: traffic.blocked.sorted(),
                missing_resources: traffic.missing.sorted(),
                inline_handlers: document.inline_handlers,
                script_urls: document.script_urls,
                duplicate_ids: document.duplicate_ids,
                console_errors: traffic.console_errors.all(),
                page_errors: traffic.page_errors.all(),
                keyboard: None,
            }),
            pptx: None,
        },
    }
}

fn slide(
    index: u32,
    raw: RawSlide,
    contrasts: &[Option<u32>],
    served: &BTreeMap<String, String>,
) -> SlideFacts {
    let (overflows, overlaps) = (raw.overflows(), super::overlap::overlaps(&raw.texts));
    let contrasts = contrasts.iter().copied().chain(std::iter::repeat(None));
    let text = |(text, contrast): (RawText, Option<u32>)| TextFact {
        legibility: text.legibility(contrast),
        text: text.text,
        rect: text.rect,
        visible: text.visible,
        origin: if text.cell {
            TextOrigin::Cell
        } else {
            TextOrigin::Block
        },
        element: text.element,
    };
    SlideFacts {
        index,
        hidden: false,
        texts: raw.texts.into_iter().zip(contrasts).map(text).collect(),
        images: raw
            .images
            .into_iter()
            .map(|image| picture(image, served))
            .collect(),
        elements: raw.elements,
        notes: raw.notes,
        overflows,
        overlaps,
    }
}

fn picture(image: RawImage, served: &BTreeMap<String, String>) -> ImageFact {
    let (left, top, right, bottom) = image.crop;
    let (source, sha256) = origin_of(&image.source, served);
    ImageFact {
        sha256,
        source,
        rect: image.rect,
        shown: image.shown,
        crop: Crop {
            left,
            top,
            right,
            bottom,
        },
        visible: image.visible,
        element: image.element,
    }
}

/// Where a picture came from, and the hash of the bytes that were served or that stand in the page.
fn origin_of(source: &str, served: &BTreeMap<String, String>) -> (String, Option<String>) {
    if let Some(path) = Site::path_of(source) {
        let hash = served.get(&path).cloned();
        return (path, hash);
    }
    match source
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(','))
    {
        Some((head, body)) => {
            let bytes = match head.strip_suffix(";base64") {
                Some(_) => BASE64.decode(super::site::decode_bytes(body)).ok(),
                None => Some(super::site::decode_bytes(body)),
            };
            let head: String = head.chars().take(60).collect();
            (
                format!("data:{head}"),
                bytes.map(|bytes| crate::sha256_hex(&bytes)),
            )
        }
        None => (source.chars().take(200).collect(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_known_by_the_bytes_behind_it() {
        let served = BTreeMap::from([("a b.png".to_owned(), "hash".to_owned())]);
        let known = origin_of("https://deck.test/a%20b.png?v=2", &served);
        assert_eq!(known, ("a b.png".to_owned(), Some("hash".to_owned())));
        let other = origin_of("https://deck.test/none.png", &served);
        assert_eq!(other, ("none.png".to_owned(), None));
        let inline = origin_of("data:image/png;base64,YWJj", &served);
        assert_eq!(inline.1, Some(crate::sha256_hex(b"abc")));
        let plain = origin_of("data:image/svg+xml,a%62c", &served);
        assert_eq!(plain.1, Some(crate::sha256_hex(b"abc")));
        assert_eq!(
            origin_of("inline:svg", &served),
            ("inline:svg".to_owned(), None)
        );
    }
}
