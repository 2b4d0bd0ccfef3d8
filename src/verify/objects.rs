// SPDX-License-Identifier: MIT OR Apache-2.0
//! `objects/`: every file hashed again, every picture decoded to its last pixel.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::store::MAX_OBJECT;
use deckproof_packets::tree::open_regular;
use deckproof_renderers::png;

use super::VerifyError;
use super::folders::{Kind, list};
use super::parallel::check_all;
use super::references::{Reference, References};
use crate::experiment::Experiment;

/// What was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjectCounts {
    /// Objects hashed.
    pub objects: usize,
    /// Pictures decoded.
    pub pictures: usize,
}

/// Checks the whole store. An object that nothing names is no error, since an attempt that was cut
/// off leaves some; one whose name is not its hash is.
pub(super) fn check(
    experiment: &Experiment,
    references: &References,
) -> Result<ObjectCounts, VerifyError> {
    let store = experiment.store();
    let found = list_objects(&experiment.layout.root().join("objects"))?;
    let hashes: BTreeSet<_> = found.iter().map(|(hash, _)| hash).collect();
    for (hash, reference) in &references.objects {
        if !hashes.contains(hash) {
            let expected = format!("the object that is {}", reference.what_it_is);
            return Err(VerifyError::evidence(
                &store.path(hash),
                "nothing",
                expected,
            ));
        }
    }
    check_all(&found, |(hash, path)| {
        check_object(hash, path, references.objects.get(hash))
    })?;
    let pictures = references.objects.values().filter(|one| one.picture);
    Ok(ObjectCounts {
        objects: found.len(),
        pictures: pictures.count(),
    })
}

fn list_objects(root: &Path) -> Result<Vec<(Sha256Hex, PathBuf)>, VerifyError> {
    let mut objects = Vec::new();
    for (folder, kind) in list(root)? {
        let path = root.join(&folder);
        if kind != Kind::Folder {
            return Err(no_object(&path));
        }
        for (name, kind) in list(&path)? {
            let path = path.join(&name);
            match format!("{folder}{name}").parse() {
                Ok(hash) if folder.len() == 2 && kind == Kind::File => objects.push((hash, path)),
                _ => return Err(no_object(&path)),
            }
        }
    }
    Ok(objects)
}

fn no_object(path: &Path) -> VerifyError {
    stray(path, "whose name is no hash".to_owned())
}

fn stray(path: &Path, found: String) -> VerifyError {
    VerifyError::Stray {
        file: path.to_owned(),
        found,
    }
}

/// An object that something names does not have the content of its name.
pub(super) fn changed(hash: &Sha256Hex, path: &Path, found: &Sha256Hex, what: &str) -> VerifyError {
    let found = format!("changed content, which hashes to {found}");
    VerifyError::evidence(path, found, format!("{hash}, {what}"))
}

fn check_object(
    hash: &Sha256Hex,
    path: &Path,
    reference: Option<&Reference>,
) -> Result<(), VerifyError> {
    let picture = reference.is_some_and(|one| one.picture);
    let mut bytes = Vec::new();
    let mut file = open_regular(path)?;
    let (found, size) = if picture {
        file.take(MAX_OBJECT).read_to_end(&mut bytes)?;
        (Sha256Hex::of(&bytes), bytes.len() as u64)
    } else {
        Sha256Hex::of_reader(&mut file, MAX_OBJECT)?
    };
    if found != *hash {
        // What nothing names may never have been an object.
        return Err(match reference {
            Some(one) => changed(hash, path, &found, &one.what_it_is),
            None => stray(path, format!("whose content hashes to {found}")),
        });
    }
    let Some(reference) = reference else {
        return Ok(());
    };
    if reference.bytes.is_some_and(|bytes| bytes != size) {
        let expected = format!("another size for {}", reference.what_it_is);
        return Err(VerifyError::evidence(
            path,
            format!("{size} bytes"),
            expected,
        ));
    }
    if picture && let Err(error) = png::decode_strict(&bytes) {
        let expected = format!("{} as 1280x720 PNG", reference.what_it_is);
        return Err(VerifyError::evidence(path, error.to_string(), expected));
    }
    Ok(())
}
