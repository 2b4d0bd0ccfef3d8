// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines to strokes: widths, dashes, compound lines.

use crate::display::{Item, Paint, Stroke};
use crate::geometry::{Path, Rect};
use crate::layout::{Layouter, arrows};
use crate::tree::{Cap, Compound, Line};
use crate::units::pt;

/// The thinnest stroke in points.
const THINNEST: f64 = 0.5;

impl Layouter<'_> {
    /// The stroke of a line over a box.
    pub fn stroke(&mut self, line: &Line, b: Rect, rot: f64) -> Option<Stroke> {
        let paint = match self.paint(&line.fill, b, rot)? {
            // A picture or pattern along a line is drawn in its plain colour.
            Paint::Tile(_) => Paint::Solid(line.fill.plain()?),
            p => p,
        };
        let width = pt(line.width).max(THINNEST);
        let mut dash: Vec<f64> = line.dash.iter().map(|d| d * width).collect();
        if line.cap != Cap::Flat {
            // Caps lengthen every dash by one width; the pattern counts without them.
            for (i, d) in dash.iter_mut().enumerate() {
                *d = if i % 2 == 0 {
                    (*d - width).max(0.01)
                } else {
                    *d + width
                };
            }
        }
        Some(Stroke {
            paint,
            width,
            dash,
            cap: line.cap,
            join: line.join,
        })
    }

    /// The items that draw a line along an outline, arrow heads included.
    pub fn line_items(&mut self, path: &Path, line: &Line, b: Rect, rot: f64, out: &mut Vec<Item>) {
        let Some(stroke) = self.stroke(line, b, rot) else {
            return;
        };
        let (path, heads) = arrows::apply(path, line, stroke.width);
        for (shape, filled) in heads {
            let color = stroke.paint.clone();
            if filled {
                out.push(Item::filled(shape, color));
            } else {
                let s = Stroke {
                    paint: color,
                    width: stroke.width,
                    dash: Vec::new(),
                    cap: Cap::Round,
                    join: stroke.join,
                };
                out.push(Item::Path {
                    path: shape,
                    fill: None,
                    stroke: Some(s),
                    even_odd: false,
                });
            }
        }
        if line.compound == Compound::Single {
            out.push(Item::Path {
                path,
                fill: None,
                stroke: Some(stroke),
                even_odd: false,
            });
        } else {
            self.compound(&path, line, stroke, out);
        }
    }

    /// Parallel lines: exact on straight lines and boxes, one line elsewhere.
    fn compound(&mut self, path: &Path, line: &Line, stroke: Stroke, out: &mut Vec<Item>) {
        let w = stroke.width;
        let parts: &[(f64, f64)] = match line.compound {
            Compound::Double => &[(-1.0 / 3.0, 1.0 / 3.0), (1.0 / 3.0, 1.0 / 3.0)],
            Compound::ThickThin => &[(-0.2, 0.6), (0.4, 0.2)],
            Compound::ThinThick => &[(-0.4, 0.2), (0.2, 0.6)],
            Compound::Triple => &[(-0.416, 0.168), (0.0, 0.332), (0.416, 0.168)],
            Compound::Single => &[(0.0, 1.0)],
        };
        for (offset, width) in parts {
            match arrows::offset(path, offset * w) {
                Some(p) => out.push(Item::Path {
                    path: p,
                    fill: None,
                    stroke: Some(Stroke {
                        width: (width * w).max(0.25),
                        ..stroke.clone()
                    }),
                    even_odd: false,
                }),
                None => {
                    self.notes.add(
                        "compound-line",
                        "a compound line along a curve is drawn as one line",
                    );
                    out.push(Item::Path {
                        path: path.clone(),
                        fill: None,
                        stroke: Some(stroke),
                        even_odd: false,
                    });
                    return;
                }
            }
        }
    }
}
