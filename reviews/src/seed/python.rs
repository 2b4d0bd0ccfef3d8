// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON as the seed's own tool writes it, to the byte.
//!
//! The suite's fingerprint is a hash over the suite written again with sorted keys, so the text of
//! every number and every escape matters. The forms are those of Python's `json` and `repr`.

use std::borrow::Cow;
use std::fmt::Write;

use deckproof_packets::json::{Value, ValueKind};

use crate::fields::{Read, wrong};

/// A value to be written; only what a summary holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json<'a> {
    Bool(bool),
    Count(u64),
    Double(f64),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    /// Sorted by key, no key twice: see [`Json::object`].
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
    /// Written already: see [`Json::written`].
    Written(String),
}

impl<'a> Json<'a> {
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn texts<S: Into<Cow<'a, str>>>(texts: impl IntoIterator<Item = S>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }

    /// Of members of one key, the last one stands.
    pub(super) fn object<K: Into<Cow<'a, str>>>(
        members: impl IntoIterator<Item = (K, Json<'a>)>,
    ) -> Self {
        let members = members.into_iter().map(|(key, value)| (key.into(), value));
        let mut members: Vec<(Cow<'a, str>, Self)> = members.collect();
        // Most are written in their order already.
        if !members.is_sorted_by(|one, other| one.0 < other.0) {
            members.reverse();
            members.sort_by(|one, other| one.0.cmp(&other.0));
            members.dedup_by(|later, kept| later.0 == kept.0);
        }
        Self::Object(members)
    }

    /// The same value as text, for a place that lies `depth` blocks deep.
    pub(super) fn written(&self, depth: usize) -> Json<'static> {
        let mut out = String::with_capacity(2 << 10);
        self.write(&mut out, depth);
        Json::Written(out)
    }

    /// Sorted keys, two spaces of indent, a final newline.
    pub(super) fn pretty(&self) -> String {
        let mut out = String::with_capacity(self.written_bytes() + (16 << 10));
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    /// About the bytes of all that is written already.
    fn written_bytes(&self) -> usize {
        match self {
            Self::Written(text) => text.len() + 64,
            Self::List(items) => items.iter().map(Self::written_bytes).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| value.written_bytes()).sum(),
            Self::Bool(_) | Self::Count(_) | Self::Double(_) | Self::Text(_) => 0,
        }
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Self::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Self::Count(count) => out.push_str(itoa::Buffer::new().format(*count)),
            Self::Double(double) => write_float(out, *double),
            Self::Text(text) => write_text(out, text),
            Self::Written(text) => out.push_str(text),
            Self::List(items) => {
                let items = items.iter().map(|item| (None, item));
                write_block(out, ['[', ']'], items, depth);
            }
            Self::Object(members) => {
                let members = members.iter().map(|(key, value)| (Some(&**key), value));
                write_block(out, ['{', '}'], members, depth);
            }
        }
    }
}

fn write_block<'a>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl Iterator<Item = (Option<&'a str>, &'a Json<'a>)>,
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
    const SPACES: &str = "                                ";
    match SPACES.get(..depth * 2) {
        Some(spaces) => out.push_str(spaces),
        None => out.extend(std::iter::repeat_n("  ", depth)),
    }
}

/// Writing to a `String` cannot fail.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _infallible = out.write_fmt(text);
}

/// A document with sorted keys and no spaces: what the suite's fingerprint is taken over. It goes
/// to `take` piece by piece.
pub(super) fn canonical(value: &Value<'_, '_>, take: &mut dyn FnMut(&[u8])) -> Read<()> {
    let mut out = String::with_capacity(2 * CANONICAL_PIECE);
    write_canonical(&mut out, value, take)?;
    take(out.as_bytes());
    Ok(())
}

/// Bytes from which on a piece is handed over.
const CANONICAL_PIECE: usize = 16 << 10;

fn write_canonical(
    out: &mut String,
    value: &Value<'_, '_>,
    take: &mut dyn FnMut(&[u8]),
) -> Read<()> {
    if out.len() > CANONICAL_PIECE {
        take(out.as_bytes());
        out.clear();
    }
    match value.kind() {
        ValueKind::Null => out.push_str("null"),
        ValueKind::Bool(truth) => out.push_str(if truth { "true" } else { "false" }),
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
                write_canonical(out, item, take)?;
            }
            out.push(']');
        }
        ValueKind::Object(members) => {
            let mut sorted = Cow::Borrowed(members);
            // Bytes of UTF-8 sort as code points do.
            if !members.is_sorted_by_key(|member| member.key) {
                sorted.to_mut().sort_by_key(|member| member.key);
            }
            out.push('{');
            for (at, member) in sorted.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_text(out, member.key);
                out.push(':');
                write_canonical(out, &member.value, take)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

/// An integer stays as it was written, but for minus nought; all else becomes a double.
fn number_text(text: &str) -> Option<Cow<'_, str>> {
    if text == "-0" {
        return Some(Cow::Borrowed("0"));
    }
    if !text.contains(['.', 'e', 'E']) {
        return Some(Cow::Borrowed(text));
    }
    let double: f64 = text.parse().ok()?;
    double.is_finite().then(|| Cow::Owned(float_text(double)))
}

/// The shortest text that reads back as the same double: with an exponent below 1e-4 and from
/// 1e16 on, and always with a point or an exponent.
fn write_float(out: &mut String, double: f64) {
    // Between these bounds the shortest text has the same form everywhere.
    if (1e-3..1e9).contains(&double.abs()) {
        return out.push_str(zmij::Buffer::new().format_finite(double));
    }
    if double == 0.0 || (1e-4..1e16).contains(&double.abs()) {
        return push(out, format_args!("{double:?}"));
    }
    let scientific = format!("{double:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    push(
        out,
        format_args!("{mantissa}e{sign}{:02}", exponent.unsigned_abs()),
    );
}

fn float_text(double: f64) -> String {
    let mut text = String::new();
    write_float(&mut text, double);
    text
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    let special = |byte: u8| (byte == b'"') | (byte == b'\\') | (byte < b' ');
    // Nearly every text goes over in one piece. No early end: many bytes are looked at in one step.
    if !text.bytes().fold(false, |any, byte| any | special(byte)) {
        out.push_str(text);
        out.push('"');
        return;
    }
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
    use deckproof_packets::json::{Arena, Limits, parse};

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
    fn the_quick_way_gives_the_text_of_the_long_way() {
        let mut out = String::new();
        for at in 0..200_000_u32 {
            let whole = f64::from(at) * 37.0;
            for double in [
                whole,
                -whole / 10.0,
                whole / 10_000.0,
                whole.sqrt(),
                1.0 / whole,
            ] {
                out.clear();
                write_float(&mut out, double);
                if (1e-3..1e9).contains(&double.abs()) {
                    assert_eq!(out, format!("{double:?}"));
                }
            }
        }
    }

    #[test]
    fn canonical_text_is_sorted_and_bare() {
        let text = "{\"b\": [1, -0, 2.50, 1E2], \"é\": \"\\u00e9\\u0001\\u007f/\\n\", \"a\": {}}";
        let arena = Arena::new();
        let value = parse("f", text.as_bytes(), &Limits::default(), &arena).unwrap();
        let expected = "{\"a\":{},\"b\":[1,0,2.5,100.0],\"é\":\"é\\u0001\u{7f}/\\n\"}";
        let mut written = Vec::new();
        canonical(&value, &mut |piece| written.extend_from_slice(piece)).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }

    #[test]
    fn what_was_written_before_stands_as_if_it_had_not_been() {
        let inner = || Json::object([("b", Json::texts(["x"])), ("a", Json::Count(1))]);
        let whole = Json::object([("in", inner())]).pretty();
        assert_eq!(Json::object([("in", inner().written(1))]).pretty(), whole);
    }

    #[test]
    fn pretty_text_has_empty_blocks_on_one_line() {
        let json = Json::object([
            ("b", Json::texts(["x"])),
            ("a", Json::text("first")),
            ("a", Json::texts::<&str>([])),
            ("c", Json::Double(2.0)),
        ]);
        assert_eq!(
            json.pretty(),
            "{\n  \"a\": [],\n  \"b\": [\n    \"x\"\n  ],\n  \"c\": 2.0\n}\n"
        );
    }
}
