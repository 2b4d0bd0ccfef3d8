// SPDX-License-Identifier: MIT OR Apache-2.0
//! The zip archive under a package: every refusal that can be made before anything is unpacked, and unpacking
//! within the sizes that were promised.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::Arc;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::{Limits, PackageError, names};

/// The first bytes of an OLE compound file (MS-CFB, 2.2).
const COMPOUND_FILE: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// An archive whose directory was read and found acceptable.
#[derive(Debug)]
pub(crate) struct Archive {
    zip: ZipArchive<Cursor<Arc<[u8]>>>,
    /// Plain files in the order of the archive's directory.
    pub(crate) entries: Vec<Entry>,
    /// From [`names::key`] to the place in `entries`.
    by_key: BTreeMap<String, usize>,
}

/// One plain file of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The name as written in the archive.
    pub(crate) name: String,
    /// Its place in the archive's directory, folders included.
    index: usize,
    /// Uncompressed bytes, as declared; unpacking refuses any other number.
    size: u64,
}

impl Archive {
    /// Reads the directory of an archive and refuses whatever breaks a limit or a rule.
    pub(crate) fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Self, PackageError> {
        refuse_by_first_bytes(&bytes, limits)?;
        let bytes: Arc<[u8]> = bytes.into();
        let mut zip = ZipArchive::new(Cursor::new(Arc::clone(&bytes))).map_err(cut_off)?;
        if zip.len() > limits.entries {
            return Err(PackageError::TooManyEntries {
                found: zip.len(),
                limit: limits.entries,
            });
        }
        if zip.has_duplicate_names() {
            return Err(PackageError::Inconsistent {
                detail: "two entries have one name".to_owned(),
            });
        }
        if zip.offset() != 0 {
            let detail = format!("{} bytes stand before the first entry", zip.offset());
            return Err(PackageError::Inconsistent { detail });
        }
        let entries = entries(&zip, limits)?;
        let by_key = index(&entries)?;
        refuse_two_readings(&zip, &bytes)?;
        if zip.has_overlapping_entries().map_err(inconsistent)? {
            return Err(PackageError::Inconsistent {
                detail: "entries overlap".to_owned(),
            });
        }
        Ok(Self {
            zip,
            entries,
            by_key,
        })
    }

    /// The place of a part in `entries`, by any spelling of its name.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.by_key.get(&names::key(name)).copied()
    }

    /// Unpacks one entry.
    pub(crate) fn unpack(&self, entry: &Entry) -> Result<Vec<u8>, PackageError> {
        let unreadable = |detail: String| PackageError::Unreadable {
            part: entry.name.clone(),
            detail,
        };
        // The clone shares the directory and the bytes, so that parts can be read from several threads.
        let mut zip = self.zip.clone();
        let file = zip
            .by_index(entry.index)
            .map_err(|error| unreadable(error.to_string()))?;
        let capacity = usize::try_from(entry.size.min(1 << 20)).unwrap_or_default();
        let mut unpacked = Vec::with_capacity(capacity);
        file.take(entry.size.saturating_add(1))
            .read_to_end(&mut unpacked)
            .map_err(|error| unreadable(error.to_string()))?;
        let found = u64::try_from(unpacked.len()).unwrap_or(u64::MAX);
        if found != entry.size {
            return Err(unreadable(format!(
                "{found} bytes or more where {} were declared",
                entry.size
            )));
        }
        Ok(unpacked)
    }
}

fn refuse_by_first_bytes(bytes: &[u8], limits: &Limits) -> Result<(), PackageError> {
    let found = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if bytes.is_empty() {
        return Err(PackageError::Empty);
    }
    if found > limits.file_bytes {
        return Err(PackageError::FileTooLarge {
            found,
            limit: limits.file_bytes,
        });
    }
    if bytes.starts_with(&COMPOUND_FILE) {
        return Err(compound_file(bytes));
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Ok(());
    }
    let start = bytes
        .iter()
        .take(8)
        .copied()
        .flat_map(std::ascii::escape_default)
        .map(char::from)
        .collect();
    Err(PackageError::NotZip { found: start })
}

/// Tells an encrypted package from an old binary deck by the names of the streams in the compound file.
fn compound_file(bytes: &[u8]) -> PackageError {
    if holds_utf16(bytes, "EncryptedPackage") || holds_utf16(bytes, "EncryptionInfo") {
        PackageError::Encrypted
    } else if holds_utf16(bytes, "PowerPoint Document") {
        PackageError::CompoundFile {
            found: "a PowerPoint 97-2003 deck",
        }
    } else {
        PackageError::CompoundFile {
            found: "of unknown content",
        }
    }
}

fn holds_utf16(bytes: &[u8], name: &str) -> bool {
    let wanted: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

fn cut_off(error: ZipError) -> PackageError {
    match error {
        ZipError::UnsupportedArchive(detail) => PackageError::Inconsistent {
            detail: detail.to_owned(),
        },
        other => PackageError::Truncated {
            detail: other.to_string(),
        },
    }
}

fn inconsistent(error: ZipError) -> PackageError {
    match error {
        ZipError::Io(error) => PackageError::Truncated {
            detail: error.to_string(),
        },
        other => PackageError::Inconsistent {
            detail: other.to_string(),
        },
    }
}

/// Refuses an entry whose own header gives another name or method than the directory does: a reader that streams
/// would see another package than one that follows the directory.
fn refuse_two_readings(
    zip: &ZipArchive<Cursor<Arc<[u8]>>>,
    bytes: &[u8],
) -> Result<(), PackageError> {
    for index in 0..zip.len() {
        let file = zip.by_index_data(index).map_err(cut_off)?;
        let method = match file.compression() {
            CompressionMethod::Stored => 0,
            CompressionMethod::Deflated => 8,
            // Refused before for files; a folder has no bytes to unpack.
            _ => continue,
        };
        if local_header(bytes, file.header_start()) != Some((method, file.name_raw())) {
            let name = String::from_utf8_lossy(file.name_raw());
            let detail = format!("the header of {name:?} and the directory disagree");
            return Err(PackageError::Inconsistent { detail });
        }
    }
    Ok(())
}

/// Method and name in the header before an entry's data (APPNOTE 6.3.10, 4.3.7).
fn local_header(bytes: &[u8], at: u64) -> Option<(u16, &[u8])> {
    let header = bytes
        .get(usize::try_from(at).ok()?..)?
        .strip_prefix(b"PK\x03\x04")?;
    let number = |at: usize| Some(u16::from_le_bytes([*header.get(at)?, *header.get(at + 1)?]));
    let name_length = usize::from(number(22)?);
    Some((number(4)?, header.get(26..26 + name_length)?))
}

/// The plain files of an archive, each within the limits.
fn entries(
    zip: &ZipArchive<Cursor<Arc<[u8]>>>,
    limits: &Limits,
) -> Result<Vec<Entry>, PackageError> {
    let mut entries = Vec::with_capacity(zip.len());
    let mut total = 0_u64;
    for index in 0..zip.len() {
        let file = zip.by_index_data(index).map_err(cut_off)?;
        let name = file.name().map_err(cut_off)?.into_owned();
        if let Some(why) = names::broken_rule(&name) {
            return Err(PackageError::BadName { name, why });
        }
        if special(file.unix_mode()) {
            return Err(PackageError::SpecialFile { name });
        }
        if file.is_dir() {
            continue;
        }
        if file.encrypted() {
            return Err(PackageError::EncryptedPart { part: name });
        }
        refuse_method(&name, file.compression())?;
        refuse_size(&name, file.compressed_size(), file.size(), limits)?;
        total = total.saturating_add(file.size());
        entries.push(Entry {
            name,
            index,
            size: file.size(),
        });
    }
    if total > limits.total_bytes {
        return Err(PackageError::TotalTooLarge {
            found: total,
            limit: limits.total_bytes,
        });
    }
    Ok(entries)
}

/// Whether a Unix mode has a file type other than regular file and folder.
fn special(mode: Option<u32>) -> bool {
    !matches!(
        mode.unwrap_or_default() & 0o170_000,
        0 | 0o100_000 | 0o040_000
    )
}

fn refuse_method(part: &str, method: CompressionMethod) -> Result<(), PackageError> {
    match method {
        CompressionMethod::Stored | CompressionMethod::Deflated => Ok(()),
        other => Err(PackageError::Method {
            part: part.to_owned(),
            method: format!("{other:?}"),
        }),
    }
}

fn refuse_size(part: &str, packed: u64, found: u64, limits: &Limits) -> Result<(), PackageError> {
    let part = part.to_owned();
    if found > limits.part_bytes {
        return Err(PackageError::PartTooLarge {
            part,
            found,
            limit: limits.part_bytes,
        });
    }
    if found > limits.ratio_floor_bytes && found / packed.max(1) >= limits.ratio {
        return Err(PackageError::Ratio {
            part,
            packed,
            found,
            limit: limits.ratio,
        });
    }
    Ok(())
}

fn index(entries: &[Entry]) -> Result<BTreeMap<String, usize>, PackageError> {
    let mut by_key = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        if by_key.insert(names::key(&entry.name), at).is_some() {
            return Err(PackageError::DuplicateName {
                name: entry.name.clone(),
            });
        }
    }
    Ok(by_key)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::testing::Parts;

    fn refusal(bytes: Vec<u8>, limits: &Limits) -> PackageError {
        Archive::open(bytes, limits)
            .err()
            .unwrap_or_else(|| panic!("it was accepted"))
    }

    fn deck() -> Vec<u8> {
        Parts::deck(1).zip()
    }

    fn replaced(bytes: &[u8], from: &[u8], to: &[u8], skip: usize) -> Vec<u8> {
        let places: Vec<_> = (0..bytes.len())
            .filter(|at| bytes[*at..].starts_with(from))
            .collect();
        let at = places[skip];
        [&bytes[..at], to, &bytes[at + from.len()..]].concat()
    }

    #[test]
    fn what_is_no_archive_is_named() {
        let limits = Limits::default();
        assert_eq!(refusal(Vec::new(), &limits), PackageError::Empty);
        let message = refusal(b"%PDF-1.7\n%\xFF".to_vec(), &limits).to_string();
        assert!(
            message.contains("%PDF-1.7") && message.contains("expected a PPTX"),
            "{message}"
        );
        let compound = |stream: &str| {
            let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
            refusal(
                [COMPOUND_FILE.as_slice(), &[0; 500], &name].concat(),
                &limits,
            )
        };
        assert_eq!(compound("EncryptedPackage"), PackageError::Encrypted);
        assert!(
            compound("PowerPoint Document")
                .to_string()
                .contains("97-2003")
        );
        assert!(compound("x").to_string().contains("unknown content"));
        let small = Limits {
            file_bytes: 10,
            ..Limits::default()
        };
        assert!(matches!(
            refusal(deck(), &small),
            PackageError::FileTooLarge { limit: 10, .. }
        ));
    }

    #[test]
    fn an_archive_cut_anywhere_is_refused() {
        let whole = deck();
        for length in (1..whole.len()).step_by(7) {
            assert!(
                Archive::open(whole[..length].to_vec(), &Limits::default()).is_err(),
                "{length} bytes"
            );
        }
    }

    #[test]
    fn bytes_before_the_first_entry_are_refused() {
        let bytes = [b"PK\x03\x04 and then some".as_slice(), &deck()].concat();
        assert!(Archive::open(bytes, &Limits::default()).is_err());
    }

    #[test]
    fn headers_that_disagree_with_the_directory_are_refused() {
        let bytes = replaced(&deck(), b"slide1.xml", b"slide9.xml", 0);
        assert!(matches!(
            refusal(bytes, &Limits::default()),
            PackageError::Inconsistent { .. }
        ));
    }

    #[test]
    fn sizes_counts_and_ratios_have_limits() {
        let bytes = deck();
        let open = |limits: Limits| refusal(bytes.clone(), &limits);
        assert!(matches!(
            open(Limits {
                entries: 3,
                ..Limits::default()
            }),
            PackageError::TooManyEntries { .. }
        ));
        assert!(matches!(
            open(Limits {
                part_bytes: 99,
                ..Limits::default()
            }),
            PackageError::PartTooLarge { .. }
        ));
        assert!(matches!(
            open(Limits {
                total_bytes: 999,
                ..Limits::default()
            }),
            PackageError::TotalTooLarge { .. }
        ));
        let mut bomb = Parts::deck(1);
        bomb.set("ppt/media/zero.bmp", &"\0".repeat(9 << 20));
        assert!(matches!(
            refusal(bomb.zip(), &Limits::default()),
            PackageError::Ratio { .. }
        ));
        bomb.set("ppt/media/zero.bmp", &"\0".repeat(1 << 20));
        assert!(
            Archive::open(bomb.zip(), &Limits::default()).is_ok(),
            "a small blank picture is ordinary"
        );
    }

    #[test]
    fn names_that_break_rules_or_meet_are_refused() {
        for name in ["../x", "/x", "a\\b", "a//b", "a/./b"] {
            let mut parts = Parts::deck(1);
            parts.set(name, "x");
            assert!(
                matches!(
                    refusal(parts.zip(), &Limits::default()),
                    PackageError::BadName { .. }
                ),
                "{name}"
            );
        }
        for name in ["ppt/SLIDES/slide1.xml", "ppt/slides/slide%31.xml"] {
            let mut parts = Parts::deck(1);
            parts.set(name, "x");
            assert!(
                matches!(
                    refusal(parts.zip(), &Limits::default()),
                    PackageError::DuplicateName { .. }
                ),
                "{name}"
            );
        }
    }

    #[test]
    fn two_entries_of_one_name_are_refused() {
        let mut parts = Parts::deck(1);
        parts.set("ppt/slides/slide2.xml", "x");
        let bytes = replaced(&parts.zip(), b"slide2.xml", b"slide1.xml", 0);
        let bytes = replaced(&bytes, b"slide2.xml", b"slide1.xml", 0);
        assert!(
            refusal(bytes, &Limits::default())
                .to_string()
                .contains("two entries have one name")
        );
    }

    #[test]
    fn links_are_refused_and_folders_left_out() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer
            .add_directory("ppt/", SimpleFileOptions::default())
            .unwrap();
        writer
            .start_file("a", SimpleFileOptions::default())
            .unwrap();
        writer.write_all(b"x").unwrap();
        let archive =
            Archive::open(writer.finish().unwrap().into_inner(), &Limits::default()).unwrap();
        assert_eq!(archive.entries.len(), 1);
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer
            .add_symlink("a", "/etc/passwd", SimpleFileOptions::default())
            .unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        assert!(matches!(
            refusal(bytes, &Limits::default()),
            PackageError::SpecialFile { .. }
        ));
    }

    #[test]
    fn encrypted_parts_are_named() {
        let mut bytes = deck();
        // Bit 0 of the flags, in the directory's entry of the first file.
        let at = (0..bytes.len())
            .find(|at| bytes[*at..].starts_with(b"PK\x01\x02"))
            .unwrap();
        bytes[at + 8] |= 1;
        assert!(matches!(
            refusal(bytes, &Limits::default()),
            PackageError::EncryptedPart { .. }
        ));
    }

    #[test]
    fn a_bad_checksum_or_length_fails_when_unpacked() {
        let mut bytes = deck();
        let at = (0..bytes.len())
            .find(|at| bytes[*at..].starts_with(b"PK\x01\x02"))
            .unwrap();
        bytes[at + 16] ^= 1;
        let archive = Archive::open(bytes.clone(), &Limits::default()).unwrap();
        assert!(matches!(
            archive.unpack(&archive.entries[0]),
            Err(PackageError::Unreadable { .. })
        ));
        bytes[at + 16] ^= 1;
        bytes[at + 24] -= 1;
        let archive = Archive::open(bytes, &Limits::default());
        assert!(
            archive
                .and_then(|archive| archive.unpack(&archive.entries[0].clone()))
                .is_err()
        );
    }
}
