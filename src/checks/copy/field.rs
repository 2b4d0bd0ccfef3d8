// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the names of fields say about each other: which belong to one thing, and which are a series.
//!
//! `kpi-1-label` and `kpi-1-value` belong to one thing; `kpi-1-value` and `kpi-2-value` are a series, and so are
//! `r1c2` and `r2c2`, or `step-1` and `step-2`. Names without numbers belong together by what stands before the last
//! separator: `ask` and `ask-label`.

/// A field's name, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldName<'a> {
    /// Text and numbers in turn, text first.
    parts: Vec<Part<'a>>,
    /// What it shares with the other fields of its thing.
    pub(super) thing: &'a str,
    /// What it is of that thing: the rest of the name.
    pub(super) role: &'a str,
    /// Whether its text is a figure: short, with a digit.
    is_figure: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Number(&'a str),
}

impl<'a> FieldName<'a> {
    pub(super) fn new(name: &'a str, text: &str) -> Self {
        let parts = split(name);
        let is_numbered = parts.iter().any(|part| matches!(part, Part::Number(_)));
        let thing = if is_numbered {
            through_number(name)
        } else {
            before_separator(name)
        };
        let role = name.get(thing.len()..).unwrap_or_default();
        let is_figure = text.chars().count() <= 12 && text.chars().any(|c| c.is_ascii_digit());
        Self {
            parts,
            thing,
            role,
            is_figure,
        }
    }

    /// Whether the two may stand in any order: a figure may stand over its label or under it.
    pub(super) fn is_free_beside(&self, other: &Self) -> bool {
        self.is_one_with(other) && (self.is_figure || other.is_figure)
    }

    /// Whether the two differ in one number and in nothing else.
    pub(super) fn is_series_with(&self, other: &Self) -> bool {
        let mut differ = 0;
        let alike = self.parts.len() == other.parts.len()
            && self
                .parts
                .iter()
                .zip(&other.parts)
                .all(|(a, b)| match (a, b) {
                    (Part::Text(a), Part::Text(b)) => a == b,
                    (Part::Number(a), Part::Number(b)) => {
                        differ += usize::from(a != b);
                        true
                    }
                    _ => false,
                });
        alike && differ == 1
    }

    /// Whether the two belong to one thing.
    pub(super) fn is_one_with(&self, other: &Self) -> bool {
        self.thing == other.thing
    }
}

fn split(name: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.starts_with(|c: char| c.is_ascii_digit());
        let end = rest
            .find(|c: char| c.is_ascii_digit() != digits)
            .unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        parts.push(if digits {
            Part::Number(part)
        } else {
            Part::Text(part)
        });
        rest = after;
    }
    parts
}

/// The name through its first number.
fn through_number(name: &str) -> &str {
    let start = name
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(name.len());
    let digits = name.get(start..).unwrap_or_default();
    let length = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    name.get(..start + length).unwrap_or(name)
}

fn before_separator(name: &str) -> &str {
    name.rfind(['-', '_', '.'])
        .and_then(|at| name.get(..at))
        .filter(|thing| !thing.is_empty())
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: &str, b: &str) -> (bool, bool) {
        let (a, b) = (FieldName::new(a, "x"), FieldName::new(b, "y"));
        assert_eq!(a.is_series_with(&b), b.is_series_with(&a));
        (a.is_series_with(&b), a.is_one_with(&b))
    }

    #[test]
    fn series_differ_in_one_number() {
        assert_eq!(pair("kpi-1-value", "kpi-2-value"), (true, false));
        assert_eq!(pair("r1c2", "r2c2"), (true, false));
        assert_eq!(pair("r1c2", "r1c3"), (true, true));
        assert_eq!(pair("r1c2", "r2c3"), (false, false));
        assert_eq!(pair("step-1", "step-1"), (false, true));
        assert_eq!(pair("title", "note"), (false, false));
    }

    #[test]
    fn things_share_what_stands_before_the_role() {
        assert_eq!(pair("kpi-1-label", "kpi-1-value"), (false, true));
        assert_eq!(pair("ask", "ask-label"), (false, true));
        assert_eq!(pair("gap-value", "gap-1-value"), (false, false));
        assert_eq!(FieldName::new("kpi-12-value", "").thing, "kpi-12");
        assert_eq!(FieldName::new("kpi-12-value", "").role, "-value");
        assert_eq!(FieldName::new("-x", "").thing, "-x");
    }

    #[test]
    fn a_figure_is_free_beside_its_label() {
        let free = |a: &str, b: &str| {
            FieldName::new("ask", a).is_free_beside(&FieldName::new("ask-label", b))
        };
        assert!(free("€2.48", "more per drop") && free("Label", "5%"));
        assert!(!free("Release €84,000 for a second line", "What we ask"));
    }
}
