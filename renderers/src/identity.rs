// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who drew the pictures: two render sets may be compared only when this is equal.

use serde::{Deserialize, Serialize};

use crate::hash::sha256_hex;

/// Everything about a renderer that may change a pixel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RendererIdentity {
    /// `chromium`, `native` or `libreoffice`.
    pub name: String,
    /// What the renderer says about itself, such as `156.0.8078.108`.
    pub version: String,
    /// SHA-256 of the executable (or of the crate's sources for a built-in renderer).
    pub executable_sha256: String,
    /// SHA-256 over the fonts it may use.
    pub fonts_sha256: String,
    /// Switches and levels that matter, in a fixed order.
    pub flags: Vec<String>,
    /// Whether the same deck is promised to give the same bytes on every run.
    pub deterministic: bool,
}

impl RendererIdentity {
    /// A hash over every field, each preceded by its length, so that no two identities collide by
    /// moving bytes from one field to the next.
    #[must_use]
    pub fn sha256(&self) -> String {
        let deterministic = if self.deterministic { "1" } else { "0" };
        let count = self.flags.len().to_string();
        let fixed = [
            self.name.as_str(),
            &self.version,
            &self.executable_sha256,
            &self.fonts_sha256,
            deterministic,
            &count,
        ];
        let flags = self.flags.iter().map(String::as_str);
        let mut bytes = b"deckproof renderer identity 1\n".to_vec();
        for field in fixed.into_iter().chain(flags) {
            bytes.extend_from_slice(&(field.len() as u64).to_be_bytes());
            bytes.extend_from_slice(field.as_bytes());
        }
        sha256_hex(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity() -> RendererIdentity {
        RendererIdentity {
            name: "chromium".into(),
            version: "1".into(),
            executable_sha256: "aa".into(),
            fonts_sha256: "bb".into(),
            flags: vec!["x".into(), "yz".into()],
            deterministic: true,
        }
    }

    #[test]
    fn every_field_changes_the_hash() {
        let base = identity();
        let changes: [fn(&mut RendererIdentity); 7] = [
            |i| i.name.push('2'),
            |i| i.version.push('2'),
            |i| i.executable_sha256.push('2'),
            |i| i.fonts_sha256.push('2'),
            |i| i.flags.push(String::new()),
            |i| i.flags = vec!["xy".into(), "z".into()],
            |i| i.deterministic = false,
        ];
        let mut seen = vec![base.sha256()];
        for change in changes {
            let mut other = base.clone();
            change(&mut other);
            assert!(!seen.contains(&other.sha256()), "{other:?}");
            seen.push(other.sha256());
        }
    }

    #[test]
    fn it_survives_json_and_refuses_unknown_fields() {
        let text = serde_json::to_string(&identity()).unwrap();
        assert_eq!(
            serde_json::from_str::<RendererIdentity>(&text).unwrap(),
            identity()
        );
        let more = text.replacen('{', "{\"extra\":1,", 1);
        assert!(serde_json::from_str::<RendererIdentity>(&more).is_err());
    }
}
