// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assembles small decks out of XML snippets, so that a fixture holds its one feature and nothing else.
#![allow(dead_code, reason = "each test binary uses its own part")]

mod metafile;

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

const NS: &str = "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" \
    xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\" \
    xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
    xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" \
    xmlns:cx=\"http://schemas.microsoft.com/office/drawing/2014/chartex\" \
    xmlns:cx1=\"http://schemas.microsoft.com/office/drawing/2015/9/8/chartex\" \
    xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" \
    xmlns:dsp=\"http://schemas.microsoft.com/office/drawing/2008/diagram\" \
    xmlns:p14=\"http://schemas.microsoft.com/office/powerpoint/2010/main\" \
    xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" \
    xmlns:a14=\"http://schemas.microsoft.com/office/drawing/2010/main\"";
const TYPE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A case: the snippets of its file.
#[derive(Debug, Clone, Default)]
pub struct Case {
    /// What it shows: a row of the support table.
    pub feature: String,
    /// How well that is drawn.
    pub how: String,
    /// Content of `p:bg`.
    pub background: String,
    /// Shapes of the slide.
    pub tree: String,
    /// Shapes of the layout.
    pub layout: String,
    /// Shapes of the master.
    pub master: String,
    /// A chart part.
    pub chart: String,
    /// A chart part of Office 2016.
    pub chart_ex: String,
    /// The data model of a diagram.
    pub diagram: String,
    /// The cached drawing of a diagram.
    pub drawing: String,
    /// Names of a font that is carried in the deck.
    pub font: String,
    /// Content of the color map override.
    pub map: String,
    /// Slide size.
    pub size: Option<(u32, u32)>,
    /// Attributes of the slide's root.
    pub slide_attributes: String,
}

fn between(text: &str, name: &str) -> String {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let inner = text
        .split_once(&open)
        .and_then(|(_, rest)| rest.split_once(&close))
        .map(|(i, _)| i);
    inner.unwrap_or_default().trim().to_owned()
}

impl Case {
    /// Reads the text of a case file.
    pub fn parse(text: &str) -> Self {
        let size = between(text, "size");
        Self {
            feature: between(text, "feature"),
            how: between(text, "how"),
            background: between(text, "bg"),
            tree: between(text, "tree"),
            layout: between(text, "layout"),
            master: between(text, "master"),
            chart: between(text, "chart"),
            chart_ex: between(text, "chartex"),
            diagram: between(text, "diagram"),
            drawing: between(text, "drawing"),
            font: between(text, "font"),
            map: between(text, "map"),
            size: size
                .split_once('x')
                .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?))),
            slide_attributes: between(text, "attributes"),
        }
    }

    /// The package of the case.
    pub fn deck(&self) -> Vec<u8> {
        pack(&self.parts())
    }

    /// The parts of the package: name and bytes.
    pub fn parts(&self) -> Vec<(String, Vec<u8>)> {
        let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
        let mut add = |name: &str, text: String| parts.push((name.to_owned(), text.into_bytes()));
        add("[Content_Types].xml", CONTENT_TYPES.to_owned());
        add(
            "_rels/.rels",
            rels(&[("rId1", "officeDocument", "ppt/presentation.xml")]),
        );
        let (w, h) = self.size.unwrap_or((12_192_000, 6_858_000));
        add(
            "ppt/presentation.xml",
            format!(
                "<p:presentation {NS}><p:sldMasterIdLst><p:sldMasterId id=\"2147483648\" r:id=\"rId1\"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id=\"256\" r:id=\"rId2\"/></p:sldIdLst><p:sldSz cx=\"{w}\" cy=\"{h}\"/><p:notesSz cx=\"6858000\" cy=\"9144000\"/>{}{DEFAULT_TEXT}</p:presentation>",
                self.font_list()
            ),
        );
        add(
            "ppt/_rels/presentation.xml.rels",
            rels(&[
                ("rId1", "slideMaster", "slideMasters/slideMaster1.xml"),
                ("rId2", "slide", "slides/slide1.xml"),
                ("rId3", "tableStyles", "tableStyles.xml"),
                ("rId4", "font", "fonts/font1.fntdata"),
            ]),
        );
        add(
            "ppt/tableStyles.xml",
            format!("<a:tblStyleLst {NS} def=\"{{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}}\"/>"),
        );
        add("ppt/theme/theme1.xml", THEME.replace("NS", NS));
        add(
            "ppt/slideMasters/slideMaster1.xml",
            format!(
                "<p:sldMaster {NS}>{}{MAP}<p:sldLayoutIdLst><p:sldLayoutId id=\"2147483649\" r:id=\"rId1\"/></p:sldLayoutIdLst>{TEXT_STYLES}</p:sldMaster>",
                tree(
                    "<p:bgRef idx=\"1001\"><a:schemeClr val=\"bg1\"/></p:bgRef>",
                    &self.master
                )
            ),
        );
        add(
            "ppt/slideMasters/_rels/slideMaster1.xml.rels",
            rels(&[
                ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml"),
                ("rId2", "theme", "../theme/theme1.xml"),
                ("rId3", "image", "../media/image1.png"),
            ]),
        );
        add(
            "ppt/slideLayouts/slideLayout1.xml",
            format!(
                "<p:sldLayout {NS}>{}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>",
                tree("", &self.layout)
            ),
        );
        add(
            "ppt/slideLayouts/_rels/slideLayout1.xml.rels",
            rels(&[("rId1", "slideMaster", "../slideMasters/slideMaster1.xml")]),
        );
        let map = if self.map.is_empty() {
            "<a:masterClrMapping/>"
        } else {
            &self.map
        };
        add(
            "ppt/slides/slide1.xml",
            format!(
                "<p:sld {NS} {}>{}<p:clrMapOvr>{map}</p:clrMapOvr></p:sld>",
                self.slide_attributes,
                tree(&self.background, &self.shapes(w, h))
            ),
        );
        add(
            "ppt/slides/_rels/slide1.xml.rels",
            rels(&[
                ("rId1", "slideLayout", "../slideLayouts/slideLayout1.xml"),
                ("rId2", "image", "../media/image1.png"),
                ("rId3", "chart", "../charts/chart1.xml"),
                ("rId4", "image", "../media/image2.wmf"),
                ("rId5", "image", "../media/image3.svg"),
                ("rId6", "chartEx", "../charts/chartEx1.xml"),
                ("rId7", "diagramData", "../diagrams/data1.xml"),
                ("rId8", "diagramDrawing", "../diagrams/drawing1.xml"),
                ("rId9", "image", "../media/image4.emf"),
                ("rId10", "image", "../media/image5.wmf"),
            ]),
        );
        if !self.chart.is_empty() {
            add(
                "ppt/charts/chart1.xml",
                format!("<c:chartSpace {NS}>{}</c:chartSpace>", self.chart),
            );
        }
        for (part, root, content) in [
            ("ppt/charts/chartEx1.xml", "cx:chartSpace", &self.chart_ex),
            ("ppt/diagrams/data1.xml", "dgm:dataModel", &self.diagram),
            ("ppt/diagrams/drawing1.xml", "dsp:drawing", &self.drawing),
        ] {
            if !content.is_empty() {
                add(part, format!("<{root} {NS}>{content}</{root}>"));
            }
        }
        add("ppt/media/image3.svg", SVG.to_owned());
        if !self.font.is_empty() {
            parts.push(("ppt/fonts/font1.fntdata".to_owned(), embedded_font()));
        }
        parts.push(("ppt/media/image4.emf".to_owned(), metafile::emf()));
        parts.push((
            "ppt/media/image5.wmf".to_owned(),
            metafile::wmf_with_bitmaps(),
        ));
        parts.push(("ppt/media/image1.png".to_owned(), picture()));
        parts.push(("ppt/media/image2.wmf".to_owned(), metafile()));
        parts
    }

    fn font_list(&self) -> String {
        if self.font.is_empty() {
            return String::new();
        }
        format!(
            "<p:embeddedFontLst><p:embeddedFont><p:font typeface=\"{}\"/><p:regular r:id=\"rId4\"/></p:embeddedFont></p:embeddedFontLst>",
            self.font
        )
    }

    fn shapes(&self, w: u32, h: u32) -> String {
        let (x, y, w, h) = (w / 12, h / 12, w * 10 / 12, h * 10 / 12);
        if !self.chart_ex.is_empty() && !self.tree.contains("rId6") {
            return format!(
                "{}<mc:AlternateContent><mc:Choice Requires=\"cx1\"><p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"90\" name=\"Chart\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{w}\" cy=\"{h}\"/></p:xfrm><a:graphic><a:graphicData uri=\"http://schemas.microsoft.com/office/drawing/2014/chartex\"><cx:chart r:id=\"rId6\"/></a:graphicData></a:graphic></p:graphicFrame></mc:Choice><mc:Fallback/></mc:AlternateContent>",
                self.tree
            );
        }
        if !self.diagram.is_empty() {
            return format!(
                "{}<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"90\" name=\"Diagram\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{w}\" cy=\"{h}\"/></p:xfrm><a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\"><dgm:relIds r:dm=\"rId7\" r:lo=\"rId70\" r:qs=\"rId71\" r:cs=\"rId72\"/></a:graphicData></a:graphic></p:graphicFrame>",
                self.tree
            );
        }
        if self.chart.is_empty() {
            return self.tree.clone();
        }
        format!(
            "{}<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"90\" name=\"Chart\"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{w}\" cy=\"{h}\"/></p:xfrm><a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"><c:chart r:id=\"rId3\"/></a:graphicData></a:graphic></p:graphicFrame>",
            self.tree
        )
    }
}

fn tree(background: &str, shapes: &str) -> String {
    let bg = if background.is_empty() {
        String::new()
    } else {
        format!("<p:bg>{background}</p:bg>")
    };
    format!(
        "<p:cSld>{bg}<p:spTree><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{shapes}</p:spTree></p:cSld>"
    )
}

fn rels(list: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        format!("<Relationship Id=\"{id}\" Type=\"{TYPE}/{kind}\" Target=\"{target}\"/>")
    };
    let all: String = list.iter().map(one).collect();
    format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{all}</Relationships>"
    )
}

/// Zips parts with one fixed time.
pub fn pack(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    archive(parts, SimpleFileOptions::default())
}

/// The same without compression, so that a fuzzer sees the parts' own bytes.
pub fn pack_stored(parts: &[(String, Vec<u8>)]) -> Vec<u8> {
    let stored = zip::CompressionMethod::Stored;
    archive(
        parts,
        SimpleFileOptions::default().compression_method(stored),
    )
}

fn archive(parts: &[(String, Vec<u8>)], options: SimpleFileOptions) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        zip.start_file(name, options).expect("a part starts");
        zip.write_all(bytes).expect("a part is written");
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// A picture of four coloured quarters with a grey ramp between.
fn picture() -> Vec<u8> {
    let (w, h) = (80u32, 60u32);
    let mut data = Vec::new();
    for y in 0..h {
        for x in 0..w {
            let c: [u8; 3] = match (x < w / 2, y < h / 2) {
                (true, true) => [220, 40, 40],
                (false, true) => [40, 160, 60],
                (true, false) => [40, 80, 200],
                (false, false) => [240, 200, 40],
            };
            let v = (x * 255 / w) as u8;
            data.extend(if (28..32).contains(&y) { [v, v, v] } else { c });
        }
    }
    let mut out = Vec::new();
    let mut e = png::Encoder::new(&mut out, w, h);
    e.set_color(png::ColorType::Rgb);
    e.set_depth(png::BitDepth::Eight);
    e.write_header()
        .expect("header")
        .write_image_data(&data)
        .expect("pixels");
    out
}

/// A placeable WMF with a filled ellipse and a thick line.
fn metafile() -> Vec<u8> {
    let mut records: Vec<Vec<u16>> = Vec::new();
    let rec = |function: u16, words: &[u16]| {
        let mut r = vec![(words.len() + 3) as u16, 0, function];
        r.extend(words);
        r
    };
    records.push(rec(0x020B, &[0, 0]));
    records.push(rec(0x020C, &[600, 800]));
    records.push(rec(0x02FC, &[0, 0x8040, 0x0020, 0]));
    records.push(rec(0x012D, &[0]));
    records.push(rec(0x02FA, &[0, 20, 0, 0x00FF, 0]));
    records.push(rec(0x012D, &[1]));
    records.push(rec(0x0418, &[550, 750, 50, 50]));
    records.push(rec(0x0214, &[50, 50]));
    records.push(rec(0x0213, &[550, 750]));
    records.push(rec(0, &[]));
    let total: usize = records.iter().map(Vec::len).sum::<usize>() + 9;
    let mut words: Vec<u16> = vec![0xCDD7, 0x9AC6, 0, 0, 0, 800, 600, 96, 0, 0, 0];
    words.extend([1, 9, 0x0300, total as u16, 0, 2, 30, 0, 0]);
    words.extend(records.into_iter().flatten());
    words.into_iter().flat_map(u16::to_le_bytes).collect()
}

/// A serif font of the system in a masked Embedded OpenType container.
fn embedded_font() -> Vec<u8> {
    let font =
        std::fs::read("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf").unwrap_or_default();
    let mut out = vec![0u8; 120];
    out[4..8].copy_from_slice(&(font.len() as u32).to_le_bytes());
    out[12..16].copy_from_slice(&0x1000_0000u32.to_le_bytes());
    out[34..36].copy_from_slice(&[0x4C, 0x50]);
    out.extend(font.iter().map(|b| b ^ 0x50));
    out
}

const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"40\"><circle cx=\"20\" cy=\"20\" r=\"18\" fill=\"#7a3db8\"/><path d=\"M8 20h24\" stroke=\"#fff\" stroke-width=\"5\"/></svg>";

const CONTENT_TYPES: &str = "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/><Default Extension=\"png\" ContentType=\"image/png\"/><Default Extension=\"svg\" ContentType=\"image/svg+xml\"/><Default Extension=\"wmf\" ContentType=\"image/x-wmf\"/><Default Extension=\"emf\" ContentType=\"image/x-emf\"/><Default Extension=\"fntdata\" ContentType=\"application/x-fontdata\"/><Override PartName=\"/ppt/presentation.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml\"/><Override PartName=\"/ppt/slides/slide1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.presentationml.slide+xml\"/><Override PartName=\"/ppt/slideLayouts/slideLayout1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.presentationml.slideLayout+xml\"/><Override PartName=\"/ppt/slideMasters/slideMaster1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.presentationml.slideMaster+xml\"/><Override PartName=\"/ppt/theme/theme1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.theme+xml\"/><Override PartName=\"/ppt/charts/chart1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.drawingml.chart+xml\"/></Types>";

const MAP: &str = "<p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" accent1=\"accent1\" accent2=\"accent2\" accent3=\"accent3\" accent4=\"accent4\" accent5=\"accent5\" accent6=\"accent6\" hlink=\"hlink\" folHlink=\"folHlink\"/>";

const DEFAULT_TEXT: &str = "<p:defaultTextStyle><a:lvl1pPr marL=\"0\" algn=\"l\"><a:defRPr sz=\"1800\"><a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill><a:latin typeface=\"+mn-lt\"/><a:ea typeface=\"+mn-ea\"/></a:defRPr></a:lvl1pPr></p:defaultTextStyle>";

const TEXT_STYLES: &str = "<p:txStyles><p:titleStyle><a:lvl1pPr algn=\"ctr\"><a:lnSpc><a:spcPct val=\"90000\"/></a:lnSpc><a:defRPr sz=\"4400\"><a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill><a:latin typeface=\"+mj-lt\"/></a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle><a:lvl1pPr marL=\"228600\" indent=\"-228600\"><a:spcBef><a:spcPts val=\"1000\"/></a:spcBef><a:buFont typeface=\"Arial\"/><a:buChar char=\"•\"/><a:defRPr sz=\"2800\"><a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill><a:latin typeface=\"+mn-lt\"/></a:defRPr></a:lvl1pPr><a:lvl2pPr marL=\"685800\" indent=\"-228600\"><a:spcBef><a:spcPts val=\"500\"/></a:spcBef><a:buFont typeface=\"Arial\"/><a:buChar char=\"–\"/><a:defRPr sz=\"2400\"><a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill><a:latin typeface=\"+mn-lt\"/></a:defRPr></a:lvl2pPr></p:bodyStyle><p:otherStyle/></p:txStyles>";

const THEME: &str = "<a:theme NS name=\"Test\"><a:themeElements><a:clrScheme name=\"Test\"><a:dk1><a:srgbClr val=\"101820\"/></a:dk1><a:lt1><a:srgbClr val=\"FFFFFF\"/></a:lt1><a:dk2><a:srgbClr val=\"1F3A5F\"/></a:dk2><a:lt2><a:srgbClr val=\"EEF1E6\"/></a:lt2><a:accent1><a:srgbClr val=\"3B6FB6\"/></a:accent1><a:accent2><a:srgbClr val=\"D9822B\"/></a:accent2><a:accent3><a:srgbClr val=\"5FA55A\"/></a:accent3><a:accent4><a:srgbClr val=\"B5446E\"/></a:accent4><a:accent5><a:srgbClr val=\"6B5CA5\"/></a:accent5><a:accent6><a:srgbClr val=\"2AA198\"/></a:accent6><a:hlink><a:srgbClr val=\"0563C1\"/></a:hlink><a:folHlink><a:srgbClr val=\"954F72\"/></a:folHlink></a:clrScheme><a:fontScheme name=\"Test\"><a:majorFont><a:latin typeface=\"Cambria\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/></a:majorFont><a:minorFont><a:latin typeface=\"Calibri\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/></a:minorFont></a:fontScheme><a:fmtScheme name=\"Test\"><a:fillStyleLst><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill><a:gradFill rotWithShape=\"1\"><a:gsLst><a:gs pos=\"0\"><a:schemeClr val=\"phClr\"><a:tint val=\"50000\"/></a:schemeClr></a:gs><a:gs pos=\"100000\"><a:schemeClr val=\"phClr\"/></a:gs></a:gsLst><a:lin ang=\"5400000\" scaled=\"0\"/></a:gradFill><a:gradFill rotWithShape=\"1\"><a:gsLst><a:gs pos=\"0\"><a:schemeClr val=\"phClr\"/></a:gs><a:gs pos=\"100000\"><a:schemeClr val=\"phClr\"><a:shade val=\"50000\"/></a:schemeClr></a:gs></a:gsLst><a:lin ang=\"5400000\" scaled=\"0\"/></a:gradFill></a:fillStyleLst><a:lnStyleLst><a:ln w=\"6350\"><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln><a:ln w=\"12700\"><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln><a:ln w=\"25400\"><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill></a:ln></a:lnStyleLst><a:effectStyleLst><a:effectStyle><a:effectLst/></a:effectStyle><a:effectStyle><a:effectLst/></a:effectStyle><a:effectStyle><a:effectLst><a:outerShdw blurRad=\"57150\" dist=\"76200\" dir=\"5400000\"><a:srgbClr val=\"000000\"><a:alpha val=\"60000\"/></a:srgbClr></a:outerShdw></a:effectLst></a:effectStyle></a:effectStyleLst><a:bgFillStyleLst><a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill><a:solidFill><a:schemeClr val=\"phClr\"><a:tint val=\"95000\"/></a:schemeClr></a:solidFill><a:gradFill><a:gsLst><a:gs pos=\"0\"><a:schemeClr val=\"phClr\"><a:tint val=\"60000\"/></a:schemeClr></a:gs><a:gs pos=\"100000\"><a:schemeClr val=\"phClr\"/></a:gs></a:gsLst><a:path path=\"circle\"><a:fillToRect l=\"50000\" t=\"50000\" r=\"50000\" b=\"50000\"/></a:path></a:gradFill></a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>";
