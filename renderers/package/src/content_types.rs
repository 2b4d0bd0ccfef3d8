// SPDX-License-Identifier: MIT OR Apache-2.0
//! `[Content_Types].xml`: what kind of thing each part says it is (ECMA-376-2, 6.2.3).

use std::collections::BTreeMap;

use roxmltree::Document;

use crate::names;

/// The types of a package's parts.
#[derive(Debug, Default)]
pub(crate) struct ContentTypes {
    /// From extension in lower case.
    defaults: BTreeMap<String, String>,
    /// From [`names::key`].
    overrides: BTreeMap<String, String>,
    /// Overrides for parts, as written, to be compared with the parts there are.
    pub(crate) declared: Vec<String>,
    /// Entries that contradict each other or lack an attribute.
    pub(crate) problems: Vec<String>,
}

impl ContentTypes {
    /// Reads the types; entries that make no sense become problems.
    pub(crate) fn read(document: &Document<'_>) -> Self {
        let mut types = Self::default();
        for node in document
            .root_element()
            .children()
            .filter(roxmltree::Node::is_element)
        {
            let value = node.attribute("ContentType");
            match (
                node.tag_name().name(),
                node.attribute("Extension"),
                node.attribute("PartName"),
                value,
            ) {
                ("Default", Some(extension), _, Some(value)) => types.add_default(extension, value),
                ("Override", _, Some(part), Some(value)) => types.add_override(part, value),
                (name, ..) => types
                    .problems
                    .push(format!("[Content_Types].xml has an incomplete <{name}>")),
            }
        }
        types
    }

    fn add_default(&mut self, extension: &str, value: &str) {
        let before = self
            .defaults
            .insert(extension.to_ascii_lowercase(), value.to_owned());
        if before.is_some_and(|before| before != value) {
            self.problems.push(format!(
                "[Content_Types].xml gives extension {extension:?} two types"
            ));
        }
    }

    fn add_override(&mut self, part: &str, value: &str) {
        self.declared.push(part.trim_start_matches('/').to_owned());
        let before = self.overrides.insert(names::key(part), value.to_owned());
        if before.is_some_and(|before| before != value) {
            self.problems
                .push(format!("[Content_Types].xml gives part {part:?} two types"));
        }
    }

    /// The type of a part, its own before its extension's.
    pub(crate) fn of(&self, part: &str) -> Option<&str> {
        let key = names::key(part);
        let by_extension = || self.defaults.get(key.rsplit_once('.')?.1);
        self.overrides
            .get(&key)
            .or_else(by_extension)
            .map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPES: &str = r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Default Extension="PNG" ContentType="image/png"/><Default Extension="xml" ContentType="application/xml"/>
        <Override PartName="/ppt/slides/Slide1.xml" ContentType="slide"/><Override PartName="/x"/>
        <Override PartName="/ppt/slides/slide1.xml" ContentType="other"/></Types>"#;

    #[test]
    fn overrides_win_and_case_does_not_matter() {
        let types = ContentTypes::read(&Document::parse(TYPES).unwrap());
        assert_eq!(types.of("ppt/slides/slide1.XML"), Some("other"));
        assert_eq!(types.of("ppt/slides/slide2.xml"), Some("application/xml"));
        assert_eq!(types.of("ppt/media/a.Png"), Some("image/png"));
        assert_eq!((types.of("ppt/media/a.gif"), types.of("x")), (None, None));
    }

    #[test]
    fn contradictions_and_gaps_are_told() {
        let types = ContentTypes::read(&Document::parse(TYPES).unwrap());
        assert_eq!(types.problems.len(), 2, "{:?}", types.problems);
    }
}
