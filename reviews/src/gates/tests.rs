// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each gate fails alone, unknown never passes, and rounding never decides.

use super::*;

fn count(value: u64) -> Figure {
    Figure::of(Exact::from(value))
}

fn exact(text: &str) -> Exact {
    text.parse().unwrap()
}

fn none() -> Result<Vec<String>, String> {
    Ok(Vec::new())
}

fn good() -> Vec<Gate> {
    let cases = [("a".to_owned(), count(100), count(60))];
    vec![
        protocol_controls(none()),
        mechanical_checks(none()),
        semantic_non_regression(none()),
        median_token_improvement(&cases, &exact("0.3")),
        median_duration_improvement(&cases, &exact("0.3")),
        token_ratio("a", &count(105), &count(100), &exact("1.05")),
        duration_ratio("a", &count(1), &count(1), &exact("1")),
    ]
}

#[test]
fn all_gates_together_pass() {
    let verdict = Verdict::of(good());
    assert!(verdict.passed());
    assert_eq!(verdict.exit_code(), 0);
    assert_eq!(verdict.failing().count(), 0);
}

#[test]
fn each_gate_failing_alone_is_named_alone() {
    let bad = || Ok(vec!["x".to_owned()]);
    let cases = [("a".to_owned(), count(100), count(71))];
    let failing = [
        protocol_controls(bad()),
        mechanical_checks(bad()),
        semantic_non_regression(bad()),
        median_token_improvement(&cases, &exact("0.3")),
        median_duration_improvement(&cases, &exact("0.3")),
        token_ratio("a", &count(106), &count(100), &exact("1.05")),
        duration_ratio("a", &count(2), &count(1), &exact("1")),
    ];
    for gate in failing {
        let name = gate.name().to_owned();
        let mut gates = good();
        gates.retain(|other| other.name() != name);
        gates.push(gate);
        let verdict = Verdict::of(gates);
        assert_eq!(verdict.exit_code(), 1);
        let names: Vec<_> = verdict.failing().map(Gate::name).collect();
        assert_eq!(names, [name]);
    }
}

#[test]
fn no_gates_are_no_pass() {
    assert_eq!(Verdict::of(Vec::new()).exit_code(), 1);
}

#[test]
fn one_name_twice_is_no_pass() {
    let verdict = Verdict::of(vec![protocol_controls(none()), protocol_controls(none())]);
    assert!(!verdict.passed());
    assert_eq!(
        verdict.gates().last().unwrap().detail(),
        [PROTOCOL_CONTROLS]
    );
}

#[test]
fn unknown_fails_as_unknown() {
    let unknown = Figure::unknown("no usage");
    let cases = [
        ("a".to_owned(), count(1), count(0)),
        ("b".to_owned(), count(1), unknown.clone()),
    ];
    for gate in [
        median_token_improvement(&cases, &exact("-10")),
        token_ratio("a", &unknown, &count(1), &exact("100")),
        token_ratio("a", &count(1), &unknown, &exact("100")),
        token_ratio("a", &count(0), &count(0), &exact("100")),
        median_duration_improvement(&[], &exact("0")),
        protocol_controls(Err("no journal".to_owned())),
    ] {
        assert!(!gate.passed(), "{gate:?}");
        assert!(gate.reason().starts_with("unknown: "), "{gate:?}");
        assert_eq!((gate.figure(), gate.exact()), (None, None));
    }
}

#[test]
fn a_figure_that_rounds_to_the_limit_fails_and_says_why() {
    let cases = [("a".to_owned(), count(10_000), count(7_004))];
    let gate = median_token_improvement(&cases, &exact("0.3"));
    assert!(!gate.passed());
    assert_eq!(gate.reason(), "30.0 % is less than 30 % (in full: 0.2996)");
    let gate = token_ratio("a", &count(30_001), &count(30_000), &exact("1"));
    assert!(!gate.passed());
    assert_eq!(
        gate.reason(),
        "1.0000 is more than 1 (in full: 30001/30000)"
    );
}

#[test]
fn the_limit_itself_passes() {
    let at = Figure::of(exact("0.3"));
    assert!(Gate::at_least("g", &at, &exact("0.30"), Unit::Percent).passed());
    assert!(Gate::at_most("g", &at, &exact("0.30"), Unit::Ratio).passed());
}

#[test]
fn trials_of_a_cell_have_a_median() {
    assert_eq!(median_of_counts(&[Some(4), Some(1), Some(2)]), count(2));
    assert_eq!(
        median_of_counts(&[Some(1), Some(2)]),
        Figure::of(exact("1.5"))
    );
    assert!(median_of_counts(&[]).known().is_none());
    let partly = median_of_counts(&[Some(1), None]);
    assert_eq!(partly, Figure::unknown("1 of 2 trials have no figure"));
}

#[test]
fn a_gate_says_everything_in_its_record() {
    let gate =
        serde_json::to_value(token_ratio("a", &count(1), &count(3), &exact("1.05"))).unwrap();
    let expected = serde_json::json!({
        "name": "token_ratio:a", "passed": true, "comparison": "at_most", "figure": "0.3333",
        "exact": "1/3", "limit": "1.05", "reason": "0.3333 is at most 1.05", "detail": [],
    });
    assert_eq!(gate, expected);
}

#[test]
fn below_is_strict() {
    let gate = |figure: &str| {
        let figure = Figure::of(figure.parse().unwrap());
        Gate::below("g", &figure, &"1.1".parse().unwrap(), Unit::Ratio)
    };
    assert!(gate("1.0999999999999").passed());
    assert_eq!(gate("1.05").reason(), "1.0500 is less than 1.1");
    let equal = gate("1.1");
    assert!(!equal.passed());
    assert_eq!(equal.reason(), "1.1000 is not less than 1.1");
    let unknown = Gate::below("g", &Figure::unknown("why"), &Exact::zero(), Unit::Ratio);
    assert!(!unknown.passed());
}
