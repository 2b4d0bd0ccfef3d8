// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a picture shows nothing.

use super::RgbImage;

/// A difference from a neighbour that an eye may notice, in steps of a channel.
const NOTICEABLE: u8 = 8;
/// Fewer pixels at an edge than this are a page number or dust, not a slide.
const FEWEST_EDGE_PIXELS: usize = 200;

/// Whether nothing can be seen on a picture.
///
/// The rule: an edge pixel differs by more than 8 of 255 in some channel from the pixel to its left
/// or above it. With fewer than 200 edge pixels, 0.02 % of the canvas, a picture is blank. So one
/// colour is blank, and so is a smooth gradient, an invisible text or a lone small page number,
/// while one line of body text has thousands.
#[must_use]
pub fn is_blank(image: &RgbImage) -> bool {
    let mut edges = 0;
    let mut above: Option<&[[u8; 3]]> = None;
    for row in image.rows() {
        let (row, _) = row.as_chunks::<3>();
        edges += edges_along(row) + above.map_or(0, |above| edges_between(above, row));
        if edges >= FEWEST_EDGE_PIXELS {
            return false;
        }
        above = Some(row);
    }
    true
}

fn edges_along(row: &[[u8; 3]]) -> usize {
    row.iter()
        .zip(row.iter().skip(1))
        .filter(|(a, b)| differ(a, b))
        .count()
}

fn edges_between(above: &[[u8; 3]], row: &[[u8; 3]]) -> usize {
    above.iter().zip(row).filter(|(a, b)| differ(a, b)).count()
}

fn differ(a: &[u8; 3], b: &[u8; 3]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > NOTICEABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(paint: impl Fn(u32, u32) -> [u8; 3]) -> RgbImage {
        let pixels = (0..720).flat_map(|y| (0..1280).map(move |x| (x, y)));
        RgbImage::new(1280, 720, pixels.flat_map(|(x, y)| paint(x, y)).collect()).unwrap()
    }

    #[test]
    fn one_colour_and_a_gradient_are_blank() {
        assert!(is_blank(&RgbImage::filled(1280, 720, [3, 4, 5])));
        assert!(is_blank(&painted(|x, y| [
            (x / 6) as u8,
            (y / 4) as u8,
            90
        ])));
    }

    #[test]
    fn a_page_number_is_blank_and_a_box_is_not() {
        let square = |side: u32| {
            painted(move |x, y| {
                if x < 600 + side && x >= 600 && y < 300 + side && y >= 300 {
                    [0; 3]
                } else {
                    [255; 3]
                }
            })
        };
        assert!(is_blank(&square(12)));
        assert!(!is_blank(&square(120)));
    }

    #[test]
    fn text_as_faint_as_its_background_is_blank() {
        assert!(is_blank(&painted(|x, y| if (x + y) % 2 == 0 {
            [250; 3]
        } else {
            [255; 3]
        })));
        assert!(!is_blank(&painted(|x, y| if (x + y) % 2 == 0 {
            [200; 3]
        } else {
            [255; 3]
        })));
    }
}
