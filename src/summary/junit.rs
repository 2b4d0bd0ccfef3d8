// SPDX-License-Identifier: MIT OR Apache-2.0
//! The summary as JUnit XML, the form in which most CI systems take results.
//!
//! One suite of gates, one of controls, one of checks: the verdict is in the first. The format has
//! no standard; element and attribute names are those that Jenkins and GitLab read.

use std::fmt::Write as _;

use super::document::Summary;

/// One test case: its name, and what failed when it did.
struct TestCase {
    name: String,
    failure: Option<(String, Vec<String>)>,
}

impl Summary {
    /// The summary as JUnit XML.
    #[must_use]
    pub fn to_junit(&self) -> String {
        let gates: Vec<_> = self
            .gates
            .iter()
            .map(|gate| TestCase {
                name: gate.name().to_owned(),
                failure: (!gate.passed())
                    .then(|| (gate.reason().to_owned(), gate.detail().to_vec())),
            })
            .collect();
        let controls: Vec<_> = self
            .controls
            .iter()
            .map(|one| TestCase {
                name: one.name.to_owned(),
                failure: (!one.passed).then(|| (one.claim.clone(), one.problems.clone())),
            })
            .collect();
        let checks: Vec<_> = self
            .checks_failed
            .iter()
            .map(|one| TestCase {
                name: format!("{} {}", one.trial, one.check),
                failure: Some((one.reason.clone(), Vec::new())),
            })
            .collect();
        let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_owned();
        let named = [
            ("gates", gates),
            ("controls", controls),
            ("failed checks", checks),
        ];
        for (kind, cases) in &named {
            suite(&mut xml, &format!("{} {kind}", self.suite), cases);
        }
        xml.push_str("</testsuites>\n");
        xml
    }
}

fn suite(xml: &mut String, name: &str, cases: &[TestCase]) {
    let failures = cases.iter().filter(|case| case.failure.is_some()).count();
    let (name, tests) = (escape(name), cases.len());
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    );
    for case in cases {
        let case_name = escape(&case.name);
        let _ = write!(
            xml,
            "    <testcase classname=\"{name}\" name=\"{case_name}\""
        );
        match &case.failure {
            None => xml.push_str("/>\n"),
            Some((message, lines)) => {
                let (message, lines) = (escape(message), escape(&lines.join("\n")));
                let _ = writeln!(
                    xml,
                    "><failure message=\"{message}\">{lines}</failure></testcase>"
                );
            }
        }
    }
    xml.push_str("  </testsuite>\n");
}

/// XML 1.0 text and attribute values. Characters that XML cannot carry become U+FFFD.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_attribute() {
        let mut xml = String::new();
        let failure = Some(("\"/><x a='\u{1}".to_owned(), vec!["]]>".to_owned()]));
        suite(
            &mut xml,
            "a & b",
            &[TestCase {
                name: "<n>".to_owned(),
                failure,
            }],
        );
        let line = xml.lines().nth(1).unwrap();
        let expected = "    <testcase classname=\"a &amp; b\" name=\"&lt;n&gt;\"><failure message=\"&quot;/&gt;&lt;x a='\u{fffd}\">]]&gt;</failure></testcase>";
        assert_eq!(line, expected);
        assert!(xml.contains("tests=\"1\" failures=\"1\""));
    }
}
