// SPDX-License-Identifier: MIT OR Apache-2.0
//! Glyph outlines as paths, and the bitmaps of colour glyphs.

use skrifa::bitmap::{BitmapData, Origin};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{GlyphId, MetadataProvider};

use super::face::Face;
use crate::geometry::{Affine, Path, Step};

struct Pen<'a> {
    path: &'a mut Path,
    map: Affine,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> (f64, f64) {
        self.map.apply(f64::from(x), f64::from(y))
    }
}

impl OutlinePen for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let p = self.at(x, y);
        self.path.steps.push(Step::Move(p.0, p.1));
    }
    fn line_to(&mut self, x: f32, y: f32) {
        let p = self.at(x, y);
        self.path.steps.push(Step::Line(p.0, p.1));
    }
    fn quad_to(&mut self, cx0: f32, cy0: f32, x: f32, y: f32) {
        let (c, p) = (self.at(cx0, cy0), self.at(x, y));
        self.path.steps.push(Step::Quad(c.0, c.1, p.0, p.1));
    }
    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        let (a, b, p) = (self.at(cx0, cy0), self.at(cx1, cy1), self.at(x, y));
        self.path
            .steps
            .push(Step::Cubic(a.0, a.1, b.0, b.1, p.0, p.1));
    }
    fn close(&mut self) {
        self.path.steps.push(Step::Close);
    }
}

/// Appends a glyph's outline; `map` takes font units of one em (y up) to the target. False when there is none.
pub fn append(path: &mut Path, face: &Face, glyph: u32, map: &Affine) -> bool {
    let Some(font) = face.font() else {
        return false;
    };
    let upem = f64::from(
        font.metrics(Size::unscaled(), LocationRef::default())
            .units_per_em
            .max(1),
    );
    let map = map.then_inner(&Affine::scale(1.0 / upem, 1.0 / upem));
    let Some(outline) = font.outline_glyphs().get(GlyphId::new(glyph)) else {
        return false;
    };
    let before = path.steps.len();
    let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
    let drawn = outline.draw(settings, &mut Pen { path, map }).is_ok();
    drawn && path.steps.len() > before
}

/// A colour glyph's bitmap: PNG bytes and its box in ems (y down, relative to the baseline).
#[derive(Debug, Clone)]
pub struct ColorGlyph {
    /// PNG bytes.
    pub png: Vec<u8>,
    /// Left, top, width, height in ems.
    pub rect: crate::geometry::Rect,
}

/// The bitmap of a colour glyph, when the face has one.
#[must_use]
pub fn color_glyph(face: &Face, glyph: u32) -> Option<ColorGlyph> {
    let font = face.font()?;
    let bitmap = font
        .bitmap_strikes()
        .glyph_for_size(Size::new(128.0), GlyphId::new(glyph))?;
    let BitmapData::Png(data) = bitmap.data else {
        return None;
    };
    let per = f64::from(bitmap.ppem_y).max(1.0);
    let (w, h) = (
        f64::from(bitmap.width) / per,
        f64::from(bitmap.height) / per,
    );
    let top = match bitmap.placement_origin {
        Origin::TopLeft => -f64::from(bitmap.inner_bearing_y) / per,
        Origin::BottomLeft => -f64::from(bitmap.inner_bearing_y) / per - h,
    };
    let left = f64::from(bitmap.inner_bearing_x) / per;
    Some(ColorGlyph {
        png: data.to_vec(),
        rect: crate::geometry::Rect::new(left, top, w, h),
    })
}
