// SPDX-License-Identifier: MIT OR Apache-2.0
//! `page.html`: the sources in `reviews/page/` and the packet's texts, in one file.
//!
//! The page may fetch nothing, and from the file system it could not. So the texts stand in it as
//! JSON, and the pictures are named by relative path.

use serde::Serialize;

use crate::mapping::PacketId;

use super::compose::DocumentKind;
use super::document::{AssetName, ByLabel, Form};
use super::stamp::Blank;

const SKELETON: &str = include_str!("../../../reviews/page/page.html");
const STYLE: &str = include_str!("../../../reviews/page/page.css");
const SCRIPTS: [&str; 7] = [
    include_str!("../../../reviews/page/dom.js"),
    include_str!("../../../reviews/page/text.js"),
    include_str!("../../../reviews/page/answers.js"),
    include_str!("../../../reviews/page/viewer.js"),
    include_str!("../../../reviews/page/panels.js"),
    include_str!("../../../reviews/page/judge.js"),
    include_str!("../../../reviews/page/main.js"),
];

/// Where things go in the skeleton, in the order in which they stand there.
const HASH: &str = "{packet_sha256}";
const STYLE_PLACE: &str = "{style}";
const DATA_PLACE: &str = "{data}";
const SCRIPT_PLACE: &str = "{script}";

/// What the page shows beside the pictures.
#[derive(Debug, Serialize)]
pub(super) struct PageTexts {
    pub(super) packet: PacketId,
    pub(super) mode: String,
    pub(super) slides: ByLabel<usize>,
    pub(super) form: Form,
    pub(super) requirements: String,
    pub(super) brief: String,
    pub(super) prompt: String,
    pub(super) amendments: Vec<PageDocument>,
    pub(super) assets: Vec<AssetName>,
}

/// An amendment as the page shows it.
#[derive(Debug, Serialize)]
pub(super) struct PageDocument {
    pub(super) kind: &'static str,
    pub(super) text: String,
}

impl PageDocument {
    pub(super) fn new(kind: DocumentKind, text: String) -> Self {
        let kind = kind.extension();
        Self { kind, text }
    }
}

impl PageTexts {
    /// Bytes of all documents together.
    pub(super) fn bytes(&self) -> usize {
        let amendments: usize = self.amendments.iter().map(|each| each.text.len()).sum();
        self.requirements.len() + self.brief.len() + self.prompt.len() + amendments
    }
}

/// The page of a packet.
pub(super) fn page(texts: &PageTexts) -> Result<Blank, serde_json::Error> {
    // `<` stands in strings alone and would end the script element there.
    let data = serde_json::to_string(texts)?.replace('<', "\\u003c");
    let scripts = SCRIPTS.map(without_licence).concat();
    let (before, after) = cut(SKELETON, HASH);
    let (head, rest) = cut(after, STYLE_PLACE);
    let (body, rest) = cut(rest, DATA_PLACE);
    let (join, end) = cut(rest, SCRIPT_PLACE);
    let style = without_licence(STYLE);
    let after = [
        head,
        style,
        body,
        data.as_str(),
        join,
        scripts.as_str(),
        end,
    ]
    .concat();
    Ok(Blank::new(before, &after))
}

/// The skeleton is ours and has each place; the tests of this module see to it.
fn cut<'a>(text: &'a str, place: &str) -> (&'a str, &'a str) {
    text.split_once(place).unwrap_or((text, ""))
}

/// The licence line is for readers of the sources.
fn without_licence(source: &str) -> &str {
    let rest = source.split_once('\n').map(|(_, rest)| rest);
    match rest {
        Some(rest) if source.contains("SPDX-License-Identifier") => rest,
        _ => source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skeleton_has_each_place_once_and_in_order() {
        let mut last = 0;
        for place in [HASH, STYLE_PLACE, DATA_PLACE, SCRIPT_PLACE] {
            assert_eq!(SKELETON.matches(place).count(), 1, "{place}");
            let at = SKELETON.find(place).unwrap();
            assert!(at > last, "{place}");
            last = at;
        }
    }

    #[test]
    fn scripts_never_write_markup_and_never_fetch() {
        for script in SCRIPTS {
            for word in [
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "fetch(",
                "XMLHttpRequest",
                "WebSocket",
                "sendBeacon",
                "import(",
                "</script",
            ] {
                assert!(!script.contains(word), "{word}");
            }
        }
    }
}
