// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a model's last words to a response: one JSON object and nothing around it.
//!
//! Who reviewed, which packet and which session are added here, from what was observed. A reply that
//! states any of them is refused, since only what is asked for may be in it.

use deckproof_packets::json::{self, Limits};
use deckproof_packets::packet::VerifiedPacket;
use serde::Serialize;

/// Longest reply, in bytes.
const MAX_REPLY: usize = 1 << 20;

/// Who replied, as it was observed.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Identity {
    pub r#type: &'static str,
    pub id: String,
    pub model: String,
    pub thread: String,
}

/// The bytes of the response that a reply makes, or why it makes none.
pub(super) fn response(
    reply: &str,
    packet: &VerifiedPacket,
    reviewer: &Identity,
) -> Result<Vec<u8>, String> {
    let reply = reply.trim();
    let limits = Limits {
        bytes: MAX_REPLY,
        depth: 8,
        values: 10_000,
    };
    let arena = json::Arena::new();
    let parsed =
        json::parse("the reply", reply.as_bytes(), &limits, &arena).map_err(|e| e.to_string())?;
    let members = parsed
        .as_object()
        .ok_or("the reply: found no object, expected one JSON object")?;
    let known = ["labels", "overall_rationale", "guess"];
    if let Some(odd) = members.iter().find(|one| !known.contains(&one.key)) {
        let key: String = odd
            .key
            .chars()
            .take(80)
            .flat_map(char::escape_debug)
            .collect();
        return Err(format!(
            "the reply: found the key `{key}`, expected {} alone",
            known.join(", ")
        ));
    }
    for key in known {
        if parsed.get(key).is_none() {
            return Err(format!("the reply: found no `{key}`, expected it"));
        }
    }
    assemble(reply, packet, reviewer).map_err(|error| error.to_string())
}

/// Puts the known fields around the reply's own, whose text stays as it is.
fn assemble(
    reply: &str,
    packet: &VerifiedPacket,
    reviewer: &Identity,
) -> Result<Vec<u8>, serde_json::Error> {
    let inner = reply.strip_prefix('{').unwrap_or(reply);
    let head = format!(
        "{{\"schema\":\"deckproof.response.v1\",\"packet\":\"{}\",\"packet_sha256\":\"{}\",\"reviewer\":{},",
        packet.document.packet,
        packet.packet_sha256,
        serde_json::to_string(reviewer)?
    );
    Ok([head.as_bytes(), inner.as_bytes(), b"\n"].concat())
}
