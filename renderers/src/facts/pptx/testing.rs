// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decks for tests, one part at a time.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use deckproof_package::{Limits, Package};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::facts::{DeckFacts, SlideFacts};

const NS: &str = "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\" \
    xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
    xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" \
    xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\"";
const REL: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A deck under construction: 1280x720 px, one master with title and body, one layout.
pub(super) struct Deck {
    parts: BTreeMap<String, Vec<u8>>,
    slides: usize,
    types: String,
}

impl Deck {
    pub(super) fn new() -> Self {
        let mut deck = Self {
            parts: BTreeMap::new(),
            slides: 0,
            types: String::new(),
        };
        let title = sp(
            "Title",
            "10,20,400,60",
            r#"<p:ph type="title"/>"#,
            "",
            &p("Click to edit"),
        );
        let body = sp(
            "Body",
            "10,100,400,300",
            r#"<p:ph type="body" idx="1"/>"#,
            "",
            &p("Click to edit"),
        );
        let logo = sp("Logo", "1100,680,100,20", "", "", &p("ACME"));
        let styles = r#"<p:txStyles><p:titleStyle><a:lvl1pPr algn="ctr"><a:defRPr sz="4400" b="1"><a:solidFill><a:schemeClr
            val="tx1"/></a:solidFill><a:latin typeface="+mj-lt"/></a:defRPr></a:lvl1pPr></p:titleStyle></p:txStyles>"#;
        let map = r#"<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2"/>"#;
        deck.part(
            "ppt/slideMasters/m.xml",
            &format!(
                "<p:sldMaster {NS}>{}{map}{styles}</p:sldMaster>",
                tree(&(title + &body + &logo))
            ),
        );
        deck.relate(
            "ppt/slideMasters/_rels/m.xml.rels",
            &[
                ("l", "slideLayout", "../slideLayouts/l.xml"),
                ("t", "theme", "../theme/t.xml"),
            ],
        );
        let body = sp(
            "Body",
            "20,200,500,300",
            r#"<p:ph idx="1"/>"#,
            "",
            &p("Click to edit"),
        );
        deck.part(
            "ppt/slideLayouts/l.xml",
            &format!("<p:sldLayout {NS}>{}</p:sldLayout>", tree(&body)),
        );
        deck.relate(
            "ppt/slideLayouts/_rels/l.xml.rels",
            &[("m", "slideMaster", "../slideMasters/m.xml")],
        );
        deck.part("ppt/theme/t.xml", &format!(
            r#"<a:theme {NS}><a:themeElements><a:clrScheme name="x"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1>
            <a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="336699"/></a:accent1></a:clrScheme>
            <a:fontScheme name="x"><a:majorFont><a:latin typeface="Georgia"/></a:majorFont><a:minorFont><a:latin
            typeface="Calibri"/></a:minorFont></a:fontScheme></a:themeElements></a:theme>"#
        ));
        deck
    }

    /// Adds a slide with these shapes and relationships beside that to the layout.
    pub(super) fn slide(self, shapes: &str, relationships: &[(&str, &str, &str)]) -> Self {
        self.slide_with("", "", shapes, relationships)
    }

    /// The same with attributes of the root, and elements before the shape tree.
    pub(super) fn slide_with(
        mut self,
        attributes: &str,
        before: &str,
        shapes: &str,
        relationships: &[(&str, &str, &str)],
    ) -> Self {
        self.slides += 1;
        let n = self.slides;
        let tree = tree(shapes).replacen("<p:cSld>", &format!("<p:cSld>{before}"), 1);
        self.part(
            &format!("ppt/slides/s{n}.xml"),
            &format!("<p:sld {NS} {attributes}>{tree}</p:sld>"),
        );
        let all: Vec<_> = [("layout", "slideLayout", "../slideLayouts/l.xml")]
            .iter()
            .chain(relationships)
            .copied()
            .collect();
        self.relate(&format!("ppt/slides/_rels/s{n}.xml.rels"), &all);
        self
    }

    /// Adds a part; `NS` inside is replaced by the namespace declarations.
    pub(super) fn with(mut self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let text = String::from_utf8(bytes.as_ref().to_vec());
        let bytes = text.map_or_else(
            |error| error.into_bytes(),
            |text| text.replace("NS", NS).into_bytes(),
        );
        self.types += &format!(r#"<Override PartName="/{name}" ContentType="x/y"/>"#);
        self.parts.insert(name.to_owned(), bytes);
        self
    }

    fn part(&mut self, name: &str, text: &str) {
        self.parts.insert(name.to_owned(), text.as_bytes().to_vec());
    }

    pub(super) fn relate(&mut self, name: &str, list: &[(&str, &str, &str)]) {
        let items: String = list
            .iter()
            .map(|(id, kind, target)| {
                let mode = if target.contains("://") {
                    r#" TargetMode="External""#
                } else {
                    ""
                };
                format!(r#"<Relationship Id="{id}" Type="{REL}/{kind}" Target="{target}"{mode}/>"#)
            })
            .collect();
        self.part(name, &format!(r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{items}</Relationships>"#));
    }

    pub(super) fn package(mut self) -> Package {
        let ids: String = (1..=self.slides)
            .map(|n| format!(r#"<p:sldId id="{}" r:id="s{n}"/>"#, 255 + n))
            .collect();
        self.part("ppt/presentation.xml", &format!(
            r#"<p:presentation {NS} firstSlideNum="5"><p:sldMasterIdLst><p:sldMasterId r:id="m"/></p:sldMasterIdLst>
            <p:sldIdLst>{ids}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>"#
        ));
        let names: Vec<_> = (1..=self.slides)
            .map(|n| (format!("s{n}"), format!("slides/s{n}.xml")))
            .collect();
        let mut list = vec![("m", "slideMaster", "slideMasters/m.xml")];
        list.extend(
            names
                .iter()
                .map(|(id, target)| (id.as_str(), "slide", target.as_str())),
        );
        self.relate("ppt/_rels/presentation.xml.rels", &list);
        self.relate(
            "_rels/.rels",
            &[("p", "officeDocument", "ppt/presentation.xml")],
        );
        let main =
            "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml";
        let types = format!(
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml"
            ContentType="application/xml"/><Default Extension="rels" ContentType="x/y"/><Override
            PartName="/ppt/presentation.xml" ContentType="{main}"/>{}</Types>"#,
            self.types
        );
        self.part("[Content_Types].xml", &types);
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in &self.parts {
            writer
                .start_file(name.as_str(), SimpleFileOptions::default())
                .unwrap();
            writer.write_all(bytes).unwrap();
        }
        Package::open(writer.finish().unwrap().into_inner(), &Limits::default()).unwrap()
    }

    pub(super) fn facts(self) -> DeckFacts {
        super::read(&self.package()).unwrap()
    }

    /// The facts of a deck with one slide of these shapes.
    pub(super) fn of(shapes: &str) -> SlideFacts {
        Self::new().slide(shapes, &[]).facts().slides.remove(0)
    }
}

fn tree(shapes: &str) -> String {
    format!("<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{shapes}</p:spTree></p:cSld>")
}

/// A transform from `x,y,width,height` in pixels; none for an empty text.
pub(super) fn xfrm(rect: &str, tag: &str) -> String {
    let numbers: Vec<i64> = rect
        .split(',')
        .filter_map(|text| text.parse().ok())
        .map(|px: i64| px * 9525)
        .collect();
    match numbers[..] {
        [x, y, w, h] => {
            format!(r#"<{tag}><a:off x="{x}" y="{y}"/><a:ext cx="{w}" cy="{h}"/></{tag}>"#)
        }
        _ => String::new(),
    }
}

/// A shape: name, box, placeholder element, further shape properties, paragraphs.
pub(super) fn sp(
    name: &str,
    rect: &str,
    holder: &str,
    properties: &str,
    paragraphs: &str,
) -> String {
    let hidden = if name.contains("hidden") {
        r#" hidden="1""#
    } else {
        ""
    };
    format!(
        r#"<p:sp><p:nvSpPr><p:cNvPr id="2" name="{name}"{hidden}/><p:cNvSpPr/><p:nvPr>{holder}</p:nvPr></p:nvSpPr><p:spPr>{}
        {properties}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>{paragraphs}</p:txBody></p:sp>"#,
        xfrm(rect, "a:xfrm")
    )
}

/// A paragraph of one run.
pub(super) fn p(text: &str) -> String {
    format!("<a:p><a:r><a:t>{text}</a:t></a:r></a:p>")
}

/// A paragraph of one run in a colour.
pub(super) fn colored(text: &str, hex: &str) -> String {
    format!(
        r#"<a:p><a:r><a:rPr dirty="0" lang="en-US">{}</a:rPr><a:t>{text}</a:t></a:r></a:p>"#,
        solid(hex)
    )
}

/// A solid fill.
pub(super) fn solid(hex: &str) -> String {
    format!(r#"<a:solidFill><a:srgbClr val="{hex}"/></a:solidFill>"#)
}

/// A picture that shows the relationship `id`.
pub(super) fn pic(rect: &str, id: &str, extra: &str) -> String {
    format!(
        r#"<p:pic><p:nvPicPr><p:cNvPr id="3" name="Picture"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip
        r:embed="{id}"/>{extra}</p:blipFill><p:spPr>{}</p:spPr></p:pic>"#,
        xfrm(rect, "a:xfrm")
    )
}

/// A graphic frame with this content.
pub(super) fn frame(rect: &str, content: &str) -> String {
    format!(
        r#"<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="Frame"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>
        {}<a:graphic><a:graphicData uri="x">{content}</a:graphicData></a:graphic></p:graphicFrame>"#,
        xfrm(rect, "p:xfrm")
    )
}
