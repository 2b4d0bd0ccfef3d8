// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the statistics of whole experiments say, when they gate, and what they refuse to say.

use deckproof_packets::mapping::Label;
use deckproof_reviews::gates::Gate;

use super::*;
use crate::experiment::records::{AttemptEnded, CheckStatus, Outcome};
use crate::summary::testing::{Lab, Script, multiplied};
use crate::summary::{Summary, figures, mechanical, reviews, summarize, trials};
use crate::verify::{self, Verified};

fn summary(script: &Script) -> Summary {
    summarize(&Lab::run(script).root).unwrap()
}

/// What is told, and the gates that were asked for.
struct Told {
    statistics: Statistics,
    gates: Vec<Gate>,
}

fn told(verified: &Verified) -> Told {
    let trials = trials::all(verified).unwrap();
    let cells = figures::cells(verified, &trials).unwrap();
    let failed = mechanical::failed(&trials);
    let compared = reviews::comparisons(verified, &trials).unwrap();
    let suite = &verified.experiment.suite;
    let (statistics, gates) = of(suite, &cells, &failed, &compared).unwrap();
    Told { statistics, gates }
}

/// Ten cases by this plan, with every attempt bent.
fn ten(plan: &str, bend: impl Fn(&mut AttemptEnded)) -> Verified {
    let mut verified = multiplied(&Lab::good(), 8, plan);
    for history in verified.history.trials.values_mut() {
        for attempt in &mut history.attempts {
            attempt.ended.as_deref_mut().into_iter().for_each(&bend);
        }
    }
    verified
}

/// Tokens of 401 to 410 of 1000 in the web arm, 500 in the other.
fn cheaper_by_case(ended: &mut AttemptEnded) {
    if ended.trial.arm.as_str() == "web" {
        let last = ended.trial.case.as_str().bytes().last();
        tokens(ended, 401 + last.map_or(0, |byte| u64::from(byte % 10)));
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
    statistics: &'a Statistics,
    arm: &str,
    against: Option<&str>,
    measure: CostMeasure,
) -> &'a CostComparison {
    let against = against.map(id);
    let mut all = statistics.costs.iter();
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

fn gate<'a>(gates: &'a [Gate], name: &str) -> &'a Gate {
    let found = gates.iter().find(|gate| gate.name() == name);
    found.unwrap_or_else(|| panic!("no gate {name}"))
}

#[test]
fn two_cases_show_nothing_and_say_so() {
    let summary = summary(&Script::default());
    let web = costs(&summary.statistics, "web", None, CostMeasure::Tokens);
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
    let arms = costs(
        &summary.statistics,
        "web",
        Some("slides"),
        CostMeasure::Tokens,
    );
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
    let told = told(&ten("", cheaper_by_case));
    let web = costs(&told.statistics, "web", Some("slides"), CostMeasure::Tokens);
    assert_eq!((web.wins, web.ties, web.losses), (10, 0, 0));
    // 2 / 2^10, whatever the ranks.
    assert_eq!(p_values(&web.tests), ["0.00195312"; 3]);
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
    let time = costs(
        &told.statistics,
        "web",
        Some("slides"),
        CostMeasure::Duration,
    );
    let said = time.tests[1].detectable.as_deref();
    assert_eq!(said, Some("a ratio of 1, or of 1 the other way"));
    assert!(told.gates.is_empty());
}

#[test]
fn seed_and_draws_are_the_suites_and_part_of_the_evidence() {
    let plan = "[statistics]\nalpha_percent = \"10\"\nseed = 7\nreplicates = 199\n";
    let first = told(&ten(plan, cheaper_by_case)).statistics;
    let other = told(&ten("", cheaper_by_case)).statistics;
    let of = |all: &Statistics| costs(all, "web", None, CostMeasure::Tokens).ratio.clone();
    assert_eq!(of(&first).draws, 199);
    assert_eq!(of(&first).estimate, of(&other).estimate);
    assert_ne!(of(&first).low, of(&other).low);
    assert_eq!((first.plan.seed, first.plan.replicates), (7, Some(199)));
    let percents = (
        first.plan.alpha_percent.as_str(),
        first.plan.level_percent.as_str(),
    );
    assert_eq!(percents, ("10", "90"));
}

#[test]
fn many_cases_are_drawn_less_often_and_say_so() {
    let plan = Plan::of(&crate::suite::Statistics::default()).unwrap();
    let draws = |cases| plan.resampling(cases).draws;
    assert_eq!(
        (draws(1), draws(1_000), draws(2_000)),
        (9_999, 9_999, 5_000)
    );
    assert_eq!((draws(0), draws(1_000_000)), (9_999, 999));
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

/// The good experiment with `plan`, the web arm at 400 tokens and the other at 500.
fn planned(plan: &'static str) -> Script {
    Script {
        suite: Box::new(move |text| text + plan),
        ended: Box::new(|ended| {
            if ended.trial.arm.as_str() == "web" {
                tokens(ended, 400);
            }
        }),
        ..Script::default()
    }
}

#[test]
fn a_claim_gates_only_where_the_sealed_suite_says_so() {
    let name = "non_inferiority:tokens:web:slides";
    let told = summary(&planned(CLAIM));
    assert_eq!(told.gates.len(), 9);
    let claim = &told.statistics.non_inferiority[0];
    assert!(claim.shown && !claim.gate);
    let gating: &'static str = Box::leak(format!("{CLAIM}gate = true\n").into_boxed_str());
    let held = summary(&planned(gating));
    assert!(gate(&held.gates, name).passed(), "{}", held.to_text());
    assert_eq!((held.gates.len(), held.exit_code()), (10, 0));
    // Equal figures are not shown to be a tenth less.
    let equal = summary(&Script {
        ended: Box::new(|_| ()),
        ..planned(gating)
    });
    assert_eq!(
        (equal.failed_gates.as_slice(), equal.exit_code()),
        ([name.to_owned()].as_slice(), 1)
    );
    let reason = gate(&equal.gates, name).reason();
    assert_eq!(reason, "1.0000 is not less than 0.9");
    assert!(!equal.statistics.non_inferiority[0].shown);
    assert!(equal.to_text().contains("NOT SHOWN, a gate"));
}

#[test]
fn a_claim_over_unknown_figures_is_not_shown() {
    let plan = format!("{CLAIM}gate = true\n");
    let told = told(&ten(&plan, |ended| {
        cheaper_by_case(ended);
        if ended.trial.to_string() == "more-3.web.1" {
            ended.usage.total_tokens = None;
            ended.usage.input_tokens = None;
        }
    }));
    let gate = gate(&told.gates, "non_inferiority:tokens:web:slides");
    assert!(!gate.passed());
    assert_eq!(gate.reason(), "unknown: 1 of 10 pairs have no figure");
    let web = costs(&told.statistics, "web", Some("slides"), CostMeasure::Tokens);
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
    let good = told(&ten(FAMILY, cheaper_by_case));
    let family = &good.statistics.families[0];
    assert!(family.shown && family.gate && good.gates[0].passed());
    let adjusted = family.tests.iter().map(|one| one.adjusted_p.as_str());
    assert_eq!(adjusted.collect::<Vec<_>>(), ["0.00390625", "0.00390625"]);
    // The other arm is significantly cheaper: that is no finding for this one.
    let turned = told(&ten(FAMILY, |ended| {
        if ended.trial.arm.as_str() == "slides" {
            tokens(ended, 490);
        }
    }));
    let failed = gate(&turned.gates, "family:better");
    assert!(!failed.passed());
    assert_eq!(
        failed.detail(),
        ["`web` against `slides`, tokens, sign-flip permutation: the other is the better one"]
    );
    // No difference at all.
    let equal = told(&ten(FAMILY, |_| ()));
    let detail = gate(&equal.gates, "family:better").detail();
    assert!(detail[0].ends_with("p 1, corrected 1"), "{detail:?}");
}

#[test]
fn a_family_fails_the_verdict() {
    let failed = summary(&planned(FAMILY));
    assert_eq!(failed.failed_gates, ["family:better"]);
    assert_eq!(failed.exit_code(), 1);
}

#[test]
fn a_time_limit_decides_what_it_can_and_is_never_averaged() {
    let told = told(&ten("", |ended| {
        if ended.trial.to_string() == "more-1.web.1" {
            ended.outcome = Outcome::TimedOut;
            ended.run.duration_ms = 40_000;
        }
        if ended.trial.to_string() == "more-2.slides.1" {
            ended.outcome = Outcome::TimedOut;
            ended.run.duration_ms = 20_000;
        }
    }));
    let time = costs(
        &told.statistics,
        "web",
        Some("slides"),
        CostMeasure::Duration,
    );
    assert_eq!(time.cut_off, 2);
    // At least 40 s against 30 s is a loss; 30 s against at least 20 s is unknown.
    let standings = (time.wins, time.ties, time.losses, time.undecided);
    assert_eq!(standings, (0, 8, 1, 1));
    let why = time.ratio.unknown.as_deref();
    assert_eq!(why, Some("a time limit cut off 2 figures"));
    assert_eq!(time.tests[0].p.as_deref(), Some("1"));
    assert!(time.tests[1].p.is_none());
    assert_eq!(time.median_difference.exact, None);
}

#[test]
fn passing_on_one_side_alone_is_counted_by_cases() {
    let mut verified = ten("", |_| ());
    for (trial, history) in &mut verified.history.trials {
        let failing = ["more-1.slides.1", "more-2.slides.1", "more-2.web.1"];
        if failing.contains(&trial.to_string().as_str()) {
            history.judged.as_mut().unwrap().checks[0].status = CheckStatus::Fail;
        }
    }
    let unaccepted = verified
        .comparisons
        .iter()
        .find(|one| one.trial.to_string() == "more-3.web.1")
        .unwrap();
    let (packet, candidate) = (&unaccepted.mapping.packet, unaccepted.mapping.candidate);
    for review in &mut verified.reviews {
        if review.response.packet == *packet {
            let labels = &mut review.response.labels;
            let label = match candidate {
                Label::A => &mut labels.a,
                Label::B => &mut labels.b,
            };
            label.dimensions.get_mut("design").unwrap().pass = false;
        }
    }
    let told = told(&verified);
    let of = |against: Option<&str>| {
        let against = against.map(id);
        let mut all = told.statistics.passes.iter();
        all.find(|one| one.arm == id("web") && one.against == against)
            .unwrap()
    };
    let checks = of(Some("slides"));
    assert_eq!(checks.passing, Passing::Checks);
    let counts = (
        checks.both,
        checks.arm_only,
        checks.other_only,
        checks.neither,
    );
    assert_eq!(counts, (8, 1, 0, 1));
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
    let web = costs(
        &summary.statistics,
        "web",
        Some("slides"),
        CostMeasure::Tokens,
    );
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
