// SPDX-License-Identifier: MIT OR Apache-2.0
//! The elements of one slide: structure, names, style and boxes, each difference accounted for by a declared change.

use std::collections::BTreeSet;

use deckproof_renderers::facts::{EMU_PER_PX, ElementFact, Rect, SlideFacts, TextFact};

use super::changes::Changes;
use super::slide::{is_within, lines_within};
use crate::checks::outcome::{Problem, error, quoted};
use crate::checks::text::normal;
use crate::suite::spec::{GeometryChange, StyleChange};

/// An element before and the same one after.
pub(super) type Matched<'a> = (&'a ElementFact, &'a ElementFact);

/// Pairs the elements of two slides of one structure, passing by those that are declared to come or go.
pub(super) fn aligned<'a>(
    old: &'a [ElementFact],
    new: &'a [ElementFact],
    is_removed: impl Fn(&ElementFact) -> bool,
    is_added: impl Fn(&ElementFact) -> bool,
) -> Result<Vec<Matched<'a>>, String> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut pairs = Vec::new();
    loop {
        match (old.peek(), new.peek()) {
            (None, None) => return Ok(pairs),
            (_, Some(after)) if is_added(after) => drop(new.next()),
            (Some(before), _) if is_removed(before) => drop(old.next()),
            (Some(before), Some(after)) if before.kind == after.kind => {
                pairs.push((*before, *after));
                old.next();
                new.next();
            }
            (Some(before), Some(after)) => {
                return Err(format!(
                    "the structure changed: found {}, expected {}",
                    told(after),
                    told(before)
                ));
            }
            (Some(before), None) => {
                return Err(format!("the structure changed: {} is gone", told(before)));
            }
            (None, Some(after)) => {
                return Err(format!("the structure changed: {} is new", told(after)));
            }
        }
    }
}

/// An element for a message.
fn told(element: &ElementFact) -> String {
    let name = if element.name.is_empty() {
        &element.text
    } else {
        &element.name
    };
    let place = if element.key.is_empty() {
        String::new()
    } else {
        format!(" at {}", element.key)
    };
    if name.trim().is_empty() {
        format!("the {}{place}", element.kind)
    } else {
        format!("the {} {}", element.kind, quoted(name))
    }
}

/// The elements that a declared change is about.
struct Selection {
    /// The elements named: any of them may carry the change where one text is meant, all of them must otherwise.
    named: Vec<String>,
    /// Whether one text is meant.
    by_text: bool,
    /// Outermost elements around the text that show nothing else.
    outer: Vec<String>,
    /// The place of the text among the paragraphs of its element, from 1, when there are several.
    paragraph: Option<usize>,
}

impl Selection {
    /// Whether an element may change with the selection.
    fn covers(&self, key: &str) -> bool {
        self.outer.iter().any(|outer| is_within(key, outer))
    }
}

/// Everything needed to judge a pair of elements.
pub(super) struct Comparison<'a> {
    new: &'a SlideFacts,
    old: &'a SlideFacts,
    changes: &'a Changes<'a>,
    is_html: bool,
    style: Vec<(&'a StyleChange, Selection)>,
    geometry: Vec<(&'a GeometryChange, Selection)>,
    /// Keys of elements whose text changed, and of all that hold them.
    touched: BTreeSet<&'a str>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(
        old: &'a SlideFacts,
        new: &'a SlideFacts,
        changes: &'a Changes<'a>,
        is_html: bool,
    ) -> Result<Self, Problem> {
        let style = changes
            .style
            .iter()
            .map(|change| Ok((*change, select(new, &change.element)?)));
        let geometry = changes
            .geometry
            .iter()
            .map(|change| Ok((*change, select(new, &change.element)?)));
        Ok(Self {
            style: style.collect::<Result<_, Problem>>()?,
            geometry: geometry.collect::<Result<_, Problem>>()?,
            touched: touched(new, changes),
            old,
            new,
            changes,
            is_html,
        })
    }

    /// What differs beyond the declared changes, and which declared changes were not made.
    pub(super) fn problems(&self, pairs: &[Matched<'_>]) -> Vec<String> {
        let mut found = Vec::new();
        for (old, new) in pairs {
            self.pair(old, new, &mut found);
        }
        let made = self
            .style
            .iter()
            .filter(|(change, selection)| !self.is_styled(change, selection));
        found.extend(made.map(|(change, _)| {
            format!(
                "{} of {} is not {}",
                change.property,
                quoted(&change.element),
                quoted(&change.to)
            )
        }));
        let made = self
            .geometry
            .iter()
            .filter(|(change, selection)| !self.is_placed(change, selection, pairs));
        found.extend(made.map(|(change, _)| {
            format!(
                "{} is not where it was asked to be",
                quoted(&change.element)
            )
        }));
        found
    }

    fn pair(&self, old: &ElementFact, new: &ElementFact, found: &mut Vec<String>) {
        let restyled = self
            .style
            .iter()
            .any(|(_, selection)| selection.covers(&new.key));
        let moved = self
            .geometry
            .iter()
            .any(|(_, selection)| selection.covers(&new.key));
        // In HTML a change is made through a class as often as not.
        if old.name != new.name && !(self.is_html && (restyled || moved)) {
            found.push(format!(
                "{} was named {} before",
                told(new),
                quoted(&old.name)
            ));
        }
        if old.visible != new.visible {
            let now = if new.visible {
                "can be seen now"
            } else {
                "can no longer be seen"
            };
            found.push(format!("{} {now}", told(new)));
        }
        let names: BTreeSet<&String> = old.style.keys().chain(new.style.keys()).collect();
        for name in names {
            let (was, is) = (old.style.get(name), new.style.get(name));
            if was != is && !self.may_restyle(old, new, name) {
                let value = |value: Option<&String>| {
                    value.map_or_else(|| "nothing".to_owned(), |text| quoted(text))
                };
                found.push(format!(
                    "{name} of {} is {}, expected {}",
                    told(new),
                    value(is),
                    value(was)
                ));
            }
        }
        if !moved && !self.same_place(old, new) {
            found.push(format!(
                "{} is at {}, expected {}",
                told(new),
                place(&new.rect),
                place(&old.rect)
            ));
        }
    }

    /// Whether a difference in a property is one that was asked for, or comes with it.
    fn may_restyle(&self, old: &ElementFact, new: &ElementFact, name: &str) -> bool {
        let lines =
            |slide: &SlideFacts, element: &ElementFact| lines_within(slide, &element.key).len();
        let numbered = name
            .strip_prefix("paragraph ")
            .and_then(|rest| rest.split_once(' '));
        if numbered.is_some() && lines(self.old, old) != lines(self.new, new) {
            // Paragraphs came or went, so that numbers do not mean the same; the property as a whole is compared.
            return true;
        }
        let was = old.style.get(name).map_or("", String::as_str);
        let is = new.style.get(name).map_or("", String::as_str);
        self.style.iter().any(|(change, selection)| {
            selection.covers(&new.key)
                && may_change(change, selection.paragraph, name, was, is, old)
        })
    }

    /// Whether a declared style was given to what it was asked for.
    fn is_styled(&self, change: &StyleChange, selection: &Selection) -> bool {
        let has = |element: &ElementFact| {
            let own = selection
                .paragraph
                .map(|number| format!("paragraph {number} {}", change.property));
            let value = own
                .and_then(|name| element.style.get(&name))
                .or_else(|| element.style.get(&change.property));
            value.is_some_and(|value| same_value(value, &change.to))
        };
        let mut named = selection.named.iter();
        let carries = |key: &String| {
            let within = |element: &&ElementFact| {
                element.key == *key || selection.by_text && is_within(&element.key, key)
            };
            self.new.elements.iter().filter(within).any(has)
        };
        if selection.by_text {
            named.any(carries)
        } else {
            named.all(carries)
        }
    }

    /// Whether a declared box was given to what it was asked for, and what is in it moved with it.
    fn is_placed(
        &self,
        change: &GeometryChange,
        selection: &Selection,
        pairs: &[Matched<'_>],
    ) -> bool {
        let fits = |key: &str| {
            let pair = pairs.iter().find(|(_, new)| new.key == key);
            pair.is_some_and(|(old, new)| {
                self.fits(change, &old.rect, &new.rect) && self.carried(old, new, change, pairs)
            })
        };
        if !selection.by_text {
            return selection.named.iter().all(|key| fits(key));
        }
        let around = self.new.elements.iter().filter(|element| {
            selection.covers(&element.key)
                && selection
                    .named
                    .iter()
                    .any(|key| is_within(key, &element.key))
        });
        around.into_iter().any(|element| fits(&element.key))
    }

    /// Whether a box is the one asked for, to the nearest pixel and within the tolerance.
    fn fits(&self, change: &GeometryChange, old: &Rect, new: &Rect) -> bool {
        let half = if self.is_html { EMU_PER_PX / 2 } else { 0 };
        let within = change
            .tolerance_px
            .unwrap_or(0)
            .max(0)
            .saturating_mul(EMU_PER_PX)
            .saturating_add(half);
        let one = |asked: Option<i64>, old: i64, new: i64| {
            new.abs_diff(asked.map_or(old, |px| px.saturating_mul(EMU_PER_PX)))
                <= within.unsigned_abs()
        };
        one(change.x, old.x, new.x)
            && one(change.y, old.y, new.y)
            && one(change.width, old.width, new.width)
            && one(change.height, old.height, new.height)
    }

    /// Whether what is in an element moved by as much as the element, unless its size was to change.
    fn carried(
        &self,
        old: &ElementFact,
        new: &ElementFact,
        change: &GeometryChange,
        pairs: &[Matched<'_>],
    ) -> bool {
        if change.width.is_some() && new.rect.width != old.rect.width
            || change.height.is_some() && new.rect.height != old.rect.height
        {
            return true;
        }
        let (right, down) = (new.rect.x - old.rect.x, new.rect.y - old.rect.y);
        let inner = pairs
            .iter()
            .filter(|(_, inner)| inner.key != new.key && is_within(&inner.key, &new.key));
        inner.into_iter().all(|(was, is)| {
            let shifted = Rect {
                x: was.rect.x.saturating_add(right),
                y: was.rect.y.saturating_add(down),
                ..was.rect
            };
            self.near(&shifted, &is.rect)
        })
    }

    /// Whether an element is where it was, as far as its format and its text allow.
    fn same_place(&self, old: &ElementFact, new: &ElementFact) -> bool {
        if self.near(&old.rect, &new.rect) {
            return true;
        }
        let resized = self.style.iter().any(|(change, selection)| {
            let grows = [
                "font-size",
                "font-family",
                "bold",
                "font-weight",
                "letter-spacing",
            ];
            grows.contains(&change.property.as_str()) && selection.covers(&new.key)
        });
        // A browser sizes boxes by their text; what is anchored as before has not been moved.
        self.is_html
            && (resized || self.touched.contains(new.key.as_str()))
            && self.anchored(&old.rect, &new.rect)
    }

    fn tolerance(&self) -> u64 {
        let px = if self.is_html {
            self.changes.reflow_px.max(1)
        } else {
            self.changes.reflow_px
        };
        px.saturating_mul(EMU_PER_PX).unsigned_abs()
    }

    fn near(&self, a: &Rect, b: &Rect) -> bool {
        let sides = [
            (a.x, b.x),
            (a.y, b.y),
            (a.right(), b.right()),
            (a.bottom(), b.bottom()),
        ];
        sides
            .iter()
            .all(|(a, b)| a.abs_diff(*b) <= self.tolerance())
    }

    /// Whether two boxes share an edge or the middle, both across and down.
    fn anchored(&self, a: &Rect, b: &Rect) -> bool {
        let close = |a: i64, b: i64| a.abs_diff(b) <= self.tolerance();
        let middle = |start: i64, length: i64| start.saturating_add(length / 2);
        let across = close(a.x, b.x)
            || close(a.right(), b.right())
            || close(middle(a.x, a.width), middle(b.x, b.width));
        let down = close(a.y, b.y)
            || close(a.bottom(), b.bottom())
            || close(middle(a.y, a.height), middle(b.y, b.height));
        across && down
    }
}

fn place(rect: &Rect) -> String {
    let px = |emu: i64| emu.div_euclid(EMU_PER_PX);
    format!(
        "{},{} {}x{} px",
        px(rect.x),
        px(rect.y),
        px(rect.width),
        px(rect.height)
    )
}

/// Elements whose text changed, and those around them.
fn touched<'a>(new: &'a SlideFacts, changes: &Changes<'_>) -> BTreeSet<&'a str> {
    let changed = |text: &&TextFact| {
        changes.touches(&normal(&text.text))
            || text.text.lines().any(|line| changes.touches(&normal(line)))
    };
    let texts: Vec<&TextFact> = new.texts.iter().filter(changed).collect();
    let holds = |element: &&ElementFact| {
        let key = element.key.as_str();
        texts
            .iter()
            .any(|text| is_within(&text.element, key) || is_within(key, &text.element))
    };
    let structure = changes.changes_structure();
    new.elements
        .iter()
        .filter(|element| structure || holds(element))
        .map(|element| element.key.as_str())
        .collect()
}

/// The elements that a declared change names: by the whole text of a block, by a line of one, or by name.
fn select(slide: &SlideFacts, named: &str) -> Result<Selection, Problem> {
    let wanted = normal(named);
    let whole: Vec<(&TextFact, Option<usize>)> = slide
        .texts
        .iter()
        .filter(|text| normal(&text.text) == wanted)
        .map(|text| (text, None))
        .collect();
    let by_line = slide.texts.iter().filter_map(|text| {
        let mut lines = text
            .text
            .lines()
            .map(normal)
            .filter(|line| !line.is_empty());
        Some((text, Some(lines.position(|line| line == wanted)? + 1)))
    });
    let texts = if whole.is_empty() {
        by_line.collect()
    } else {
        whole
    };
    match texts.as_slice() {
        [(text, paragraph)] => {
            let outer = outermost(slide, &text.element, paragraph.is_none());
            Ok(Selection {
                named: vec![text.element.clone()],
                by_text: true,
                outer: vec![outer],
                paragraph: *paragraph,
            })
        }
        [] => by_name(slide, named),
        several => error(format!(
            "the spec's {} names {} texts of one slide; give a name instead",
            quoted(named),
            several.len()
        )),
    }
}

fn by_name(slide: &SlideFacts, named: &str) -> Result<Selection, Problem> {
    let wears = |element: &&ElementFact| {
        element.name == named || element.name.split(' ').any(|class| class == named)
    };
    let keys: Vec<String> = slide
        .elements
        .iter()
        .filter(wears)
        .map(|element| element.key.clone())
        .collect();
    if keys.is_empty() {
        return Err(Problem::Fail(format!(
            "nothing has the text or the name {}",
            quoted(named)
        )));
    }
    Ok(Selection {
        outer: keys.clone(),
        named: keys,
        by_text: false,
        paragraph: None,
    })
}

/// The outermost element around `key` that shows the same text and no other, the slide itself excepted.
fn outermost(slide: &SlideFacts, key: &str, whole: bool) -> String {
    let own = lines_within(slide, key);
    let root = slide
        .elements
        .first()
        .map_or("", |element| element.key.as_str());
    let mut best = key;
    let mut outer = key;
    while let Some((parent, _)) = outer.rsplit_once('/') {
        if !whole || parent == root || parent.is_empty() || lines_within(slide, parent) != own {
            break;
        }
        (best, outer) = (parent, parent);
    }
    best.to_owned()
}

/// Whether a declared change of a property allows `name` to go from `was` to `is`.
fn may_change(
    change: &StyleChange,
    paragraph: Option<usize>,
    name: &str,
    was: &str,
    is: &str,
    old: &ElementFact,
) -> bool {
    let property = change.property.as_str();
    if let Some((number, rest)) = name
        .strip_prefix("paragraph ")
        .and_then(|rest| rest.split_once(' '))
    {
        let meant = paragraph.is_none_or(|meant| number.parse() == Ok(meant));
        return meant && rest == property && (same_value(is, &change.to) || is.is_empty());
    }
    if name == property || alias(property) == Some(name) {
        let known =
            |part: &str| same_value(part, &change.to) || was.split(" | ").any(|was| was == part);
        return name != property
            || same_value(is, &change.to)
            || is.contains(" | ") && is.split(" | ").all(known);
    }
    match property {
        // Borders and strokes take the text's colour unless they have one of their own.
        "color" => old.style.get("color").is_some_and(|color| {
            !color.is_empty() && was.replace(color.as_str(), &change.to) == is
        }),
        // Lengths in em and the height of lines follow the size.
        "font-size" => [
            "line-height",
            "margin",
            "padding",
            "letter-spacing",
            "border-radius",
        ]
        .contains(&name),
        _ => false,
    }
}

/// The second name under which a property is reported.
fn alias(property: &str) -> Option<&'static str> {
    match property {
        "bold" => Some("font-weight"),
        "font-weight" => Some("bold"),
        _ => None,
    }
}

/// Whether two values of a property are one: letters' case of colours apart.
fn same_value(a: &str, b: &str) -> bool {
    a == b || a.starts_with('#') && a.eq_ignore_ascii_case(b)
}
