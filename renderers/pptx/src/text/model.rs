// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text with every property settled. Sizes and spacings are in points, insets and margins in EMU.

use crate::color::Color;
use crate::tree::{Effects, Fill, Line};

/// The text of a shape or cell.
#[derive(Debug, Clone)]
pub struct TextBody {
    /// Insets: left, top, right, bottom, in EMU.
    pub insets: [f64; 4],
    /// Vertical anchor.
    pub anchor: Anchor,
    /// Whether the block of text is centred as a whole.
    pub anchor_center: bool,
    /// Whether lines wrap at the box.
    pub wrap: bool,
    /// Direction of the text.
    pub vertical: Vertical,
    /// Extra rotation of the text in degrees.
    pub rot: f64,
    /// Whether the text stays upright when the shape turns.
    pub upright: bool,
    /// Number of columns.
    pub columns: usize,
    /// Gap between columns in EMU.
    pub column_gap: f64,
    /// How the text is made to fit.
    pub fit: Fit,
    /// The warp that bends the text.
    pub warp: Option<Warp>,
    /// Paragraphs.
    pub paragraphs: Vec<Paragraph>,
}

impl Default for TextBody {
    fn default() -> Self {
        Self {
            insets: [91_440.0, 45_720.0, 91_440.0, 45_720.0],
            anchor: Anchor::Top,
            anchor_center: false,
            wrap: true,
            vertical: Vertical::Horizontal,
            rot: 0.0,
            upright: false,
            columns: 1,
            column_gap: 0.0,
            fit: Fit::None,
            warp: None,
            paragraphs: Vec::new(),
        }
    }
}

impl TextBody {
    /// Whether nothing would be drawn.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.paragraphs
            .iter()
            .all(|p| p.runs.iter().all(|r| r.text.trim().is_empty()))
    }
}

/// A text warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warp {
    /// Its name in ST_TextShapeType.
    pub name: String,
    /// Adjust values: name and formula.
    pub adjusts: Vec<(String, String)>,
}

/// Vertical anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Anchor {
    /// At the top.
    #[default]
    Top,
    /// In the middle.
    Middle,
    /// At the bottom.
    Bottom,
}

/// Direction of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vertical {
    /// Ordinary.
    #[default]
    Horizontal,
    /// Turned a quarter clockwise.
    Clockwise,
    /// Turned a quarter counter-clockwise.
    CounterClockwise,
    /// Turned clockwise, East Asian characters upright.
    EastAsian,
    /// One letter below the other.
    Stacked,
}

/// How text is made to fit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Fit {
    /// Not at all.
    #[default]
    None,
    /// By the stored font scale and line spacing reduction (fractions).
    Stored(f64, f64),
    /// By a scale that has to be found.
    Shrink,
    /// The shape was made to fit the text.
    Resize,
}

/// A paragraph.
#[derive(Debug, Clone)]
pub struct Paragraph {
    /// Alignment.
    pub align: Align,
    /// Left margin in EMU.
    pub margin_left: f64,
    /// Right margin in EMU.
    pub margin_right: f64,
    /// First-line indent in EMU, relative to the left margin.
    pub indent: f64,
    /// Space before.
    pub before: Spacing,
    /// Space after.
    pub after: Spacing,
    /// Line spacing.
    pub line: Spacing,
    /// Tab stops: position in EMU from the box, kind.
    pub tabs: Vec<(f64, TabKind)>,
    /// Distance of default tab stops in EMU.
    pub default_tab: f64,
    /// Right to left.
    pub rtl: bool,
    /// Bullet or number.
    pub bullet: Option<Bullet>,
    /// Runs.
    pub runs: Vec<Run>,
    /// Style of the paragraph's end mark.
    pub end: RunStyle,
}

impl Default for Paragraph {
    fn default() -> Self {
        Self {
            align: Align::Left,
            margin_left: 0.0,
            margin_right: 0.0,
            indent: 0.0,
            before: Spacing::Points(0.0),
            after: Spacing::Points(0.0),
            line: Spacing::Percent(1.0),
            tabs: Vec::new(),
            default_tab: 914_400.0,
            rtl: false,
            bullet: None,
            runs: Vec::new(),
            end: RunStyle::default(),
        }
    }
}

/// Alignment of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// Left.
    #[default]
    Left,
    /// Centre.
    Center,
    /// Right.
    Right,
    /// Both edges, save the last line.
    Justify,
    /// Both edges, every line, between all letters.
    Distribute,
}

/// A spacing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spacing {
    /// Fraction of the line.
    Percent(f64),
    /// Points.
    Points(f64),
}

/// Kind of tab stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TabKind {
    /// Text starts here.
    #[default]
    Left,
    /// Text is centred here.
    Center,
    /// Text ends here.
    Right,
    /// The decimal sign is here.
    Decimal,
}

/// A bullet.
#[derive(Debug, Clone)]
pub struct Bullet {
    /// Its characters.
    pub text: String,
    /// Its style: size and colour are already its own.
    pub style: RunStyle,
    /// Size relative to the first run's text, when given in percent.
    pub size: Spacing,
}

/// A run of one style.
#[derive(Debug, Clone)]
pub struct Run {
    /// Text; `\u{2028}` is a line break, `\t` a tab.
    pub text: String,
    /// Style.
    pub style: RunStyle,
}

/// The style of a run.
#[derive(Debug, Clone)]
pub struct RunStyle {
    /// Size in points.
    pub size: f64,
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// Underline.
    pub underline: Underline,
    /// Colour of the underline when it is not the text's.
    pub underline_color: Option<Color>,
    /// Number of strike-through lines.
    pub strike: u8,
    /// Capitals.
    pub caps: Caps,
    /// Extra space after each glyph in points.
    pub spacing: f64,
    /// Raised (positive) or lowered by this fraction of the size.
    pub baseline: f64,
    /// Kerning from this size on; `None` is never.
    pub kern: Option<f64>,
    /// Fill of the glyphs.
    pub fill: Fill,
    /// Line around the glyphs.
    pub line: Option<Line>,
    /// Colour behind the text.
    pub highlight: Option<Color>,
    /// Font for Latin and everything else.
    pub latin: String,
    /// Font for East Asian characters.
    pub east: String,
    /// Font for complex scripts.
    pub complex: String,
    /// Font for symbols.
    pub symbol: Option<String>,
    /// Language tag.
    pub lang: String,
    /// Effects on the glyphs.
    pub effects: Effects,
}

impl Default for RunStyle {
    fn default() -> Self {
        Self {
            size: 18.0,
            bold: false,
            italic: false,
            underline: Underline::None,
            underline_color: None,
            strike: 0,
            caps: Caps::None,
            spacing: 0.0,
            baseline: 0.0,
            kern: None,
            fill: Fill::Solid(Color::BLACK),
            line: None,
            highlight: None,
            latin: "Calibri".to_owned(),
            east: String::new(),
            complex: String::new(),
            symbol: None,
            lang: String::new(),
            effects: Effects::default(),
        }
    }
}

/// Underlines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Underline {
    /// None.
    #[default]
    None,
    /// One line.
    Single,
    /// Two lines.
    Double,
    /// One thick line.
    Heavy,
    /// Dots.
    Dotted,
    /// Dashes.
    Dashed,
    /// A wave.
    Wavy,
}

/// Capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Caps {
    /// As written.
    #[default]
    None,
    /// Small letters as small capitals.
    Small,
    /// All capitals.
    All,
}
