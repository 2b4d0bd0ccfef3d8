// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a picture shows nothing.

use super::RgbImage;

/// A difference from a neighbour that an eye may notice, in steps of a channel.
const NOTICEABLE: u8 = 8;
/// Fewer pixels at an edge than this are a page number or dust, not a slide.
const FEWEST_EDGE_PIXELS: usize = 200;
/// A smooth picture whose channels range over more than this together is a picture, no background.
const WIDEST_BACKGROUND: u32 = 400;
/// Side of the squares that are averaged, in pixels.
const SQUARE: u32 = 40;

/// Whether nothing can be seen on a picture.
///
/// The rule: an edge pixel differs by more than 8 of 255 in some channel from the pixel to its left
/// or above it. With fewer than 200 edge pixels, 0.02 % of the canvas, a picture is blank. So one
/// colour is blank, and so is a background's gradient, an invisible text or a lone small page number,
/// while one line of body text has thousands. A smooth picture of all colours is not blank: that is
/// when the ranges of red, green and blue add up to more than 400.
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
    spread(image) <= WIDEST_BACKGROUND
}

/// How far the three channels range over the picture, added up. Squares of 40 pixels are averaged
/// first, so that a small mark does not count.
fn spread(image: &RgbImage) -> u32 {
    let across = image.width().div_ceil(SQUARE) as usize;
    let down = image.height().div_ceil(SQUARE) as usize;
    let mut squares = vec![([0_u32; 3], 0_u32); across * down];
    for (y, row) in image.rows().enumerate() {
        for (x, pixel) in row.as_chunks::<3>().0.iter().enumerate() {
            let place = y / SQUARE as usize * across + x / SQUARE as usize;
            if let Some((sums, count)) = squares.get_mut(place) {
                sums.iter_mut()
                    .zip(pixel)
                    .for_each(|(sum, value)| *sum += u32::from(*value));
                *count += 1;
            }
        }
    }
    let means = squares
        .iter()
        .map(|(sums, count)| sums.map(|sum| sum / (*count).max(1)));
    let (least, most) = means.fold(([u32::MAX; 3], [0; 3]), |(least, most), mean| {
        (
            pairwise(least, mean, u32::min),
            pairwise(most, mean, u32::max),
        )
    });
    pairwise(most, least, u32::saturating_sub).iter().sum()
}

fn pairwise(a: [u32; 3], b: [u32; 3], join: fn(u32, u32) -> u32) -> [u32; 3] {
    let ([a0, a1, a2], [b0, b1, b2]) = (a, b);
    [join(a0, b0), join(a1, b1), join(a2, b2)]
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
    fn a_smooth_picture_of_all_colours_is_not_blank() {
        let rainbow = |x: u32, y: u32| [(x / 6) as u8, (y / 3) as u8, ((1280 - x) / 6) as u8];
        assert!(!is_blank(&painted(rainbow)));
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
