// SPDX-License-Identifier: MIT OR Apache-2.0
//! A path in `suite.toml`: [`RelPath`]'s one normal form, with a JSON Schema.

use std::borrow::Cow;
use std::ops::Deref;

use deckproof_packets::relpath::RelPath;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

/// A file or folder below the folder of `suite.toml`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub struct SuitePath(RelPath);

impl Deref for SuitePath {
    type Target = RelPath;

    fn deref(&self) -> &RelPath {
        &self.0
    }
}

impl JsonSchema for SuitePath {
    fn schema_name() -> Cow<'static, str> {
        "SuitePath".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "minLength": 1,
            "description": "A path relative to the suite's folder, components joined by `/`, without `.` and `..`."
        })
    }
}
