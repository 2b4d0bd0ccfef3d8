// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bytes that no writer meant: whatever happens to a package, opening it and walking over it ends with a value.

use std::io::{Cursor, Write};

use deckproof_package::{Limits, Package, soundness};
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/p.xml"
ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>"#;
const ROOT: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship
Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="p.xml"/>
</Relationships>"#;
const MAIN: &str = r#"<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"
xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="256" r:id="s"/>
</p:sldIdLst></p:presentation>"#;
const MAIN_RELS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="s" Type="x/slide" Target="s.xml"/></Relationships>"#;
const SLIDE: &str =
    r#"<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>"#;

fn zip(texts: [&[u8]; 5]) -> Vec<u8> {
    let names = [
        "[Content_Types].xml",
        "_rels/.rels",
        "p.xml",
        "_rels/p.xml.rels",
        "s.xml",
    ];
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in names.iter().zip(texts) {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .expect("a name");
        writer.write_all(text).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// Opens and asks everything there is to ask.
fn exercise(bytes: Vec<u8>) -> bool {
    let Ok(package) = Package::open(bytes, &Limits::default()) else {
        return false;
    };
    for part in package.part_names() {
        let _ = (
            package.part(part).is_ok(),
            package.document(part).is_ok(),
            package.relationships(part).is_ok(),
        );
    }
    let _ = soundness::problems(&package);
    true
}

/// Overwrites, inserts or removes bytes at places given as fractions.
fn bend(mut bytes: Vec<u8>, edits: &[(usize, u8, u8)]) -> Vec<u8> {
    for &(place, byte, what) in edits {
        if bytes.is_empty() {
            break;
        }
        let at = place % bytes.len();
        match what % 4 {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            2 => drop(bytes.remove(at)),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

#[test]
fn the_untouched_package_opens() {
    assert!(exercise(zip(
        [TYPES, ROOT, MAIN, MAIN_RELS, SLIDE].map(str::as_bytes)
    )));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_bent_archive_never_panics(edits in prop::collection::vec(any::<(usize, u8, u8)>(), 1..6)) {
        exercise(bend(zip([TYPES, ROOT, MAIN, MAIN_RELS, SLIDE].map(str::as_bytes)), &edits));
    }

    #[test]
    fn bent_parts_never_panic(which in 0_usize..5, edits in prop::collection::vec(any::<(usize, u8, u8)>(), 1..4)) {
        let mut texts = [TYPES, ROOT, MAIN, MAIN_RELS, SLIDE].map(|text| text.as_bytes().to_vec());
        texts[which] = bend(texts[which].clone(), &edits);
        exercise(zip([&texts[0], &texts[1], &texts[2], &texts[3], &texts[4]]));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        exercise(bytes.clone());
        exercise([b"PK\x03\x04".as_slice(), &bytes].concat());
    }
}
