// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small packets to try things on, with pictures that this file encodes itself.

use std::io::Write;
use std::sync::OnceLock;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::packet::{
    Asset, ByLabel, Dimension, Document, DocumentKind, Form, PacketInput,
};

/// A PNG of `width`x`height` in one colour with a bar of another, and further chunks behind IHDR.
pub fn png(width: u32, height: u32, colour: [u8; 3], chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..height {
        rows.push(0);
        let colour = if y % 90 < 20 { [40, 60, 90] } else { colour };
        rows.extend_from_slice(&colour.repeat(width as usize));
    }
    let mut header = Vec::new();
    header.extend_from_slice(&width.to_be_bytes());
    header.extend_from_slice(&height.to_be_bytes());
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut bytes, b"IHDR", &header);
    for (kind, data) in chunks {
        chunk(&mut bytes, kind, data);
    }
    chunk(&mut bytes, b"IDAT", &deflated(&rows));
    chunk(&mut bytes, b"IEND", &[]);
    bytes
}

pub fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let mut crc = flate2::Crc::new();
    crc.update(kind);
    crc.update(data);
    bytes.extend_from_slice(&u32::try_from(data.len()).unwrap().to_be_bytes());
    bytes.extend_from_slice(kind);
    bytes.extend_from_slice(data);
    bytes.extend_from_slice(&crc.sum().to_be_bytes());
}

pub fn slide(red: u8) -> Vec<u8> {
    png(1280, 720, [red, 230, 240], &[])
}

pub fn form() -> Form {
    let dimension = |name: &str, question: &str| Dimension {
        name: name.to_owned(),
        question: Some(question.to_owned()),
        anchors: [
            ("1", "cannot be used"),
            ("3", "does the job"),
            ("5", "could not be better"),
        ]
        .map(|(score, words)| (score.to_owned(), words.to_owned()))
        .into(),
    };
    Form {
        score_min: 1,
        score_max: 5,
        min_rationale_chars: 20,
        dimensions: vec![
            dimension("fidelity", "Is every figure where the brief wants it?"),
            dimension("clarity", "Is the message of each slide seen at once?"),
        ],
    }
}

/// Two slides against three, with every kind of document.
pub fn input() -> PacketInput {
    static INPUT: OnceLock<PacketInput> = OnceLock::new();
    INPUT.get_or_init(new_input).clone()
}

fn new_input() -> PacketInput {
    PacketInput {
        id: "0123456789abcdef0123456789abcdef".parse().unwrap(),
        commitment: Sha256Hex::of(b"commitment"),
        pictures: ByLabel {
            a: vec![slide(1), slide(2)],
            b: vec![slide(3), slide(4), slide(5)],
        },
        requirements: br#"{"title": "Quarter", "slides": [{"id": "one", "limit": 1.50}]}"#.to_vec(),
        brief: b"# Brief\n\nTell the quarter in three slides.\n".to_vec(),
        amendments: vec![
            Document {
                kind: DocumentKind::Markdown,
                bytes: b"Use euros, not </script> dollars.".to_vec(),
            },
            Document {
                kind: DocumentKind::Json,
                bytes: b"{\"slide\": 2}".to_vec(),
            },
        ],
        assets: vec![Asset {
            name: "logo.png".to_owned(),
            extension: "png".to_owned(),
            bytes: png(20, 10, [9, 9, 9], &[]),
        }],
        prompt: b"Judge each deck by the form.\n".to_vec(),
        form: form(),
        mode: "A new deck, made from a brief.".to_owned(),
    }
}
