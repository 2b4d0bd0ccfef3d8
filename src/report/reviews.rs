// SPDX-License-Identifier: MIT OR Apache-2.0
//! What reviewers said of one cell, unblinded, with who said it.

use deckproof_reviews::review::{
    AcceptedReview, DimensionOutcome, Judgement, ReviewerType, Standing, Unblinded,
};

use super::page::Page;
use super::pictures::is_unblinded;
use super::{Report, svg};
use crate::summary::{ArmFigures, CaseFigures, ReviewOutcome, ReviewedComparison};
use crate::words::counted;

/// The reviews of every comparison of the cell.
pub(super) fn write(
    page: &mut Page,
    report: &Report<'_>,
    (case, arm): (&CaseFigures, &ArmFigures),
) {
    let comparisons = report.summary.comparisons.iter();
    let of_cell: Vec<_> = comparisons
        .filter(|one| one.trial.case == case.case && one.trial.arm == arm.arm)
        .collect();
    page.raw("<h5>Reviews</h5>\n");
    if of_cell.is_empty() {
        page.tag("p class=\"quiet\"", "Nothing was compared.");
    }
    let unblinded = is_unblinded(report, &case.case, &arm.arm);
    for comparison in of_cell {
        for kind in &comparison.missing {
            let text = format!("{}: no {kind} review", comparison.trial);
            page.raw("<p>")
                .verdict(false)
                .raw(" ")
                .text(text)
                .raw("</p>\n");
        }
        if unblinded {
            comparison
                .reviews
                .iter()
                .for_each(|one| review(page, report, comparison, one));
        } else if comparison.held_back + comparison.reviews.len() > 0 {
            let on_file = comparison.held_back + comparison.reviews.len();
            let said = counted(on_file, "review");
            page.tag(
                "p class=\"quiet\"",
                format!(
                    "{}: {said} on file, held back with the pictures.",
                    comparison.trial
                ),
            );
        }
    }
}

fn review(
    page: &mut Page,
    report: &Report<'_>,
    comparison: &ReviewedComparison,
    one: &ReviewOutcome,
) {
    let said = &one.review;
    page.raw("<div class=\"review\"><p>")
        .verdict(one.outcome.passed)
        .raw(" ");
    page.text(format!("{} by {}", comparison.trial, who(said)));
    let outcome = &one.outcome;
    let counts = format!(
        "{} better, {} equal, {} worse",
        outcome.wins, outcome.ties, outcome.losses
    );
    page.raw(" · ").text(counts).raw("</p>\n");
    page.lines(&outcome.failures, usize::MAX);
    page.table(&[
        "dimension",
        "#candidate",
        "#baseline",
        "scores",
        "of the candidate",
        "of the baseline",
    ]);
    said.dimensions
        .iter()
        .for_each(|one| dimension(page, report, one));
    page.end_table();
    let accepted = report
        .verified
        .reviews
        .iter()
        .find(|one| one.id == said.review);
    overall(page, said, accepted);
    page.raw("</div>\n");
}

/// Who judged; a script is never passed off as anybody.
fn who(review: &Unblinded) -> String {
    match review.reviewer_type {
        ReviewerType::Scripted => format!(
            "{}, a scripted reviewer that looked at nothing",
            review.reviewer
        ),
        kind => format!("{} ({kind} reviewer)", review.reviewer),
    }
}

fn dimension(page: &mut Page, report: &Report<'_>, dimension: &DimensionOutcome) {
    let rules = &report.verified.experiment.suite.review;
    page.raw(if dimension.standing == Standing::Loss {
        "<tr class=\"failed\">"
    } else {
        "<tr>"
    });
    page.tag("td", &dimension.name);
    for judgement in [&dimension.candidate, &dimension.baseline] {
        page.raw("<td class=\"n\">")
            .text(judgement.score.to_string());
        page.raw(if judgement.pass {
            ""
        } else {
            " <span class=\"mark fail\">not acceptable</span>"
        })
        .raw("</td>");
    }
    page.raw("<td>");
    let scores = (dimension.candidate.score, dimension.baseline.score);
    svg::scores(page, scores, (rules.score_min, rules.score_max));
    page.raw("</td>");
    let mut rationale = |one: &Judgement| {
        page.tag("td class=\"words\"", &one.rationale);
    };
    rationale(&dimension.candidate);
    rationale(&dimension.baseline);
    page.raw("</tr>\n");
}

fn overall(page: &mut Page, said: &Unblinded, accepted: Option<&AcceptedReview>) {
    let Some(accepted) = accepted else { return };
    page.raw("<blockquote>")
        .text(&accepted.response.overall_rationale)
        .raw("</blockquote>\n");
    let mut note = format!(
        "The candidate was {}, the baseline {}.",
        said.candidate_label,
        said.candidate_label.other()
    );
    if let Some(model) = &accepted.response.reviewer.model {
        note.push_str(&format!(" The reviewer's model: {model}."));
    }
    match said.guessed_right {
        Some(true) => note.push_str(" The reviewer guessed right which is the newer one."),
        Some(false) => note.push_str(" The reviewer guessed wrong which is the newer one."),
        None => {}
    }
    page.tag("p class=\"quiet\"", note);
}
