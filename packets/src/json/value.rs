// SPDX-License-Identifier: MIT OR Apache-2.0
//! A parsed document that remembers where each value stood and how each number was written.
//!
//! Doubles lose digits and big integers do not fit, so a number stays text until somebody asks for
//! it in a type that can hold it exactly.
//!
//! Every value lies in an [`Arena`] and borrows the text where it can, so that a document of a million
//! values costs a handful of allocations.

use std::fmt;

/// The memory of parsed documents, given back all at once.
#[derive(Default)]
pub struct Arena(bumpalo::Bump);

impl Arena {
    /// An arena without memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn text(&self, text: &str) -> &str {
        self.0.alloc_str(text)
    }

    /// Forgets all that lies here, and keeps the memory.
    pub(super) fn reset(&mut self) {
        self.0.reset();
    }

    pub(super) fn list<T: Copy>(&self, items: &[T]) -> &[T] {
        self.0.alloc_slice_copy(items)
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Arena({} bytes)", self.0.allocated_bytes())
    }
}

/// A place in a document: bytes before it. Line and column are found when somebody asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(u32);

impl Place {
    /// `at` is below the largest document, which is below 4 GiB.
    pub(super) fn new(at: usize) -> Self {
        Self(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// Line and column, in characters, each from 1, in the document of these bytes.
    #[must_use]
    pub fn position(self, bytes: &[u8]) -> (usize, usize) {
        let at = (self.0 as usize).min(bytes.len());
        let before = String::from_utf8_lossy(bytes.get(..at).unwrap_or_default());
        let line = before.matches('\n').count() + 1;
        let last = before.rsplit('\n').next().unwrap_or_default();
        (line, last.chars().count() + 1)
    }
}

/// One value and where it began. Its texts may live longer (`'t`) than its lists and objects (`'n`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value<'n, 't>(Node<'n, 't>);

/// Place and content side by side take less room than one behind the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node<'n, 't> {
    Null(Place),
    Bool(Place, bool),
    Number(Place, &'t str),
    String(Place, &'t str),
    Array(Place, &'n [Value<'n, 't>]),
    Object(Place, &'n [Member<'n, 't>]),
}

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind<'n, 't> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written.
    Number(&'t str),
    /// A string with its escapes resolved.
    String(&'t str),
    /// A list.
    Array(&'n [Value<'n, 't>]),
    /// An object; members in the order of the text, no key twice.
    Object(&'n [Member<'n, 't>]),
}

/// One member of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'n, 't> {
    /// The key with its escapes resolved.
    pub key: &'t str,
    /// Its value.
    pub value: Value<'n, 't>,
}

impl Member<'_, '_> {
    /// Whether this is the member `key`. Keys are short: eight bytes at a time, no call.
    #[inline]
    #[must_use]
    pub fn is(&self, key: &str) -> bool {
        let (one, other) = (self.key.as_bytes(), key.as_bytes());
        if one.len() != other.len() {
            return false;
        }
        match (one.last_chunk::<8>(), other.last_chunk::<8>()) {
            // Keys of one length mostly differ at their ends, if at all.
            (Some(last), Some(other_last)) => {
                last == other_last && one.as_chunks::<8>().0.iter().eq(other.as_chunks::<8>().0)
            }
            _ => one.iter().eq(other),
        }
    }
}

impl<'n, 't> Value<'n, 't> {
    pub(super) fn new(place: Place, kind: ValueKind<'n, 't>) -> Self {
        Self(match kind {
            ValueKind::Null => Node::Null(place),
            ValueKind::Bool(truth) => Node::Bool(place, truth),
            ValueKind::Number(text) => Node::Number(place, text),
            ValueKind::String(text) => Node::String(place, text),
            ValueKind::Array(items) => Node::Array(place, items),
            ValueKind::Object(members) => Node::Object(place, members),
        })
    }

    /// Where the first character stands.
    #[inline]
    #[must_use]
    pub fn place(&self) -> Place {
        match self.0 {
            Node::Null(place)
            | Node::Bool(place, _)
            | Node::Number(place, _)
            | Node::String(place, _)
            | Node::Array(place, _)
            | Node::Object(place, _) => place,
        }
    }

    /// The value itself.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> ValueKind<'n, 't> {
        match self.0 {
            Node::Null(_) => ValueKind::Null,
            Node::Bool(_, truth) => ValueKind::Bool(truth),
            Node::Number(_, text) => ValueKind::Number(text),
            Node::String(_, text) => ValueKind::String(text),
            Node::Array(_, items) => ValueKind::Array(items),
            Node::Object(_, members) => ValueKind::Object(members),
        }
    }

    /// The member `key` of an object.
    #[inline]
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'n Value<'n, 't>> {
        self.as_object()?
            .iter()
            .find(|member| member.is(key))
            .map(|member| &member.value)
    }

    /// The members, when this is an object.
    #[inline]
    #[must_use]
    pub fn as_object(&self) -> Option<&'n [Member<'n, 't>]> {
        match self.0 {
            Node::Object(_, members) => Some(members),
            _ => None,
        }
    }

    /// The items, when this is a list.
    #[inline]
    #[must_use]
    pub fn as_array(&self) -> Option<&'n [Value<'n, 't>]> {
        match self.0 {
            Node::Array(_, items) => Some(items),
            _ => None,
        }
    }

    /// The text, when this is a string.
    #[inline]
    #[must_use]
    pub fn as_str(&self) -> Option<&'t str> {
        match self.0 {
            Node::String(_, text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, when this is one.
    #[inline]
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self.0 {
            Node::Bool(_, truth) => Some(truth),
            _ => None,
        }
    }

    /// The text of the number, when this is one.
    #[inline]
    #[must_use]
    pub fn as_number(&self) -> Option<&'t str> {
        match self.0 {
            Node::Number(_, text) => Some(text),
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
        match self.0 {
            Node::Null(_) => "null",
            Node::Bool(..) => "a truth value",
            Node::Number(..) => "a number",
            Node::String(..) => "a string",
            Node::Array(..) => "a list",
            Node::Object(..) => "an object",
        }
    }
}
