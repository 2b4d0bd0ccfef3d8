// SPDX-License-Identifier: MIT OR Apache-2.0
//! Custom geometry (`a:custGeom`) read into the same definition that presets use.

use roxmltree::Node;

use super::preset::{Definition, FillMode, PathDef};
use crate::xml::Xml;

/// Most steps that one custom geometry may have; beyond, the rest is cut off.
const MAX_STEPS: usize = 200_000;

/// Reads `a:custGeom`, or the same content under another name.
#[must_use]
pub fn definition(geom: Node<'_, '_>) -> Definition {
    let mut def = Definition {
        adjusts: named(geom, "avLst"),
        guides: named(geom, "gdLst"),
        ..Definition::default()
    };
    if let Some(r) = geom.child("rect") {
        let side = |k: &str, d: &str| r.attr(k).unwrap_or(d).to_owned();
        def.text = Some([
            side("l", "l"),
            side("t", "t"),
            side("r", "r"),
            side("b", "b"),
        ]);
    }
    let mut left = MAX_STEPS;
    for p in geom
        .child("pathLst")
        .into_iter()
        .flat_map(|l| l.all("path"))
    {
        def.paths.push(path(p, &mut left));
    }
    def
}

/// The `name`/`fmla` pairs of a guide list.
#[must_use]
pub fn named(parent: Node<'_, '_>, list: &str) -> Vec<(String, String)> {
    let Some(l) = parent.child(list) else {
        return Vec::new();
    };
    l.all("gd")
        .filter_map(|g| Some((g.attr("name")?.to_owned(), g.attr("fmla")?.to_owned())))
        .collect()
}

fn path(p: Node<'_, '_>, left: &mut usize) -> PathDef {
    let mut def = PathDef {
        w: p.num("w"),
        h: p.num("h"),
        fill: FillMode::parse(p.attr("fill").unwrap_or("norm")),
        stroke: p.flag("stroke").unwrap_or(true),
        steps: Vec::new(),
    };
    for c in p.elements() {
        if *left == 0 {
            break;
        }
        *left -= 1;
        if let Some(step) = step(c) {
            def.steps.push(step);
        }
    }
    def
}

fn step(c: Node<'_, '_>) -> Option<(char, Vec<String>)> {
    let points = || {
        c.all("pt")
            .flat_map(|p| ["x", "y"].map(|k| p.attr(k).unwrap_or("0").to_owned()))
            .collect::<Vec<_>>()
    };
    Some(match c.tag_name().name() {
        "moveTo" => ('M', points()),
        "lnTo" => ('L', points()),
        "quadBezTo" => ('Q', points()),
        "cubicBezTo" => ('C', points()),
        "arcTo" => (
            'A',
            ["wR", "hR", "stAng", "swAng"]
                .map(|k| c.attr(k).unwrap_or("0").to_owned())
                .to_vec(),
        ),
        "close" => ('Z', Vec::new()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_its_own_coordinates_is_scaled() {
        let xml = r#"<a:custGeom xmlns:a="x"><a:pathLst><a:path w="10" h="10"><a:moveTo><a:pt x="0" y="0"/></a:moveTo>
            <a:lnTo><a:pt x="10" y="5"/></a:lnTo></a:path></a:pathLst></a:custGeom>"#;
        let doc = roxmltree::Document::parse(xml).expect("well-formed");
        let o = definition(doc.root_element()).evaluate(200.0, 100.0, &[]);
        let b = o.paths[0].path.bounds().expect("drawn");
        assert_eq!((b.w, b.h), (200.0, 50.0));
    }
}
