// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a model reviewer is asked: the packet's own words, its pictures, and the shape of the reply.

use deckproof_packets::mapping::Label;
use deckproof_packets::packet::{Files, VerifiedPacket};
use deckproof_packets::relpath::RelPath;
use deckproof_reviews::review::ReviewRules;
use serde_json::{Value, json};

/// The whole question.
#[derive(Debug, Clone)]
pub(super) struct Question {
    /// The text.
    pub text: String,
    /// The pictures in the order in which the text names them.
    pub pictures: Vec<RelPath>,
    /// The JSON Schema of the reply.
    pub schema: Value,
}

/// The question about one packet.
pub(super) fn question(rules: &ReviewRules, packet: &VerifiedPacket, files: &Files) -> Question {
    let schema = schema(rules);
    let pictures = pictures(packet, files);
    let mut text = String::new();
    for name in ["prompt.md", "brief.md"] {
        text.push_str(&section(files, name));
    }
    let amendments = files
        .keys()
        .filter(|path| path.as_str().starts_with("amendments/"));
    for path in amendments {
        text.push_str(&section(files, path.as_str()));
    }
    text.push_str(&section(files, "requirements.json"));
    text.push_str(&form(rules, packet));
    text.push_str(
        "## The pictures\n\nThey come in this order, and lie in the folder `packet` too:\n\n",
    );
    for (number, path) in (1..).zip(&pictures) {
        text.push_str(&format!("{number}. {path}\n"));
    }
    text.push_str(
        "\n## The reply\n\nFirst say in `guess` which deck you take for the newer one: \"A\", \"B\", or null. Then judge. \
         Your last message is one JSON object of this schema and nothing else, no word before or after it:\n\n",
    );
    text.push_str(&serde_json::to_string_pretty(&schema).unwrap_or_default());
    text.push('\n');
    Question {
        text,
        pictures,
        schema,
    }
}

fn section(files: &Files, name: &str) -> String {
    let bytes = name
        .parse::<RelPath>()
        .ok()
        .and_then(|path| files.get(&path));
    let text = bytes.map(|bytes| String::from_utf8_lossy(bytes));
    format!(
        "<file name=\"{name}\">\n{}\n</file>\n\n",
        text.unwrap_or_default().trim_end()
    )
}

fn form(rules: &ReviewRules, packet: &VerifiedPacket) -> String {
    let form = &packet.document.form;
    let mut text = format!(
        "## The form\n\nScores are whole numbers from {} to {}. Each rationale has at least {} letters and digits of its own.\n\n",
        form.score_min, form.score_max, form.min_rationale_chars
    );
    for dimension in &rules.dimensions {
        let question = dimension.question.as_deref().unwrap_or_default();
        text.push_str(&format!("- `{}`: {question}\n", dimension.name));
        for (score, words) in &dimension.anchors {
            text.push_str(&format!("  - {score}: {words}\n"));
        }
    }
    text.push('\n');
    text
}

/// The slides of A and of B, then the assets that are pictures.
fn pictures(packet: &VerifiedPacket, files: &Files) -> Vec<RelPath> {
    let mut pictures = Vec::new();
    for label in Label::BOTH {
        let own = files
            .keys()
            .filter(|path| path.as_str().starts_with(&format!("{label}/")));
        pictures.extend(own.cloned());
    }
    let assets = packet.document.assets.iter().map(|asset| &asset.path);
    pictures.extend(assets.filter(|path| media_type(path).is_some()).cloned());
    pictures
}

/// The media type of a picture that models are shown.
pub(super) fn media_type(path: &RelPath) -> Option<&'static str> {
    match path.name().rsplit_once('.')?.1 {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "gif" => Some("image/gif"),
        "webp" => Some("image/webp"),
        _ => None,
    }
}

/// The schema in the strict form that services take: everything required, nothing else allowed.
fn schema(rules: &ReviewRules) -> Value {
    let object = |properties: Value| {
        let keys: Vec<String> = properties
            .as_object()
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default();
        json!({"type": "object", "properties": properties, "required": keys, "additionalProperties": false})
    };
    let judgement = object(json!({
        "score": {"type": "integer", "minimum": rules.score_min, "maximum": rules.score_max},
        "pass": {"type": "boolean"},
        "rationale": {"type": "string"}
    }));
    let dimensions: serde_json::Map<String, Value> = rules
        .dimensions
        .iter()
        .map(|one| (one.name.clone(), judgement.clone()))
        .collect();
    let label = object(json!({"dimensions": object(Value::Object(dimensions))}));
    object(json!({
        "guess": {"type": ["string", "null"], "enum": ["A", "B", null]},
        "labels": object(json!({"A": label, "B": label})),
        "overall_rationale": {"type": "string"}
    }))
}
