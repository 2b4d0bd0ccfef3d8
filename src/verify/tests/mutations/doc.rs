// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON as the tests bend it: order of keys and keys that stand twice are kept, and any text may
//! stand in the place of a value.

use std::fmt;

use deckproof_packets::hash::Sha256Hex;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Doc {
    Null,
    Truth(bool),
    Number(serde_json::Number),
    Text(String),
    List(Vec<Doc>),
    Object(Vec<(String, Doc)>),
    /// Written as it is: numbers and words that no reader should take.
    Raw(&'static str),
}

/// Where a value stands: positions, from the root.
pub(super) type Place = Vec<usize>;

impl Doc {
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    pub(super) fn text(text: impl ToString) -> Self {
        Self::Text(text.to_string())
    }

    pub(super) fn count(number: u64) -> Self {
        Self::Number(number.into())
    }

    /// The untyped value, unless a key stands twice.
    pub(super) fn value(&self) -> Option<Value> {
        Some(match self {
            Self::Null => Value::Null,
            Self::Truth(truth) => Value::Bool(*truth),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone()),
            Self::List(items) => {
                Value::Array(items.iter().map(Self::value).collect::<Option<_>>()?)
            }
            Self::Object(members) => {
                let mut map = Map::new();
                for (key, value) in members {
                    if map.insert(key.clone(), value.value()?).is_some() {
                        return None;
                    }
                }
                Value::Object(map)
            }
            Self::Raw(_) => return None,
        })
    }

    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The value below several keys.
    pub(super) fn at(&self, keys: &str) -> Option<&Self> {
        keys.split('/').try_fold(self, |doc, key| doc.get(key))
    }

    pub(super) fn at_mut(&mut self, keys: &str) -> Option<&mut Self> {
        keys.split('/').try_fold(self, |doc, key| match doc {
            Self::Object(members) => members
                .iter_mut()
                .find(|(name, _)| name == key)
                .map(|(_, v)| v),
            _ => None,
        })
    }

    pub(super) fn set(&mut self, keys: &str, value: Self) -> Option<()> {
        *self.at_mut(keys)? = value;
        Some(())
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn items_mut(&mut self) -> &mut [Self] {
        match self {
            Self::List(items) => items,
            _ => &mut [],
        }
    }

    fn children(&self) -> Vec<&Self> {
        match self {
            Self::List(items) => items.iter().collect(),
            Self::Object(members) => members.iter().map(|(_, value)| value).collect(),
            _ => Vec::new(),
        }
    }

    /// The places of every value but the root.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut found = Vec::new();
        self.collect(&mut Vec::new(), &mut found);
        found
    }

    fn collect(&self, at: &mut Place, found: &mut Vec<Place>) {
        for (index, child) in self.children().into_iter().enumerate() {
            at.push(index);
            found.push(at.clone());
            child.collect(at, found);
            at.pop();
        }
    }

    pub(super) fn find(&self, place: &[usize]) -> &Self {
        place.iter().fold(self, |doc, index| doc.children()[*index])
    }

    pub(super) fn find_mut(&mut self, place: &[usize]) -> &mut Self {
        place.iter().fold(self, |doc, index| match doc {
            Self::List(items) => &mut items[*index],
            Self::Object(members) => &mut members[*index].1,
            _ => panic!("no such place"),
        })
    }

    /// The place in keys, for people.
    pub(super) fn name(&self, place: &[usize]) -> String {
        let mut doc = self;
        let mut name = String::new();
        for index in place {
            name.push('/');
            match doc {
                Self::Object(members) => name.push_str(&members[*index].0),
                _ => name.push_str(&index.to_string()),
            }
            doc = doc.children()[*index];
        }
        name
    }

    /// One line, as the journal has it.
    pub(super) fn line(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, None);
        out
    }

    /// Two spaces of indent and a final newline, as other files have it.
    pub(super) fn pretty(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Some(0));
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, indent: Option<usize>) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Truth(truth) => out.push_str(&truth.to_string()),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::Text(text) => out.push_str(&quoted(text)),
            Self::Raw(text) => out.push_str(text),
            Self::List(items) => {
                let items = items.iter().map(|item| (String::new(), item));
                write_all(out, ['[', ']'], items.collect(), indent);
            }
            Self::Object(members) => {
                let colon = if indent.is_some() { ": " } else { ":" };
                let members = members
                    .iter()
                    .map(|(key, value)| (quoted(key) + colon, value));
                write_all(out, ['{', '}'], members.collect(), indent);
            }
        }
    }

    /// Its hash, as a file that people open.
    pub(super) fn pretty_sha256(&self) -> String {
        Sha256Hex::of(self.pretty().as_bytes()).to_string()
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn write_all(
    out: &mut String,
    brackets: [char; 2],
    items: Vec<(String, &Doc)>,
    indent: Option<usize>,
) {
    out.push(brackets[0]);
    let inner = indent.map(|depth| depth + 1);
    let none = items.is_empty();
    for (number, (head, item)) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        if let Some(depth) = inner {
            out.push('\n');
            out.push_str(&"  ".repeat(depth));
        }
        out.push_str(&head);
        item.write(out, inner);
    }
    if let (Some(depth), false) = (indent, none) {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(brackets[1]);
}

impl<'de> Deserialize<'de> for Doc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyDoc)
    }
}

struct AnyDoc;

impl<'de> Visitor<'de> for AnyDoc {
    type Value = Doc;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Doc, E> {
        Ok(Doc::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Doc, E> {
        Ok(Doc::Truth(truth))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Doc, E> {
        Ok(Doc::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Doc, E> {
        Ok(Doc::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Doc, E> {
        Ok(serde_json::Number::from_f64(number).map_or(Doc::Null, Doc::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Doc, E> {
        Ok(Doc::text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Doc, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            all.push(item);
        }
        Ok(Doc::List(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Doc, A::Error> {
        let mut all = Vec::new();
        while let Some(member) = members.next_entry()? {
            all.push(member);
        }
        Ok(Doc::Object(all))
    }
}
