// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device context: coordinates, pens, brushes, fonts, and the items that drawing calls make.

use std::sync::Arc;

use super::code_page;
use crate::color::Color;
use crate::display::{Encoded, Group, Item, Paint, Stroke};
use crate::geometry::{Affine, Path, Rect, Step, arc};
use crate::layout::Layouter;
use crate::text::model::{Align, RunStyle, Underline};
use crate::text::place::{Scale, flow};
use crate::tree::{Cap, Fill, Join};

/// Most items of one metafile.
const MAX_ITEMS: usize = 200_000;

/// An object of the object table.
#[derive(Debug, Clone)]
pub enum Object {
    /// A pen: colour (none is the null pen), width, dashes in widths.
    Pen(Option<Color>, f64, Vec<f64>),
    /// A brush; none is the null brush.
    Brush(Option<Color>),
    /// A font.
    Font(Font),
    /// Something that is not drawn with.
    Other,
}

/// A font.
#[derive(Debug, Clone, PartialEq)]
pub struct Font {
    /// Height in logical units: negative is the em, positive the cell.
    pub height: f64,
    /// Turn in tenths of a degree, counter-clockwise.
    pub turn: f64,
    /// Weight.
    pub weight: u32,
    /// Italic.
    pub italic: bool,
    /// Underline.
    pub underline: bool,
    /// Strike-through.
    pub strike: bool,
    /// Character set of texts in bytes.
    pub charset: u8,
    /// Name.
    pub name: String,
}

#[derive(Debug, Clone)]
struct State {
    world: Affine,
    window: (f64, f64, f64, f64),
    view: (f64, f64, f64, f64),
    mode: u32,
    pen: (Option<Color>, f64, Vec<f64>),
    brush: Option<Color>,
    font: Font,
    text_color: Color,
    back: Color,
    opaque: bool,
    align: u32,
    winding: bool,
    at: (f64, f64),
    clip: Option<Path>,
}

/// A device context over items.
#[derive(Debug)]
pub struct Gdi {
    state: State,
    stack: Vec<State>,
    objects: std::collections::BTreeMap<u32, Object>,
    path: Option<Path>,
    done: Path,
    /// What was drawn so far, in device units.
    pub items: Vec<Item>,
}

impl Default for Gdi {
    fn default() -> Self {
        let font = Font {
            height: -12.0,
            turn: 0.0,
            weight: 400,
            italic: false,
            underline: false,
            strike: false,
            charset: 0,
            name: "Arial".to_owned(),
        };
        let state = State {
            world: Affine::IDENTITY,
            window: (0.0, 0.0, 1.0, 1.0),
            view: (0.0, 0.0, 1.0, 1.0),
            mode: 1,
            pen: (Some(Color::BLACK), 0.0, Vec::new()),
            brush: Some(Color::WHITE),
            font,
            text_color: Color::BLACK,
            back: Color::WHITE,
            opaque: true,
            align: 0,
            winding: false,
            at: (0.0, 0.0),
            clip: None,
        };
        Self {
            state,
            stack: Vec::new(),
            objects: Default::default(),
            path: None,
            done: Path::default(),
            items: Vec::new(),
        }
    }
}

/// A COLORREF.
#[must_use]
pub fn color(v: u32) -> Color {
    Color::hex((v & 0xFF) << 16 | v & 0xFF00 | (v >> 16) & 0xFF)
}

impl Gdi {
    /// Window origin, extent, viewport origin, extent: `None` keeps.
    pub fn window_org(&mut self, x: f64, y: f64) {
        (self.state.window.0, self.state.window.1) = (x, y);
    }
    /// Window extent.
    pub fn window_ext(&mut self, w: f64, h: f64) {
        (self.state.window.2, self.state.window.3) = (
            if w == 0.0 { 1.0 } else { w },
            if h == 0.0 { 1.0 } else { h },
        );
    }
    /// Viewport origin.
    pub fn view_org(&mut self, x: f64, y: f64) {
        (self.state.view.0, self.state.view.1) = (x, y);
    }
    /// Viewport extent.
    pub fn view_ext(&mut self, w: f64, h: f64) {
        (self.state.view.2, self.state.view.3) = (w, h);
    }
    /// Mapping mode.
    pub fn map_mode(&mut self, m: u32) {
        self.state.mode = m;
    }
    /// World transform.
    pub fn world(&mut self, m: Affine) {
        self.state.world = m;
    }
    /// Changes the world transform: 1 resets, 2 before, 3 after, 4 sets.
    pub fn modify_world(&mut self, m: Affine, how: u32) {
        self.state.world = match how {
            1 => Affine::IDENTITY,
            2 => self.state.world.then_inner(&m),
            3 => m.then_inner(&self.state.world),
            _ => m,
        };
    }
    /// Saves the state.
    pub fn save(&mut self) {
        if self.stack.len() < 256 {
            self.stack.push(self.state.clone());
        }
    }
    /// Restores a saved state; negative counts back.
    pub fn restore(&mut self, n: i32) {
        let keep = if n < 0 {
            self.stack.len().saturating_sub(n.unsigned_abs() as usize)
        } else {
            (n as usize).saturating_sub(1)
        };
        if let Some(s) = self.stack.get(keep) {
            self.state = s.clone();
            self.stack.truncate(keep);
        }
    }
    /// Text colour.
    pub fn text_color(&mut self, c: Color) {
        self.state.text_color = c;
    }
    /// Background colour.
    pub fn back_color(&mut self, c: Color) {
        self.state.back = c;
    }
    /// Background mode: 1 is transparent.
    pub fn back_mode(&mut self, m: u32) {
        self.state.opaque = m != 1;
    }
    /// Text alignment.
    pub fn text_align(&mut self, a: u32) {
        self.state.align = a;
    }
    /// Fill rule: 2 is winding.
    pub fn fill_mode(&mut self, m: u32) {
        self.state.winding = m == 2;
    }
    /// Puts an object into the table.
    pub fn create(&mut self, index: u32, o: Object) {
        if self.objects.len() < 65_536 {
            self.objects.insert(index, o);
        }
    }
    /// Puts an object into the first free place.
    pub fn create_free(&mut self, o: Object) {
        let free = (0..65_536).find(|i| !self.objects.contains_key(i));
        if let Some(i) = free {
            self.objects.insert(i, o);
        }
    }
    /// Takes an object out.
    pub fn delete(&mut self, index: u32) {
        self.objects.remove(&index);
    }
    /// Selects an object or a stock object.
    pub fn select(&mut self, index: u32) {
        let grey = |v: u8| Some(color(u32::from(v) * 0x0001_0101));
        let stock = match index {
            0x8000_0000 => Object::Brush(grey(255)),
            0x8000_0001 => Object::Brush(grey(192)),
            0x8000_0002 => Object::Brush(grey(128)),
            0x8000_0003 => Object::Brush(grey(64)),
            0x8000_0004 => Object::Brush(grey(0)),
            0x8000_0005 => Object::Brush(None),
            0x8000_0006 => Object::Pen(grey(255), 0.0, Vec::new()),
            0x8000_0007 => Object::Pen(grey(0), 0.0, Vec::new()),
            0x8000_0008 => Object::Pen(None, 0.0, Vec::new()),
            i => self.objects.get(&i).cloned().unwrap_or(Object::Other),
        };
        match stock {
            Object::Pen(c, w, d) => self.state.pen = (c, w, d),
            Object::Brush(c) => self.state.brush = c,
            Object::Font(f) => self.state.font = f,
            Object::Other => {}
        }
    }

    fn map(&self) -> Affine {
        let s = &self.state;
        let page = match s.mode {
            1 => Affine::translate(s.view.0 - s.window.0, s.view.1 - s.window.1),
            7 | 8 => {
                let (kx, ky) = (s.view.2 / s.window.2, s.view.3 / s.window.3);
                Affine::translate(s.view.0, s.view.1)
                    .then_inner(&Affine::scale(kx, ky))
                    .then_inner(&Affine::translate(-s.window.0, -s.window.1))
            }
            m => {
                // Metric modes: y goes up; one unit in pixels of 96 per inch.
                let unit = match m {
                    2 => 96.0 / 254.0,
                    3 => 96.0 / 2_540.0,
                    4 => 0.96,
                    5 => 0.096,
                    _ => 96.0 / 1_440.0,
                };
                Affine::translate(s.view.0, s.view.1)
                    .then_inner(&Affine::scale(unit, -unit))
                    .then_inner(&Affine::translate(-s.window.0, -s.window.1))
            }
        };
        page.then_inner(&s.world)
    }

    fn factor(&self) -> f64 {
        let [a, b, c, d, ..] = self.map().m;
        (a * d - b * c).abs().sqrt()
    }

    fn stroke(&self) -> Option<Stroke> {
        let (c, w, dash) = &self.state.pen;
        let width = (w * self.factor()).max(1.0);
        let dash = dash.iter().map(|d| d * width).collect();
        c.map(|c| Stroke {
            paint: Paint::Solid(c),
            width,
            dash,
            cap: Cap::Round,
            join: Join::Round,
        })
    }

    fn push(&mut self, item: Item) {
        if self.items.len() >= MAX_ITEMS {
            return;
        }
        match &self.state.clip {
            Some(c) => self.items.push(Item::Group(Group {
                clip: Some(c.clone()),
                items: vec![item],
                ..Group::default()
            })),
            None => self.items.push(item),
        }
    }

    /// Draws or records a path in logical coordinates.
    pub fn shape(&mut self, path: &Path, filled: bool) {
        let path = path.mapped(&self.map());
        if let Some(open) = &mut self.path {
            if open.steps.len() < 1_000_000 {
                open.steps.extend(path.steps);
            }
            return;
        }
        let (fill, stroke) = (
            if filled {
                self.state.brush.map(Paint::Solid)
            } else {
                None
            },
            self.stroke(),
        );
        self.push(Item::Path {
            path,
            fill,
            stroke,
            even_odd: !self.state.winding,
        });
    }

    /// Moves the current position.
    pub fn move_to(&mut self, x: f64, y: f64) {
        self.state.at = (x, y);
        let p = self.map().apply(x, y);
        if let Some(path) = &mut self.path {
            path.steps.push(Step::Move(p.0, p.1));
        }
    }

    /// Draws on from the current position: straight lines or Bézier curves.
    pub fn on_to(&mut self, points: &[(f64, f64)], curved: bool) {
        let Some(last) = points.last().copied() else {
            return;
        };
        let mut p = Path::default();
        if self
            .path
            .as_ref()
            .is_none_or(|p| p.steps.is_empty() || matches!(p.steps.last(), Some(Step::Close)))
        {
            p.steps.push(Step::Move(self.state.at.0, self.state.at.1));
        }
        if curved {
            for c in points.chunks_exact(3) {
                if let [a, b, e] = c {
                    p.steps.push(Step::Cubic(a.0, a.1, b.0, b.1, e.0, e.1));
                }
            }
        } else {
            p.steps.extend(points.iter().map(|q| Step::Line(q.0, q.1)));
        }
        self.state.at = last;
        self.shape(&p, false);
    }

    /// An arc, chord or pie in a box between two rays, counter-clockwise. `kind`: 0 arc, 1 chord, 2 pie.
    pub fn arc(&mut self, r: Rect, from: (f64, f64), to: (f64, f64), kind: u8) {
        let (cx, cy) = r.centre();
        let angle = |p: (f64, f64)| (p.1 - cy).atan2(p.0 - cx).to_degrees();
        let (a, b) = (angle(from), angle(to));
        let mut swing = (b - a) % 360.0;
        if swing >= 0.0 {
            swing -= 360.0;
        }
        let (rx, ry) = (r.w / 2.0, r.h / 2.0);
        let t = (rx * a.to_radians().sin()).atan2(ry * a.to_radians().cos());
        let start = (cx + rx * t.cos(), cy + ry * t.sin());
        let mut p = Path::default();
        if kind == 2 {
            p.steps.push(Step::Move(cx, cy));
            p.steps.push(Step::Line(start.0, start.1));
        } else {
            p.steps.push(Step::Move(start.0, start.1));
        }
        arc::append(&mut p, start, rx, ry, a, swing);
        if kind > 0 {
            p.steps.push(Step::Close);
        }
        self.shape(&p, kind > 0);
    }

    /// Begins a path.
    pub fn begin_path(&mut self) {
        self.path = Some(Path::default());
    }
    /// Ends the path.
    pub fn end_path(&mut self) {
        self.done = self.path.take().unwrap_or_default();
    }
    /// Closes the figure.
    pub fn close_figure(&mut self) {
        if let Some(p) = &mut self.path {
            p.steps.push(Step::Close);
        }
    }
    /// Draws the ended path.
    pub fn draw_path(&mut self, fill: bool, line: bool) {
        let path = std::mem::take(&mut self.done);
        let paint = if fill {
            self.state.brush.map(Paint::Solid)
        } else {
            None
        };
        let stroke = if line { self.stroke() } else { None };
        let even_odd = !self.state.winding;
        self.push(Item::Path {
            path,
            fill: paint,
            stroke,
            even_odd,
        });
    }
    /// Makes the ended path the clip.
    pub fn clip_path(&mut self) {
        self.state.clip = Some(std::mem::take(&mut self.done));
    }
    /// Makes a box the clip, in logical coordinates.
    pub fn clip_box(&mut self, r: Rect) {
        self.state.clip = Some(Path::rect(&r).mapped(&self.map()));
    }
    /// Makes boxes in device coordinates the clip; none lifts it.
    pub fn clip_device(&mut self, boxes: &[Rect]) {
        self.state.clip = (!boxes.is_empty()).then(|| Path {
            steps: boxes.iter().flat_map(|b| Path::rect(b).steps).collect(),
        });
    }

    /// Draws a bitmap into a box of logical coordinates; a negative extent mirrors it.
    pub fn bitmap(&mut self, image: Arc<Encoded>, r: Rect) {
        let map = self.map();
        let rect = Rect::new(0.0, 0.0, r.w.abs(), r.h.abs());
        let [a, b, c, d, ..] = map.m;
        if rect.w <= 0.0 || rect.h <= 0.0 || a * d - b * c == 0.0 {
            return;
        }
        let to = Affine::translate(r.x, r.y).then_inner(&Affine::scale(r.w.signum(), r.h.signum()));
        let item = Item::Image {
            image,
            rect,
            alpha: 1.0,
        };
        self.push(Item::mapped(map.then_inner(&to), vec![item]));
    }

    /// A raster operation without a bitmap: black, white, or the brush; others are passed over.
    pub fn blot(&mut self, op: u32, r: Rect) {
        match op {
            0x0042 => self.fill_box(r, Some(Color::BLACK)),
            0x00FF_0062 => self.fill_box(r, Some(Color::WHITE)),
            0x00F0_0021 => self.fill_box(r, None),
            _ => {}
        }
    }

    /// Fills a box with the brush.
    fn fill_box(&mut self, r: Rect, c: Option<Color>) {
        if let Some(c) = c.or(self.state.brush) {
            let path = Path::rect(&r).mapped(&self.map());
            self.push(Item::filled(path, Paint::Solid(c)));
        }
    }

    /// Text in bytes by the font's character set.
    pub fn ansi(&self, bytes: &[u8], l: &Layouter<'_>) -> String {
        let font = &self.state.font;
        code_page::decode(bytes, font.charset, &font.name, l.local)
    }

    /// Draws text at a point; `dx` is the width that the file gives it, in logical units.
    pub fn text(&mut self, l: &mut Layouter<'_>, s: &str, at: (f64, f64), dx: Option<f64>) {
        let s: String = s.chars().filter(|c| !c.is_control()).collect();
        let at = if self.state.align & 1 == 1 {
            self.state.at
        } else {
            at
        };
        if s.is_empty() {
            return;
        }
        let f = self.state.font.clone();
        let k = self.factor();
        let size = if f.height < 0.0 {
            -f.height
        } else if f.height > 0.0 {
            f.height / 1.17
        } else {
            12.0
        } * k;
        let mut style = RunStyle {
            size: size.clamp(0.5, 4_000.0),
            bold: f.weight >= 600,
            italic: f.italic,
            latin: f.name.clone(),
            east: f.name.clone(),
            underline: if f.underline {
                Underline::Single
            } else {
                Underline::None
            },
            strike: u8::from(f.strike),
            fill: Fill::Solid(self.state.text_color),
            ..RunStyle::default()
        };
        let body = crate::chart::words::body(&s, &style, Align::Left, false);
        let mut placed = flow(l.engine, &body, f64::INFINITY, Scale::FULL);
        if let Some(want) = dx.map(|d| d * k).filter(|d| *d > 0.0) {
            let n = s.chars().count() as f64;
            style.spacing = ((want - placed.width) / n).clamp(-size * 0.4, size);
            let body = crate::chart::words::body(&s, &style, Align::Left, false);
            placed = flow(l.engine, &body, f64::INFINITY, Scale::FULL);
        }
        let ascent = placed.lines.first().map_or(size, |x| x.ascent);
        let (w, h) = (placed.width, placed.height);
        let body = crate::chart::words::body(&s, &style, Align::Left, false);
        let items = l.text_box(&body, Rect::new(0.0, 0.0, w, h));
        let left = match self.state.align & 6 {
            2 => -w,
            6 => -w / 2.0,
            _ => 0.0,
        };
        let top = match self.state.align & 24 {
            24 => -ascent,
            8 => -h,
            _ => 0.0,
        };
        let p = self.map().apply(at.0, at.1);
        let map = Affine::translate(p.0, p.1)
            .then_inner(&Affine::rotate(-f.turn / 10.0))
            .then_inner(&Affine::translate(left, top));
        if self.state.align & 1 == 1 {
            self.state.at.0 += dx.unwrap_or(w / k.max(1e-9));
        }
        self.push(Item::mapped(map, items));
    }
}
