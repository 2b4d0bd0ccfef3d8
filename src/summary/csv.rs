// SPDX-License-Identifier: MIT OR Apache-2.0
//! The trials as comma-separated values (RFC 4180), one line each, for spreadsheets and scripts.
//!
//! Outcomes hold words of agents. A spreadsheet runs a cell that begins like a formula, so such a
//! cell gets an apostrophe in front.

use super::document::{ArmFigures, CaseFigures, Summary, TrialFigures};

const TITLES: [&str; 18] = [
    "trial",
    "case",
    "arm",
    "format",
    "repetition",
    "outcome",
    "attempts",
    "failed_checks",
    "total_tokens",
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "tool_calls",
    "duration_ms",
    "time_is",
    "baseline_tokens",
    "baseline_duration_ms",
    "usage_basis",
];

impl Summary {
    /// The trials as CSV. What is not known is an empty cell.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = TITLES.join(",") + "\r\n";
        for case in &self.cases {
            for arm in &case.arms {
                for trial in &arm.trials {
                    let cells = self.cells(case, arm, trial);
                    let line: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
                    text.push_str(&line.join(","));
                    text.push_str("\r\n");
                }
            }
        }
        text
    }

    fn cells(&self, case: &CaseFigures, arm: &ArmFigures, trial: &TrialFigures) -> [String; 18] {
        let count = |count: Option<u64>| count.map_or_else(String::new, |count| count.to_string());
        let failed = self.checks_failed.iter();
        let failed = failed.filter(|one| one.trial == trial.trial).count();
        [
            trial.trial.to_string(),
            case.case.to_string(),
            arm.arm.to_string(),
            arm.format.as_str().to_owned(),
            trial.trial.repetition.to_string(),
            trial.outcome.clone(),
            trial.attempts.to_string(),
            failed.to_string(),
            count(trial.total_tokens),
            count(trial.input_tokens),
            count(trial.cached_input_tokens),
            count(trial.output_tokens),
            count(trial.tool_calls),
            trial.duration_ms.to_string(),
            trial.timing.words().to_owned(),
            arm.tokens.baseline.to_string(),
            arm.duration_ms.baseline.to_string(),
            trial.usage_basis.clone(),
        ]
    }
}

fn quoted(cell: &str) -> String {
    let begins = |c: char| matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r');
    let cell = if cell.starts_with(begins) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    };
    if cell.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stays_a_cell_and_no_formula() {
        for (cell, written) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"\n", "\"say \"\"x\"\"\n\""),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("-1", "'-1"),
            ("", ""),
        ] {
            assert_eq!(quoted(cell), written);
        }
    }

    #[test]
    fn every_trial_has_its_line() {
        use crate::summary::summarize;
        use crate::summary::testing::{Lab, Script};
        let script = Script {
            ended: Box::new(|ended| {
                if ended.trial.to_string() == "case-two.web.1" {
                    ended.usage.total_tokens = None;
                    ended.usage.input_tokens = None;
                }
            }),
            ..Script::default()
        };
        let csv = summarize(&Lab::run(&script).root).unwrap().to_csv();
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines.len(), 5);
        let columns = |line: &str| line.split(',').count();
        assert!(
            lines.iter().all(|line| columns(line) == TITLES.len()),
            "{csv}"
        );
        assert_eq!(
            lines[1],
            "case-one.web.1,case-one,web,html,1,completed,1,0,500,400,100,100,3,30000,measured,1000,60000,as the host says"
        );
        assert!(
            csv.contains("case-two.web.1,case-two,web,html,1,completed,1,0,,,100,100,"),
            "{csv}"
        );
    }
}
