// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where shapes lie: transforms, and groups that scale and move what is in them.

use deckproof_package::ns::{A, NodeExt, P};
use deckproof_package::roxmltree::Node;

use crate::facts::Rect;

/// Lengths beyond this many EMU (a thousand times the largest slide) are cut, so that sums do not overflow.
const FARTHEST: i64 = 51_206_400_000;

/// A shape's own transform (`a:xfrm`, `p:xfrm`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Transform {
    pub(super) rect: Rect,
    /// Clockwise, in 60,000ths of a degree.
    pub(super) rotation: i64,
    pub(super) flip_h: bool,
    pub(super) flip_v: bool,
}

impl Transform {
    /// The transform of a shape, a picture, a connector, a group or a graphic frame.
    pub(super) fn of(shape: &Node<'_, '_>) -> Option<Self> {
        let node = transform_node(shape)?;
        let rect = read_rect(&node, "off", "ext")?;
        let rotation = node
            .plain("rot")
            .and_then(|text| text.trim().parse::<i64>().ok())
            .unwrap_or_default();
        Some(Self {
            rect,
            rotation: rotation.rem_euclid(21_600_000),
            flip_h: node.flag("flipH") == Some(true),
            flip_v: node.flag("flipV") == Some(true),
        })
    }

    /// Whether width and height change places on the slide.
    pub(super) fn is_sideways(&self) -> bool {
        let quarter = self.rotation.rem_euclid(10_800_000);
        (2_700_000..8_100_000).contains(&quarter)
    }
}

fn transform_node<'a, 'input>(shape: &Node<'a, 'input>) -> Option<Node<'a, 'input>> {
    let properties = shape.child(P, "spPr").or_else(|| shape.child(P, "grpSpPr"));
    properties
        .and_then(|node| node.child(A, "xfrm"))
        .or_else(|| shape.child(P, "xfrm"))
}

fn read_rect(node: &Node<'_, '_>, at: &str, size: &str) -> Option<Rect> {
    let (at, size) = (node.child(A, at)?, node.child(A, size)?);
    Some(Rect {
        x: length(&at, "x")?,
        y: length(&at, "y")?,
        width: length(&size, "cx")?.max(0),
        height: length(&size, "cy")?.max(0),
    })
}

/// A length in EMU; strict files may give units, as in `1.5in` (ECMA-376-1, 22.9.2.1).
pub(super) fn length(node: &Node<'_, '_>, name: &str) -> Option<i64> {
    let text = node.plain(name)?.trim();
    let emu = match text.parse::<i64>() {
        Ok(value) => value,
        Err(_) => with_unit(text)?,
    };
    Some(emu.clamp(-FARTHEST, FARTHEST))
}

fn with_unit(text: &str) -> Option<i64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let emu_per_unit = match unit {
        "mm" => 36_000.0,
        "cm" => 360_000.0,
        "in" => 914_400.0,
        "pt" => 12_700.0,
        "pc" | "pi" => 152_400.0,
        _ => return None,
    };
    Some(round(number.trim().parse::<f64>().ok()? * emu_per_unit))
}

/// The nearest whole number; the cast saturates and takes NaN to 0.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a float cast to an integer saturates, which is what is wanted"
)]
fn round(value: f64) -> i64 {
    value.round() as i64
}

/// From the coordinates of a group's children to the slide's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Placement {
    scale_x: f64,
    scale_y: f64,
    move_x: f64,
    move_y: f64,
}

impl Placement {
    /// The slide's own coordinates.
    pub(super) const SLIDE: Self = Self {
        scale_x: 1.0,
        scale_y: 1.0,
        move_x: 0.0,
        move_y: 0.0,
    };

    /// The coordinates inside a group. Rotated and mirrored groups are taken as if they were not.
    pub(super) fn inside(&self, group: &Node<'_, '_>) -> Self {
        let node = group
            .child(P, "grpSpPr")
            .and_then(|node| node.child(A, "xfrm"));
        let outer = node.and_then(|node| read_rect(&node, "off", "ext"));
        let inner = node.and_then(|node| read_rect(&node, "chOff", "chExt"));
        let (Some(outer), Some(inner)) = (outer, inner) else {
            return *self;
        };
        let scale_x = ratio(outer.width, inner.width);
        let scale_y = ratio(outer.height, inner.height);
        Self {
            scale_x: self.scale_x * scale_x,
            scale_y: self.scale_y * scale_y,
            move_x: self.move_x + self.scale_x * (float(outer.x) - scale_x * float(inner.x)),
            move_y: self.move_y + self.scale_y * (float(outer.y) - scale_y * float(inner.y)),
        }
    }

    /// A box in the slide's coordinates.
    pub(super) fn apply(&self, rect: Rect) -> Rect {
        let cut = |value: f64| round(value).clamp(-FARTHEST, FARTHEST);
        Rect {
            x: cut(self.move_x + self.scale_x * float(rect.x)),
            y: cut(self.move_y + self.scale_y * float(rect.y)),
            width: cut(self.scale_x * float(rect.width)).max(0),
            height: cut(self.scale_y * float(rect.height)).max(0),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "lengths are cut far below 2^53")]
fn float(value: i64) -> f64 {
    value as f64
}

fn ratio(outer: i64, inner: i64) -> f64 {
    if inner == 0 {
        1.0
    } else {
        float(outer) / float(inner)
    }
}

/// A box turned by a quarter around its centre.
pub(super) fn turned(rect: Rect) -> Rect {
    let (width, height) = (rect.height, rect.width);
    Rect {
        x: rect.x + (rect.width - width) / 2,
        y: rect.y + (rect.height - height) / 2,
        width,
        height,
    }
}

#[cfg(test)]
mod tests {
    use deckproof_package::roxmltree::Document;

    use super::*;

    const NS: &str = r#"xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"
        xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main""#;

    #[test]
    fn groups_in_groups_scale_and_move() {
        let group = |off: i64, ext: i64, ch_off: i64, ch_ext: i64| {
            format!(
                r#"<p:grpSp {NS}><p:grpSpPr><a:xfrm><a:off x="{off}" y="{off}"/><a:ext cx="{ext}" cy="{ext}"/><a:chOff
                x="{ch_off}" y="{ch_off}"/><a:chExt cx="{ch_ext}" cy="{ch_ext}"/></a:xfrm></p:grpSpPr></p:grpSp>"#
            )
        };
        let (outer, inner) = (group(100, 200, 0, 100), group(10, 20, 1000, 40));
        let (outer, inner) = (
            Document::parse(&outer).unwrap(),
            Document::parse(&inner).unwrap(),
        );
        let place = Placement::SLIDE
            .inside(&outer.root_element())
            .inside(&inner.root_element());
        // Inner: (1000..1040) to (10..30); outer: (0..100) to (100..300).
        let rect = place.apply(Rect {
            x: 1020,
            y: 1000,
            width: 20,
            height: 40,
        });
        assert_eq!(
            rect,
            Rect {
                x: 140,
                y: 120,
                width: 20,
                height: 40
            }
        );
    }

    #[test]
    fn hostile_numbers_are_cut() {
        let text = format!(
            r#"<p:sp {NS}><p:spPr><a:xfrm rot="-5400000" flipH="1"><a:off x="-9223372036854775808" y="1.5in"/>
            <a:ext cx="9223372036854775807" cy="-5"/></a:xfrm></p:spPr></p:sp>"#
        );
        let document = Document::parse(&text).unwrap();
        let transform = Transform::of(&document.root_element()).unwrap();
        assert_eq!(
            transform.rect,
            Rect {
                x: -FARTHEST,
                y: 1_371_600,
                width: FARTHEST,
                height: 0
            }
        );
        assert!(transform.is_sideways() && transform.flip_h && !transform.flip_v);
        assert_eq!(
            turned(Rect {
                x: 0,
                y: 0,
                width: 40,
                height: 20
            }),
            Rect {
                x: 10,
                y: -10,
                width: 20,
                height: 40
            }
        );
    }
}
