// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units of length and angle, so that no other module carries magic divisors.

/// English Metric Units in one point; DrawingML lengths are EMU.
pub const EMU_PER_PT: f64 = 12_700.0;
/// Units of a DrawingML angle in one degree (ST_Angle).
pub const ANGLE_UNITS: f64 = 60_000.0;
/// Width of the canvas in pixels.
pub const CANVAS_W: u32 = 1280;
/// Height of the canvas in pixels.
pub const CANVAS_H: u32 = 720;

/// EMU to points.
#[must_use]
pub fn pt(emu: f64) -> f64 {
    emu / EMU_PER_PT
}
