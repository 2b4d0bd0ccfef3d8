// SPDX-License-Identifier: MIT OR Apache-2.0
//! The namespaces of Office files, transitional and strict, and questions to a node that do not care which of the
//! two, or which prefix, its author chose (ECMA-376-1 and -4, annex A).

use roxmltree::Node;

/// A vocabulary with its transitional and its strict namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vocabulary {
    /// The namespace that nearly every producer writes.
    pub transitional: &'static str,
    /// The namespace of ISO/IEC 29500 strict.
    pub strict: &'static str,
}

impl Vocabulary {
    /// Whether `namespace` is one of the two.
    pub fn has(&self, namespace: Option<&str>) -> bool {
        namespace.is_some_and(|uri| uri == self.transitional || uri == self.strict)
    }
}

/// PresentationML, usually `p:`.
pub const P: Vocabulary = Vocabulary {
    transitional: "http://schemas.openxmlformats.org/presentationml/2006/main",
    strict: "http://purl.oclc.org/ooxml/presentationml/main",
};
/// DrawingML, usually `a:`.
pub const A: Vocabulary = Vocabulary {
    transitional: "http://schemas.openxmlformats.org/drawingml/2006/main",
    strict: "http://purl.oclc.org/ooxml/drawingml/main",
};
/// DrawingML charts, usually `c:`.
pub const C: Vocabulary = Vocabulary {
    transitional: "http://schemas.openxmlformats.org/drawingml/2006/chart",
    strict: "http://purl.oclc.org/ooxml/drawingml/chart",
};
/// DrawingML diagrams (SmartArt), usually `dgm:`.
pub const DGM: Vocabulary = Vocabulary {
    transitional: "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    strict: "http://purl.oclc.org/ooxml/drawingml/diagram",
};
/// References to relationships, usually `r:`.
pub const R: Vocabulary = Vocabulary {
    transitional: "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    strict: "http://purl.oclc.org/ooxml/officeDocument/relationships",
};
/// Microsoft's drawing of a SmartArt diagram as plain shapes, usually `dsp:`. There is no strict form.
pub const DSP: Vocabulary = Vocabulary {
    transitional: "http://schemas.microsoft.com/office/drawing/2008/diagram",
    strict: "http://schemas.microsoft.com/office/drawing/2008/diagram",
};
/// Markup compatibility, usually `mc:`. There is no strict form.
pub const MC: Vocabulary = Vocabulary {
    transitional: "http://schemas.openxmlformats.org/markup-compatibility/2006",
    strict: "http://schemas.openxmlformats.org/markup-compatibility/2006",
};

/// Questions to a node in terms of a [`Vocabulary`].
pub trait NodeExt<'a, 'input> {
    /// Whether this is the element `name` of `vocabulary`.
    fn is(&self, vocabulary: Vocabulary, name: &str) -> bool;
    /// The first child element `name` of `vocabulary`.
    fn child(&self, vocabulary: Vocabulary, name: &str) -> Option<Node<'a, 'input>>;
    /// The value of the attribute `name` of `vocabulary`, as in `r:id`.
    fn attribute_in(&self, vocabulary: Vocabulary, name: &str) -> Option<&'a str>;
    /// The value of the relationship attribute `name`, as in `r:embed`.
    fn relationship(&self, name: &str) -> Option<&'a str> {
        self.attribute_in(R, name)
    }
    /// The value of the attribute `name` of no namespace, as in `sz`.
    fn plain(&self, name: &str) -> Option<&'a str>;
    /// Whether the attribute `name` of no namespace says yes (`1`, `true`, `on`).
    fn flag(&self, name: &str) -> Option<bool> {
        match self.plain(name)?.trim() {
            "1" | "true" | "on" => Some(true),
            "0" | "false" | "off" => Some(false),
            _ => None,
        }
    }
}

impl<'a, 'input> NodeExt<'a, 'input> for Node<'a, 'input> {
    fn is(&self, vocabulary: Vocabulary, name: &str) -> bool {
        self.is_element()
            && self.tag_name().name() == name
            && vocabulary.has(self.tag_name().namespace())
    }

    fn child(&self, vocabulary: Vocabulary, name: &str) -> Option<Node<'a, 'input>> {
        self.children().find(|node| node.is(vocabulary, name))
    }

    fn attribute_in(&self, vocabulary: Vocabulary, name: &str) -> Option<&'a str> {
        self.attributes()
            .find(|a| a.name() == name && vocabulary.has(a.namespace()))
            .map(|a| a.value())
    }

    fn plain(&self, name: &str) -> Option<&'a str> {
        self.attributes()
            .find(|a| a.name() == name && a.namespace().is_none())
            .map(|a| a.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_and_dialect_do_not_matter() {
        let text = r#"<x:sld xmlns:x="http://purl.oclc.org/ooxml/presentationml/main"
            xmlns:q="http://schemas.openxmlformats.org/officeDocument/2006/relationships" q:id="r1" id="7" show="0"/>"#;
        let document = roxmltree::Document::parse(text).unwrap();
        let root = document.root_element();
        assert!(root.is(P, "sld") && !root.is(A, "sld") && !root.is(P, "sldLayout"));
        assert_eq!(root.relationship("id"), Some("r1"));
        assert_eq!(
            (root.plain("id"), root.flag("show"), root.flag("none")),
            (Some("7"), Some(false), None)
        );
    }
}
