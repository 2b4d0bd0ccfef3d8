// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an agent's model answers, and what else an agent may reach, in one normal form each.
//!
//! A relay compares what an agent asks for with these texts, so a text that could be read in two
//! ways would open more than the suite says.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// A `host:port` pair in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target(String);

impl Target {
    /// Reads `host:port`.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        let good = is_host(host) && is_port(port);
        good.then(|| Self(text.to_owned()))
    }

    /// The pair as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The URL at which a model answers: `http` or `https`, a host, perhaps a port and a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    url: String,
    target: Target,
}

impl Endpoint {
    /// Reads a URL without user, query or fragment.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let (rest, standard) = match text.split_once("://")? {
            ("http", rest) => (rest, 80),
            ("https", rest) => (rest, 443),
            _ => return None,
        };
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let target = match authority.contains(':') {
            true => Target::new(authority)?,
            false => Target::new(&format!("{authority}:{standard}"))?,
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "/-._~".contains(c);
        let good = path.chars().all(plain) && !path.contains("..");
        good.then(|| Self {
            url: text.trim_end_matches('/').to_owned(),
            target,
        })
    }

    /// The URL, without a slash at its end.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What has to be reached for it.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.target
    }
}

fn is_host(host: &str) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    let edges = |c: char| c.is_ascii_alphanumeric();
    host.chars().all(good) && host.starts_with(edges) && host.ends_with(edges) && host.len() < 254
}

fn is_port(port: &str) -> bool {
    !port.starts_with(['0', '+']) && port.parse::<u16>().is_ok()
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| {
            let found = text.escape_debug();
            serde::de::Error::custom(format!(
                "found `{found}`, expected host:port, such as \"api.example.com:443\""
            ))
        })
    }
}

impl<'de> Deserialize<'de> for Endpoint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::new(&text).ok_or_else(|| {
            let found = text.escape_debug();
            serde::de::Error::custom(format!(
                "found `{found}`, expected a URL in lower case without user and query, such as \"https://models.example.com/v1\""
            ))
        })
    }
}

impl JsonSchema for Target {
    fn schema_name() -> Cow<'static, str> {
        "Target".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[a-z0-9.-]+:[0-9]{1,5}$",
            "description": "host:port, in lower case."
        })
    }
}

impl JsonSchema for Endpoint {
    fn schema_name() -> Cow<'static, str> {
        "Endpoint".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^https?://[a-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9/._~-]*)?$",
            "description": "A URL without user, query and fragment."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_urls_and_what_they_reach() {
        for (url, target) in [
            ("https://api.example.com", "api.example.com:443"),
            ("http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
            ("http://models/", "models:80"),
        ] {
            let endpoint = Endpoint::new(url).unwrap();
            assert_eq!(endpoint.target().as_str(), target);
            assert_eq!(endpoint.url(), url.trim_end_matches('/'));
        }
    }

    #[test]
    fn refuses_what_could_be_read_in_two_ways() {
        for bad in [
            "",
            "ftp://a",
            "https://",
            "https://A.example",
            "https://user@a",
            "https://a:0",
            "https://a:99999",
            "https://a?x=1",
            "https://a#b",
            "https://a/../b",
            "https://a b",
            "https://[::1]:80",
            "https://a/\"",
        ] {
            assert!(Endpoint::new(bad).is_none(), "{bad}");
        }
        for bad in ["a", ":1", "a:", "a:+1", "a:01", "-a:1", "a.:1", "A:1"] {
            assert!(Target::new(bad).is_none(), "{bad}");
        }
    }
}
