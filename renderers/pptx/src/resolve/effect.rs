// SPDX-License-Identifier: MIT OR Apache-2.0
//! Effects: shadows, glow, reflection, soft edges, of the shape itself or by reference into the theme.

use std::sync::Arc;

use roxmltree::Node;

use super::context::Cx;
use super::fill;
use crate::color::Color;
use crate::tree::{Blend, Effects, Overlay, Reflection, Shadow};
use crate::units::ANGLE_UNITS;
use crate::xml::Xml;

/// The effects of a properties node; `None` when it says nothing. An empty list says: none.
#[must_use]
pub fn among(props: Node<'_, '_>, cx: &Cx<'_>) -> Option<Effects> {
    if let Some(l) = props.child("effectLst") {
        return Some(list(l, cx));
    }
    props.child("effectDag").map(|d| {
        cx.notes
            .add("effect-dag", "an effect graph is drawn as a plain list");
        list(d, cx)
    })
}

/// The effects that `a:effectRef` points to.
#[must_use]
pub fn reference(r: Node<'_, '_>, cx: &Cx<'_>) -> Effects {
    let index = r.num("idx").unwrap_or(0.0).max(0.0) as usize;
    let Some(style) = cx.theme.format("effectStyleLst", index) else {
        return Effects::default();
    };
    among(style, &cx.with_placeholder(cx.color(r))).unwrap_or_default()
}

fn list(l: Node<'_, '_>, cx: &Cx<'_>) -> Effects {
    let mut out = Effects::default();
    for e in l.elements() {
        match e.name() {
            "outerShdw" => out.shadow = shadow(e, cx),
            "prstShdw" => out.shadow = preset_shadow(e, cx),
            "innerShdw" => out.inner_shadow = shadow(e, cx),
            "glow" => {
                let color = cx.color(e).unwrap_or(Color::BLACK);
                out.glow = e.num("rad").filter(|r| *r > 0.0).map(|r| (r, color));
            }
            "softEdge" => out.soft_edge = e.num("rad").filter(|r| *r > 0.0),
            "blur" => out.blur = e.num("rad").filter(|r| *r > 0.0),
            "reflection" => out.reflection = Some(reflection(e)),
            "fillOverlay" => out.overlay = overlay(e, cx),
            _ => {}
        }
    }
    out
}

fn anchor(s: &str) -> (f64, f64) {
    match s {
        "tl" => (0.0, 0.0),
        "t" => (0.5, 0.0),
        "tr" => (1.0, 0.0),
        "l" => (0.0, 0.5),
        "ctr" => (0.5, 0.5),
        "r" => (1.0, 0.5),
        "bl" => (0.0, 1.0),
        "br" => (1.0, 1.0),
        _ => (0.5, 1.0),
    }
}

fn shadow(e: Node<'_, '_>, cx: &Cx<'_>) -> Option<Shadow> {
    let color = cx.color(e)?;
    let angle = |k| e.num(k).unwrap_or(0.0) / ANGLE_UNITS;
    Some(Shadow {
        color,
        blur: e.num("blurRad").unwrap_or(0.0).max(0.0),
        dist: e.num("dist").unwrap_or(0.0),
        dir: angle("dir"),
        scale: (e.pct("sx").unwrap_or(1.0), e.pct("sy").unwrap_or(1.0)),
        skew: (angle("kx"), angle("ky")),
        anchor: anchor(e.attr("algn").unwrap_or("b")),
        rot_with_shape: e.flag("rotWithShape").unwrap_or(true),
    })
}

fn preset_shadow(e: Node<'_, '_>, cx: &Cx<'_>) -> Option<Shadow> {
    cx.notes.add(
        "preset-shadow",
        "a preset shadow of old PowerPoint is drawn as a plain one",
    );
    shadow(e, cx)
}

fn overlay(e: Node<'_, '_>, cx: &Cx<'_>) -> Option<Overlay> {
    let blend = match e.attr("blend") {
        Some("mult") => Blend::Multiply,
        Some("screen") => Blend::Screen,
        Some("darken") => Blend::Darken,
        Some("lighten") => Blend::Lighten,
        _ => Blend::Over,
    };
    fill::among(e, cx).map(|fill| Overlay {
        fill: Arc::new(fill),
        blend,
    })
}

fn reflection(e: Node<'_, '_>) -> Reflection {
    Reflection {
        blur: e.num("blurRad").unwrap_or(0.0).max(0.0),
        alpha: (e.pct("stA").unwrap_or(1.0), e.pct("endA").unwrap_or(0.0)),
        pos: (
            e.pct("stPos").unwrap_or(0.0),
            e.pct("endPos").unwrap_or(1.0),
        ),
        dist: e.num("dist").unwrap_or(0.0),
        scale_y: e.pct("sy").unwrap_or(1.0),
    }
}
