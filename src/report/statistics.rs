// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is told beside the verdict: cost ratios with their intervals as a plot, then every
//! comparison, claim and family in tables.

use deckproof_reviews::exact::Exact;

use super::Report;
use super::page::Page;
use super::svg::{self, Bar};
use crate::summary::{CostComparison, Summary};
use crate::words::counted;

/// The section, with nothing in it that gates unless it says so.
pub(super) fn write(page: &mut Page, report: &Report<'_>) {
    let summary = report.summary;
    let plan = &summary.statistics.plan;
    page.raw("<section id=\"statistics\"><h2>Statistics</h2>\n");
    let draws = match plan.replicates {
        Some(replicates) => counted(usize::try_from(replicates).unwrap_or(usize::MAX), "draw"),
        None => "as many draws as each says".to_owned(),
    };
    let said = format!(
        "Beside the verdict: none of it gates unless the sealed suite says so. Cases are counted, not trials. Level {} %, seed {}, {draws}, by {}.",
        plan.level_percent, plan.seed, plan.generator
    );
    page.tag("p class=\"quiet\"", said);
    plot(page, summary);
    for table in summary.statistics_tables() {
        if table.rows.is_empty() {
            continue;
        }
        page.tag("h3", &table.title).table(&table.titles);
        for row in &table.rows {
            page.raw("<tr>");
            for at in 0..table.titles.len() {
                let cell = row.get(at).map_or("", String::as_str);
                match cell.split_once(' ') {
                    Some(("NOT", rest)) if at == 0 => {
                        page.raw("<td><span class=\"mark fail\">NOT ").text(rest);
                        page.raw("</span></td>")
                    }
                    _ => page.tag("td", cell),
                };
            }
            page.raw("</tr>\n");
        }
        page.end_table();
    }
    page.raw("</section>\n");
}

/// Every cost ratio with its interval, on one scale.
fn plot(page: &mut Page, summary: &Summary) {
    let bars: Vec<Bar> = summary.statistics.costs.iter().filter_map(bar).collect();
    if bars.is_empty() {
        return;
    }
    let level = &summary.statistics.plan.level_percent;
    let note = format!(
        "ratios of geometric means with their intervals at {level} %, drawn by cases; left of 1 is cheaper"
    );
    page.raw("<figure class=\"plot\"><figcaption><b>Cost ratios</b> ");
    page.tag("span class=\"quiet\"", note)
        .raw("</figcaption>\n");
    svg::intervals(page, "Cost ratios with their intervals", &bars);
    page.raw("</figure>\n");
}

fn bar(one: &CostComparison) -> Option<Bar> {
    let of = |text: &Option<String>| text.as_deref().and_then(ten_thousandths);
    let ratio = &one.ratio;
    let shown = ratio.estimate.as_deref().and_then(short)?;
    let against = crate::summary::against_words(&one.arm, one.against.as_ref());
    let measure = match one.measure.as_str() {
        "duration" => "time",
        other => other,
    };
    let ends = (of(&ratio.low), of(&ratio.high));
    let remark = match (
        ratio.low.as_deref().and_then(short),
        ratio.high.as_deref().and_then(short),
    ) {
        (Some(low), Some(high)) if ratio.few_cases => {
            format!("{shown} ({low} to {high}, {})", counted(one.cases, "case"))
        }
        (Some(low), Some(high)) => format!("{shown} ({low} to {high})"),
        _ => shown,
    };
    Some(Bar {
        label: format!("{against} · {measure}"),
        remark,
        figure: of(&ratio.estimate)?,
        interval: ends.0.zip(ends.1),
        faint: ratio.few_cases,
    })
}

/// Three decimals, for the eye.
fn short(figure: &str) -> Option<String> {
    Some(figure.parse::<Exact>().ok()?.rounded(3))
}

/// `0.5713` as 5713, for drawing alone.
fn ten_thousandths(figure: &str) -> Option<i64> {
    let rounded = figure.parse::<Exact>().ok()?.rounded(4);
    rounded.replace('.', "").parse().ok()
}
