// SPDX-License-Identifier: MIT OR Apache-2.0
//! The guide language of DrawingML geometry (ECMA-376 Part 1, 20.1.9.11): seventeen operators over named values.

use std::collections::BTreeMap;

use crate::units::ANGLE_UNITS;

/// Most guides that one geometry may define; presets stay below 200.
const MAX_GUIDES: usize = 4_096;

/// Named values while a geometry is evaluated. Lengths are in the shape's own unit, angles in ST_Angle units.
#[derive(Debug, Clone)]
pub struct Guides {
    values: BTreeMap<String, f64>,
    w: f64,
    h: f64,
}

impl Guides {
    /// Starts with the built-in names for a shape of this size.
    #[must_use]
    pub fn new(w: f64, h: f64) -> Self {
        Self {
            values: BTreeMap::new(),
            w,
            h,
        }
    }

    /// The value of a literal, a built-in name or a guide; 0 for what is not known.
    #[must_use]
    pub fn value(&self, token: &str) -> f64 {
        if let Some(v) = self.values.get(token) {
            return *v;
        }
        if token.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
            && let Ok(v) = token.parse::<f64>()
        {
            return v;
        }
        self.built_in(token)
    }

    fn built_in(&self, token: &str) -> f64 {
        let (w, h, ss) = (self.w, self.h, self.w.min(self.h));
        match token {
            "l" | "t" => 0.0,
            "r" | "w" => w,
            "b" | "h" => h,
            "hc" => w / 2.0,
            "vc" => h / 2.0,
            "ss" => ss,
            "ls" => w.max(h),
            "cd2" => 180.0 * ANGLE_UNITS,
            "cd3" => 120.0 * ANGLE_UNITS,
            "cd4" => 90.0 * ANGLE_UNITS,
            "cd8" => 45.0 * ANGLE_UNITS,
            "3cd4" => 270.0 * ANGLE_UNITS,
            "3cd8" => 135.0 * ANGLE_UNITS,
            "5cd8" => 225.0 * ANGLE_UNITS,
            "7cd8" => 315.0 * ANGLE_UNITS,
            _ => {
                let part = |head: &str, whole: f64| {
                    token
                        .strip_prefix(head)
                        .and_then(|n| n.parse::<f64>().ok())
                        .filter(|n| *n > 0.0)
                        .map(|n| whole / n)
                };
                part("wd", w)
                    .or_else(|| part("hd", h))
                    .or_else(|| part("ssd", ss))
                    .unwrap_or(0.0)
            }
        }
    }

    /// Sets a name to a value.
    pub fn set(&mut self, name: &str, value: f64) {
        if self.values.len() < MAX_GUIDES || self.values.contains_key(name) {
            self.values
                .insert(name.to_owned(), if value.is_finite() { value } else { 0.0 });
        }
    }

    /// Defines a guide by its formula.
    pub fn define(&mut self, name: &str, formula: &str) {
        let v = self.formula(formula);
        self.set(name, v);
    }

    /// The value of a formula: an operator and up to three operands. Division by zero gives 0.
    #[must_use]
    pub fn formula(&self, formula: &str) -> f64 {
        let mut parts = formula.split_ascii_whitespace();
        let op = parts.next().unwrap_or_default();
        let mut next = || parts.next().map_or(0.0, |t| self.value(t));
        let (x, y, z) = (next(), next(), next());
        operate(op, x, y, z)
    }
}

fn radians(angle: f64) -> f64 {
    (angle / ANGLE_UNITS).to_radians()
}

fn div(a: f64, b: f64) -> f64 {
    if b == 0.0 { 0.0 } else { a / b }
}

fn operate(op: &str, x: f64, y: f64, z: f64) -> f64 {
    match op {
        "*/" => div(x * y, z),
        "+-" => x + y - z,
        "+/" => div(x + y, z),
        "?:" => {
            if x > 0.0 {
                y
            } else {
                z
            }
        }
        "abs" => x.abs(),
        "at2" => y.atan2(x).to_degrees() * ANGLE_UNITS,
        "cat2" => x * z.atan2(y).cos(),
        "sat2" => x * z.atan2(y).sin(),
        "cos" => x * radians(y).cos(),
        "sin" => x * radians(y).sin(),
        "tan" => x * radians(y).tan(),
        "max" => x.max(y),
        "min" => x.min(y),
        "mod" => (x * x + y * y + z * z).sqrt(),
        "pin" => {
            if y < x {
                x
            } else if y > z {
                z
            } else {
                y
            }
        }
        "sqrt" => x.max(0.0).sqrt(),
        "val" => x,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_follows_the_standard() {
        let g = Guides::new(200.0, 100.0);
        let cases = [
            ("*/ w 1 2", 100.0),
            ("+- w h 50", 250.0),
            ("+/ w h 3", 100.0),
            ("?: -1 7 8", 8.0),
            ("?: 1 7 8", 7.0),
            ("abs -5", 5.0),
            ("at2 1 1", 2_700_000.0),
            ("cat2 10 3 4", 6.0),
            ("sat2 10 3 4", 8.0),
            ("cos 10 cd2", -10.0),
            ("sin 10 cd4", 10.0),
            ("tan 10 cd8", 10.0),
            ("max 3 4", 4.0),
            ("min 3 4", 3.0),
            ("mod 2 3 6", 7.0),
            ("pin 0 50 20", 20.0),
            ("sqrt 81", 9.0),
            ("val wd2", 100.0),
        ];
        for (f, want) in cases {
            assert!(
                (g.formula(f) - want).abs() < 1e-6,
                "{f} is {} and not {want}",
                g.formula(f)
            );
        }
    }

    #[test]
    fn division_by_zero_and_nonsense_are_zero() {
        let g = Guides::new(1.0, 1.0);
        assert_eq!(g.formula("*/ 1 1 0"), 0.0);
        assert_eq!(g.formula("frob 1 2 3"), 0.0);
        assert_eq!(g.formula(""), 0.0);
    }
}
