// SPDX-License-Identifier: MIT OR Apache-2.0
//! Table styles: those in the file, and the built-in ones that files name by id alone.
//!
//! A built-in style is one of eleven families and an accent. Each family is written here in a line per part of the
//! table: `tx` gives bold and text colour, `fill` a fill, and letters before a width and a colour the borders (l, r, t, b,
//! and h, v inside). `A` is the accent; `+tint20` and `+alpha20` are colour transforms in percent; `ref1` is the theme's
//! first line or fill.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::context::Cx;
use super::text::StyleText;
use super::{fill, line};
use crate::color::{Color, shade, tint};
use crate::tree::{Cap, Compound, Fill, Join, Line};
use crate::xml::Xml;

/// What a style says about one part of a table.
#[derive(Debug, Clone, Default)]
pub struct StylePart {
    /// Fill of the cells.
    pub fill: Option<Fill>,
    /// Text.
    pub text: StyleText,
    /// Borders left, right, top, bottom, inside horizontal, inside vertical: unset, none, or a line.
    pub borders: [Option<Option<Line>>; 6],
}

/// The parts of a style by their names in the standard (`wholeTbl`, `band1H`, …).
pub type Style = BTreeMap<String, StylePart>;

/// The table styles of a deck.
#[derive(Debug, Default)]
pub struct TableStyles<'a> {
    own: BTreeMap<String, Node<'a, 'a>>,
}

impl<'a> TableStyles<'a> {
    /// From the root of `tableStyles.xml`.
    #[must_use]
    pub fn new(root: Option<Node<'a, 'a>>) -> Self {
        let list = root.into_iter().flat_map(|r| r.all("tblStyle"));
        Self {
            own: list
                .filter_map(|s| Some((s.attr("styleId")?.to_ascii_uppercase(), s)))
                .collect(),
        }
    }

    /// A style by its id: of the file first, then built in. Empty when neither has it.
    #[must_use]
    pub fn style(&self, id: &str, cx: &Cx<'_>) -> Style {
        let key = id.to_ascii_uppercase();
        if let Some(n) = self.own.get(&key) {
            return read(*n, cx);
        }
        let Some((_, family, accent)) = IDS
            .iter()
            .find(|(k, _, _)| *k == key.trim_matches(['{', '}']))
        else {
            cx.notes.add(
                "table-style",
                format!("table style {id} is neither in the deck nor built in"),
            );
            return Style::new();
        };
        built_in(family, *accent, cx)
    }
}

/// Reads `a:tblStyle`.
#[must_use]
pub fn read(n: Node<'_, '_>, cx: &Cx<'_>) -> Style {
    let mut out = Style::new();
    for p in n.elements() {
        out.insert(
            p.name().to_owned(),
            if p.name() == "tblBg" {
                background(p, cx)
            } else {
                part(p, cx)
            },
        );
    }
    out
}

fn background(p: Node<'_, '_>, cx: &Cx<'_>) -> StylePart {
    let by_ref = p.child("fillRef").and_then(|r| fill::reference(r, cx));
    let own = p.child("fill").and_then(|f| fill::among(f, cx));
    StylePart {
        fill: own.or(by_ref),
        ..StylePart::default()
    }
}

fn part(p: Node<'_, '_>, cx: &Cx<'_>) -> StylePart {
    let mut out = StylePart::default();
    if let Some(t) = p.child("tcTxStyle") {
        let on = |k| {
            t.attr(k).and_then(|v| match v {
                "on" => Some(true),
                "off" => Some(false),
                _ => None,
            })
        };
        let font = t
            .child("fontRef")
            .map(|r| super::text::font_reference(r, cx));
        out.text.font = font.as_ref().and_then(|f| f.font.clone());
        let direct = t
            .elements()
            .filter(|e| e.name() != "fontRef")
            .find_map(|e| crate::color::read(e, cx));
        out.text.color = direct.or(font.and_then(|f| f.color));
        out.text.bold = on("b");
        out.text.italic = on("i");
    }
    if let Some(s) = p.child("tcStyle") {
        let by_ref = s.child("fillRef").and_then(|r| fill::reference(r, cx));
        out.fill = s.child("fill").and_then(|f| fill::among(f, cx)).or(by_ref);
        let names = ["left", "right", "top", "bottom", "insideH", "insideV"];
        for (slot, k) in out.borders.iter_mut().zip(names) {
            *slot = s.path(&["tcBdr", k]).map(|b| border(b, cx));
        }
    }
    out
}

fn border(b: Node<'_, '_>, cx: &Cx<'_>) -> Option<Line> {
    let mut d = line::Draft::default();
    if let Some(r) = b.child("lnRef") {
        d.reference(r, cx);
    }
    if let Some(l) = b.child("ln") {
        d.overlay(l, cx);
    }
    d.finish()
}

/// A built-in style with an accent (0: none).
fn built_in(family: &str, accent: u8, cx: &Cx<'_>) -> Style {
    let Some((_, base, text)) = FAMILIES.iter().find(|f| f.0 == family) else {
        return Style::new();
    };
    let accent = if accent == 0 {
        (*base).to_owned()
    } else {
        format!("accent{accent}")
    };
    let mut out = Style::new();
    for l in text.split(';') {
        let mut words = l.split_ascii_whitespace();
        let Some(name) = words.next() else { continue };
        let mut p = StylePart::default();
        for w in words {
            if let Some((key, value)) = w.split_once('=') {
                setting(&mut p, key, value, &accent, cx);
            }
        }
        out.insert(name.to_owned(), p);
    }
    out
}

fn setting(p: &mut StylePart, key: &str, value: &str, accent: &str, cx: &Cx<'_>) {
    match key {
        "tx" => {
            let (bold, color) = value
                .split_once(',')
                .map_or((false, value), |(_, c)| (true, c));
            p.text.bold = bold.then_some(true);
            p.text.color = (!color.is_empty())
                .then(|| short_color(color, accent, cx))
                .flatten();
        }
        "fill" if value == "no" => p.fill = Some(Fill::None),
        "fill" if value.starts_with("ref") => {
            p.fill = theme_index(value).and_then(|(index, color)| {
                fill::by_index(index as i64, short_color(color, accent, cx), cx)
            });
        }
        "fill" => p.fill = short_color(value, accent, cx).map(Fill::Solid),
        sides => {
            let l = short_line(value, accent, cx);
            for c in sides.chars() {
                if let Some(slot) = "lrtbhv".find(c).and_then(|i| p.borders.get_mut(i)) {
                    *slot = Some(l.clone());
                }
            }
        }
    }
}

fn short_color(s: &str, accent: &str, cx: &Cx<'_>) -> Option<Color> {
    let mut parts = s.split('+');
    let base = parts.next()?;
    let name = match base {
        "A" => accent.to_owned(),
        // Dark Style 2 pairs two accents: the header takes the second.
        "B" => match accent {
            "accent1" => "accent2".to_owned(),
            "accent3" => "accent4".to_owned(),
            "accent5" => "accent6".to_owned(),
            other => other.to_owned(),
        },
        other => other.to_owned(),
    };
    let mut c = cx.theme_color(&name)?;
    for t in parts {
        let split = t.find(|ch: char| ch.is_ascii_digit())?;
        let (op, amount) = t.split_at_checked(split)?;
        let v = amount.parse::<f64>().ok()? / 100.0;
        c = match op {
            "tint" => tint(c, v),
            "shade" => shade(c, v),
            _ => c.with_alpha(v),
        };
    }
    Some(c)
}

/// `ref2:A`: an index into the theme's formats, and a colour.
fn theme_index(s: &str) -> Option<(usize, &str)> {
    let (index, color) = s.strip_prefix("ref")?.split_once(':')?;
    Some((index.parse().ok()?, color))
}

fn short_line(s: &str, accent: &str, cx: &Cx<'_>) -> Option<Line> {
    if let Some((index, color)) = theme_index(s) {
        let mut d = line::Draft::default();
        d.by_index(index, short_color(color, accent, cx), cx);
        return d.finish();
    }
    let (width, color) = s.split_once(':')?;
    let (width, compound) = match width {
        "dbl" => (50_800.0, Compound::Double),
        w => (w.parse().ok()?, Compound::Single),
    };
    Some(Line {
        width,
        fill: Fill::Solid(short_color(color, accent, cx)?),
        dash: Vec::new(),
        cap: Cap::Flat,
        join: Join::Round,
        compound,
        head: None,
        tail: None,
    })
}

/// Families: key, colour that stands for `A` without an accent, parts.
#[rustfmt::skip]
const FAMILIES: &[(&str, &str, &str)] = &[
    ("none", "tx1", "wholeTbl tx=tx1 fill=no"),
    ("grid", "tx1", "wholeTbl tx=tx1 lrtbhv=12700:tx1 fill=no"),
    ("themed1", "accent1", "tblBg fill=ref2:A; wholeTbl tx=dk1 lrtbhv=ref1:A fill=no; band1H fill=A+alpha40; band1V tb=ref1:A fill=A+alpha40; \
        lastCol tx=b, l=ref2:A rtbh=ref1:A v=no; firstCol tx=b, ltbh=ref1:A r=ref2:A v=no; \
        lastRow tx=b, lr=ref1:A tb=ref2:A hv=no fill=no; firstRow tx=b,lt1 lrt=ref1:A b=ref2:lt1 hv=no fill=A"),
    ("themed2", "accent1", "tblBg fill=ref3:A; wholeTbl tx=lt1 lrtb=ref1:A+tint50 hv=no fill=no; band1H fill=lt1+alpha20; band1V fill=lt1+alpha20; \
        lastCol tx=b, l=ref2:lt1; firstCol tx=b, r=ref2:lt1; lastRow tx=b, t=ref2:lt1; firstRow tx=b, b=ref2:lt1"),
    ("light1", "tx1", "wholeTbl tx=tx1 lrhv=no tb=12700:A fill=no; band1H fill=A+alpha20; band1V fill=A+alpha20; lastCol tx=b,; \
        firstCol tx=b,; lastRow tx=b, t=12700:A fill=no; firstRow tx=b, b=12700:A fill=no"),
    ("light2", "tx1", "wholeTbl tx=tx1 lrtb=ref1:A hv=no fill=no; band1H tb=ref1:A; band1V lr=ref1:A; band2V lr=ref1:A; lastCol tx=b,; \
        firstCol tx=b,; lastRow tx=b, t=dbl:A; firstRow tx=b,bg1 fill=ref1:A"),
    ("light3", "tx1", "wholeTbl tx=tx1 lrtbhv=12700:A fill=no; band1H fill=A+alpha20; band1V fill=A+alpha20; lastCol tx=b,; \
        firstCol tx=b,; lastRow tx=b, t=dbl:A fill=no; firstRow tx=b, b=25400:A fill=no"),
    ("medium1", "dk1", "wholeTbl tx=dk1 lrtbh=12700:A v=no fill=lt1; band1H fill=A+tint20; band1V fill=A+tint20; lastCol tx=b,; \
        firstCol tx=b,; lastRow tx=b, t=dbl:A fill=lt1; firstRow tx=b,lt1 fill=A"),
    ("medium2", "dk1", "wholeTbl tx=dk1 lrtbhv=12700:lt1 fill=A+tint20; band1H fill=A+tint40; band1V fill=A+tint40; \
        lastCol tx=b,lt1 fill=A; firstCol tx=b,lt1 fill=A; lastRow tx=b,lt1 t=38100:lt1 fill=A; firstRow tx=b,lt1 b=38100:lt1 fill=A"),
    ("medium3", "dk1", "wholeTbl tx=dk1 lrhv=no tb=25400:dk1 fill=lt1; band1H fill=dk1+tint20; band1V fill=dk1+tint20; \
        lastCol tx=b,lt1 fill=A; firstCol tx=b,lt1 fill=A; lastRow tx=b, t=dbl:dk1 fill=lt1; seCell tx=b,dk1; swCell tx=b,dk1; \
        firstRow tx=b,lt1 b=25400:dk1 fill=A"),
    ("medium4", "dk1", "wholeTbl tx=dk1 lrtbhv=12700:A fill=A+tint20; band1H fill=A+tint40; band1V fill=A+tint40; lastCol tx=b,; \
        firstCol tx=b,; lastRow tx=b, t=25400:A fill=A+tint20; firstRow tx=b, fill=A+tint20"),
    ("dark1", "dk1", "wholeTbl tx=lt1 lrtbhv=no fill=A+tint20; band1H fill=A+tint40; band1V fill=A+tint40; \
        lastCol tx=b, l=25400:lt1 fill=A+tint60; firstCol tx=b, r=25400:lt1 fill=A+tint60; lastRow tx=b, t=25400:lt1 fill=A+tint60; \
        seCell l=no; swCell r=no; firstRow tx=b, b=25400:lt1 fill=A; neCell l=no; nwCell r=no"),
    ("dark1a", "dk1", "wholeTbl tx=lt1 lrtbhv=no fill=A; band1H fill=A+shade60; band1V fill=A+shade60; \
        lastCol tx=b, l=25400:lt1 fill=A+shade60; firstCol tx=b, r=25400:lt1 fill=A+shade60; lastRow tx=b, t=25400:lt1 fill=A+shade40; \
        seCell l=no; swCell r=no; firstRow tx=b, b=25400:lt1 fill=dk1; neCell l=no; nwCell r=no"),
    ("dark2", "dk1", "wholeTbl tx=dk1 lrtbhv=no fill=A+tint20; band1H fill=A+tint40; band1V fill=A+tint40; lastCol tx=b,; firstCol tx=b,; \
        lastRow tx=b, t=dbl:dk1 fill=A+tint20; firstRow tx=b,lt1 fill=B"),
];

/// Ids of the built-in styles.
#[rustfmt::skip]
const IDS: &[(&str, &str, u8)] = &[
    ("2D5ABB26-0587-4C30-8999-92F81FD0307C", "none", 0), ("5940675A-B579-460E-94D1-54222C63F5DA", "grid", 0),
    ("3C2FFA5D-87B4-456A-9821-1D502468CF0F", "themed1", 1), ("284E427A-3D55-4303-BF80-6455036E1DE7", "themed1", 2),
    ("69C7853C-536D-4A76-A0AE-DD22124D55A5", "themed1", 3), ("775DCB02-9BB8-47FD-8907-85C794F793BA", "themed1", 4),
    ("35758FB7-9AC5-4552-8A53-C91805E547FA", "themed1", 5), ("08FB837D-C827-4EFA-A057-4D05807E0F7C", "themed1", 6),
    ("D113A9D2-9D6B-4929-AA2D-F23B5EE8CBE7", "themed2", 1), ("18603FDC-E32A-4AB5-989C-0864C3EAD2B8", "themed2", 2),
    ("306799F8-075E-4A3A-A7F6-7FBC6576F1A4", "themed2", 3), ("E269D01E-BC32-4049-B463-5C60D7B0CCD2", "themed2", 4),
    ("327F97BB-C833-4FB7-BDE5-3F7075034690", "themed2", 5), ("638B1855-1B75-4FBE-930C-398BA8C253C6", "themed2", 6),
    ("9D7B26C5-4107-4FEC-AEDC-1716B250A1EF", "light1", 0), ("3B4B98B0-60AC-42C2-AFA5-B58CD77FA1E5", "light1", 1),
    ("0E3FDE45-AF77-4B5C-9715-49D594BDF05E", "light1", 2), ("C083E6E3-FA7D-4D7B-A595-EF9225AFEA82", "light1", 3),
    ("D27102A9-8310-4765-A935-A1911B00CA55", "light1", 4), ("5FD0F851-EC5A-4D38-B0AD-8093EC10F338", "light1", 5),
    ("68D230F3-CF80-4859-8CE7-A43EE81993B5", "light1", 6), ("7E9639D4-E3E2-4D34-9284-5A2195B3D0D7", "light2", 0),
    ("69012ECD-51FC-41F1-AA8D-1B2483CD663E", "light2", 1), ("72833802-FEF1-4C79-8D5D-14CF1EAF98D9", "light2", 2),
    ("F2DE63D5-997A-4646-A377-4702673A728D", "light2", 3), ("17292A2E-F333-43FB-9621-5CBBE7FDCDCB", "light2", 4),
    ("5A111915-BE36-4E01-A7E5-04B1672EAD32", "light2", 5), ("912C8C85-51F0-491E-9774-3900AFEF0FD7", "light2", 6),
    ("616DA210-FB5B-4158-B5E0-FEB733F419BA", "light3", 0), ("BC89EF96-8CEA-46FF-86C4-4CE0E7609802", "light3", 1),
    ("5DA37D80-6434-44D0-A028-1B22A696006F", "light3", 2), ("8799B23B-EC83-4686-B30A-512413B5E67A", "light3", 3),
    ("ED083AE6-46FA-4A59-8FB0-9F97EB10719F", "light3", 4), ("BDBED569-4797-4DF1-A0F4-6AAB3CD982D8", "light3", 5),
    ("E8B1032C-EA38-4F05-BA0D-38AFFFC7BED3", "light3", 6), ("793D81CF-94F2-401A-BA57-92F5A7B2D0C5", "medium1", 0),
    ("B301B821-A1FF-4177-AEE7-76D212191A09", "medium1", 1), ("9DCAF9ED-07DC-4A11-8D7F-57B35C25682E", "medium1", 2),
    ("1FECB4D8-DB02-4DC6-A0A2-4F2EBAE1DC90", "medium1", 3), ("1E171933-4619-4E11-9A3F-F7608DF75F80", "medium1", 4),
    ("FABFCF23-3B69-468F-B69F-88F6DE6A72F2", "medium1", 5), ("10A1B5D5-9B99-4C35-A422-299274C87663", "medium1", 6),
    ("073A0DAA-6AF3-43AB-8588-CEC1D06C72B9", "medium2", 0), ("5C22544A-7EE6-4342-B048-85BDC9FD1C3A", "medium2", 1),
    ("21E4AEA4-8DFA-4A89-87EB-49C32662AFE0", "medium2", 2), ("F5AB1C69-6EDB-4FF4-983F-18BD219EF322", "medium2", 3),
    ("00A15C55-8517-42AA-B614-E9B94910E393", "medium2", 4), ("7DF18680-E054-41AD-8BC1-D1AEF772440D", "medium2", 5),
    ("93296810-A885-4BE3-A3E7-6D5BEEA58F35", "medium2", 6), ("8EC20E35-A176-4012-BC5E-935CFFF8708E", "medium3", 0),
    ("6E25E649-3F16-4E02-A733-19D2CDBF48F0", "medium3", 1), ("85BE263C-DBD7-4A20-BB59-AAB30ACAA65A", "medium3", 2),
    ("EB344D84-9AFB-497E-A393-DC336BA19D2E", "medium3", 3), ("EB9631B5-78F2-41C9-869B-9F39066F8104", "medium3", 4),
    ("74C1A8A3-306A-4EB7-A6B1-4F7E0EB9C5D6", "medium3", 5), ("2A488322-F2BA-4B5B-9748-0D474271808F", "medium3", 6),
    ("D7AC3CCA-C797-4891-BE02-D94E43425B78", "medium4", 0), ("69CF1AB2-1976-4502-BF36-3FF5EA218861", "medium4", 1),
    ("8A107856-5554-42FB-B03E-39F5DBC370BA", "medium4", 2), ("0505E3EF-67EA-436B-97B2-0124C06EBD24", "medium4", 3),
    ("C4B1156A-380E-4F78-BDF5-A606A8083BF9", "medium4", 4), ("22838BEF-8BB2-4498-84A7-C5851F593DF1", "medium4", 5),
    ("16D9F66E-5EB9-4882-86FB-DCBF35E3C3E4", "medium4", 6), ("E8034E78-7F5D-4C2E-B375-FC64B27BC917", "dark1", 0),
    ("125E5076-3810-47DD-B79F-674D7AD40C01", "dark1a", 1), ("37CE84F3-28C3-443E-9E96-99CF82512B78", "dark1a", 2),
    ("D03447BB-5D67-496B-8E87-E561075AD55C", "dark1a", 3), ("E929F9F4-4A8F-4326-A1B4-22849713DDAB", "dark1a", 4),
    ("8FD4443E-F989-4FC4-A0C8-D5A2AF1F390B", "dark1a", 5), ("AF606853-7671-496A-8E4F-DF71F8EC918B", "dark1a", 6),
    ("5202B0CA-FC54-4496-8BCA-5EF66A818D29", "dark2", 0), ("0660B408-B3CF-4A94-85FC-2B1E0A45F4A2", "dark2", 1),
    ("91EBBBCC-DAD2-459C-BE2E-F6DE35CF9A28", "dark2", 3), ("46F890A9-2807-4EBB-B81D-B2AA78EC7F39", "dark2", 5),
];
