// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small packages for the tests of this crate, built part by part so that a test can leave one out or bend it.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::{Limits, Package, PackageError};

const REL: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const SHARED: &str = "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\" \
    xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";

/// The parts of a package by name, in archive order.
#[derive(Debug, Clone)]
pub(crate) struct Parts(pub(crate) Vec<(String, Vec<u8>)>);

impl Parts {
    /// A sound presentation of `slides` slides, one layout and one master.
    pub(crate) fn deck(slides: usize) -> Self {
        let mut parts = Self(Vec::new());
        let mut types = String::from(
            r#"<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
               <Default Extension="xml" ContentType="application/xml"/>"#,
        );
        let kind = "application/vnd.openxmlformats-officedocument.presentationml";
        let mut listed = String::new();
        let mut main = relationship("m1", "slideMaster", "slideMasters/slideMaster1.xml");
        types += &declared(
            "ppt/presentation.xml",
            &format!("{kind}.presentation.main+xml"),
        );
        types += &declared(
            "ppt/slideMasters/slideMaster1.xml",
            &format!("{kind}.slideMaster+xml"),
        );
        types += &declared(
            "ppt/slideLayouts/slideLayout1.xml",
            &format!("{kind}.slideLayout+xml"),
        );
        for n in 1..=slides {
            let name = format!("slides/slide{n}.xml");
            types += &declared(&format!("ppt/{name}"), &format!("{kind}.slide+xml"));
            listed += &format!(r#"<p:sldId id="{}" r:id="s{n}"/>"#, 255 + n);
            main += &relationship(&format!("s{n}"), "slide", &name);
            parts.set(
                &format!("ppt/{name}"),
                &format!("<p:sld {SHARED}><p:cSld/></p:sld>"),
            );
            let layout = relationship("l1", "slideLayout", "../slideLayouts/slideLayout1.xml");
            parts.relationships(&format!("ppt/slides/_rels/slide{n}.xml.rels"), &layout);
        }
        let types = format!(
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{types}</Types>"#
        );
        parts.set("[Content_Types].xml", &types);
        parts.relationships(
            "_rels/.rels",
            &relationship("x", "officeDocument", "ppt/presentation.xml"),
        );
        parts.set(
            "ppt/presentation.xml",
            &format!(
                r#"<p:presentation {SHARED}><p:sldMasterIdLst><p:sldMasterId r:id="m1"/></p:sldMasterIdLst>
                   <p:sldIdLst>{listed}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/></p:presentation>"#
            ),
        );
        parts.relationships("ppt/_rels/presentation.xml.rels", &main);
        parts.set(
            "ppt/slideMasters/slideMaster1.xml",
            &format!("<p:sldMaster {SHARED}/>"),
        );
        let layout = relationship("l1", "slideLayout", "../slideLayouts/slideLayout1.xml");
        parts.relationships("ppt/slideMasters/_rels/slideMaster1.xml.rels", &layout);
        parts.set(
            "ppt/slideLayouts/slideLayout1.xml",
            &format!("<p:sldLayout {SHARED}/>"),
        );
        let master = relationship("m1", "slideMaster", "../slideMasters/slideMaster1.xml");
        parts.relationships("ppt/slideLayouts/_rels/slideLayout1.xml.rels", &master);
        parts
    }

    /// Adds a part or replaces its bytes.
    pub(crate) fn set(&mut self, name: &str, text: &str) {
        self.remove(name);
        self.0.push((name.to_owned(), text.as_bytes().to_vec()));
    }

    /// Takes a part away.
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(other, _)| other != name);
    }

    /// Replaces text inside a part, which must occur.
    pub(crate) fn replace(&mut self, name: &str, from: &str, to: &str) {
        let (_, bytes) = self
            .0
            .iter_mut()
            .find(|(other, _)| other == name)
            .expect("the part exists");
        let text = String::from_utf8(bytes.clone()).expect("the part is text");
        assert!(text.contains(from), "{name} does not contain {from:?}");
        *bytes = text.replace(from, to).into_bytes();
    }

    fn relationships(&mut self, name: &str, inner: &str) {
        let root = "http://schemas.openxmlformats.org/package/2006/relationships";
        self.set(
            name,
            &format!(r#"<Relationships xmlns="{root}">{inner}</Relationships>"#),
        );
    }

    /// The archive.
    pub(crate) fn zip(&self) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in &self.0 {
            writer
                .start_file(name.as_str(), SimpleFileOptions::default())
                .expect("a name");
            writer.write_all(bytes).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    }

    /// The opened package.
    pub(crate) fn open(&self) -> Result<Package, PackageError> {
        Package::open(self.zip(), &Limits::default())
    }
}

/// One `Relationship` element with the transitional type of this kind.
pub(crate) fn relationship(id: &str, kind: &str, target: &str) -> String {
    format!(r#"<Relationship Id="{id}" Type="{REL}/{kind}" Target="{target}"/>"#)
}

fn declared(part: &str, kind: &str) -> String {
    format!(r#"<Override PartName="/{part}" ContentType="{kind}"/>"#)
}
