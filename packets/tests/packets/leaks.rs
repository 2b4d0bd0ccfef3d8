// SPDX-License-Identifier: MIT OR Apache-2.0
//! Nothing but the pictures tells which label is the candidate, and no byte says whose deck it is.

use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping::{Label, Mapping, MappingSchema, Purpose, Side, balanced_labels};
use deckproof_packets::packet::{self, ByLabel, PacketInput};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::predictors::{Traits, binomial_p, scores, traits};
use super::sample;

const PACKETS: usize = 200;
const CASES: [&str; 4] = [
    "quarterly-zebra",
    "onboarding-yak",
    "incident-xerus",
    "launch-wombat",
];
const ARMS: [&str; 2] = ["slidesmith-next", "deckwright-stable"];

/// Pictures of candidates and of baselines differ in size, as those of two tools do.
struct Pool {
    candidate: Vec<Vec<u8>>,
    baseline: Vec<Vec<u8>>,
}

fn pool() -> Pool {
    let slides = |reds: std::ops::Range<u8>| reds.map(sample::slide).collect::<Vec<_>>();
    let candidate = slides(0..6).iter().map(|bytes| split(bytes)).collect();
    Pool {
        candidate,
        baseline: slides(100..106),
    }
}

/// The same picture in two IDAT chunks: twelve bytes more.
fn split(bytes: &[u8]) -> Vec<u8> {
    let (stream, mut split) = (&bytes[41..bytes.len() - 16], bytes[..33].to_vec());
    sample::chunk(&mut split, b"IDAT", &stream[..10]);
    sample::chunk(&mut split, b"IDAT", &stream[10..]);
    sample::chunk(&mut split, b"IEND", &[]);
    split
}

fn draw(rng: &mut impl Rng, from: &[Vec<u8>], count: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|_| from[rng.next_u32() as usize % from.len()].clone())
        .collect()
}

fn hex(rng: &mut impl Rng, digits: usize) -> String {
    let mut bytes = vec![0; digits / 2];
    rng.fill_bytes(&mut bytes);
    deckproof_packets::hash::hex(&bytes)
}

fn comparison(rng: &mut ChaCha8Rng, pool: &Pool, candidate: Label, trial: String) -> PacketInput {
    let mut input = sample::input();
    input.id = hex(rng, 32).parse().unwrap();
    let mut side = |text: &str| Side {
        artifact_sha256: Sha256Hex::of(format!("{text}{}", rng.next_u64()).as_bytes()),
        render_set_sha256: Sha256Hex::of(format!("{text}{}", rng.next_u64()).as_bytes()),
    };
    let (candidate_side, baseline_side) = (side("new"), side("old"));
    let nonce = hex(rng, 64).parse().unwrap();
    let packet = input.id.clone();
    let schema = MappingSchema::V1;
    let purpose = Purpose::Comparison;
    let mapping = Mapping {
        schema,
        packet,
        purpose,
        trial,
        candidate,
        candidate_side,
        baseline_side,
        nonce,
    };
    input.commitment = mapping.commitment();
    input.pictures = ByLabel::default();
    let count = 1 + rng.next_u32() as usize % 2;
    *input.pictures.get_mut(candidate) = draw(rng, &pool.candidate, count);
    *input.pictures.get_mut(candidate.other()) = draw(rng, &pool.baseline, count);
    input
}

/// Builds one packet for each label below a folder whose names say too much.
fn build_all(root: &Path, labels: &[Label]) -> Vec<PathBuf> {
    let mut rng = ChaCha8Rng::seed_from_u64(20_000_101);
    let pool = pool();
    let mut folders = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let trial = format!("{}.{}.{index}", CASES[index % 4], ARMS[index % 2]);
        let packets = root
            .join(CASES[index % 4])
            .join(ARMS[index % 2])
            .join("packets");
        fs_err::create_dir_all(&packets).unwrap();
        let input = comparison(&mut rng, &pool, *label, trial);
        packet::build(&packets, &input).unwrap();
        folders.push(packets.join(input.id.as_str()));
    }
    folders
}

/// In memory where that can be had: such a file system numbers inodes and lists names in the order
/// of creation, and thousands of syncs cost nothing there.
fn folder_that_hides_nothing() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

#[test]
fn no_metadata_predicts_the_label_and_no_byte_names_case_arm_or_host() {
    let root = folder_that_hides_nothing();
    let labels = balanced_labels(PACKETS, &mut ChaCha8Rng::seed_from_u64(7));
    let folders = build_all(root.path(), &labels);
    let mut seen: Vec<(Label, Traits)> = Vec::new();
    for (label, folder) in labels.iter().zip(&folders) {
        seen.push((*label, traits(folder)));
        search(folder, root.path());
    }
    let scores = scores(&seen);
    assert!(scores.len() > 60, "only {} guessers", scores.len());
    for (name, (tries, right)) in &scores {
        // One per cent over all guessers together.
        let limit = 0.01 / scores.len() as f64;
        let p = binomial_p(*tries, *right);
        assert!(p > limit, "{name}: right {right} of {tries}, p {p}");
    }
    knows_a_leak_when_it_sees_one(seen, &folders);
}

/// The pictures' sizes do tell here, so a guesser that looks at them must be caught.
fn knows_a_leak_when_it_sees_one(mut seen: Vec<(Label, Traits)>, folders: &[PathBuf]) {
    let name = "size of pictures".to_owned();
    for ((_, traits), folder) in seen.iter_mut().zip(folders) {
        let size = |label| {
            let path = folder.join(label).join("slide-001.png");
            -i128::from(fs_err::metadata(path).unwrap().len())
        };
        traits.by_label.insert(name.clone(), [size("A"), size("B")]);
    }
    let (tries, right) = scores(&seen)[&name];
    assert!(binomial_p(tries, right) < 1e-12, "right {right} of {tries}");
}

/// No byte of a name or of a file that is no picture holds a word that tells.
fn search(folder: &Path, root: &Path) {
    let root = root.to_str().unwrap().to_lowercase();
    let host = fs_err::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let mut words = vec![
        "candidate",
        "baseline",
        "html",
        "pptx",
        "/tmp",
        "/dev/shm",
        "/home",
        "/work",
        &root,
    ];
    words.extend(CASES.iter().chain(&ARMS));
    if host.trim().len() > 4 {
        words.push(host.trim());
    }
    for path in files_below(folder) {
        if path.extension().is_some_and(|extension| extension == "png") {
            continue;
        }
        let text = fs_err::read_to_string(&path).unwrap().to_lowercase();
        // A page is HTML and is called so in every packet; beyond that the word must not stand.
        let text = ["<!doctype html>", "<html ", "</html>", "page.html"]
            .iter()
            .fold(text, |text, fixed| text.replace(fixed, ""));
        for word in &words {
            assert!(
                !text.contains(word),
                "`{word}` stands in {}",
                path.display()
            );
        }
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files_below(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn swapping_the_labels_changes_nothing_but_pictures_and_hashes() {
    let packets = tempfile::tempdir().unwrap();
    let mut input = sample::input();
    input.pictures.b.truncate(2);
    let texts = |name: &str, input: &PacketInput| {
        let folder = packets.path().join(name);
        fs_err::create_dir(&folder).unwrap();
        let verified = packet::build(&folder, input).unwrap();
        let (_, files) = packet::open(&folder.join(input.id.as_str())).unwrap();
        let mut texts = Vec::new();
        for (path, bytes) in files
            .into_iter()
            .filter(|(path, _)| !path.as_str().ends_with(".png"))
        {
            let mut text = String::from_utf8(bytes).unwrap();
            text = text.replace(verified.packet_sha256.as_str(), "HASH");
            for entry in &verified.document.files {
                text = text.replace(entry.sha256.as_str(), "HASH");
                text = text.replace(&format!("\"bytes\": {}", entry.bytes), "BYTES");
            }
            texts.push((path, text));
        }
        texts
    };
    let straight = texts("one", &input);
    std::mem::swap(&mut input.pictures.a, &mut input.pictures.b);
    assert_eq!(straight, texts("two", &input));
}

#[test]
fn the_binomial_test_agrees_with_exact_sums() {
    // Sums of comb(n, k) / 2^n in Python's integers.
    for (tries, right, expected) in [
        (10, 10, 0.001953125),
        (10, 5, 1.0),
        (20, 15, 0.04138947),
        (200, 117, 0.01939694),
    ] {
        let p = binomial_p(tries, right);
        assert!((p - expected).abs() < 1e-6, "{right} of {tries}: {p}");
    }
}
