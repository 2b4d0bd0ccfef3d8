// SPDX-License-Identifier: MIT OR Apache-2.0
//! SHA-256 in the one form that evidence uses: 64 lower-case hexadecimal digits.
//!
//! Every hash in a Deckproof file is a [`Sha256Hex`]. The type refuses upper case, so that two
//! spellings of one hash can never be taken for a difference, or a difference for a spelling.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

/// Bytes of the first read of a file.
const SMALL: usize = 1 << 12;
/// Bytes of every further one: no more than stays in the cache between reading and hashing.
const LARGE: usize = 1 << 16;

/// A SHA-256 hash written as 64 lower-case hexadecimal digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256Hex(String);

impl Sha256Hex {
    /// The hash of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::from_digest(Sha256::digest(bytes).as_slice())
    }

    /// The hash of all that `write` hands over, one piece after the other.
    ///
    /// # Errors
    /// That of `write`.
    pub fn of_pieces<E>(
        write: impl FnOnce(&mut dyn FnMut(&[u8])) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut hasher = Sha256::new();
        write(&mut |piece| hasher.update(piece))?;
        Ok(Self::from_digest(hasher.finalize().as_slice()))
    }

    /// Reads `reader` to its end, at most `limit` bytes, and returns the hash and the byte count.
    ///
    /// # Errors
    /// Any read error, and [`io::ErrorKind::FileTooLarge`] when more than `limit` bytes come.
    pub fn of_reader(mut reader: impl Read, limit: u64) -> io::Result<(Self, u64)> {
        let mut hasher = Sha256::new();
        // Most files are small, and clearing a large buffer for each would cost more than they do.
        let mut small = [0_u8; SMALL];
        let mut large = Vec::new();
        let mut total = 0_u64;
        loop {
            let buffer = if total < SMALL as u64 {
                small.as_mut_slice()
            } else {
                large.resize(LARGE, 0);
                large.as_mut_slice()
            };
            let read = reader.read(buffer)?;
            if read == 0 {
                break;
            }
            total = total.saturating_add(read as u64);
            if total > limit {
                return Err(io::Error::new(
                    io::ErrorKind::FileTooLarge,
                    format!("the file is larger than the limit of {limit} bytes"),
                ));
            }
            hasher.update(buffer.get(..read).unwrap_or_default());
        }
        Ok((Self::from_digest(hasher.finalize().as_slice()), total))
    }

    /// The 64 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn from_digest(digest: &[u8]) -> Self {
        Self(hex(digest))
    }
}

/// `bytes` as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let mut digits = vec![0; bytes.len() * 2];
    for (pair, byte) in digits.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = [hex_digit(byte >> 4), hex_digit(byte & 0x0f)];
    }
    String::from_utf8(digits).unwrap_or_default()
}

/// The digit of a number below 16.
fn hex_digit(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}

/// The text is not a hash in the one form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found `{found}`, expected 64 lower-case hexadecimal digits")]
pub struct NotAHash {
    found: String,
}

impl FromStr for Sha256Hex {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 64 && text.bytes().all(digit) {
            return Ok(Self(text.to_owned()));
        }
        Err(NotAHash {
            found: text.chars().take(80).collect(),
        })
    }
}

impl fmt::Display for Sha256Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Sha256Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Sha256Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Sha256Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// A SHA-256 over fields of any length that no other list of fields can produce.
///
/// Each field goes in as its length (eight bytes, big-endian) and its bytes, after a domain name
/// that goes in the same way. `("a", "bc")` and `("ab", "c")` therefore differ, and so do equal
/// fields hashed for two purposes.
#[derive(Debug, Clone)]
pub struct FieldHasher(Sha256);

impl FieldHasher {
    /// Starts a hash for one purpose, named by `domain`.
    #[must_use]
    pub fn new(domain: &str) -> Self {
        let mut hasher = Self(Sha256::new());
        hasher.field(domain.as_bytes());
        hasher
    }

    /// Adds one field.
    pub fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
        self
    }

    /// The hash of all fields so far.
    #[must_use]
    pub fn finish(&self) -> Sha256Hex {
        Sha256Hex::from_digest(self.0.clone().finalize().as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_the_published_vector() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Sha256Hex::of(b"abc").as_str(), expected);
        let (hash, bytes) = Sha256Hex::of_reader(&b"abc"[..], 3).unwrap();
        assert_eq!((hash.as_str(), bytes), (expected, 3));
    }

    #[test]
    fn a_longer_reader_is_refused() {
        let error = Sha256Hex::of_reader(&b"abcd"[..], 3).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn only_the_one_form_is_read() {
        let good = Sha256Hex::of(b"");
        assert_eq!(good.as_str().parse::<Sha256Hex>().unwrap(), good);
        for bad in [
            "",
            "ab",
            &good.as_str().to_uppercase(),
            &format!(" {good}"),
            &"g".repeat(64),
        ] {
            assert!(bad.parse::<Sha256Hex>().is_err(), "{bad}");
        }
    }

    #[test]
    fn field_boundaries_and_domains_count() {
        let hash = |domain: &str, fields: &[&str]| {
            let mut hasher = FieldHasher::new(domain);
            for field in fields {
                hasher.field(field.as_bytes());
            }
            hasher.finish()
        };
        assert_ne!(hash("x", &["a", "bc"]), hash("x", &["ab", "c"]));
        assert_ne!(hash("x", &["a"]), hash("y", &["a"]));
        assert_ne!(hash("x", &["a"]), hash("x", &["a", ""]));
    }
}
