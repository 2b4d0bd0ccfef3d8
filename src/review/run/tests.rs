// SPDX-License-Identifier: MIT OR Apache-2.0
//! What may be in a reply, and what makes it none. Whole runs are in tests/it.

use deckproof_packets::packet::VerifiedPacket;
use serde_json::{Value, json};

use super::reply::{Identity, response};
use super::*;
use crate::summary::testing::{Lab, Script};

fn desk() -> (Lab, VerifiedPacket, Value) {
    let lab = Lab::run(&Script {
        response: Box::new(|_, _, _| false),
        ..Script::default()
    });
    let mapping = &lab.mappings()[0];
    let whole = lab.response(mapping, 0);
    let packet = packet::verify(&lab.layout().packet(&mapping.packet)).unwrap();
    let reply = json!({
        "guess": null,
        "labels": whole["labels"],
        "overall_rationale": whole["overall_rationale"],
    });
    (lab, packet, reply)
}

fn identity() -> Identity {
    Identity {
        r#type: "model",
        id: "codex m-judge".to_owned(),
        model: "m-judge".to_owned(),
        thread: "thread-1".to_owned(),
    }
}

#[test]
fn a_good_reply_becomes_a_response_that_is_accepted() {
    let (lab, packet, reply) = desk();
    let bytes = response(&format!(" \n{reply}\n"), &packet, &identity()).unwrap();
    let path = lab.beside("model.json");
    fs_err::write(&path, bytes).unwrap();
    accept(&lab.root, &[path]).unwrap();
    crate::verify::verify(&lab.root).unwrap();
}

#[test]
fn anything_around_or_beside_the_object_makes_it_no_reply() {
    let (_lab, packet, reply) = desk();
    let refused = |text: &str| response(text, &packet, &identity()).unwrap_err();
    for text in [
        String::new(),
        "I cannot judge this.".to_owned(),
        format!("```json\n{reply}\n```"),
        format!("Here it is: {reply}"),
        format!("{reply} That is all."),
        format!("[{reply}]"),
        reply.to_string().replacen('{', "{\"guess\":null,", 1),
        reply.to_string()[..200].to_owned(),
    ] {
        refused(&text);
    }
    for (key, value) in [
        ("reviewer", json!({"type": "human"})),
        ("packet", json!("0".repeat(32))),
        ("mapping", json!("A is new")),
    ] {
        let mut bent = reply.clone();
        bent[key] = value;
        assert!(refused(&bent.to_string()).contains(key));
    }
    let mut partial = reply.clone();
    partial.as_object_mut().unwrap().remove("overall_rationale");
    assert!(refused(&partial.to_string()).contains("overall_rationale"));
}
