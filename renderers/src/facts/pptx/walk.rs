// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walks over what a slide draws, from the master's shapes to its own, and collects the facts of each.

use deckproof_package::ns::{A, C, DGM, MC, NodeExt, P};
use deckproof_package::roxmltree::{Document, Node};
use deckproof_package::{PackageError, Slide};

use super::canon::Canon;
use super::color::Fill;
use super::element::{self, Style, put};
use super::inherit::{Lineage, Placeholders, non_visual, placeholder};
use super::parts::{Part, Scope, Shelf};
use super::place::{Placement, Transform, turned};
use super::text_style::{Looks, Styles, looks};
use super::visible::{Probe, Scene};
use super::{FactsError, MAX_ELEMENTS, chart, diagram, picture, table, text};
use crate::facts::{ElementFact, ImageFact, Rect, SlideFacts, TextFact, TextOrigin};

/// Collects the facts of one slide.
pub(super) fn slide(
    shelf: &Shelf<'_>,
    slide: &Slide,
    index: u32,
    canvas: Rect,
) -> Result<SlideFacts, FactsError> {
    let scope = Scope::new(shelf, slide)?;
    let mut walker = Walker {
        layout: Placeholders::of(scope.layout),
        master: Placeholders::of(scope.master),
        number: number(&scope, index),
        index,
        scene: Scene::new(canvas, background(&scope)),
        facts: SlideFacts::default(),
        scope: &scope,
    };
    walker.slide_itself();
    walker.sources()?;
    let Walker {
        scene, mut facts, ..
    } = walker;
    scene.settle(&mut facts);
    Ok(facts)
}

/// The number that a slide number field shows.
fn number(scope: &Scope<'_, '_>, index: u32) -> String {
    let first = scope
        .shelf
        .presentation
        .root()
        .plain("firstSlideNum")
        .and_then(|text| text.trim().parse::<i64>().ok());
    first
        .unwrap_or(1)
        .saturating_add(i64::from(index) - 1)
        .to_string()
}

/// The part whose background shows, and the background.
fn background_node<'w, 'p>(scope: &'w Scope<'_, 'p>) -> Option<(&'w Part<'p>, Node<'w, 'p>)> {
    let parts = [Some(&scope.slide), scope.layout, scope.master];
    parts
        .into_iter()
        .flatten()
        .find_map(|part| Some((part, part.root().child(P, "cSld")?.child(P, "bg")?)))
}

fn background(scope: &Scope<'_, '_>) -> Fill {
    let white = Fill::Solid([255, 255, 255]);
    let Some((_, node)) = background_node(scope) else {
        return white;
    };
    let fill = node
        .child(P, "bgPr")
        .and_then(|node| Fill::inside(&node, &scope.theme, &scope.map));
    let reference = node
        .child(P, "bgRef")
        .map(|node| Fill::of_reference(&node, &scope.theme, &scope.map));
    fill.or(reference)
        .filter(|fill| *fill != Fill::None)
        .unwrap_or(white)
}

/// A part whose shapes are drawn on the slide.
#[derive(Clone, Copy)]
struct Source<'w, 'p> {
    part: &'w Part<'p>,
    /// Whether it is the slide itself: only there are placeholders drawn.
    own: bool,
}

/// Where a shape stands: its key, its coordinates, and whether a group around it is hidden.
#[derive(Clone)]
struct Spot {
    key: String,
    place: Placement,
    hidden: bool,
}

/// A shape's box on the slide, settled.
struct Frame {
    transform: Transform,
    /// As if it were upright.
    rect: Rect,
    /// As it is seen.
    seen: Rect,
}

struct Walker<'w, 'p> {
    scope: &'w Scope<'w, 'p>,
    layout: Placeholders<'w, 'p>,
    master: Placeholders<'w, 'p>,
    number: String,
    index: u32,
    scene: Scene,
    facts: SlideFacts,
}

impl<'w, 'p> Walker<'w, 'p> {
    /// The slide as an element of its own: its background and what it rests on.
    fn slide_itself(&mut self) {
        let scope = self.scope;
        let root = scope.slide.root();
        let canon = element::canon(scope, &scope.slide.relationships);
        let mut style = Style::new();
        for (name, node) in [("transition", "transition"), ("animation", "timing")] {
            put(
                &mut style,
                name,
                root.child(P, node).map(|node| canon.of(&node)),
            );
        }
        let over = root
            .child(P, "clrMapOvr")
            .and_then(|node| node.child(A, "overrideClrMapping"));
        put(&mut style, "color-map", over.map(|node| canon.of(&node)));
        put(
            &mut style,
            "master-shapes",
            root.plain("showMasterSp").map(str::to_owned),
        );
        let name = |part: &Part<'_>| {
            part.root()
                .child(P, "cSld")?
                .plain("name")
                .map(str::to_owned)
        };
        put(&mut style, "layout", scope.layout.and_then(name));
        for (name, part) in [
            ("layout-content", scope.layout),
            ("master-content", scope.master),
        ] {
            put(&mut style, name, part.map(|part| scope.shelf.content(part)));
        }
        put(
            &mut style,
            "theme-content",
            Some(scope.theme.content.clone()),
        );
        let canvas = self.scene.canvas;
        if let Some((part, node)) = background_node(scope) {
            self.background(part, &node, &mut style);
        }
        self.facts.elements.push(ElementFact {
            kind: "slide".to_owned(),
            style,
            rect: canvas,
            visible: true,
            ..ElementFact::default()
        });
    }

    fn background(&mut self, part: &Part<'_>, node: &Node<'_, '_>, style: &mut Style) {
        let canon = element::canon(self.scope, &part.relationships);
        let properties = node.child(P, "bgPr");
        let fill = properties.and_then(|node| super::color::fill_node(&node));
        let text = fill.map_or_else(
            || canon.inside(node, |_| true),
            |fill| element::fill_text(&fill, self.scope, &canon),
        );
        put(style, "fill", Some(text));
        if let Some(fill) = fill {
            let images = picture::images(&fill, &part.relationships, self.scope.shelf);
            self.images(images, self.scene.canvas, "", true);
        }
    }

    /// Master, layout and slide, as far as each is drawn.
    fn sources(&mut self) -> Result<(), FactsError> {
        let scope = self.scope;
        let shows = |part: &Part<'_>| part.root().flag("showMasterSp") != Some(false);
        if shows(&scope.slide) {
            if let Some(part) = scope.master.filter(|_| scope.layout.is_none_or(shows)) {
                self.part(Source { part, own: false }, "master:")?;
            }
            if let Some(part) = scope.layout {
                self.part(Source { part, own: false }, "layout:")?;
            }
        }
        self.part(
            Source {
                part: &scope.slide,
                own: true,
            },
            "",
        )
    }

    fn part(&mut self, source: Source<'w, 'p>, key: &str) -> Result<(), FactsError> {
        let tree = source
            .part
            .root()
            .child(P, "cSld")
            .and_then(|node| node.child(P, "spTree"));
        let spot = Spot {
            key: key.to_owned(),
            place: Placement::SLIDE,
            hidden: false,
        };
        tree.map_or(Ok(()), |tree| self.tree(tree, source, &spot))
    }

    fn tree(
        &mut self,
        tree: Node<'w, 'p>,
        source: Source<'w, 'p>,
        within: &Spot,
    ) -> Result<(), FactsError> {
        for (node, at) in drawables(tree).into_iter().zip(0_usize..) {
            if self.facts.elements.len() + self.facts.texts.len() > MAX_ELEMENTS {
                return Err(FactsError::TooMany {
                    slide: self.index,
                    what: "elements",
                    limit: MAX_ELEMENTS,
                });
            }
            let hidden = within.hidden || is_hidden(&node);
            let spot = Spot {
                key: format!("{}{at}", within.key),
                place: within.place,
                hidden,
            };
            if !source.own && placeholder(&node).is_some() {
                continue;
            }
            match node.tag_name().name() {
                "grpSp" => self.group(node, source, &spot)?,
                "graphicFrame" => self.graphic(node, source, &spot)?,
                "pic" => self.picture(node, source, &spot),
                _ => self.shape(node, source, &spot),
            }
        }
        Ok(())
    }

    fn group(
        &mut self,
        node: Node<'w, 'p>,
        source: Source<'w, 'p>,
        spot: &Spot,
    ) -> Result<(), FactsError> {
        let lineage = self.lineage(node, source);
        let frame = self.frame(&lineage, spot);
        let canon = element::canon(self.scope, &source.part.relationships);
        let style = element::shape(&lineage, &frame.transform, self.scope, &canon);
        self.element(&node, "group", spot, &frame, style, String::new());
        let inner = Spot {
            key: format!("{}/", spot.key),
            place: spot.place.inside(&node),
            hidden: spot.hidden,
        };
        self.tree(node, source, &inner)
    }

    fn lineage(&self, node: Node<'w, 'p>, source: Source<'w, 'p>) -> Lineage<'w, 'p> {
        if source.own {
            Lineage::of(node, &self.layout, &self.master)
        } else {
            Lineage {
                placeholder: None,
                shapes: vec![node],
            }
        }
    }

    fn frame(&self, lineage: &Lineage<'w, 'p>, spot: &Spot) -> Frame {
        let own = lineage.shapes.first().and_then(Transform::of);
        let transform = own
            .or_else(|| lineage.first(Transform::of))
            .unwrap_or_default();
        // What is inherited is in the slide's coordinates already.
        let rect = if own.is_some() {
            spot.place.apply(transform.rect)
        } else {
            transform.rect
        };
        let seen = if transform.is_sideways() {
            turned(rect)
        } else {
            rect
        };
        Frame {
            transform,
            rect,
            seen,
        }
    }

    fn element(
        &mut self,
        node: &Node<'_, '_>,
        kind: &str,
        spot: &Spot,
        frame: &Frame,
        style: Style,
        text: String,
    ) {
        let name = non_visual(node).and_then(|node| node.child(P, "cNvPr")?.plain("name"));
        // Lines have no area and are seen all the same.
        let placed = kind == "connector" || self.scene.on_slide(&frame.seen);
        self.facts.elements.push(ElementFact {
            key: spot.key.clone(),
            kind: kind.to_owned(),
            name: name.unwrap_or_default().to_owned(),
            text,
            style,
            rect: frame.rect,
            visible: !spot.hidden && placed,
        });
    }

    /// A shape or connector with its text.
    fn shape(&mut self, node: Node<'w, 'p>, source: Source<'w, 'p>, spot: &Spot) {
        let lineage = self.lineage(node, source);
        let frame = self.frame(&lineage, spot);
        let canon = element::canon(self.scope, &source.part.relationships);
        let mut style = element::shape(&lineage, &frame.transform, self.scope, &canon);
        let body = node.child(P, "txBody");
        let text = body
            .map(|body| text::with_number(&body, Some(&self.number)))
            .unwrap_or_default();
        let looks = match body.filter(|_| !text.is_empty()) {
            Some(body) => looks(&body, &Styles::of(&lineage, self.scope), self.scope, &canon),
            None => Looks::default(),
        };
        style.extend(looks.style.clone());
        let kind = match node.tag_name().name() {
            "sp" => "shape",
            "cxnSp" => "connector",
            _ => "other",
        };
        self.element(&node, kind, spot, &frame, style, text.clone());
        let fill = element::fill(&lineage, self.scope);
        if !spot.hidden {
            self.scene.cover(
                frame.seen,
                fill.clone(),
                element::is_box(&lineage, &frame.transform),
            );
        }
        let pictured = node
            .child(P, "spPr")
            .and_then(|node| node.child(A, "blipFill"));
        if let Some(fill) = pictured {
            let images = picture::images(&fill, &source.part.relationships, self.scope.shelf);
            self.images(images, frame.seen, &spot.key, !spot.hidden);
        }
        let is_footer = |kind: &str| matches!(kind, "sldNum" | "dt" | "ftr");
        let in_footer = lineage
            .placeholder
            .as_ref()
            .is_some_and(|holder| is_footer(&holder.kind));
        let origin = if in_footer || body.is_some_and(|body| text::is_field(&body)) {
            TextOrigin::Field
        } else {
            TextOrigin::Block
        };
        self.text(text, origin, frame.seen, spot, &looks, fill);
    }

    /// Adds a text, to be judged when all that lies over it is known.
    fn text(
        &mut self,
        text: String,
        origin: TextOrigin,
        rect: Rect,
        spot: &Spot,
        looks: &Looks,
        fill: Fill,
    ) {
        if text.is_empty() {
            return;
        }
        let visible = !spot.hidden && !looks.unreadable && self.scene.on_slide(&rect);
        self.scene.text(Probe {
            text: self.facts.texts.len(),
            rect,
            colors: looks.colors.clone(),
            fill,
        });
        self.facts.texts.push(TextFact {
            text,
            rect,
            visible,
            origin,
            element: spot.key.clone(),
            legibility: None,
        });
    }

    fn picture(&mut self, node: Node<'w, 'p>, source: Source<'w, 'p>, spot: &Spot) {
        let lineage = self.lineage(node, source);
        let frame = self.frame(&lineage, spot);
        let canon = element::canon(self.scope, &source.part.relationships);
        let mut style = element::shape(&lineage, &frame.transform, self.scope, &canon);
        let fill = node.child(P, "blipFill");
        let images =
            fill.map(|fill| picture::images(&fill, &source.part.relationships, self.scope.shelf));
        let images = images.unwrap_or_default();
        let hashes: Vec<&str> = images
            .iter()
            .map(|image| image.sha256.as_deref().unwrap_or("absent"))
            .collect();
        put(&mut style, "picture", Some(hashes.join(" ")));
        put(
            &mut style,
            "picture-fill",
            fill.map(|node| canon.inside(&node, |_| true)),
        );
        let media = non_visual(&node).and_then(|node| node.child(P, "nvPr"));
        put(
            &mut style,
            "media",
            media.map(|node| canon.inside(&node, |child| !child.is(P, "ph"))),
        );
        self.element(&node, "picture", spot, &frame, style, String::new());
        let faded = fill.is_some_and(|fill| is_faded(&fill));
        self.images(images, frame.seen, &spot.key, !spot.hidden && !faded);
        if !spot.hidden {
            self.scene.cover(frame.seen, Fill::Unknown, false);
        }
    }

    fn images(&mut self, images: Vec<ImageFact>, rect: Rect, element: &str, shown: bool) {
        for image in images {
            let left = i64::from(image.crop.left) + i64::from(image.crop.right);
            let top = i64::from(image.crop.top) + i64::from(image.crop.bottom);
            let remains = left < 100_000 && top < 100_000;
            let visible = image.visible && shown && remains && self.scene.on_slide(&rect);
            self.scene.image(self.facts.images.len(), rect);
            let seen = rect.intersection(&self.scene.canvas);
            self.facts.images.push(ImageFact {
                rect,
                shown: seen,
                visible,
                element: element.to_owned(),
                ..image
            });
        }
    }

    /// A graphic frame: a table, a chart, a diagram, or an object with a preview.
    fn graphic(
        &mut self,
        node: Node<'w, 'p>,
        source: Source<'w, 'p>,
        spot: &Spot,
    ) -> Result<(), FactsError> {
        let lineage = self.lineage(node, source);
        let frame = self.frame(&lineage, spot);
        let relationships = &source.part.relationships;
        let canon = element::canon(self.scope, relationships);
        let mut style = element::shape(&lineage, &frame.transform, self.scope, &canon);
        if !spot.hidden {
            self.scene.cover(frame.seen, Fill::Unknown, false);
        }
        let data = node
            .child(A, "graphic")
            .and_then(|node| node.child(A, "graphicData"));
        let content = data.and_then(|node| node.first_element_child());
        let Some(content) = content else {
            self.element(&node, "other", spot, &frame, style, String::new());
            return Ok(());
        };
        if content.is(A, "tbl") {
            self.table(&node, &content, spot, &frame, style, &canon);
        } else if content.is(DGM, "relIds") {
            style.extend(diagram::style(&content, relationships, self.scope.shelf));
            let part = content
                .relationship("dm")
                .and_then(|id| relationships.part(id));
            let texts = self
                .read(part)?
                .map(|document| diagram::texts(&document))
                .unwrap_or_default();
            self.element(&node, "diagram", spot, &frame, style, texts.join("\n"));
            for text in texts {
                self.text(
                    text,
                    TextOrigin::Diagram,
                    frame.seen,
                    spot,
                    &Looks::default(),
                    Fill::Unknown,
                );
            }
        } else if content.is(C, "chart") || content.tag_name().name() == "chart" {
            let part = content
                .relationship("id")
                .and_then(|id| relationships.part(id));
            self.chart(&node, part, spot, &frame, style)?;
        } else {
            put(&mut style, "object", Some(canon.of(&content)));
            self.element(&node, "other", spot, &frame, style, String::new());
            let previews = content.descendants().filter(|node| node.is(P, "blipFill"));
            let images: Vec<_> = previews
                .flat_map(|fill| picture::images(&fill, relationships, self.scope.shelf))
                .collect();
            self.images(images, frame.seen, &spot.key, !spot.hidden);
        }
        Ok(())
    }

    /// A part that a frame shows; one that is absent shows nothing, and soundness names it.
    fn read(&self, part: Option<&str>) -> Result<Option<Document<'p>>, PackageError> {
        let package = self.scope.shelf.package;
        part.filter(|part| package.has(part))
            .map(|part| package.document(part))
            .transpose()
    }

    fn table(
        &mut self,
        node: &Node<'_, '_>,
        content: &Node<'w, 'p>,
        spot: &Spot,
        frame: &Frame,
        mut style: Style,
        canon: &Canon<'_, '_>,
    ) {
        let table = table::read(content, frame.rect, self.scope, canon, MAX_ELEMENTS);
        style.extend(table.style);
        self.element(node, "table", spot, frame, style, String::new());
        for cell in table.cells {
            let (row, column) = cell.at;
            let spot = Spot {
                key: format!("{}/row {row} column {column}", spot.key),
                ..spot.clone()
            };
            self.facts.elements.push(ElementFact {
                key: spot.key.clone(),
                kind: "cell".to_owned(),
                name: String::new(),
                text: cell.text.clone(),
                style: cell.style,
                rect: cell.rect,
                visible: !spot.hidden && self.scene.on_slide(&cell.rect),
            });
            self.text(
                cell.text,
                TextOrigin::Cell,
                cell.rect,
                &spot,
                &cell.looks,
                cell.fill,
            );
        }
    }

    fn chart(
        &mut self,
        node: &Node<'_, '_>,
        part: Option<&str>,
        spot: &Spot,
        frame: &Frame,
        mut style: Style,
    ) -> Result<(), FactsError> {
        let chart = match (self.read(part)?, part) {
            (Some(document), Some(part)) => {
                let relationships = self.scope.shelf.package.relationships(part)?;
                let canon = Canon {
                    without_text: true,
                    ..element::canon(self.scope, &relationships)
                };
                chart::read(&document, self.scope, &canon)
            }
            _ => chart::Chart::default(),
        };
        style.extend(chart.style);
        let texts: Vec<&str> = chart
            .labels
            .iter()
            .map(|label| label.text.as_str())
            .collect();
        self.element(node, "chart", spot, frame, style, texts.join("\n"));
        for label in chart.labels {
            let spot = Spot {
                hidden: spot.hidden || !label.shown,
                ..spot.clone()
            };
            self.text(
                label.text,
                label.origin,
                frame.seen,
                &spot,
                &Looks::default(),
                Fill::Unknown,
            );
        }
        Ok(())
    }
}

/// The children that are drawn, with alternatives settled.
fn drawables<'a, 'input>(tree: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
    const KINDS: [&str; 5] = ["sp", "pic", "grpSp", "graphicFrame", "cxnSp"];
    let mut found = Vec::new();
    for child in tree.children().filter(Node::is_element) {
        if KINDS.iter().any(|kind| child.is(P, kind)) {
            found.push(child);
        } else if child.is(MC, "AlternateContent") {
            found.extend(alternative(&child, &KINDS));
        }
    }
    found
}

/// The first branch whose content is of a known kind: the fallback where the choice is ink or a 3-D model.
fn alternative<'a, 'input>(node: &Node<'a, 'input>, kinds: &[&str]) -> Vec<Node<'a, 'input>> {
    let branches = node
        .children()
        .filter(|branch| branch.is(MC, "Choice") || branch.is(MC, "Fallback"));
    let known = |branch: Node<'a, 'input>| -> Vec<_> {
        branch
            .children()
            .filter(|child| kinds.iter().any(|kind| child.is(P, kind)))
            .collect()
    };
    branches
        .map(known)
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

fn is_hidden(node: &Node<'_, '_>) -> bool {
    non_visual(node).and_then(|node| node.child(P, "cNvPr")?.flag("hidden")) == Some(true)
}

/// Whether a picture is made too transparent to be seen.
fn is_faded(fill: &Node<'_, '_>) -> bool {
    let fade = fill
        .child(A, "blip")
        .and_then(|blip| blip.child(A, "alphaModFix"));
    fade.is_some_and(|node| {
        node.plain("amt")
            .and_then(|text| text.trim().parse::<i64>().ok())
            .is_some_and(|amount| amount < 5_000)
    })
}
