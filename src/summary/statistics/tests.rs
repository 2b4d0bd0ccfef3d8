// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the statistics of whole experiments say, when they gate, and what they refuse to say.

use deckproof_reviews::gates::Gate;

use super::*;
use crate::experiment::records::{AttemptEnded, CheckStatus, Outcome};
use crate::summary::testing::{Lab, Script, more_cases};
use crate::summary::{Summary, summarize};
use crate::verify;

fn summary(script: &Script) -> Summary {
    summarize(&Lab::run(script).root).unwrap()
}

/// Ten cases, with `plan` at the end of the suite.
fn ten(plan: &'static str) -> Script {
    Script {
        suite: Box::new(move |text| more_cases(text, 8) + plan),
        ended: Box::new(cheaper_by_case),
        ..Script::default()
    }
}

/// Tokens of 401 to 410 of 1000 in the web arm, 500 in the other.
fn cheaper_by_case(ended: &mut AttemptEnded) {
    if ended.trial.arm.as_str() == "web" {
        let number = ended
            .trial
            .case
            .as_str()
            .bytes()
            .last()
            .map_or(0, |b| u64::from(b % 10));
        tokens(ended, 401 + number);
    }
}

fn tokens(ended: &mut AttemptEnded, all: u64) {
    ended.usage.input_tokens = Some(all - 100);
    ended.usage.total_tokens = Some(all);
}

fn id(name: &str) -> Id {
    Id::new(name).unwrap()
}

fn costs<'a>(
    summary: &'a Summary,
    arm: &str,
    against: Option<&str>,
    measure: CostMeasure,
) -> &'a CostComparison {
    let against = against.map(id);
    let mut all = summary.statistics.costs.iter();
    all.find(|one| one.arm == id(arm) && one.against == against && one.measure == measure)
        .unwrap()
}

fn p_values(tests: &[TestText]) -> Vec<&str> {
    let p = |test: &'_ TestText| test.p.is_some();
    tests
        .iter()
        .filter(|test| p(test))
        .map(|test| test.p.as_deref().unwrap())
        .collect()
}

fn gate<'a>(summary: &'a Summary, name: &str) -> &'a Gate {
    let mut gates = summary.gates.iter();
    gates
        .find(|gate| gate.name() == name)
        .unwrap_or_else(|| panic!("no gate {name}"))
}

#[test]
fn two_cases_show_nothing_and_say_so() {
    let summary = summary(&Script::default());
    let web = costs(&summary, "web", None, CostMeasure::Tokens);
    assert_eq!((web.cases, web.pairs, web.wins, web.cut_off), (2, 2, 2, 0));
    assert_eq!(web.ratio.estimate.as_deref(), Some("0.5"));
    assert_eq!(web.ratio.low.as_deref(), Some("0.5"));
    assert!(web.ratio.few_cases);
    assert_eq!(web.median_difference.exact.as_deref(), Some("-500"));
    assert_eq!(p_values(&web.tests), ["0.5", "0.5", "0.5"]);
    for test in &web.tests {
        assert_eq!(test.favours, Favours::Arm);
        let said = test.detectable.as_deref();
        assert_eq!(said, Some("nothing: no outcome of 2 cases is significant"));
    }
    let arms = costs(&summary, "web", Some("slides"), CostMeasure::Tokens);
    assert_eq!((arms.wins, arms.ties, arms.losses), (0, 2, 0));
    assert_eq!(arms.ratio.estimate.as_deref(), Some("1"));
    assert_eq!(p_values(&arms.tests), ["1", "1", "1"]);
    assert_eq!(
        arms.tests[0].detectable.as_deref(),
        Some("nothing: no case differs")
    );
    assert_eq!(summary.gates.len(), 9, "none of it gates");
    let text = summary.to_text();
    for part in [
        "Compared, with intervals at 95 % (beside the verdict)",
        "web against its baseline",
        "web against slides",
        "sign 0.5, Wilcoxon 0.5, sign-flip 0.5",
        "0.5 to 0.5, few cases",
        "No difference found: what would have been, with 80 % probability",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let at = |part: &str| text.find(part).unwrap();
    let limits = at("What these figures are not entitled to say");
    assert!(at("No difference found") < limits);
    assert!(
        summary
            .to_markdown()
            .contains("## Compared, with intervals")
    );
}

#[test]
fn ten_cases_are_counted_exactly() {
    let summary = summary(&ten(""));
    let web = costs(&summary, "web", Some("slides"), CostMeasure::Tokens);
    assert_eq!((web.wins, web.ties, web.losses), (10, 0, 0));
    // 2 / 2^10, whatever the ranks.
    assert_eq!(
        p_values(&web.tests),
        ["0.00195312", "0.00195312", "0.00195312"]
    );
    assert!(
        web.tests
            .iter()
            .all(|test| test.exact && test.detectable.is_none())
    );
    let ratio = &web.ratio;
    let [estimate, low, high] = [&ratio.estimate, &ratio.low, &ratio.high]
        .map(|one| one.as_ref().unwrap().parse::<f64>().unwrap());
    assert!(low < estimate && estimate < high, "{ratio:?}");
    assert!(0.80 < low && high < 0.83, "{ratio:?}");
    assert_eq!(ratio.draws, 9_999);
}

#[test]
fn seed_and_draws_are_the_suites_and_part_of_the_evidence() {
    let plan = "[statistics]\nalpha_percent = \"10\"\nseed = 7\nreplicates = 199\n";
    let (first, other) = (summary(&ten(plan)), summary(&ten("")));
    let of = |summary: &Summary| {
        costs(summary, "web", None, CostMeasure::Tokens)
            .ratio
            .clone()
    };
    assert_eq!(of(&first).draws, 199);
    assert_eq!(of(&first).estimate, of(&other).estimate);
    assert_ne!(of(&first).low, of(&other).low);
    let plan = &first.statistics.plan;
    assert_eq!((plan.seed, plan.replicates), (7, Some(199)));
    assert_eq!(
        (plan.alpha_percent.as_str(), plan.level_percent.as_str()),
        ("10", "90")
    );
}

#[test]
fn a_forged_statistic_does_not_verify() {
    let lab = Lab::good();
    let summary = summarize(&lab.root).unwrap();
    crate::summary::write(&lab.root, &summary).unwrap();
    let file = lab.path("summary.json");
    let text = fs_err::read_to_string(&file).unwrap();
    for (from, to) in [
        ("\"estimate\": \"0.5\"", "\"estimate\": \"0.4\""),
        ("\"p\": \"0.5\"", "\"p\": \"0.05\""),
        ("\"seed\": 1", "\"seed\": 2"),
    ] {
        assert!(text.contains(from), "{from}");
        fs_err::write(&file, text.replacen(from, to, 1)).unwrap();
        let error = verify::verify(&lab.root).unwrap_err().to_string();
        assert!(error.contains("found another summary"), "{error}");
    }
}

const CLAIM: &str = "[[statistics.non_inferiority]]\narm = \"web\"\nagainst = \"slides\"\n\
                     measure = \"tokens\"\nmargin = \"0.9\"\n";

#[test]
fn a_claim_gates_only_where_the_sealed_suite_says_so() {
    let told = summary(&ten(CLAIM));
    assert_eq!(told.gates.len(), 25);
    let claim = &told.statistics.non_inferiority[0];
    assert!(claim.shown && !claim.gate);
    let gating: &'static str = Box::leak(format!("{CLAIM}gate = true\n").into_boxed_str());
    let held = summary(&ten(gating));
    let name = "non_inferiority:tokens:web:slides";
    assert!(gate(&held, name).passed(), "{}", held.to_text());
    assert_eq!(held.exit_code(), 0, "{}", held.to_text());
    // Equal figures are not shown to be a tenth less.
    let equal = summary(&Script {
        ended: Box::new(|_| ()),
        ..ten(gating)
    });
    assert_eq!(equal.failed_gates, [name]);
    assert_eq!(gate(&equal, name).reason(), "1.0000 is not less than 0.9");
    assert!(!equal.statistics.non_inferiority[0].shown);
}

#[test]
fn a_claim_over_one_case_or_unknown_figures_is_not_shown() {
    let gating: &'static str = Box::leak(format!("{CLAIM}gate = true\n").into_boxed_str());
    let unknown = summary(&Script {
        ended: Box::new(|ended| {
            cheaper_by_case(ended);
            if ended.trial.to_string() == "more-3.web.1" {
                ended.usage.total_tokens = None;
                ended.usage.input_tokens = None;
            }
        }),
        ..ten(gating)
    });
    let name = "non_inferiority:tokens:web:slides";
    let reason = gate(&unknown, name).reason();
    assert_eq!(reason, "unknown: 1 of 10 pairs have no figure");
    let web = costs(&unknown, "web", Some("slides"), CostMeasure::Tokens);
    assert!(
        web.tests
            .iter()
            .all(|test| test.p.is_none() && test.unknown.is_some())
    );
    assert_eq!(web.ratio.estimate, None);
}

const FAMILY: &str = "[[statistics.family]]\nid = \"better\"\ngate = true\n\
    [[statistics.family.test]]\narm = \"web\"\nagainst = \"slides\"\nmeasure = \"tokens\"\nmethod = \"sign_flip\"\n\
    [[statistics.family.test]]\narm = \"web\"\nmeasure = \"score\"\ndimension = \"design\"\nmethod = \"wilcoxon\"\n";

#[test]
fn a_family_is_corrected_and_gates_in_one_direction() {
    let good = summary(&ten(FAMILY));
    assert_eq!(good.exit_code(), 0, "{}", good.to_text());
    let family = &good.statistics.families[0];
    assert!(family.shown && family.gate);
    let adjusted: Vec<_> = family
        .tests
        .iter()
        .map(|one| one.adjusted_p.as_str())
        .collect();
    assert_eq!(adjusted, ["0.00390625", "0.00390625"]);
    // The other arm is significantly cheaper: that is no finding for this one.
    let turned = summary(&Script {
        ended: Box::new(|ended| {
            if ended.trial.arm.as_str() == "slides" {
                tokens(ended, 490);
            }
        }),
        ..ten(FAMILY)
    });
    assert_eq!(turned.failed_gates, ["family:better"]);
    let detail = gate(&turned, "family:better").detail();
    assert_eq!(
        detail,
        ["`web` against `slides`, tokens, sign-flip permutation: the other is the better one"]
    );
    // No difference at all.
    let equal = summary(&Script {
        ended: Box::new(|_| ()),
        ..ten(FAMILY)
    });
    assert_eq!(equal.failed_gates, ["family:better"]);
    let detail = gate(&equal, "family:better").detail();
    assert!(detail[0].ends_with("p 1, corrected 1"), "{detail:?}");
}

#[test]
fn a_time_limit_decides_what_it_can_and_is_never_averaged() {
    let summary = summary(&Script {
        ended: Box::new(|ended| {
            cheaper_by_case(ended);
            if ended.trial.to_string() == "more-1.web.1" {
                ended.outcome = Outcome::TimedOut;
                ended.run.duration_ms = 40_000;
                ended.run.ended_at = "2026-01-02T03:04:45Z".to_owned();
            }
            if ended.trial.to_string() == "more-2.slides.1" {
                ended.outcome = Outcome::TimedOut;
                ended.run.duration_ms = 20_000;
                ended.run.ended_at = "2026-01-02T03:04:25Z".to_owned();
            }
        }),
        ..ten("")
    });
    let time = costs(&summary, "web", Some("slides"), CostMeasure::Duration);
    assert_eq!(time.cut_off, 2);
    // At least 40 s against 30 s is a loss; 30 s against at least 20 s is unknown.
    assert_eq!(
        (time.wins, time.ties, time.losses, time.undecided),
        (0, 8, 1, 1)
    );
    assert_eq!(
        time.ratio.unknown.as_deref(),
        Some("a time limit cut off 2 figures")
    );
    assert_eq!(time.tests[0].p.as_deref(), Some("1"));
    assert!(time.tests[1].p.is_none());
    assert_eq!(time.median_difference.exact, None);
    let limits = summary.not_entitled_to_say.join("\n");
    assert!(
        limits.contains("What trials that ran out of time would have cost"),
        "{limits}"
    );
}

#[test]
fn passing_on_one_side_alone_is_counted_by_cases() {
    let summary = summary(&Script {
        judged: Box::new(|judged| {
            let trial = judged.trial.to_string();
            if trial == "more-1.slides.1" || trial == "more-2.slides.1" || trial == "more-2.web.1" {
                judged.checks[0].status = CheckStatus::Fail;
            }
        }),
        response: Box::new(|trial, candidate, response| {
            if trial.to_string() == "more-3.web.1" {
                let label = &mut response["labels"][candidate.as_str()]["dimensions"];
                label["design"]["pass"] = serde_json::json!(false);
            }
            true
        }),
        ..ten("")
    });
    let passes = &summary.statistics.passes;
    let of = |against: Option<&str>| {
        let against = against.map(id);
        let mut all = passes.iter().filter(|one| one.arm == id("web"));
        all.find(|one| one.against == against).unwrap()
    };
    let checks = of(Some("slides"));
    assert_eq!(checks.passing, Passing::Checks);
    assert_eq!(
        (
            checks.both,
            checks.arm_only,
            checks.other_only,
            checks.neither
        ),
        (8, 1, 0, 1)
    );
    assert_eq!(checks.test.p.as_deref(), Some("1"));
    let reviewers = of(None);
    assert_eq!(reviewers.passing, Passing::Reviewers);
    assert_eq!((reviewers.both, reviewers.other_only), (9, 1));
}

#[test]
fn repetitions_are_pairs_of_one_case() {
    let summary = summary(&Script {
        suite: Box::new(|text| text.replace("repetitions = 1", "repetitions = 3")),
        ended: Box::new(|ended| {
            if ended.trial.arm.as_str() == "web" {
                tokens(ended, 300 + 100 * u64::from(ended.trial.repetition));
            }
        }),
        ..Script::default()
    });
    let web = costs(&summary, "web", Some("slides"), CostMeasure::Tokens);
    assert_eq!((web.cases, web.pairs), (2, 6));
    // 400, 500 and 600 against 500: the medians are equal, whatever the mean of logarithms says.
    assert_eq!((web.wins, web.ties, web.losses), (0, 2, 0));
    assert_eq!(web.median_difference.exact.as_deref(), Some("0"));
    let expected = (0.8_f64 * 1.2).powf(1.0 / 3.0);
    let ratio: f64 = web.ratio.estimate.as_deref().unwrap().parse().unwrap();
    assert!((ratio - expected).abs() < 1e-6, "{ratio} {expected}");
    assert_eq!(web.tests[1].cases, 2, "cases are counted, not trials");
}

#[test]
fn a_missing_review_tells_nothing_of_its_case() {
    let script = Script {
        response: Box::new(|trial, _, _| trial.to_string() != "case-one.web.1"),
        ..Script::default()
    };
    let lab = Lab::run(&script);
    let summary = summarize(&lab.root).unwrap();
    let scores = &summary.statistics.scores;
    let web: Vec<_> = scores.iter().filter(|one| one.arm == id("web")).collect();
    assert_eq!(web.len(), 2);
    assert!(web.iter().all(|one| one.cases == 1 && one.reviews == 1));
    let open: Vec<_> = summary
        .comparisons
        .iter()
        .filter(|one| !one.missing.is_empty())
        .collect();
    assert_eq!(open.len(), 1);
    assert_eq!((open[0].candidate_label, open[0].reviews.len()), (None, 0));
    let others = summary
        .comparisons
        .iter()
        .filter(|one| one.missing.is_empty());
    assert!(others.into_iter().all(|one| one.candidate_label.is_some()));
}

/// An optional review of a packet whose required one is missing would tell the missing reviewer
/// which deck is the candidate.
#[test]
fn reviews_are_held_back_while_a_required_one_is_missing() {
    let script = Script {
        response: Box::new(|trial, _, response| {
            if trial.to_string() == "case-one.web.1" {
                response["reviewer"]["type"] = serde_json::json!("model");
                response["reviewer"]["model"] = serde_json::json!("judge-1");
            }
            true
        }),
        ..Script::default()
    };
    let summary = summary(&script);
    let open = summary
        .comparisons
        .iter()
        .find(|one| !one.missing.is_empty())
        .unwrap();
    assert_eq!(
        (open.held_back, open.reviews.len(), open.candidate_label),
        (1, 0, None)
    );
    let text = summary.to_text();
    assert!(
        text.contains("1 review on file, held back while one is missing"),
        "{text}"
    );
    let json = String::from_utf8(summary.to_bytes().unwrap()).unwrap();
    assert_eq!(json.matches("judge-1").count(), 0);
}
