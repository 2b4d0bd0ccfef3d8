// SPDX-License-Identifier: MIT OR Apache-2.0
//! DrawingML's `arcTo` as Bézier curves.
//!
//! The angles of `arcTo` are visual: the direction in which the point is seen from the centre, not the parameter of the
//! ellipse. Start and swing are therefore converted before the curve is cut into pieces of at most a quarter turn.

use super::{Path, Step};

/// The parameter of an ellipse for a visual angle, both in degrees, keeping the number of whole turns.
fn parameter(deg: f64, rx: f64, ry: f64) -> f64 {
    let turns = (deg / 360.0).floor() * 360.0;
    let rad = (deg - turns).to_radians();
    let t = (rx * rad.sin()).atan2(ry * rad.cos()).to_degrees();
    turns + if t < 0.0 { t + 360.0 } else { t }
}

/// Appends the arc that starts at `from` with visual angle `start` and turns by `swing` degrees (positive: clockwise
/// on screen). Returns the end point. Swings beyond a full turn are cut to one.
pub fn append(
    path: &mut Path,
    from: (f64, f64),
    rx: f64,
    ry: f64,
    start: f64,
    swing: f64,
) -> (f64, f64) {
    let finite = [rx, ry, start, swing].iter().all(|v| v.is_finite());
    if !finite || (rx == 0.0 && ry == 0.0) || swing == 0.0 {
        return from;
    }
    let swing = swing.clamp(-360.0, 360.0);
    let (t0, t1) = if rx == 0.0 || ry == 0.0 {
        (start, start + swing)
    } else {
        (parameter(start, rx, ry), parameter(start + swing, rx, ry))
    };
    let mut delta = t1 - t0;
    if swing > 0.0 && delta < 0.0 {
        delta += 360.0;
    }
    if swing < 0.0 && delta > 0.0 {
        delta -= 360.0;
    }
    let centre = (
        from.0 - rx * t0.to_radians().cos(),
        from.1 - ry * t0.to_radians().sin(),
    );
    pieces(path, centre, (rx, ry), t0.to_radians(), delta.to_radians())
}

fn pieces(path: &mut Path, c: (f64, f64), r: (f64, f64), t0: f64, delta: f64) -> (f64, f64) {
    let n = (delta.abs() / std::f64::consts::FRAC_PI_2 - 1e-9)
        .ceil()
        .max(1.0);
    let step = delta / n;
    let k = 4.0 / 3.0 * (step / 4.0).tan();
    let mut t = t0;
    let mut end = c;
    for _ in 0..n as usize {
        let (s0, c0) = t.sin_cos();
        let (s1, c1) = (t + step).sin_cos();
        let a = (c.0 + r.0 * (c0 - k * s0), c.1 + r.1 * (s0 + k * c0));
        let b = (c.0 + r.0 * (c1 + k * s1), c.1 + r.1 * (s1 - k * c1));
        end = (c.0 + r.0 * c1, c.1 + r.1 * s1);
        path.steps
            .push(Step::Cubic(a.0, a.1, b.0, b.1, end.0, end.1));
        t += step;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_a_circle_ends_a_quarter_further() {
        let mut p = Path::default();
        let e = append(&mut p, (10.0, 0.0), 10.0, 10.0, 0.0, 90.0);
        assert!((e.0).abs() < 1e-9 && (e.1 - 10.0).abs() < 1e-9);
    }

    #[test]
    fn angles_are_visual_on_a_flat_ellipse() {
        let mut p = Path::default();
        let e = append(&mut p, (100.0, 0.0), 100.0, 10.0, 0.0, 45.0);
        assert!(
            (e.0 - e.1).abs() < 1e-6,
            "seen at 45 degrees, x equals y: {e:?}"
        );
    }

    #[test]
    fn nothing_is_drawn_for_a_point_ellipse() {
        let mut p = Path::default();
        assert_eq!(append(&mut p, (1.0, 1.0), 0.0, 0.0, 0.0, 90.0), (1.0, 1.0));
        assert!(p.steps.is_empty());
    }
}
