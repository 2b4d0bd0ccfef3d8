// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading a parsed document field by field, with the place of every fault.
//!
//! A fault is made without a path, so that the good way costs nothing; the path is found
//! afterwards from the place alone.

use std::fmt::{self, Display};

use deckproof_packets::json::{Member, Place, Value, ValueKind};

use crate::exact::Exact;

/// The largest count that is read: 2^53, which every JSON reader holds exactly.
pub(crate) const MAX_COUNT: u64 = 1 << 53;

/// What is wrong at one place of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    pub(crate) found: String,
    pub(crate) expected: String,
}

/// A fault is rare and large: it lies apart, so that what is read stays small.
pub(crate) type Read<T> = Result<T, Box<Fault>>;

/// A hash in the one form, borrowed from its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash<'a>(&'a str);

impl<'a> Hash<'a> {
    /// The hash that `text` is: 64 lower-case hexadecimal digits.
    pub(crate) fn new(text: &'a str) -> Option<Self> {
        let bytes: &[u8; 64] = text.as_bytes().try_into().ok()?;
        let digit = |byte: u8| byte.is_ascii_digit() | (b'a'..=b'f').contains(&byte);
        // No early end: without one, many bytes are looked at in one step.
        let all = bytes.iter().fold(true, |all, byte| all & digit(*byte));
        all.then_some(Self(text))
    }

    /// The 64 digits.
    pub(crate) fn as_str(self) -> &'a str {
        self.0
    }
}

impl Display for Hash<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A fault at `value`.
#[cold]
pub(crate) fn fault(
    value: &Value<'_, '_>,
    found: impl Display,
    expected: impl Display,
) -> Box<Fault> {
    fault_at(value.place(), found, expected)
}

/// A fault at a place.
#[cold]
pub(crate) fn fault_at(place: Place, found: impl Display, expected: impl Display) -> Box<Fault> {
    Box::new(Fault {
        place,
        found: found.to_string(),
        expected: expected.to_string(),
    })
}

/// A fault about what `value` holds.
#[cold]
pub(crate) fn wrong(value: &Value<'_, '_>, expected: impl Display) -> Box<Fault> {
    fault(value, shown(value), expected)
}

/// An object whose keys are all known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Object<'n, 'a> {
    pub(crate) value: Value<'n, 'a>,
    pub(crate) members: &'n [Member<'n, 'a>],
}

/// `value` as an object, whatever its keys are.
pub(crate) fn map<'n, 'a>(value: &Value<'n, 'a>) -> Read<Object<'n, 'a>> {
    match value.as_object() {
        Some(members) => Ok(Object {
            value: *value,
            members,
        }),
        None => Err(wrong(value, "an object")),
    }
}

/// `value` as an object of no other keys than `known`.
pub(crate) fn object<'n, 'a>(value: &Value<'n, 'a>, known: &[&str]) -> Read<Object<'n, 'a>> {
    let object = map(value)?;
    let unknown = |member: &&Member<'_, '_>| !known.iter().any(|key| member.is(key));
    match object.members.iter().find(unknown) {
        None => Ok(object),
        Some(member) => {
            let found = format!("the unknown key `{}`", clipped(member.key));
            Err(fault(
                &member.value,
                found,
                format!("one of {}", known.join(", ")),
            ))
        }
    }
}

impl<'n, 'a> Object<'n, 'a> {
    /// The member `key`.
    pub(crate) fn get(&self, key: &str) -> Read<&'n Value<'n, 'a>> {
        match self.find(key) {
            Some(value) => Ok(value),
            None => Err(fault(
                &self.value,
                format!("no key `{}`", clipped(key)),
                format!("`{}`", clipped(key)),
            )),
        }
    }

    /// The member `key`, if there is one.
    pub(crate) fn find(&self, key: &str) -> Option<&'n Value<'n, 'a>> {
        self.members
            .iter()
            .find(|member| member.is(key))
            .map(|member| &member.value)
    }

    /// The text at `key`; see [`text`].
    pub(crate) fn text(&self, key: &str) -> Read<&'a str> {
        text(self.get(key)?)
    }

    /// The hash at `key`.
    pub(crate) fn hash(&self, key: &str) -> Read<Hash<'a>> {
        hash(self.get(key)?)
    }

    /// The count above nought at `key`.
    pub(crate) fn positive(&self, key: &str) -> Read<u64> {
        let value = self.get(key)?;
        match count(value)? {
            0 => Err(wrong(value, "an integer above 0")),
            known => Ok(known),
        }
    }

    /// The list at `key`.
    pub(crate) fn list(&self, key: &str) -> Read<&'n [Value<'n, 'a>]> {
        list(self.get(key)?)
    }

    /// Demands that the value at `key` is exactly this text.
    pub(crate) fn constant(&self, key: &str, expected: &str) -> Read<()> {
        let value = self.get(key)?;
        match value.as_str() {
            Some(found) if found == expected => Ok(()),
            _ => Err(wrong(value, format!("`{expected}`"))),
        }
    }

    /// Demands that the value at `key` is exactly this truth value.
    pub(crate) fn truth(&self, key: &str, expected: bool) -> Read<()> {
        let value = self.get(key)?;
        match value.as_bool() {
            Some(found) if found == expected => Ok(()),
            _ => Err(wrong(value, expected)),
        }
    }
}

/// A text that is not blank, without the white space around it.
pub(crate) fn text<'a>(value: &Value<'_, 'a>) -> Read<&'a str> {
    let found = value.as_str().ok_or_else(|| wrong(value, "text"))?;
    match stripped(found) {
        "" => Err(wrong(value, "text that is not blank")),
        stripped => Ok(stripped),
    }
}

/// `text` without the white space around it, in the seed's sense: Unicode's, and the four
/// separators U+001C to U+001F.
pub(crate) fn stripped(text: &str) -> &str {
    let graphic = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if graphic(text.as_bytes().first()) && graphic(text.as_bytes().last()) {
        return text;
    }
    text.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c))
}

/// A hash in the one form: 64 lower-case hexadecimal digits.
pub(crate) fn hash<'a>(value: &Value<'_, 'a>) -> Read<Hash<'a>> {
    let hash = value.as_str().and_then(Hash::new);
    hash.ok_or_else(|| wrong(value, "a SHA-256 hash of 64 lower-case hexadecimal digits"))
}

/// An integer from nought to [`MAX_COUNT`], written as one.
pub(crate) fn count(value: &Value<'_, '_>) -> Read<u64> {
    match value.as_number().and_then(|text| text.parse::<u64>().ok()) {
        Some(count) if count <= MAX_COUNT => Ok(count),
        _ => Err(wrong(value, format!("an integer from 0 to {MAX_COUNT}"))),
    }
}

/// A decimal number, exactly.
pub(crate) fn number(value: &Value<'_, '_>) -> Read<Exact> {
    let text = value.as_number().ok_or_else(|| wrong(value, "a number"))?;
    text.parse()
        .map_err(|error| fault(value, error, "a number"))
}

/// A truth value.
pub(crate) fn boolean(value: &Value<'_, '_>) -> Read<bool> {
    value.as_bool().ok_or_else(|| wrong(value, "true or false"))
}

/// A list.
pub(crate) fn list<'n, 'a>(value: &Value<'n, 'a>) -> Read<&'n [Value<'n, 'a>]> {
    value.as_array().ok_or_else(|| wrong(value, "a list"))
}

/// A value in a few words, for messages.
pub(crate) fn shown(value: &Value<'_, '_>) -> String {
    match value.kind() {
        ValueKind::Null => "null".to_owned(),
        ValueKind::Bool(truth) => truth.to_string(),
        ValueKind::Number(text) => clipped(text),
        ValueKind::String(text) => format!("`{}`", clipped(text)),
        ValueKind::Array(items) => format!("a list of {}", items.len()),
        ValueKind::Object(members) => format!("an object of {} keys", members.len()),
    }
}

/// At most eighty characters of a text that somebody else wrote, on one line.
pub(crate) fn clipped(text: &str) -> String {
    let mut clipped: String = text
        .chars()
        .take(80)
        .flat_map(|c| c.escape_debug().collect::<Vec<_>>())
        .collect();
    if text.chars().nth(80).is_some() {
        clipped.push('…');
    }
    clipped
}

/// The JSON pointer of the value that begins at `place`.
pub(crate) fn pointer(root: &Value<'_, '_>, place: Place) -> String {
    let mut path = String::new();
    let mut here = *root;
    while let Some((step, next)) = step_towards(here, place) {
        path.push('/');
        path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        here = next;
    }
    if path.is_empty() {
        "/".to_owned()
    } else {
        path
    }
}

/// The child that holds the place: the last one that begins no later.
fn step_towards<'n, 'a>(value: Value<'n, 'a>, place: Place) -> Option<(String, Value<'n, 'a>)> {
    if value.place() == place {
        return None;
    }
    match value.kind() {
        ValueKind::Array(items) => {
            let at = items.iter().rposition(|item| item.place() <= place)?;
            Some((at.to_string(), *items.get(at)?))
        }
        ValueKind::Object(members) => {
            let member = members
                .iter()
                .rfind(|member| member.value.place() <= place)?;
            Some((clipped(member.key), member.value))
        }
        _ => None,
    }
}
