// SPDX-License-Identifier: MIT OR Apache-2.0
//! The relationships of a part: how a slide names its layout, its pictures and everything else.

use roxmltree::{Document, Node};

use crate::names;
use crate::ns::NodeExt;

/// Where a relationship points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A part of this package, by its name as [`crate::Package::part`] takes it. The part may be absent.
    Part(String),
    /// An address outside the package. Never fetched.
    External(String),
    /// A target that resolves to nothing, and why.
    Broken {
        /// The target as written.
        written: String,
        /// Why it does not resolve.
        why: &'static str,
    },
}

/// One relationship of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relationship {
    /// The identifier that `r:id` and its like use.
    pub id: String,
    /// The last segment of the type, the same in both dialects: `slide`, `image`, `slideLayout`, `diagramData`, …
    pub kind: String,
    /// The type as written.
    pub full_type: String,
    /// Where it points.
    pub target: Target,
}

impl Relationship {
    /// The part it points to, unless it points outside or nowhere.
    pub fn part(&self) -> Option<&str> {
        match &self.target {
            Target::Part(name) => Some(name),
            Target::External(_) | Target::Broken { .. } => None,
        }
    }
}

/// All relationships of one part, in the order written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relationships {
    list: Vec<Relationship>,
    problems: Vec<String>,
}

impl Relationships {
    pub(crate) fn read(source: &str, document: &Document<'_>) -> Self {
        let mut all = Self::default();
        for node in document.root_element().children().filter(Node::is_element) {
            match read_one(source, &node) {
                Some(one) if all.get(&one.id).is_some() => {
                    all.problems.push(format!(
                        "relationship id {:?} of {source:?} occurs twice",
                        one.id
                    ));
                }
                Some(one) => all.list.push(one),
                None => all.problems.push(format!(
                    "{source:?} has a relationship without Id, Type or Target"
                )),
            }
        }
        all
    }

    /// The relationship with this identifier.
    pub fn get(&self, id: &str) -> Option<&Relationship> {
        self.list.iter().find(|one| one.id == id)
    }

    /// The part that the relationship with this identifier points to.
    pub fn part(&self, id: &str) -> Option<&str> {
        self.get(id)?.part()
    }

    /// All relationships in the order written.
    pub fn iter(&self) -> std::slice::Iter<'_, Relationship> {
        self.list.iter()
    }

    /// The relationships of one kind, such as `image`.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Relationship> {
        self.list.iter().filter(move |one| one.kind == kind)
    }

    /// The part of the first relationship of one kind that points to a part.
    pub fn first_part(&self, kind: &str) -> Option<&str> {
        self.list
            .iter()
            .filter(|one| one.kind == kind)
            .find_map(Relationship::part)
    }

    /// What is damaged: entries without an attribute, identifiers that occur twice (the first one counts).
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl<'a> IntoIterator for &'a Relationships {
    type Item = &'a Relationship;
    type IntoIter = std::slice::Iter<'a, Relationship>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

fn read_one(source: &str, node: &Node<'_, '_>) -> Option<Relationship> {
    let (id, full_type, written) = (
        node.plain("Id")?,
        node.plain("Type")?,
        node.plain("Target")?,
    );
    let external = node
        .plain("TargetMode")
        .is_some_and(|mode| mode.eq_ignore_ascii_case("External"));
    Some(Relationship {
        id: id.to_owned(),
        kind: full_type.rsplit('/').next().unwrap_or_default().to_owned(),
        full_type: full_type.to_owned(),
        target: if external {
            Target::External(written.to_owned())
        } else {
            internal(source, written)
        },
    })
}

fn internal(source: &str, written: &str) -> Target {
    match names::resolve(source, written) {
        Ok(part) => Target::Part(part),
        Err(why) => Target::Broken {
            written: written.to_owned(),
            why,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RELS: &str = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/image" Target="../m/1.png"/>
        <Relationship Id="b" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
            Target="http://example.org/x.png" TargetMode="External"/>
        <Relationship Id="c" Type="t/slide" Target="../../../x"/>
        <Relationship Id="a" Type="t/slide" Target="y"/><Relationship Id="d" Target="y"/></Relationships>"#;

    #[test]
    fn kinds_and_targets_are_told_apart() {
        let all = Relationships::read("ppt/slides/slide1.xml", &Document::parse(RELS).unwrap());
        assert_eq!(all.of_kind("image").count(), 2);
        assert_eq!(all.part("a"), Some("ppt/m/1.png"));
        assert_eq!(
            all.get("b").unwrap().target,
            Target::External("http://example.org/x.png".into())
        );
        assert!(matches!(
            all.get("c").unwrap().target,
            Target::Broken { .. }
        ));
        assert_eq!(
            (all.part("b"), all.part("c"), all.first_part("slide")),
            (None, None, None)
        );
    }

    #[test]
    fn damage_is_told_and_the_first_of_two_counts() {
        let all = Relationships::read("ppt/slides/slide1.xml", &Document::parse(RELS).unwrap());
        assert_eq!(all.problems().len(), 2, "{:?}", all.problems());
        assert_eq!(all.iter().count(), 3);
    }
}
