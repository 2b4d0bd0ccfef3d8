// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds one packet from files at hand, to look at the review page with real slides:
//! `cargo run -p deckproof-packets --example packet -- OUT A-PNGS B-PNGS REQUIREMENTS BRIEF [ASSET…]`.

use std::path::{Path, PathBuf};

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping;
use deckproof_packets::packet::{self, Asset, ByLabel, Dimension, Form, PacketInput};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Fallible<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let mut next = || {
        arguments
            .next()
            .ok_or("too few arguments; see the top of this file")
    };
    let (out, a, b) = (next()?, next()?, next()?);
    let (requirements, brief) = (next()?, next()?);
    let input = PacketInput {
        id: mapping::draw_id()?,
        commitment: Sha256Hex::of(mapping::draw_nonce()?.as_str().as_bytes()),
        pictures: ByLabel {
            a: pictures(&a)?,
            b: pictures(&b)?,
        },
        requirements: fs_err::read(requirements)?,
        brief: fs_err::read(brief)?,
        amendments: Vec::new(),
        assets: arguments
            .map(|path| asset(&path))
            .collect::<Fallible<_>>()?,
        prompt: PROMPT.into(),
        form: form(),
        mode: "A new deck, made from a brief.".to_owned(),
    };
    packet::build(&out, &input)?;
    std::io::Write::write_all(
        &mut std::io::stdout(),
        format!("{}\n", out.join(input.id.as_str()).display()).as_bytes(),
    )?;
    Ok(())
}

const PROMPT: &str = "Two decks were made for the same job. Judge **each by itself**, against what \
                      was asked for:\n\n1. Read the requirements and the brief.\n2. Look at every \
                      slide of A and of B.\n3. Answer the form, with a reason of its own for \
                      every score.\n";

fn pictures(folder: &Path) -> Fallible<Vec<Vec<u8>>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for item in fs_err::read_dir(folder)? {
        paths.push(item?.path());
    }
    paths.sort();
    Ok(paths.iter().map(fs_err::read).collect::<Result<_, _>>()?)
}

fn asset(path: &Path) -> Fallible<Asset> {
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|text| text.to_string_lossy().into_owned());
    Ok(Asset {
        name: part(path.file_name()).unwrap_or_default(),
        extension: part(path.extension()).unwrap_or_default(),
        bytes: fs_err::read(path)?,
    })
}

fn form() -> Form {
    let dimension = |name: &str, question: &str, anchors: [&str; 3]| Dimension {
        name: name.to_owned(),
        question: Some(question.to_owned()),
        anchors: ["1", "3", "5"]
            .into_iter()
            .map(str::to_owned)
            .zip(anchors.map(str::to_owned))
            .collect(),
    };
    Form {
        score_min: 1,
        score_max: 5,
        min_rationale_chars: 20,
        dimensions: vec![
            dimension(
                "fidelity",
                "Does the deck do what was asked for, and nothing else?",
                [
                    "It answers another brief.",
                    "It departs in places.",
                    "It does exactly that.",
                ],
            ),
            dimension(
                "argument",
                "Does each slide make its point at first sight?",
                [
                    "The point has to be searched for.",
                    "It is there.",
                    "It is seen first.",
                ],
            ),
            dimension(
                "evidence",
                "Are table, chart and figures correct and easy to compare?",
                [
                    "They mislead.",
                    "Comparing takes effort.",
                    "The comparison is made.",
                ],
            ),
            dimension(
                "craft",
                "Is the layout sound: alignment, space, contrast, nothing cut off?",
                ["Broken slides.", "Sound and plain.", "Nothing to correct."],
            ),
        ],
    }
}
