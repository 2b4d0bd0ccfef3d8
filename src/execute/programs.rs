// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hashes of agents' programs. They are hundreds of megabytes, so an unchanged file is hashed once
//! in the life of this process.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use deckproof_packets::hash::Sha256Hex;

/// What a file is recognised by: device, number, size, and the time of its last change in
/// nanoseconds. The last cannot be set back by whoever writes the file.
type Mark = (u64, u64, u64, i64, i64);

static KNOWN: Mutex<BTreeMap<Mark, Sha256Hex>> = Mutex::new(BTreeMap::new());

/// The hash of the program at `path`; `None` when it cannot be read.
pub(crate) fn hash(path: &Path) -> Option<Sha256Hex> {
    let file = fs_err::File::open(path).ok()?;
    let data = file.metadata().ok()?;
    let mark = (
        data.dev(),
        data.ino(),
        data.size(),
        data.ctime(),
        data.ctime_nsec(),
    );
    let known = || {
        KNOWN
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    };
    if let Some(hash) = known().get(&mark) {
        return Some(hash.clone());
    }
    let (hash, _) = Sha256Hex::of_reader(file, u64::MAX).ok()?;
    known().insert(mark, hash.clone());
    Some(hash)
}

/// The program itself where `path` is a link to it, as package managers make them: a room shows no
/// links that lead out of it.
pub(crate) fn real(path: PathBuf) -> PathBuf {
    path.canonicalize().unwrap_or(path)
}

/// What a program needs of the disk beside the system's folders: the folder that it lies in, or all
/// packages beside it when it is one of npm's.
pub(crate) fn installation(program: &Path) -> Option<PathBuf> {
    let system = ["/usr", "/bin", "/sbin", "/lib"];
    if system.iter().any(|root| program.starts_with(root)) {
        return None;
    }
    let packages = program
        .ancestors()
        .filter(|path| path.file_name().is_some_and(|name| name == "node_modules"))
        .last();
    packages.or(program.parent()).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_npm_is_shown_with_its_neighbours() {
        let of = |path: &str| installation(Path::new(path));
        assert_eq!(of("/usr/local/lib/node_modules/a/a.js"), None);
        assert_eq!(of("/opt/agent/bin/agent"), Some("/opt/agent/bin".into()));
        let deep = "/home/me/c/node_modules/@a/b/node_modules/d/index.js";
        assert_eq!(of(deep), Some("/home/me/c/node_modules".into()));
    }

    #[test]
    fn a_changed_program_has_another_hash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent");
        fs_err::write(&path, "one").unwrap();
        let one = hash(&path).unwrap();
        assert_eq!(hash(&path), Some(one.clone()));
        fs_err::write(&path, "other").unwrap();
        assert_eq!(hash(&path), Some(Sha256Hex::of(b"other")));
        assert_eq!(hash(&folder.path().join("none")), None);
    }
}
