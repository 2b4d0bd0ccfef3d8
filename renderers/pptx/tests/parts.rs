// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every part parser meets damaged parts: attributes with extreme values, elements lost, doubled and moved, bytes changed.
//! A deck with such a part is drawn or refused with a message; no parser may fault.
//!
//! `DECKPROOF_PPTX_CASES=N` tries N damages a part instead of a few.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod support;

use deckproof_pptx::{FontSet, NativeRenderer};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use support::{Case, pack};

/// A part and the fixture whose package has it.
const PARTS: [(&str, &str); 19] = [
    ("ppt/presentation.xml", "fonts/embedded"),
    ("ppt/slides/slide1.xml", "text/runs"),
    ("ppt/slides/slide1.xml", "tables/merges"),
    ("ppt/slides/slide1.xml", "wordart/effects-and-scripts"),
    ("ppt/slides/slide1.xml", "custom/arc-and-modes"),
    ("ppt/slideLayouts/slideLayout1.xml", "placeholders/inherit"),
    ("ppt/slideMasters/slideMaster1.xml", "placeholders/inherit"),
    ("ppt/theme/theme1.xml", "fills/theme-reference"),
    ("ppt/tableStyles.xml", "tables/style-medium2"),
    ("ppt/charts/chart1.xml", "charts/combined-second-axis"),
    ("ppt/charts/chart1.xml", "charts/levels-column"),
    ("ppt/charts/chart1.xml", "charts/data-table"),
    ("ppt/charts/chartEx1.xml", "charts-2016/box-and-whisker"),
    ("ppt/charts/chartEx1.xml", "charts-2016/treemap"),
    ("ppt/charts/chartEx1.xml", "charts-2016/histogram"),
    ("ppt/diagrams/drawing1.xml", "diagrams/cached-drawing"),
    ("ppt/diagrams/data1.xml", "diagrams/nodes-alone"),
    ("ppt/media/image4.emf", "pictures/emf"),
    ("ppt/media/image5.wmf", "pictures/wmf-bitmaps"),
];

const EXTREMES: [&str; 12] = [
    "",
    "-1",
    "0",
    "1",
    "NaN",
    "inf",
    "1e400",
    "-9223372036854775808",
    "99999999999",
    "100%",
    "\u{1F600}",
    "true",
];

/// One damage: what, where (as a share of the part), how.
type Damage = (u8, f64, usize);

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut text = text.to_owned();
    for (what, at, how) in damages {
        let starts: Vec<usize> = text.match_indices('<').map(|m| m.0).collect();
        let pick = |n: usize| ((at * n as f64) as usize).min(n.saturating_sub(1));
        let Some(start) = starts.get(pick(starts.len())).copied() else {
            break;
        };
        let end = starts
            .get(pick(starts.len()) + 1 + how % 4)
            .copied()
            .unwrap_or(text.len());
        let part = text[start..end].to_owned();
        match what % 4 {
            0 => {
                let values: Vec<usize> = text.match_indices("=\"").map(|m| m.0 + 2).collect();
                if let Some(from) = values.get(pick(values.len())).copied() {
                    let to = text[from..].find('"').map_or(text.len(), |n| from + n);
                    text.replace_range(from..to, EXTREMES[how % EXTREMES.len()]);
                }
            }
            1 => text.replace_range(start..end, ""),
            2 => text.insert_str(start, &part),
            _ => {
                text.replace_range(start..end, "");
                let to = starts.get(how % starts.len().max(1)).copied().unwrap_or(0);
                if to <= start {
                    text.insert_str(to, &part);
                }
            }
        }
    }
    text
}

fn damaged_bytes(bytes: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for (what, at, how) in damages {
        let i = ((at * out.len() as f64) as usize).min(out.len().saturating_sub(1));
        match what % 3 {
            0 => out[i] = *how as u8,
            1 => {
                let end = (i + 4).min(out.len());
                out[i..end].fill(if how % 2 == 0 { 0xFF } else { 0x7F });
            }
            _ => out.truncate(i.max(24)),
        }
    }
    out
}

fn case(name: &str) -> Case {
    let path = format!("{}/tests/cases/{name}.xml", env!("CARGO_MANIFEST_DIR"));
    Case::parse(&fs_err::read_to_string(path).expect("a fixture"))
}

#[test]
fn no_damaged_part_makes_a_parser_fault() {
    let Ok(fonts) = FontSet::debian() else {
        println!("skipped: the fonts are absent");
        return;
    };
    let renderer = NativeRenderer::new(fonts);
    let cases = std::env::var("DECKPROOF_PPTX_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(4);
    for (part, fixture) in PARTS {
        let parts = case(fixture).parts();
        let found = parts.iter().find(|p| p.0 == part);
        let original = found
            .unwrap_or_else(|| panic!("{fixture} has no {part}"))
            .1
            .clone();
        let mut runner = TestRunner::new(Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        });
        let damages = prop::collection::vec((any::<u8>(), 0.0..1.0f64, any::<usize>()), 1..6);
        let outcome = runner.run(&damages, |damages| {
            let bytes = match std::str::from_utf8(&original) {
                Ok(text) if part.ends_with("xml") => damaged(text, &damages).into_bytes(),
                _ => damaged_bytes(&original, &damages),
            };
            let mut parts = parts.clone();
            for p in parts.iter_mut().filter(|p| p.0 == part) {
                p.1.clone_from(&bytes);
            }
            match renderer.render(&pack(&parts)) {
                Ok(r) => {
                    let all = r.slides.iter().flat_map(|s| &s.diagnostics);
                    for d in all {
                        prop_assert!(d.code != "slide-failed", "{part}: {}", d.message);
                    }
                }
                Err(e) => prop_assert!(e.to_string().len() > 20, "{part}: {e}"),
            }
            Ok(())
        });
        if let Err(e) = outcome {
            panic!("{part} of {fixture}: {e}");
        }
    }
}
