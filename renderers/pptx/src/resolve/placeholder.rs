// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placeholders: which shape of the layout, and which of the master, a placeholder inherits from.

use roxmltree::Node;

use crate::xml::Xml;

/// The layers below a part: what its placeholders inherit from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layers<'a> {
    /// Root of the layout, for a slide's shapes.
    pub layout: Option<Node<'a, 'a>>,
    /// Root of the master, for a slide's and a layout's shapes.
    pub master: Option<Node<'a, 'a>>,
    /// Root of the presentation part.
    pub presentation: Option<Node<'a, 'a>>,
}

/// The `p:ph` of a shape, picture or frame.
#[must_use]
pub fn ph<'a>(shape: Node<'a, 'a>) -> Option<Node<'a, 'a>> {
    let nv = shape.elements().find(|n| n.name().starts_with("nv"))?;
    nv.child("nvPr")?.child("ph")
}

/// The family of a placeholder's text style in the master.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Titles.
    Title,
    /// Body text.
    Body,
    /// Everything else.
    Other,
    /// No placeholder.
    None,
}

/// The family of a placeholder type.
#[must_use]
pub fn family(kind: &str) -> Family {
    match kind {
        "title" | "ctrTitle" => Family::Title,
        "dt" | "ftr" | "sldNum" | "hdr" => Family::Other,
        _ => Family::Body,
    }
}

/// The type of a placeholder; the default is `obj`.
#[must_use]
pub fn kind<'a>(ph: Node<'a, 'a>) -> &'a str {
    ph.attr("type").unwrap_or("obj")
}

fn index<'a>(ph: Node<'a, 'a>) -> &'a str {
    ph.attr("idx").unwrap_or("0")
}

fn shapes<'a>(root: Node<'a, 'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    let tree = root.path(&["cSld", "spTree"]);
    tree.into_iter()
        .flat_map(|t| t.descendants())
        .filter(|n| n.is_element() && matches!(n.name(), "sp" | "pic" | "graphicFrame"))
}

fn single(kind: &str) -> bool {
    matches!(kind, "title" | "ctrTitle" | "dt" | "ftr" | "sldNum" | "hdr")
}

fn same_single(a: &str, b: &str) -> bool {
    a == b || (family(a) == Family::Title && family(b) == Family::Title)
}

fn in_layout<'a>(layout: Node<'a, 'a>, p: Node<'a, 'a>) -> Option<Node<'a, 'a>> {
    let k = kind(p);
    if single(k) {
        return shapes(layout).find(|s| ph(*s).is_some_and(|q| same_single(kind(q), k)));
    }
    let i = index(p);
    let by_index =
        shapes(layout).find(|s| ph(*s).is_some_and(|q| index(q) == i && !single(kind(q))));
    by_index.or_else(|| {
        let typed = p.attr("type").filter(|_| p.attr("idx").is_none())?;
        shapes(layout).find(|s| ph(*s).is_some_and(|q| kind(q) == typed))
    })
}

fn in_master<'a>(master: Node<'a, 'a>, k: &str) -> Option<Node<'a, 'a>> {
    let wanted = match family(k) {
        Family::Title => "title",
        Family::Body | Family::None => "body",
        Family::Other => k,
    };
    shapes(master).find(|s| ph(*s).is_some_and(|q| kind(q) == wanted))
}

/// The chain of a shape, most specific first: itself, its layout's, its master's counterpart.
#[must_use]
pub fn chain<'a>(shape: Node<'a, 'a>, layers: &Layers<'a>) -> Vec<Node<'a, 'a>> {
    let mut out = vec![shape];
    let Some(p) = ph(shape) else { return out };
    let mut k = kind(p);
    if let Some(l) = layers.layout.and_then(|l| in_layout(l, p)) {
        out.push(l);
        if let Some(q) = ph(l).filter(|q| q.attr("type").is_some()) {
            k = kind(q);
        }
    }
    if let Some(m) = layers.master.and_then(|m| in_master(m, k)) {
        out.push(m);
    }
    out
}

/// The placeholder type that counts for the text style: the shape's own, or its layout's.
#[must_use]
pub fn text_family<'a>(chain: &[Node<'a, 'a>]) -> Family {
    let mut found = Family::None;
    for n in chain {
        if let Some(p) = ph(*n) {
            if p.attr("type").is_some() {
                return family(kind(p));
            }
            found = Family::Body;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: &str = r#"<l><cSld><spTree>
      <sp><nvSpPr><cNvPr name="T"/><nvPr><ph type="title"/></nvPr></nvSpPr></sp>
      <sp><nvSpPr><cNvPr name="A"/><nvPr><ph type="body" idx="1"/></nvPr></nvSpPr></sp>
      <sp><nvSpPr><cNvPr name="B"/><nvPr><ph type="body" idx="13"/></nvPr></nvSpPr></sp></spTree></cSld></l>"#;

    fn name_for(mark: &str) -> Option<String> {
        let layout = roxmltree::Document::parse(LAYOUT).expect("well-formed");
        let xml = format!("<sp><nvSpPr><cNvPr/><nvPr>{mark}</nvPr></nvSpPr></sp>");
        let slide = roxmltree::Document::parse(&xml).expect("well-formed");
        let p = ph(slide.root_element())?;
        // Both documents live here, so the lookup is done by hand on the layout.
        in_layout_of(&layout, p.attr("type"), p.attr("idx"))
    }

    fn in_layout_of(
        layout: &roxmltree::Document<'_>,
        t: Option<&str>,
        i: Option<&str>,
    ) -> Option<String> {
        let mut attrs = String::new();
        if let Some(t) = t {
            attrs.push_str(&format!(" type=\"{t}\""));
        }
        if let Some(i) = i {
            attrs.push_str(&format!(" idx=\"{i}\""));
        }
        let xml = format!(
            "<x><nvSpPr><nvPr><ph{attrs}/></nvPr></nvSpPr>{}</x>",
            layout.input_text()
        );
        let doc = roxmltree::Document::parse(&xml).expect("well-formed");
        let root = doc.root_element();
        let found = in_layout(root.child("l")?, ph(root)?)?;
        found
            .path(&["nvSpPr", "cNvPr"])?
            .attr("name")
            .map(str::to_owned)
    }

    #[test]
    fn the_index_decides_and_nothing_falls_through() {
        assert_eq!(
            name_for(r#"<ph type="body" idx="13"/>"#).as_deref(),
            Some("B")
        );
        assert_eq!(name_for(r#"<ph idx="1"/>"#).as_deref(), Some("A"));
        assert_eq!(name_for(r#"<ph type="body" idx="77"/>"#), None);
    }

    #[test]
    fn titles_are_found_by_type() {
        assert_eq!(name_for(r#"<ph type="ctrTitle"/>"#).as_deref(), Some("T"));
    }
}
