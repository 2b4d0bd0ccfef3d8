// SPDX-License-Identifier: MIT OR Apache-2.0
//! A value that remembers where in `suite.toml` it stood.
//!
//! A rule that spans several keys is checked long after parsing; its message must still point at a
//! line and a column.

use std::borrow::Cow;
use std::ops::{Deref, Range};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// A value and its place, as byte offsets into the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At<T> {
    value: T,
    span: Range<usize>,
}

impl<T> At<T> {
    /// The byte offsets of the value.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// A value that no file states, such as a default.
    pub(super) fn nowhere(value: T) -> Self {
        Self { value, span: 0..0 }
    }

    /// The value alone.
    #[must_use]
    pub fn get(&self) -> &T {
        &self.value
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::<T>::deserialize(deserializer)?;
        let span = spanned.span();
        Ok(Self {
            value: spanned.into_inner(),
            span,
        })
    }
}

impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
