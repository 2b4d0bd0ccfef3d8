// SPDX-License-Identifier: MIT OR Apache-2.0
//! The summary as Markdown, for pull requests and job pages.

use std::fmt::Write as _;

use super::document::Summary;
use crate::words::counted;

use super::text::{FIGURE_TITLES, figure_rows, ratio_table, review_table, word};

impl Summary {
    /// The summary as Markdown.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n", escape(&self.headline()));
        let gates = self.gates.iter().map(|gate| {
            let mut reason = vec![gate.reason().to_owned()];
            if !gate.passed() {
                reason.extend(gate.detail().iter().cloned());
            }
            let (name, reason) = (gate.name().to_owned(), reason.join("; "));
            vec![word(gate.passed()).to_owned(), name, reason]
        });
        table(&mut text, "Gates", &["", "gate", "reason"], gates.collect());
        let controls = self.controls.iter().map(|one| {
            let said = if one.passed {
                one.claim.clone()
            } else {
                one.problems.join("; ")
            };
            vec![word(one.passed).to_owned(), one.name.to_owned(), said]
        });
        table(
            &mut text,
            "Controls",
            &["", "control", ""],
            controls.collect(),
        );
        table(&mut text, "Figures", &FIGURE_TITLES, figure_rows(self));
        let titles = ["case", "arms", "tokens", "time"];
        table(&mut text, "HTML over PPTX", &titles, ratio_table(self));
        for one in self.statistics_tables() {
            table(&mut text, &one.title, &one.titles, one.rows);
        }
        let failed = self
            .checks_failed
            .iter()
            .map(|one| vec![one.trial.to_string(), one.check.clone(), one.reason.clone()]);
        let titles = ["trial", "check", "reason"];
        table(
            &mut text,
            "Checks that did not pass",
            &titles,
            failed.collect(),
        );
        let titles = ["", "trial", "reviewer", "dimensions", "failures"];
        table(&mut text, "Reviews", &titles, review_table(self));
        let _ = writeln!(text, "\n## What these figures are not entitled to say\n");
        for limit in &self.not_entitled_to_say {
            let _ = writeln!(text, "- {}", escape(limit));
        }
        let (records, head) = (self.journal.records, &self.journal.head);
        let _ = writeln!(
            text,
            "\nDerived from {}, the last of which is `{head}`.",
            counted(records, "record")
        );
        text
    }
}

fn table(text: &mut String, title: &str, titles: &[&str], rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n## {title}\n\n| {} |", titles.join(" | "));
    let _ = writeln!(text, "|{}", " --- |".repeat(titles.len()));
    for row in rows {
        let cell = |index: usize| row.get(index).map(|cell| escape(cell)).unwrap_or_default();
        let cells: Vec<_> = (0..titles.len()).map(cell).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

/// Reasons come from decks and agents: nothing in them may become a cell, a link or a tag.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '#' | '~' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_stays_in_its_cell() {
        let mut text = String::new();
        let row = vec!["a|b\n| c | <img>".to_owned()];
        table(&mut text, "T", &["x", "y"], vec![row]);
        let last = text.lines().last().unwrap();
        assert_eq!(last, "| a\\|b \\| c \\| &lt;img&gt; |  |");
    }
}
