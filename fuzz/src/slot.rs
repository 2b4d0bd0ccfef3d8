// SPDX-License-Identifier: MIT OR Apache-2.0
//! The place in a deck that a target fills, and the deck around it.

use std::io::{Cursor, Read as _};
use std::sync::OnceLock;

use crate::support::{Case, pack_stored};

/// A part of a deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// The presentation part.
    Presentation,
    /// The slide.
    Slide,
    /// The layout, or the master.
    LayoutOrMaster,
    /// The theme.
    Theme,
    /// The table style list.
    TableStyles,
    /// The chart of either kind.
    Chart,
    /// The drawing of a SmartArt graphic, or its data.
    Diagram,
    /// An EMF or WMF picture.
    Metafile,
    /// A raster or SVG picture.
    Picture,
}

type Parts = Vec<(String, Vec<u8>)>;

impl Slot {
    /// The deck with these bytes in this place.
    #[must_use]
    pub fn deck(self, bytes: &[u8]) -> Vec<u8> {
        let mut parts = template().clone();
        set(&mut parts, "ppt/slides/slide1.xml", self.slide(bytes));
        if let Some(name) = self.part(bytes) {
            set(&mut parts, name, bytes.to_vec());
        }
        pack_stored(&parts)
    }

    /// Where the bytes go. SmartArt data go where no drawing is linked.
    fn part(self, bytes: &[u8]) -> Option<&'static str> {
        Some(match self {
            Self::Presentation => "ppt/presentation.xml",
            Self::Slide => return None,
            Self::LayoutOrMaster if has(bytes, b"sldMaster") => "ppt/slideMasters/slideMaster1.xml",
            Self::LayoutOrMaster => "ppt/slideLayouts/slideLayout1.xml",
            Self::Theme => "ppt/theme/theme1.xml",
            Self::TableStyles => "ppt/tableStyles.xml",
            Self::Chart => "ppt/charts/chart1.xml",
            Self::Diagram if has(bytes, b"dataModel") => "ppt/diagrams/data2.xml",
            Self::Diagram => "ppt/diagrams/drawing1.xml",
            Self::Metafile => "ppt/media/image2.wmf",
            Self::Picture => "ppt/media/image1.png",
        })
    }

    /// The slide that uses the part.
    fn slide(self, bytes: &[u8]) -> Vec<u8> {
        let tree = match self {
            Self::Slide => return bytes.to_vec(),
            Self::Presentation | Self::LayoutOrMaster => PLACEHOLDERS.to_owned(),
            Self::Theme => STYLED.to_owned(),
            Self::TableStyles => TABLE.replace("STYLE", &style_id(bytes)),
            Self::Chart => frame(
                "<a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"><c:chart r:id=\"rId3\"/></a:graphicData>",
            ),
            Self::Diagram => {
                let id = if has(bytes, b"dataModel") {
                    "rId7"
                } else {
                    "rId6"
                };
                frame(&format!(
                    "<a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\"><dgm:relIds xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" r:dm=\"{id}\"/></a:graphicData>"
                ))
            }
            Self::Metafile => picture("rId4"),
            Self::Picture => picture("rId2"),
        };
        let deck = Case {
            tree,
            ..Case::default()
        }
        .deck();
        let found = unpacked(&deck)
            .into_iter()
            .find(|(n, _)| n == "ppt/slides/slide1.xml");
        found.map(|(_, b)| b).unwrap_or_default()
    }
}

fn has(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|w| w == word)
}

fn set(parts: &mut Parts, name: &str, bytes: Vec<u8>) {
    match parts.iter_mut().find(|(n, _)| n == name) {
        Some(part) => part.1 = bytes,
        None => parts.push((name.to_owned(), bytes)),
    }
}

/// The deck that all slots share: SmartArt with and without a drawing, and a chart, beside what the fixtures have.
fn template() -> &'static Parts {
    static TEMPLATE: OnceLock<Parts> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let deck = Case {
            chart: "<c:chart/>".to_owned(),
            master: PLACEHOLDERS.to_owned(),
            layout: PLACEHOLDERS.to_owned(),
            ..Case::default()
        }
        .deck();
        let mut parts = unpacked(&deck);
        for (name, bytes) in &mut parts {
            let text = String::from_utf8_lossy(bytes).into_owned();
            match name.as_str() {
                "ppt/slides/_rels/slide1.xml.rels" => *bytes = text.replace("</Relationships>", DIAGRAM_RELS).into_bytes(),
                "[Content_Types].xml" => *bytes = text.replace("</Types>", DIAGRAM_TYPES).into_bytes(),
                _ => {}
            }
        }
        set(&mut parts, "ppt/diagrams/data1.xml", DATA.replace("EXT", "<dgm:extLst><a:ext uri=\"x\"><dsp:dataModelExt xmlns:dsp=\"http://schemas.microsoft.com/office/drawing/2008/diagram\" relId=\"rId8\"/></a:ext></dgm:extLst>").into_bytes());
        set(&mut parts, "ppt/diagrams/data2.xml", DATA.replace("EXT", "").into_bytes());
        set(&mut parts, "ppt/diagrams/drawing1.xml", b"<dsp:drawing xmlns:dsp=\"http://schemas.microsoft.com/office/drawing/2008/diagram\"/>".to_vec());
        parts
    })
}

fn unpacked(deck: &[u8]) -> Parts {
    let mut zip = zip::ZipArchive::new(Cursor::new(deck)).expect("our own deck");
    let mut parts = Parts::new();
    for i in 0..zip.len() {
        let mut entry = zip.by_index(i).expect("an entry");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("its bytes");
        parts.push((entry.name().expect("a name").into_owned(), bytes));
    }
    parts
}

/// The first style that a list names, so that the table asks for it.
fn style_id(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let id = text
        .split_once("styleId=\"")
        .and_then(|(_, r)| r.split_once('"'));
    let id = id.map_or("{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}", |(id, _)| id);
    id.replace(['<', '&'], "")
}

fn frame(data: &str) -> String {
    format!(
        "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"9\" name=\"f\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x=\"900000\" y=\"700000\"/><a:ext cx=\"9000000\" cy=\"5000000\"/></p:xfrm><a:graphic>{data}</a:graphic></p:graphicFrame>"
    )
}

fn picture(id: &str) -> String {
    format!(
        "<p:pic><p:nvPicPr><p:cNvPr id=\"8\" name=\"p\"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed=\"{id}\"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x=\"900000\" y=\"700000\"/><a:ext cx=\"9000000\" cy=\"5000000\"/></a:xfrm><a:prstGeom prst=\"rect\"/></p:spPr></p:pic>"
    )
}

const PLACEHOLDERS: &str = "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"t\"/><p:cNvSpPr/><p:nvPr><p:ph type=\"title\"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x=\"800000\" y=\"400000\"/><a:ext cx=\"10000000\" cy=\"1300000\"/></a:xfrm></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>Title</a:t></a:r></a:p></p:txBody></p:sp><p:sp><p:nvSpPr><p:cNvPr id=\"3\" name=\"b\"/><p:cNvSpPr/><p:nvPr><p:ph idx=\"1\"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>First point</a:t></a:r></a:p><a:p><a:pPr lvl=\"1\"/><a:r><a:t>Second point</a:t></a:r></a:p></p:txBody></p:sp>";

const STYLED: &str = "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"s\"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x=\"800000\" y=\"400000\"/><a:ext cx=\"5000000\" cy=\"2300000\"/></a:xfrm><a:prstGeom prst=\"roundRect\"/></p:spPr><p:style><a:lnRef idx=\"1\"><a:schemeClr val=\"accent1\"/></a:lnRef><a:fillRef idx=\"1\"><a:schemeClr val=\"accent2\"/></a:fillRef><a:effectRef idx=\"1\"><a:schemeClr val=\"accent3\"/></a:effectRef><a:fontRef idx=\"minor\"><a:schemeClr val=\"lt1\"/></a:fontRef></p:style><p:txBody><a:bodyPr/><a:p><a:r><a:t>Styled</a:t></a:r></a:p></p:txBody></p:sp><p:sp><p:nvSpPr><p:cNvPr id=\"3\" name=\"s\"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x=\"6800000\" y=\"3400000\"/><a:ext cx=\"4000000\" cy=\"2300000\"/></a:xfrm><a:prstGeom prst=\"ellipse\"/></p:spPr><p:style><a:lnRef idx=\"3\"><a:schemeClr val=\"dk2\"/></a:lnRef><a:fillRef idx=\"3\"><a:schemeClr val=\"accent6\"/></a:fillRef><a:effectRef idx=\"3\"><a:schemeClr val=\"accent3\"/></a:effectRef><a:fontRef idx=\"major\"><a:schemeClr val=\"lt1\"/></a:fontRef></p:style><p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang=\"ja-JP\"><a:ea typeface=\"+mn-ea\"/></a:rPr><a:t>見出し heading</a:t></a:r></a:p></p:txBody></p:sp>";

const TABLE: &str = "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"9\" name=\"f\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x=\"900000\" y=\"700000\"/><a:ext cx=\"9000000\" cy=\"3000000\"/></p:xfrm><a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl><a:tblPr firstRow=\"1\" lastRow=\"1\" firstCol=\"1\" lastCol=\"1\" bandRow=\"1\" bandCol=\"1\"><a:tableStyleId>STYLE</a:tableStyleId></a:tblPr><a:tblGrid><a:gridCol w=\"3000000\"/><a:gridCol w=\"3000000\"/><a:gridCol w=\"3000000\"/></a:tblGrid><a:tr h=\"700000\"><a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>a</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr/></a:tc></a:tr><a:tr h=\"700000\"><a:tc><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>b</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr/></a:tc></a:tr><a:tr h=\"700000\"><a:tc><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr/></a:tc><a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>c</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>";

const DATA: &str = "<dgm:dataModel xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><dgm:ptLst><dgm:pt modelId=\"1\" type=\"doc\"/><dgm:pt modelId=\"2\"><dgm:t><a:p><a:r><a:t>One</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn modelId=\"3\" srcId=\"1\" destId=\"2\" srcOrd=\"0\"/></dgm:cxnLst>EXT</dgm:dataModel>";

const DIAGRAM_RELS: &str = "<Relationship Id=\"rId6\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData\" Target=\"../diagrams/data1.xml\"/><Relationship Id=\"rId7\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData\" Target=\"../diagrams/data2.xml\"/><Relationship Id=\"rId8\" Type=\"http://schemas.microsoft.com/office/2007/relationships/diagramDrawing\" Target=\"../diagrams/drawing1.xml\"/></Relationships>";

const DIAGRAM_TYPES: &str = "<Override PartName=\"/ppt/diagrams/data1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml\"/><Override PartName=\"/ppt/diagrams/data2.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml\"/><Override PartName=\"/ppt/diagrams/drawing1.xml\" ContentType=\"application/vnd.ms-office.drawingml.diagramDrawing+xml\"/></Types>";
