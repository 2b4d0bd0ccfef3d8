// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fills: solid, gradient, pattern, picture, of the group, and by reference into the theme.

use roxmltree::Node;

use super::context::Cx;
use crate::color::Color;
use crate::tree::{Fill, Gradient, GradientKind, Pattern, PictureFill, PictureMode, Recolor, Tile};
use crate::units::ANGLE_UNITS;
use crate::xml::Xml;

/// The fill among the children of a node; `None` when there is no fill element at all.
#[must_use]
pub fn among(parent: Node<'_, '_>, cx: &Cx<'_>) -> Option<Fill> {
    parent.elements().find_map(|n| element(n, cx))
}

/// A fill element; `None` when the element is no fill.
#[must_use]
pub fn element(n: Node<'_, '_>, cx: &Cx<'_>) -> Option<Fill> {
    Some(match n.name() {
        "noFill" => Fill::None,
        "solidFill" => cx.color(n).map_or(Fill::None, Fill::Solid),
        // Without stops of its own, a gradient only changes the direction of the one it refers to.
        "gradFill" => Fill::Gradient(gradient(n, cx)?),
        "pattFill" => pattern(n, cx),
        "blipFill" => picture(n, cx).map_or(Fill::None, Fill::Picture),
        "grpFill" => cx.group_fill.as_deref().cloned().unwrap_or_default(),
        _ => return None,
    })
}

/// The fill that `a:fillRef` (or `p:bgRef`) points to.
#[must_use]
pub fn reference(n: Node<'_, '_>, cx: &Cx<'_>) -> Option<Fill> {
    by_index(n.num("idx")? as i64, cx.color(n), cx)
}

/// The theme's fill of an index as `a:fillRef` counts, in a colour.
#[must_use]
pub fn by_index(index: i64, color: Option<Color>, cx: &Cx<'_>) -> Option<Fill> {
    let (list, at) = match index {
        1..=999 => ("fillStyleLst", index),
        1001.. => ("bgFillStyleLst", index - 1000),
        _ => return Some(Fill::None),
    };
    let mut inner = cx.with_placeholder(color);
    inner.rels = cx.theme.rels.unwrap_or(cx.rels);
    let node = cx.theme.format(list, usize::try_from(at).ok()?)?;
    element(node, &inner)
}

fn gradient(n: Node<'_, '_>, cx: &Cx<'_>) -> Option<Gradient> {
    let mut stops: Vec<(f64, Color)> = Vec::new();
    for gs in n.child("gsLst")?.all("gs").take(200) {
        if let Some(c) = cx.color(gs) {
            stops.push((gs.pct("pos").unwrap_or(0.0).clamp(0.0, 1.0), c));
        }
    }
    if stops.is_empty() {
        return None;
    }
    stops.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(Gradient {
        stops,
        kind: direction(n),
        rot_with_shape: n.flag("rotWithShape").unwrap_or(true),
    })
}

/// The geometry of a `gradFill`.
#[must_use]
pub fn direction(n: Node<'_, '_>) -> GradientKind {
    if let Some(p) = n.child("path") {
        let r = p.child("fillToRect");
        let side = |k| r.and_then(|r| r.pct(k)).unwrap_or(0.0);
        let rect = [side("l"), side("t"), side("r"), side("b")];
        if p.attr("path") == Some("circle") {
            GradientKind::Circle(rect)
        } else {
            GradientKind::Rect(rect)
        }
    } else {
        let lin = n.child("lin");
        let angle = lin.and_then(|l| l.num("ang")).unwrap_or(0.0) / ANGLE_UNITS;
        GradientKind::Linear(angle, lin.and_then(|l| l.flag("scaled")).unwrap_or(false))
    }
}

fn pattern(n: Node<'_, '_>, cx: &Cx<'_>) -> Fill {
    let color = |k, d| n.child(k).and_then(|c| cx.color(c)).unwrap_or(d);
    Fill::Pattern(Pattern {
        preset: n.attr("prst").unwrap_or("pct50").to_owned(),
        fore: color("fgClr", Color::BLACK),
        back: color("bgClr", Color::WHITE),
    })
}

fn rect_fractions(n: Option<Node<'_, '_>>) -> [f64; 4] {
    let side = |k| n.and_then(|r| r.pct(k)).unwrap_or(0.0).clamp(-100.0, 100.0);
    [side("l"), side("t"), side("r"), side("b")]
}

/// A `blipFill` of any namespace.
#[must_use]
pub fn picture(n: Node<'_, '_>, cx: &Cx<'_>) -> Option<PictureFill> {
    let blip = n.child("blip")?;
    let source = blip_source(blip, cx)?;
    let mode = match n.child("tile") {
        Some(t) => PictureMode::Tile(tile(t)),
        None => PictureMode::Stretch(rect_fractions(n.path(&["stretch", "fillRect"]))),
    };
    let mut recolor = Vec::new();
    let mut alpha = 1.0;
    for e in blip.elements() {
        match e.name() {
            "alphaModFix" => alpha *= e.pct("amt").unwrap_or(1.0).clamp(0.0, 1.0),
            "grayscl" => recolor.push(Recolor::Gray),
            "biLevel" => recolor.push(Recolor::BiLevel(e.pct("thresh").unwrap_or(0.5))),
            "lum" => recolor.push(Recolor::Lum(
                e.pct("bright").unwrap_or(0.0),
                e.pct("contrast").unwrap_or(0.0),
            )),
            "duotone" => {
                let mut c = e.elements().filter_map(|c| crate::color::read(c, cx));
                if let (Some(a), Some(b)) = (c.next(), c.next()) {
                    recolor.push(Recolor::Duotone(a, b));
                }
            }
            "clrChange" => {
                let get = |k| e.child(k).and_then(|c| cx.color(c));
                if let (Some(a), Some(b)) = (get("clrFrom"), get("clrTo")) {
                    recolor.push(Recolor::Change(a, b));
                }
            }
            "clrRepl" => recolor.extend(cx.color(e).map(Recolor::Flat)),
            _ => {}
        }
    }
    recolor.extend(image_properties(blip, cx));
    Some(PictureFill {
        source,
        crop: rect_fractions(n.child("srcRect")),
        mode,
        alpha,
        recolor,
    })
}

/// Office 2010's own corrections (`a14:imgEffect`): what of them we draw, and a note on the rest.
fn image_properties(blip: Node<'_, '_>, cx: &Cx<'_>) -> Vec<Recolor> {
    let mut out = Vec::new();
    for e in blip
        .descendants()
        .filter(|e| e.is_element() && e.name() == "imgEffect")
        .take(20)
    {
        for k in e.elements() {
            match k.name() {
                "brightnessContrast" => {
                    out.push(Recolor::Lum(
                        k.pct("bright").unwrap_or(0.0),
                        k.pct("contrast").unwrap_or(0.0),
                    ));
                }
                "saturation" if k.pct("sat") == Some(0.0) => out.push(Recolor::Gray),
                other => cx.notes.add(
                    "picture-effect",
                    format!("picture effect {other} is not drawn"),
                ),
            }
        }
    }
    // The blip already shows the corrected picture; Office writes it that way, so nothing is applied twice.
    out.clear();
    out
}

fn blip_source(
    blip: Node<'_, '_>,
    cx: &Cx<'_>,
) -> Option<std::sync::Arc<crate::tree::PictureSource>> {
    let svg = blip
        .descendants()
        .find(|n| n.is_element() && n.name() == "svgBlip")
        .and_then(|n| n.attr("embed"))
        .and_then(|id| cx.target(id));
    if let Some(s) = svg.and_then(|part| cx.parts.picture(part))
        && crate::picture::decode::is_drawable_svg(&s.bytes)
    {
        return Some(s);
    }
    let Some(id) = blip.attr("embed").filter(|id| !id.is_empty()) else {
        if blip.attr("link").is_some() {
            cx.notes.add(
                "picture-external",
                "a linked picture outside the deck is never fetched",
            );
        }
        return None;
    };
    let found = cx.target(id).and_then(|part| cx.parts.picture(part));
    if found.is_none() {
        cx.notes.add(
            "picture-missing",
            format!("picture {id} is not in the package"),
        );
    }
    found
}

fn tile(t: Node<'_, '_>) -> Tile {
    let flip = t.attr("flip").unwrap_or("none");
    let align = match t.attr("algn").unwrap_or("tl") {
        "t" => (0.5, 0.0),
        "tr" => (1.0, 0.0),
        "l" => (0.0, 0.5),
        "ctr" => (0.5, 0.5),
        "r" => (1.0, 0.5),
        "bl" => (0.0, 1.0),
        "b" => (0.5, 1.0),
        "br" => (1.0, 1.0),
        _ => (0.0, 0.0),
    };
    Tile {
        scale: (t.pct("sx").unwrap_or(1.0), t.pct("sy").unwrap_or(1.0)),
        offset: (t.num("tx").unwrap_or(0.0), t.num("ty").unwrap_or(0.0)),
        flip: (matches!(flip, "x" | "xy"), matches!(flip, "y" | "xy")),
        align,
    }
}
