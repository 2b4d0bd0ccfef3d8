// SPDX-License-Identifier: MIT OR Apache-2.0
//! Graphic frames: tables, charts, SmartArt and OLE objects.

use roxmltree::Node as Xn;

use super::context::Cx;
use super::placeholder::chain;
use super::{charts, shape, smartart, table};
use crate::tree::{ChartFrame, Frame, Node};
use crate::xml::Xml;

/// Resolves a `p:graphicFrame`.
pub fn frame<'a>(n: Xn<'a, 'a>, cx: &Cx<'a>, out: &mut Vec<Node>) {
    let chain = chain(n, cx.layers);
    let own = n
        .child("xfrm")
        .and_then(shape::frame)
        .filter(|f| f.rect.w > 0.0 || f.rect.h > 0.0);
    let Some(raw) = own.or_else(|| shape::frame_of(&chain)) else {
        return;
    };
    let placed = cx.space.place(raw);
    let Some(data) = n.path(&["graphic", "graphicData"]) else {
        return;
    };
    for e in data.elements() {
        match e.name() {
            "tbl" => out.push(Node::Table(Box::new(table::table(e, placed, cx)))),
            "chart" => out.extend(chart(e, placed, cx)),
            "relIds" => smartart::diagram(e, placed, cx, out),
            "oleObj" if e.child("pic").is_some() => ole(e, cx, out),
            "oleObj" => out.extend(legacy(e, placed, cx)),
            "AlternateContent" => alternate(e, placed, cx, out),
            other => cx
                .notes
                .add("graphic", format!("graphic content {other} is not drawn")),
        }
    }
}

/// An OLE object shows its picture: in the fallback, or inside the object itself.
fn alternate<'a>(e: Xn<'a, 'a>, frame: Frame, cx: &Cx<'a>, out: &mut Vec<Node>) {
    let branches = e.all("Fallback").chain(e.all("Choice"));
    let objects: Vec<_> = branches.filter_map(|b| b.child("oleObj")).collect();
    if let Some(object) = objects.iter().find(|o| o.child("pic").is_some()) {
        return ole(*object, cx, out);
    }
    if let Some(node) = objects.iter().find_map(|o| legacy(*o, frame, cx)) {
        out.push(node);
        return;
    }
    cx.notes
        .add("ole", "an embedded object without a picture is not drawn");
}

fn ole<'a>(e: Xn<'a, 'a>, cx: &Cx<'a>, out: &mut Vec<Node>) {
    match e.child("pic") {
        Some(p) => out.extend(shape::picture(p, cx)),
        None => cx
            .notes
            .add("ole", "an embedded object without a picture is not drawn"),
    }
}

/// PowerPoint 2007 keeps the picture of an object in a VML drawing, under the object's shape id.
fn legacy(e: Xn<'_, '_>, frame: Frame, cx: &Cx<'_>) -> Option<Node> {
    let id = e.attr("spid")?;
    for part in cx
        .rels
        .iter()
        .filter(|r| r.kind == "vmlDrawing")
        .filter_map(|r| r.part())
    {
        let Some(drawing) = cx.parts.shared(part) else {
            continue;
        };
        let found = drawing
            .doc
            .descendants()
            .find(|n| n.is_element() && n.name() == "shape" && n.attr("id") == Some(id));
        let data = found.and_then(|s| {
            s.descendants()
                .find(|n| n.is_element() && n.name() == "imagedata")
        });
        let target = data
            .and_then(|d| d.attr("relid").or_else(|| d.attr("id")))
            .and_then(|r| drawing.rels.part(r));
        if let Some(source) = target.and_then(|t| cx.parts.picture(t)) {
            return Some(shape::bare_picture(source, frame));
        }
    }
    None
}

fn chart<'a>(e: Xn<'a, 'a>, frame: Frame, cx: &Cx<'a>) -> Option<Node> {
    let part = cx.target(e.attr("id")?)?;
    let Some(read) = cx.parts.read(part) else {
        cx.notes
            .add("chart-missing", format!("chart part {part} cannot be read"));
        return None;
    };
    let chart = charts::chart(&read, frame, cx)?;
    Some(Node::Chart(Box::new(ChartFrame { frame, chart })))
}
