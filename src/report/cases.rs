// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every case: its figures, and for each arm the pictures, the trials, the checks and the reviews.

use crate::experiment::records::{CheckRecord, CheckStatus};
use crate::summary::{ArmFigures, CaseFigures, CellFigures, FigureText, TrialFigures};
use crate::verify::VerifyError;
use crate::words::counted;

use super::page::{Page, grouped, known, seconds};
use super::pictures::{self, Gallery};
use super::{Report, audit, reviews, traces};

/// Every case of the suite.
pub(super) fn write(
    page: &mut Page,
    report: &Report<'_>,
    gallery: &mut Gallery,
) -> Result<(), VerifyError> {
    page.raw("<section id=\"cases\"><h2>Cases</h2>\n");
    gallery.notice(page);
    for case in &report.summary.cases {
        page.raw("<section class=\"case\" id=\"case-")
            .text(case.case.as_str())
            .raw("\"><h3>");
        page.text(case.case.as_str())
            .raw(" ")
            .tag("small", mode(case))
            .raw("</h3>\n");
        figures(page, case);
        ratios(page, case);
        page.raw("<div class=\"arms\">\n");
        for arm in &case.arms {
            arm_section(page, report, (case, arm), gallery)?;
        }
        page.raw("</div></section>\n");
    }
    page.raw("</section>\n");
    Ok(())
}

fn mode(case: &CaseFigures) -> &'static str {
    match case.mode {
        crate::suite::Mode::Create => "create",
        crate::suite::Mode::Revise => "revise",
    }
}

fn figures(page: &mut Page, case: &CaseFigures) {
    page.table(&[
        "arm",
        "#tokens",
        "#baseline",
        "#saved",
        "#time",
        "#baseline",
        "#saved",
    ]);
    for arm in &case.arms {
        page.raw("<tr><td>").text(arm_name(arm)).raw("</td>");
        cell(page, &arm.tokens, grouped);
        cell(page, &arm.duration_ms, seconds);
        page.raw("</tr>\n");
    }
    page.end_table();
}

pub(super) fn arm_name(arm: &ArmFigures) -> String {
    let gated = if arm.gated { "" } else { " (not gated)" };
    let format = arm.format.as_str().to_uppercase();
    format!("{} · {format} deck{gated}", arm.arm)
}

fn cell(page: &mut Page, cell: &CellFigures, show: fn(u64) -> String) {
    page.tag("td class=\"n\"", whole(&cell.median, show));
    page.tag("td class=\"n\"", show(cell.baseline));
    page.tag("td class=\"n\"", cell.improvement.shown());
}

/// A whole figure for people; one that is not known says why.
fn whole(figure: &FigureText, show: fn(u64) -> String) -> String {
    match (figure.shown().parse(), &figure.unknown) {
        (Ok(number), _) => show(number),
        (Err(_), Some(why)) => format!("unknown: {why}"),
        (Err(_), None) => figure.shown().to_owned(),
    }
}

fn ratios(page: &mut Page, case: &CaseFigures) {
    for ratio in &case.ratios {
        let text = format!(
            "{} over {}: tokens {}, time {}",
            ratio.html,
            ratio.pptx,
            ratio.tokens.of_medians.shown(),
            ratio.duration.of_medians.shown()
        );
        page.tag("p class=\"quiet\"", text);
    }
}

fn arm_section(
    page: &mut Page,
    report: &Report<'_>,
    cell: (&CaseFigures, &ArmFigures),
    gallery: &mut Gallery,
) -> Result<(), VerifyError> {
    let (case, arm) = cell;
    page.raw("<section class=\"arm\"><h4>")
        .text(arm_name(arm))
        .raw("</h4>\n");
    if pictures::is_unblinded(report, &case.case, &arm.arm) {
        page.tag(
            "p class=\"quiet\"",
            pictures::slide_counts(report, case, arm),
        );
    }
    pictures::write(page, report, cell, gallery)?;
    trials(page, arm);
    checks(page, report, arm);
    traces::write(page, report, arm)?;
    reviews::write(page, report, cell);
    audit::diagnostics(page, report, cell)?;
    page.raw("</section>\n");
    Ok(())
}

fn trials(page: &mut Page, arm: &ArmFigures) {
    page.raw("<h5>Trials</h5>\n");
    page.table(&[
        "trial",
        "ended",
        "#tokens",
        "#input",
        "#cached",
        "#output",
        "#tool calls",
        "#time",
    ]);
    for trial in &arm.trials {
        page.raw("<tr><td>")
            .text(trial.trial.to_string())
            .raw("</td><td>");
        page.text(&trial.outcome);
        if trial.attempts > 1 {
            page.text(format!(" ({})", counted(trial.attempts, "attempt")));
        }
        page.raw("</td>");
        for count in [
            trial.total_tokens,
            trial.input_tokens,
            trial.cached_input_tokens,
            trial.output_tokens,
            trial.tool_calls,
        ] {
            page.tag("td class=\"n\"", known(count));
        }
        page.tag("td class=\"n\"", seconds(trial.duration_ms))
            .raw("</tr>\n");
    }
    page.end_table();
    bases(page, arm);
}

/// Where the figures come from, each source once.
fn bases(page: &mut Page, arm: &ArmFigures) {
    let mut said = Vec::new();
    for trial in &arm.trials {
        let basis = basis(trial);
        if !said.contains(&basis) {
            page.tag("p class=\"quiet\"", &basis);
            said.push(basis);
        }
    }
}

fn basis(trial: &TrialFigures) -> String {
    let timing = trial.timing.words();
    format!("Tokens: {}; time {timing}.", trial.usage_basis)
}

fn checks(page: &mut Page, report: &Report<'_>, arm: &ArmFigures) {
    page.raw("<h5>Checks</h5>\n");
    for trial in &arm.trials {
        let history = report.verified.history.trials.get(&trial.trial);
        let Some(judged) = history.and_then(|history| history.judged.as_ref()) else {
            continue;
        };
        let (passed, open): (Vec<_>, Vec<_>) = judged
            .checks
            .iter()
            .partition(|check| check.status == CheckStatus::Pass);
        let all = judged.checks.len();
        let said = format!(
            "{}: {} of {} pass",
            trial.trial,
            passed.len(),
            counted(all, "check")
        );
        page.tag("p", said);
        check_list(page, &open);
        if !passed.is_empty() {
            page.raw("<details><summary>checks that pass</summary>");
            check_list(page, &passed);
            page.raw("</details>\n");
        }
    }
}

fn check_list(page: &mut Page, checks: &[&CheckRecord]) {
    if checks.is_empty() {
        return;
    }
    page.raw("<ul class=\"checks\">");
    for check in checks {
        page.raw("<li>").raw(match check.status {
            CheckStatus::Pass => "<span class=\"mark pass\">pass</span> ",
            CheckStatus::Fail => "<span class=\"mark fail\">FAIL</span> ",
            CheckStatus::Error => "<span class=\"mark fail\">ERROR</span> ",
        });
        page.raw("<code>")
            .text(&check.name)
            .raw("</code> ")
            .text(&check.reason)
            .raw("</li>");
    }
    page.raw("</ul>\n");
}
