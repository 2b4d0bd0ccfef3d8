// SPDX-License-Identifier: MIT OR Apache-2.0
//! Short words for reading the XML of a package: by local name, since producers differ in prefixes and even namespaces.

use roxmltree::Node;

/// Lookups on a node.
pub trait Xml<'a, 'i: 'a>: Copy {
    /// Child elements.
    fn elements(self) -> impl Iterator<Item = Node<'a, 'i>>;
    /// Child elements of a name.
    fn all(self, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>>;
    /// The first child element of a name.
    fn child(self, name: &str) -> Option<Node<'a, 'i>>;
    /// A descendant by a chain of names.
    fn path(self, names: &[&str]) -> Option<Node<'a, 'i>>;
    /// An attribute by local name, whatever its namespace.
    fn attr(self, name: &str) -> Option<&'a str>;
    /// A finite number.
    fn num(self, name: &str) -> Option<f64>;
    /// A number in 1/100000, or with a percent sign: as a fraction of one.
    fn pct(self, name: &str) -> Option<f64>;
    /// An xsd:boolean.
    fn flag(self, name: &str) -> Option<bool>;
    /// The local name.
    fn name(self) -> &'a str;
    /// The `val` attribute of a child.
    fn child_val(self, name: &str) -> Option<&'a str>;
    /// CT_Boolean in a child: present without `val` is true.
    fn child_flag(self, name: &str) -> Option<bool>;
    /// A number in the `val` attribute of a child.
    fn child_num(self, name: &str) -> Option<f64>;
}

impl<'a, 'i: 'a> Xml<'a, 'i> for Node<'a, 'i> {
    fn elements(self) -> impl Iterator<Item = Node<'a, 'i>> {
        self.children().filter(|n| n.is_element())
    }
    fn all(self, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
        self.children()
            .filter(move |n| n.is_element() && n.tag_name().name() == name)
    }
    fn child(self, name: &str) -> Option<Node<'a, 'i>> {
        self.children()
            .find(|n| n.is_element() && n.tag_name().name() == name)
    }
    fn path(self, names: &[&str]) -> Option<Node<'a, 'i>> {
        names.iter().try_fold(self, |n, name| n.child(name))
    }
    fn attr(self, name: &str) -> Option<&'a str> {
        self.attribute(name).or_else(|| {
            self.attributes()
                .find(|a| a.name() == name)
                .map(|a| a.value())
        })
    }
    fn num(self, name: &str) -> Option<f64> {
        number(self.attr(name)?)
    }
    fn pct(self, name: &str) -> Option<f64> {
        percent(self.attr(name)?)
    }
    fn flag(self, name: &str) -> Option<bool> {
        boolean(self.attr(name)?)
    }
    fn name(self) -> &'a str {
        self.tag_name().name()
    }
    fn child_val(self, name: &str) -> Option<&'a str> {
        self.child(name)?.attr("val")
    }
    fn child_flag(self, name: &str) -> Option<bool> {
        let c = self.child(name)?;
        Some(c.attr("val").and_then(boolean).unwrap_or(true))
    }
    fn child_num(self, name: &str) -> Option<f64> {
        number(self.child_val(name)?)
    }
}

/// A finite number; a trailing unit such as `pt` is taken in the universal measure and given in EMU.
#[must_use]
pub fn number(s: &str) -> Option<f64> {
    let s = s.trim();
    if let Ok(v) = s.parse::<f64>() {
        return v.is_finite().then_some(v);
    }
    let (n, unit) = s.split_at_checked(s.len().checked_sub(2)?)?;
    let per = match unit {
        "pt" => 12_700.0,
        "in" => 914_400.0,
        "cm" => 360_000.0,
        "mm" => 36_000.0,
        "pc" | "pi" => 152_400.0,
        _ => return None,
    };
    n.parse::<f64>()
        .ok()
        .filter(|v| v.is_finite())
        .map(|v| v * per)
}

/// ST_Percentage: `50000` or `50%`, as a fraction of one.
#[must_use]
pub fn percent(s: &str) -> Option<f64> {
    let s = s.trim();
    match s.strip_suffix('%') {
        Some(n) => n
            .parse::<f64>()
            .ok()
            .filter(|v| v.is_finite())
            .map(|v| v / 100.0),
        None => number(s).map(|v| v / 100_000.0),
    }
}

/// xsd:boolean and its relatives in Office files.
#[must_use]
pub fn boolean(s: &str) -> Option<bool> {
    match s {
        "1" | "true" | "on" | "t" => Some(true),
        "0" | "false" | "off" | "f" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_come_in_two_spellings() {
        assert_eq!(percent("50000"), Some(0.5));
        assert_eq!(percent("50%"), Some(0.5));
        assert_eq!(percent("x"), None);
    }

    #[test]
    fn measures_with_units_are_emu() {
        assert_eq!(number("1in"), Some(914_400.0));
        assert_eq!(number("NaN"), None);
        assert_eq!(number("é"), None);
    }
}
