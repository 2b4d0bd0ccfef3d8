// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words in charts: measuring and putting short texts.

use crate::display::Item;
use crate::geometry::{Affine, Rect};
use crate::layout::Layouter;
use crate::text::model::{Align, Paragraph, Run, RunStyle, TextBody};
use crate::text::place::{Scale, flow};

/// A one-style text body.
#[must_use]
pub fn body(text: &str, style: &RunStyle, align: Align, wrap: bool) -> TextBody {
    let run = Run {
        text: text.to_owned(),
        style: style.clone(),
    };
    let p = Paragraph {
        align,
        runs: vec![run],
        end: style.clone(),
        ..Paragraph::default()
    };
    TextBody {
        insets: [0.0; 4],
        wrap,
        paragraphs: vec![p],
        ..TextBody::default()
    }
}

/// Width and height of a text, wrapped at `wrap` points when given.
pub fn size(l: &mut Layouter<'_>, text: &str, style: &RunStyle, wrap: Option<f64>) -> (f64, f64) {
    let b = body(text, style, Align::Left, wrap.is_some());
    measure(l, &b, wrap)
}

/// Width and height of a body.
pub fn measure(l: &mut Layouter<'_>, b: &TextBody, wrap: Option<f64>) -> (f64, f64) {
    let f = flow(l.engine, b, wrap.unwrap_or(f64::INFINITY), Scale::FULL);
    let widest = f.lines.iter().map(|l| l.width).fold(0.0, f64::max);
    (widest, f.height)
}

/// Where a text hangs on its point: fractions of its size.
pub type Hang = (f64, f64);

/// Puts a text so that the point `at` is at the fraction `hang` of its box, turned by `rot` degrees about the point.
pub fn put(
    l: &mut Layouter<'_>,
    text: &str,
    style: &RunStyle,
    at: (f64, f64),
    hang: Hang,
    rot: f64,
    out: &mut Vec<Item>,
) {
    if text.trim().is_empty() {
        return;
    }
    let (w, h) = size(l, text, style, None);
    let b = body(text, style, Align::Center, true);
    put_body(l, &b, (w + 0.5, h), at, hang, rot, out);
}

/// As [`put`], for a body of a known size.
pub fn put_body(
    l: &mut Layouter<'_>,
    b: &TextBody,
    size: (f64, f64),
    at: (f64, f64),
    hang: Hang,
    rot: f64,
    out: &mut Vec<Item>,
) {
    let r = Rect::new(-size.0 * hang.0, -size.1 * hang.1, size.0, size.1);
    let items = l.text_box(b, r);
    out.push(Item::mapped(
        Affine::translate(at.0, at.1).then_inner(&Affine::rotate(rot)),
        items,
    ));
}
