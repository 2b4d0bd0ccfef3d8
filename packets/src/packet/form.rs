// SPDX-License-Identifier: MIT OR Apache-2.0
//! `response.json`: a response with every answer left open, for who fills it in without the page.
//!
//! It is made from `packet.json` alone, so that verification can make it again.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::json;
use crate::mapping::PacketId;

use super::document::{ByLabel, Form};
use super::stamp::{BLANK, Blank};

/// The form of a packet.
pub(super) fn form(packet: &PacketId, form: &Form) -> Result<Blank, serde_json::Error> {
    let label = || OpenLabel {
        dimensions: Open(
            form.dimensions
                .iter()
                .map(|each| each.name.as_str())
                .collect(),
        ),
    };
    let response = OpenResponse {
        schema: "deckproof.response.v1",
        packet,
        packet_sha256: BLANK,
        reviewer: OpenReviewer::default(),
        labels: ByLabel {
            a: label(),
            b: label(),
        },
        overall_rationale: "",
        guess: None,
    };
    let text = String::from_utf8(json::pretty(&response)?).unwrap_or_default();
    // Only fixed text and the id's 32 digits stand before the hash, so the first place is its own.
    let (before, after) = text.split_once(BLANK).unwrap_or((&text, ""));
    Ok(Blank::new(before, after))
}

#[derive(serde::Serialize)]
struct OpenResponse<'a> {
    schema: &'static str,
    packet: &'a PacketId,
    packet_sha256: &'static str,
    reviewer: OpenReviewer,
    labels: ByLabel<OpenLabel<'a>>,
    overall_rationale: &'static str,
    guess: Option<()>,
}

#[derive(serde::Serialize, Default)]
struct OpenReviewer {
    r#type: Option<()>,
    id: &'static str,
    model: Option<()>,
    thread: &'static str,
}

#[derive(serde::Serialize)]
struct OpenLabel<'a> {
    dimensions: Open<'a>,
}

/// The dimensions in the suite's order, none of them judged.
struct Open<'a>(Vec<&'a str>);

#[derive(serde::Serialize, Default)]
struct OpenJudgement {
    score: Option<()>,
    pass: Option<()>,
    rationale: &'static str,
}

impl Serialize for Open<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for name in &self.0 {
            map.serialize_entry(name, &OpenJudgement::default())?;
        }
        map.end()
    }
}
