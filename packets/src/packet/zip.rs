// SPDX-License-Identifier: MIT OR Apache-2.0
//! A packet as one zip that has one spelling.
//!
//! Nothing is compressed and nothing is optional, so the zip of given files is given to the byte.
//! Reading uses that: it takes the files in sequence, writes the zip of them again, and compares.
//! Whatever a zip can hide (names twice, comments, extra fields, two directories that disagree,
//! bytes between entries, bombs) is then a difference, and no library has to be trusted to see it.
//! (Format: APPNOTE.TXT 6.3.10, PKWARE.)

use std::io::Read;
use std::path::Path;

use crate::mapping::PacketId;
use crate::relpath::RelPath;
use crate::tree::open_regular;

use super::contents::{Contents, Files, MAX_BYTES, MAX_FILES};
use super::error::PacketError;

const LOCAL: [u8; 4] = *b"PK\x03\x04";
const CENTRAL: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";
/// Unix, version 2.0 of the format.
const MADE_BY: u16 = 3 << 8 | 20;
const NEEDED: u16 = 20;
/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
/// 2000-01-01, as years from 1980, month, day; the time of day is zero.
const DATE: u16 = 20 << 9 | 1 << 5 | 1;
/// A regular file of mode 0644.
const ATTRIBUTES: u32 = 0o100_644 << 16;
/// Bytes of a local header before the name.
const LOCAL_LENGTH: usize = 30;
/// Headers and names of the largest packet, twice over.
const OVERHEAD: u64 = 4 << 20;

/// The zip of a packet.
pub(super) fn write(id: &PacketId, contents: &Contents) -> Vec<u8> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (path, bytes) in &contents.files {
        let name = format!("{id}/{path}");
        let shared = shared_header(&name, bytes);
        let offset = length(zip.len());
        zip.extend_from_slice(&LOCAL);
        zip.extend_from_slice(&shared);
        zip.extend_from_slice(name.as_bytes());
        zip.extend_from_slice(bytes);
        directory.extend_from_slice(&CENTRAL);
        directory.extend_from_slice(&MADE_BY.to_le_bytes());
        directory.extend_from_slice(&shared);
        // No comment, first disk, no internal attributes.
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&ATTRIBUTES.to_le_bytes());
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let count = u16::try_from(contents.files.len())
        .unwrap_or(u16::MAX)
        .to_le_bytes();
    let (offset, size) = (length(zip.len()), length(directory.len()));
    zip.append(&mut directory);
    zip.extend_from_slice(&END);
    zip.extend_from_slice(&[0; 4]);
    zip.extend_from_slice(&count);
    zip.extend_from_slice(&count);
    zip.extend_from_slice(&size.to_le_bytes());
    zip.extend_from_slice(&offset.to_le_bytes());
    zip.extend_from_slice(&[0; 2]);
    zip
}

/// The 26 bytes that a local header and the directory have in common.
fn shared_header(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    let mut header = Vec::with_capacity(26);
    for field in [NEEDED, FLAGS, 0, 0, DATE] {
        header.extend_from_slice(&field.to_le_bytes());
    }
    for field in [crc.sum(), length(bytes.len()), length(bytes.len())] {
        header.extend_from_slice(&field.to_le_bytes());
    }
    let name_length = u16::try_from(name.len()).unwrap_or(u16::MAX);
    header.extend_from_slice(&name_length.to_le_bytes());
    header.extend_from_slice(&[0; 2]);
    header
}

/// Packets are held below 512 MiB, so lengths fit.
fn length(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// Reads the packet in an exported zip.
pub(super) fn read(path: &Path) -> Result<Contents, PacketError> {
    let fault = |found: &str| PacketError::Content {
        file: path.display().to_string(),
        found: found.to_owned(),
        expected: "a zip just as `packet export` writes it; if it was packed anew, unpack it and \
                   verify the folder"
            .to_owned(),
    };
    let limit = MAX_BYTES + OVERHEAD;
    let mut zip = Vec::new();
    open_regular(path)?.take(limit + 1).read_to_end(&mut zip)?;
    if zip.len() as u64 > limit {
        return Err(fault("more bytes than any packet has"));
    }
    let (id, files) = entries(&zip).ok_or_else(|| fault("an entry of another kind"))?;
    let origin = path.display().to_string();
    let mut contents = Contents {
        origin,
        id: None,
        files,
        empty: None,
    };
    if write(&id, &contents) != zip {
        return Err(fault("bytes that are not of the packet's files"));
    }
    contents.id = Some(id);
    Ok(contents)
}

/// The files of all local headers. Everything else about the zip is for the comparison to judge.
fn entries(zip: &[u8]) -> Option<(PacketId, Files)> {
    let (mut files, mut id) = (Files::new(), None::<PacketId>);
    let mut rest = zip;
    while rest.starts_with(&LOCAL) {
        let header = rest.get(..LOCAL_LENGTH)?;
        let size =
            usize::try_from(u32::from_le_bytes(header.get(18..22)?.try_into().ok()?)).ok()?;
        let name_length = u16::from_le_bytes(header.get(26..28)?.try_into().ok()?);
        let (name, after) = rest
            .get(LOCAL_LENGTH..)?
            .split_at_checked(name_length.into())?;
        let (bytes, after) = after.split_at_checked(size)?;
        let (folder, path) = std::str::from_utf8(name).ok()?.split_once('/')?;
        let folder: PacketId = folder.parse().ok()?;
        if id.get_or_insert_with(|| folder.clone()) != &folder || files.len() == MAX_FILES {
            return None;
        }
        files.insert(path.parse::<RelPath>().ok()?, bytes.to_vec());
        rest = after;
    }
    Some((id?, files))
}
