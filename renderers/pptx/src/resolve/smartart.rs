// SPDX-License-Identifier: MIT OR Apache-2.0
//! SmartArt: the drawing that PowerPoint cached; without one, the nodes as a tree or as a row of boxes.

use std::collections::BTreeMap;
use std::rc::Rc;

use roxmltree::Node as Xn;

use super::context::{Cx, Space};
use super::shape;
use crate::color::Color;
use crate::geometry::preset::{FillMode, ShapePath, preset};
use crate::geometry::{Path, Rect};
use crate::resolve::charts::solid_line;
use crate::text::model::{Align, Anchor, Fit, Paragraph, Run, RunStyle, TextBody};
use crate::tree::{Effects, Fill, Frame, Group, Node, Shape};
use crate::xml::Xml;

/// Most nodes that are laid out without a cached drawing.
const MAX_NODES: usize = 60;

/// Resolves `dgm:relIds` in a frame.
pub fn diagram<'a>(e: Xn<'a, 'a>, frame: Frame, cx: &Cx<'a>, out: &mut Vec<Node>) {
    let Some(data_part) = e.attr("dm").and_then(|id| cx.target(id)) else {
        return;
    };
    let Some(data) = cx.parts.shared(data_part) else {
        cx.notes.add(
            "smartart-missing",
            format!("diagram part {data_part} cannot be read"),
        );
        return;
    };
    let root = data.doc.root_element();
    let drawing = root
        .descendants()
        .find(|n| n.is_element() && n.name() == "dataModelExt")
        .and_then(|n| n.attr("relId"))
        .and_then(|id| cx.target(id))
        .or_else(|| {
            cx.rels
                .iter()
                .find(|r| r.kind == "diagramDrawing")
                .and_then(|r| r.part())
        });
    if let Some(group) = drawing.and_then(|part| drawn(part, frame, cx)) {
        out.push(Node::Group(Box::new(group)));
        return;
    }
    cx.notes.add(
        "smartart-layout",
        "SmartArt without its cached drawing is laid out as a plain tree or row of boxes",
    );
    out.push(Node::Group(Box::new(plain(root, frame, cx))));
}

/// The cached drawing: a shape tree of its own part with its own relationships.
fn drawn(name: &str, frame: Frame, cx: &Cx<'_>) -> Option<Group> {
    let part: Rc<_> = cx.parts.shared(name)?;
    let tree = part.doc.root_element().child("spTree")?;
    if tree
        .elements()
        .all(|n| n.name() != "sp" && n.name() != "grpSp" && n.name() != "pic")
    {
        return None;
    }
    let inner = Cx {
        rels: &part.rels,
        space: Space::PLAIN,
        depth: cx.depth + 1,
        ..cx.clone()
    };
    let children = shape::children(tree, &inner, false);
    let frame = Frame { rot: 0.0, ..frame };
    Some(Group {
        frame,
        children,
        effects: Effects::default(),
    })
}

/// A node of the diagram with what hangs below it.
#[derive(Debug, Default)]
struct Branch {
    text: String,
    children: Vec<Branch>,
}

impl Branch {
    /// Leaves below, at least one: the width it needs.
    fn width(&self) -> usize {
        self.children.iter().map(Self::width).sum::<usize>().max(1)
    }
    fn depth(&self) -> usize {
        1 + self.children.iter().map(Self::depth).max().unwrap_or(0)
    }
}

/// The nodes as the connections join them, below the document's own point.
fn branches(root: Xn<'_, '_>) -> Vec<Branch> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut start = None;
    for p in root.child("ptLst").into_iter().flat_map(|l| l.all("pt")) {
        let Some(id) = p.attr("modelId") else {
            continue;
        };
        match p.attr("type") {
            Some("doc") => start = Some(id),
            None | Some("node" | "asst") => {
                let runs = p
                    .child("t")
                    .into_iter()
                    .flat_map(|t| t.descendants())
                    .filter(|n| n.is_element() && n.name() == "t");
                texts.insert(id, runs.filter_map(|t| t.text()).collect());
            }
            _ => {}
        }
    }
    let mut below: BTreeMap<&str, Vec<(i64, &str)>> = BTreeMap::new();
    for c in root.child("cxnLst").into_iter().flat_map(|l| l.all("cxn")) {
        if let (None | Some("parOf"), Some(s), Some(d)) =
            (c.attr("type"), c.attr("srcId"), c.attr("destId"))
        {
            below
                .entry(s)
                .or_default()
                .push((c.num("srcOrd").unwrap_or(0.0) as i64, d));
        }
    }
    let mut left = MAX_NODES;
    start
        .map(|s| hang(s, &texts, &mut below, &mut left))
        .unwrap_or_default()
}

fn hang<'x>(
    id: &'x str,
    texts: &BTreeMap<&'x str, String>,
    below: &mut BTreeMap<&'x str, Vec<(i64, &'x str)>>,
    left: &mut usize,
) -> Vec<Branch> {
    // A point is taken once, so that a circle of connections ends.
    let mut list = below.remove(id).unwrap_or_default();
    list.sort_unstable();
    let mut out = Vec::new();
    for (_, child) in list {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let children = hang(child, texts, below, left);
        out.push(Branch {
            text: texts.get(child).cloned().unwrap_or_default(),
            children,
        });
    }
    out
}

fn plain(root: Xn<'_, '_>, frame: Frame, cx: &Cx<'_>) -> Group {
    let list = branches(root);
    let area = Rect::new(0.0, 0.0, frame.rect.w, frame.rect.h);
    let mut p = Painter {
        out: Vec::new(),
        fill: cx.theme_color("accent1").unwrap_or(Color::BLACK),
        font: cx.theme.font("+mn-lt", "").unwrap_or_default(),
    };
    if list.iter().any(|b| !b.children.is_empty()) {
        p.tree(&list, area);
    } else {
        p.row(&list, area);
    }
    Group {
        frame,
        children: p.out,
        effects: Effects::default(),
    }
}

struct Painter {
    out: Vec<Node>,
    fill: Color,
    font: String,
}

impl Painter {
    /// Every level a row, every leaf a column, lines from parents to children.
    fn tree(&mut self, list: &[Branch], area: Rect) {
        let columns = list.iter().map(Branch::width).sum::<usize>().max(1) as f64;
        let rows = list.iter().map(Branch::depth).max().unwrap_or(1) as f64;
        let (cw, rh) = (area.w / columns, area.h / (rows * 1.42 - 0.42));
        let (w, h) = (cw * 0.9, rh.min(cw * 0.9 / 1.9));
        let pitch = if rows > 1.0 {
            (area.h - h) / (rows - 1.0)
        } else {
            0.0
        };
        let pitch = pitch.min(h * 1.55);
        let top = (area.h - h - pitch * (rows - 1.0)) / 2.0;
        let mut column = 0.0;
        for b in list {
            self.branch(b, column * cw, cw, top, (w, h, pitch));
            column += b.width() as f64;
        }
    }

    fn branch(&mut self, b: &Branch, x: f64, cw: f64, y: f64, m: (f64, f64, f64)) -> f64 {
        let (w, h, pitch) = m;
        let whole = b.width() as f64 * cw;
        let centre = x + whole / 2.0;
        let mut column = x;
        for c in &b.children {
            let below = self.branch(c, column, cw, y + pitch, m);
            self.joint((centre, y + h), (below, y + pitch));
            column += c.width() as f64 * cw;
        }
        self.card(Rect::new(centre - w / 2.0, y, w, h), &b.text, "rect");
        centre
    }

    /// An elbow from a parent's foot to a child's head.
    fn joint(&mut self, from: (f64, f64), to: (f64, f64)) {
        let mid = f64::midpoint(from.1, to.1);
        let path = Path::polyline(&[from, (from.0, mid), (to.0, mid), to]);
        let line = solid_line(self.fill, 25_400.0);
        let rect = Rect::new(0.0, 0.0, 1.0, 1.0);
        let paths = vec![ShapePath {
            path,
            fill: FillMode::None,
            stroke: true,
        }];
        self.push(rect, paths, rect, Fill::None, Some(line), None);
    }

    fn row(&mut self, list: &[Branch], area: Rect) {
        let n = list.len().max(1) as f64;
        let columns = if area.w >= area.h {
            n.min(if n > 5.0 { (n / 2.0).ceil() } else { n })
        } else {
            1.0
        };
        let rows = (n / columns).ceil();
        let (w, h) = (area.w / columns, area.h / rows);
        for (i, b) in list.iter().enumerate() {
            let (c, r) = (i as f64 % columns, (i as f64 / columns).floor());
            let (bw, bh) = (w * 0.9, (h * 0.84).min(w * 0.9 * 0.6));
            let rect = Rect::new(c * w + (w - bw) / 2.0, r * h + (h - bh) / 2.0, bw, bh);
            self.card(rect, &b.text, "roundRect");
        }
    }

    fn card(&mut self, rect: Rect, text: &str, kind: &str) {
        let Some(o) = preset(kind).map(|d| d.evaluate(rect.w, rect.h, &[])) else {
            return;
        };
        let size = (rect.h / 12_700.0 * 0.36).clamp(6.0, 40.0);
        let style = RunStyle {
            size,
            latin: self.font.clone(),
            fill: Fill::Solid(Color::WHITE),
            ..RunStyle::default()
        };
        let run = Run {
            text: text.to_owned(),
            style: style.clone(),
        };
        let paragraph = Paragraph {
            align: Align::Center,
            end: style,
            runs: vec![run],
            ..Paragraph::default()
        };
        let body = TextBody {
            anchor: Anchor::Middle,
            fit: Fit::Shrink,
            insets: [25_400.0; 4],
            paragraphs: vec![paragraph],
            ..TextBody::default()
        };
        let fill = Fill::Solid(self.fill);
        self.push(
            rect,
            o.paths,
            o.text,
            fill,
            Some(solid_line(Color::WHITE, 25_400.0)),
            (!text.trim().is_empty()).then_some(body),
        );
    }

    fn push(
        &mut self,
        rect: Rect,
        paths: Vec<ShapePath>,
        text_rect: Rect,
        fill: Fill,
        line: Option<crate::tree::Line>,
        text: Option<TextBody>,
    ) {
        let frame = Frame {
            rect,
            ..Frame::default()
        };
        self.out.push(Node::Shape(Box::new(Shape {
            frame,
            paths,
            text_rect,
            text_frame: None,
            fill,
            line,
            effects: Effects::default(),
            text,
        })));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_of_connections_ends() {
        let xml = "<d><ptLst><pt modelId='0' type='doc'/><pt modelId='1'/><pt modelId='2'/></ptLst><cxnLst><cxn srcId='0' destId='1'/><cxn srcId='1' destId='2'/><cxn srcId='2' destId='1'/></cxnLst></d>";
        let doc = roxmltree::Document::parse(xml).expect("well-formed");
        let b = branches(doc.root_element());
        assert_eq!((b.len(), b[0].depth()), (1, 3));
    }

    #[test]
    fn children_come_in_their_order() {
        let xml = "<d><ptLst><pt modelId='0' type='doc'/><pt modelId='1'><t><t>one</t></t></pt><pt modelId='2'><t><t>two</t></t></pt></ptLst><cxnLst><cxn srcId='0' destId='2' srcOrd='1'/><cxn srcId='0' destId='1' srcOrd='0'/></cxnLst></d>";
        let doc = roxmltree::Document::parse(xml).expect("well-formed");
        let names: Vec<String> = branches(doc.root_element())
            .into_iter()
            .map(|b| b.text)
            .collect();
        assert_eq!(names, ["one", "two"]);
    }
}
