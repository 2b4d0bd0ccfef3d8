// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hash of the files of a font set, made when it is first asked for: drawing needs none, and most files are not even
//! read for a deck.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use super::face::FontFile;

/// Bytes that are read and hashed at a time.
const CHUNK: usize = 128 << 10;

/// The files of a set and their hash.
#[derive(Debug)]
pub struct Identity {
    files: BTreeMap<&'static str, Arc<FontFile>>,
    hash: OnceLock<String>,
}

impl Identity {
    /// Of files by their names.
    #[must_use]
    pub fn of(files: BTreeMap<&'static str, Arc<FontFile>>) -> Self {
        Self {
            files,
            hash: OnceLock::new(),
        }
    }

    /// Lower-case SHA-256 over sorted lines of file name and file hash. A file that went away since the set was made
    /// counts as `unreadable`, which no other set shares.
    pub fn hash(&self) -> &str {
        self.hash.get_or_init(|| {
            let mut all = Sha256::new();
            for (name, file) in &self.files {
                let digest = digest(file).unwrap_or_else(|_| "unreadable".to_owned());
                all.update(format!("{name} {digest}\n"));
            }
            hex(&all.finalize())
        })
    }
}

/// The hash of a file: of the bytes in memory where text was drawn with them.
fn digest(file: &FontFile) -> io::Result<String> {
    if let Some(bytes) = file.loaded() {
        return Ok(hex(&Sha256::digest(bytes)));
    }
    let mut input = std::fs::File::open(&file.path)?;
    let (mut hash, mut chunk) = (Sha256::new(), vec![0; CHUNK]);
    loop {
        let n = input.read(&mut chunk)?;
        match chunk.get(..n) {
            Some([]) | None => return Ok(hex(&hash.finalize())),
            Some(part) => hash.update(part),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(path: &std::path::Path, load: bool) -> String {
        let file = Arc::new(FontFile::new(path.to_owned()));
        assert!(!load || file.bytes().is_some());
        Identity::of(BTreeMap::from([("a.ttf", file)]))
            .hash()
            .to_owned()
    }

    #[test]
    fn a_file_in_memory_hashes_as_on_disk() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("a.ttf");
        fs_err::write(&path, vec![7; CHUNK + 1]).expect("written");
        assert_eq!(identity(&path, false), identity(&path, true));
        let gone = identity(&dir.path().join("b.ttf"), false);
        assert_ne!(identity(&path, false), gone);
    }
}
