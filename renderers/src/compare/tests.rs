// SPDX-License-Identifier: MIT OR Apache-2.0
//! Golden values are of scikit-image 0.26: `structural_similarity(a, b, channel_axis=2, gaussian_weights=True, sigma=1.5,
//! use_sample_covariance=False, data_range=255)`, whose mean leaves out the same five pixels at the edges.

use super::*;

/// Pictures that a script in Python can make again: sums and products modulo 256.
fn pattern(width: u32, height: u32, value: impl Fn(u32, u32, u32) -> u32) -> RgbImage {
    let mut pixels = Vec::new();
    for y in 0..height {
        for x in 0..width {
            pixels.extend((0..3).map(|c| u8::try_from(value(x, y, c) % 256).unwrap()));
        }
    }
    RgbImage::new(width, height, pixels).unwrap()
}

fn waves(width: u32, height: u32) -> RgbImage {
    pattern(width, height, |x, y, c| x * 3 + y * 5 + c * 40)
}

fn close(found: f64, golden: f64) {
    assert!((found - golden).abs() < 1e-9, "{found} is not {golden}");
}

#[test]
fn equal_pictures_have_one() {
    let one = waves(170, 90);
    let found = compare(&one, &one).unwrap();
    close(found.ssim, 1.0);
    close(found.worst_block.ssim, 1.0);
}

#[test]
fn figures_are_those_of_scikit_image() {
    let one = waves(170, 90);
    let noisy = pattern(170, 90, |x, y, c| {
        x * 3 + y * 5 + c * 40 + (x * 7 + y * 13 + c) % 11
    });
    let other = pattern(170, 90, |x, y, c| x * y + c * 90);
    let inverted = pattern(170, 90, |x, y, c| 255 - (x * 3 + y * 5 + c * 40) % 256);
    close(compare(&one, &noisy).unwrap().ssim, NOISY);
    close(compare(&one, &other).unwrap().ssim, OTHER);
    close(compare(&one, &inverted).unwrap().ssim, INVERTED);
}

const NOISY: f64 = 0.834_665_720_336_028_9;
const OTHER: f64 = 0.017_207_418_086_933_78;
const INVERTED: f64 = -0.326_600_591_253_736;

#[test]
fn blocks_are_means_of_the_same_map() {
    // scikit-image's full map, its mean over each block without the five pixels at the edges; the lowest is this one.
    let one = waves(170, 90);
    let other = pattern(170, 90, |x, y, c| x * y + c * 90);
    let block = compare(&one, &other).unwrap().worst_block;
    assert_eq!(
        (block.x, block.y, block.width, block.height),
        (160, 0, 10, 80)
    );
    close(block.ssim, 0.004_286_563_143_944_772);
}

#[test]
fn the_worst_block_is_where_the_difference_is() {
    let one = RgbImage::filled(1280, 720, [255; 3]);
    let marked = pattern(1280, 720, |x, y, c| {
        let inside = (410..430).contains(&x) && (250..260).contains(&y);
        if inside { x * 30 + c } else { 255 }
    });
    let found = compare(&one, &marked).unwrap();
    let block = found.worst_block;
    assert_eq!(
        (block.x, block.y, block.width, block.height),
        (400, 240, 80, 80)
    );
    assert!(block.ssim < 0.95 && block.ssim < found.ssim && found.ssim < 1.0);
    assert_eq!(
        compare(&marked, &one).unwrap(),
        found,
        "the order does not matter"
    );
}

#[test]
fn a_change_of_colour_alone_is_seen() {
    // Equal in luma (Rec. 601): a comparison of grey pictures would call them the same.
    let grey = RgbImage::filled(40, 40, [76, 76, 76]);
    let red = RgbImage::filled(40, 40, [254, 0, 0]);
    assert!(compare(&grey, &red).unwrap().ssim < 0.6);
}

#[test]
fn a_difference_in_a_corner_changes_what_sees_it_alone() {
    let one = waves(60, 40);
    for (cx, cy) in [(0, 0), (59, 39), (0, 39), (30, 20)] {
        let two = pattern(60, 40, |x, y, c| {
            x * 3 + y * 5 + c * 40 + u32::from(x == cx && y == cy) * 90
        });
        let found = compare(&one, &two).unwrap().ssim;
        assert!(found < 1.0 && found > 0.9, "{cx},{cy}: {found}");
    }
}

#[test]
fn blocks_at_the_edges_are_cut() {
    let one = RgbImage::filled(100, 90, [255; 3]);
    let two = pattern(100, 90, |x, y, _| if x >= 88 && y >= 80 { 0 } else { 255 });
    let block = compare(&one, &two).unwrap().worst_block;
    assert_eq!(
        (block.x, block.y, block.width, block.height),
        (80, 80, 20, 10)
    );
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let one = RgbImage::filled(20, 20, [0; 3]);
    let error = compare(&one, &RgbImage::filled(20, 21, [0; 3])).unwrap_err();
    assert!(error.to_string().contains("(20, 21)"), "{error}");
    let small = RgbImage::filled(10, 40, [0; 3]);
    let error = compare(&small, &small).unwrap_err();
    assert!(error.to_string().contains("at least 11"), "{error}");
}
