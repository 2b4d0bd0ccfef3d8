// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copy that is right in every layout a person would call right, and wrong in every way that was ever let through.

use super::*;
use crate::checks::testing::Case;

type Shown<'a> = (&'a str, (i64, i64, i64, i64));

fn of(copy: &[(&str, &str)], shown: &[Shown<'_>]) -> Verdict {
    let case = Case::html().slide(copy);
    let case = shown
        .iter()
        .fold(case, |case, (text, rect)| case.text(text, *rect));
    required(&case.evidence())
}

fn reason(verdict: Verdict) -> String {
    match verdict {
        Err(Problem::Fail(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

/// Whether one required text stands in one shown text.
fn stands(required: &str, shown: &str) -> bool {
    of(&[("a", required)], &[(shown, (0, 0, 100, 20))]).is_ok()
}

#[test]
fn a_text_must_be_there_to_the_character() {
    assert!(stands("−5%", "−5%"));
    for (required, shown) in [
        ("−5%", "-5%"),
        ("−5%", "5%"),
        ("5%", "−5%"),
        ("5%", "-5%"),
        ("5", "(5)"),
        ("(5)", "5"),
        ("1,234", "234,1"),
        ("1,234", "1.234"),
        ("1,234", "1234"),
        ("Revenue", "revenue"),
        ("Revenue.", "Revenue"),
        ("it’s", "it's"),
        ("é", "e\u{301}"),
        ("ab", "a\u{200b}b"),
        ("5%", "5 %"),
        ("5%", "not 5%"),
        ("5%", "5% less"),
        ("Up 5%", "5% Up"),
        ("5%", "15%"),
        ("a", ""),
    ] {
        assert!(!stands(required, shown), "{required:?} in {shown:?}");
    }
}

#[test]
fn white_space_and_line_breaks_do_not_matter() {
    assert!(stands("Up 5 %", "  Up\u{a0}5\n %\t"));
    assert!(stands(" Up  5 % ", "Up 5 %"));
    assert!(stands("second line", "first line\nsecond\nline\nlast"));
    assert!(
        !stands("line last", "first line\nlast one"),
        "half a line is no line"
    );
}

#[test]
fn required_texts_may_share_a_line_that_they_fill() {
    let copy = [("event-label", "Week 31"), ("event", "The dock opens.")];
    let rect = (0, 0, 300, 20);
    assert!(of(&copy, &[("Week 31 The dock opens.", rect)]).is_ok());
    assert!(of(&copy, &[("Week 31 The dock never opens.", rect)]).is_err());
    assert!(of(&copy, &[("In Week 31 The dock opens.", rect)]).is_err());
}

#[test]
fn what_cannot_be_seen_is_not_shown() {
    let mut case = Case::html()
        .slide(&[("title", "Hello")])
        .text("Hello", (0, 0, 100, 20));
    case.facts.slides[0].texts[0].visible = false;
    assert!(reason(required(&case.evidence())).contains("cannot be seen"));
    case.facts.slides[0].texts.clear();
    case.facts.slides[0].notes = Some("Hello".to_owned());
    assert!(reason(required(&case.evidence())).contains("notes alone"));
    let mut case = Case::html()
        .slide(&[("title", "Hello")])
        .text("Hello", (0, 0, 100, 20));
    case.facts.slides[0].hidden = true;
    assert!(reason(required(&case.evidence())).contains("hidden"));
}

#[test]
fn other_texts_may_stand_beside_them_and_slides_do_not_mix() {
    let case = Case::html()
        .slide(&[("a", "A")])
        .text("A", (0, 0, 9, 9))
        .text("7", (0, 50, 9, 9))
        .slide(&[("b", "B")]);
    assert!(reason(required(&case.evidence())).contains("slide 2 (s2): b “B” is not shown"));
    let case = case.text("B", (0, 0, 9, 9));
    assert!(required(&case.evidence()).is_ok());
    let mut swapped = case;
    swapped.facts.slides.swap(0, 1);
    assert!(required(&swapped.evidence()).is_err());
    swapped.facts.slides.truncate(1);
    assert!(reason(required(&swapped.evidence())).contains("no such slide"));
}

#[test]
fn the_reason_shows_what_stands_there_instead() {
    let why = reason(of(&[("kpi-1-value", "−5%")], &[("-5%", (0, 0, 100, 20))]));
    assert!(
        why.contains("kpi-1-value “−5%” is not shown, found “-5%”"),
        "{why}"
    );
}

#[test]
fn a_text_serves_one_field() {
    let copy = [("kpi-1-value", "54"), ("kpi-2-value", "54")];
    assert!(reason(of(&copy, &[("54", (0, 0, 9, 9))])).contains("less often"));
    assert!(of(&copy, &[("54", (0, 0, 9, 9)), ("54", (50, 0, 9, 9))]).is_ok());
}

const CARDS: [(&str, &str); 4] = [
    ("kpi-1-label", "Revenue"),
    ("kpi-1-value", "5%"),
    ("kpi-2-label", "Cost"),
    ("kpi-2-value", "7%"),
];

#[test]
fn figures_may_stand_under_over_or_beside_their_labels() {
    let under = [
        ("Revenue", (0, 0, 100, 20)),
        ("5%", (0, 20, 100, 40)),
        ("Cost", (200, 0, 100, 20)),
        ("7%", (200, 20, 100, 40)),
    ];
    let over = [
        ("5%", (0, 0, 100, 40)),
        ("Revenue", (0, 40, 100, 20)),
        ("7%", (200, 0, 100, 40)),
        ("Cost", (200, 40, 100, 20)),
    ];
    let rows = [
        ("Revenue", (0, 0, 100, 20)),
        ("Cost", (200, 0, 100, 20)),
        ("5%", (0, 20, 100, 40)),
        ("7%", (200, 20, 100, 40)),
    ];
    let beside = [
        ("7%", (100, 60, 50, 20)),
        ("5%", (100, 0, 50, 20)),
        ("Cost", (0, 60, 100, 20)),
        ("Revenue", (0, 0, 100, 20)),
    ];
    for shown in [under, over, rows, beside] {
        assert_eq!(
            of(&CARDS, &shown).map_err(|problem| format!("{problem:?}")),
            Ok("all 4 required texts are shown".to_owned())
        );
    }
    assert!(
        of(
            &CARDS,
            &[
                ("Revenue\n5%", (0, 0, 100, 60)),
                ("Cost\n7%", (200, 0, 100, 60))
            ]
        )
        .is_ok()
    );
    assert!(of(&CARDS, &[("5%\nRevenue\n7%\nCost", (0, 0, 100, 60))]).is_ok());
}

#[test]
fn swapped_figures_fail_in_every_layout() {
    let under = [
        ("Revenue", (0, 0, 100, 20)),
        ("7%", (0, 20, 100, 40)),
        ("Cost", (200, 0, 100, 20)),
        ("5%", (200, 20, 100, 40)),
    ];
    let rows = [
        ("Revenue", (0, 0, 100, 20)),
        ("Cost", (200, 0, 100, 20)),
        ("7%", (0, 20, 100, 40)),
        ("5%", (200, 20, 100, 40)),
    ];
    let beside = [
        ("Revenue", (0, 0, 100, 20)),
        ("7%", (100, 0, 50, 20)),
        ("Cost", (0, 60, 100, 20)),
        ("5%", (100, 60, 50, 20)),
    ];
    for shown in [under, rows, beside] {
        assert!(reason(of(&CARDS, &shown)).contains("kpi-"), "{shown:?}");
    }
    // The document has the right order; what a viewer sees has not.
    let moved = [
        ("Revenue", (0, 0, 100, 20)),
        ("5%", (200, 20, 100, 40)),
        ("Cost", (200, 0, 100, 20)),
        ("7%", (0, 20, 100, 40)),
    ];
    assert!(of(&CARDS, &moved).is_err());
    assert!(
        of(
            &CARDS,
            &[
                ("Revenue\n7%", (0, 0, 100, 60)),
                ("Cost\n5%", (200, 0, 100, 60))
            ]
        )
        .is_err()
    );
    assert!(of(&CARDS, &[("Revenue\n7%\nCost\n5%", (0, 0, 100, 60))]).is_err());
}

#[test]
fn figures_swapped_across_a_square_of_cards_fail() {
    let names: Vec<(String, String)> = (1..=4)
        .flat_map(|n| {
            [
                (format!("kpi-{n}-label"), format!("Label {n}")),
                (format!("kpi-{n}-value"), format!("{n}%")),
            ]
        })
        .collect();
    let copy: Vec<(&str, &str)> = names
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let corner = |n: i64| ((n - 1) % 2 * 300, (n - 1) / 2 * 200);
    let deck = |values: [i64; 4]| {
        let case = (1..=4)
            .zip(values)
            .fold(Case::html().slide(&copy), |case, (n, value)| {
                let (x, y) = corner(n);
                case.text(&format!("Label {n}"), (x, y, 200, 20))
                    .text(&format!("{value}%"), (x, y + 20, 200, 40))
            });
        required(&case.evidence())
    };
    assert!(deck([1, 2, 3, 4]).is_ok());
    for swapped in [
        [2, 1, 3, 4],
        [3, 2, 1, 4],
        [4, 2, 3, 1],
        [1, 3, 2, 4],
        [2, 3, 4, 1],
    ] {
        assert!(deck(swapped).is_err(), "{swapped:?}");
    }
}

#[test]
fn fields_without_numbers_keep_their_order_too() {
    let copy = [
        ("revenue", "Revenue"),
        ("revenue_value", "5%"),
        ("cost", "Cost"),
        ("cost_value", "7%"),
    ];
    let good = [
        ("5%", (0, 20, 100, 40)),
        ("Revenue", (0, 0, 100, 20)),
        ("7%", (200, 20, 100, 40)),
        ("Cost", (200, 0, 100, 20)),
    ];
    let bad = [
        ("7%", (0, 20, 100, 40)),
        ("Revenue", (0, 0, 100, 20)),
        ("5%", (200, 20, 100, 40)),
        ("Cost", (200, 0, 100, 20)),
    ];
    assert!(of(&copy, &good).is_ok() && of(&copy, &bad).is_err());
}

#[test]
fn steps_run_down_or_to_the_right() {
    let copy = [("step-1", "One"), ("step-2", "Two"), ("step-3", "Three")];
    assert!(of(&copy, &[("One\nTwo\nThree", (0, 0, 100, 60))]).is_ok());
    assert!(of(&copy, &[("One\nThree\nTwo", (0, 0, 100, 60))]).is_err());
    let at = |x: i64, y: i64| (x, y, 80, 20);
    assert!(
        of(
            &copy,
            &[
                ("One", at(0, 0)),
                ("Two", at(100, 0)),
                ("Three", at(200, 0))
            ]
        )
        .is_ok()
    );
    assert!(
        of(
            &copy,
            &[
                ("One", at(200, 0)),
                ("Two", at(100, 0)),
                ("Three", at(0, 0))
            ]
        )
        .is_err()
    );
    assert!(
        of(
            &copy,
            &[("Three", at(0, 80)), ("Two", at(0, 40)), ("One", at(0, 0))]
        )
        .is_ok(),
        "seen in order"
    );
}

#[test]
fn a_table_keeps_rows_and_columns() {
    let copy = [
        ("h1", "Depot"),
        ("h2", "Share"),
        ("r1c1", "North"),
        ("r1c2", "22%"),
        ("r2c1", "South"),
        ("r2c2", "22%"),
        ("r3c1", "All"),
        ("r3c2", "37%"),
    ];
    let at = |row: i64, column: i64| (column * 100, row * 30, 100, 30);
    let deck = |texts: [&str; 8]| {
        let shown: Vec<Shown<'_>> = texts
            .iter()
            .zip(0..)
            .map(|(text, n)| (*text, at(n / 2, n % 2)))
            .collect();
        of(&copy, &shown)
    };
    assert!(
        deck([
            "Depot", "Share", "North", "22%", "South", "22%", "All", "37%"
        ])
        .is_ok()
    );
    assert!(
        deck([
            "Depot", "Share", "North", "22%", "South", "37%", "All", "22%"
        ])
        .is_err()
    );
    assert!(
        deck([
            "Depot", "Share", "South", "22%", "North", "22%", "All", "37%"
        ])
        .is_err()
    );
    assert!(
        deck([
            "Share", "Depot", "North", "22%", "South", "22%", "All", "37%"
        ])
        .is_err()
    );
    assert!(
        deck([
            "Depot", "Share", "22%", "North", "South", "22%", "All", "37%"
        ])
        .is_err()
    );
}

#[test]
fn cells_named_by_row_and_column_do_not_change_places() {
    let copy = [
        ("head-open", "Open"),
        ("head-late", "Late"),
        ("east-open", "96"),
        ("east-late", "21"),
        ("west-open", "148"),
        ("west-late", "55"),
    ];
    let deck = |texts: [&str; 6]| {
        let place = |n: i64| (n % 2 * 100, n / 2 * 30, 100, 30);
        let shown: Vec<Shown<'_>> = texts
            .iter()
            .zip(0..)
            .map(|(text, n)| (*text, place(n)))
            .collect();
        of(&copy, &shown)
    };
    assert!(deck(["Open", "Late", "96", "21", "148", "55"]).is_ok());
    assert!(reason(deck(["Open", "Late", "96", "21", "55", "148"])).contains("west-late"));
    assert!(
        deck(["Late", "Open", "96", "21", "148", "55"]).is_err(),
        "heads that name the wrong columns"
    );
    assert!(deck(["Open", "Late", "148", "21", "96", "55"]).is_err());
    assert!(deck(["Open", "Late", "148", "55", "96", "21"]).is_err());
}

#[test]
fn what_is_no_figure_keeps_its_place_before_or_after_its_label() {
    let copy = [
        ("ask-label", "What we ask"),
        ("ask", "One more crew for four weeks."),
    ];
    assert!(
        of(
            &copy,
            &[
                ("What we ask", (0, 0, 200, 20)),
                ("One more crew for four weeks.", (0, 30, 200, 20))
            ]
        )
        .is_ok()
    );
    assert!(
        of(
            &copy,
            &[
                ("One more crew for four weeks.", (0, 0, 200, 20)),
                ("What we ask", (0, 30, 200, 20))
            ]
        )
        .is_err()
    );
}

#[test]
fn a_cell_does_not_change_places_with_the_start_of_the_next_row() {
    let copy = [
        ("a-name", "North"),
        ("a-open", "96"),
        ("b-name", "South"),
        ("b-open", "74"),
        ("c-name", "West"),
        ("c-open", "88"),
    ];
    let deck = |texts: [&str; 6]| {
        let place = |n: i64| (n % 2 * 100, n / 2 * 30, 100, 30);
        let shown: Vec<Shown<'_>> = texts
            .iter()
            .zip(0..)
            .map(|(text, n)| (*text, place(n)))
            .collect();
        of(&copy, &shown)
    };
    assert!(deck(["North", "96", "South", "74", "West", "88"]).is_ok());
    assert!(deck(["North", "South", "96", "74", "West", "88"]).is_err());
    assert!(deck(["North", "96", "South", "West", "74", "88"]).is_err());
}

#[test]
fn a_required_text_that_also_stands_elsewhere_finds_its_place() {
    let copy = [("title", "Plan"), ("page", "2")];
    let shown = [
        ("2", (0, 0, 20, 20)),
        ("Plan", (100, 0, 200, 40)),
        ("2", (1200, 690, 20, 20)),
    ];
    assert!(of(&copy, &shown).is_ok());
    let many: Vec<Shown<'_>> = (0..150)
        .map(|n| ("2", (n * 5, 0, 4, 4)))
        .chain([("Plan", (0, 50, 9, 9)), ("2", (0, 90, 9, 9))])
        .collect();
    assert!(of(&copy, &many).is_ok());
}

#[test]
fn a_hopeless_search_ends_and_does_not_pass() {
    let names: Vec<String> = (1..=30).map(|n| format!("x-{n}")).collect();
    let copy: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (name.as_str(), "7"))
        .chain([("last-1", "A"), ("last-2", "B")])
        .collect();
    let shown: Vec<Shown<'_>> = (0..60)
        .map(|n| ("7", (n * 10, 0, 8, 8)))
        .chain([("B", (0, 50, 9, 9)), ("A", (50, 50, 9, 9))])
        .collect();
    assert!(of(&copy, &shown).is_err());
}

#[test]
fn an_empty_field_is_the_specs_fault() {
    assert!(matches!(of(&[("a", " ")], &[]), Err(Problem::Error(_))));
}
