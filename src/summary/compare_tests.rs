// SPDX-License-Identifier: MIT OR Apache-2.0
//! Two arms side by side: nothing where there is nothing, and every difference with its reason.

use super::*;
use crate::summary::testing::{Lab, Script, multiplied};

fn compared(script: &Script) -> ArmsCompared {
    compare(&Lab::run(script).root, "web", "slides").unwrap()
}

#[test]
fn nothing_distinguishes_equal_arms() {
    let equal = compared(&Script::default());
    assert_eq!(equal.distinguished_by, Vec::<String>::new());
    assert_eq!((equal.disagreements.len(), equal.warnings.len()), (0, 0));
    let text = equal.to_text();
    assert!(text.starts_with("web against slides, in lab\n"), "{text}");
    assert!(text.contains("Nothing distinguishes them"), "{text}");
    assert!(text.contains("nothing: no case differs"), "{text}");
    assert!(!text.contains("Warnings"), "{text}");
    let ratios: Vec<_> = equal
        .cases
        .iter()
        .map(|case| case.token_ratio.shown())
        .collect();
    assert_eq!(ratios, ["1.0000", "1.0000"]);
}

#[test]
fn a_significant_difference_is_named_with_its_direction() {
    let mut verified = multiplied(&Lab::good(), 8, "");
    let ids = ["web", "slides"].map(|arm| Id::new(arm).unwrap());
    for (arm, tokens) in [("web", 490), ("slides", 480)] {
        for (id, history) in &mut verified.history.trials {
            if id.arm.as_str() == arm {
                let ended = history.attempts[0].ended.as_mut().unwrap();
                ended.usage.total_tokens = Some(tokens);
            }
        }
        let trials = trials::all(&verified).unwrap();
        let cells = figures::cells(&verified, &trials).unwrap();
        let suite = &verified.experiment.suite;
        let between = statistics::between(suite, &cells, &[], &[], &ids).unwrap();
        let found = distinguished(&ids, &between, &[]);
        assert_eq!(found.len(), 1, "{found:?}");
        let expected = format!("tokens: {arm} is the better one (sign test p 0.00195312");
        assert!(found[0].starts_with(&expected), "{found:?}");
    }
}

#[test]
fn disagreements_have_both_reasons() {
    let bent = compared(&Script {
        judged: Box::new(|judged| {
            if judged.trial.to_string() == "case-one.slides.1" {
                judged.checks[0].status = CheckStatus::Fail;
                judged.checks[0].reason = "no deck\u{7} at all".to_owned();
            }
        }),
        response: Box::new(|trial, candidate, response| {
            if trial.to_string() == "case-two.web.1" {
                let design = &mut response["labels"][candidate.as_str()]["dimensions"]["design"];
                design["score"] = serde_json::json!(3);
            }
            true
        }),
        ..Script::default()
    });
    let what: Vec<_> = bent
        .disagreements
        .iter()
        .map(|one| one.what.as_str())
        .collect();
    assert_eq!(what, ["artifact_exists", "review by r. meier: design"]);
    let sides = &bent.disagreements[0].sides;
    assert_eq!(sides, &["pass: it holds", "FAIL: no deck\u{7} at all"]);
    assert!(bent.disagreements[1].sides[0].starts_with("as its baseline: Deck "));
    assert!(bent.disagreements[1].sides[1].starts_with("above its baseline: Deck "));
    assert_eq!(bent.distinguished_by, ["2 disagreements"]);
    let text = bent.to_text();
    assert!(
        text.contains("Where they disagree") && !text.contains('\u{7}'),
        "{text}"
    );
    assert!(!text.contains("Nothing distinguishes"), "{text}");
    assert_eq!(bent.cases[0].failed, [0, 1]);
}

#[test]
fn unequal_models_are_a_warning() {
    let bent = compared(&Script {
        ended: Box::new(|ended| {
            if ended.trial.arm.as_str() == "web" {
                ended.trace.requested_model = Some("m-2".to_owned());
                ended.trace.observed_model = Some("m-2".to_owned());
            }
        }),
        ..Script::default()
    });
    let warnings = bent.warnings.join("\n");
    assert!(
        warnings
            .contains("The models differ (web: m-2, m-2 (observed); slides: m-1, m-1 (observed))"),
        "{warnings}"
    );
    assert!(
        warnings.contains("The control `same_model_and_effort` failed."),
        "{warnings}"
    );
    assert!(bent.to_text().contains("Warnings"));
}

#[test]
fn a_missing_review_is_no_disagreement() {
    let bent = compared(&Script {
        response: Box::new(|trial, _, _| trial.to_string() != "case-one.web.1"),
        ..Script::default()
    });
    assert!(bent.disagreements.is_empty());
    let json = String::from_utf8(bent.to_bytes().unwrap()).unwrap();
    assert!(json.contains("deckproof.compare.v1"));
}

#[test]
fn arms_must_be_two_that_there_are() {
    let lab = Lab::good();
    let error = compare(&lab.root, "web", "paper").unwrap_err().to_string();
    assert_eq!(
        error,
        "found the arm `paper`, expected one of `web`, `slides`"
    );
    let error = compare(&lab.root, "web", "web").unwrap_err().to_string();
    assert_eq!(error, "found `web` twice, expected two arms");
}
