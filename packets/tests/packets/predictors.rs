// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ways to guess the candidate's label from everything about a packet that is no picture.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::UNIX_EPOCH;

use deckproof_packets::mapping::Label;

/// What guessers look at: one figure per label (the smaller one is guessed), or one figure of the
/// packet (A is guessed when it is above the median of all packets).
#[derive(Default)]
pub struct Traits {
    pub by_label: BTreeMap<String, [i128; 2]>,
    pub by_packet: BTreeMap<String, i128>,
}

pub fn traits(folder: &Path) -> Traits {
    let mut traits = Traits::default();
    metadata(folder, &mut traits);
    listing(folder, &mut traits);
    texts(folder, &mut traits);
    traits
}

/// Inodes, times, modes, owners, links and sizes of the two folders and of their first pictures.
fn metadata(folder: &Path, traits: &mut Traits) {
    for place in ["", "/slide-001.png", "/slide-002.png"] {
        let look = |label: &str| fs_err::symlink_metadata(folder.join(format!("{label}{place}")));
        let (Ok(a), Ok(b)) = (look("A"), look("B")) else {
            continue;
        };
        let figures = |of: &std::fs::Metadata| {
            let nanos =
                |seconds: i64, nanos: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
            let born = of
                .created()
                .ok()
                .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let mut figures = vec![
                ("inode", i128::from(of.ino())),
                ("modified", nanos(of.mtime(), of.mtime_nsec())),
                ("accessed", nanos(of.atime(), of.atime_nsec())),
                ("changed", nanos(of.ctime(), of.ctime_nsec())),
                ("born", born.map_or(0, |time| time.as_nanos() as i128)),
                ("mode", i128::from(of.mode())),
                ("owner", i128::from(of.uid()) << 32 | i128::from(of.gid())),
                ("links", i128::from(of.nlink())),
            ];
            if of.is_dir() {
                figures.push(("size", i128::from(of.size())));
                figures.push(("blocks", i128::from(of.blocks())));
            }
            figures
        };
        for ((name, a), (_, b)) in figures(&a).into_iter().zip(figures(&b)) {
            traits
                .by_label
                .insert(format!("{name} of folder{place}"), [a, b]);
        }
    }
}

/// In which order the file system lists names.
fn listing(folder: &Path, traits: &mut Traits) {
    let names: Vec<String> = fs_err::read_dir(folder)
        .unwrap()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .collect();
    let place = |name: &str| names.iter().position(|each| each == name).unwrap() as i128;
    traits
        .by_label
        .insert("listing".to_owned(), [place("A"), place("B")]);
}

/// Sizes of all files but pictures, bits of all hashes that stand in them, and the order in JSON.
fn texts(folder: &Path, traits: &mut Traits) {
    for name in [
        "packet.json",
        "page.html",
        "response.json",
        "prompt.md",
        "requirements.json",
        "brief.md",
    ] {
        let text = fs_err::read_to_string(folder.join(name)).unwrap();
        let size = text.len() as i128;
        traits.by_packet.insert(format!("size of {name}"), size);
        traits
            .by_packet
            .insert(format!("last digit of the size of {name}"), size % 10);
        let sum: u64 = text.bytes().map(u64::from).sum();
        traits
            .by_packet
            .insert(format!("sum of {name}"), i128::from(sum));
        let (a, b) = (text.find("\"A\""), text.find("\"B\""));
        if let (Some(a), Some(b)) = (a, b) {
            traits
                .by_label
                .insert(format!("order in {name}"), [a as i128, b as i128]);
        }
        let first = |label: &str| text.find(&format!("{label}/slide-001.png"));
        if let (Some(a), Some(b)) = (first("A"), first("B")) {
            traits
                .by_label
                .insert(format!("paths in {name}"), [a as i128, b as i128]);
        }
    }
    let text = fs_err::read(folder.join("packet.json")).unwrap();
    let packet: serde_json::Value = serde_json::from_slice(&text).unwrap();
    for key in ["packet", "commitment"] {
        let digits = packet[key].as_str().unwrap();
        for (at, digit) in digits.chars().take(8).enumerate() {
            let digit = i128::from(digit.to_digit(16).unwrap());
            traits
                .by_packet
                .insert(format!("digit {at} of {key}"), digit);
            traits
                .by_packet
                .insert(format!("lowest bit of digit {at} of {key}"), digit & 1);
        }
    }
}

/// Each guesser's score: how often it named a label, and how often it was right.
pub fn scores(packets: &[(Label, Traits)]) -> BTreeMap<String, (u32, u32)> {
    let mut scores = BTreeMap::<String, (u32, u32)>::new();
    let mut count = |name: &str, guess: Option<Label>, truth: Label| {
        let score = scores.entry(name.to_owned()).or_default();
        if let Some(guess) = guess {
            score.0 += 1;
            score.1 += u32::from(guess == truth);
        }
    };
    let medians = medians(packets);
    for (truth, traits) in packets {
        for (name, [a, b]) in &traits.by_label {
            let guess = match a.cmp(b) {
                std::cmp::Ordering::Less => Some(Label::A),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Label::B),
            };
            count(name, guess, *truth);
        }
        for (name, figure) in &traits.by_packet {
            let median = medians[name];
            let guess = if *figure > median { Label::A } else { Label::B };
            count(name, Some(guess), *truth);
        }
    }
    scores
}

fn medians(packets: &[(Label, Traits)]) -> BTreeMap<String, i128> {
    let mut figures = BTreeMap::<String, Vec<i128>>::new();
    for (name, figure) in packets.iter().flat_map(|(_, traits)| &traits.by_packet) {
        figures.entry(name.clone()).or_default().push(*figure);
    }
    let middle = |mut figures: Vec<i128>| {
        figures.sort_unstable();
        figures[(figures.len() - 1) / 2]
    };
    figures
        .into_iter()
        .map(|(name, figures)| (name, middle(figures)))
        .collect()
}

/// The exact two-sided binomial test of `right` out of `tries` against one half: the probability
/// of all outcomes that are no likelier than this one.
pub fn binomial_p(tries: u32, right: u32) -> f64 {
    let mut likelihood = 0.5_f64.powi(i32::try_from(tries).unwrap());
    let mut all = Vec::new();
    for k in 0..=tries {
        all.push(likelihood);
        likelihood *= f64::from(tries - k) / f64::from(k + 1);
    }
    let limit = all[right as usize] * (1.0 + 1e-9);
    all.iter().filter(|each| **each <= limit).sum()
}
