// SPDX-License-Identifier: MIT OR Apache-2.0
//! The zip: the same every time, readable by others, and refused when anything in it is bent.

use std::io::{Cursor, Read, Write};
use std::path::PathBuf;

use deckproof_packets::packet::{self, PacketError};

use super::sample;

struct Exported {
    folder: tempfile::TempDir,
    packet: PathBuf,
    zip: PathBuf,
}

fn exported() -> Exported {
    let folder = tempfile::tempdir().unwrap();
    let input = sample::input();
    packet::build(folder.path(), &input).unwrap();
    let packet = folder.path().join(input.id.as_str());
    let zip = folder.path().join("packet.zip");
    packet::export(&packet, &zip).unwrap();
    Exported {
        folder,
        packet,
        zip,
    }
}

#[test]
fn the_zip_is_the_same_every_time_and_verifies_as_the_folder() {
    let exported = exported();
    let again = exported.folder.path().join("again.zip");
    packet::export(&exported.packet, &again).unwrap();
    assert_eq!(
        fs_err::read(&again).unwrap(),
        fs_err::read(&exported.zip).unwrap()
    );
    let (from_zip, files) = packet::open(&exported.zip).unwrap();
    assert_eq!(from_zip, packet::verify(&exported.packet).unwrap());
    for (path, bytes) in files {
        assert_eq!(
            bytes,
            fs_err::read(path.below(&exported.packet)).unwrap(),
            "{path}"
        );
    }
    let error = packet::export(&exported.packet, &exported.zip).unwrap_err();
    assert!(matches!(error, PacketError::Exists { .. }), "{error}");
}

#[test]
fn another_reader_finds_the_same_files_with_one_time_and_mode() {
    let exported = exported();
    let file = std::fs::File::open(&exported.zip).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    assert_eq!(archive.len(), 14);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let name = entry.name().unwrap().into_owned();
        let (_, path) = name.split_once('/').unwrap();
        let expected = fs_err::read(exported.packet.join(path)).unwrap();
        assert_eq!(entry.unix_mode(), Some(0o100_644));
        assert_eq!(
            entry.last_modified().unwrap().to_string(),
            "2000-01-01 00:00:00"
        );
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, expected);
    }
}

#[test]
fn every_flipped_byte_of_a_zip_is_refused() {
    let exported = exported();
    let bytes = fs_err::read(&exported.zip).unwrap();
    let bent = exported.folder.path().join("bent.zip");
    let ends = (0..200).chain(bytes.len() - 400..bytes.len());
    for at in ends.chain((0..bytes.len()).step_by(4001)) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        fs_err::write(&bent, &changed).unwrap();
        assert!(packet::verify(&bent).is_err(), "byte {at}");
    }
    for length in [0, 4, 30, 100, bytes.len() / 2, bytes.len() - 1] {
        fs_err::write(&bent, &bytes[..length]).unwrap();
        let told = packet::verify(&bent).unwrap_err().to_string();
        assert!(told.contains("bent.zip"), "{told}");
    }
    for changed in [[&bytes[..], b"x"].concat(), [b"x", &bytes[..]].concat()] {
        fs_err::write(&bent, changed).unwrap();
        assert!(packet::verify(&bent).is_err());
    }
}

#[test]
fn zips_of_another_make_are_refused_with_the_way_out() {
    let exported = exported();
    let bent = exported.folder.path().join("bent.zip");
    let id = "0123456789abcdef0123456789abcdef";
    let brief: &[(&str, &[u8])] = &[("brief.md", b"x"), ("../../brief.md", b"x")];
    for (name, bytes) in brief {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(format!("{id}/{name}"), options).unwrap();
        writer.write_all(bytes).unwrap();
        fs_err::write(&bent, writer.finish().unwrap().into_inner()).unwrap();
        let told = packet::verify(&bent).unwrap_err().to_string();
        assert!(
            told.contains("bent.zip") && told.contains("unpack it"),
            "{told}"
        );
    }
}

#[test]
fn a_bent_packet_is_not_exported() {
    let exported = exported();
    fs_err::write(exported.packet.join("brief.md"), "another").unwrap();
    let zip = exported.folder.path().join("bent.zip");
    let told = packet::export(&exported.packet, &zip)
        .unwrap_err()
        .to_string();
    assert!(told.contains("brief.md"), "{told}");
    assert!(!zip.exists());
}
