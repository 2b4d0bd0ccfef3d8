// SPDX-License-Identifier: MIT OR Apache-2.0
//! The smallest packages that hold what a test is about.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

/// What a package shall have.
pub struct Package<'a> {
    /// Slides that are hidden, from 1.
    pub hidden: &'a [u32],
    pub slides: u32,
    /// Size in EMU.
    pub width: u32,
    pub height: u32,
}

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPE: &str = "application/vnd.openxmlformats-officedocument.presentationml";
const NAMES: &str = "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"";
const TREE: &str =
    "<p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>";
const RED: &str = "<p:bg><p:bgPr><a:solidFill><a:srgbClr val=\"FF0000\"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>";

/// A package of red slides, each with one white box at a place of its own.
pub fn package(wanted: &Package) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &str| {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    };
    let numbers = 1..=wanted.slides;
    let overrides: String = numbers
        .clone()
        .map(|n| {
            format!(
                "<Override PartName=\"/ppt/slides/slide{n}.xml\" ContentType=\"{TYPE}.slide+xml\"/>"
            )
        })
        .collect();
    add(
        "[Content_Types].xml",
        &format!(
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Override PartName=\"/ppt/presentation.xml\" ContentType=\"{TYPE}.presentation.main+xml\"/><Override PartName=\"/ppt/slideMasters/slideMaster1.xml\" ContentType=\"{TYPE}.slideMaster+xml\"/><Override PartName=\"/ppt/slideLayouts/slideLayout1.xml\" ContentType=\"{TYPE}.slideLayout+xml\"/>{overrides}</Types>"
        ),
    );
    add(
        "_rels/.rels",
        &relationships(&[("rId1", "officeDocument", "ppt/presentation.xml".into())]),
    );
    let ids: String = numbers
        .clone()
        .map(|n| format!("<p:sldId id=\"{}\" r:id=\"rId{}\"/>", 255 + n, n + 1))
        .collect();
    add(
        "ppt/presentation.xml",
        &format!(
            "<p:presentation {NAMES}><p:sldMasterIdLst><p:sldMasterId id=\"2147483648\" r:id=\"rId1\"/></p:sldMasterIdLst><p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx=\"{}\" cy=\"{}\"/><p:notesSz cx=\"6858000\" cy=\"9144000\"/></p:presentation>",
            wanted.width, wanted.height
        ),
    );
    let mut parts = vec![(
        "rId1".to_owned(),
        "slideMaster",
        "slideMasters/slideMaster1.xml".to_owned(),
    )];
    parts.extend(numbers.clone().map(|n| {
        (
            format!("rId{}", n + 1),
            "slide",
            format!("slides/slide{n}.xml"),
        )
    }));
    let parts: Vec<(&str, &str, String)> = parts
        .iter()
        .map(|(id, kind, target)| (id.as_str(), *kind, target.clone()))
        .collect();
    add("ppt/_rels/presentation.xml.rels", &relationships(&parts));
    add(
        "ppt/slideMasters/slideMaster1.xml",
        &format!(
            "<p:sldMaster {NAMES}><p:cSld>{RED}<p:spTree>{TREE}</p:spTree></p:cSld><p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" accent1=\"accent1\" accent2=\"accent2\" accent3=\"accent3\" accent4=\"accent4\" accent5=\"accent5\" accent6=\"accent6\" hlink=\"hlink\" folHlink=\"folHlink\"/><p:sldLayoutIdLst><p:sldLayoutId id=\"2147483649\" r:id=\"rId1\"/></p:sldLayoutIdLst></p:sldMaster>"
        ),
    );
    add(
        "ppt/slideMasters/_rels/slideMaster1.xml.rels",
        &relationships(&[(
            "rId1",
            "slideLayout",
            "../slideLayouts/slideLayout1.xml".into(),
        )]),
    );
    add(
        "ppt/slideLayouts/slideLayout1.xml",
        &format!("<p:sldLayout {NAMES}><p:cSld><p:spTree>{TREE}</p:spTree></p:cSld></p:sldLayout>"),
    );
    add(
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels",
        &relationships(&[(
            "rId1",
            "slideMaster",
            "../slideMasters/slideMaster1.xml".into(),
        )]),
    );
    for n in numbers {
        let show = if wanted.hidden.contains(&n) {
            " show=\"0\""
        } else {
            ""
        };
        let x = 2_000_000 + 400_000 * n;
        add(
            &format!("ppt/slides/slide{n}.xml"),
            &format!(
                "<p:sld {NAMES}{show}><p:cSld>{RED}<p:spTree>{TREE}<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"box\"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x=\"{x}\" y=\"2000000\"/><a:ext cx=\"3000000\" cy=\"2000000\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val=\"FFFFFF\"/></a:solidFill></p:spPr></p:sp></p:spTree></p:cSld></p:sld>"
            ),
        );
        add(
            &format!("ppt/slides/_rels/slide{n}.xml.rels"),
            &relationships(&[(
                "rId1",
                "slideLayout",
                "../slideLayouts/slideLayout1.xml".into(),
            )]),
        );
    }
    zip.finish().unwrap().into_inner()
}

fn relationships(list: &[(&str, &str, String)]) -> String {
    let items: String = list
        .iter()
        .map(|(id, kind, target)| {
            format!("<Relationship Id=\"{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
        })
        .collect();
    format!("<Relationships xmlns=\"{RELATIONSHIPS}\">{items}</Relationships>")
}
