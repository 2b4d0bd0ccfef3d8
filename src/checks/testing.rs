// SPDX-License-Identifier: MIT OR Apache-2.0
//! Evidence for the tests of checks, made by hand so that each part can be bent.

use std::collections::BTreeMap;

use deckproof_packets::hash::Sha256Hex;
use deckproof_renderers::facts::{
    DeckFacts, DocumentFacts, EMU_PER_PX, HtmlFacts, ImageFact, PptxFacts, Rect, SlideFacts,
    TextFact,
};

use super::config::Scope;
use super::{Evidence, PictureFacts};
use crate::experiment::records::{Artifact, Usage};
use crate::suite::spec::{CopyField, Spec, SpecSlide};
use crate::suite::{Format, Id};

/// A trial whose evidence can be bent before it is asked for.
pub(super) struct Case {
    arm: Id,
    pub(super) format: Format,
    pub(super) spec: Spec,
    pub(super) assets: BTreeMap<String, Sha256Hex>,
    artifact: Artifact,
    pictures: Vec<PictureFacts>,
    pub(super) facts: DeckFacts,
    pub(super) before: Option<DeckFacts>,
    pub(super) usage: Usage,
    pub(super) duration_ms: u64,
}

impl Case {
    pub(super) fn html() -> Self {
        let html = HtmlFacts {
            doctype: Some("html".to_owned()),
            compat_mode: "CSS1Compat".to_owned(),
            ..HtmlFacts::default()
        };
        Self::new(
            Format::Html,
            DocumentFacts {
                html: Some(html),
                ..head()
            },
        )
    }

    pub(super) fn pptx() -> Self {
        Self::new(
            Format::Pptx,
            DocumentFacts {
                pptx: Some(PptxFacts::default()),
                ..head()
            },
        )
    }

    fn new(format: Format, document: DocumentFacts) -> Self {
        let facts_format = match format {
            Format::Html => deckproof_renderers::Format::Html,
            Format::Pptx => deckproof_renderers::Format::Pptx,
        };
        let (arm, spec) = match format {
            Format::Html => ("html", "index.html"),
            Format::Pptx => ("pptx", "deck.pptx"),
        };
        let spec = format!(
            r#"{{"schema":"deckproof.spec.v1","title":"T","slides":[],"target_outputs":{{"{arm}":{{"entry":"{spec}"}}}}}}"#
        );
        let object = format!(r#"{{"sha256":"{}","bytes":1}}"#, "a".repeat(64));
        let artifact = format!(
            r#"{{"entry":"index.html","tree_sha256":"{}","tree":{object}}}"#,
            "b".repeat(64)
        );
        Self {
            arm: Id::new(arm).unwrap(),
            format,
            spec: serde_json::from_str(&spec).unwrap(),
            assets: BTreeMap::new(),
            artifact: Artifact::Stored(serde_json::from_str(&artifact).unwrap()),
            pictures: vec![PictureFacts {
                width: 1280,
                height: 720,
                blank: false,
                drawn: true,
                same_as: None,
                steady: Some(true),
                same_for_viewers: Some(true),
            }],
            facts: DeckFacts {
                format: facts_format,
                canvas: px(0, 0, 1280, 720),
                slides: Vec::new(),
                document,
            },
            before: None,
            usage: Usage {
                input_tokens: None,
                cached_input_tokens: None,
                output_tokens: None,
                total_tokens: None,
                tool_calls: None,
                basis: "none".to_owned(),
            },
            duration_ms: 1,
        }
    }

    /// Adds a slide to spec and deck: required fields with their texts. The deck shows nothing yet.
    pub(super) fn slide(mut self, copy: &[(&str, &str)]) -> Self {
        let fields = copy.iter().map(|(field, text)| CopyField {
            field: (*field).to_owned(),
            text: (*text).to_owned(),
        });
        let id = format!("s{}", self.spec.slides.len() + 1);
        self.spec.slides.push(SpecSlide {
            id,
            copy: fields.collect(),
            assets: Vec::new(),
        });
        let index = u32::try_from(self.facts.slides.len()).unwrap() + 1;
        self.facts.slides.push(SlideFacts {
            index,
            ..SlideFacts::default()
        });
        self
    }

    /// Shows a text on the last slide at a place in pixels.
    pub(super) fn text(mut self, text: &str, rect: (i64, i64, i64, i64)) -> Self {
        let slide = self.facts.slides.last_mut().unwrap();
        let rect = px(rect.0, rect.1, rect.2, rect.3);
        slide.texts.push(TextFact {
            text: text.to_owned(),
            rect,
            visible: true,
            ..TextFact::default()
        });
        self
    }

    /// Names an asset on a slide of the spec. Its hash is made from its name.
    pub(super) fn asset(mut self, slide: usize, name: &str) -> Self {
        let hash = deckproof_renderers::sha256_hex(name.as_bytes());
        self.assets.insert(name.to_owned(), hash.parse().unwrap());
        self.spec.slides[slide].assets.push(name.to_owned());
        self
    }

    pub(super) fn evidence(&self) -> Evidence<'_> {
        Evidence {
            arm: &self.arm,
            format: self.format,
            spec: &self.spec,
            assets: &self.assets,
            artifact: &self.artifact,
            package: Ok(&[]),
            pictures: Ok(&self.pictures),
            facts: Ok(&self.facts),
            before: self.before.as_ref().map(Ok),
            usage: &self.usage,
            duration_ms: self.duration_ms,
        }
    }
}

fn head() -> DocumentFacts {
    DocumentFacts {
        title: Some("T".to_owned()),
        language: Some("en".to_owned()),
        html: None,
        pptx: None,
    }
}

/// A box in pixels.
pub(super) fn px(x: i64, y: i64, width: i64, height: i64) -> Rect {
    Rect {
        x: x * EMU_PER_PX,
        y: y * EMU_PER_PX,
        width: width * EMU_PER_PX,
        height: height * EMU_PER_PX,
    }
}

/// A picture at a place in pixels.
pub(super) fn picture(hash: &str, rect: Rect) -> ImageFact {
    ImageFact {
        sha256: Some(hash.to_owned()),
        rect,
        shown: rect,
        visible: true,
        ..ImageFact::default()
    }
}

/// A scope without limits.
#[allow(
    clippy::unnecessary_wraps,
    reason = "it stands for a key that is present"
)]
pub(super) fn scope() -> Option<Scope> {
    Some(Scope::default())
}
