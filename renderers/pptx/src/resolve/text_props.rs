// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paragraph and run properties: one properties element laid on top of what was inherited.

use roxmltree::Node;

use super::context::Cx;
use super::{effect, fill, line};
use crate::color::Color;
use crate::text::model::{Align, Caps, RunStyle, Spacing, TabKind, Underline};
use crate::tree::{Fill, Line};
use crate::xml::Xml;

/// What a paragraph and its runs have inherited so far.
#[derive(Debug, Clone, Default)]
pub struct ParaStyle {
    /// Alignment.
    pub align: Align,
    /// Left margin in EMU.
    pub margin_left: f64,
    /// Right margin in EMU.
    pub margin_right: f64,
    /// Indent in EMU.
    pub indent: f64,
    /// Space before.
    pub before: Option<Spacing>,
    /// Space after.
    pub after: Option<Spacing>,
    /// Line spacing.
    pub line: Option<Spacing>,
    /// Tab stops.
    pub tabs: Vec<(f64, TabKind)>,
    /// Default tab distance in EMU.
    pub default_tab: Option<f64>,
    /// Right to left.
    pub rtl: bool,
    /// Bullet.
    pub bullet: BulletStyle,
    /// Run style.
    pub run: RunStyle,
}

/// What a bullet has inherited so far.
#[derive(Debug, Clone, Default)]
pub struct BulletStyle {
    /// What it is.
    pub kind: BulletKind,
    /// Its own font.
    pub font: Option<String>,
    /// Its own size.
    pub size: Option<Spacing>,
    /// Its own colour.
    pub color: Option<Color>,
}

/// Kinds of bullets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum BulletKind {
    /// None.
    #[default]
    None,
    /// A character.
    Char(String),
    /// A number: scheme and start.
    Auto(String, i64),
    /// A picture, drawn as a plain bullet.
    Picture,
}

/// Lays `a:pPr`, `a:lvlNpPr` or `a:defPPr` on top.
pub fn apply_paragraph(s: &mut ParaStyle, p: Node<'_, '_>, cx: &Cx<'_>) {
    if let Some(a) = p.attr("algn") {
        s.align = match a {
            "ctr" => Align::Center,
            "r" => Align::Right,
            "just" | "justLow" => Align::Justify,
            "dist" | "thaiDist" => Align::Distribute,
            _ => Align::Left,
        };
    }
    set(&mut s.margin_left, p.num("marL"));
    set(&mut s.margin_right, p.num("marR"));
    set(&mut s.indent, p.num("indent"));
    s.default_tab = p.num("defTabSz").or(s.default_tab);
    s.rtl = p.flag("rtl").unwrap_or(s.rtl);
    for e in p.elements() {
        match e.name() {
            "lnSpc" => s.line = spacing(e).or(s.line),
            "spcBef" => s.before = spacing(e).or(s.before),
            "spcAft" => s.after = spacing(e).or(s.after),
            "tabLst" => s.tabs = tabs(e),
            "defRPr" => apply_run(&mut s.run, e, cx),
            _ => apply_bullet(&mut s.bullet, e, cx),
        }
    }
}

fn set(slot: &mut f64, v: Option<f64>) {
    if let Some(v) = v {
        *slot = v.clamp(-51_206_400.0, 51_206_400.0);
    }
}

fn spacing(e: Node<'_, '_>) -> Option<Spacing> {
    if let Some(p) = e.child("spcPct").and_then(|n| n.pct("val")) {
        return Some(Spacing::Percent(p.clamp(0.0, 132.0)));
    }
    let pts = e.child("spcPts").and_then(|n| n.num("val"))?;
    Some(Spacing::Points((pts / 100.0).clamp(0.0, 1_584.0)))
}

fn tabs(e: Node<'_, '_>) -> Vec<(f64, TabKind)> {
    let kind = |t: Node<'_, '_>| match t.attr("algn") {
        Some("ctr") => TabKind::Center,
        Some("r") => TabKind::Right,
        Some("dec") => TabKind::Decimal,
        _ => TabKind::Left,
    };
    let mut out: Vec<_> = e
        .all("tab")
        .take(64)
        .filter_map(|t| Some((t.num("pos")?, kind(t))))
        .collect();
    out.sort_by(|a, b| a.0.total_cmp(&b.0));
    out
}

fn apply_bullet(b: &mut BulletStyle, e: Node<'_, '_>, cx: &Cx<'_>) {
    match e.name() {
        "buNone" => b.kind = BulletKind::None,
        "buChar" => b.kind = BulletKind::Char(e.attr("char").unwrap_or("•").to_owned()),
        "buAutoNum" => {
            let start = e.num("startAt").unwrap_or(1.0).clamp(1.0, 32_767.0) as i64;
            b.kind = BulletKind::Auto(e.attr("type").unwrap_or("arabicPeriod").to_owned(), start);
        }
        "buBlip" => {
            cx.notes.add(
                "bullet-picture",
                "a picture bullet is drawn as a plain bullet",
            );
            b.kind = BulletKind::Picture;
        }
        "buFontTx" => b.font = None,
        "buFont" => b.font = e.attr("typeface").and_then(|t| cx.theme.font(t, "")),
        "buSzTx" => b.size = None,
        "buSzPct" => b.size = e.pct("val").map(|v| Spacing::Percent(v.clamp(0.25, 4.0))),
        "buSzPts" => {
            b.size = e
                .num("val")
                .map(|v| Spacing::Points((v / 100.0).clamp(1.0, 4_000.0)))
        }
        "buClrTx" => b.color = None,
        "buClr" => b.color = cx.color(e),
        _ => {}
    }
}

/// Lays `a:rPr`, `a:defRPr` or `a:endParaRPr` on top.
pub fn apply_run(s: &mut RunStyle, r: Node<'_, '_>, cx: &Cx<'_>) {
    if let Some(l) = r.attr("lang") {
        s.lang = l.to_owned();
    }
    if let Some(v) = r.num("sz") {
        s.size = (v / 100.0).clamp(1.0, 4_000.0);
    }
    s.bold = r.flag("b").unwrap_or(s.bold);
    s.italic = r.flag("i").unwrap_or(s.italic);
    if let Some(u) = r.attr("u") {
        s.underline = underline(u);
    }
    match r.attr("strike") {
        Some("sngStrike") => s.strike = 1,
        Some("dblStrike") => s.strike = 2,
        Some(_) => s.strike = 0,
        None => {}
    }
    match r.attr("cap") {
        Some("all") => s.caps = Caps::All,
        Some("small") => s.caps = Caps::Small,
        Some(_) => s.caps = Caps::None,
        None => {}
    }
    if let Some(v) = r.num("spc") {
        s.spacing = (v / 100.0).clamp(-100.0, 400.0);
    }
    if let Some(v) = r.pct("baseline") {
        s.baseline = v.clamp(-10.0, 10.0);
    }
    if let Some(v) = r.num("kern") {
        s.kern = (v > 0.0).then_some(v / 100.0);
    }
    run_children(s, r, cx);
}

fn run_children(s: &mut RunStyle, r: Node<'_, '_>, cx: &Cx<'_>) {
    if let Some(f) = fill::among(r, cx) {
        s.fill = f;
    }
    for e in r.elements() {
        match e.name() {
            "ln" => s.line = outline(e, cx),
            "highlight" => s.highlight = cx.color(e),
            "latin" => font(&mut s.latin, e, cx, &s.lang),
            "ea" => font(&mut s.east, e, cx, &s.lang),
            "cs" => font(&mut s.complex, e, cx, &s.lang),
            "sym" => s.symbol = e.attr("typeface").map(str::to_owned),
            "uFill" => s.underline_color = fill::among(e, cx).and_then(|f| f.plain()),
            "hlinkClick" => hyperlink(s, e, cx),
            "effectLst" | "effectDag" => s.effects = effect::among(r, cx).unwrap_or_default(),
            _ => {}
        }
    }
}

fn outline(e: Node<'_, '_>, cx: &Cx<'_>) -> Option<Line> {
    let mut d = line::Draft::default();
    d.overlay(e, cx);
    d.finish()
}

fn font(slot: &mut String, e: Node<'_, '_>, cx: &Cx<'_>, lang: &str) {
    if let Some(name) = e
        .attr("typeface")
        .filter(|t| !t.is_empty())
        .and_then(|t| cx.theme.font(t, lang))
    {
        *slot = name;
    }
}

/// A hyperlink takes the theme's colour and an underline, unless an extension says the text's own colour stays.
fn hyperlink(s: &mut RunStyle, e: Node<'_, '_>, cx: &Cx<'_>) {
    if e.attr("id").is_none_or(str::is_empty) && e.attr("action").is_none() {
        return;
    }
    let own = e
        .descendants()
        .any(|n| n.is_element() && n.name() == "hlinkClr" && n.attr("val") == Some("tx"));
    if !own && let Some(c) = cx.theme_color("hlink") {
        s.fill = Fill::Solid(c);
    }
    s.underline = Underline::Single;
}

fn underline(u: &str) -> Underline {
    match u {
        "none" => Underline::None,
        "dbl" | "wavyDbl" => Underline::Double,
        "heavy" | "dottedHeavy" | "dashHeavy" | "dashLongHeavy" | "dotDashHeavy"
        | "dotDotDashHeavy" | "wavyHeavy" => Underline::Heavy,
        "dotted" => Underline::Dotted,
        "dash" | "dashLong" | "dotDash" | "dotDotDash" => Underline::Dashed,
        "wavy" => Underline::Wavy,
        _ => Underline::Single,
    }
}
