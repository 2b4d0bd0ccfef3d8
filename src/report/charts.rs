// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which figures are drawn: tokens and times against baselines, savings and ratios against their
//! limits, scores by dimension.

use std::collections::BTreeMap;

use deckproof_reviews::exact::Exact;
use deckproof_reviews::gates::{Gate, MEDIAN_DURATION_IMPROVEMENT, MEDIAN_TOKEN_IMPROVEMENT};
use deckproof_reviews::review::Standing;

use super::Report;
use super::page::{Page, grouped, seconds};
use super::svg::{self, Pair, Scale};
use crate::summary::{ArmFigures, CaseFigures, CellFigures, FigureText, RatioFigures, Summary};
use crate::words::counted;

/// The section of charts.
pub(super) fn write(page: &mut Page, report: &Report<'_>) {
    let summary = report.summary;
    page.raw("<section id=\"figures\"><h2>Figures</h2>\n");
    page.raw("<p class=\"legend\"><span class=\"key candidate\"></span>candidate <span class=\"key baseline\"></span>baseline <span class=\"key limit\"></span>limit</p>\n");
    page.raw("<div class=\"charts\">\n");
    chart(page, "Tokens", "median of each cell", |page, title| {
        svg::bars(page, title, &pairs(summary, |arm| &arm.tokens, grouped));
    });
    chart(page, "Time", "median of each cell", |page, title| {
        svg::bars(
            page,
            title,
            &pairs(summary, |arm| &arm.duration_ms, seconds),
        );
    });
    savings(page, summary);
    ratios(page, summary);
    scores(page, summary);
    page.raw("</div></section>\n");
}

fn chart(page: &mut Page, title: &str, note: &str, draw: impl FnOnce(&mut Page, &str)) {
    page.raw("<figure class=\"plot\"><figcaption><b>")
        .text(title)
        .raw("</b> ");
    page.tag("span class=\"quiet\"", note)
        .raw("</figcaption>\n");
    draw(page, title);
    page.raw("</figure>\n");
}

/// Every cell with its baseline.
fn pairs(
    summary: &Summary,
    measure: fn(&ArmFigures) -> &CellFigures,
    show: fn(u64) -> String,
) -> Vec<Pair> {
    let pair = |case: &CaseFigures, arm: &ArmFigures| {
        let figures = measure(arm);
        let median: Option<u64> = figures.median.shown().parse().ok();
        let saved = &figures.improvement;
        Pair {
            label: format!("{} · {}", case.case, arm.arm),
            remark: saved
                .display
                .as_ref()
                .map_or_else(String::new, |saved| format!("saved {saved}")),
            candidate: (median, median.map_or_else(|| "unknown".to_owned(), show)),
            baseline: (Some(figures.baseline), show(figures.baseline)),
        }
    };
    let cells = summary
        .cases
        .iter()
        .flat_map(|case| case.arms.iter().map(move |arm| (case, arm)));
    cells.map(|(case, arm)| pair(case, arm)).collect()
}

/// What is saved, cell by cell, and the median that its gate compares.
fn savings(page: &mut Page, summary: &Summary) {
    let gated = || {
        summary
            .cases
            .iter()
            .flat_map(|case| &case.arms)
            .filter(|arm| arm.gated)
    };
    let row = |label: &str, name: &str, measure: fn(&ArmFigures) -> &CellFigures| {
        let gate = gate(summary, name)?;
        Some(Scale {
            label: label.to_owned(),
            remark: gate.reason().to_owned(),
            points: gated()
                .filter_map(|arm| tenths(&measure(arm).improvement))
                .collect(),
            figure: gate.figure().and_then(tenths_of),
            limit: tenths_of(gate.limit()),
        })
    };
    let rows: Vec<_> = [
        row("tokens", MEDIAN_TOKEN_IMPROVEMENT, |arm| &arm.tokens),
        row("time", MEDIAN_DURATION_IMPROVEMENT, |arm| &arm.duration_ms),
    ]
    .into_iter()
    .flatten()
    .collect();
    let low = rows.iter().flat_map(values).min().unwrap_or(0).min(0);
    chart(
        page,
        "Saved against the baseline",
        "large: the median; small: each gated cell",
        |page, title| {
            svg::scales(page, title, (low, 1000), Some((0, "0 %")), &rows);
        },
    );
}

fn values(scale: &Scale) -> impl Iterator<Item = i64> {
    scale
        .points
        .iter()
        .copied()
        .chain(scale.figure)
        .chain(scale.limit)
}

/// HTML over PPTX, case by case, with the limits that cases state.
fn ratios(page: &mut Page, summary: &Summary) {
    let mut rows = Vec::new();
    for case in &summary.cases {
        for ratio in &case.ratios {
            let of = [
                ("token_ratio", "tokens", &ratio.tokens),
                ("duration_ratio", "time", &ratio.duration),
            ];
            for (gate_name, what, figure) in of {
                let limit = ratio_limit(summary, gate_name, case, ratio);
                let against =
                    limit.map_or_else(|| "no limit".to_owned(), |limit| format!("at most {limit}"));
                rows.push(Scale {
                    label: format!("{} · {what}, {} / {}", case.case, ratio.html, ratio.pptx),
                    remark: format!("{}, {against}", figure.of_medians.shown()),
                    points: figure
                        .by_repetition
                        .iter()
                        .filter_map(ten_thousandths)
                        .collect(),
                    figure: ten_thousandths(&figure.of_medians),
                    limit: limit.and_then(exact_ten_thousandths),
                });
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    let high = rows.iter().flat_map(values).max().unwrap_or(0).max(15_000);
    chart(
        page,
        "HTML over PPTX",
        "large: of the medians; small: each repetition",
        |page, title| {
            svg::scales(page, title, (0, high), Some((10_000, "equal")), &rows);
        },
    );
}

/// The limit of a ratio, under the name that its gate has.
fn ratio_limit<'a>(
    summary: &'a Summary,
    name: &str,
    case: &CaseFigures,
    ratio: &RatioFigures,
) -> Option<&'a str> {
    let short = format!("{name}:{}", case.case);
    let long = format!("{short}:{}:{}", ratio.html, ratio.pptx);
    gate(
        summary,
        if case.ratios.len() == 1 {
            &short
        } else {
            &long
        },
    )
    .map(Gate::limit)
}

fn gate<'a>(summary: &'a Summary, name: &str) -> Option<&'a Gate> {
    summary.gates.iter().find(|gate| gate.name() == name)
}

/// How candidates stand in each dimension, over all reviews.
fn scores(page: &mut Page, summary: &Summary) {
    let mut counts: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    let reviews = summary.comparisons.iter().flat_map(|one| &one.reviews);
    for dimension in reviews.flat_map(|one| &one.review.dimensions) {
        let [better, equal, worse] = counts.entry(&dimension.name).or_default();
        *match dimension.standing {
            Standing::Win => better,
            Standing::Tie => equal,
            Standing::Loss => worse,
        } += 1;
    }
    if counts.is_empty() {
        return;
    }
    let rows: Vec<_> = counts
        .into_iter()
        .map(|(name, counts)| (name.to_owned(), counts))
        .collect();
    let (all, scripted) = (summary.reviews.reviews, summary.scripted_reviews);
    let all = counted(all, "review");
    let note = format!("candidate against baseline; {all}, {scripted} of them scripted");
    chart(page, "Scores by dimension", &note, |page, title| {
        svg::shares(page, title, &rows)
    });
}

fn tenths(figure: &FigureText) -> Option<i64> {
    figure.display.as_deref().and_then(tenths_of)
}

/// `43.2 %` as 432, for drawing alone.
fn tenths_of(percent: &str) -> Option<i64> {
    let number: Exact = percent.strip_suffix(" %")?.parse().ok()?;
    number.rounded(1).replace('.', "").parse().ok()
}

fn ten_thousandths(figure: &FigureText) -> Option<i64> {
    figure.display.as_deref().and_then(exact_ten_thousandths)
}

/// `1.05` as 10500, for drawing alone.
fn exact_ten_thousandths(ratio: &str) -> Option<i64> {
    let number: Exact = ratio.parse().ok()?;
    number.rounded(4).replace('.', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_back_for_drawing() {
        assert_eq!(tenths_of("43.2 %"), Some(432));
        assert_eq!(tenths_of("-0.5 %"), Some(-5));
        assert_eq!(tenths_of("30 %"), Some(300));
        assert_eq!(tenths_of("unknown"), None);
        assert_eq!(exact_ten_thousandths("1.05"), Some(10_500));
        assert_eq!(exact_ten_thousandths("0.9871"), Some(9_871));
        assert_eq!(exact_ten_thousandths("<b>"), None);
    }
}
