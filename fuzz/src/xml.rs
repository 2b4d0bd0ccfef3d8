// SPDX-License-Identifier: MIT OR Apache-2.0
//! One random change to an XML text that leaves it well formed.

use std::ops::Range;

use roxmltree::{Document, Node};

use crate::dice::Dice;

/// Values that readers of numbers, names and switches may not expect.
const VALUES: [&str; 26] = [
    "",
    "0",
    "1",
    "-1",
    "7",
    "100",
    "100000",
    "-100000",
    "50%",
    "-1e300",
    "1e308",
    "1e-300",
    "0.0000001",
    "NaN",
    "inf",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "99999999999999999999",
    "5400000",
    "21600000",
    "914400",
    "999999999",
    "true",
    "rId1",
];

/// Texts that shaping, breaking and number formats may not expect.
const TEXTS: [&str; 12] = [
    "",
    " ",
    "\u{a0}\u{200b}\u{2028}",
    "a\u{301}\u{301}\u{301}\u{301}",
    "שלום (abc) عربى 123",
    "\u{202e}abc\u{202c}\u{2067}x",
    "漢字かな交じり文。、「」",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "-1e308",
    "[$-409]#,##0.00_);[Red]\\(#,##0.00\\);;@",
    "General;General;General;General;General",
    "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
];

/// Operators and operands of guide formulas.
const FORMULAS: [&str; 10] = [
    "val 0",
    "*/ w 1 0",
    "at2 0 0",
    "mod w h 1e200",
    "?: w h adj",
    "sqrt -1",
    "tan cd4",
    "pin h w 0",
    "cat2 w 0 0",
    "+- 1e308 1e308 -1",
];

/// The text with one change; `None` when it is no XML or there is nothing to change.
pub fn mutated(text: &str, dice: &mut Dice) -> Option<String> {
    let doc = Document::parse(text).ok()?;
    let nodes: Vec<Node<'_, '_>> = doc.root_element().descendants().skip(1).collect();
    let elements: Vec<Node<'_, '_>> = nodes.iter().copied().filter(Node::is_element).collect();
    match dice.below(12) {
        0..=5 => attribute(text, &doc, dice),
        6 => replace(text, dice.pick(&elements)?.range(), ""),
        7 => {
            let range = dice.pick(&elements)?.range();
            let part = text.get(range.clone())?.repeat(1 + dice.below(3));
            Some(insert(text, range.end, &part))
        }
        8 => {
            let part = text.get(dice.pick(&elements)?.range())?.to_owned();
            replace(text, dice.pick(&elements)?.range(), &part)
        }
        9 => {
            let part = text.get(dice.pick(&elements)?.range())?.to_owned();
            let at = dice.pick(&elements)?.range().start;
            Some(insert(text, at, &part))
        }
        10 => {
            let texts: Vec<_> = nodes.iter().filter(|n| n.is_text()).collect();
            replace(text, dice.pick(&texts)?.range(), dice.pick(&TEXTS)?)
        }
        _ => rename(text, &elements, dice),
    }
}

fn attribute(text: &str, doc: &Document<'_>, dice: &mut Dice) -> Option<String> {
    let all: Vec<_> = doc.descendants().flat_map(|n| n.attributes()).collect();
    let one = dice.pick(&all)?;
    let new = match dice.below(5) {
        0 => dice.pick(&all)?.value().to_owned(),
        1 => scaled(one.value(), dice).unwrap_or_default(),
        2 if one.name() == "fmla" => (*dice.pick(&FORMULAS)?).to_owned(),
        3 => return replace(text, one.range(), ""),
        _ => (*dice.pick(&VALUES)?).to_owned(),
    };
    let clean = new.replace(['<', '&', '"', '\''], "");
    replace(text, one.range_value(), &clean)
}

/// A number, made larger, smaller or negative.
fn scaled(value: &str, dice: &mut Dice) -> Option<String> {
    let v: i64 = value.parse().ok()?;
    let k = *dice.pick(&[-1, 2, 3, 10, 1_000, 1_000_000])?;
    Some(v.saturating_mul(k).to_string())
}

/// Gives an element the name of another; only childless elements, whose one tag holds the name once.
fn rename(text: &str, elements: &[Node<'_, '_>], dice: &mut Dice) -> Option<String> {
    let name = |n: &Node<'_, '_>| -> Option<Range<usize>> {
        let start = n.range().start + 1;
        let rest = text.get(start..n.range().end)?;
        let len = rest.find([' ', '/', '>', '\n', '\t', '\r'])?;
        Some(start..start + len)
    };
    let bare: Vec<_> = elements.iter().filter(|n| !n.has_children()).collect();
    let one = dice.pick(&bare)?;
    let other = name(dice.pick(elements)?)?;
    let whole = text.get(one.range())?;
    if !whole.ends_with("/>") {
        return None;
    }
    replace(text, name(one)?, text.get(other)?)
}

fn replace(text: &str, range: Range<usize>, by: &str) -> Option<String> {
    let (before, after) = (text.get(..range.start)?, text.get(range.end..)?);
    Some(format!("{before}{by}{after}"))
}

fn insert(text: &str, at: usize, part: &str) -> String {
    let (before, after) = text.split_at(at);
    format!("{before}{part}{after}")
}
