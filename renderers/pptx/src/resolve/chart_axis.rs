// SPDX-License-Identifier: MIT OR Apache-2.0
//! Axes of a chart part.

use roxmltree::Node as Xn;

use super::charts::{own_line, solid_line, text_style, title_or};
use super::context::Cx;
use crate::chart::model::{Axis, Crosses, Side};
use crate::color::Color;
use crate::text::model::RunStyle;
use crate::tree::Line;
use crate::xml::Xml;

/// The grey of automatic axis and grid lines.
const AUTO_LINE: u32 = 0x0086_8686;

/// Resolves an axis element.
#[must_use]
pub fn axis(a: Xn<'_, '_>, text: &RunStyle, cx: &Cx<'_>) -> Axis {
    let auto = || solid_line(Color::hex(AUTO_LINE), 9_525.0);
    let grid = |k: &str| -> Option<Line> {
        a.child(k)
            .and_then(|g| own_line(g, cx).unwrap_or_else(|| Some(auto())))
    };
    let scaling = a.child("scaling");
    let scale = |k: &str| scaling.and_then(|s| s.child_num(k));
    let category = matches!(a.name(), "catAx" | "dateAx" | "serAx");
    Axis {
        id: a.child_val("axId").unwrap_or("").to_owned(),
        cross_id: a.child_val("crossAx").unwrap_or("").to_owned(),
        category,
        date: a.name() == "dateAx",
        side: match a.child_val("axPos") {
            Some("l") => Side::Left,
            Some("r") => Side::Right,
            Some("t") => Side::Top,
            _ => Side::Bottom,
        },
        deleted: a.child_flag("delete").unwrap_or(false),
        min: scale("min"),
        max: scale("max"),
        major: a.child_num("majorUnit").filter(|v| *v > 0.0),
        reversed: scaling.and_then(|s| s.child_val("orientation")) == Some("maxMin"),
        log: scale("logBase").filter(|b| *b > 1.0),
        crosses: crosses(a),
        on_marks: a.child_val("crossBetween") == Some("midCat"),
        label_place: a.child_val("tickLblPos").unwrap_or("nextTo").to_owned(),
        format: number_format(a),
        grid: grid("majorGridlines"),
        minor_grid: grid("minorGridlines"),
        line: own_line(a, cx).unwrap_or_else(|| Some(auto())),
        ticks: a.child_val("majorTickMark").unwrap_or("cross").to_owned(),
        text: text_style(a, text, cx),
        rot: a
            .path(&["txPr", "bodyPr"])
            .and_then(|b| b.num("rot"))
            .map(|r| r / crate::units::ANGLE_UNITS)
            .filter(|r| r.abs() <= 90.0),
        skip: a.child_num("tickLblSkip").map(|v| v.max(1.0) as usize),
        title: a
            .child("title")
            .map(|t| title_or(t, "Axis Title", text, 1.0, cx)),
        units: units(a),
    }
}

fn crosses(a: Xn<'_, '_>) -> Crosses {
    if let Some(v) = a.child_num("crossesAt") {
        return Crosses::At(v);
    }
    match a.child_val("crosses") {
        Some("min") => Crosses::Min,
        Some("max") => Crosses::Max,
        _ => Crosses::Zero,
    }
}

fn number_format(a: Xn<'_, '_>) -> Option<String> {
    let n = a.child("numFmt")?;
    if n.flag("sourceLinked").unwrap_or(false) {
        return None;
    }
    n.attr("formatCode").map(str::to_owned)
}

fn units(a: Xn<'_, '_>) -> Option<(f64, String)> {
    let u = a.child("dispUnits")?;
    if let Some(v) = u.child_num("custUnit").filter(|v| *v > 0.0) {
        return Some((v, String::new()));
    }
    let (v, name) = match u.child_val("builtInUnit")? {
        "hundreds" => (1e2, "Hundreds"),
        "thousands" => (1e3, "Thousands"),
        "tenThousands" => (1e4, "10000"),
        "hundredThousands" => (1e5, "100000"),
        "millions" => (1e6, "Millions"),
        "tenMillions" => (1e7, "10000000"),
        "hundredMillions" => (1e8, "100000000"),
        "billions" => (1e9, "Billions"),
        "trillions" => (1e12, "Trillions"),
        _ => return None,
    };
    Some((
        v,
        if u.child("dispUnitsLbl").is_some() {
            name.to_owned()
        } else {
            String::new()
        },
    ))
}
