// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which face draws a cluster: the wanted family's stand-in when it covers the characters, else the first that does.

use std::collections::BTreeMap;

use super::face::{EMBEDDED, Face};
use super::set::FontSet;
use super::substitute::substitute;

/// A choice of face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Index into the set's faces.
    pub face: usize,
    /// Factor on the widths.
    pub width: f64,
    /// Factor on the heights of glyphs.
    pub height: f64,
    /// Bold was asked for and the face is not.
    pub embolden: bool,
    /// Italic was asked for and the face is not.
    pub slant: bool,
}

/// What a run asks for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// Font name as the deck has it.
    pub name: String,
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// The script family that fallback prefers among CJK fonts: a language tag's head (`ja`, `ko`, `zh-CN`, `zh-TW`).
    pub east: East,
}

/// Which CJK forms are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum East {
    /// Japanese.
    #[default]
    Japanese,
    /// Korean.
    Korean,
    /// Simplified Chinese.
    Simplified,
    /// Traditional Chinese.
    Traditional,
}

impl East {
    /// From a language tag.
    #[must_use]
    pub fn from_lang(lang: &str) -> Option<Self> {
        let l = lang.to_ascii_lowercase();
        if l.starts_with("ja") {
            Some(Self::Japanese)
        } else if l.starts_with("ko") {
            Some(Self::Korean)
        } else if l.starts_with("zh-tw") || l.starts_with("zh-hk") || l.starts_with("zh-hant") {
            Some(Self::Traditional)
        } else if l.starts_with("zh") {
            Some(Self::Simplified)
        } else {
            None
        }
    }
    fn family(self) -> &'static str {
        match self {
            Self::Japanese => "Noto Sans CJK JP",
            Self::Korean => "Noto Sans CJK KR",
            Self::Simplified => "Noto Sans CJK SC",
            Self::Traditional => "Noto Sans CJK TC",
        }
    }
}

/// Remembers choices, and what had to be said about them.
#[derive(Debug, Default)]
pub struct Selector {
    memo: BTreeMap<(Wanted, char), Option<Choice>>,
    /// Names that a stand-in without equal widths was used for, and the stand-in.
    pub substituted: BTreeMap<String, &'static str>,
    /// Characters that no face covers.
    pub uncovered: BTreeMap<char, ()>,
}

/// Most remembered choices.
const MEMO: usize = 100_000;

impl Selector {
    /// The face for a cluster that starts with `c`.
    pub fn choose(
        &mut self,
        set: &FontSet,
        wanted: &Wanted,
        c: char,
        emoji: bool,
    ) -> Option<Choice> {
        let key = (wanted.clone(), c);
        if !emoji && let Some(hit) = self.memo.get(&key) {
            return *hit;
        }
        let choice = self.search(set, wanted, c, emoji);
        if !emoji && self.memo.len() < MEMO {
            self.memo.insert(key, choice);
        }
        choice
    }

    fn search(&mut self, set: &FontSet, wanted: &Wanted, c: char, emoji: bool) -> Option<Choice> {
        let sub = substitute(&wanted.name);
        let make = |face: usize, width: f64, height: f64| {
            let known = set.faces().get(face).map(|f| f.known);
            Choice {
                face,
                width,
                height,
                embolden: wanted.bold && known.is_some_and(|k| !k.bold),
                slant: wanted.italic && known.is_some_and(|k| !k.italic),
            }
        };
        let covers = |i: &usize| set.faces().get(*i).is_some_and(|f| f.covers(c));
        if emoji && let Some(i) = set.find("Noto Color Emoji", false, false).filter(covers) {
            return Some(make(i, 1.0, 1.0));
        }
        let own = set.own(&wanted.name, wanted.bold, wanted.italic);
        if let Some(i) = own.filter(|i| c.is_control() || covers(i)) {
            return Some(make(i, 1.0, 1.0));
        }
        let bold = sub.bold || (wanted.bold && !sub.single);
        let first = set.find(sub.family, bold, wanted.italic);
        if let Some(i) = first.filter(|i| c.is_control() || covers(i)) {
            if !sub.exact && !c.is_whitespace() {
                self.substituted
                    .entry(wanted.name.clone())
                    .or_insert(sub.family);
            }
            return Some(make(i, sub.width, sub.height));
        }
        if let Some(i) = fallback(set, wanted, c) {
            return Some(make(i, narrowed(set, i), 1.0));
        }
        if !is_invisible(c) {
            self.uncovered.insert(c, ());
        }
        first
            .or_else(|| (!set.faces().is_empty()).then_some(0))
            .map(|i| make(i, 1.0, 1.0))
    }
}

/// Arabic of the usual Office fonts runs shorter than Noto's.
fn narrowed(set: &FontSet, face: usize) -> f64 {
    let arabic = set
        .faces()
        .get(face)
        .is_some_and(|f| f.known.family == "Noto Naskh Arabic");
    if arabic { 0.9 } else { 1.0 }
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(u32::from(c), 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF)
}

fn fallback(set: &FontSet, wanted: &Wanted, c: char) -> Option<usize> {
    if is_east_asian(c)
        && let Some(i) = set.find(wanted.east.family(), wanted.bold, false)
        && set.faces().get(i).is_some_and(|f| f.covers(c))
    {
        return Some(i);
    }
    let mut found: Option<usize> = None;
    let known = |f: &Face| f.known.family != EMBEDDED;
    for (i, f) in set.faces().iter().enumerate().filter(|(_, f)| known(f)) {
        let better = found.is_none_or(|b| {
            set.faces().get(b).is_some_and(|bf| {
                bf.known.family == f.known.family
                    && bf.known.bold != wanted.bold
                    && f.known.bold == wanted.bold
                    && !f.known.italic
            })
        });
        if better && f.covers(c) {
            found = Some(i);
        }
    }
    found
}

/// Whether a character belongs to the East Asian font slot.
#[must_use]
pub fn is_east_asian(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11FF | 0x2E80..=0x2FDF | 0x2FF0..=0x303F | 0x3040..=0x30FF | 0x3100..=0x31FF | 0x3200..=0x33FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F
        | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}

/// Whether a character belongs to the complex-script font slot.
#[must_use]
pub fn is_complex(c: char) -> bool {
    matches!(u32::from(c),
        0x0590..=0x08FF | 0x0900..=0x0DFF | 0x0E00..=0x0EFF | 0x0F00..=0x109F | 0x1780..=0x17FF | 0x1800..=0x18AF
        | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE)
}
