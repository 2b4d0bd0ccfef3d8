// SPDX-License-Identifier: MIT OR Apache-2.0
//! The scale of a value axis: automatic ends and steps as spreadsheets choose them.

use super::model::Axis;

/// A settled scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// Distance of marks.
    pub step: f64,
    /// Base when logarithmic.
    pub log: Option<f64>,
    /// From high to low.
    pub reversed: bool,
}

/// Most marks of an axis.
const MAX_MARKS: usize = 500;

impl Scale {
    /// The place of a value from 0 to 1 along the axis.
    #[must_use]
    pub fn at(&self, v: f64) -> f64 {
        let t = match self.log {
            Some(b) => {
                let l = |x: f64| x.max(1e-300).ln() / b.ln();
                (l(v) - l(self.min)) / (l(self.max) - l(self.min)).max(1e-12)
            }
            None => (v - self.min) / (self.max - self.min).max(1e-300),
        };
        let t = t.clamp(-10.0, 10.0);
        if self.reversed { 1.0 - t } else { t }
    }

    /// The values that have marks.
    #[must_use]
    pub fn marks(&self) -> Vec<f64> {
        let mut out = Vec::new();
        if let Some(b) = self.log {
            let mut v = self.min;
            while v <= self.max * 1.000_001 && out.len() < MAX_MARKS {
                out.push(v);
                v *= b;
            }
            return out;
        }
        if self.step <= 0.0 {
            return out;
        }
        let n = ((self.max - self.min) / self.step + 1e-6).floor() as usize;
        for i in 0..=n.min(MAX_MARKS) {
            let v = self.min + i as f64 * self.step;
            out.push(if v.abs() < self.step * 1e-9 { 0.0 } else { v });
        }
        out
    }
}

/// Settles the scale of an axis over data from `lo` to `hi`, with at most `room` intervals. `zero` asks for bars that stand on zero.
#[must_use]
pub fn settle(axis: &Axis, lo: f64, hi: f64, room: f64, percent: bool) -> Scale {
    if let Some(b) = axis.log {
        let power = |v: f64, up: bool| {
            let l = v.max(1e-12).ln() / b.ln();
            b.powf(if up {
                (l - 1e-9).ceil()
            } else {
                (l + 1e-9).floor()
            })
        };
        let min = axis
            .min
            .filter(|m| *m > 0.0)
            .unwrap_or_else(|| power(if lo > 0.0 { lo } else { 1.0 }, false).min(1.0));
        let max = axis
            .max
            .filter(|m| *m > min)
            .unwrap_or_else(|| power(hi.max(min * b), true));
        return Scale {
            min,
            max,
            step: 1.0,
            log: Some(b),
            reversed: axis.reversed,
        };
    }
    let (lo, hi) = if lo > hi { (0.0, 1.0) } else { (lo, hi) };
    if percent && axis.min.is_none() && axis.max.is_none() {
        let step = axis
            .major
            .unwrap_or_else(|| nice(1.0 / room.clamp(2.0, 10.0)));
        return Scale {
            min: if lo < 0.0 { -1.0 } else { 0.0 },
            max: 1.0,
            step,
            log: None,
            reversed: axis.reversed,
        };
    }
    let (want_lo, want_hi) = ends(axis, lo, hi);
    let step = axis
        .major
        .unwrap_or_else(|| step_for(axis, want_lo, want_hi, room));
    let min = axis.min.unwrap_or_else(|| {
        if want_lo == 0.0 {
            0.0
        } else {
            (want_lo / step + 1e-9).floor() * step
        }
    });
    let mut max = axis.max.unwrap_or_else(|| {
        if want_hi == 0.0 {
            0.0
        } else {
            (want_hi / step - 1e-9).ceil() * step
        }
    });
    if max <= min {
        max = min + step.max(1e-9);
    }
    Scale {
        min,
        max,
        step,
        log: None,
        reversed: axis.reversed,
    }
}

/// The ends that the scale must hold: five percent of room, and zero unless the data are far from it.
fn ends(axis: &Axis, lo: f64, hi: f64) -> (f64, f64) {
    let (mut lo, mut hi) = (axis.min.unwrap_or(lo), axis.max.unwrap_or(hi));
    if lo == hi {
        if lo == 0.0 {
            hi = 1.0;
        } else if lo > 0.0 {
            lo = 0.0;
        } else {
            hi = 0.0;
        }
    }
    let span = hi - lo;
    let near = |a: f64, b: f64| span / a.abs().max(b.abs()) > 1.0 / 6.0;
    if axis.max.is_none() {
        hi = if hi <= 0.0 {
            if near(lo, hi) || hi == 0.0 {
                0.0
            } else {
                hi + span / 2.0
            }
        } else {
            hi + 0.05 * (hi - if lo > 0.0 && near(lo, hi) { 0.0 } else { lo })
        };
    }
    if axis.min.is_none() {
        lo = if lo >= 0.0 {
            if near(lo, hi) || lo == 0.0 {
                0.0
            } else {
                lo - span / 2.0
            }
        } else {
            lo - 0.05 * (hi.max(0.0) - lo)
        };
    }
    (lo, hi)
}

fn step_for(axis: &Axis, lo: f64, hi: f64, room: f64) -> f64 {
    let room = room.clamp(1.0, 10.0);
    let mut step = nice((hi - lo) / room);
    // Rounding the ends outwards may add intervals.
    for _ in 0..4 {
        let a = axis
            .min
            .unwrap_or_else(|| (lo / step + 1e-9).floor() * step);
        let b = axis.max.unwrap_or_else(|| (hi / step - 1e-9).ceil() * step);
        if (b - a) / step <= room + 1e-6 {
            break;
        }
        step = nice(step * 1.01);
    }
    step
}

/// The least of 1, 2, 5 times a power of ten that is not below `v`.
#[must_use]
pub fn nice(v: f64) -> f64 {
    if !(v > 0.0 && v.is_finite()) {
        return 1.0;
    }
    let p = 10f64.powf(v.log10().floor());
    let m = v / p;
    let k = if m <= 1.000_001 {
        1.0
    } else if m <= 2.000_001 {
        2.0
    } else if m <= 5.000_001 {
        5.0
    } else {
        10.0
    };
    k * p
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::model::{Crosses, Side};
    use crate::text::model::RunStyle;

    fn axis() -> Axis {
        Axis {
            id: String::new(),
            cross_id: String::new(),
            category: false,
            date: false,
            side: Side::Left,
            deleted: false,
            min: None,
            max: None,
            major: None,
            reversed: false,
            log: None,
            crosses: Crosses::Zero,
            on_marks: false,
            label_place: String::new(),
            format: None,
            grid: None,
            minor_grid: None,
            line: None,
            ticks: String::new(),
            text: RunStyle::default(),
            rot: None,
            skip: None,
            title: None,
            units: None,
        }
    }

    #[test]
    fn ends_are_what_powerpoint_shows() {
        let cases = [
            (0.0, 5.0, 6.0, 1.0),
            (0.0, 21.4, 25.0, 5.0),
            (0.0, 100.0, 120.0, 20.0),
            (0.0, 8.2, 9.0, 1.0),
        ];
        for (lo, hi, max, step) in cases {
            let s = settle(&axis(), lo, hi, 10.0, false);
            assert_eq!((s.min, s.max, s.step), (0.0, max, step), "data up to {hi}");
        }
    }

    #[test]
    fn data_far_from_zero_do_not_start_there() {
        let s = settle(&axis(), 95.0, 100.0, 10.0, false);
        assert!(s.min > 80.0 && s.max >= 100.0, "{s:?}");
    }

    #[test]
    fn fixed_ends_are_kept() {
        let a = Axis {
            min: Some(-3.0),
            max: Some(7.0),
            ..axis()
        };
        let s = settle(&a, 0.0, 1.0, 10.0, false);
        assert_eq!((s.min, s.max), (-3.0, 7.0));
    }

    #[test]
    fn a_logarithmic_scale_goes_by_powers() {
        let a = Axis {
            log: Some(10.0),
            ..axis()
        };
        let s = settle(&a, 3.0, 4_000.0, 10.0, false);
        assert_eq!(s.marks(), vec![1.0, 10.0, 100.0, 1_000.0, 10_000.0]);
    }
}
