// SPDX-License-Identifier: MIT OR Apache-2.0
//! A paragraph's text to clusters of glyphs, by parley's engine with faces that we choose.

use fontique::Synthesis;
use parley_engine::itemize::{Item, Segment};
use parley_engine::shape::CharCluster;
use parley_engine::{AnalysisOptions, BaseDirection, FontInstanceRef, FontSelector, ShapeOptions};

use super::engine::TextEngine;
use super::model::{Caps, RunStyle};
use crate::fonts::select::{Choice, East, Selector, Wanted, is_complex, is_east_asian};
use crate::fonts::set::FontSet;
use crate::fonts::symbols;

/// A glyph of a cluster; offsets in points, y up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glyph {
    /// Glyph id in the face.
    pub id: u32,
    /// Offset from the cluster's start.
    pub x: f64,
    /// Offset from the baseline.
    pub y: f64,
}

/// The smallest unit that layout moves.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// First character.
    pub ch: char,
    /// Index of the run.
    pub run: usize,
    /// Width in points, letter spacing included.
    pub advance: f64,
    /// Size in points as drawn.
    pub size: f64,
    /// The face.
    pub choice: Choice,
    /// Glyphs.
    pub glyphs: Vec<Glyph>,
    /// Whether a line may begin here.
    pub break_before: bool,
    /// Bidi level.
    pub level: u8,
}

impl Cluster {
    /// Whether it is a space that hangs at a line's end.
    #[must_use]
    pub fn is_space(&self) -> bool {
        matches!(
            self.ch,
            ' ' | '\u{3000}' | '\u{2009}' | '\u{2002}' | '\u{2003}'
        )
    }
    /// Whether it ends the line.
    #[must_use]
    pub fn is_break(&self) -> bool {
        matches!(self.ch, '\u{2028}' | '\n' | '\u{B}')
    }
}

/// A stretch of characters that is shaped with one size and style.
#[derive(Debug, Clone)]
struct Piece {
    run: usize,
    size: f64,
    chars: Vec<char>,
    wanted: Wanted,
    symbol: bool,
}

/// A run as the shaper sees it.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Text.
    pub text: &'a str,
    /// Style.
    pub style: &'a RunStyle,
}

/// Most characters of one paragraph that are shaped.
const MAX_CHARS: usize = 50_000;

/// Shapes runs into clusters in logical order. `scale` multiplies all sizes; `rtl` sets the base direction.
pub fn shape(engine: &mut TextEngine, runs: &[Source<'_>], scale: f64, rtl: bool) -> Vec<Cluster> {
    let pieces = split(runs, scale);
    let mut text = String::new();
    let mut styles = Vec::new();
    let mut ends = Vec::new();
    for (i, p) in pieces.iter().enumerate() {
        text.extend(p.chars.iter());
        styles.extend(std::iter::repeat_n(
            i.min(usize::from(u16::MAX)) as u16,
            p.chars.len(),
        ));
        ends.push(styles.len() as u32);
    }
    if styles.is_empty() {
        return Vec::new();
    }
    let base_direction = if rtl {
        BaseDirection::Rtl
    } else {
        BaseDirection::Ltr
    };
    engine.analyzer.analyze(
        &text,
        &AnalysisOptions {
            base_direction,
            ..AnalysisOptions::default()
        },
        &mut engine.analysis,
    );
    let item = |(p, end): (&Piece, &u32)| Item {
        char_end: *end,
        options: ShapeOptions {
            font_size: p.size as f32,
            language: None,
            features: &[],
            variations: &[],
        },
    };
    let chooser = Chooser {
        set: &engine.set,
        selector: &mut engine.selector,
        pieces: &pieces,
    };
    engine.shaper.shape_text(
        &text,
        &engine.analysis,
        &styles,
        pieces.iter().zip(&ends).map(item),
        chooser,
        &mut engine.shaped,
    );
    collect(engine, &text, &pieces, runs)
}

fn collect(
    engine: &mut TextEngine,
    text: &str,
    pieces: &[Piece],
    runs: &[Source<'_>],
) -> Vec<Cluster> {
    let chars: Vec<char> = text.chars().collect();
    let mut out = Vec::with_capacity(chars.len());
    let TextEngine {
        set,
        selector,
        shaped,
        ..
    } = engine;
    for (index, run) in shaped.runs().iter().enumerate() {
        let slice = shaped.run_slice(index as u32);
        let range = slice.shaped_clusters_range();
        for (i, cluster) in range.clone().zip(slice.shaped_clusters()) {
            let Some(piece) = pieces.get(usize::from(cluster.style_index)) else {
                continue;
            };
            let ch = chars
                .get(cluster.chars_range().start as usize)
                .copied()
                .unwrap_or(' ');
            let Some(choice) = selector.choose(set, &piece.wanted, ch, false) else {
                continue;
            };
            let choice = actual(set, choice, shaped.fonts().get(run.font_index));
            let spacing = runs.get(piece.run).map_or(0.0, |r| r.style.spacing);
            let k = choice.width;
            let mut x = 0.0;
            let mut glyphs = Vec::new();
            for g in slice.shaped_cluster_glyphs(i) {
                glyphs.push(Glyph {
                    id: g.id,
                    x: (x + f64::from(g.x)) * k,
                    y: f64::from(g.y),
                });
                x += f64::from(g.advance);
            }
            let blank = ch == '\t' || matches!(ch, '\u{2028}' | '\n' | '\u{B}');
            if blank {
                glyphs.clear();
            }
            out.push(Cluster {
                ch,
                run: piece.run,
                advance: if blank {
                    0.0
                } else {
                    f64::from(cluster.advance) * k + spacing
                },
                size: piece.size,
                choice,
                glyphs,
                break_before: cluster.is_soft_wrap_opportunity_before(),
                level: run.bidi_level.to_u8(),
            });
        }
    }
    out
}

/// The choice that the shaper made, which may differ from the one for the first character alone.
fn actual(set: &FontSet, choice: Choice, used: Option<&parley_engine::FontInstance>) -> Choice {
    let Some(used) = used else { return choice };
    let same = |i: usize| {
        set.faces().get(i).is_some_and(|f| {
            f.known.index == used.font.index
                && f.file
                    .bytes()
                    .is_some_and(|b| b.id() == used.font.data.id())
        })
    };
    if same(choice.face) {
        return choice;
    }
    (0..set.faces().len())
        .find(|i| same(*i))
        .map_or(choice, |face| Choice {
            face,
            width: 1.0,
            height: 1.0,
            embolden: false,
            slant: false,
        })
}

fn split(runs: &[Source<'_>], scale: f64) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    let mut left = MAX_CHARS;
    for (run, r) in runs.iter().enumerate() {
        for c in r.text.chars().take(left) {
            left -= 1;
            push(&mut out, run, r.style, c, scale);
        }
    }
    out
}

fn push(out: &mut Vec<Piece>, run: usize, style: &RunStyle, c: char, scale: f64) {
    let (font, c, symbol) = slot(style, c, out.last().map(|p| p.wanted.name.as_str()));
    let mut size = style.size * scale;
    if style.baseline != 0.0 {
        size *= 2.0 / 3.0;
    }
    let upper: Vec<char> = match style.caps {
        Caps::None => vec![c],
        Caps::All => c.to_uppercase().collect(),
        Caps::Small => {
            if c.is_lowercase() {
                size *= 0.8;
            }
            c.to_uppercase().collect()
        }
    };
    let east = East::from_lang(&style.lang).unwrap_or_default();
    let wanted = Wanted {
        name: font,
        bold: style.bold,
        italic: style.italic,
        east,
    };
    let size = size.clamp(0.1, 4_000.0);
    match out.last_mut() {
        Some(p) if p.run == run && p.size == size && p.wanted == wanted && p.symbol == symbol => {
            p.chars.extend(upper)
        }
        _ => out.push(Piece {
            run,
            size,
            chars: upper,
            wanted,
            symbol,
        }),
    }
}

/// The font slot of a character, and the character in Unicode.
fn slot(style: &RunStyle, c: char, before: Option<&str>) -> (String, char, bool) {
    let named = style
        .symbol
        .as_deref()
        .filter(|_| (0xF000..=0xF0FF).contains(&u32::from(c)))
        .unwrap_or(&style.latin);
    if let Some(u) = symbols::to_unicode(named, c) {
        return (
            if symbols::is_symbol_font(named) {
                named.to_owned()
            } else {
                "Wingdings".to_owned()
            },
            u,
            true,
        );
    }
    let or_latin = |s: &String| {
        if s.is_empty() {
            style.latin.clone()
        } else {
            s.clone()
        }
    };
    let name = if is_east_asian(c) {
        or_latin(&style.east)
    } else if is_complex(c) {
        or_latin(&style.complex)
    } else if c == ' ' || c == '\u{2028}' {
        // A space stays in the font of what came before within the same style, so that runs are not cut at every word.
        match before {
            Some(b) if b == style.east && !b.is_empty() => b.to_owned(),
            _ => style.latin.clone(),
        }
    } else {
        style.latin.clone()
    };
    (name, c, false)
}

struct Chooser<'a> {
    set: &'a FontSet,
    selector: &'a mut Selector,
    pieces: &'a [Piece],
}

static PLAIN: std::sync::OnceLock<Synthesis> = std::sync::OnceLock::new();

impl FontSelector for Chooser<'_> {
    fn select_font(
        &mut self,
        _: &Segment,
        _: &ShapeOptions<'_>,
        cluster: &mut CharCluster,
    ) -> Option<FontInstanceRef<'_>> {
        let first = cluster.chars().first()?;
        let piece = self.pieces.get(usize::from(first.style_index))?;
        let emoji = cluster.is_emoji() && u32::from(first.ch) > 0x2000;
        let choice = self
            .selector
            .choose(self.set, &piece.wanted, first.ch, emoji)?;
        let face = self.set.faces().get(choice.face)?;
        Some(FontInstanceRef {
            data: face.file.bytes()?,
            index: face.known.index,
            synthesis: PLAIN.get_or_init(Synthesis::default),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `|` wherever a line may begin.
    fn broken(text: &str) -> Option<String> {
        let Ok(set) = FontSet::debian() else {
            return None;
        };
        let mut engine = TextEngine::new(set);
        let style = RunStyle::default();
        let source = Source {
            text,
            style: &style,
        };
        let clusters = shape(&mut engine, &[source], 1.0, false);
        let mut out = String::new();
        for (i, c) in clusters.iter().enumerate() {
            if i > 0 && c.break_before {
                out.push('|');
            }
            out.push(c.ch);
        }
        Some(out)
    }

    #[test]
    fn east_asian_text_breaks_between_letters_but_not_before_closing_marks() {
        let Some(got) = broken("漢字、文「書」。") else {
            return;
        };
        assert_eq!(got, "漢|字、|文|「書」。");
    }

    #[test]
    fn korean_breaks_inside_words() {
        let Some(got) = broken("한국어") else {
            return;
        };
        assert_eq!(got, "한|국|어");
    }

    #[test]
    fn thai_breaks_between_words_without_spaces() {
        let Some(got) = broken("สวัสดีชาวโลก") else {
            return;
        };
        assert!(
            (1..6).contains(&got.matches('|').count()),
            "words of a dictionary, not letters: {got}"
        );
    }
}
