// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be seen: whatever is shown, on the slide, not under something opaque, and not in the colour of what lies
//! behind it. In doubt a thing is visible.

use super::color::{Fill, Rgb};
use crate::facts::{Rect, SlideFacts};

/// Layers above or below that are looked at for one thing; real slides have a few dozen in all.
const MAX_LAYERS: usize = 2_000;
/// Two colours are one to the eye when no channel differs by more than this.
const SAME_COLOR: u8 = 8;

/// Something drawn that may hide or back other things.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Layer {
    rect: Rect,
    fill: Fill,
    /// Whether it fills its box to the corners.
    whole: bool,
}

/// A text to be judged when all layers are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Probe {
    /// Its place among the slide's texts.
    pub(super) text: usize,
    pub(super) rect: Rect,
    /// The plain colours of its runs.
    pub(super) colors: Vec<Rgb>,
    /// The fill of its own shape.
    pub(super) fill: Fill,
}

/// Everything drawn on a slide, in order.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) canvas: Rect,
    pub(super) background: Fill,
    layers: Vec<Layer>,
    texts: Vec<(usize, Probe)>,
    images: Vec<(usize, usize, Rect)>,
}

impl Scene {
    pub(super) fn new(canvas: Rect, background: Fill) -> Self {
        Self {
            canvas,
            background,
            layers: Vec::new(),
            texts: Vec::new(),
            images: Vec::new(),
        }
    }

    /// Whether at least half of a box is on the slide.
    pub(super) fn on_slide(&self, rect: &Rect) -> bool {
        rect.area() > 0 && rect.intersection(&self.canvas).area() * 2 >= rect.area()
    }

    /// Adds something that may hide or back other things.
    pub(super) fn cover(&mut self, rect: Rect, fill: Fill, whole: bool) {
        if fill != Fill::None && rect.area() > 0 {
            self.layers.push(Layer { rect, fill, whole });
        }
    }

    /// Adds a text that is visible as far as its own attributes go.
    pub(super) fn text(&mut self, probe: Probe) {
        self.texts.push((self.layers.len(), probe));
    }

    /// Adds a picture of which the same is true; its place among the slide's pictures and its box.
    pub(super) fn image(&mut self, image: usize, rect: Rect) {
        self.images.push((self.layers.len(), image, rect));
    }

    /// Judges everything added.
    pub(super) fn settle(&self, facts: &mut SlideFacts) {
        for (order, probe) in &self.texts {
            let seen = !self.covered(*order, &probe.rect) && !self.drowned(*order, probe);
            if let Some(text) = facts.texts.get_mut(probe.text) {
                text.visible = text.visible && seen;
            }
        }
        for (order, image, rect) in &self.images {
            if let Some(image) = facts.images.get_mut(*image) {
                image.visible = image.visible && !self.covered(*order, rect);
            }
        }
    }

    /// Whether something opaque drawn later hides all of a box.
    fn covered(&self, order: usize, rect: &Rect) -> bool {
        let later = self.layers.iter().skip(order).take(MAX_LAYERS);
        let inside = rect.intersection(&self.canvas);
        later.into_iter().any(|layer| {
            layer.whole
                && matches!(layer.fill, Fill::Solid(_))
                && layer.rect.intersection(&inside) == inside
        })
    }

    /// Whether a text has the colour of what lies behind it.
    fn drowned(&self, order: usize, probe: &Probe) -> bool {
        match self.backdrop(order, probe) {
            Fill::Solid(behind) => probe.colors.iter().any(|color| same_color(color, &behind)),
            Fill::None | Fill::Unknown => false,
        }
    }

    fn backdrop(&self, order: usize, probe: &Probe) -> Fill {
        if probe.fill != Fill::None {
            return probe.fill.clone();
        }
        let earlier = self
            .layers
            .get(..order)
            .unwrap_or_default()
            .iter()
            .rev()
            .take(MAX_LAYERS);
        for layer in earlier {
            let shared = layer.rect.intersection(&probe.rect);
            if shared.area() == 0 {
                continue;
            }
            let whole = layer.whole && shared == probe.rect;
            return if whole {
                layer.fill.clone()
            } else {
                Fill::Unknown
            };
        }
        self.background.clone()
    }
}

fn same_color(a: &Rgb, b: &Rgb) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= SAME_COLOR)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::TextFact;

    const WHITE: Rgb = [255, 255, 255];
    const BLACK: Rgb = [0, 0, 0];

    fn rect(x: i64, y: i64, width: i64, height: i64) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    /// Whether a text at (10,10)-(20,20) of this colour is seen, with layers below and above it.
    fn seen(color: Rgb, below: &[(Rect, Fill)], above: &[(Rect, Fill)]) -> bool {
        let mut scene = Scene::new(rect(0, 0, 100, 100), Fill::Solid(WHITE));
        for (rect, fill) in below {
            scene.cover(*rect, fill.clone(), true);
        }
        scene.text(Probe {
            text: 0,
            rect: rect(10, 10, 10, 10),
            colors: vec![color],
            fill: Fill::None,
        });
        for (rect, fill) in above {
            scene.cover(*rect, fill.clone(), true);
        }
        let text = TextFact {
            visible: true,
            ..TextFact::default()
        };
        let mut facts = SlideFacts {
            texts: vec![text],
            ..SlideFacts::default()
        };
        scene.settle(&mut facts);
        facts.texts.iter().all(|text| text.visible)
    }

    #[test]
    fn the_colour_of_the_backdrop_hides() {
        let big = rect(0, 0, 50, 50);
        assert!(
            seen(BLACK, &[], &[]) && !seen(WHITE, &[], &[]) && !seen([250, 255, 249], &[], &[])
        );
        assert!(
            seen(WHITE, &[(big, Fill::Solid(BLACK))], &[])
                && !seen(BLACK, &[(big, Fill::Solid(BLACK))], &[])
        );
        assert!(
            seen(WHITE, &[(big, Fill::Unknown)], &[]),
            "in doubt it is visible"
        );
        assert!(
            seen(WHITE, &[(rect(15, 0, 50, 50), Fill::Solid(BLACK))], &[]),
            "half of it is on black"
        );
        assert!(
            !seen(WHITE, &[(rect(50, 50, 9, 9), Fill::Solid(BLACK))], &[]),
            "the black is elsewhere"
        );
    }

    #[test]
    fn what_lies_above_hides_when_opaque_and_large_enough() {
        assert!(!seen(
            BLACK,
            &[],
            &[(rect(0, 0, 50, 50), Fill::Solid(WHITE))]
        ));
        assert!(seen(
            BLACK,
            &[],
            &[(rect(0, 0, 15, 50), Fill::Solid(WHITE))]
        ));
        assert!(seen(BLACK, &[], &[(rect(0, 0, 50, 50), Fill::Unknown)]));
    }

    #[test]
    fn most_of_a_box_must_be_on_the_slide() {
        let scene = Scene::new(rect(0, 0, 100, 100), Fill::None);
        assert!(scene.on_slide(&rect(-5, 0, 10, 10)) && scene.on_slide(&rect(0, 0, 100, 100)));
        assert!(!scene.on_slide(&rect(-6, 0, 10, 10)) && !scene.on_slide(&rect(200, 0, 10, 10)));
        assert!(!scene.on_slide(&rect(10, 10, 0, 10)), "no area");
    }
}
