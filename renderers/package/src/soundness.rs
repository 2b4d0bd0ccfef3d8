// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a package that opens is also whole: the faults for which PowerPoint offers a "repair", found by walking
//! over every part, so that a check can name each of them.

use std::collections::BTreeSet;

use roxmltree::Document;

use crate::ns::R;
use crate::{Package, Relationship, Relationships, Target, names};

/// Everything that is wrong with an opened package, in a fixed order; empty when it is sound.
///
/// Looked for: parts that do not unpack; XML that does not parse; parts without a content type and types for parts
/// that are absent; relationships that are damaged or point to absent parts; `r:id` and its like that name no
/// relationship; slides without layout or master, listed twice or with one identifier; presentations without master.
pub fn problems(package: &Package) -> Vec<String> {
    let mut found = content_types(package);
    for part in package.part_names() {
        if let Err(error) = package.part(part) {
            found.push(error.to_string());
            continue;
        }
        if is_xml(package, part) {
            found.extend(xml_part(package, part));
        }
    }
    found.extend(orphaned_relationships(package));
    match package.relationships("") {
        Ok(relationships) => found.extend(targets(package, "", &relationships)),
        Err(error) => found.push(error.to_string()),
    }
    found.extend(slides(package));
    found
}

fn is_xml(package: &Package, part: &str) -> bool {
    let extension = part
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let kind = package.content_type(part).unwrap_or_default();
    matches!(extension.as_str(), "xml" | "rels")
        || kind == "application/xml"
        || kind.ends_with("+xml")
}

fn content_types(package: &Package) -> Vec<String> {
    let types = package.types();
    let mut found = types.problems.clone();
    let absent = types.declared.iter().filter(|part| !package.has(part));
    found.extend(
        absent.map(|part| format!("[Content_Types].xml declares {part:?}, which is absent")),
    );
    let untyped = package.part_names().filter(|part| {
        // The list of types has none itself, and foreign files in META-INF and the like are not reachable.
        package.content_type(part).is_none() && *part != "[Content_Types].xml"
    });
    found.extend(untyped.map(|part| format!("part {part:?} has no content type")));
    found
}

fn xml_part(package: &Package, part: &str) -> Vec<String> {
    let document = match package.document(part) {
        Ok(document) => document,
        Err(error) => return vec![error.to_string()],
    };
    if names::is_relationships_part(part) {
        return Vec::new();
    }
    match package.relationships(part) {
        Ok(relationships) => {
            let mut found = targets(package, part, &relationships);
            found.extend(dangling(part, &document, &relationships));
            found
        }
        // The relationships part is walked over by itself and reports its own error.
        Err(_) => Vec::new(),
    }
}

/// Relationships that are damaged or point to absent parts.
fn targets(package: &Package, part: &str, relationships: &Relationships) -> Vec<String> {
    let mut found = relationships.problems().to_vec();
    let source = if part.is_empty() { "the package" } else { part };
    found.extend(
        relationships
            .iter()
            .filter_map(|one| broken(package, source, one)),
    );
    found
}

fn broken(package: &Package, source: &str, one: &Relationship) -> Option<String> {
    let id = &one.id;
    match &one.target {
        Target::Part(name) if !package.has(name) => Some(format!(
            "relationship {id:?} of {source:?} points to {name:?}, which is absent"
        )),
        Target::Broken { written, why } => Some(format!(
            "relationship {id:?} of {source:?} has the target {written:?}: {why}"
        )),
        Target::Part(_) | Target::External(_) => None,
    }
}

/// Attributes of the relationships namespace that name no relationship. An empty one means "none".
fn dangling(part: &str, document: &Document<'_>, relationships: &Relationships) -> Vec<String> {
    let mut missing = BTreeSet::new();
    for node in document.descendants() {
        for attribute in node
            .attributes()
            .filter(|attribute| R.has(attribute.namespace()))
        {
            let id = attribute.value();
            if !id.is_empty() && relationships.get(id).is_none() {
                missing.insert((attribute.name(), id));
            }
        }
    }
    missing
        .iter()
        .map(|(name, id)| format!("part {part:?} has r:{name}={id:?}, which names no relationship"))
        .collect()
}

/// Relationship parts whose own part is absent.
fn orphaned_relationships(package: &Package) -> Vec<String> {
    let sources = package
        .part_names()
        .filter_map(|name| Some((name, names::relationships_source(name)?)));
    sources
        .filter(|(_, source)| !source.is_empty() && !package.has(source))
        .map(|(name, source)| {
            format!("part {name:?} holds relationships of {source:?}, which is absent")
        })
        .collect()
}

fn slides(package: &Package) -> Vec<String> {
    let presentation = package.presentation();
    let mut found = Vec::new();
    let (mut ids, mut parts) = (BTreeSet::new(), BTreeSet::new());
    for (slide, number) in presentation.slides.iter().zip(1..) {
        match slide.id {
            None => found.push(format!("slide {number} has no id")),
            Some(id) if !ids.insert(id) => found.push(format!(
                "slide {number} has the id {id} of an earlier slide"
            )),
            // ECMA-376-1, 19.7.13 (ST_SlideId).
            Some(id) if !(256..2_147_483_648).contains(&id) => {
                found.push(format!(
                    "slide {number} has the id {id}; expected 256 to 2147483647"
                ));
            }
            Some(_) => {}
        }
        if !parts.insert(names::key(&slide.part)) {
            found.push(format!(
                "slide {number} is part {:?}, as an earlier slide is",
                slide.part
            ));
        }
        if slide.layout.is_none() {
            found.push(format!("slide {number} has no layout"));
        } else if slide.master.is_none() {
            found.push(format!("slide {number} has a layout without a master"));
        }
    }
    if presentation.masters.is_empty() {
        found.push("the presentation lists no slide master".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Parts, relationship};

    fn of(parts: &Parts) -> Vec<String> {
        problems(&parts.open().unwrap())
    }

    #[test]
    fn a_sound_deck_has_no_problems() {
        assert_eq!(of(&Parts::deck(3)), Vec::<String>::new());
    }

    /// Bends a deck of two slides and expects exactly one problem that says `message`.
    fn bent(bend: impl Fn(&mut Parts), message: &str) {
        let mut parts = Parts::deck(2);
        bend(&mut parts);
        let found = of(&parts);
        assert!(
            found.len() == 1 && found[0].contains(message),
            "{message}: {found:?}"
        );
    }

    #[test]
    fn each_fault_is_named_and_alone() {
        let slide = "ppt/slides/slide1.xml";
        let slide_rels = "ppt/slides/_rels/slide1.xml.rels";
        let main = "ppt/presentation.xml";
        bent(|p| p.set("x.foo", "?"), "no content type");
        bent(|p| p.set("x.xml", "<a>"), "not acceptable XML");
        bent(
            |p| {
                p.replace(
                    "[Content_Types].xml",
                    "</Types>",
                    r#"<Override PartName="/y" ContentType="z"/></Types>"#,
                )
            },
            "absent",
        );
        bent(
            |p| {
                p.replace(
                    "[Content_Types].xml",
                    "</Types>",
                    r#"<Default Extension="xml" ContentType="z"/></Types>"#,
                )
            },
            "two types",
        );
        bent(
            |p| {
                p.replace(
                    slide_rels,
                    "</",
                    &(relationship("i", "image", "../media/1.png") + "</"),
                )
            },
            "absent",
        );
        bent(
            |p| {
                p.replace(
                    slide_rels,
                    "</",
                    &(relationship("i", "image", "../../../1.png") + "</"),
                )
            },
            "leaves the package",
        );
        bent(
            |p| {
                p.replace(
                    slide_rels,
                    "</",
                    &(relationship("l1", "slide", "slide1.xml") + "</"),
                )
            },
            "twice",
        );
        bent(
            |p| {
                p.replace(
                    slide,
                    "<p:cSld/>",
                    r#"<p:cSld><p:x r:embed="none"/></p:cSld>"#,
                )
            },
            "names no relationship",
        );
        bent(|p| p.remove(slide_rels), "slide 1 has no layout");
        bent(
            |p| p.replace(main, r#"id="257""#, r#"id="256""#),
            "id 256 of an earlier slide",
        );
        bent(
            |p| p.replace(main, r#"id="257""#, r#"id="7""#),
            "expected 256",
        );
        bent(|p| p.replace(main, r#"id="257""#, ""), "no id");
        bent(
            |p| p.replace(main, r#"r:id="s2""#, r#"r:id="s1""#),
            "as an earlier slide is",
        );
        bent(
            |p| p.replace(main, r#"<p:sldMasterId r:id="m1"/>"#, ""),
            "no slide master",
        );
        bent(
            |p| p.set("ppt/media/_rels/x.xml.rels", "<Relationships/>"),
            "which is absent",
        );
    }

    #[test]
    fn a_layout_without_master_is_named_for_each_slide() {
        let mut parts = Parts::deck(2);
        parts.remove("ppt/slideLayouts/_rels/slideLayout1.xml.rels");
        let found = of(&parts);
        assert!(
            found.len() == 2 && found[1] == "slide 2 has a layout without a master",
            "{found:?}"
        );
    }

    #[test]
    fn an_external_target_and_an_empty_reference_are_sound() {
        let mut parts = Parts::deck(1);
        let link = relationship("h", "hyperlink", "http://example.org/")
            .replace("/>", r#" TargetMode="External"/>"#);
        parts.replace("ppt/slides/_rels/slide1.xml.rels", "</", &(link + "</"));
        parts.replace(
            "ppt/slides/slide1.xml",
            "<p:cSld/>",
            r#"<p:cSld><p:x r:id="h"/><p:y r:id=""/></p:cSld>"#,
        );
        assert_eq!(of(&parts), Vec::<String>::new());
    }
}
