// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON as the seed's own tool writes it, to the byte.
//!
//! The suite's fingerprint is a hash over the suite written again with sorted keys, so the text of
//! every number and every escape matters. The forms are those of Python's `json` and `repr`.

use std::collections::BTreeMap;
use std::fmt::Write;

use deckproof_packets::json::{Value, ValueKind};

use crate::fields::{Fault, Read, wrong};

/// A value to be written; only what a summary holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Bool(bool),
    Count(u64),
    Double(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub(super) fn texts<S: Into<String>>(texts: impl IntoIterator<Item = S>) -> Self {
        Self::List(
            texts
                .into_iter()
                .map(|text| Self::Text(text.into()))
                .collect(),
        )
    }

    pub(super) fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Json)>) -> Self {
        Self::Object(
            members
                .into_iter()
                .map(|(key, value)| (key.into(), value))
                .collect(),
        )
    }

    /// Sorted keys, two spaces of indent, a final newline.
    pub(super) fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Self::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Self::Count(count) => push(out, format_args!("{count}")),
            Self::Double(double) => out.push_str(&float_text(*double)),
            Self::Text(text) => write_text(out, text),
            Self::List(items) => {
                let items = items.iter().map(|item| (None, item));
                write_block(out, ['[', ']'], items, depth);
            }
            Self::Object(members) => {
                let members = members
                    .iter()
                    .map(|(key, value)| (Some(key.as_str()), value));
                write_block(out, ['{', '}'], members, depth);
            }
        }
    }
}

fn write_block<'a>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl Iterator<Item = (Option<&'a str>, &'a Json)>,
    depth: usize,
) {
    out.push(open);
    let mut empty = true;
    for (key, value) in items {
        out.push_str(if empty { "\n" } else { ",\n" });
        empty = false;
        indent(out, depth + 1);
        if let Some(key) = key {
            write_text(out, key);
            out.push_str(": ");
        }
        value.write(out, depth + 1);
    }
    if !empty {
        out.push('\n');
        indent(out, depth);
    }
    out.push(close);
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("  ");
    }
}

/// Writing to a `String` cannot fail.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _infallible = out.write_fmt(text);
}

/// A document with sorted keys and no spaces: what the suite's fingerprint is taken over.
pub(super) fn canonical(value: &Value) -> Read<String> {
    let mut out = String::new();
    write_canonical(&mut out, value)?;
    Ok(out)
}

fn write_canonical(out: &mut String, value: &Value) -> Result<(), Fault> {
    match &value.kind {
        ValueKind::Null => out.push_str("null"),
        ValueKind::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        ValueKind::Number(text) => {
            let number = number_text(text).ok_or_else(|| wrong(value, "a finite number"))?;
            out.push_str(&number);
        }
        ValueKind::String(text) => write_text(out, text),
        ValueKind::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_canonical(out, item)?;
            }
            out.push(']');
        }
        ValueKind::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            // Bytes of UTF-8 sort as code points do.
            sorted.sort_by(|a, b| a.key.cmp(&b.key));
            out.push('{');
            for (at, member) in sorted.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_text(out, &member.key);
                out.push(':');
                write_canonical(out, &member.value)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

/// An integer stays as it was written, but for minus nought; all else becomes a double.
fn number_text(text: &str) -> Option<String> {
    if text == "-0" {
        return Some("0".to_owned());
    }
    if !text.contains(['.', 'e', 'E']) {
        return Some(text.to_owned());
    }
    let double: f64 = text.parse().ok()?;
    double.is_finite().then(|| float_text(double))
}

/// The shortest text that reads back as the same double: with an exponent below 1e-4 and from
/// 1e16 on, and always with a point or an exponent.
pub(super) fn float_text(double: f64) -> String {
    let scientific = format!("{double:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = double.to_string();
        return if plain.contains('.') {
            plain
        } else {
            format!("{plain}.0")
        };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => push(out, format_args!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use deckproof_packets::json::{Limits, parse};

    use super::*;

    #[test]
    fn doubles_have_the_text_of_repr() {
        // Values of Python 3.11: repr(x).
        for (double, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e16, "1.5e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.25e-7, "1.25e-07"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (-2.5, "-2.5"),
        ] {
            assert_eq!(float_text(double), text);
        }
    }

    #[test]
    fn canonical_text_is_sorted_and_bare() {
        let text = "{\"b\": [1, -0, 2.50, 1E2], \"é\": \"\\u00e9\\u0001\\u007f/\\n\", \"a\": {}}";
        let value = parse("f", text.as_bytes(), &Limits::default()).unwrap();
        let expected = "{\"a\":{},\"b\":[1,0,2.5,100.0],\"é\":\"é\\u0001\u{7f}/\\n\"}";
        assert_eq!(canonical(&value).unwrap(), expected);
    }

    #[test]
    fn pretty_text_has_empty_blocks_on_one_line() {
        let json = Json::object([
            ("b", Json::texts(["x"])),
            ("a", Json::texts::<&str>([])),
            ("c", Json::Double(2.0)),
        ]);
        assert_eq!(
            json.pretty(),
            "{\n  \"a\": [],\n  \"b\": [\n    \"x\"\n  ],\n  \"c\": 2.0\n}\n"
        );
    }
}
