// SPDX-License-Identifier: MIT OR Apache-2.0
//! The display list that layout makes and the SVG writer writes: paths, pictures and groups, in points.

use std::sync::Arc;

use crate::color::Color;
use crate::geometry::{Affine, Path, Rect};
use crate::tree::{Blend, Cap, Join};

/// Something to draw.
#[derive(Debug, Clone)]
pub enum Item {
    /// A path.
    Path {
        /// Outline.
        path: Path,
        /// Fill.
        fill: Option<Paint>,
        /// Stroke.
        stroke: Option<Stroke>,
        /// Whether the even-odd rule holds.
        even_odd: bool,
    },
    /// A picture.
    Image {
        /// PNG or JPEG bytes.
        image: Arc<Encoded>,
        /// Where.
        rect: Rect,
        /// Opacity.
        alpha: f64,
    },
    /// Several items.
    Group(Group),
}

/// A group of items.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Map to the parent's coordinates.
    pub map: Affine,
    /// Outline that cuts it, in its own coordinates.
    pub clip: Option<Path>,
    /// Whether the clip follows the even-odd rule.
    pub clip_even_odd: bool,
    /// Opacity.
    pub opacity: Option<f64>,
    /// Filter on the whole.
    pub filter: Option<Filter>,
    /// Opacity that falls from top to bottom: y and opacity, twice.
    pub fade: Option<[(f64, f64); 2]>,
    /// How its colours and those below make others; without one, they cover.
    pub blend: Option<Blend>,
    /// What is in it.
    pub items: Vec<Item>,
}

/// Encoded picture bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Encoded {
    /// `image/png` or `image/jpeg`.
    pub mime: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Pixel size.
    pub size: (u32, u32),
    /// Whether it comes in the size that it is drawn at, or is soft, so that the nearest four pixels are enough.
    pub shrunk: bool,
}

/// A filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Filter {
    /// Everything becomes one colour, then blurred: standard deviation in points.
    Tint(Color, f64),
    /// Grown by a radius, coloured and blurred.
    Glow(Color, f64),
    /// Edges fade inwards over a radius.
    SoftEdge(f64),
    /// Blurred.
    Blur(f64),
    /// A shadow inside: colour, deviation, offset.
    Inner(Color, f64, (f64, f64)),
}

/// A paint.
#[derive(Debug, Clone)]
pub enum Paint {
    /// One colour.
    Solid(Color),
    /// A linear gradient between two points.
    Linear {
        /// Start.
        from: (f64, f64),
        /// End.
        to: (f64, f64),
        /// Stops.
        stops: Vec<(f64, Color)>,
    },
    /// A radial gradient.
    Radial {
        /// Centre.
        centre: (f64, f64),
        /// Radii along x and y.
        radius: (f64, f64),
        /// Stops from the centre.
        stops: Vec<(f64, Color)>,
    },
    /// A repeated tile.
    Tile(Arc<TilePaint>),
}

/// A repeated tile of items.
#[derive(Debug, Clone)]
pub struct TilePaint {
    /// One tile.
    pub rect: Rect,
    /// Map of the tile's coordinates to the path's.
    pub map: Affine,
    /// What is in it.
    pub items: Vec<Item>,
}

/// A stroke.
#[derive(Debug, Clone)]
pub struct Stroke {
    /// Paint.
    pub paint: Paint,
    /// Width in points.
    pub width: f64,
    /// Dashes in points.
    pub dash: Vec<f64>,
    /// Ends.
    pub cap: Cap,
    /// Corners.
    pub join: Join,
}

impl Group {
    /// The outline that cuts something off; `None` too when all items lie within a plain box, since every clip costs a
    /// layer and a mask as large as what it cuts.
    #[must_use]
    pub fn cutting(&self) -> Option<&Path> {
        let clip = self.clip.as_ref()?;
        let inside = clip
            .as_rect()
            .zip(bounds(&self.items))
            .is_some_and(|(c, b)| c.contains(&b));
        (!inside || self.items.iter().any(Item::is_filtered)).then_some(clip)
    }
}

impl Item {
    /// Whether a filter, which draws beyond the bounds, is in it.
    fn is_filtered(&self) -> bool {
        match self {
            Self::Group(g) => g.filter.is_some() || g.items.iter().any(Self::is_filtered),
            Self::Path { .. } | Self::Image { .. } => false,
        }
    }
    /// A filled path.
    #[must_use]
    pub fn filled(path: Path, paint: Paint) -> Self {
        Self::Path {
            path,
            fill: Some(paint),
            stroke: None,
            even_odd: false,
        }
    }
    /// A group under a map.
    #[must_use]
    pub fn mapped(map: Affine, items: Vec<Self>) -> Self {
        Self::Group(Group {
            map,
            items,
            ..Group::default()
        })
    }
    /// Bounds in the parent's coordinates, strokes included roughly.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        match self {
            Self::Path { path, stroke, .. } => {
                let d = stroke.as_ref().map_or(0.0, |s| s.width);
                path.bounds().map(|b| b.grown(d))
            }
            Self::Image { rect, .. } => Some(*rect),
            Self::Group(g) => {
                let inner = bounds(&g.items)?;
                Path::rect(&inner).mapped(&g.map).bounds()
            }
        }
    }
}

/// Bounds of several items.
#[must_use]
pub fn bounds(items: &[Item]) -> Option<Rect> {
    items
        .iter()
        .filter_map(Item::bounds)
        .reduce(|a, b| a.union(&b))
}
