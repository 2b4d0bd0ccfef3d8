// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain tree that `resolve` makes: every inheritance settled, lengths in EMU, no XML left.
//!
//! Layout reads this and nothing else. Whatever a shape took from its theme, master, layout or list style is written
//! out here.

use std::sync::Arc;

use encoding_rs::Encoding;

use crate::chart::model::Chart;
use crate::color::Color;
use crate::geometry::preset::ShapePath;
use crate::geometry::{Affine, Rect};
use crate::text::model::TextBody;

/// One slide, ready for layout.
#[derive(Debug, Clone)]
pub struct Slide {
    /// Width and height in EMU.
    pub size: (f64, f64),
    /// What covers the whole slide first.
    pub background: Fill,
    /// What is drawn, from back to front.
    pub nodes: Vec<Node>,
    /// The code page of the machine that made it, as far as its languages tell.
    pub local: &'static Encoding,
}

/// Where something is, in its parent's coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Frame {
    /// The box before rotation.
    pub rect: Rect,
    /// Clockwise rotation about the centre in degrees.
    pub rot: f64,
    /// Mirrored left to right.
    pub flip_h: bool,
    /// Mirrored top to bottom.
    pub flip_v: bool,
}

impl Frame {
    /// Maps the frame's own coordinates (0..w, 0..h) to the parent's.
    #[must_use]
    pub fn map(&self) -> Affine {
        let r = self.rect;
        let (cx, cy) = (r.w / 2.0, r.h / 2.0);
        let sign = |f| if f { -1.0 } else { 1.0 };
        Affine::translate(r.x + cx, r.y + cy)
            .then_inner(&Affine::rotate(self.rot))
            .then_inner(&Affine::scale(sign(self.flip_h), sign(self.flip_v)))
            .then_inner(&Affine::translate(-cx, -cy))
    }
}

/// Something drawn.
#[derive(Debug, Clone)]
pub enum Node {
    /// An outline with fill, line, effects and text; pictures too.
    Shape(Box<Shape>),
    /// Several nodes that move as one.
    Group(Box<Group>),
    /// A table.
    Table(Box<Table>),
    /// A chart.
    Chart(Box<ChartFrame>),
}

/// A shape or picture.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Where it is.
    pub frame: Frame,
    /// Its outlines in the frame's own coordinates.
    pub paths: Vec<ShapePath>,
    /// Where its text goes, in the frame's own coordinates.
    pub text_rect: Rect,
    /// A frame of its own for the text, in the parent's coordinates; its rotation counts alone.
    pub text_frame: Option<Frame>,
    /// The fill of its outlines.
    pub fill: Fill,
    /// The line along its outlines.
    pub line: Option<Line>,
    /// Effects around the whole.
    pub effects: Effects,
    /// Its text.
    pub text: Option<TextBody>,
}

/// A group; the children's frames are in the group's own coordinates (0..w, 0..h).
#[derive(Debug, Clone)]
pub struct Group {
    /// Where it is.
    pub frame: Frame,
    /// What is in it.
    pub children: Vec<Node>,
    /// Effects around the whole.
    pub effects: Effects,
}

/// A fill.
#[derive(Debug, Clone, Default)]
pub enum Fill {
    /// Nothing.
    #[default]
    None,
    /// One colour.
    Solid(Color),
    /// A gradient.
    Gradient(Gradient),
    /// A two-colour pattern.
    Pattern(Pattern),
    /// A picture.
    Picture(PictureFill),
}

impl Fill {
    /// Whether nothing is filled.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
    /// One colour that stands for the fill.
    #[must_use]
    pub fn plain(&self) -> Option<Color> {
        match self {
            Self::None | Self::Picture(_) => None,
            Self::Solid(c) => Some(*c),
            Self::Gradient(g) => g.stops.first().map(|s| s.1),
            Self::Pattern(p) => Some(p.fore),
        }
    }
}

/// A gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    /// Position from 0 to 1 and colour, ordered by position.
    pub stops: Vec<(f64, Color)>,
    /// Its geometry.
    pub kind: GradientKind,
    /// Whether it turns with the shape.
    pub rot_with_shape: bool,
}

/// The geometry of a gradient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GradientKind {
    /// Along a direction: clockwise degrees, and whether the angle scales with the box.
    Linear(f64, bool),
    /// From a rectangle (left, top, right, bottom insets as fractions) outwards in circles.
    Circle([f64; 4]),
    /// From a rectangle outwards in rectangles.
    Rect([f64; 4]),
}

/// A preset pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Pattern {
    /// ST_PresetPatternVal.
    pub preset: String,
    /// Colour of the set pixels.
    pub fore: Color,
    /// Colour of the others.
    pub back: Color,
}

/// A picture as a fill.
#[derive(Debug, Clone)]
pub struct PictureFill {
    /// The picture, decoded when it is drawn.
    pub source: Arc<PictureSource>,
    /// Crop insets as fractions (left, top, right, bottom); negative ones add room.
    pub crop: [f64; 4],
    /// How it covers the box.
    pub mode: PictureMode,
    /// Opacity.
    pub alpha: f64,
    /// Changes to its colours, in order.
    pub recolor: Vec<Recolor>,
}

/// The bytes of a picture and what they are.
#[derive(Debug, PartialEq, Eq)]
pub struct PictureSource {
    /// The part's name in the package.
    pub part: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// How a picture covers a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PictureMode {
    /// Stretched over the box less these insets (fractions: left, top, right, bottom).
    Stretch([f64; 4]),
    /// Repeated.
    Tile(Tile),
}

/// A repeated picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// Scale of width and height.
    pub scale: (f64, f64),
    /// Shift in EMU.
    pub offset: (f64, f64),
    /// Every second tile mirrored left to right, top to bottom.
    pub flip: (bool, bool),
    /// Where the first tile sits: fractions of the room left over.
    pub align: (f64, f64),
}

/// A change to a picture's colours.
#[derive(Debug, Clone, PartialEq)]
pub enum Recolor {
    /// Grey.
    Gray,
    /// Black or white around a threshold from 0 to 1.
    BiLevel(f64),
    /// Dark to light mapped onto two colours.
    Duotone(Color, Color),
    /// Brightness and contrast from -1 to 1.
    Lum(f64, f64),
    /// One colour becomes another.
    Change(Color, Color),
    /// Everything becomes one colour, alpha kept.
    Flat(Color),
}

/// A line.
#[derive(Debug, Clone)]
pub struct Line {
    /// Width in EMU; 0 is the thinnest line that can be drawn.
    pub width: f64,
    /// Its paint.
    pub fill: Fill,
    /// Dashes and gaps in multiples of the width; empty is solid.
    pub dash: Vec<f64>,
    /// Shape of the ends.
    pub cap: Cap,
    /// Shape of the corners.
    pub join: Join,
    /// Parallel lines.
    pub compound: Compound,
    /// Arrow at the start.
    pub head: Option<Arrow>,
    /// Arrow at the end.
    pub tail: Option<Arrow>,
}

/// Shape of line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cap {
    /// Cut at the end.
    #[default]
    Flat,
    /// Half a disc.
    Round,
    /// Half a square.
    Square,
}

/// Shape of corners.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Join {
    /// Rounded.
    #[default]
    Round,
    /// Cut.
    Bevel,
    /// Pointed.
    Miter,
}

/// Parallel lines within the width of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compound {
    /// One.
    #[default]
    Single,
    /// Two of the same width.
    Double,
    /// Thick, then thin.
    ThickThin,
    /// Thin, then thick.
    ThinThick,
    /// Three.
    Triple,
}

/// An arrow head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrow {
    /// Its form.
    pub kind: ArrowKind,
    /// Width: 2, 3 or 5 line widths.
    pub width: u8,
    /// Length: 2, 3 or 5 line widths.
    pub length: u8,
}

/// Forms of arrow heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrowKind {
    /// A filled triangle.
    Triangle,
    /// A triangle with a notch.
    Stealth,
    /// A diamond.
    Diamond,
    /// An ellipse.
    Oval,
    /// Two strokes.
    Open,
}

/// Effects around a shape, a picture or a group.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// A shadow behind.
    pub shadow: Option<Shadow>,
    /// A shadow inside.
    pub inner_shadow: Option<Shadow>,
    /// A glow: radius in EMU and colour.
    pub glow: Option<(f64, Color)>,
    /// Softened edges: radius in EMU.
    pub soft_edge: Option<f64>,
    /// A mirror image below.
    pub reflection: Option<Reflection>,
    /// Blur of the whole: radius in EMU.
    pub blur: Option<f64>,
    /// A fill over that of the shape.
    pub overlay: Option<Overlay>,
}

impl Effects {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A fill over another one. Clones are equal, and nothing else is.
#[derive(Debug, Clone)]
pub struct Overlay {
    /// The fill.
    pub fill: Arc<Fill>,
    /// How its colours and those below make one.
    pub blend: Blend,
}

impl PartialEq for Overlay {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.fill, &other.fill) && self.blend == other.blend
    }
}

/// How two colours make one (ISO/IEC 29500-1 20.1.10.11, as the CSS modes of nearly the same names).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    /// The upper one covers.
    Over,
    /// Their product.
    Multiply,
    /// The product of what they lack.
    Screen,
    /// The darker one, channel by channel.
    Darken,
    /// The lighter one, channel by channel.
    Lighten,
}

/// A shadow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shadow {
    /// Colour with alpha.
    pub color: Color,
    /// Blur radius in EMU.
    pub blur: f64,
    /// Distance in EMU.
    pub dist: f64,
    /// Direction, clockwise degrees from the right.
    pub dir: f64,
    /// Scale of width and height.
    pub scale: (f64, f64),
    /// Skew in degrees.
    pub skew: (f64, f64),
    /// The point that stays put when scaled: fractions of the box.
    pub anchor: (f64, f64),
    /// Whether it turns with the shape.
    pub rot_with_shape: bool,
}

/// A mirror image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reflection {
    /// Blur radius in EMU.
    pub blur: f64,
    /// Opacity where it starts and where it ends.
    pub alpha: (f64, f64),
    /// Where along the height, from 0 to 1, those opacities hold.
    pub pos: (f64, f64),
    /// Distance in EMU.
    pub dist: f64,
    /// Scale of the height; negative mirrors.
    pub scale_y: f64,
}

/// A chart in its frame.
#[derive(Debug, Clone)]
pub struct ChartFrame {
    /// Where it is.
    pub frame: Frame,
    /// The chart.
    pub chart: Chart,
}

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Where it is; the height grows with the rows.
    pub frame: Frame,
    /// Column widths in EMU.
    pub columns: Vec<f64>,
    /// Rows.
    pub rows: Vec<TableRow>,
    /// The fill behind all cells.
    pub background: Fill,
    /// Effects around the whole.
    pub effects: Effects,
}

/// A table row.
#[derive(Debug, Clone)]
pub struct TableRow {
    /// The least height in EMU.
    pub height: f64,
    /// Cells, one per column.
    pub cells: Vec<TableCell>,
}

/// A table cell.
#[derive(Debug, Clone, Default)]
pub struct TableCell {
    /// Columns covered.
    pub col_span: usize,
    /// Rows covered.
    pub row_span: usize,
    /// Covered by another cell.
    pub merged: bool,
    /// Fill.
    pub fill: Fill,
    /// Lines: left, right, top, bottom.
    pub borders: [Option<Line>; 4],
    /// Diagonals: top left to bottom right, bottom left to top right.
    pub diagonals: [Option<Line>; 2],
    /// Its text, with the cell's margins as insets.
    pub text: Option<TextBody>,
}
