// SPDX-License-Identifier: MIT OR Apache-2.0
//! Splits a recorded stream into JSON objects, one a line, and keeps account of every line that is none.

use serde_json::Value;

use super::loose;
use super::trace::TraceEvent;

/// The longest line that is read, in bytes. Codex caps a command's output at 1 MiB, which makes lines of 1.2.
pub const MOST_LINE_BYTES: usize = 32 << 20;
/// The most lines that are read.
pub const MOST_LINES: usize = 1_000_000;

/// One line of a stream.
#[derive(Debug)]
pub(super) enum Line {
    /// A JSON object.
    Object(Value),
    /// Anything else; the word says what, and stands in the trace as an unknown event.
    Other(&'static str),
}

impl Line {
    /// The event that stands for a line that is no object.
    pub(super) fn unknown(kind: &str) -> TraceEvent {
        TraceEvent::Unknown {
            kind: format!("({kind})"),
        }
    }
}

/// Oddities met while reading lines.
#[derive(Debug, Default)]
pub(super) struct Oddities {
    invalid_utf8: u64,
    repeated_keys: u64,
    unended: bool,
}

impl Oddities {
    /// The oddities in words.
    pub(super) fn describe(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.invalid_utf8 > 0 {
            words.push(format!("{} lines hold invalid UTF-8", self.invalid_utf8));
        }
        if self.repeated_keys > 0 {
            words.push(format!("{} keys are given twice", self.repeated_keys));
        }
        if self.unended {
            words.push("the last line has no end".to_owned());
        }
        words
    }
}

/// Reads every line of `bytes`. Only the newline byte separates lines; blank lines are passed over.
pub(super) fn read(bytes: &[u8]) -> (Vec<Line>, Oddities) {
    let mut oddities = Oddities {
        unended: bytes.last().is_some_and(|byte| *byte != b'\n'),
        ..Oddities::default()
    };
    let mut found = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        if line.trim_ascii().is_empty() {
            continue;
        }
        if found.len() >= MOST_LINES {
            found.push(Line::Other("too many lines"));
            break;
        }
        found.push(read_line(line, &mut oddities));
    }
    (found, oddities)
}

fn read_line(line: &[u8], oddities: &mut Oddities) -> Line {
    if line.len() > MOST_LINE_BYTES {
        return Line::Other("line too long");
    }
    let text = String::from_utf8_lossy(line);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        oddities.invalid_utf8 += 1;
    }
    match loose::read(&text) {
        Ok(loose) if loose.value.is_object() => {
            oddities.repeated_keys += loose.repeated_keys;
            Line::Object(loose.value)
        }
        Ok(_) => Line::Other("not an object"),
        Err(_) => Line::Other("not JSON"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(bytes: &[u8]) -> Vec<String> {
        let kind = |line: &Line| match line {
            Line::Object(value) => value.to_string(),
            Line::Other(word) => (*word).to_owned(),
        };
        read(bytes).0.iter().map(kind).collect()
    }

    #[test]
    fn keeps_account_of_every_line() {
        let text = b"{\"a\":1}\r\n\n  \n[1]\nhello\n{\"b\":\"\xff\"}\n{\"c\":";
        let expected = [
            r#"{"a":1}"#,
            "not an object",
            "not JSON",
            "{\"b\":\"\u{fffd}\"}",
            "not JSON",
        ];
        assert_eq!(words(text), expected);
        let oddities = read(text).1.describe();
        assert_eq!(
            oddities,
            ["1 lines hold invalid UTF-8", "the last line has no end"]
        );
    }

    #[test]
    fn reads_long_lines_up_to_a_limit() {
        let long = format!("{{\"a\":\"{}\"}}\n", "x".repeat(3 << 20));
        assert!(matches!(
            read(long.as_bytes()).0.as_slice(),
            [Line::Object(_)]
        ));
        let longer = format!("{{\"a\":\"{}\"}}\n", "x".repeat(MOST_LINE_BYTES));
        assert_eq!(words(longer.as_bytes()), ["line too long"]);
    }
}
