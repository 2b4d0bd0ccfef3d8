// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every change to a packet is refused, and the message names the file.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use deckproof_packets::packet;

use super::sample;

fn changed(change: impl FnOnce(&Path)) -> Result<(), String> {
    let packets = tempfile::tempdir().unwrap();
    let input = sample::input();
    packet::build(packets.path(), &input).unwrap();
    let folder = packets.path().join(input.id.as_str());
    change(&folder);
    packet::verify(&folder)
        .map(drop)
        .map_err(|error| error.to_string())
}

fn refusal(change: impl FnOnce(&Path)) -> String {
    changed(change).unwrap_err()
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs_err::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from}");
    fs_err::write(path, text.replacen(from, to, 1)).unwrap();
}

fn told(change: impl FnOnce(&Path), expected: &[&str]) {
    let message = refusal(change);
    for part in expected {
        assert!(message.contains(part), "{message}, not {part}");
    }
}

#[test]
fn a_changed_byte_of_any_file_is_named() {
    for name in [
        "A/slide-001.png",
        "B/slide-003.png",
        "amendments/amendment-001.md",
        "assets/asset-01.png",
        "brief.md",
        "prompt.md",
        "requirements.json",
        "page.html",
        "response.json",
    ] {
        let flip = |folder: &Path| {
            let path = folder.join(name);
            let mut bytes = fs_err::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            fs_err::write(path, bytes).unwrap();
        };
        told(flip, &[name]);
        told(
            |folder| fs_err::write(folder.join(name), "").unwrap(),
            &[name],
        );
    }
}

#[test]
fn missing_and_added_files_and_folders_are_named() {
    for name in [
        "A/slide-002.png",
        "brief.md",
        "packet.json",
        "page.html",
        "response.json",
    ] {
        let remove = |folder: &Path| fs_err::remove_file(folder.join(name)).unwrap();
        told(remove, &[name]);
    }
    for name in [
        "notes.md",
        "A/slide-003.png",
        "A/Thumbs.db",
        ".hidden",
        "assets/asset-02.png",
    ] {
        let add = |folder: &Path| {
            fs_err::copy(folder.join("A/slide-001.png"), folder.join(name)).unwrap();
        };
        told(add, &[name]);
    }
    told(
        |folder| fs_err::create_dir(folder.join("empty")).unwrap(),
        &["empty"],
    );
    told(
        |folder| fs_err::create_dir(folder.join("A/deeper")).unwrap(),
        &["A/deeper"],
    );
}

#[test]
fn pictures_swapped_between_labels_or_slides_are_named() {
    let swap = |one: &'static str, other: &'static str| {
        move |folder: &Path| {
            let (one, other) = (folder.join(one), folder.join(other));
            let bytes = fs_err::read(&one).unwrap();
            fs_err::copy(&other, &one).unwrap();
            fs_err::write(&other, bytes).unwrap();
        }
    };
    told(
        swap("A/slide-001.png", "B/slide-001.png"),
        &["A/slide-001.png", "has changed"],
    );
    told(
        swap("B/slide-001.png", "B/slide-002.png"),
        &["B/slide-001.png", "has changed"],
    );
    let folders = |folder: &Path| {
        fs_err::rename(folder.join("A"), folder.join("C")).unwrap();
        fs_err::rename(folder.join("B"), folder.join("A")).unwrap();
        fs_err::rename(folder.join("C"), folder.join("B")).unwrap();
    };
    told(folders, &["A/slide-003.png", "no file of this packet"]);
}

#[test]
fn links_and_special_files_are_refused() {
    let link = |folder: &Path| {
        let path = folder.join("brief.md");
        fs_err::rename(&path, folder.parent().unwrap().join("elsewhere")).unwrap();
        symlink("../elsewhere", path).unwrap();
    };
    told(link, &["brief.md", "a symbolic link"]);
    let folder_link = |folder: &Path| {
        let path = folder.join("A");
        fs_err::rename(&path, folder.parent().unwrap().join("elsewhere")).unwrap();
        symlink("../elsewhere", path).unwrap();
    };
    told(folder_link, &["A", "a symbolic link"]);
    let socket = |folder: &Path| {
        fs_err::remove_file(folder.join("prompt.md")).unwrap();
        std::os::unix::net::UnixListener::bind(folder.join("prompt.md")).unwrap();
    };
    told(socket, &["prompt.md", "a special file"]);
    let swapped = |folder: &Path| {
        fs_err::remove_file(folder.join("prompt.md")).unwrap();
        fs_err::create_dir(folder.join("prompt.md")).unwrap();
    };
    told(swapped, &["prompt.md"]);
}

#[test]
fn packet_json_is_strict_and_has_one_form() {
    let edited = |from: &'static str, to: &'static str| {
        move |folder: &Path| edit(&folder.join("packet.json"), from, to)
    };
    told(
        edited("{\n", "{\n\n"),
        &["packet.json", "another order or spacing"],
    );
    told(
        edited("\"schema\"", "\"scheme\""),
        &["packet.json:2:", "unknown field"],
    );
    told(
        edited("{\n", "{\n\"packet\": \"x\",\n"),
        &["packet.json", "stands twice"],
    );
    told(edited("packet.v1", "packet.v2"), &["packet.json:2:"]);
    told(edited("1280", "1281"), &["packet.json", "1281x720"]);
    told(
        edited("\"A\": 2", "\"A\": 1"),
        &["packet.json", "1 slides of A"],
    );
    told(
        edited("\"page.html\"", "\"brief.md\""),
        &["packet.json", "stamped"],
    );
    told(edited("\"logo.png\"", "\"sign.png\""), &["page.html"]);
    told(
        edited("asset-01.png", "asset-02.png"),
        &["packet.json", "other assets"],
    );
    // The packet's own hash is another now, so page and form no longer belong to it.
    told(
        edited("\"commitment\": \"", "\"commitment\": \"0"),
        &["packet.json:4:"],
    );
    told(
        edited("made from a brief", "made of a brief"),
        &["page.html", "another packet's hash"],
    );
    told(
        |folder| edit(&folder.join("packet.json"), "}", ""),
        &["packet.json"],
    );
    let first = "\"path\": \"A/slide-001.png\"";
    told(
        edited(first, "\"path\": \"A/../A/slide-001.png\""),
        &["packet.json"],
    );
    let deep = |folder: &Path| fs_err::write(folder.join("packet.json"), "[".repeat(99)).unwrap();
    told(deep, &["packet.json:1:9: nested"]);
}

#[test]
fn a_response_in_place_of_the_form_is_refused() {
    let fill = |folder: &Path| {
        edit(
            &folder.join("response.json"),
            "\"score\": null",
            "\"score\": 5",
        )
    };
    told(fill, &["response.json"]);
}

#[test]
fn a_renamed_packet_with_other_modes_and_times_is_still_the_packet() {
    let copied = |folder: &Path| {
        let mode = std::fs::Permissions::from_mode(0o700);
        fs_err::set_permissions(folder.join("page.html"), mode).unwrap();
        let bytes = fs_err::read(folder.join("brief.md")).unwrap();
        fs_err::write(folder.join("brief.md"), bytes).unwrap();
    };
    changed(copied).unwrap();
}
