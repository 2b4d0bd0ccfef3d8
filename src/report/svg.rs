// SPDX-License-Identifier: MIT OR Apache-2.0
//! Our own small pictures of figures, drawn with whole numbers alone, so that no machine rounds them
//! differently. Every figure in them stands in a table too.

use super::page::Page;

/// Width of a chart's canvas.
const WIDTH: u64 = 560;
/// Where bars begin and how long the longest is.
const BAR_LEFT: u64 = 0;
const BAR_LENGTH: u64 = 430;
/// Height of one pair of bars with its label.
const PAIR_HEIGHT: u64 = 54;
/// Height of one row of a scale.
const ROW_HEIGHT: u64 = 44;

/// The candidate's and the baseline's figure of one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    /// What it is of.
    pub label: String,
    /// What is said at the right of the label.
    pub remark: String,
    /// The candidate's figure and how it is shown; no bar when it is not known.
    pub candidate: (Option<u64>, String),
    /// The baseline's.
    pub baseline: (Option<u64>, String),
}

/// Points on a line, with a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scale {
    /// What it is of.
    pub label: String,
    /// What is said at the right of the label.
    pub remark: String,
    /// Where points stand.
    pub points: Vec<i64>,
    /// The figure that is compared with the limit, when it is known.
    pub figure: Option<i64>,
    /// The limit, when there is one.
    pub limit: Option<i64>,
}

/// Paired bars, one pair below the other.
pub(super) fn bars(page: &mut Page, title: &str, pairs: &[Pair]) {
    open(page, title, pairs.len() as u64 * PAIR_HEIGHT);
    let figures = pairs
        .iter()
        .flat_map(|pair| [pair.candidate.0, pair.baseline.0]);
    let longest = figures.flatten().max().unwrap_or(0);
    for (pair, number) in pairs.iter().zip(0..) {
        let top = number * PAIR_HEIGHT;
        label(page, top + 13, &pair.label, &pair.remark);
        bar(
            page,
            (top + 19, 11),
            "<rect class=\"candidate\" x=\"",
            &pair.candidate,
            longest,
        );
        bar(
            page,
            (top + 33, 11),
            "<rect class=\"baseline\" x=\"",
            &pair.baseline,
            longest,
        );
    }
    page.raw("</svg>\n");
}

fn bar(
    page: &mut Page,
    (top, height): (u64, u64),
    rect: &'static str,
    (figure, shown): &(Option<u64>, String),
    longest: u64,
) {
    let width = figure.map_or(0, |figure| part(figure, longest, BAR_LENGTH).max(1));
    if figure.is_some() {
        page.raw(rect).number(BAR_LEFT).raw("\" y=\"").number(top);
        page.raw("\" width=\"")
            .number(width)
            .raw("\" height=\"")
            .number(height);
        page.raw("\" rx=\"2\"/>");
    }
    text_at(
        page,
        "<text class=\"figure\" x=\"",
        (BAR_LEFT + width + 6, top + height - 1),
        shown,
    );
}

/// Scales that share one range, one below the other.
pub(super) fn scales(
    page: &mut Page,
    title: &str,
    (low, high): (i64, i64),
    marked: Option<(i64, &str)>,
    rows: &[Scale],
) {
    let foot = 18;
    let height = rows.len() as u64 * ROW_HEIGHT;
    open(page, title, height + foot);
    let at = |value: i64| position(value, (low, high));
    if let Some((value, said)) = marked {
        line(
            page,
            "<line class=\"axis\" x1=\"",
            at(value),
            (0, height + 4),
        );
        text_at(
            page,
            "<text class=\"axis\" text-anchor=\"middle\" x=\"",
            (at(value), height + foot - 2),
            said,
        );
    }
    for (row, number) in rows.iter().zip(0..) {
        let (top, middle) = (number * ROW_HEIGHT, number * ROW_HEIGHT + 28);
        label(page, top + 13, &row.label, &row.remark);
        page.raw("<line class=\"track\" x1=\"10\" x2=\"550\" y1=\"")
            .number(middle);
        page.raw("\" y2=\"").number(middle).raw("\"/>");
        if let Some(limit) = row.limit {
            line(
                page,
                "<line class=\"limit\" x1=\"",
                at(limit),
                (middle - 9, middle + 9),
            );
        }
        for point in &row.points {
            circle(
                page,
                "<circle class=\"point\" r=\"3\" cx=\"",
                (at(*point), middle),
            );
        }
        if let Some(figure) = row.figure {
            circle(
                page,
                "<circle class=\"candidate\" r=\"6\" cx=\"",
                (at(figure), middle),
            );
        }
    }
    page.raw("</svg>\n");
}

/// How often the candidate was better, equal and worse, one bar a row.
pub(super) fn shares(page: &mut Page, title: &str, rows: &[(String, [u64; 3])]) {
    const HEIGHT: u64 = 40;
    open(page, title, rows.len() as u64 * HEIGHT);
    for ((name, counts), number) in rows.iter().zip(0..) {
        let top = number * HEIGHT;
        let all: u64 = counts.iter().sum();
        let [better, equal, worse] = counts;
        label(
            page,
            top + 13,
            name,
            &format!("{better} better, {equal} equal, {worse} worse"),
        );
        let mut left = 0;
        let rects = [
            "<rect class=\"better\" x=\"",
            "<rect class=\"equal\" x=\"",
            "<rect class=\"worse\" x=\"",
        ];
        for (count, rect) in counts.iter().zip(rects) {
            let width = part(*count, all, WIDTH);
            if width > 0 {
                page.raw(rect).number(left).raw("\" y=\"").number(top + 19);
                page.raw("\" width=\"")
                    .number(width.saturating_sub(2).max(1))
                    .raw("\" height=\"12\" rx=\"2\"/>");
            }
            left += width;
        }
    }
    page.raw("</svg>\n");
}

/// A figure with its interval, in ten thousandths of a ratio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bar {
    /// What it is of.
    pub label: String,
    /// What is said at the right of the label.
    pub remark: String,
    /// The estimate.
    pub figure: i64,
    /// Both ends, when there is an interval.
    pub interval: Option<(i64, i64)>,
    /// Whether the interval is less sure than it says.
    pub faint: bool,
}

/// Ratios with their intervals, one below the other, on one scale with a line at 1.
pub(super) fn intervals(page: &mut Page, title: &str, bars: &[Bar]) {
    let ends = bars.iter().flat_map(|bar| {
        let (low, high) = bar.interval.unwrap_or((bar.figure, bar.figure));
        [low, bar.figure, high]
    });
    let (mut low, mut high) = (10_000, 10_000);
    for end in ends {
        (low, high) = (low.min(end), high.max(end));
    }
    // Room at both ends, in whole tenths.
    let range = (
        low.saturating_sub(1) / 1_000 * 1_000,
        (high / 1_000).saturating_add(1).saturating_mul(1_000),
    );
    let height = bars.len() as u64 * ROW_HEIGHT;
    open(page, title, height + 18);
    let at = |value: i64| position(value, range);
    axis(page, range, height);
    for (bar, number) in bars.iter().zip(0..) {
        let middle = number * ROW_HEIGHT + 28;
        label(page, number * ROW_HEIGHT + 13, &bar.label, &bar.remark);
        page.raw("<line class=\"track\" x1=\"10\" x2=\"550\" y1=\"")
            .number(middle);
        page.raw("\" y2=\"").number(middle).raw("\"/>");
        if let Some((from, to)) = bar.interval {
            let (from, width) = (at(from), at(to).saturating_sub(at(from)).max(2));
            page.raw(if bar.faint {
                "<rect class=\"interval faint\" x=\""
            } else {
                "<rect class=\"interval\" x=\""
            });
            page.number(from).raw("\" y=\"").number(middle - 5);
            page.raw("\" width=\"")
                .number(width)
                .raw("\" height=\"10\" rx=\"3\"/>");
        }
        circle(
            page,
            "<circle class=\"candidate\" r=\"5\" cx=\"",
            (at(bar.figure), middle),
        );
    }
    page.raw("</svg>\n");
}

/// The line at 1, and both ends of the scale in figures.
fn axis(page: &mut Page, range: (i64, i64), height: u64) {
    let at = |value: i64| position(value, range);
    line(
        page,
        "<line class=\"axis\" x1=\"",
        at(10_000),
        (0, height + 4),
    );
    let tenths = |value: i64| format!("{}.{}", value / 10_000, value % 10_000 / 1_000);
    for (value, text) in [
        (range.0, "<text class=\"axis\" text-anchor=\"start\" x=\""),
        (range.1, "<text class=\"axis\" text-anchor=\"end\" x=\""),
    ] {
        // The mark of 1 needs its room.
        if at(value).abs_diff(at(10_000)) > 40 {
            text_at(page, text, (at(value), height + 16), &tenths(value));
        }
    }
    text_at(
        page,
        "<text class=\"axis\" text-anchor=\"middle\" x=\"",
        (at(10_000), height + 16),
        "1, equal",
    );
}

/// Two scores on the suite's scale: the candidate filled, the baseline open.
pub(super) fn scores(page: &mut Page, (candidate, baseline): (i32, i32), (min, max): (i32, i32)) {
    let at = |score: i32| {
        let offset = u64::try_from(i64::from(score) - i64::from(min)).unwrap_or(0);
        let range = u64::try_from(i64::from(max) - i64::from(min)).unwrap_or(0);
        8 + part(offset.min(range), range, 84)
    };
    page.raw("<svg class=\"scores\" viewBox=\"0 0 100 16\" role=\"img\" aria-label=\"");
    page.text(format!(
        "candidate {candidate}, baseline {baseline}, on a scale of {min} to {max}"
    ));
    page.raw("\"><line class=\"track\" x1=\"8\" x2=\"92\" y1=\"8\" y2=\"8\"/>");
    circle(
        page,
        "<circle class=\"baseline\" r=\"6\" cx=\"",
        (at(baseline), 8),
    );
    circle(
        page,
        "<circle class=\"candidate\" r=\"4\" cx=\"",
        (at(candidate), 8),
    );
    page.raw("</svg>");
}

fn open(page: &mut Page, title: &str, height: u64) {
    page.raw("<svg class=\"chart\" role=\"img\" viewBox=\"0 0 ")
        .number(WIDTH)
        .raw(" ");
    page.number(height)
        .raw("\" aria-label=\"")
        .text(title)
        .raw("\">\n");
}

fn label(page: &mut Page, y: u64, label: &str, remark: &str) {
    text_at(page, "<text x=\"", (0, y), label);
    text_at(
        page,
        "<text class=\"remark\" text-anchor=\"end\" x=\"",
        (WIDTH, y),
        remark,
    );
    page.raw("\n");
}

fn text_at(page: &mut Page, open: &'static str, (x, y): (u64, u64), text: &str) {
    page.raw(open)
        .number(x)
        .raw("\" y=\"")
        .number(y)
        .raw("\">")
        .text(text)
        .raw("</text>");
}

fn line(page: &mut Page, open: &'static str, x: u64, (top, bottom): (u64, u64)) {
    page.raw(open)
        .number(x)
        .raw("\" x2=\"")
        .number(x)
        .raw("\" y1=\"")
        .number(top);
    page.raw("\" y2=\"").number(bottom).raw("\"/>");
}

fn circle(page: &mut Page, open: &'static str, (x, y): (u64, u64)) {
    page.raw(open)
        .number(x)
        .raw("\" cy=\"")
        .number(y)
        .raw("\"/>");
}

/// Where a value stands on a scale's track; outside of the range, at its end.
fn position(value: i64, (low, high): (i64, i64)) -> u64 {
    let distance = |from: i64, to: i64| to.saturating_sub(from).try_into().unwrap_or(0);
    let (offset, range) = (
        distance(low, value.clamp(low, high.max(low))),
        distance(low, high),
    );
    10 + part(offset, range, WIDTH - 20)
}

/// `length * figure / whole`, 0 when there is no whole.
fn part(figure: u64, whole: u64, length: u64) -> u64 {
    let exact = u128::from(length) * u128::from(figure);
    exact
        .checked_div(u128::from(whole))
        .and_then(|part| part.try_into().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(draw: impl Fn(&mut Page)) -> String {
        let mut page = Page::default();
        draw(&mut page);
        String::from_utf8(page.into_bytes()).unwrap()
    }

    #[test]
    fn bars_are_as_long_as_their_figures() {
        let pair = Pair {
            label: "<case>".to_owned(),
            remark: "saved".to_owned(),
            candidate: (Some(u64::MAX / 2), "half".to_owned()),
            baseline: (Some(u64::MAX), "whole".to_owned()),
        };
        let unknown = Pair {
            candidate: (None, "unknown".to_owned()),
            ..pair.clone()
        };
        let svg = drawn(|page| bars(page, "t", &[pair.clone(), unknown.clone()]));
        assert!(
            svg.contains("width=\"214\"") && svg.contains("width=\"430\""),
            "{svg}"
        );
        assert_eq!(svg.matches("<rect").count(), 3, "{svg}");
        assert!(
            svg.contains("&lt;case&gt;") && svg.contains("unknown"),
            "{svg}"
        );
    }

    #[test]
    fn a_scale_keeps_everything_inside() {
        assert_eq!(position(0, (0, 100)), 10);
        assert_eq!(position(50, (0, 100)), 280);
        assert_eq!(position(i64::MAX, (0, 100)), 550);
        assert_eq!(position(i64::MIN, (0, 100)), 10);
        assert_eq!(position(3, (3, 3)), 10);
        assert_eq!(position(3, (5, 1)), 10);
    }

    #[test]
    fn intervals_stay_on_their_scale_with_a_line_at_one() {
        let bar = |figure, interval, faint| Bar {
            label: "<a>".to_owned(),
            remark: String::new(),
            figure,
            interval,
            faint,
        };
        let bars = [
            bar(5_000, Some((4_000, 6_000)), false),
            bar(20_000, None, false),
            bar(i64::MAX / 2, Some((i64::MIN, i64::MAX)), true),
        ];
        let svg = drawn(|page| intervals(page, "t", &bars[..2]));
        assert_eq!(svg.matches("<rect class=\"interval\"").count(), 1);
        assert!(
            svg.contains("1, equal") && svg.contains("&lt;a&gt;"),
            "{svg}"
        );
        assert!(svg.contains(">0.3<") && svg.contains(">2.1<"), "{svg}");
        let svg = drawn(|page| intervals(page, "t", &bars));
        assert!(svg.contains("class=\"interval faint\""), "{svg}");
    }

    #[test]
    fn scores_stand_on_the_suites_scale() {
        let svg = drawn(|page| scores(page, (5, 1), (1, 5)));
        assert!(
            svg.contains("class=\"candidate\" r=\"4\" cx=\"92\""),
            "{svg}"
        );
        assert!(svg.contains("class=\"baseline\" r=\"6\" cx=\"8\""), "{svg}");
    }

    #[test]
    fn no_reviews_give_no_bars() {
        let svg = drawn(|page| shares(page, "t", &[("design".to_owned(), [0, 0, 0])]));
        assert!(!svg.contains("<rect"), "{svg}");
    }
}
