// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of suites, arms, cases and skills: short, and safe as file names everywhere.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// 1 to 48 lower-case letters, digits and inner hyphens.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

const PATTERN: &str = "^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$";

impl Id {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads a name.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let good = (1..=48).contains(&text.len())
            && text.bytes().all(|byte| letter(byte) || byte == b'-')
            && !text.starts_with('-')
            && !text.ends_with('-');
        good.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "found the name `{text}`, expected 1 to 48 lower-case letters, digits and inner hyphens"
            ))
        })
    }
}

impl JsonSchema for Id {
    fn schema_name() -> Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": PATTERN })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names() {
        for good in ["a", "html", "q3-create", "0", &"a".repeat(48)] {
            assert!(Id::new(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "-a",
            "a-",
            "A",
            "a_b",
            "a.b",
            "a/b",
            "ä",
            &"a".repeat(49),
        ] {
            assert!(Id::new(bad).is_none(), "{bad}");
        }
    }
}
