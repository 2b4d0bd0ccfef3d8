// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every sentence of the list stands there when its reason does, and not otherwise.

use serde_json::json;

use super::Grounds;
use crate::experiment::records::{Artifact, AttemptEnded, CheckStatus, Outcome, Timing};
use crate::suite::Isolation;
use crate::summary::testing::{FirstAttempt, Lab, Script, multiplied};
use crate::summary::{Summary, figures, statistics, summarize, trials};

fn summary(script: &Script) -> Summary {
    summarize(&Lab::run(script).root).unwrap()
}

fn ended(bend: impl Fn(&mut AttemptEnded) + 'static) -> Script {
    Script {
        ended: Box::new(bend),
        ..Script::default()
    }
}

fn first(ended: &AttemptEnded) -> bool {
    ended.trial.to_string() == "case-one.web.1"
}

/// `expected` stands in the list of `script`.
#[track_caller]
fn says(script: &Script, expected: &str) -> Summary {
    let summary = summary(script);
    let limits = summary.not_entitled_to_say.join("\n");
    assert!(limits.contains(expected), "{expected}: {limits}");
    summary
}

#[test]
fn the_good_experiment_says_what_always_holds() {
    let good = summary(&Script::default());
    let limits = good.not_entitled_to_say.join("\n");
    for part in [
        "How figures vary from run to run: each cell is one run.",
        "Anything about jobs unlike the 2 of this suite; a median over 2 is no rate.",
        "no comparison has more than one review",
        "no review states a guess",
        "That the intervals of cost ratios are as sure as their level says: 2 cases are too few",
        "That there is no difference where a test finds none",
        "tests are in no family that the suite declares",
        "How long an agent takes alone: 4 of 4 trials ran beside others of their case",
        "Which program ran in 4 of 4 trials: no hash of it is on record.",
        "the isolation of 4 of 4 trials is `audited`",
        "That decks of two formats look as different as their pictures: chromium and native drew them.",
        "each deck was drawn by one",
    ] {
        assert!(limits.contains(part), "{part}: {limits}");
    }
    for part in [
        "models or efforts differ",
        "nothing but the request",
        "failed",
        "recordings",
        "cut off",
        "infrastructure",
        "still there at the end",
        "does not promise",
        "have remarks",
        "renderers or fonts differ",
        "required review is missing",
        "nothing to look at",
        "are not known",
        "do not state theirs",
        "ran again alone",
        "scores are equal",
        "scripted",
        "named the newer one",
    ] {
        assert!(!limits.contains(part), "{part}: {limits}");
    }
}

#[test]
fn it_stands_last_in_every_form() {
    let good = summary(&Script::default());
    let title = "What these figures are not entitled to say";
    for text in [good.to_text(), good.to_markdown()] {
        let (_, after) = text.split_once(title).unwrap();
        let last = good.not_entitled_to_say.last().unwrap();
        assert!(after.contains("drawn by one"), "{last}: {after}");
        assert!(
            !after.contains("\n## ") && !after.contains("Gates"),
            "{after}"
        );
    }
}

#[test]
fn samples_are_counted() {
    let twice = Script {
        suite: Box::new(|text| text.replace("repetitions = 1", "repetitions = 2")),
        ..Script::default()
    };
    says(&twice, "each cell is the median of 2 runs");
    let verified = multiplied(&Lab::good(), 18, "");
    let trials = trials::all(&verified).unwrap();
    let cells = figures::cells(&verified, &trials).unwrap();
    let suite = &verified.experiment.suite;
    let (statistics, _) = statistics::of(suite, &cells, &[], &[]).unwrap();
    let limits = super::list(&Grounds {
        verified: &verified,
        trials: &trials,
        controls: &[],
        compared: &[],
        statistics: &statistics,
    })
    .join("\n");
    assert!(limits.contains("unlike the 20 of this suite"), "{limits}");
    assert!(!limits.contains("too narrow"), "{limits}");
}

#[test]
fn a_time_limit_is_told() {
    let script = ended(|ended| {
        if first(ended) {
            ended.outcome = Outcome::TimedOut;
        }
    });
    says(
        &script,
        "What trials that ran out of time would have cost: ",
    );
}

#[test]
fn runs_are_told() {
    let scripts: [(&str, fn(&mut AttemptEnded)); 9] = [
        (
            "What the agents of 1 of 4 trials did, used and took: people ran them",
            |ended| {
                if first(ended) {
                    ended.run.timing = Timing::ByHand;
                }
            },
        ),
        (
            "the times of 1 of 4 trials are those of recordings",
            |ended| {
                if first(ended) {
                    ended.run.timing = Timing::Recorded;
                }
            },
        ),
        ("models or efforts differ", |ended| {
            if first(ended) {
                ended.trace.requested_model = Some("m-2".to_owned());
            }
        }),
        (
            "Which model ran in 1 of 4 trials: nothing but the request names it.",
            |ended| {
                if first(ended) {
                    ended.trace.observed_model = None;
                }
            },
        ),
        ("1 of 4 trials does not name its own", |ended| {
            if first(ended) {
                ended.trace.thread_id = None;
            }
        }),
        ("the isolation of 1 of 4 trials is `none`", |ended| {
            if first(ended) {
                ended.run.isolation = Isolation::None;
            }
        }),
        ("That the times of 1 of 4 trials are complete", |ended| {
            if first(ended) {
                ended.run.leftover_processes = vec!["sleep 9".to_owned()];
            }
        }),
        (
            "1 of 4 trials failed, and its figures are in the medians",
            |ended| {
                if first(ended) {
                    ended.outcome = Outcome::AgentFailed("it gave up".to_owned());
                }
            },
        ),
        (
            "What 1 of 4 trials cost: its tokens are not known",
            |ended| {
                if first(ended) {
                    ended.usage.total_tokens = None;
                    ended.usage.input_tokens = None;
                }
            },
        ),
    ];
    for (expected, bend) in scripts {
        says(&ended(bend), expected);
    }
}

#[test]
fn a_failed_check_is_a_failed_trial_too() {
    let script = Script {
        judged: Box::new(|judged| {
            if judged.trial.to_string() == "case-one.web.1" {
                judged.checks[0].status = CheckStatus::Error;
            }
        }),
        ..Script::default()
    };
    says(
        &script,
        "1 of 4 trials failed, and its figures are in the medians",
    );
}

#[test]
fn a_baseline_without_a_model_is_told() {
    let script = Script {
        suite: Box::new(|text| {
            let at = text.find("[[baseline]]").unwrap_or(text.len());
            let (head, baselines) = text.split_at(at);
            format!("{head}{}", baselines.replacen("effort = \"high\"\n", "", 1))
        }),
        ..Script::default()
    };
    says(&script, "1 of 4 baselines does not state its own");
}

#[test]
fn a_deck_that_nobody_can_see_is_told() {
    says(
        &ended(|ended| {
            if first(ended) {
                ended.artifact = Artifact::Missing;
            }
        }),
        "How the decks of 1 of 4 trials look: there is nothing to look at",
    );
}

#[test]
fn a_missing_review_is_told() {
    let script = Script {
        response: Box::new(|trial, _, _| trial.to_string() != "case-one.web.1"),
        ..Script::default()
    };
    says(
        &script,
        "What reviewers find in 1 of 4 comparisons: a required review is missing.",
    );
}

#[test]
fn right_guesses_are_told_and_wrong_ones_are_none() {
    let guess = |right: bool| Script {
        response: Box::new(move |_, candidate, response| {
            let label = if right { candidate } else { candidate.other() };
            response["guess"] = json!(label.as_str());
            true
        }),
        ..Script::default()
    };
    says(&guess(true), "4 of 4 guesses named the newer one");
    let limits = summary(&guess(false)).not_entitled_to_say.join("\n");
    assert!(!limits.contains("could not tell"), "{limits}");
}

#[test]
fn renderers_are_told() {
    let judged = |bend: fn(&mut crate::experiment::records::RenderSet)| Script {
        judged: Box::new(move |judged| {
            if let Some(render) = &mut judged.render {
                bend(render);
            }
        }),
        ..Script::default()
    };
    says(
        &judged(|render| render.renderer.deterministic = false),
        "the renderer chromium does not promise it",
    );
    says(
        &judged(|render| render.renderer.version = "2".to_owned()),
        "renderers or fonts differ",
    );
}

#[test]
fn ties_and_scripts_are_told() {
    let ties = Script {
        response: Box::new(|_, candidate, response| {
            for label in [candidate, candidate.other()] {
                for name in ["fidelity", "design"] {
                    response["labels"][label.as_str()]["dimensions"][name]["score"] = json!(4);
                }
            }
            true
        }),
        ..Script::default()
    };
    says(&ties, "where scores are equal (8 of 8)");
}

#[test]
fn interrupts_and_retries_are_told_apart() {
    let retried = |how| Script {
        retried: Some(("case-one.web.1", how)),
        ..Script::default()
    };
    let summary = says(
        &retried(FirstAttempt::CutOff),
        "1 attempt was cut off with `execute`, by whoever stopped it, and run again",
    );
    let limits = summary.not_entitled_to_say.join("\n");
    assert!(
        limits.contains("one was cut off and ran again alone"),
        "{limits}"
    );
    assert!(!limits.contains("failed by the infrastructure"), "{limits}");
    let summary = says(
        &retried(FirstAttempt::InfrastructureFailed),
        "1 attempt failed by the infrastructure, and is not in the figures",
    );
    let limits = summary.not_entitled_to_say.join("\n");
    assert!(!limits.contains("by whoever stopped it"), "{limits}");
}

#[test]
fn an_infrastructure_that_fails_to_the_end_is_told() {
    let script = Script {
        suite: Box::new(|text| {
            text.replace("infrastructure_retries = 1", "infrastructure_retries = 0")
        }),
        ended: Box::new(|ended| {
            if first(ended) {
                ended.outcome = Outcome::InfrastructureFailed("no route".to_owned());
            }
        }),
        ..Script::default()
    };
    says(
        &script,
        "the infrastructure failed them to the last attempt",
    );
}
