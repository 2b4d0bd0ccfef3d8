// SPDX-License-Identifier: MIT OR Apache-2.0
//! The summary for a terminal: the verdict first, then why, then the figures, then their limits.

use std::fmt::Write as _;

use super::document::{ArmFigures, CellFigures, Summary};
use super::statistics;
use crate::words::{counted, with};

impl Summary {
    /// The summary as plain text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}", self.headline());
        section(&mut text, "Gates", &gate_table(self));
        section(&mut text, "Controls", &control_table(self));
        section(&mut text, "Figures", &figure_table(self));
        section(&mut text, "HTML over PPTX", &ratio_table(self));
        for table in self.statistics_tables() {
            section(&mut text, &table.title, &table.with_titles());
        }
        let failed = self
            .checks_failed
            .iter()
            .map(|one| [one.trial.to_string(), one.check.clone(), one.reason.clone()].to_vec());
        section(
            &mut text,
            "Checks that did not pass",
            &failed.collect::<Vec<_>>(),
        );
        section(&mut text, "Reviews", &review_table(self));
        let limits = self.not_entitled_to_say.iter().map(|one| vec![one.clone()]);
        let title = "What these figures are not entitled to say";
        section(&mut text, title, &limits.collect::<Vec<_>>());
        let (records, head) = (self.journal.records, &self.journal.head);
        let _ = writeln!(
            text,
            "\nDerived from {}, the last of which is {head}.",
            counted(records, "record")
        );
        text
    }

    /// The statistics as tables, in the order of every form of the summary.
    pub(crate) fn statistics_tables(&self) -> Vec<Table> {
        let all = &self.statistics;
        let level = &all.plan.level_percent;
        let costs = format!("Compared, with intervals at {level} % (beside the verdict)");
        let nulls = format!(
            "No difference found: what would have been, with {} % probability",
            all.plan.power_percent
        );
        let table = |title: String, titles: &[&'static str], rows| Table {
            title,
            titles: titles.to_vec(),
            rows,
        };
        vec![
            table(
                costs,
                &statistics::COST_TITLES,
                statistics::cost_rows_of(&all.costs),
            ),
            table(
                "Passing on one side alone".to_owned(),
                &statistics::PASS_TITLES,
                statistics::pass_rows(all),
            ),
            table(
                "Scores, candidate less baseline".to_owned(),
                &statistics::SCORE_TITLES,
                statistics::score_rows(all),
            ),
            table(
                "Not worse by more than a margin".to_owned(),
                &statistics::CLAIM_TITLES,
                statistics::claim_rows(all),
            ),
            table(
                "Families of tests, corrected by Holm's method".to_owned(),
                &statistics::FAMILY_TITLES,
                statistics::family_rows(all),
            ),
            table(nulls, &statistics::NULL_TITLES, statistics::null_rows(all)),
        ]
    }

    /// The verdict in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        let suite = &self.suite;
        if self.passed() {
            return format!("PASS  {suite}: all {} gates hold", self.gates.len());
        }
        let (failed, all) = (self.failed_gates.len(), self.gates.len());
        let names = self.failed_gates.join(", ");
        let do_not = with(failed, "does", "do");
        format!("FAIL  {suite}: {failed} of {all} gates {do_not} not hold: {names}")
    }
}

/// Rows with their titles.
pub(crate) struct Table {
    pub title: String,
    pub titles: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The rows below a row of titles; none when there are none.
    fn with_titles(&self) -> Vec<Vec<String>> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let titles = self.titles.iter().map(|one| (*one).to_owned()).collect();
        let rows = self.rows.iter().cloned();
        std::iter::once(titles).chain(rows).collect()
    }
}

/// Rows under a title; nothing when there are none.
pub(crate) fn section(text: &mut String, title: &str, rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{title}");
    text.push_str(&aligned(rows));
}

/// Rows with columns of equal width, two spaces apart, two from the left.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells
            .map(|cell| one_line(cell).chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let cell = one_line(cell);
            let _ = write!(line, "  {cell:<width$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Reasons come from decks and agents; nothing in them may move the cursor.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

pub(super) fn word(passed: bool) -> &'static str {
    if passed { "pass" } else { "FAIL" }
}

fn gate_table(summary: &Summary) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for gate in &summary.gates {
        let name = gate.name().to_owned();
        rows.push(vec![
            word(gate.passed()).to_owned(),
            name,
            gate.reason().to_owned(),
        ]);
        if !gate.passed() {
            let blank = String::new;
            let detail = gate.detail().iter();
            rows.extend(detail.map(|line| vec![blank(), blank(), format!("- {line}")]));
        }
    }
    rows
}

fn control_table(summary: &Summary) -> Vec<Vec<String>> {
    let row = |control: &super::Control| {
        let said = if control.passed {
            control.claim.clone()
        } else {
            control.problems.join("; ")
        };
        vec![
            word(control.passed).to_owned(),
            control.name.to_owned(),
            said,
        ]
    };
    summary.controls.iter().map(row).collect()
}

pub(super) const FIGURE_TITLES: [&str; 8] = [
    "case", "arm", "tokens", "baseline", "saved", "ms", "baseline", "saved",
];

fn figure_table(summary: &Summary) -> Vec<Vec<String>> {
    let mut rows = vec![FIGURE_TITLES.map(str::to_owned).to_vec()];
    rows.extend(figure_rows(summary));
    rows
}

/// One row for each cell, under [`FIGURE_TITLES`].
pub(super) fn figure_rows(summary: &Summary) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for case in &summary.cases {
        for arm in &case.arms {
            let mut row = vec![case.case.to_string(), arm_name(arm)];
            row.extend(cell_columns(&arm.tokens));
            row.extend(cell_columns(&arm.duration_ms));
            rows.push(row);
        }
    }
    rows
}

fn arm_name(arm: &ArmFigures) -> String {
    let name = arm.arm.to_string();
    if arm.gated {
        name
    } else {
        format!("{name} (not gated)")
    }
}

fn cell_columns(cell: &CellFigures) -> [String; 3] {
    let (median, saved) = (cell.median.shown(), cell.improvement.shown());
    [
        median.to_owned(),
        cell.baseline.to_string(),
        saved.to_owned(),
    ]
}

/// One row for each pair of arms.
pub(super) fn ratio_table(summary: &Summary) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for case in &summary.cases {
        for ratio in &case.ratios {
            rows.push(vec![
                case.case.to_string(),
                format!("{} / {}", ratio.html, ratio.pptx),
                format!("tokens {}", ratio.tokens.of_medians.shown()),
                format!("time {}", ratio.duration.of_medians.shown()),
            ]);
        }
    }
    rows
}

/// One row for each review, and one for each that is missing.
pub(super) fn review_table(summary: &Summary) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for comparison in &summary.comparisons {
        let trial = super::reviews::name(comparison);
        for one in &comparison.reviews {
            let outcome = &one.outcome;
            let who = format!("{} {}", one.review.reviewer_type, one.review.reviewer);
            let counts = format!(
                "{} better, {} equal, {} worse",
                outcome.wins, outcome.ties, outcome.losses
            );
            let verdict = word(outcome.passed).to_owned();
            let failures = outcome.failures.join("; ");
            rows.push(vec![verdict, trial.clone(), who, counts, failures]);
        }
        if comparison.held_back > 0 {
            let said = counted(comparison.held_back, "review");
            let held = format!("{said} on file, held back while one is missing");
            rows.push(vec![String::new(), trial.clone(), held]);
        }
        for kind in &comparison.missing {
            let missing = format!("no {kind} review");
            rows.push(vec![word(false).to_owned(), trial.clone(), missing]);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_control_characters_are_gone() {
        let rows = [
            vec!["a".to_owned(), "x\u{1b}[2J".to_owned()],
            vec!["äöü".to_owned(), String::new()],
        ];
        assert_eq!(aligned(&rows), "  a    x [2J\n  äöü\n");
    }
}
