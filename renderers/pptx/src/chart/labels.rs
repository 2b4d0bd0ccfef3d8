// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data labels: their text, their box, their place.

use super::model::{Labels, PointLabel, Series};
use super::{frame, number, words};
use crate::display::Item;
use crate::geometry::Rect;
use crate::layout::Layouter;
use crate::text::model::RunStyle;

/// Gap between a point and its label in points.
pub const GAP: f64 = 1.5;

/// A label that is ready to be put.
#[derive(Debug, Clone)]
pub struct Label {
    /// Text.
    pub text: String,
    /// Style.
    pub style: RunStyle,
    /// Position as in the file.
    pub position: Option<String>,
    settings: Labels,
}

/// The label of a point, if it has one. `share` is the point's part of the whole.
#[must_use]
pub fn of(s: &Series, i: usize, value: f64, share: Option<f64>) -> Option<Label> {
    let all = s.labels.as_ref()?;
    match all.points.get(&i) {
        Some(PointLabel::Deleted) => None,
        Some(PointLabel::Text(t, style)) => Some(Label {
            text: t.clone(),
            style: (**style).clone(),
            position: all.position.clone(),
            settings: all.clone(),
        }),
        Some(PointLabel::Own(own)) => build(s, i, value, share, own),
        None => build(s, i, value, share, all),
    }
}

fn build(s: &Series, i: usize, value: f64, share: Option<f64>, l: &Labels) -> Option<Label> {
    let mut parts = Vec::new();
    if l.series {
        parts.push(s.name.clone());
    }
    if l.category {
        parts.push(s.categories.get(i).cloned().unwrap_or_default());
    }
    if l.value {
        parts.push(number::format(
            value,
            l.format.as_deref().unwrap_or(&s.format),
        ));
    }
    if let Some(p) = share.filter(|_| l.percent) {
        let code = l
            .format
            .as_deref()
            .filter(|f| f.contains('%'))
            .unwrap_or("0%");
        parts.push(number::format(p, code));
    }
    if parts.is_empty() {
        return None;
    }
    let separator = match l.separator.as_deref() {
        Some("\n") => "\u{2028}",
        Some(s) => s,
        None => ", ",
    };
    Some(Label {
        text: parts.join(separator),
        style: l.text.clone(),
        position: l.position.clone(),
        settings: l.clone(),
    })
}

/// Puts a label with the fraction `hang` of its box at a point.
pub fn put(
    l: &mut Layouter<'_>,
    label: &Label,
    at: (f64, f64),
    hang: (f64, f64),
    out: &mut Vec<Item>,
) {
    let (w, h) = words::size(l, &label.text, &label.style, None);
    let r = Rect::new(at.0 - w * hang.0, at.1 - h * hang.1, w, h).grown(1.5);
    frame::panel(
        l,
        &label.settings.fill,
        label.settings.border.as_ref(),
        r,
        out,
    );
    words::put(l, &label.text, &label.style, at, hang, 0.0, out);
}

/// Whether a piece of text fits a width and height.
pub fn fits(l: &mut Layouter<'_>, label: &Label, w: f64, h: f64) -> bool {
    let s = words::size(l, &label.text, &label.style, None);
    s.0 <= w && s.1 <= h
}
