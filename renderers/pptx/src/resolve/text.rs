// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text bodies: the whole inheritance chain of a shape's text, settled run by run.

use roxmltree::Node;

use super::context::Cx;
use super::numbering::{self, Counters};
use super::placeholder::Family;
use super::text_props::{BulletKind, ParaStyle, apply_paragraph, apply_run};
use crate::text::model::{
    Anchor, Bullet, Fit, Paragraph, Run, RunStyle, Spacing, TextBody, Vertical, Warp,
};
use crate::tree::Fill;
use crate::xml::Xml;

const LEVELS: [&str; 9] = [
    "lvl1pPr", "lvl2pPr", "lvl3pPr", "lvl4pPr", "lvl5pPr", "lvl6pPr", "lvl7pPr", "lvl8pPr",
    "lvl9pPr",
];

/// Most paragraphs of one body.
const MAX_PARAGRAPHS: usize = 5_000;

/// What surrounds a text body.
#[derive(Debug, Clone)]
pub struct Around<'a> {
    /// Text bodies of the chain, most specific first: the shape's own, then those inherited.
    pub bodies: Vec<Node<'a, 'a>>,
    /// Text family in the master.
    pub family: Family,
    /// What the shape's style reference or the table style sets on runs.
    pub style: StyleText,
}

/// Run properties that come from a style reference.
#[derive(Debug, Clone, Default)]
pub struct StyleText {
    /// Colour.
    pub color: Option<crate::color::Color>,
    /// Font name (theme references resolved).
    pub font: Option<String>,
    /// Bold.
    pub bold: Option<bool>,
    /// Italic.
    pub italic: Option<bool>,
}

/// Resolves a text body. `own` is the `txBody` itself.
#[must_use]
pub fn body<'a>(own: Node<'a, 'a>, around: &Around<'a>, cx: &Cx<'a>) -> TextBody {
    let mut out = TextBody::default();
    for b in around.bodies.iter().rev() {
        if let Some(p) = b.child("bodyPr") {
            body_properties(&mut out, p, cx);
        }
    }
    let levels: Vec<ParaStyle> = (0..9).map(|l| inherited(l, around, cx)).collect();
    let mut counters = Counters::default();
    for p in own.all("p").take(MAX_PARAGRAPHS) {
        let level = p
            .child("pPr")
            .and_then(|q| q.num("lvl"))
            .unwrap_or(0.0)
            .clamp(0.0, 8.0) as usize;
        let Some(base) = levels.get(level) else {
            continue;
        };
        out.paragraphs
            .push(paragraph(p, base.clone(), level, &mut counters, cx));
    }
    out
}

/// Whether a text body has anything to draw.
#[must_use]
pub fn has_text(own: Node<'_, '_>) -> bool {
    own.descendants()
        .any(|n| n.is_element() && (n.name() == "t") && n.text().is_some_and(|t| !t.is_empty()))
}

/// What a level has inherited before the paragraph's own properties.
#[must_use]
pub fn inherited<'a>(level: usize, around: &Around<'a>, cx: &Cx<'a>) -> ParaStyle {
    let mut s = ParaStyle::default();
    if let Some(f) = cx.theme.font("+mn-lt", "") {
        s.run.latin = f;
    }
    if let Some(f) = cx.theme.font("+mn-ea", "") {
        s.run.east = f;
    }
    if let Some(c) = cx.theme_color("tx1") {
        s.run.fill = Fill::Solid(c);
    }
    let name = LEVELS.get(level).copied().unwrap_or("lvl1pPr");
    let mut lists: Vec<Node<'a, 'a>> = Vec::new();
    lists.extend(
        cx.layers
            .presentation
            .and_then(|p| p.child("defaultTextStyle")),
    );
    if let Some(styles) = cx.layers.master.and_then(|m| m.child("txStyles")) {
        let list = match around.family {
            Family::Title => "titleStyle",
            Family::Body => "bodyStyle",
            Family::Other => "otherStyle",
            Family::None => "",
        };
        lists.extend(styles.child(list));
    }
    for l in lists {
        list_style(&mut s, l, name, cx);
    }
    style_text(&mut s.run, &around.style);
    for b in around.bodies.iter().rev() {
        if let Some(l) = b.child("lstStyle") {
            list_style(&mut s, l, name, cx);
        }
    }
    s
}

fn list_style(s: &mut ParaStyle, l: Node<'_, '_>, level: &str, cx: &Cx<'_>) {
    if let Some(d) = l.child("defPPr") {
        apply_paragraph(s, d, cx);
    }
    if let Some(n) = l.child(level) {
        apply_paragraph(s, n, cx);
    }
}

fn style_text(run: &mut RunStyle, t: &StyleText) {
    if let Some(c) = t.color {
        run.fill = Fill::Solid(c);
    }
    if let Some(f) = &t.font {
        run.latin.clone_from(f);
    }
    run.bold = t.bold.unwrap_or(run.bold);
    run.italic = t.italic.unwrap_or(run.italic);
}

/// Reads `a:fontRef`.
#[must_use]
pub fn font_reference(r: Node<'_, '_>, cx: &Cx<'_>) -> StyleText {
    let font = match r.attr("idx") {
        Some("major") => cx.theme.font("+mj-lt", ""),
        Some("minor") => cx.theme.font("+mn-lt", ""),
        _ => None,
    };
    StyleText {
        color: cx.color(r),
        font,
        bold: None,
        italic: None,
    }
}

fn body_properties(b: &mut TextBody, p: Node<'_, '_>, cx: &Cx<'_>) {
    for (slot, k) in b.insets.iter_mut().zip(["lIns", "tIns", "rIns", "bIns"]) {
        if let Some(v) = p.num(k) {
            *slot = v.clamp(-51_206_400.0, 51_206_400.0);
        }
    }
    if let Some(a) = p.attr("anchor") {
        b.anchor = match a {
            "ctr" => Anchor::Middle,
            "b" => Anchor::Bottom,
            _ => Anchor::Top,
        };
    }
    b.anchor_center = p.flag("anchorCtr").unwrap_or(b.anchor_center);
    if let Some(w) = p.attr("wrap") {
        b.wrap = w != "none";
    }
    if let Some(v) = p.attr("vert") {
        b.vertical = match v {
            "vert" => Vertical::Clockwise,
            "vert270" => Vertical::CounterClockwise,
            "eaVert" | "mongolianVert" => Vertical::EastAsian,
            "wordArtVert" | "wordArtVertRtl" => Vertical::Stacked,
            _ => Vertical::Horizontal,
        };
    }
    if let Some(r) = p.num("rot") {
        b.rot = r / crate::units::ANGLE_UNITS;
    }
    b.upright = p.flag("upright").unwrap_or(b.upright);
    if let Some(n) = p.num("numCol") {
        b.columns = n.clamp(1.0, 16.0) as usize;
    }
    b.column_gap = p.num("spcCol").unwrap_or(b.column_gap);
    for e in p.elements() {
        match e.name() {
            "noAutofit" => b.fit = Fit::None,
            "spAutoFit" => b.fit = Fit::Resize,
            "normAutofit" => {
                let scale = e.pct("fontScale");
                let less = e.pct("lnSpcReduction");
                b.fit = if scale.is_some() || less.is_some() {
                    Fit::Stored(
                        scale.unwrap_or(1.0).clamp(0.01, 1.0),
                        less.unwrap_or(0.0).clamp(0.0, 0.9),
                    )
                } else if cx.stores_fit {
                    Fit::None
                } else {
                    Fit::Shrink
                };
            }
            "prstTxWarp" => b.warp = warp(e, cx),
            _ => {}
        }
    }
}

fn warp(e: Node<'_, '_>, cx: &Cx<'_>) -> Option<Warp> {
    let name = e.attr("prst").filter(|w| *w != "textNoShape")?;
    if crate::geometry::preset::warp(name).is_none() {
        cx.notes.add(
            "text-warp",
            format!("text warp {name} is not one of the standard's; the text is drawn flat"),
        );
        return None;
    }
    Some(Warp {
        name: name.to_owned(),
        adjusts: crate::geometry::custom::named(e, "avLst"),
    })
}

fn paragraph(
    p: Node<'_, '_>,
    mut style: ParaStyle,
    level: usize,
    counters: &mut Counters,
    cx: &Cx<'_>,
) -> Paragraph {
    if let Some(q) = p.child("pPr") {
        let run = style.run.clone();
        apply_paragraph(&mut style, q, cx);
        // The defRPr of a paragraph's own pPr has no effect in PowerPoint.
        style.run = run;
    }
    let mut runs = Vec::new();
    collect_runs(p, &style.run, cx, &mut runs, 0);
    let mut end = style.run.clone();
    if let Some(e) = p.child("endParaRPr") {
        apply_run(&mut end, e, cx);
    } else if let Some(last) = runs.last() {
        end = last.style.clone();
    }
    let bullet = bullet(
        &style,
        runs.first().map_or(&end, |r| &r.style),
        level,
        counters,
        runs.is_empty(),
    );
    Paragraph {
        align: style.align,
        margin_left: style.margin_left,
        margin_right: style.margin_right,
        indent: style.indent,
        before: style.before.unwrap_or(Spacing::Points(0.0)),
        after: style.after.unwrap_or(Spacing::Points(0.0)),
        line: style.line.unwrap_or(Spacing::Percent(1.0)),
        tabs: style.tabs,
        default_tab: style.default_tab.unwrap_or(914_400.0),
        rtl: style.rtl,
        bullet,
        runs,
        end,
    }
}

fn collect_runs(p: Node<'_, '_>, base: &RunStyle, cx: &Cx<'_>, out: &mut Vec<Run>, depth: usize) {
    for e in p.elements() {
        if out.len() > 20_000 || depth > 4 {
            return;
        }
        let mut style = base.clone();
        if let Some(r) = e.child("rPr") {
            apply_run(&mut style, r, cx);
        }
        match e.name() {
            "r" => {
                let text: String = e.all("t").filter_map(|t| t.text()).collect();
                out.push(Run {
                    text: clean(&text),
                    style,
                });
            }
            "br" => out.push(Run {
                text: "\u{2028}".to_owned(),
                style,
            }),
            "fld" => {
                let text = field(e, cx);
                out.push(Run {
                    text: clean(&text),
                    style,
                });
            }
            "AlternateContent" => {
                if let Some(f) = e
                    .child("Fallback")
                    .filter(|f| f.elements().next().is_some())
                {
                    collect_runs(f, base, cx, out, depth + 1);
                } else if let Some(c) = e.child("Choice") {
                    math(c, base, cx, out);
                }
            }
            "m" | "oMathPara" | "oMath" => math(e, base, cx, out),
            _ => {}
        }
    }
}

/// Line separators stay, other controls go.
fn clean(s: &str) -> String {
    s.chars()
        .filter_map(|c| match c {
            '\n' | '\u{B}' | '\u{2028}' => Some('\u{2028}'),
            '\t' => Some('\t'),
            '\r' => None,
            // PowerPoint shows an optional hyphen wherever it stands.
            '\u{AD}' => Some('-'),
            c if c.is_control() => None,
            c => Some(c),
        })
        .collect()
}

fn math(e: Node<'_, '_>, base: &RunStyle, cx: &Cx<'_>, out: &mut Vec<Run>) {
    let text: String = e
        .descendants()
        .filter(|n| n.is_element() && n.name() == "t")
        .filter_map(|t| t.text())
        .collect();
    if !text.is_empty() {
        cx.notes.add(
            "math-linear",
            "a formula without a fallback is drawn as a line of text",
        );
        let style = RunStyle {
            italic: true,
            latin: "Cambria Math".to_owned(),
            ..base.clone()
        };
        out.push(Run { text, style });
    }
}

fn field(e: Node<'_, '_>, cx: &Cx<'_>) -> String {
    let cached: String = e.all("t").filter_map(|t| t.text()).collect();
    match e.attr("type") {
        Some("slidenum") => cx.fields.number.to_string(),
        _ => cached,
    }
}

fn bullet(
    style: &ParaStyle,
    first: &RunStyle,
    level: usize,
    counters: &mut Counters,
    empty: bool,
) -> Option<Bullet> {
    let b = &style.bullet;
    let text = match &b.kind {
        BulletKind::Auto(scheme, start) => {
            if empty {
                return None;
            }
            numbering::format(scheme, counters.next(level, scheme, *start))
        }
        other => {
            counters.interrupt(level);
            match other {
                BulletKind::Char(c) => c.clone(),
                BulletKind::Picture => "•".to_owned(),
                _ => return None,
            }
        }
    };
    let mut run = first.clone();
    run.underline = crate::text::model::Underline::None;
    run.strike = 0;
    run.highlight = None;
    run.spacing = 0.0;
    if let Some(f) = &b.font {
        run.latin.clone_from(f);
        run.symbol = Some(f.clone());
    }
    if let Some(c) = b.color {
        run.fill = Fill::Solid(c);
    }
    Some(Bullet {
        text,
        style: run,
        size: b.size.unwrap_or(Spacing::Percent(1.0)),
    })
}
