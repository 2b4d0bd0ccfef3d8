// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shape of a response, checked field by field before it is read as a whole.
//!
//! A reviewer has to mend what is refused: each fault names its field by its path, what stands there
//! and what belongs there, in words instead of a type of ours.

use deckproof_packets::json::{Value, ValueKind};

use super::accept::ReviewError;
use crate::fields::{self, Object, Read, fault, object, wrong};

/// Checks every field of a response whose keys do not unblind.
pub(super) fn check(file: &str, document: &Value<'_, '_>) -> Result<(), ReviewError> {
    response(document).map_err(|fault| ReviewError::Field {
        file: file.to_owned(),
        path: fields::pointer(document, fault.place),
        found: fault.found,
        expected: fault.expected,
    })
}

fn response(value: &Value<'_, '_>) -> Read<()> {
    let keys = [
        "schema",
        "packet",
        "packet_sha256",
        "reviewer",
        "labels",
        "overall_rationale",
        "guess",
    ];
    let response = object(value, &keys)?;
    response.constant("schema", "deckproof.response.v1")?;
    string(&response, "packet", "the packet's id as text")?;
    response.hash("packet_sha256")?;
    reviewer(response.get("reviewer")?)?;
    let labels = object(response.get("labels")?, &["A", "B"])?;
    label(labels.get("A")?)?;
    label(labels.get("B")?)?;
    string(
        &response,
        "overall_rationale",
        "the comparison in words, as text",
    )?;
    match response.find("guess") {
        Some(guess)
            if guess.kind() != ValueKind::Null && !matches!(guess.as_str(), Some("A" | "B")) =>
        {
            Err(wrong(guess, "`A`, `B`, or null for no guess"))
        }
        _ => Ok(()),
    }
}

fn reviewer(value: &Value<'_, '_>) -> Read<()> {
    let reviewer = object(value, &["type", "id", "model", "thread"])?;
    let kind = reviewer.get("type")?;
    if !matches!(kind.as_str(), Some("human" | "model" | "scripted")) {
        return Err(wrong(kind, "`human`, `model` or `scripted`"));
    }
    string(&reviewer, "id", "the reviewer's name as text")?;
    string(&reviewer, "thread", "the session as text")?;
    match reviewer.find("model") {
        Some(model) if model.kind() != ValueKind::Null && model.as_str().is_none() => {
            Err(wrong(model, "the model's name as text, or null"))
        }
        _ => Ok(()),
    }
}

fn label(value: &Value<'_, '_>) -> Read<()> {
    let label = object(value, &["dimensions"])?;
    for member in fields::map(label.get("dimensions")?)?.members {
        let judgement = object(&member.value, &["score", "pass", "rationale"])?;
        let score = judgement.get("score")?;
        let whole = score.as_number().and_then(|text| text.parse::<i32>().ok());
        if whole.is_none() {
            return Err(wrong(score, "a whole number of the scale"));
        }
        let pass = judgement.get("pass")?;
        if pass.as_bool().is_none() {
            return Err(wrong(pass, "true or false"));
        }
        string(&judgement, "rationale", "the reason in words, as text")?;
    }
    Ok(())
}

fn string(of: &Object<'_, '_>, key: &str, expected: &str) -> Read<()> {
    let value = of.get(key)?;
    match value.as_str() {
        Some(_) => Ok(()),
        None => Err(fault(value, fields::shown(value), expected)),
    }
}
