// SPDX-License-Identifier: MIT OR Apache-2.0
//! Picture fills: cropped, recoloured, brought down to the size they are drawn at, embedded once.

use std::sync::Arc;

use image::RgbaImage;
use image::imageops;

use crate::display::{Encoded, Group, Item, Paint, TilePaint};
use crate::geometry::{Affine, Path, Rect};
use crate::layout::Layouter;
use crate::metafile;
use crate::picture::decode::{self, Format};
use crate::picture::{encode, recolor};
use crate::tree::{PictureFill, PictureMode, Tile};
use crate::units::pt;

/// Most pixels of an embedded picture's side.
const MAX_SIDE: f64 = 2_560.0;

impl Layouter<'_> {
    /// The items of a picture stretched over an area.
    pub fn picture_items(&mut self, p: &PictureFill, area: Rect) -> Vec<Item> {
        if !(area.w > 0.0 && area.h > 0.0) {
            return Vec::new();
        }
        let packed = decode::unpacked(&p.source.bytes);
        let bytes = packed.as_deref().unwrap_or(&p.source.bytes);
        match decode::format(bytes) {
            Format::Emf | Format::Wmf => self.metafile_items(p, bytes, area),
            Format::Unknown => {
                self.notes.add(
                    "picture-format",
                    format!("{} is in no picture format that is drawn", p.source.part),
                );
                Vec::new()
            }
            kind => self.raster_items(p, bytes, kind, area),
        }
    }

    fn raster_items(
        &mut self,
        p: &PictureFill,
        bytes: &[u8],
        kind: Format,
        area: Rect,
    ) -> Vec<Item> {
        let full = uncropped(area, p.crop);
        let Some(seen) = full.common(&area) else {
            return Vec::new();
        };
        let Some(image) = self.embedded(p, bytes, kind, full, seen) else {
            return Vec::new();
        };
        vec![Item::Image {
            image,
            rect: seen,
            alpha: p.alpha,
        }]
    }

    fn embedded(
        &mut self,
        p: &PictureFill,
        bytes: &[u8],
        kind: Format,
        full: Rect,
        seen: Rect,
    ) -> Option<Arc<Encoded>> {
        let pixels = |v: f64| (v * self.scale).ceil().clamp(1.0, MAX_SIDE);
        let (tw, th) = (pixels(seen.w), pixels(seen.h));
        let key = format!("{}|{:?}|{:?}|{tw}|{th}", p.source.part, p.crop, p.recolor);
        if let Some(hit) = self.pictures.get(&key) {
            return Some(Arc::clone(hit));
        }
        let mut img = match kind {
            Format::Svg => decode::svg(bytes, pixels(full.w) as u32, pixels(full.h) as u32)?,
            _ => match decode::raster(bytes) {
                Ok(i) => i,
                Err(e) => {
                    self.notes.add(
                        "picture-damaged",
                        format!("{} cannot be decoded: {e}", p.source.part),
                    );
                    return None;
                }
            },
        };
        img = cut(img, full, seen)?;
        let shrunk = img.width() >= tw as u32 && img.height() >= th as u32;
        img = reduced(img, tw as u32, th as u32);
        recolor::apply(&mut img, &p.recolor);
        let out = Arc::new(encode::png(&img, shrunk)?);
        if self.pictures.len() > 200 {
            self.pictures.clear();
        }
        self.pictures.insert(key, Arc::clone(&out));
        Some(out)
    }

    fn metafile_items(&mut self, p: &PictureFill, bytes: &[u8], area: Rect) -> Vec<Item> {
        let Some(drawing) = metafile::play(bytes, self) else {
            self.notes
                .add("metafile", format!("{} cannot be played", p.source.part));
            return Vec::new();
        };
        let full = uncropped(area, p.crop);
        let b = drawing.bounds;
        if !(b.w > 0.0 && b.h > 0.0) {
            return Vec::new();
        }
        let map = Affine::translate(full.x, full.y)
            .then_inner(&Affine::scale(full.w / b.w, full.h / b.h))
            .then_inner(&Affine::translate(-b.x, -b.y));
        let inner = Item::mapped(map, drawing.items);
        let opacity = (p.alpha < 1.0).then_some(p.alpha);
        vec![Item::Group(Group {
            clip: Some(Path::rect(&area)),
            opacity,
            items: vec![inner],
            ..Group::default()
        })]
    }

    /// The paint of a tiled picture.
    pub fn picture_paint(&mut self, p: &PictureFill, b: Rect) -> Option<Paint> {
        let PictureMode::Tile(t) = p.mode else {
            // A stretched picture as a paint: one tile as large as the box.
            let items = self.picture_items(p, b);
            return (!items.is_empty()).then(|| {
                Paint::Tile(Arc::new(TilePaint {
                    rect: b,
                    map: Affine::IDENTITY,
                    items,
                }))
            });
        };
        let size = self.natural_size(p)?;
        let (w, h) = (size.0 * t.scale.0.abs(), size.1 * t.scale.1.abs());
        if !(w > 0.2 && h > 0.2) {
            return None;
        }
        Some(self.tile(p, b, t, w, h))
    }

    fn tile(&mut self, p: &PictureFill, b: Rect, t: Tile, w: f64, h: f64) -> Paint {
        let one = self.picture_items(p, Rect::new(0.0, 0.0, w, h));
        let (nx, ny) = (
            if t.flip.0 { 2.0 } else { 1.0 },
            if t.flip.1 { 2.0 } else { 1.0 },
        );
        let mut items = one.clone();
        if t.flip.0 {
            items.push(Item::mapped(
                Affine {
                    m: [-1.0, 0.0, 0.0, 1.0, 2.0 * w, 0.0],
                },
                one.clone(),
            ));
        }
        if t.flip.1 {
            let row = items.clone();
            items.push(Item::mapped(
                Affine {
                    m: [1.0, 0.0, 0.0, -1.0, 0.0, 2.0 * h],
                },
                row,
            ));
        }
        let x = b.x + (b.w - w) * t.align.0 + pt(t.offset.0);
        let y = b.y + (b.h - h) * t.align.1 + pt(t.offset.1);
        Paint::Tile(Arc::new(TilePaint {
            rect: Rect::new(0.0, 0.0, w * nx, h * ny),
            map: Affine::translate(x, y),
            items,
        }))
    }

    /// The picture's own size in points, by its resolution or 96 dots per inch.
    fn natural_size(&mut self, p: &PictureFill) -> Option<(f64, f64)> {
        let packed = decode::unpacked(&p.source.bytes);
        let bytes = packed.as_deref().unwrap_or(&p.source.bytes);
        match decode::format(bytes) {
            Format::Emf | Format::Wmf => metafile::play(bytes, self).map(|d| (d.size.0, d.size.1)),
            Format::Unknown => None,
            _ => {
                let reader = image::ImageReader::new(std::io::Cursor::new(bytes))
                    .with_guessed_format()
                    .ok()?;
                let (w, h) = reader.into_dimensions().ok()?;
                let dpi = dots_per_inch(bytes);
                Some((f64::from(w) * 72.0 / dpi, f64::from(h) * 72.0 / dpi))
            }
        }
    }
}

/// The resolution that a PNG or JPEG states; 96 when it states none.
fn dots_per_inch(bytes: &[u8]) -> f64 {
    let word = |at: usize| {
        bytes
            .get(at..at + 4)
            .and_then(|b| <[u8; 4]>::try_from(b).ok())
            .map(u32::from_be_bytes)
    };
    let dpi = if bytes.starts_with(b"\x89PNG") {
        let at = bytes
            .get(..bytes.len().min(4_096))
            .and_then(|h| h.windows(4).position(|w| w == b"pHYs"));
        at.and_then(|a| {
            (bytes.get(a + 12) == Some(&1))
                .then(|| word(a + 4))
                .flatten()
        })
        .map(|v| f64::from(v) * 0.0254)
    } else if bytes.get(6..10) == Some(b"JFIF") {
        let density = bytes
            .get(14..16)
            .and_then(|b| <[u8; 2]>::try_from(b).ok())
            .map(u16::from_be_bytes)
            .map(f64::from);
        match bytes.get(13) {
            Some(1) => density,
            Some(2) => density.map(|v| v * 2.54),
            _ => None,
        }
    } else {
        None
    };
    dpi.filter(|d| (10.0..=2_400.0).contains(d)).unwrap_or(96.0)
}

/// The area of the whole picture when `area` shows the cropped part.
fn uncropped(area: Rect, crop: [f64; 4]) -> Rect {
    let [l, t, r, b] = crop;
    let (kw, kh) = ((1.0 - l - r).max(0.001), (1.0 - t - b).max(0.001));
    let (w, h) = (area.w / kw, area.h / kh);
    Rect::new(area.x - w * l, area.y - h * t, w, h)
}

/// The pixels of `seen` out of a picture that covers `full`.
fn cut(img: RgbaImage, full: Rect, seen: Rect) -> Option<RgbaImage> {
    let (w, h) = (f64::from(img.width()), f64::from(img.height()));
    let x0 = ((seen.x - full.x) / full.w * w).round().clamp(0.0, w - 1.0);
    let y0 = ((seen.y - full.y) / full.h * h).round().clamp(0.0, h - 1.0);
    let x1 = ((seen.right() - full.x) / full.w * w)
        .round()
        .clamp(x0 + 1.0, w);
    let y1 = ((seen.bottom() - full.y) / full.h * h)
        .round()
        .clamp(y0 + 1.0, h);
    if x0 == 0.0 && y0 == 0.0 && x1 == w && y1 == h {
        return Some(img);
    }
    Some(
        imageops::crop_imm(
            &img,
            x0 as u32,
            y0 as u32,
            (x1 - x0) as u32,
            (y1 - y0) as u32,
        )
        .to_image(),
    )
}

/// Brought down to the size it is drawn at; never up.
fn reduced(img: RgbaImage, w: u32, h: u32) -> RgbaImage {
    let (w, h) = (w.min(img.width()), h.min(img.height()));
    if w == img.width() && h == img.height() {
        return img;
    }
    let premultiplied = premultiply(img);
    restore(imageops::thumbnail(&premultiplied, w, h))
}

fn premultiply(mut img: RgbaImage) -> RgbaImage {
    for p in img.pixels_mut().filter(|p| p.0[3] != 255) {
        let a = u32::from(p.0[3]);
        for c in p.0.iter_mut().take(3) {
            *c = ((u32::from(*c) * a + 127) / 255) as u8;
        }
    }
    img
}

fn restore(mut img: RgbaImage) -> RgbaImage {
    for p in img.pixels_mut().filter(|p| p.0[3] != 255 && p.0[3] != 0) {
        let a = u32::from(p.0[3]);
        for c in p.0.iter_mut().take(3) {
            *c = ((u32::from(*c) * 255 + a / 2) / a).min(255) as u8;
        }
    }
    img
}
