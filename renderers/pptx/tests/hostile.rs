// SPDX-License-Identifier: MIT OR Apache-2.0
//! Damaged and hostile input: an error with a way out, or a picture with a diagnostic; never a crash, never a hang.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod support;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use deckproof_pptx::{FontSet, NativeRenderer};
use proptest::prelude::*;
use support::Case;

fn renderer() -> Option<NativeRenderer> {
    let fonts = FontSet::debian().ok();
    if fonts.is_none() {
        println!("skipped: the fonts are absent");
    }
    fonts.map(NativeRenderer::new)
}

fn draw(tree: &str) -> Option<deckproof_pptx::RenderedSlide> {
    let r = renderer()?.render(
        &Case {
            tree: tree.to_owned(),
            ..Case::default()
        }
        .deck(),
    );
    Some(r.expect("opens").slides.remove(0))
}

#[test]
fn what_is_no_package_is_refused_with_a_message() {
    let Some(r) = renderer() else { return };
    for bytes in [
        &b""[..],
        b"PK\x03\x04",
        b"not a deck at all",
        &[0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
    ] {
        let e = r.render(bytes).expect_err("refused").to_string();
        assert!(e.len() > 20, "too short to help: {e}");
    }
}

#[test]
fn groups_without_end_are_cut_off() {
    let n = 60;
    let open = "<p:grpSp><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>";
    let tree = format!("{}{}", open.repeat(n), "</p:grpSp>".repeat(n));
    if let Some(s) = draw(&tree) {
        assert!(
            s.diagnostics.iter().any(|d| d.code == "deep-group"),
            "{:?}",
            s.diagnostics
        );
    }
}

#[test]
fn absurd_numbers_are_survived() {
    let tree = "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"x\"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm rot=\"999999999999\"><a:off x=\"-99999999999999\" y=\"NaN\"/><a:ext cx=\"1e300\" cy=\"99999999999999999\"/></a:xfrm><a:prstGeom prst=\"star32\"><a:avLst><a:gd name=\"adj\" fmla=\"*/ 1 1 0\"/></a:avLst></a:prstGeom><a:ln w=\"99999999999\"><a:solidFill><a:srgbClr val=\"zzzzzz\"/></a:solidFill></a:ln></p:spPr><p:txBody><a:bodyPr numCol=\"99999\" lIns=\"-1e30\"/><a:p><a:pPr marL=\"-999999999999\" indent=\"1e40\"/><a:r><a:rPr sz=\"99999999\"/><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>";
    let start = Instant::now();
    if let Some(s) = draw(tree) {
        assert_eq!(s.rgb.len(), 1280 * 720 * 3);
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn hidden_slides_give_no_pictures() {
    let Some(r) = renderer() else { return };
    let case = Case {
        slide_attributes: "show=\"0\"".to_owned(),
        ..Case::default()
    };
    assert!(r.render(&case.deck()).expect("opens").slides.is_empty());
}

/// Processor seconds that one hostile file may take. It is processor time, so a busy machine does not matter.
const SECONDS: f64 = 2.0;
/// Memory that a process may take that reads one hostile file, fonts and all.
const KILOBYTES: u64 = 500 << 10;

/// A measured run of one file, in a process of its own.
#[derive(Debug)]
struct Cost {
    seconds: f64,
    kilobytes: u64,
    /// The error's message; empty for a picture.
    error: String,
}

/// The child's part: draws the file and says what that cost.
fn measure(file: &Path) -> String {
    let renderer = renderer().expect("the parent has fonts");
    let bytes = fs_err::read(file).expect("readable");
    let before = processor_ticks();
    let error = match renderer.render(&bytes) {
        Ok(_) => String::new(),
        Err(e) => e.to_string(),
    };
    let ticks = processor_ticks() - before;
    format!("{ticks}\n{}\n{error}", peak_kilobytes())
}

/// Processor time of this process in hundredths of a second: fields 14 and 15 of /proc/self/stat.
fn processor_ticks() -> u64 {
    let stat = fs_err::read_to_string("/proc/self/stat").expect("Linux");
    let (_, rest) = stat.rsplit_once(')').expect("a name");
    let fields = rest.split_whitespace().skip(11).take(2);
    fields.map(|f| f.parse::<u64>().expect("ticks")).sum()
}

/// The most memory that this process has had.
fn peak_kilobytes() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let number = line.and_then(|l| l.split_whitespace().next());
    number.and_then(|n| n.parse().ok()).expect("VmHWM")
}

fn cost(test: &str, file: &Path, out: &Path) -> Cost {
    let status = std::process::Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", test])
        .env("DECKPROOF_PPTX_HOSTILE", file)
        .env("DECKPROOF_PPTX_OUT", out)
        .stdout(std::process::Stdio::null())
        .status()
        .expect("the child runs");
    assert!(status.success(), "{} crashed", file.display());
    let said = fs_err::read_to_string(out).expect("what it cost");
    let mut lines = said.splitn(3, '\n');
    let mut next = || lines.next().expect("three lines");
    Cost {
        seconds: next().parse::<f64>().expect("ticks") / 100.0,
        kilobytes: next().parse().expect("kilobytes"),
        error: next().to_owned(),
    }
}

#[test]
fn hostile_packages_of_the_corpus_end_soon_and_small() {
    if let Some(file) = std::env::var_os("DECKPROOF_PPTX_HOSTILE") {
        let out = std::env::var_os("DECKPROOF_PPTX_OUT").expect("where to");
        fs_err::write(out, measure(Path::new(&file))).expect("written");
        return;
    }
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let shared = std::env::var_os("DECKPROOF_SHARED").map_or(beside, PathBuf::from);
    let folder = shared.join("corpus/pptx");
    let Ok(table) = fs_err::read_to_string(folder.join("hostile.tsv")) else {
        println!("skipped: ../shared is absent");
        return;
    };
    if renderer().is_none() {
        return;
    }
    let work = tempfile::tempdir().expect("a folder");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|l| l.split('\t').collect())
        .collect();
    assert!(rows.len() >= 10, "only {} files", rows.len());
    for row in rows {
        let (id, kind) = (row[0], row[1]);
        let file = folder.join("hostile").join(format!("{id}.pptx"));
        let test = "hostile_packages_of_the_corpus_end_soon_and_small";
        let found = cost(test, &file, &work.path().join("out"));
        assert!(found.seconds <= SECONDS, "{id}: {found:?}");
        assert!(found.kilobytes <= KILOBYTES, "{id}: {found:?}");
        // One of them is a sound package after all.
        assert_eq!(found.error.len() > 20, kind != "ok", "{id}: {found:?}");
    }
}

/// Bits of XML that look like parts of a slide.
fn snippet() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("<a:off x=\"1\" y=\"2\"/>".to_owned()),
        Just("<a:ext cx=\"914400\" cy=\"914400\"/>".to_owned()),
        Just("<a:prstGeom prst=\"can\"/>".to_owned()),
        Just("<a:gradFill><a:gsLst><a:gs pos=\"0\"/></a:gsLst></a:gradFill>".to_owned()),
        Just("<a:noFill/>".to_owned()),
        "[a-z]{1,6}".prop_map(|t| format!("<a:t>{t}</a:t>")),
        "[0-9]{1,9}".prop_map(|v| format!("<a:gd name=\"adj\" fmla=\"val {v}\"/>")),
    ];
    let names = prop::sample::select(vec![
        "p:sp",
        "p:spPr",
        "a:xfrm",
        "p:txBody",
        "a:p",
        "a:r",
        "a:rPr",
        "a:ln",
        "a:tbl",
        "a:tr",
        "a:tc",
        "a:tblGrid",
        "p:grpSp",
        "p:grpSpPr",
        "p:pic",
        "p:blipFill",
        "a:effectLst",
        "a:outerShdw",
        "a:custGeom",
        "a:pathLst",
        "a:path",
        "p:graphicFrame",
        "a:graphic",
        "a:graphicData",
        "a:bodyPr",
        "a:pPr",
        "mc:AlternateContent",
        "mc:Choice",
        "mc:Fallback",
        "p:style",
        "a:fillRef",
    ]);
    leaf.prop_recursive(6, 48, 5, move |inner| {
        (names.clone(), prop::collection::vec(inner, 0..5))
            .prop_map(|(n, c)| format!("<{n}>{}</{n}>", c.concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_nesting_of_known_elements_is_drawn(parts in prop::collection::vec(snippet(), 1..6)) {
        if let Some(s) = draw(&parts.concat()) {
            prop_assert!(s.diagnostics.iter().all(|d| d.code != "slide-failed"), "{:?}", s.diagnostics);
        }
    }
}
