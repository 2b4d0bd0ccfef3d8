// SPDX-License-Identifier: MIT OR Apache-2.0
//! SmartArt: the drawing that PowerPoint cached; without one, the nodes as a plain list of boxes.

use std::rc::Rc;

use roxmltree::Node as Xn;

use super::context::{Cx, Space};
use super::shape;
use super::text::StyleText;
use crate::color::Color;
use crate::geometry::Rect;
use crate::geometry::preset::preset;
use crate::text::model::{Align, Anchor, Fit, Paragraph, Run, RunStyle, TextBody};
use crate::tree::{Effects, Fill, Frame, Group, Node, Shape};
use crate::xml::Xml;

/// Resolves `dgm:relIds` in a frame.
pub fn diagram<'a>(e: Xn<'a, 'a>, frame: Frame, cx: &Cx<'a>, out: &mut Vec<Node>) {
    let Some(data_part) = e.attr("dm").and_then(|id| cx.target(id)) else { return };
    let Some(data) = cx.parts.shared(data_part) else {
        cx.notes.add("smartart-missing", format!("diagram part {data_part} cannot be read"));
        return;
    };
    let root = data.doc.root_element();
    let drawing = root
        .descendants()
        .find(|n| n.is_element() && n.name() == "dataModelExt")
        .and_then(|n| n.attr("relId"))
        .and_then(|id| cx.target(id))
        .or_else(|| cx.rels.iter().find(|r| r.kind == "diagramDrawing").and_then(|r| r.part()));
    if let Some(group) = drawing.and_then(|part| drawn(part, frame, cx)) {
        out.push(Node::Group(group));
        return;
    }
    cx.notes.add("smartart-list", "SmartArt without its cached drawing is drawn as a list of boxes");
    out.push(Node::Group(boxes(root, frame, cx)));
}

/// The cached drawing: a shape tree of its own part with its own relationships.
fn drawn(name: &str, frame: Frame, cx: &Cx<'_>) -> Option<Group> {
    let part: Rc<_> = cx.parts.shared(name)?;
    let tree = part.doc.root_element().child("spTree")?;
    if tree.elements().all(|n| n.name() != "sp" && n.name() != "grpSp" && n.name() != "pic") {
        return None;
    }
    let inner = Cx { rels: &part.rels, space: Space::PLAIN, depth: cx.depth + 1, ..cx.clone() };
    let children = shape::children(tree, &inner, false);
    let frame = Frame { rot: 0.0, ..frame };
    Some(Group { frame, children, effects: Effects::default() })
}

/// The text of the nodes, in document order.
fn node_texts(root: Xn<'_, '_>) -> Vec<String> {
    let points = root.child("ptLst").into_iter().flat_map(|l| l.elements().collect::<Vec<_>>());
    points
        .filter(|p| matches!(p.attr("type"), None | Some("node" | "asst")))
        .filter_map(|p| {
            let text: String = p.child("t")?.descendants().filter(|n| n.is_element() && n.name() == "t").filter_map(|t| t.text()).collect();
            (!text.trim().is_empty()).then_some(text)
        })
        .take(40)
        .collect()
}

fn boxes(root: Xn<'_, '_>, frame: Frame, cx: &Cx<'_>) -> Group {
    let texts = node_texts(root);
    let n = texts.len().max(1) as f64;
    let columns = if frame.rect.w >= frame.rect.h { n.min(4.0) } else { 1.0 };
    let rows = (n / columns).ceil();
    let (w, h) = (frame.rect.w / columns, frame.rect.h / rows);
    let fill = cx.theme_color("accent1").unwrap_or(Color::BLACK);
    let style = StyleText::default();
    let font = style.font.or_else(|| cx.theme.font("+mn-lt", "")).unwrap_or_default();
    let children = texts
        .into_iter()
        .enumerate()
        .map(|(i, text)| {
            let (c, r) = (i as f64 % columns, (i as f64 / columns).floor());
            let rect = Rect::new(c * w + w * 0.04, r * h + h * 0.08, w * 0.92, h * 0.84);
            node_box(rect, text, fill, &font)
        })
        .collect();
    Group { frame, children, effects: Effects::default() }
}

fn node_box(rect: Rect, text: String, fill: Color, font: &str) -> Node {
    let outline = preset("roundRect").map(|d| d.evaluate(rect.w, rect.h, &[]));
    let style = RunStyle { size: 20.0, latin: font.to_owned(), fill: Fill::Solid(Color::WHITE), ..RunStyle::default() };
    let paragraph = Paragraph { align: Align::Center, end: style.clone(), runs: vec![Run { text, style }], ..Paragraph::default() };
    let body = TextBody { anchor: Anchor::Middle, fit: Fit::Shrink, paragraphs: vec![paragraph], ..TextBody::default() };
    Node::Shape(Box::new(Shape {
        name: "SmartArt node".to_owned(),
        frame: Frame { rect, ..Frame::default() },
        text_rect: outline.as_ref().map_or(Rect::new(0.0, 0.0, rect.w, rect.h), |o| o.text),
        paths: outline.map(|o| o.paths).unwrap_or_default(),
        text_frame: None,
        fill: Fill::Solid(fill),
        line: None,
        effects: Effects::default(),
        text: Some(body),
    }))
}
