// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shapes, pictures, connectors and groups.

use std::rc::Rc;

use roxmltree::Node as Xn;

use super::context::{Cx, Space};
use super::placeholder::{chain, ph, text_family};
use super::text::{self, Around, StyleText};
use super::{effect, fill, frames, line};
use crate::geometry::preset::{Definition, Outline, preset};
use crate::geometry::{Rect, custom};
use crate::tree::{Effects, Fill, Frame, Group, Line, Node, Shape};
use crate::units::ANGLE_UNITS;
use crate::xml::Xml;

/// Deepest nesting of groups.
const MAX_DEPTH: usize = 32;
/// Most nodes of one tree.
const MAX_NODES: usize = 20_000;

/// Resolves the children of a shape tree or group.
#[must_use]
pub fn children<'a>(tree: Xn<'a, 'a>, cx: &Cx<'a>, drop_placeholders: bool) -> Vec<Node> {
    let mut out = Vec::new();
    for n in tree.elements() {
        if out.len() >= MAX_NODES {
            cx.notes.add(
                "too-many-shapes",
                format!("only the first {MAX_NODES} shapes of a tree are drawn"),
            );
            break;
        }
        one(n, cx, drop_placeholders, &mut out);
    }
    out
}

fn one<'a>(n: Xn<'a, 'a>, cx: &Cx<'a>, drop_placeholders: bool, out: &mut Vec<Node>) {
    if n.name() == "AlternateContent" {
        for inner in chosen(n, cx).into_iter().flat_map(|c| c.elements()) {
            one(inner, cx, drop_placeholders, out);
        }
        return;
    }
    if is_hidden(n) || (drop_placeholders && ph(n).is_some()) {
        return;
    }
    match n.name() {
        "sp" | "cxnSp" => out.extend(shape(n, cx)),
        "pic" => out.extend(picture(n, cx)),
        "grpSp" => out.extend(group(n, cx, drop_placeholders).map(|g| Node::Group(Box::new(g)))),
        "graphicFrame" => frames::frame(n, cx, out),
        "contentPart" => cx
            .notes
            .add("ink", "an ink part without a fallback picture is not drawn"),
        _ => {}
    }
}

/// The branch of `mc:AlternateContent` that is drawn.
fn chosen<'a>(n: Xn<'a, 'a>, cx: &Cx<'a>) -> Option<Xn<'a, 'a>> {
    let fallback = n.child("Fallback");
    let choice = n.all("Choice").find(|c| {
        let bad = c
            .descendants()
            .any(|d| d.is_element() && matches!(d.name(), "contentPart" | "oMath" | "oMathPara"));
        let known = c
            .attr("Requires")
            .unwrap_or("")
            .split_ascii_whitespace()
            .all(|r| {
                matches!(
                    r,
                    "p14"
                        | "a14"
                        | "p15"
                        | "a16"
                        | "p16"
                        | "wps"
                        | "wpg"
                        | "cx"
                        | "cx1"
                        | "cx2"
                        | "cx3"
                        | "cx4"
                        | "cx5"
                        | "cx6"
                        | "cx7"
                        | "cx8"
                        | "asvg"
                        | "a15"
                        | "c14"
                        | "dgm"
                        | "pic14"
                )
            });
        known && (!bad || fallback.is_none_or(|f| f.elements().next().is_none()))
    });
    if let Some(f) =
        fallback.filter(|f| choice.is_some_and(asks_for_chart_ex) && has_picture(*f, cx))
    {
        cx.notes.add(
            "chart-picture",
            "a chart of a kind of Office 2016 is drawn by the picture that the deck stores of it",
        );
        return Some(f);
    }
    if choice.is_none() && fallback.is_none() {
        cx.notes.add(
            "alternate-content",
            "alternate content without a usable branch is not drawn",
        );
    }
    choice.or(fallback)
}

/// Chart kinds of Office 2016 have namespaces of their own: `cx`, `cx1`, `cx2` and so on.
fn asks_for_chart_ex(choice: Xn<'_, '_>) -> bool {
    let asked = choice.attr("Requires").unwrap_or("");
    asked.split_ascii_whitespace().any(|r| {
        r.strip_prefix("cx")
            .is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()))
    })
}

/// Whether a branch is a picture whose part is there.
fn has_picture(branch: Xn<'_, '_>, cx: &Cx<'_>) -> bool {
    branch
        .child("pic")
        .and_then(|p| p.path(&["blipFill", "blip"]))
        .and_then(|b| b.attr("embed"))
        .and_then(|id| cx.target(id))
        .is_some_and(|part| cx.parts.picture(part).is_some())
}

/// Whether a shape is switched off.
#[must_use]
pub fn is_hidden(n: Xn<'_, '_>) -> bool {
    n.elements()
        .find(|c| c.name().starts_with("nv"))
        .and_then(|v| v.child("cNvPr"))
        .and_then(|c| c.flag("hidden"))
        .unwrap_or(false)
}

/// Reads `a:xfrm` (or `p:xfrm`).
#[must_use]
pub fn frame(x: Xn<'_, '_>) -> Option<Frame> {
    let (off, ext) = (x.child("off")?, x.child("ext")?);
    let limit = |v: f64| v.clamp(-2.0e9, 2.0e9);
    let get = |n: Xn<'_, '_>, k| n.num(k).map_or(0.0, limit);
    Some(Frame {
        rect: Rect::new(
            get(off, "x"),
            get(off, "y"),
            get(ext, "cx").max(0.0),
            get(ext, "cy").max(0.0),
        ),
        rot: x.num("rot").unwrap_or(0.0) / ANGLE_UNITS,
        flip_h: x.flag("flipH").unwrap_or(false),
        flip_v: x.flag("flipV").unwrap_or(false),
    })
}

fn properties<'a>(n: Xn<'a, 'a>) -> Option<Xn<'a, 'a>> {
    n.child("spPr")
}

/// The frame of a shape, its own or inherited.
#[must_use]
pub fn frame_of(chain: &[Xn<'_, '_>]) -> Option<Frame> {
    chain.iter().find_map(|n| {
        n.child("spPr")
            .and_then(|p| p.child("xfrm"))
            .or_else(|| n.child("xfrm"))
            .and_then(frame)
    })
}

/// The geometry of a shape, its own or inherited.
fn outline(chain: &[Xn<'_, '_>], f: &Frame, cx: &Cx<'_>) -> Outline {
    for p in chain.iter().filter_map(|n| n.child("spPr")) {
        if let Some(c) = p.child("custGeom") {
            return custom::definition(c).evaluate(f.rect.w, f.rect.h, &[]);
        }
        if let Some(g) = p.child("prstGeom") {
            return preset_outline(
                g.attr("prst").unwrap_or("rect"),
                &custom::named(g, "avLst"),
                f,
                cx,
            );
        }
    }
    preset_outline("rect", &[], f, cx)
}

fn preset_outline(name: &str, adjusts: &[(String, String)], f: &Frame, cx: &Cx<'_>) -> Outline {
    let fallback = Definition::default();
    let def = preset(name).or_else(|| {
        cx.notes.add(
            "unknown-shape",
            format!("preset shape {name:?} is drawn as a rectangle"),
        );
        preset("rect")
    });
    def.unwrap_or(&fallback)
        .evaluate(f.rect.w, f.rect.h, adjusts)
}

/// What the style reference and the chain say about fill, line and effects.
struct Look {
    fill: Fill,
    line: Option<Line>,
    effects: Effects,
}

fn look<'a>(chain: &[Xn<'a, 'a>], cx: &Cx<'a>) -> Look {
    let style = chain.iter().find_map(|n| n.child("style"));
    let own = |f: &dyn Fn(Xn<'a, 'a>) -> Option<Fill>| {
        chain.iter().filter_map(|n| properties(*n)).find_map(f)
    };
    let fill = own(&|p| fill::among(p, cx))
        .or_else(|| referred(style?.child("fillRef")?, chain, cx))
        .unwrap_or_default();
    let mut draft = line::Draft::default();
    if let Some(r) = style.and_then(|s| s.child("lnRef")) {
        draft.reference(r, cx);
    }
    for ln in chain
        .iter()
        .rev()
        .filter_map(|n| properties(*n)?.child("ln"))
    {
        draft.overlay(ln, cx);
    }
    let mut effects = chain
        .iter()
        .filter_map(|n| properties(*n))
        .find_map(|p| effect::among(p, cx))
        .or_else(|| Some(effect::reference(style?.child("effectRef")?, cx)))
        .unwrap_or_default();
    note_3d(chain, cx);
    if chain.iter().any(|n| is_solid(*n)) {
        // PowerPoint's pictures show the edges of a solid hard.
        effects.soft_edge = None;
    }
    let fill = if lit(chain, style, cx) {
        brightened(fill)
    } else {
        fill
    };
    Look {
        fill,
        line: draft.finish(),
        effects,
    }
}

/// The fill of the style reference, in the direction of a gradient of the shape's own that has no stops.
fn referred(r: Xn<'_, '_>, chain: &[Xn<'_, '_>], cx: &Cx<'_>) -> Option<Fill> {
    let mut fill = fill::reference(r, cx)?;
    let own = chain
        .iter()
        .filter_map(|n| n.child("spPr"))
        .find_map(|p| p.child("gradFill"));
    if let (Fill::Gradient(g), Some(n)) = (&mut fill, own) {
        g.kind = fill::direction(n);
    }
    Some(fill)
}

/// Whether the three-point light of a bevel falls on the face, by the shape's own properties or its effect reference.
fn lit(chain: &[Xn<'_, '_>], style: Option<Xn<'_, '_>>, cx: &Cx<'_>) -> bool {
    let bevel = |p: Xn<'_, '_>| {
        p.child("sp3d")
            .map(|s| s.child("bevelT").is_some() && s.attr("prstMaterial").is_none())
    };
    if let Some(own) = chain.iter().filter_map(|n| n.child("spPr")).find_map(bevel) {
        return own;
    }
    let index = style
        .and_then(|s| s.child("effectRef"))
        .and_then(|r| r.num("idx"))
        .unwrap_or(0.0)
        .max(0.0) as usize;
    cx.theme
        .format("effectStyleLst", index)
        .and_then(bevel)
        .unwrap_or(false)
}

/// A lit face is a fifth brighter in linear light.
fn brightened(fill: Fill) -> Fill {
    let up = |c: crate::color::Color| crate::color::shade(c, 1.2);
    match fill {
        Fill::Solid(c) => Fill::Solid(up(c)),
        Fill::Gradient(mut g) => {
            for s in &mut g.stops {
                s.1 = up(s.1);
            }
            Fill::Gradient(g)
        }
        other => other,
    }
}

/// Whether a shape has bevels or depth of its own.
fn is_solid(n: Xn<'_, '_>) -> bool {
    let solid = n.child("spPr").and_then(|p| p.child("sp3d"));
    solid.is_some_and(|s| s.elements().next().is_some())
}

fn note_3d(chain: &[Xn<'_, '_>], cx: &Cx<'_>) {
    for p in chain.iter().filter_map(|n| n.child("spPr")) {
        let rotated = p
            .child("scene3d")
            .and_then(|s| s.child("camera"))
            .is_some_and(|c| {
                c.child("rot").is_some()
                    || c.attr("prst")
                        .is_some_and(|v| !v.contains("Front") && v != "legacyObliqueFront")
            });
        if rotated {
            cx.notes.add("three-d", "a 3-D rotation is drawn flat");
        }
    }
    if chain.iter().any(|n| is_solid(*n)) {
        cx.notes.add("three-d", "bevels and depth are drawn flat");
    }
}

/// A shape or connector.
#[must_use]
pub fn shape<'a>(n: Xn<'a, 'a>, cx: &Cx<'a>) -> Option<Node> {
    let chain = chain(n, cx.layers);
    let frame = cx.space.place(frame_of(&chain)?);
    let look = look(&chain, cx);
    let outline = outline(&chain, &frame, cx);
    let own = n.child("txBody");
    let text = own.filter(|t| text::has_text(*t)).map(|t| {
        let bodies = chain.iter().filter_map(|c| c.child("txBody")).collect();
        let style = chain
            .iter()
            .find_map(|c| c.child("style"))
            .and_then(|s| s.child("fontRef"));
        let style = style.map_or_else(StyleText::default, |r| text::font_reference(r, cx));
        let around = Around {
            bodies,
            family: text_family(&chain),
            style,
        };
        text::body(t, &around, cx)
    });
    // SmartArt drawings give text a frame of its own, whose rotation adds to the shape's.
    let text_frame = n.child("txXfrm").and_then(super::shape::frame).map(|t| {
        let placed = cx.space.place(t);
        Frame {
            rot: placed.rot + frame.rot,
            flip_h: false,
            flip_v: false,
            ..placed
        }
    });
    Some(Node::Shape(Box::new(Shape {
        frame,
        paths: outline.paths,
        text_rect: outline.text,
        text_frame,
        fill: look.fill,
        line: look.line,
        effects: look.effects,
        text,
    })))
}

/// A picture: its frame is filled with the picture; a fill of its own lies behind it.
#[must_use]
pub fn picture<'a>(n: Xn<'a, 'a>, cx: &Cx<'a>) -> Option<Node> {
    let chain = chain(n, cx.layers);
    let frame = cx.space.place(frame_of(&chain)?);
    let look = look(&chain, cx);
    let outline = outline(&chain, &frame, cx);
    let found = n.child("blipFill").and_then(|b| fill::picture(b, cx));
    let make = |fill: Fill, line: Option<Line>, effects: Effects| {
        Node::Shape(Box::new(Shape {
            frame,
            paths: outline.paths.clone(),
            text_rect: outline.text,
            text_frame: None,
            fill,
            line,
            effects,
            text: None,
        }))
    };
    let Some(p) = found else {
        return (!look.fill.is_none() || look.line.is_some())
            .then(|| make(look.fill, look.line, look.effects));
    };
    if look.fill.is_none() {
        return Some(make(Fill::Picture(p), look.line, look.effects));
    }
    let at_origin = |node: Node| match node {
        Node::Shape(mut s) => {
            s.frame = Frame {
                rect: Rect::new(0.0, 0.0, frame.rect.w, frame.rect.h),
                ..Frame::default()
            };
            Node::Shape(s)
        }
        other => other,
    };
    let back = at_origin(make(look.fill, None, Effects::default()));
    let front = at_origin(make(Fill::Picture(p), look.line, Effects::default()));
    Some(Node::Group(Box::new(Group {
        frame,
        children: vec![back, front],
        effects: look.effects,
    })))
}

/// A picture that fills a frame, without anything around it.
#[must_use]
pub fn bare_picture(source: std::sync::Arc<crate::tree::PictureSource>, frame: Frame) -> Node {
    let outline = preset("rect").map(|d| d.evaluate(frame.rect.w, frame.rect.h, &[]));
    let fill = crate::tree::PictureFill {
        source,
        crop: [0.0; 4],
        mode: crate::tree::PictureMode::Stretch([0.0; 4]),
        alpha: 1.0,
        recolor: Vec::new(),
    };
    Node::Shape(Box::new(Shape {
        frame,
        paths: outline.map(|o| o.paths).unwrap_or_default(),
        text_rect: Rect::default(),
        text_frame: None,
        fill: Fill::Picture(fill),
        line: None,
        effects: Effects::default(),
        text: None,
    }))
}

/// A group. Children's frames are scaled into the group's own coordinates.
#[must_use]
pub fn group<'a>(n: Xn<'a, 'a>, cx: &Cx<'a>, drop_placeholders: bool) -> Option<Group> {
    if cx.depth >= MAX_DEPTH {
        cx.notes.add(
            "deep-group",
            format!("groups nested deeper than {MAX_DEPTH} are not drawn"),
        );
        return None;
    }
    let props = n.child("grpSpPr");
    let xfrm = props.and_then(|p| p.child("xfrm"));
    let own_fill = props.and_then(|p| fill::among(p, cx));
    let effects = props.and_then(|p| effect::among(p, cx)).unwrap_or_default();
    let frame = xfrm.and_then(frame).map(|f| cx.space.place(f));
    let space = match (xfrm, frame) {
        (Some(x), Some(f)) => Space::of_group(x, &f),
        _ => cx.space,
    };
    let inner = Cx {
        depth: cx.depth + 1,
        group_fill: own_fill.map(Rc::new).or_else(|| cx.group_fill.clone()),
        space,
        ..cx.clone()
    };
    let children = children(n, &inner, drop_placeholders);
    Some(Group {
        frame: frame.unwrap_or_default(),
        children,
        effects,
    })
}
