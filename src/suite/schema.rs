// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON Schema of `suite.toml`, generated from the types.

use super::Suite;

/// The schema as a document with a final newline, as committed in `docs/suite.schema.json`.
///
/// # Errors
/// When the schema cannot be written as JSON, which the types do not cause.
pub fn json_schema() -> Result<String, serde_json::Error> {
    let mut schema = schemars::schema_for!(Suite);
    schema.insert("title".to_owned(), "A Deckproof suite (suite.toml)".into());
    let mut text = serde_json::to_string_pretty(&schema)?;
    text.push('\n');
    Ok(text)
}
