// SPDX-License-Identifier: MIT OR Apache-2.0
//! The preset shapes of ECMA-376 Part 1, Annex D, and the evaluation of any geometry definition.
//!
//! `presets.txt` holds one definition after another, a letter before each line: `=` starts a shape, `a` gives an adjust
//! value and its default, `g` a guide and its formula, `t` the text rectangle, `p` starts a path with its attributes,
//! and `d` its steps (M, L, Q, C, Z as in SVG; A is `arcTo`: radii, start, swing). Operands are guide names. `warps.txt`
//! holds the text warps in the same notation.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::guide::Guides;
use super::{Path, Rect, Step, arc};
use crate::units::ANGLE_UNITS;

/// How a path of a shape takes the shape's fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FillMode {
    /// As it is.
    #[default]
    Norm,
    /// Not filled.
    None,
    /// Mixed with white.
    Lighten,
    /// Mixed with a little white.
    LightenLess,
    /// Mixed with black.
    Darken,
    /// Mixed with a little black.
    DarkenLess,
}

impl FillMode {
    /// Reads ST_PathFillMode.
    #[must_use]
    pub fn parse(s: &str) -> Self {
        match s {
            "none" => Self::None,
            "lighten" => Self::Lighten,
            "lightenLess" => Self::LightenLess,
            "darken" => Self::Darken,
            "darkenLess" => Self::DarkenLess,
            _ => Self::Norm,
        }
    }
}

/// One path of a definition, its operands still names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PathDef {
    /// The path's own coordinate width, when it has one.
    pub w: Option<f64>,
    /// The path's own coordinate height, when it has one.
    pub h: Option<f64>,
    /// How it is filled.
    pub fill: FillMode,
    /// Whether it is stroked.
    pub stroke: bool,
    /// Steps: a letter and its operands.
    pub steps: Vec<(char, Vec<String>)>,
}

/// A geometry: adjust values, guides, text rectangle, paths.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Definition {
    /// Adjust values and their defaults, as formulas.
    pub adjusts: Vec<(String, String)>,
    /// Guides in order.
    pub guides: Vec<(String, String)>,
    /// Text rectangle: left, top, right, bottom.
    pub text: Option<[String; 4]>,
    /// Paths in drawing order.
    pub paths: Vec<PathDef>,
}

/// An evaluated path, in the unit of the size it was evaluated for.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapePath {
    /// Outline.
    pub path: Path,
    /// How it is filled.
    pub fill: FillMode,
    /// Whether it is stroked.
    pub stroke: bool,
}

/// An evaluated geometry.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Paths in drawing order.
    pub paths: Vec<ShapePath>,
    /// Where text goes.
    pub text: Rect,
}

impl Definition {
    /// Evaluates for a size, with the given adjust values in place of the defaults.
    #[must_use]
    pub fn evaluate(&self, w: f64, h: f64, adjusts: &[(String, String)]) -> Outline {
        let mut g = Guides::new(w, h);
        for (name, default) in &self.adjusts {
            g.define(name, default);
        }
        for (name, formula) in adjusts {
            g.define(name, formula);
        }
        for (name, formula) in &self.guides {
            g.define(name, formula);
        }
        let text = self.text.as_ref().map_or(Rect::new(0.0, 0.0, w, h), |t| {
            let [l, top, r, b] = t.each_ref().map(|n| g.value(n));
            Rect::new(l, top, (r - l).max(0.0), (b - top).max(0.0))
        });
        Outline {
            paths: self
                .paths
                .iter()
                .map(|p| evaluate_path(p, &g, w, h))
                .collect(),
            text,
        }
    }
}

fn evaluate_path(def: &PathDef, g: &Guides, w: f64, h: f64) -> ShapePath {
    let scale = |own: Option<f64>, whole: f64| own.filter(|o| *o > 0.0).map_or(1.0, |o| whole / o);
    let (sx, sy) = (scale(def.w, w), scale(def.h, h));
    // Steps are made in the path's own coordinates and scaled as a whole: the angles of an arc count before the scaling.
    let mut path = Path::default();
    let mut at = (0.0, 0.0);
    let mut start = at;
    for (op, names) in &def.steps {
        let v: Vec<f64> = names.iter().map(|n| g.value(n)).collect();
        match (op, v.as_slice()) {
            ('M', &[x, y]) => {
                at = (x, y);
                start = at;
                path.steps.push(Step::Move(at.0, at.1));
            }
            ('L', &[x, y]) => {
                at = (x, y);
                open(&mut path, start);
                path.steps.push(Step::Line(at.0, at.1));
            }
            ('Q', &[a, b, x, y]) => {
                at = (x, y);
                open(&mut path, start);
                path.steps.push(Step::Quad(a, b, at.0, at.1));
            }
            ('C', &[a, b, c, d, x, y]) => {
                at = (x, y);
                open(&mut path, start);
                path.steps.push(Step::Cubic(a, b, c, d, at.0, at.1));
            }
            ('A', &[rx, ry, st, sw]) => {
                open(&mut path, start);
                at = arc::append(&mut path, at, rx, ry, st / ANGLE_UNITS, sw / ANGLE_UNITS);
            }
            ('Z', _) => {
                path.steps.push(Step::Close);
                at = start;
            }
            _ => {}
        }
    }
    let path = if sx == 1.0 && sy == 1.0 {
        path
    } else {
        path.mapped(&super::Affine::scale(sx, sy))
    };
    ShapePath {
        path,
        fill: def.fill,
        stroke: def.stroke,
    }
}

/// A step after a close, or before any move, begins at the last start.
fn open(path: &mut Path, start: (f64, f64)) {
    if matches!(path.steps.last(), None | Some(Step::Close)) {
        path.steps.push(Step::Move(start.0, start.1));
    }
}

/// The definition of a preset by its name in ST_ShapeType.
#[must_use]
pub fn preset(name: &str) -> Option<&'static Definition> {
    static TABLE: OnceLock<BTreeMap<&'static str, Definition>> = OnceLock::new();
    TABLE
        .get_or_init(|| parse(include_str!("presets.txt")))
        .get(name)
}

/// The definition of a text warp by its name in ST_TextShapeType.
#[must_use]
pub fn warp(name: &str) -> Option<&'static Definition> {
    static TABLE: OnceLock<BTreeMap<&'static str, Definition>> = OnceLock::new();
    TABLE
        .get_or_init(|| parse(include_str!("warps.txt")))
        .get(name)
}

fn parse(text: &'static str) -> BTreeMap<&'static str, Definition> {
    let mut table = BTreeMap::new();
    let mut name = "";
    let mut def = Definition::default();
    for line in text.lines() {
        let (key, rest) = line.split_at(line.len().min(1));
        let rest = rest.trim_start();
        match key {
            "=" => {
                if !name.is_empty() {
                    table.insert(name, std::mem::take(&mut def));
                }
                name = rest;
            }
            "a" => {
                if let Some((n, v)) = rest.split_once(' ') {
                    def.adjusts.push((n.to_owned(), format!("val {v}")));
                }
            }
            "g" => {
                if let Some((n, f)) = rest.split_once(' ') {
                    def.guides.push((n.to_owned(), f.to_owned()));
                }
            }
            "t" => def.text = four(rest),
            "p" => def.paths.push(path_head(rest)),
            "d" => {
                if let Some(p) = def.paths.last_mut() {
                    p.steps = steps(rest);
                }
            }
            _ => {}
        }
    }
    table.insert(name, def);
    table
}

fn four(s: &str) -> Option<[String; 4]> {
    let v: Vec<String> = s.split(' ').map(str::to_owned).collect();
    v.try_into().ok()
}

fn path_head(s: &str) -> PathDef {
    let mut p = PathDef {
        stroke: true,
        ..PathDef::default()
    };
    for part in s.split(' ') {
        match part.split_once('=') {
            Some(("w", v)) => p.w = v.parse().ok(),
            Some(("h", v)) => p.h = v.parse().ok(),
            Some(("fill", v)) => p.fill = FillMode::parse(v),
            Some(("stroke", v)) => p.stroke = v != "false",
            _ => {}
        }
    }
    p
}

fn steps(s: &str) -> Vec<(char, Vec<String>)> {
    let mut out: Vec<(char, Vec<String>)> = Vec::new();
    for token in s.split(' ') {
        let mut chars = token.chars();
        match (chars.next(), chars.next()) {
            (Some(c @ ('M' | 'L' | 'Q' | 'C' | 'A' | 'Z')), None) => out.push((c, Vec::new())),
            _ => {
                if let Some(last) = out.last_mut() {
                    last.1.push(token.to_owned());
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_is_its_box() {
        let o = preset("rect").expect("known").evaluate(30.0, 20.0, &[]);
        assert_eq!(
            o.paths[0].path.bounds(),
            Some(Rect::new(0.0, 0.0, 30.0, 20.0))
        );
        assert_eq!(o.text, Rect::new(0.0, 0.0, 30.0, 20.0));
    }

    #[test]
    fn an_adjust_value_replaces_the_default() {
        let d = preset("roundRect").expect("known");
        let flat = d.evaluate(100.0, 100.0, &[("adj".into(), "val 0".into())]);
        assert_eq!(flat.text, Rect::new(0.0, 0.0, 100.0, 100.0));
        assert!(d.evaluate(100.0, 100.0, &[]).text.x > 0.0);
    }

    #[test]
    fn names_outside_the_standard_are_not_known() {
        assert!(preset("rectangle").is_none());
    }

    #[test]
    fn every_preset_evaluates_to_finite_numbers_at_odd_sizes() {
        for name in [
            "can",
            "cloud",
            "gear9",
            "swooshArrow",
            "irregularSeal2",
            "mathNotEqual",
        ] {
            for (w, h) in [(0.0, 0.0), (1.0, 900.0), (900.0, 1.0)] {
                let o = preset(name).expect("known").evaluate(w, h, &[]);
                for p in &o.paths {
                    if let Some(b) = p.path.bounds() {
                        assert!(b.x.is_finite() && b.w.is_finite(), "{name} at {w}x{h}");
                    }
                }
            }
        }
    }
}
