// SPDX-License-Identifier: MIT OR Apache-2.0
//! A rough count of tokens while an agent still runs, for people who watch. No figure of a record
//! comes from here.

use std::collections::BTreeSet;

use serde_json::Value;

use super::fields::{number, some_text, text};

/// The longest unfinished line that is kept, in bytes.
const MOST_LINE: usize = 4 << 20;

/// What a growing event log shows so far.
#[derive(Debug, Default)]
pub struct Gauge {
    line: Vec<u8>,
    messages: BTreeSet<String>,
    /// Tokens of input and output, as far as the log shows any.
    pub tokens: u64,
    /// Events.
    pub events: u64,
}

impl Gauge {
    /// Takes more bytes of the log.
    pub fn feed(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() < MOST_LINE {
                self.line.extend_from_slice(piece);
            }
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.events += 1;
                if let Ok(event) = serde_json::from_slice(&line) {
                    self.event(&event);
                }
            }
        }
    }

    fn event(&mut self, event: &Value) {
        let usage = match text(event, "type").as_str() {
            // Codex.
            "turn.completed" => event.get("usage"),
            // Claude repeats a message's figures for each of its blocks.
            "assistant" => event.get("message").and_then(|message| {
                let id = some_text(message, "id")?;
                self.messages.insert(id).then(|| message.get("usage"))?
            }),
            // opencode.
            "step_finish" => event.get("part").and_then(|part| part.get("tokens")),
            // Gemini.
            "result" if event.get("stats").is_some() => event.get("stats"),
            _ => None,
        };
        let Some(usage) = usage else { return };
        let names = [
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
            "input",
            "output",
        ];
        for name in names {
            let more = number(usage, name).unwrap_or(0);
            self.tokens = self.tokens.saturating_add(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_shows_so_far() {
        let mut gauge = Gauge::default();
        let message = r#"{"type":"assistant","message":{"id":"m1","usage":{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1}}}"#;
        gauge.feed(format!("{message}\n{message}\nnonsense\n{{\"type\":\"turn.comp").as_bytes());
        assert_eq!((gauge.tokens, gauge.events), (16, 3));
        gauge.feed(b"leted\",\"usage\":{\"input_tokens\":100,\"output_tokens\":4}}\n");
        assert_eq!((gauge.tokens, gauge.events), (120, 4));
    }
}
