// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that carry the hash of the file that hashes them.
//!
//! The page writes responses and the form is one already, so both must know `packet_sha256`, the
//! hash of `packet.json`; and `packet.json` holds the hash of both. The circle is cut at one place:
//! for its hash in `packet.json`, such a file counts with 64 zeros where the packet's hash stands.
//! Every byte is still bound, the 64 digits by being equal to the hash of `packet.json`, all others
//! by the file's own hash; and whoever has `sha256sum` can check it, whatever wrote the packet.

use crate::hash::Sha256Hex;

/// What stands in the place of the packet's hash until that is known.
pub(super) const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A file whose one place for the packet's hash is still blank.
#[derive(Debug, Clone)]
pub(super) struct Blank {
    bytes: Vec<u8>,
    at: usize,
}

impl Blank {
    /// The file `before`, the hash's place, `after`.
    pub(super) fn new(before: &str, after: &str) -> Self {
        let bytes = [before, BLANK, after].concat().into_bytes();
        Self {
            bytes,
            at: before.len(),
        }
    }

    /// The bytes that `packet.json` hashes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file with the packet's hash in its place.
    pub(super) fn stamped(mut self, packet_sha256: &Sha256Hex) -> Vec<u8> {
        let place = self.bytes.get_mut(self.at..self.at + BLANK.len());
        if let Some(place) = place {
            place.copy_from_slice(packet_sha256.as_str().as_bytes());
        }
        self.bytes
    }
}

/// The bytes that `packet.json` hashes, from a file as it lies there; `None` when the packet's hash
/// does not stand in it exactly once.
pub(super) fn blanked(bytes: &[u8], packet_sha256: &Sha256Hex) -> Option<Vec<u8>> {
    let hash = packet_sha256.as_str().as_bytes();
    let mut places = bytes
        .windows(hash.len())
        .enumerate()
        .filter(|(_, window)| *window == hash)
        .map(|(at, _)| at);
    let at = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let mut blank = bytes.to_vec();
    blank
        .get_mut(at..at + hash.len())?
        .copy_from_slice(BLANK.as_bytes());
    Some(blank)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamping_is_undone_and_only_the_place_is_touched() {
        let author = format!("zeros of the author: {BLANK}; ");
        let blank = Blank::new(&author, " after");
        let hash = Sha256Hex::of(b"packet");
        let stamped = blank.clone().stamped(&hash);
        assert_eq!(stamped, format!("{author}{hash} after").into_bytes());
        assert_eq!(blanked(&stamped, &hash).unwrap(), blank.bytes());
    }

    #[test]
    fn another_hash_or_one_twice_is_no_stamp() {
        let hash = Sha256Hex::of(b"packet");
        let stamped = Blank::new("a", "b").stamped(&hash);
        assert_eq!(blanked(&stamped, &Sha256Hex::of(b"other")), None);
        assert_eq!(blanked(&[stamped.clone(), stamped].concat(), &hash), None);
    }
}
