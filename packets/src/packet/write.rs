// SPDX-License-Identifier: MIT OR Apache-2.0
//! A packet's folder, whole or not at all, with nothing in its metadata that differs between labels.

use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{RenameFlags, Timespec, Timestamps};

use crate::atomic;
use crate::mapping::PacketId;

use super::contents::Contents;
use super::error::PacketError;

/// 2000-01-01T00:00:00Z: the time of every file and folder of a packet.
const INSTANT: Timespec = Timespec {
    tv_sec: 946_684_800,
    tv_nsec: 0,
};

/// Writes `contents` to `packets/<id>/`.
pub(super) fn folder(
    packets: &Path,
    id: &PacketId,
    contents: &Contents,
) -> Result<(), PacketError> {
    let beside = packets.join(format!(".deckproof-{id}"));
    if fs_err::symlink_metadata(&beside).is_ok() {
        fs_err::remove_dir_all(&beside)?;
    }
    let written = fill(&beside, contents)
        .map_err(PacketError::from)
        .and_then(|()| rename(&beside, &packets.join(id.as_str())));
    if written.is_err() {
        // What is left is removed by the next call, if this one cannot.
        let _ = fs_err::remove_dir_all(&beside);
    }
    written?;
    Ok(atomic::sync_folder(packets)?)
}

/// Files in the order of their names, each folder before its first file: creation tells no more
/// than the names do. All are written before the first is synced, which makes one commit of them.
fn fill(root: &Path, contents: &Contents) -> io::Result<()> {
    let mut folders = vec![root.to_owned()];
    make_folder(root)?;
    for (path, bytes) in &contents.files {
        let path = path.below(root);
        if let Some(parent) = path.parent()
            && !folders.iter().any(|folder| folder == parent)
        {
            make_folder(parent)?;
            folders.push(parent.to_owned());
        }
        write_file(&path, bytes)?;
    }
    // A folder's time changes with its entries, so folders come last and the innermost first.
    for folder in folders.iter().rev() {
        set_times(fs_err::File::open(folder)?.file())?;
    }
    let files = contents.files.keys().map(|path| path.below(root));
    files
        .chain(folders.iter().rev().cloned())
        .try_for_each(|path| fs_err::File::open(path)?.sync_all())
}

/// The umask takes bits from a mode that is given at creation, so it is set once more.
fn make_folder(path: &Path) -> io::Result<()> {
    std::fs::DirBuilder::new().mode(0o755).create(path)?;
    fs_err::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o644)
        .open(path)?;
    file.write_all(bytes)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))?;
    set_times(&file)
}

fn set_times(file: &std::fs::File) -> io::Result<()> {
    let times = Timestamps {
        last_access: INSTANT,
        last_modification: INSTANT,
    };
    Ok(rustix::fs::futimens(file, &times)?)
}

/// Renames without ever replacing: two builds of one packet leave the first.
fn rename(from: &Path, to: &Path) -> Result<(), PacketError> {
    let cwd = rustix::fs::CWD;
    match rustix::fs::renameat_with(cwd, from, cwd, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(rustix::io::Errno::EXIST) => Err(PacketError::Exists {
            path: to.to_owned(),
        }),
        Err(error) => {
            let problem = format!("cannot rename to `{}`: {error}", to.display());
            Err(io::Error::new(io::Error::from(error).kind(), problem).into())
        }
    }
}
