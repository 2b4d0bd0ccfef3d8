// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines: theme line, then every `a:ln` on top, attribute by attribute.

use roxmltree::Node;

use super::context::Cx;
use super::fill;
use crate::tree::{Arrow, ArrowKind, Cap, Compound, Fill, Join, Line};
use crate::xml::Xml;

/// A line being put together.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    width: Option<f64>,
    fill: Option<Fill>,
    dash: Option<Vec<f64>>,
    cap: Option<Cap>,
    join: Option<Join>,
    compound: Option<Compound>,
    head: Option<Option<Arrow>>,
    tail: Option<Option<Arrow>>,
}

impl Draft {
    /// Starts from a whole line.
    #[must_use]
    pub fn from_line(l: Line) -> Self {
        Self {
            width: Some(l.width),
            fill: Some(l.fill),
            dash: Some(l.dash),
            cap: Some(l.cap),
            join: Some(l.join),
            compound: Some(l.compound),
            head: Some(l.head),
            tail: Some(l.tail),
        }
    }

    /// Lays an `a:ln` (or a border element of the same type) on top.
    pub fn overlay(&mut self, ln: Node<'_, '_>, cx: &Cx<'_>) {
        if let Some(w) = ln.num("w") {
            self.width = Some(w.clamp(0.0, 20_116_800.0));
        }
        if let Some(f) = fill::among(ln, cx) {
            self.fill = Some(f);
        }
        if let Some(c) = ln.attr("cap") {
            self.cap = Some(match c {
                "rnd" => Cap::Round,
                "sq" => Cap::Square,
                _ => Cap::Flat,
            });
        }
        if let Some(c) = ln.attr("cmpd") {
            self.compound = Some(compound(c));
        }
        for e in ln.elements() {
            match e.name() {
                "prstDash" => self.dash = Some(preset_dash(e.attr("val").unwrap_or("solid"))),
                "custDash" => self.dash = Some(custom_dash(e)),
                "round" => self.join = Some(Join::Round),
                "bevel" => self.join = Some(Join::Bevel),
                "miter" => self.join = Some(Join::Miter),
                "headEnd" => self.head = Some(arrow(e)),
                "tailEnd" => self.tail = Some(arrow(e)),
                _ => {}
            }
        }
    }

    /// Lays the theme's line of `a:lnRef` below everything set so far: call first.
    pub fn reference(&mut self, r: Node<'_, '_>, cx: &Cx<'_>) {
        let index = r.num("idx").unwrap_or(0.0).max(0.0) as usize;
        self.by_index(index, cx.color(r), cx);
    }

    /// Lays the theme's line of an index in a colour below everything set so far: call first.
    pub fn by_index(&mut self, index: usize, color: Option<crate::color::Color>, cx: &Cx<'_>) {
        if let Some(ln) = cx.theme.format("lnStyleLst", index) {
            self.overlay(ln, &cx.with_placeholder(color));
        }
    }

    /// The line, when it has a fill that is seen.
    #[must_use]
    pub fn finish(self) -> Option<Line> {
        let fill = self.fill.filter(|f| !f.is_none())?;
        Some(Line {
            width: self.width.unwrap_or(9_525.0),
            fill,
            dash: self.dash.unwrap_or_default(),
            cap: self.cap.unwrap_or_default(),
            join: self.join.unwrap_or_default(),
            compound: self.compound.unwrap_or_default(),
            head: self.head.flatten(),
            tail: self.tail.flatten(),
        })
    }
}

fn compound(s: &str) -> Compound {
    match s {
        "dbl" => Compound::Double,
        "thickThin" => Compound::ThickThin,
        "thinThick" => Compound::ThinThick,
        "tri" => Compound::Triple,
        _ => Compound::Single,
    }
}

/// ST_PresetLineDashVal in multiples of the line width.
#[must_use]
pub fn preset_dash(s: &str) -> Vec<f64> {
    match s {
        "dot" => vec![1.0, 3.0],
        "dash" => vec![4.0, 3.0],
        "lgDash" => vec![8.0, 3.0],
        "dashDot" => vec![4.0, 3.0, 1.0, 3.0],
        "lgDashDot" => vec![8.0, 3.0, 1.0, 3.0],
        "lgDashDotDot" => vec![8.0, 3.0, 1.0, 3.0, 1.0, 3.0],
        "sysDash" => vec![3.0, 1.0],
        "sysDot" => vec![1.0, 1.0],
        "sysDashDot" => vec![3.0, 1.0, 1.0, 1.0],
        "sysDashDotDot" => vec![3.0, 1.0, 1.0, 1.0, 1.0, 1.0],
        _ => Vec::new(),
    }
}

fn custom_dash(e: Node<'_, '_>) -> Vec<f64> {
    let part = |v: Option<f64>| v.unwrap_or(1.0).clamp(0.0, 1_000.0);
    e.all("ds")
        .take(50)
        .flat_map(|d| [part(d.pct("d")), part(d.pct("sp"))])
        .collect()
}

fn arrow(e: Node<'_, '_>) -> Option<Arrow> {
    let kind = match e.attr("type")? {
        "triangle" => ArrowKind::Triangle,
        "stealth" => ArrowKind::Stealth,
        "diamond" => ArrowKind::Diamond,
        "oval" => ArrowKind::Oval,
        "arrow" => ArrowKind::Open,
        _ => return None,
    };
    let size = |k| match e.attr(k) {
        Some("sm") => 2,
        Some("lg") => 5,
        _ => 3,
    };
    Some(Arrow {
        kind,
        width: size("w"),
        length: size("len"),
    })
}
