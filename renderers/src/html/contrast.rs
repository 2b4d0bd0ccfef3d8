// SPDX-License-Identifier: MIT OR Apache-2.0
//! How clearly a text stands out, by the colour it is written in and the pixels that were drawn
//! around it. Whatever the page's styles claim, the ground is what the picture shows.

use super::facts::RawText;
use crate::png::RgbImage;

/// A text as the sampling of its pixels needs it.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    lines: Vec<[f32; 4]>,
    ink: Option<[f32; 4]>,
}

impl Sample {
    /// The sample of a text; `None` for one that cannot be seen or has no letters to read.
    pub(super) fn of(text: &RawText) -> Option<Self> {
        let read = text.visible && text.text.chars().any(char::is_alphanumeric);
        read.then(|| Self {
            lines: text.lines.clone(),
            ink: text.ink,
        })
    }
}

type Colour = [f32; 3];

/// The most pixels that are looked at for one text.
const MOST_PIXELS: usize = 40_000;
/// Pixels that differ by less than this from the ink, in steps of a channel, belong to the letters.
const LETTER: f32 = 40.0;
/// Drawn letters that stand out by less than this share of what their colour promises were faded by
/// something that styles do not tell. Thin letters alone lose less.
const FADED: f32 = 0.55;

/// The contrast of a text with its ground in hundredths; `None` without pixels.
pub(super) fn contrast(image: &RgbImage, sample: &Sample) -> Option<u32> {
    let pixels = pixels(image, &sample.lines);
    let all = median(&pixels)?;
    let drawn = ratio(extreme(&pixels, all)?, all);
    let told = sample.ink.map(|ink| {
        let letters = mixed(ink, all);
        let rest: Vec<Colour> = pixels
            .iter()
            .copied()
            .filter(|p| apart(*p, letters) > LETTER)
            .collect();
        let ground = (rest.len() * 10 > pixels.len())
            .then(|| median(&rest))
            .flatten()
            .unwrap_or(all);
        let drawn = extreme(&pixels, ground).map_or(1.0, |most| ratio(most, ground));
        (ratio(mixed(ink, ground), ground), drawn)
    });
    let found = match told {
        Some((promised, drawn)) if drawn < FADED * promised => drawn,
        Some((promised, _)) => promised,
        None => drawn,
    };
    Some((found * 100.0).round().clamp(100.0, 2100.0) as u32)
}

/// The pixels in the lines of a text, evenly thinned out when they are many.
fn pixels(image: &RgbImage, lines: &[[f32; 4]]) -> Vec<Colour> {
    let area: f32 = lines
        .iter()
        .map(|[l, t, r, b]| (r - l).max(0.0) * (b - t).max(0.0))
        .sum();
    let step = (area / MOST_PIXELS as f32).sqrt().ceil().max(1.0) as usize;
    let clamp = |at: f32, most: u32| at.round().clamp(0.0, most as f32) as u32;
    let mut found = Vec::new();
    for [left, top, right, bottom] in lines {
        let columns = clamp(*left, image.width())..clamp(*right, image.width());
        for y in (clamp(*top, image.height())..clamp(*bottom, image.height())).step_by(step) {
            let row = columns.clone().step_by(step);
            found.extend(
                row.filter_map(|x| image.pixel(x, y))
                    .map(|p| p.map(f32::from)),
            );
        }
    }
    found
}

fn median(pixels: &[Colour]) -> Option<Colour> {
    let mut sorted = pixels.to_vec();
    sorted.sort_by(|a, b| luminance(*a).total_cmp(&luminance(*b)));
    sorted.get(sorted.len() / 2).copied()
}

/// The colour of the pixels that stand out most from a ground, a few odd ones aside.
fn extreme(pixels: &[Colour], ground: Colour) -> Option<Colour> {
    let mut sorted = pixels.to_vec();
    sorted.sort_by(|a, b| ratio(*a, ground).total_cmp(&ratio(*b, ground)));
    let odd = sorted.len() / 200;
    sorted.get(sorted.len().checked_sub(odd + 1)?).copied()
}

fn mixed(ink: [f32; 4], ground: Colour) -> Colour {
    let [r, g, b, opacity] = ink;
    let opacity = opacity.clamp(0.0, 1.0);
    let mix = |ink: f32, ground: f32| ink * opacity + ground * (1.0 - opacity);
    [mix(r, ground[0]), mix(g, ground[1]), mix(b, ground[2])]
}

fn apart(a: Colour, b: Colour) -> f32 {
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f32::max)
}

/// Relative luminance as WCAG 2 defines it.
fn luminance(colour: Colour) -> f32 {
    let [r, g, b] = colour.map(|value| {
        let share = value / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            libm::powf((share + 0.055) / 1.055, 2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn ratio(a: Colour, b: Colour) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ground with a fifth of its pixels in the colour of letters.
    fn drawn(ground: [u8; 3], letters: [u8; 3]) -> RgbImage {
        let pixel = |at: usize| {
            if at.is_multiple_of(5) {
                letters
            } else {
                ground
            }
        };
        RgbImage::new(100, 20, (0..2000).flat_map(pixel).collect()).unwrap()
    }

    fn of(ground: [u8; 3], letters: [u8; 3], ink: Option<[f32; 4]>) -> u32 {
        let lines = vec![[0.0, 0.0, 100.0, 20.0]];
        contrast(&drawn(ground, letters), &Sample { lines, ink }).unwrap()
    }

    #[test]
    fn known_pairs_of_colours_have_their_known_contrast() {
        assert_eq!(of([255; 3], [0; 3], Some([0.0, 0.0, 0.0, 1.0])), 2100);
        assert_eq!(
            of([255; 3], [119; 3], Some([119.0, 119.0, 119.0, 1.0])),
            448
        );
        assert_eq!(of([0; 3], [0; 3], Some([0.0, 0.0, 0.0, 1.0])), 100);
        assert_eq!(
            of([255; 3], [0; 3], None),
            2100,
            "a colour that nobody told"
        );
    }

    #[test]
    fn what_was_drawn_counts_when_it_is_far_less_than_promised() {
        assert!(of([255; 3], [230; 3], Some([0.0, 0.0, 0.0, 1.0])) < 130);
        let transparent = of([255; 3], [191; 3], Some([0.0, 0.0, 0.0, 0.25]));
        assert!((170..200).contains(&transparent), "{transparent}");
    }

    #[test]
    fn a_text_outside_of_the_picture_has_none() {
        let lines = vec![[500.0, 0.0, 600.0, 20.0]];
        assert_eq!(
            contrast(&drawn([0; 3], [0; 3]), &Sample { lines, ink: None }),
            None
        );
    }
}
