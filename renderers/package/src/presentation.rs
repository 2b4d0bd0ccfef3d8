// SPDX-License-Identifier: MIT OR Apache-2.0
//! The presentation part: canvas size, and the slides in the order shown with the parts each one rests on.

use roxmltree::Node;

use crate::ns::{NodeExt, P};
use crate::{Package, PackageError, Relationships};

/// The content types that a presentation's main part may have, all with this core.
const MAIN_TYPES: [&str; 6] = [
    "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
    "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
    "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
    "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
    "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
];

/// The size of a presentation that names none: 10 × 7.5 inches.
const DEFAULT_SIZE: (i64, i64) = (9_144_000, 6_858_000);

/// What ECMA-376-1, 19.7.16 (`ST_SlideSizeCoordinate`) allows.
const SIZE_RANGE: std::ops::RangeInclusive<i64> = 914_400..=51_206_400;

/// A presentation's frame. Lengths are in EMU (914,400 to the inch, 9,525 to the pixel at 96 dpi).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Presentation {
    /// The presentation part's name.
    pub part: String,
    /// Width of every slide in EMU.
    pub width: i64,
    /// Height of every slide in EMU.
    pub height: i64,
    /// The slides in the order shown, hidden ones included.
    pub slides: Vec<Slide>,
    /// The slide master parts in the order listed; those that do not resolve are left out.
    pub masters: Vec<String>,
}

/// One slide and the parts it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slide {
    /// The slide part's name.
    pub part: String,
    /// The identifier that the presentation gives it, if it has a number there.
    pub id: Option<u32>,
    /// Whether it is left out of a show (`show="0"`).
    pub hidden: bool,
    /// The notes part, if it has one that exists.
    pub notes: Option<String>,
    /// The layout part, if it has one that exists.
    pub layout: Option<String>,
    /// The master part of the layout, if it has one that exists.
    pub master: Option<String>,
}

/// Reads the presentation of a package whose content types are known.
pub(crate) fn read(package: &Package) -> Result<Presentation, PackageError> {
    let part = main_part(package)?;
    let document = package.document(&part)?;
    let root = document.root_element();
    if !root.is(P, "presentation") {
        let found = format!(
            "its main part {part:?} has the root element <{}>",
            root.tag_name().name()
        );
        return Err(PackageError::NotPresentation { found });
    }
    let relationships = package.relationships(&part)?;
    let damaged = |detail: String| PackageError::Presentation {
        part: part.clone(),
        detail,
    };
    let (width, height) = size(&root).map_err(damaged)?;
    let slides = slides(package, &root, &relationships, &damaged)?;
    let masters = masters(package, &root, &relationships);
    Ok(Presentation {
        part,
        width,
        height,
        slides,
        masters,
    })
}

fn main_part(package: &Package) -> Result<String, PackageError> {
    let relationships = package.relationships("")?;
    let Some(part) = relationships.first_part("officeDocument") else {
        return Err(PackageError::NotPresentation {
            found: "_rels/.rels names no main part".to_owned(),
        });
    };
    if !package.has(part) {
        return Err(PackageError::MissingPart {
            part: part.to_owned(),
        });
    }
    match package.content_type(part) {
        Some(found) if MAIN_TYPES.contains(&found) => Ok(part.to_owned()),
        found => Err(PackageError::NotPresentation {
            found: format!(
                "its main part {part:?} has the type {:?}",
                found.unwrap_or("none")
            ),
        }),
    }
}

fn size(root: &Node<'_, '_>) -> Result<(i64, i64), String> {
    let Some(node) = root.child(P, "sldSz") else {
        return Ok(DEFAULT_SIZE);
    };
    let length = |name: &str| {
        let written = node.plain(name).unwrap_or_default();
        let value = written
            .trim()
            .parse::<i64>()
            .ok()
            .filter(|value| SIZE_RANGE.contains(value));
        value.ok_or_else(|| {
            let (low, high) = (SIZE_RANGE.start(), SIZE_RANGE.end());
            format!("the slide size has {name}={written:?}; expected {low} to {high} EMU")
        })
    };
    Ok((length("cx")?, length("cy")?))
}

/// The slides, each of which must resolve and have the right root.
fn slides(
    package: &Package,
    root: &Node<'_, '_>,
    relationships: &Relationships,
    damaged: &dyn Fn(String) -> PackageError,
) -> Result<Vec<Slide>, PackageError> {
    let Some(list) = root.child(P, "sldIdLst") else {
        return Ok(Vec::new());
    };
    let items: Vec<_> = list.children().filter(|node| node.is(P, "sldId")).collect();
    let limit = package.limits().slides;
    if items.len() > limit {
        return Err(damaged(format!(
            "it lists {} slides; at most {limit} are read",
            items.len()
        )));
    }
    let mut slides = Vec::with_capacity(items.len());
    for (item, number) in items.iter().zip(1_usize..) {
        let id = item.relationship("id").unwrap_or_default();
        let part = relationships.part(id).filter(|part| package.has(part));
        let part = part
            .ok_or_else(|| damaged(format!("slide {number} (r:id {id:?}) resolves to no part")))?;
        slides.push(slide(package, part, item.plain("id"))?);
    }
    Ok(slides)
}

fn slide(package: &Package, part: &str, id: Option<&str>) -> Result<Slide, PackageError> {
    let document = package.document(part)?;
    let root = document.root_element();
    if !root.is(P, "sld") {
        let detail = format!(
            "the root element is <{}>; expected a slide",
            root.tag_name().name()
        );
        return Err(PackageError::Xml {
            part: part.to_owned(),
            detail,
        });
    }
    let relationships = package.relationships(part)?;
    let existing = |kind: &str| {
        relationships
            .first_part(kind)
            .filter(|name| package.has(name))
            .map(str::to_owned)
    };
    let layout = existing("slideLayout");
    Ok(Slide {
        part: part.to_owned(),
        id: id.and_then(|text| text.trim().parse().ok()),
        hidden: root.flag("show") == Some(false),
        notes: existing("notesSlide"),
        master: layout.as_deref().and_then(|layout| master(package, layout)),
        layout,
    })
}

fn master(package: &Package, layout: &str) -> Option<String> {
    let relationships = package.relationships(layout).ok()?;
    relationships
        .first_part("slideMaster")
        .filter(|name| package.has(name))
        .map(str::to_owned)
}

fn masters(package: &Package, root: &Node<'_, '_>, relationships: &Relationships) -> Vec<String> {
    let list = root
        .child(P, "sldMasterIdLst")
        .into_iter()
        .flat_map(|list| list.children());
    list.filter_map(|node| relationships.part(node.relationship("id")?))
        .filter(|name| package.has(name))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Parts, relationship};

    const MAIN: &str = "ppt/presentation.xml";
    const MAIN_RELS: &str = "ppt/_rels/presentation.xml.rels";

    #[test]
    fn slides_come_in_the_order_listed_and_strays_do_not_count() {
        let mut parts = Parts::deck(3);
        parts.replace(
            MAIN,
            r#"<p:sldId id="257" r:id="s2"/><p:sldId id="258" r:id="s3"/>"#,
            "<!-- gone -->",
        );
        parts.replace(
            MAIN,
            r#"<p:sldIdLst>"#,
            r#"<p:sldIdLst><p:sldId id="258" r:id="s3"/>"#,
        );
        parts.set("ppt/slides/slide99.xml", "<stray/>");
        parts.replace("ppt/slides/slide3.xml", "<p:sld ", r#"<p:sld show="0" "#);
        let package = parts.open().unwrap();
        let slides = &package.presentation().slides;
        let shown: Vec<_> = slides
            .iter()
            .map(|slide| (slide.part.as_str(), slide.id, slide.hidden))
            .collect();
        assert_eq!(
            shown,
            [
                ("ppt/slides/slide3.xml", Some(258), true),
                ("ppt/slides/slide1.xml", Some(256), false)
            ]
        );
        assert_eq!(
            slides[0].master.as_deref(),
            Some("ppt/slideMasters/slideMaster1.xml")
        );
        assert_eq!(
            (package.presentation().width, package.presentation().height),
            (12_192_000, 6_858_000)
        );
    }

    #[test]
    fn other_prefixes_and_the_strict_dialect_are_read() {
        let mut parts = Parts::deck(2);
        for name in [MAIN, "ppt/slides/slide1.xml"] {
            parts.replace(name, "<p:", "<q:");
            parts.replace(name, "</p:", "</q:");
            parts.replace(name, "xmlns:p", "xmlns:q");
            parts.replace(
                name,
                "http://schemas.openxmlformats.org/presentationml/2006/main",
                P.strict,
            );
            parts.replace(
                name,
                "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
                crate::ns::R.strict,
            );
        }
        parts.replace(
            MAIN_RELS,
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            crate::ns::R.strict,
        );
        assert_eq!(parts.open().unwrap().presentation().slides.len(), 2);
    }

    #[test]
    fn targets_may_be_absolute_or_percent_encoded() {
        let mut parts = Parts::deck(2);
        parts.replace(MAIN_RELS, "\"slides/slide1.xml", "\"/ppt/slides/slide1.xml");
        parts.replace(
            MAIN_RELS,
            "\"slides/slide2.xml",
            "\"./x/../Slides/slide%32.xml",
        );
        assert_eq!(parts.open().unwrap().presentation().slides.len(), 2);
    }

    #[test]
    fn a_slide_that_does_not_resolve_is_refused() {
        for (from, to) in [("s2", "none"), ("slides/slide2.xml", "slides/absent.xml")] {
            let mut parts = Parts::deck(2);
            parts.replace(MAIN_RELS, from, to);
            let error = parts.open().err().unwrap().to_string();
            assert!(
                error.contains("slide 2") && error.contains("resolves to no part"),
                "{error}"
            );
        }
        let mut parts = Parts::deck(1);
        parts.set("ppt/slides/slide1.xml", "<html/>");
        assert!(
            parts
                .open()
                .err()
                .unwrap()
                .to_string()
                .contains("expected a slide")
        );
        parts.set("ppt/slides/slide1.xml", "<p:sld");
        assert!(matches!(parts.open(), Err(PackageError::Xml { .. })));
    }

    #[test]
    fn packages_that_are_no_presentation_are_named() {
        let mut parts = Parts::deck(1);
        parts.replace(
            "[Content_Types].xml",
            "presentationml.presentation.main",
            "wordprocessingml.document.main",
        );
        assert!(
            parts
                .open()
                .err()
                .unwrap()
                .to_string()
                .contains("wordprocessingml")
        );
        let mut parts = Parts::deck(1);
        parts.remove("[Content_Types].xml");
        assert_eq!(parts.open().err(), Some(PackageError::MissingContentTypes));
        let mut parts = Parts::deck(1);
        parts.remove("_rels/.rels");
        assert!(matches!(
            parts.open(),
            Err(PackageError::NotPresentation { .. })
        ));
        let mut parts = Parts::deck(1);
        parts.remove(MAIN);
        assert!(matches!(
            parts.open(),
            Err(PackageError::MissingPart { .. })
        ));
    }

    #[test]
    fn sizes_out_of_range_are_refused_and_absent_ones_assumed() {
        for size in [
            r#"cx="0" cy="6858000""#,
            r#"cx="x" cy="1000000""#,
            r#"cy="6858000""#,
            r#"cx="9e9" cy="-1""#,
        ] {
            let mut parts = Parts::deck(1);
            parts.replace(MAIN, r#"cx="12192000" cy="6858000""#, size);
            assert!(
                matches!(parts.open(), Err(PackageError::Presentation { .. })),
                "{size}"
            );
        }
        let mut parts = Parts::deck(1);
        parts.replace(MAIN, r#"<p:sldSz cx="12192000" cy="6858000"/>"#, "");
        assert_eq!(parts.open().unwrap().presentation().width, DEFAULT_SIZE.0);
    }

    #[test]
    fn an_external_slide_is_never_fetched_and_never_counts() {
        let mut parts = Parts::deck(1);
        let old = relationship("s1", "slide", "slides/slide1.xml");
        let new = old.replace("/>", r#" TargetMode="External"/>"#);
        parts.replace(MAIN_RELS, &old, &new);
        assert!(matches!(
            parts.open(),
            Err(PackageError::Presentation { .. })
        ));
    }
}
