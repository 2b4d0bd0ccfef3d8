// SPDX-License-Identifier: MIT OR Apache-2.0
//! The built-in table styles against those that PowerPoint wrote into public decks: a table that names a style by its id
//! alone looks as one whose deck holds the style.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod support;

use std::path::PathBuf;

use deckproof_pptx::{FontSet, NativeRenderer, RenderedSlide};
use support::{Case, pack};

fn reference() -> Option<String> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let dir = std::env::var_os("DECKPROOF_SHARED").map_or(beside, PathBuf::from);
    fs_err::read_to_string(dir.join("data/table_styles.xml")).ok()
}

/// A table of three by three that shows every part of a style.
fn table(id: &str) -> Case {
    let cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:rPr lang=\"en-US\" sz=\"1800\"/><a:t>Cell</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>";
    let row = format!("<a:tr h=\"800000\">{}</a:tr>", cell.repeat(4));
    Case {
        tree: format!(
            "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"2\" name=\"T\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x=\"914400\" y=\"914400\"/><a:ext cx=\"8000000\" cy=\"3200000\"/></p:xfrm><a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl><a:tblPr firstRow=\"1\" lastRow=\"1\" firstCol=\"1\" lastCol=\"1\" bandRow=\"1\"><a:tableStyleId>{id}</a:tableStyleId></a:tblPr><a:tblGrid>{}</a:tblGrid>{}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>",
            "<a:gridCol w=\"2000000\"/>".repeat(4),
            row.repeat(4)
        ),
        ..Case::default()
    }
}

fn drawn(r: &NativeRenderer, id: &str, styles: &str) -> RenderedSlide {
    let mut parts = table(id).parts();
    for p in parts.iter_mut().filter(|p| p.0 == "ppt/tableStyles.xml") {
        let list = String::from_utf8(p.1.clone()).expect("text");
        p.1 = list
            .replace("/>", &format!(">{styles}</a:tblStyleLst>"))
            .into_bytes();
    }
    r.render(&pack(&parts)).expect("drawn").slides.remove(0)
}

#[test]
fn every_built_in_style_looks_as_powerpoint_wrote_it() {
    let (Some(text), Ok(fonts)) = (reference(), FontSet::debian()) else {
        println!("skipped: ../shared or the fonts are absent");
        return;
    };
    let renderer = NativeRenderer::new(fonts);
    let mut wrong = Vec::new();
    let mut count = 0;
    for style in text.split("<a:tblStyle ").skip(1) {
        let body = style.split("</a:tblStyle>").next().unwrap_or_default();
        let get = |k: &str| {
            let from = body.split(&format!("{k}=\"")).nth(1)?;
            from.split('"').next()
        };
        let (Some(id), Some(name)) = (get("styleId"), get("styleName")) else {
            continue;
        };
        count += 1;
        let ours = drawn(&renderer, id, "");
        if ours.diagnostics.iter().any(|d| d.code == "table-style") {
            wrong.push(format!("{name} {id}: not built in"));
            continue;
        }
        let theirs = drawn(&renderer, id, &format!("<a:tblStyle {body}</a:tblStyle>"));
        let off = ours
            .rgb
            .iter()
            .zip(&theirs.rgb)
            .filter(|(a, b)| a.abs_diff(**b) > 3)
            .count();
        if off > 0 {
            wrong.push(format!("{name} {id}: {off} values differ"));
        }
    }
    assert!(count > 20, "only {count} styles in the reference");
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
