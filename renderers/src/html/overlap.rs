// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which visible texts of a slide lie on each other.

use super::facts::RawText;
use crate::facts::OverlapFact;

/// Share of a line's box above and below its letters, which other lines may use.
const LEADING: f32 = 0.2;
/// Letters that touch by so many pixels do not overlap yet.
const TOUCH: f32 = 2.0;
/// The smallest shared area, in square pixels.
const LEAST_AREA: f32 = 9.0;
/// The most texts of one slide that are compared with each other.
const MOST_TEXTS: usize = 2000;
/// The most pairs that are named.
const MOST_PAIRS: usize = 50;

/// Left, top, right and bottom, in pixels.
type Area = [f32; 4];

/// Pairs of visible texts whose letters share an area. Text that runs at an angle is left out: its
/// box says little about where its letters are. So is a text on a copy of itself, a shadow.
pub(super) fn overlaps(texts: &[RawText]) -> Vec<OverlapFact> {
    let seen: Vec<(&RawText, Area, Vec<Area>)> = texts
        .iter()
        .filter(|text| text.visible && !text.tilted)
        .take(MOST_TEXTS)
        .map(|text| {
            let lines: Vec<Area> = text.lines.iter().map(letters).collect();
            (text, hull(&lines), lines)
        })
        .collect();
    let mut found = Vec::new();
    for (place, (first, box_of_first, lines)) in seen.iter().enumerate() {
        for (second, box_of_second, others) in seen.iter().skip(place + 1) {
            if first.text == second.text || shared(*box_of_first, *box_of_second).is_none() {
                continue;
            }
            if let Some((width, height)) = most_shared(lines, others) {
                found.push(OverlapFact {
                    first: first.text.chars().take(60).collect(),
                    second: second.text.chars().take(60).collect(),
                    width,
                    height,
                });
            }
            if found.len() == MOST_PAIRS {
                return found;
            }
        }
    }
    found
}

/// The part of a line's box in which its letters are.
fn letters(line: &[f32; 4]) -> [f32; 4] {
    let [left, top, right, bottom] = *line;
    let spare = (bottom - top) * LEADING;
    [left, top + spare, right, bottom - spare]
}

fn hull(lines: &[[f32; 4]]) -> [f32; 4] {
    let none = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    lines.iter().fold(none, |[l, t, r, b], line| {
        [
            l.min(line[0]),
            t.min(line[1]),
            r.max(line[2]),
            b.max(line[3]),
        ]
    })
}

/// Width and height of what two boxes share, when it is more than a touch.
fn shared(a: [f32; 4], b: [f32; 4]) -> Option<(f32, f32)> {
    let width = a[2].min(b[2]) - a[0].max(b[0]);
    let height = a[3].min(b[3]) - a[1].max(b[1]);
    (width > TOUCH && height > TOUCH && width * height > LEAST_AREA).then_some((width, height))
}

fn most_shared(lines: &[[f32; 4]], others: &[[f32; 4]]) -> Option<(u32, u32)> {
    let pairs = lines
        .iter()
        .flat_map(|one| others.iter().map(move |other| (one, other)));
    let areas = pairs.filter_map(|(one, other)| shared(*one, *other));
    let most = areas.max_by(|a, b| (a.0 * a.1).total_cmp(&(b.0 * b.1)))?;
    Some((most.0.round() as u32, most.1.round() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_lines_do_not_overlap_and_crossing_ones_do() {
        let line = |top: f32| letters(&[0.0, top, 100.0, top + 20.0]);
        assert_eq!(
            most_shared(&[line(0.0)], &[line(14.0)]),
            None,
            "tight lines"
        );
        assert_eq!(most_shared(&[line(0.0)], &[line(6.0)]), Some((100, 6)));
        assert_eq!(shared([0.0, 0.0, 2.5, 3.0], [0.0, 0.0, 9.0, 9.0]), None);
    }
}
