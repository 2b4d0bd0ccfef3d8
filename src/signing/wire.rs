// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pieces of SSH's formats: strings with a length before them, and armour of base64.
//! (RFC 4251, section 5.)

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Longest armoured text, in bytes.
pub(super) const MAX_TEXT: usize = 64 << 10;
/// Base64 digits of one line, as ssh-keygen writes them.
const LINE: usize = 70;

/// What is left to read of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn literal(&mut self, expected: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    pub(super) fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    pub(super) fn string(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }

    /// Nothing is left.
    pub(super) fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// Appends a string with its length.
pub(super) fn put(to: &mut Vec<u8>, string: &[u8]) {
    let length = u32::try_from(string.len()).unwrap_or(u32::MAX);
    to.extend_from_slice(&length.to_be_bytes());
    to.extend_from_slice(string);
}

/// The bytes between the lines `BEGIN name` and `END name`, which are all that the text holds.
pub(super) fn unarmoured(text: &[u8], name: &str) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let body = text
        .trim()
        .strip_prefix(&format!("-----BEGIN {name}-----"))?;
    let body = body.strip_suffix(&format!("-----END {name}-----"))?;
    let digits: String = body.split_ascii_whitespace().collect();
    STANDARD.decode(digits).ok()
}

/// `bytes` as armoured text.
pub(super) fn armoured(bytes: &[u8], name: &str) -> String {
    let digits = STANDARD.encode(bytes);
    let mut text = format!("-----BEGIN {name}-----\n");
    for line in digits.as_bytes().chunks(LINE) {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
    text.push_str(&format!("-----END {name}-----\n"));
    text
}

/// The bytes of one word of base64.
pub(super) fn decoded(word: &str) -> Option<Vec<u8>> {
    STANDARD.decode(word).ok()
}
