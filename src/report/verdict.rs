// SPDX-License-Identifier: MIT OR Apache-2.0
//! What people open the report for: the verdict, every gate, and how the experiment was run.

use deckproof_reviews::gates::{Comparison, Gate};

use super::Report;
use super::page::Page;
use crate::summary::{Control, Summary};
use crate::words::counted;

/// Most lines of detail under one gate or control.
const MOST_LINES: usize = 100;

pub(super) fn write(page: &mut Page, report: &Report<'_>) {
    headline(page, report);
    gates(page, report.summary);
    controls(page, report.summary);
}

fn headline(page: &mut Page, report: &Report<'_>) {
    let summary = report.summary;
    page.raw(if summary.passed() {
        "<header id=\"verdict\" class=\"verdict passed\">"
    } else {
        "<header id=\"verdict\" class=\"verdict failed\">"
    });
    page.tag("p class=\"quiet\"", "Deckproof report");
    page.tag("h1", summary.headline());
    if let Some(purpose) = &report.verified.experiment.suite.purpose {
        page.tag("p", purpose);
    }
    let trials = summary.cases.iter().flat_map(|case| &case.arms);
    let trials = trials.map(|arm| arm.trials.len()).sum();
    let facts = [
        counted(summary.cases.len(), "case"),
        counted(report.verified.experiment.suite.arm.len(), "arm"),
        counted(trials, "trial"),
        counted(summary.comparisons.len(), "comparison"),
        counted(summary.reviews.reviews, "review"),
    ];
    page.tag("p class=\"quiet\"", facts.join(" · "));
    if summary.scripted_reviews > 0 {
        let scripted = summary.scripted_reviews;
        let all = summary.reviews.reviews;
        let text = format!(
            "{scripted} of {all} reviews are by a scripted reviewer, a program that looked at nothing."
        );
        page.tag("p class=\"warn\"", text);
    }
    if summary
        .comparisons
        .iter()
        .any(|one| !one.missing.is_empty())
    {
        let text = "Required reviews are missing: what would unblind them is held back, and this report is not for their reviewers.";
        page.tag("p class=\"warn\"", text);
    }
    page.raw(
        "<p><a href=\"#limits\">What these figures are not entitled to say</a></p></header>\n",
    );
}

fn gates(page: &mut Page, summary: &Summary) {
    page.raw("<section id=\"gates\"><h2>Gates</h2>\n");
    page.tag(
        "p class=\"quiet\"",
        "Every gate must hold; none makes up for another.",
    );
    page.table(&["", "gate", "#figure", "#limit", "reason"]);
    for gate in &summary.gates {
        page.raw(if gate.passed() {
            "<tr><td>"
        } else {
            "<tr class=\"failed\"><td>"
        });
        page.verdict(gate.passed()).raw("</td>");
        page.name(gate.name());
        page.tag("td class=\"n\"", gate.figure().unwrap_or("unknown"));
        page.tag("td class=\"n\"", limit(gate));
        page.raw("<td>").text(gate.reason());
        detail(page, gate.passed(), gate.detail());
        page.raw("</td></tr>\n");
    }
    page.end_table().raw("</section>\n");
}

/// The limit with how the figure must stand to it.
fn limit(gate: &Gate) -> String {
    match gate.comparison() {
        Comparison::AtLeast => format!("at least {}", gate.limit()),
        Comparison::Below => format!("below {}", gate.limit()),
        Comparison::AtMost => format!("at most {}", gate.limit()),
        Comparison::Empty => "none".to_owned(),
    }
}

/// What speaks against something is open; what it is made of can be opened.
fn detail(page: &mut Page, passed: bool, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    if passed {
        page.raw("<details><summary>made of</summary>")
            .lines(lines, MOST_LINES)
            .raw("</details>");
    } else {
        page.lines(lines, MOST_LINES);
    }
}

fn controls(page: &mut Page, summary: &Summary) {
    page.raw("<section id=\"controls\"><h2>Controls</h2>\n");
    page.tag("p class=\"quiet\"", "How the experiment was run.");
    page.table(&["", "control", "claim"]);
    summary.controls.iter().for_each(|one| control(page, one));
    page.end_table().raw("</section>\n");
}

fn control(page: &mut Page, control: &Control) {
    page.raw(if control.passed {
        "<tr><td>"
    } else {
        "<tr class=\"failed\"><td>"
    });
    page.verdict(control.passed).raw("</td>");
    page.name(control.name);
    page.raw("<td>").text(&control.claim);
    page.lines(&control.problems, MOST_LINES);
    if !control.evidence.is_empty() {
        page.raw("<details><summary>evidence</summary>");
        page.lines(&control.evidence, MOST_LINES).raw("</details>");
    }
    page.raw("</td></tr>\n");
}
