// SPDX-License-Identifier: MIT OR Apache-2.0
//! A parsed document that remembers where each value stood and how each number was written.
//!
//! Doubles lose digits and big integers do not fit, so a number stays text until somebody asks for
//! it in a type that can hold it exactly.

use std::borrow::Cow;

/// One value and where it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value<'a> {
    /// Line of the first character, from 1.
    pub line: usize,
    /// Column of the first character, in characters, from 1.
    pub column: usize,
    /// The value itself.
    pub kind: ValueKind<'a>,
}

/// The six kinds of JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueKind<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written.
    Number(&'a str),
    /// A string with its escapes resolved.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Value<'a>>),
    /// An object; members in the order of the text, no key twice.
    Object(Vec<Member<'a>>),
}

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'a> {
    /// The key with its escapes resolved.
    pub key: Cow<'a, str>,
    /// Its value.
    pub value: Value<'a>,
}

impl<'a> Value<'a> {
    /// The member `key` of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.as_object()?
            .iter()
            .find(|member| member.key == key)
            .map(|member| &member.value)
    }

    /// The members, when this is an object.
    #[must_use]
    pub fn as_object(&self) -> Option<&[Member<'a>]> {
        match &self.kind {
            ValueKind::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The items, when this is a list.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value<'a>]> {
        match &self.kind {
            ValueKind::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, when this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, when this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.kind {
            ValueKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The text of the number, when this is one.
    #[must_use]
    pub fn as_number(&self) -> Option<&str> {
        match &self.kind {
            ValueKind::Number(text) => Some(text),
            _ => None,
        }
    }

    /// The number, when it was written as an integer (no point, no exponent) that fits.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.parse().ok()
    }

    /// What kind of value this is, for messages.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            ValueKind::Null => "null",
            ValueKind::Bool(_) => "a truth value",
            ValueKind::Number(_) => "a number",
            ValueKind::String(_) => "a string",
            ValueKind::Array(_) => "a list",
            ValueKind::Object(_) => "an object",
        }
    }
}
