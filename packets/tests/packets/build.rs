// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a built packet is, and which inputs never become one.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::packet::{self, DocumentKind, PacketError, PacketInput};

use super::sample;

const NAMES: [&str; 14] = [
    "A/slide-001.png",
    "A/slide-002.png",
    "B/slide-001.png",
    "B/slide-002.png",
    "B/slide-003.png",
    "amendments/amendment-001.md",
    "amendments/amendment-002.json",
    "assets/asset-01.png",
    "brief.md",
    "packet.json",
    "page.html",
    "prompt.md",
    "requirements.json",
    "response.json",
];

fn built(input: &PacketInput) -> (tempfile::TempDir, PathBuf) {
    let packets = tempfile::tempdir().unwrap();
    packet::build(packets.path(), input).unwrap();
    let folder = packets.path().join(input.id.as_str());
    (packets, folder)
}

fn refusal(change: impl FnOnce(&mut PacketInput)) -> String {
    let packets = tempfile::tempdir().unwrap();
    let mut input = sample::input();
    change(&mut input);
    let error = packet::build(packets.path(), &input).unwrap_err();
    let left = fs_err::read_dir(packets.path()).unwrap().count();
    assert_eq!(left, 0, "a refused packet leaves nothing behind: {error}");
    error.to_string()
}

fn names_below(root: &Path, folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for item in fs_err::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        if path.is_dir() {
            names.extend(names_below(root, &path));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

#[test]
fn a_packet_has_its_files_times_and_modes_and_verifies() {
    let input = sample::input();
    let (packets, folder) = built(&input);
    assert_eq!(names_below(&folder, &folder), NAMES);
    for name in NAMES.iter().copied().chain(["A", "B", "assets", ""]) {
        let metadata = fs_err::metadata(folder.join(name)).unwrap();
        assert_eq!(
            (metadata.mtime(), metadata.mtime_nsec()),
            (946_684_800, 0),
            "{name}"
        );
        let expected = if metadata.is_dir() { 0o755 } else { 0o644 };
        assert_eq!(metadata.permissions().mode() & 0o7777, expected, "{name}");
    }
    let verified = packet::verify(&folder).unwrap();
    assert_eq!(verified.document.packet, input.id);
    assert_eq!(
        (verified.document.slides.a, verified.document.slides.b),
        (2, 3)
    );
    let bytes = fs_err::read(folder.join("packet.json")).unwrap();
    assert_eq!(verified.packet_sha256, Sha256Hex::of(&bytes));
    assert_eq!(verified.prompt_sha256, Sha256Hex::of(&input.prompt));
    assert_eq!(
        verified.requirements_sha256,
        Sha256Hex::of(&input.requirements)
    );
    let hashes = input.pictures.a.iter().map(|bytes| Sha256Hex::of(bytes));
    let lines: String = (1..)
        .zip(hashes)
        .map(|(index, hash)| format!("{index}\0{hash}\n"))
        .collect();
    assert_eq!(
        verified.render_set_sha256.a,
        Sha256Hex::of(lines.as_bytes())
    );
    let listed = packet::list(packets.path()).unwrap();
    assert_eq!(listed, [(input.id, folder)]);
}

#[test]
fn page_and_form_carry_the_hash_of_the_packet() {
    let (_packets, folder) = built(&sample::input());
    let verified = packet::verify(&folder).unwrap();
    let hash = verified.packet_sha256.as_str();
    for name in ["page.html", "response.json"] {
        let text = fs_err::read_to_string(folder.join(name)).unwrap();
        assert_eq!(text.matches(hash).count(), 1, "{name}");
        let blank = text.replace(hash, &"0".repeat(64));
        let mut files = verified.document.files.iter();
        let entry = files.find(|entry| entry.path.as_str() == name).unwrap();
        assert_eq!(entry.sha256, Sha256Hex::of(blank.as_bytes()), "{name}");
    }
    let text = fs_err::read(folder.join("response.json")).unwrap();
    let form: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(form["packet_sha256"], hash);
    let judgement = &form["labels"]["B"]["dimensions"]["clarity"];
    assert_eq!(
        judgement,
        &serde_json::json!({"score": null, "pass": null, "rationale": ""})
    );
}

#[test]
fn the_same_input_gives_the_same_bytes_and_an_existing_packet_stays() {
    let input = sample::input();
    let (packets, first) = built(&input);
    let (_other, second) = built(&input);
    for name in NAMES {
        let bytes = |folder: &Path| fs_err::read(folder.join(name)).unwrap();
        assert_eq!(bytes(&first), bytes(&second), "{name}");
    }
    let error = packet::build(packets.path(), &input).unwrap_err();
    assert!(matches!(error, PacketError::Exists { .. }), "{error}");
    packet::verify(&first).unwrap();
}

#[test]
fn what_an_interrupted_build_left_is_swept_away() {
    let packets = tempfile::tempdir().unwrap();
    let input = sample::input();
    let beside = packets.path().join(format!(".deckproof-{}", input.id));
    fs_err::create_dir_all(beside.join("A")).unwrap();
    fs_err::write(beside.join("A/slide-001.png"), "half").unwrap();
    packet::build(packets.path(), &input).unwrap();
    assert!(!beside.exists());
    packet::verify(&packets.path().join(input.id.as_str())).unwrap();
}

#[test]
fn pictures_that_are_not_the_canvas_and_pixels_alone_are_refused() {
    let white = [255; 3];
    let text: &[(&[u8; 4], &[u8])] = &[(b"tEXt", b"Software\0a renderer")];
    let time: &[(&[u8; 4], &[u8])] = &[(b"tIME", &[7, 208, 1, 1, 0, 0, 0])];
    let good = sample::slide(7);
    let mut rows_short = sample::png(1280, 720, white, &[]);
    rows_short[20..24].copy_from_slice(&721_u32.to_be_bytes());
    let mut flipped = good.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for (picture, expected) in [
        (sample::png(1281, 720, white, &[]), "1281x720 pixels"),
        (sample::png(1280, 719, white, &[]), "1280x719 pixels"),
        (
            sample::png(1280, 720, white, text),
            "the chunk tEXt out of place",
        ),
        (
            sample::png(1280, 720, white, time),
            "the chunk tIME out of place",
        ),
        (rows_short, "checksum"),
        (flipped, "checksum"),
        ([good.as_slice(), b"x"].concat(), "1 bytes in or after IEND"),
        (good[..good.len() - 3].to_vec(), "cut short"),
        (b"GIF89a".to_vec(), "no PNG signature"),
        (Vec::new(), "no PNG signature"),
        (vec![0; 5 << 20], "at most 4 MiB"),
        (with_pixels(&vec![0; 719 * 3841]), "do not unpack"),
        (
            with_pixels(&vec![0; 720 * 3841 + 1]),
            "bytes after the last row",
        ),
        (
            with_pixels(&vec![5; 720 * 3841]),
            "an unknown filter in row 1",
        ),
    ] {
        let told = refusal(|input| input.pictures.b[1] = picture);
        assert!(
            told.contains("B/slide-002.png") && told.contains(expected),
            "{told}"
        );
    }
}

/// A PNG of the canvas whose compressed stream holds `rows`.
fn with_pixels(rows: &[u8]) -> Vec<u8> {
    let mut bytes = sample::slide(0)[..33].to_vec();
    sample::chunk(&mut bytes, b"IDAT", &sample::deflated(rows));
    sample::chunk(&mut bytes, b"IEND", &[]);
    bytes
}

#[test]
fn unusable_documents_names_and_forms_are_refused() {
    type Change = fn(&mut PacketInput);
    let changes: [(Change, &str); 15] = [
        (
            |input| input.requirements = b"{\"a\":1,\"a\":2}".to_vec(),
            "stands twice",
        ),
        (
            |input| input.requirements = b"no json".to_vec(),
            "requirements.json:1:",
        ),
        (
            |input| input.brief = vec![0xff],
            "brief.md: found invalid UTF-8",
        ),
        (
            |input| input.prompt = vec![b'x'; (1 << 20) + 1],
            "bytes of prompt.md",
        ),
        (
            |input| input.amendments[1].bytes = b"[1,]".to_vec(),
            "amendment-002.json",
        ),
        (
            |input| input.amendments[0].bytes = vec![0xc0],
            "amendment-001.md",
        ),
        (
            |input| input.amendments = vec![input.amendments[0].clone(); 1000],
            "at most 999",
        ),
        (
            |input| input.assets = vec![input.assets[0].clone(); 100],
            "at most 99",
        ),
        (
            |input| input.assets[0].extension = "PNG".to_owned(),
            "the extension `PNG`",
        ),
        (
            |input| input.assets[0].extension = "/../x".to_owned(),
            "the extension",
        ),
        (
            |input| input.assets[0].name = "/home/me/logo.png".to_owned(),
            "without folders",
        ),
        (|input| input.pictures.a.clear(), "0 slides of A"),
        (|input| input.form.score_max = 1, "a scale from 1 to 1"),
        (|input| input.form.dimensions.clear(), "no dimension"),
        (
            |input| input.form.dimensions[0].name = "clarity".to_owned(),
            "stand once",
        ),
    ];
    for (change, expected) in changes {
        let told = refusal(change);
        assert!(told.contains(expected), "{told}, not {expected}");
    }
    assert_eq!(DocumentKind::from_extension("exe"), None);
}

#[test]
fn a_packet_without_amendments_and_assets_has_no_empty_folders() {
    let mut input = sample::input();
    input.amendments.clear();
    input.assets.clear();
    let (_packets, folder) = built(&input);
    assert!(!folder.join("amendments").exists() && !folder.join("assets").exists());
    packet::verify(&folder).unwrap();
}
