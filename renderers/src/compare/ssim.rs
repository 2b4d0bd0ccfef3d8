// SPDX-License-Identifier: MIT OR Apache-2.0
//! The map of structural similarity, one value for each pixel that has a whole window.
//!
//! The window is separable: rows are filtered first, then columns, in 64-bit floats and one fixed order, so that the same
//! pictures give the same figures on every machine.

use std::ops::Range;

use crate::png::RgbImage;

/// Side of the window in pixels.
pub const WINDOW: usize = 11;
const RADIUS: usize = WINDOW / 2;

/// Weights of a Gaussian with a sigma of 1.5 at -5 to 5, their sum one. Written out, since `exp` may differ between machines.
const KERNEL: [f64; WINDOW] = [
    0.001_028_380_084_479_11,
    0.007_598_758_135_239_185,
    0.036_000_772_128_430_83,
    0.109_360_689_509_700_02,
    0.213_005_537_711_253_7,
    0.266_011_724_861_794_36,
    0.213_005_537_711_253_7,
    0.109_360_689_509_700_02,
    0.036_000_772_128_430_83,
    0.007_598_758_135_239_185,
    0.001_028_380_084_479_11,
];

/// (0.01 * 255)^2
const C1: f64 = 6.502_5;
/// (0.03 * 255)^2
const C2: f64 = 58.522_5;

/// Similarities; the pixel at (x, y) of the picture stands at (x - 5, y - 5).
#[derive(Debug)]
pub struct Map {
    width: usize,
    values: Vec<f64>,
}

/// The map of two pictures of one size; `None` when they are smaller than the window.
///
/// Where no window sees a difference the similarity is one, so only the part around the differences is worked out.
pub fn map(one: &RgbImage, two: &RgbImage) -> Option<Map> {
    let (w, h) = (one.width() as usize, one.height() as usize);
    let width = w.checked_sub(WINDOW - 1).filter(|w| *w > 0)?;
    let height = h.checked_sub(WINDOW - 1).filter(|h| *h > 0)?;
    let mut values = vec![1.0; width * height];
    if let Some((columns, rows)) = differing(one, two) {
        let (columns, rows) = (centres(&columns, w), centres(&rows, h));
        let part = similarities(one, two, &columns, &rows);
        let targets = values.chunks_exact_mut(width).skip(rows.start - RADIUS);
        for (target, source) in targets.zip(part.chunks_exact(columns.len().max(1))) {
            let place = columns.start - RADIUS..columns.end - RADIUS;
            if let Some(target) = target.get_mut(place) {
                target.copy_from_slice(source);
            }
        }
    }
    Some(Map { width, values })
}

/// The columns and rows between which all differences lie.
fn differing(one: &RgbImage, two: &RgbImage) -> Option<(Range<usize>, Range<usize>)> {
    let nothing = Range {
        start: usize::MAX,
        end: 0,
    };
    let (mut columns, mut rows) = (nothing.clone(), nothing);
    for (y, (a, b)) in one.rows().zip(two.rows()).enumerate() {
        if a != b {
            let pairs = || a.as_chunks::<3>().0.iter().zip(b.as_chunks::<3>().0);
            let first = pairs().position(|(a, b)| a != b)?;
            let last = pairs().rposition(|(a, b)| a != b)?;
            columns = columns.start.min(first)..columns.end.max(last + 1);
            rows = rows.start.min(y)..y + 1;
        }
    }
    (rows.start < rows.end).then_some((columns, rows))
}

/// The places along a side of this length whose window is whole and sees the range.
fn centres(range: &Range<usize>, side: usize) -> Range<usize> {
    range.start.saturating_sub(RADIUS).max(RADIUS)..(range.end + RADIUS).min(side - RADIUS)
}

/// The mean similarity of the three channels at these places.
fn similarities(
    one: &RgbImage,
    two: &RgbImage,
    columns: &Range<usize>,
    rows: &Range<usize>,
) -> Vec<f64> {
    let mut values = vec![0.0; columns.len() * rows.len()];
    let wide = columns.start - RADIUS..columns.end + RADIUS;
    let high = rows.start - RADIUS..rows.end + RADIUS;
    for channel in 0..3 {
        let a = plane(one, channel, &wide, &high);
        let b = plane(two, channel, &wide, &high);
        channel_into(&a, &b, wide.len(), columns.len(), &mut values);
    }
    values
}

impl Map {
    /// The mean over a rectangle of the picture; `None` where it has no values.
    pub fn mean(&self, x: u32, y: u32, width: u32, height: u32) -> Option<f64> {
        let inside = |at: u32| (at as usize).saturating_sub(RADIUS);
        let (left, right) = (inside(x), inside(x + width).min(self.width));
        let rows = self.values.chunks_exact(self.width);
        let rows = rows.take(inside(y + height)).skip(inside(y));
        let (mut sum, mut count) = (0.0, 0_u32);
        for value in rows.flat_map(|row| row.get(left..right).unwrap_or_default()) {
            sum += value;
            count += 1;
        }
        (count > 0).then(|| sum / f64::from(count))
    }
}

/// One channel of a part of a picture.
fn plane(
    image: &RgbImage,
    channel: usize,
    columns: &Range<usize>,
    rows: &Range<usize>,
) -> Vec<f64> {
    let rows = image.rows().take(rows.end).skip(rows.start);
    let pixels = rows.flat_map(|row| {
        let row = row.as_chunks::<3>().0;
        row.get(columns.clone()).unwrap_or_default()
    });
    pixels
        .filter_map(|p| p.get(channel).copied().map(f64::from))
        .collect()
}

/// Adds a third of one channel's similarity to each value.
fn channel_into(a: &[f64], b: &[f64], w: usize, width: usize, values: &mut [f64]) {
    let products = |x: &[f64], y: &[f64]| -> Vec<f64> {
        let filtered: Vec<f64> = x.iter().zip(y).map(|(x, y)| x * y).collect();
        windowed(&filtered, w, width)
    };
    let (mean_a, mean_b) = (windowed(a, w, width), windowed(b, w, width));
    let (aa, bb, ab) = (products(a, a), products(b, b), products(a, b));
    let squares = aa.iter().zip(&bb).zip(&ab);
    let means = mean_a.iter().zip(&mean_b);
    for ((value, (ma, mb)), ((aa, bb), ab)) in values.iter_mut().zip(means).zip(squares) {
        let (va, vb, vab) = (aa - ma * ma, bb - mb * mb, ab - ma * mb);
        let top = (2.0 * ma * mb + C1) * (2.0 * vab + C2);
        let bottom = (ma * ma + mb * mb + C1) * (va + vb + C2);
        *value += top / bottom / 3.0;
    }
}

/// Weighted means over every whole window.
fn windowed(plane: &[f64], w: usize, width: usize) -> Vec<f64> {
    let across: Vec<f64> = plane
        .chunks_exact(w)
        .flat_map(|row| row.windows(WINDOW).map(weighted))
        .collect();
    let height = (across.len() / width).saturating_sub(WINDOW - 1);
    let mut out = vec![0.0; width * height];
    for (y, target) in out.chunks_exact_mut(width).enumerate() {
        for (source, weight) in across.chunks_exact(width).skip(y).zip(KERNEL) {
            for (t, s) in target.iter_mut().zip(source) {
                *t += s * weight;
            }
        }
    }
    out
}

fn weighted(window: &[f64]) -> f64 {
    window.iter().zip(KERNEL).map(|(v, k)| v * k).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_is_the_gaussian_it_claims_to_be() {
        let raw: Vec<f64> = (-5..=5)
            .map(|i| (-f64::from(i * i) / (2.0 * 1.5 * 1.5)).exp())
            .collect();
        let sum: f64 = raw.iter().sum();
        for (weight, raw) in KERNEL.iter().zip(&raw) {
            assert!((weight - raw / sum).abs() < 1e-15, "{weight} {}", raw / sum);
        }
    }
}
