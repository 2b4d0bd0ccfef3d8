// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets: all that a reviewer gets for one comparison, and nothing that tells which label is new.
//!
//! A packet is a folder of fixed names. `packet.json` names every other file with its hash, so that
//! its own hash stands for the packet as a whole: that is `packet_sha256`. Two files have to carry
//! this hash and are hashed by it, the page and the response form; [`stamp`] says how that is sound.
//!
//! Blinding is made here by leaving things out. Names come from numbers, files are written A before
//! B in the order of their names, with one mode and one time, and the same bytes are written for a
//! comparison whichever way round its labels are, but for the pictures and their hashes.
//!
//! [`build`] and [`verify`] hold a packet to the same rules by the same code. What verification does
//! not look at are modes and times: an archive, a mail program or another file system changes them
//! without changing what the reviewer sees.

mod check;
mod compose;
mod contents;
mod document;
mod error;
mod form;
mod layout;
mod page;
mod picture;
mod stamp;
mod write;
mod zip;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use check::VerifiedPacket;
pub use compose::{Asset, Document, DocumentKind, PacketInput};
pub use document::{
    AssetName, ByLabel, Canvas, Dimension, FileEntry, Form, PacketDocument, PacketSchema,
};
pub use error::PacketError;

use crate::hash::Sha256Hex;
use crate::mapping::PacketId;
use contents::Contents;

/// Width and height of every picture, in pixels.
pub const CANVAS: Canvas = Canvas {
    width: 1280,
    height: 720,
};

/// Writes the packet to `packets/<id>/`, whole or not at all.
///
/// The files are written beside the final name, in `.deckproof-<id>`, synced, and renamed. What an
/// interrupted call left there is removed first. The packets of one experiment are to be built in
/// the order of their ids, which is a random one: inodes would tell the order of the cases.
///
/// # Errors
/// [`PacketError::Exists`] when the packet is there already, [`PacketError::Input`] and all errors
/// of [`verify`] when the input makes no packet, and errors of the file system.
pub fn build(packets: &Path, input: &PacketInput) -> Result<VerifiedPacket, PacketError> {
    let folder = packets.join(input.id.as_str());
    if fs_err::symlink_metadata(&folder).is_ok() {
        return Err(PacketError::Exists { path: folder });
    }
    let contents = compose::compose(&folder, input)?;
    let verified = check::check(&contents)?;
    write::folder(packets, &input.id, &contents)?;
    Ok(verified)
}

/// Checks a packet, a folder or an exported zip, from its own bytes alone.
///
/// # Errors
/// A [`PacketError`] that names the file: one that is missing, too many, changed, a link or a
/// special file; a `packet.json` that is not strict or not in the one form; a picture that is not
/// 1280x720 to the last row; a zip that [`export`] would not have written.
pub fn verify(path: &Path) -> Result<VerifiedPacket, PacketError> {
    check::check(&read(path)?)
}

/// As [`verify`], for whoever has decoded the pictures of these hashes to the last pixel already:
/// equal bytes are equal pictures, and decoding is most of what verifying costs.
///
/// # Errors
/// As [`verify`].
pub fn verify_with(
    path: &Path,
    decoded: &BTreeSet<Sha256Hex>,
) -> Result<VerifiedPacket, PacketError> {
    check::check_with(&read(path)?, decoded)
}

/// Checks a packet as [`verify`] does and gives the bytes of its files too, by path: what was
/// checked is then what is used.
///
/// # Errors
/// As [`verify`].
pub fn open(path: &Path) -> Result<(VerifiedPacket, Files), PacketError> {
    let contents = read(path)?;
    let verified = check::check(&contents)?;
    Ok((verified, contents.files))
}

/// The bytes of a packet's files by path.
pub type Files = contents::Files;

/// Verifies the packet in `folder` and writes it as one zip, the same bytes every time.
///
/// All files lie below the packet's id, stored without compression in the order of their names, with
/// one time and one mode.
///
/// # Errors
/// As [`verify`]; [`PacketError::Exists`] when `zip` is there already; errors of the file system.
pub fn export(folder: &Path, zip: &Path) -> Result<VerifiedPacket, PacketError> {
    let contents = Contents::read_folder(folder)?;
    let verified = check::check(&contents)?;
    let bytes = zip::write(&verified.document.packet, &contents);
    crate::atomic::write_new(zip, &bytes, 0o644).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => PacketError::Exists {
            path: zip.to_owned(),
        },
        _ => error.into(),
    })?;
    Ok(verified)
}

/// The packets in the folder `packets`, sorted by id. Names that are no ids are passed over.
///
/// # Errors
/// Any error of the file system.
pub fn list(packets: &Path) -> Result<Vec<(PacketId, PathBuf)>, PacketError> {
    let mut found = Vec::new();
    for item in fs_err::read_dir(packets)? {
        let path = item?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(id) = name.and_then(|name| name.parse::<PacketId>().ok()) {
            found.push((id, path));
        }
    }
    found.sort();
    Ok(found)
}

fn read(path: &Path) -> Result<Contents, PacketError> {
    if fs_err::symlink_metadata(path)?.is_dir() {
        return Contents::read_folder(path);
    }
    zip::read(path)
}
