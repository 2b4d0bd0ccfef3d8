// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each gate and each control fails alone and is named alone; the same records give the same bytes.

use std::process::Command;

use deckproof_packets::hash::Sha256Hex;
use serde_json::json;

use super::testing::{Lab, Script};
use super::*;
use crate::experiment::records::{Artifact, AttemptEnded, CheckStatus, Outcome, Timing};
use crate::suite::Isolation;

/// Bends the record of an attempt's end.
type BendEnd = fn(&mut AttemptEnded);
/// Bends what a response says of a label.
type BendLabel = fn(&mut serde_json::Value, &str);

/// The summary of the experiment that `script` makes.
fn summary(script: &Script) -> Summary {
    summarize(&Lab::run(script).root).unwrap()
}

/// The summary of one that differs in what `bend` does to attempts.
fn ended(bend: impl Fn(&mut AttemptEnded) + 'static) -> Summary {
    summary(&Script {
        ended: Box::new(bend),
        ..Script::default()
    })
}

fn is(ended: &AttemptEnded, trial: &str) -> bool {
    ended.trial.to_string() == trial
}

fn assert_fails(summary: &Summary, gates: &[&str]) {
    assert_eq!(summary.failed_gates, gates, "{}", summary.to_text());
    assert_eq!(summary.exit_code(), 1);
}

/// Only the gate of controls fails, and of controls only this one.
fn assert_control_fails(summary: &Summary, name: &str, problem: &str) {
    assert_fails(summary, &["protocol_controls"]);
    let failed: Vec<_> = summary.controls.iter().filter(|one| !one.passed).collect();
    let names: Vec<_> = failed.iter().map(|one| one.name).collect();
    assert_eq!(names, [name]);
    assert!(
        failed[0].problems.join("\n").contains(problem),
        "{:?}",
        failed[0].problems
    );
}

#[test]
fn a_good_experiment_passes_with_every_gate() {
    let lab = Lab::good();
    let summary = summarize(&lab.root).unwrap();
    assert_eq!(summary.exit_code(), 0, "{}", summary.to_text());
    let names: Vec<_> = summary.gates.iter().map(gates::Gate::name).collect();
    let expected = [
        "protocol_controls",
        "mechanical_checks",
        "semantic_non_regression",
        "median_token_improvement",
        "median_duration_improvement",
        "token_ratio:case-one",
        "duration_ratio:case-one",
        "token_ratio:case-two",
        "duration_ratio:case-two",
    ];
    assert_eq!(names, expected);
    assert_eq!(
        summary.reviews,
        ReviewCounts {
            reviews: 4,
            wins: 8,
            ties: 0,
            losses: 0
        }
    );
    assert_eq!(summary.scripted_reviews, 0);
    let text = String::from_utf8(summary.to_bytes().unwrap()).unwrap();
    assert!(
        !text.contains(lab.root.to_str().unwrap()),
        "a path of this machine"
    );
    assert!(
        summary
            .to_text()
            .starts_with("PASS  lab: all 9 gates hold\n")
    );
}

#[test]
fn writing_it_makes_verify_hold_it_to_the_records() {
    let lab = Lab::good();
    let summary = summarize(&lab.root).unwrap();
    write(&lab.root, &summary).unwrap();
    verify::verify(&lab.root).unwrap();
    let bytes = fs_err::read(lab.path("summary.json")).unwrap();
    assert_eq!(bytes, summary.to_bytes().unwrap());
    let bent = String::from_utf8(bytes)
        .unwrap()
        .replacen("pass", "fail", 1);
    fs_err::write(lab.path("summary.json"), bent).unwrap();
    let error = verify::verify(&lab.root).unwrap_err().to_string();
    assert!(
        error.contains("summary.json`: found another summary"),
        "{error}"
    );
    // The verdict never comes from the file.
    assert_eq!(summarize(&lab.root).unwrap(), summary);
}

#[test]
fn an_unfinished_experiment_says_how_to_go_on() {
    let lab = Lab::run(&Script {
        unfinished: true,
        ..Script::default()
    });
    verify::verify(&lab.root).unwrap();
    let error = summarize(&lab.root).unwrap_err().to_string();
    assert!(
        error.contains("4 of 4 trials are judged; `deckproof execute"),
        "{error}"
    );
}

#[test]
fn every_control_fails_alone() {
    let cases: [(&str, &str, BendEnd); 10] = [
        ("fresh_runs", "the session `One`", |ended| {
            if is(ended, "case-one.web.1") || is(ended, "case-two.slides.1") {
                let capital = is(ended, "case-one.web.1");
                ended.trace.thread_id = Some(if capital { "ONE" } else { "One" }.to_owned());
            }
        }),
        ("same_model_and_effort", "effort low", |ended| {
            if is(ended, "case-one.web.1") {
                ended.trace.requested_effort = Some("low".to_owned());
            }
        }),
        (
            "same_model_and_effort",
            "asked for m-1, observed m-2",
            |ended| {
                if ended.trial.case.as_str() == "case-one" {
                    ended.trace.observed_model = Some("m-2".to_owned());
                }
            },
        ),
        (
            "schedule_kept",
            "1005 of 30000 ms, less than 50 %",
            |ended| {
                if is(ended, "case-two.slides.1") {
                    ended.run.started_ms = 29_000;
                }
            },
        ),
        ("clocks_agree", "30000 ms by the times", |ended| {
            if is(ended, "case-two.slides.1") {
                ended.run.ended_at = "2026-01-02T03:04:35Z".to_owned();
                ended.run.duration_ms = 24_000;
            }
            if is(ended, "case-two.web.1") {
                ended.run.duration_ms = 25_000;
            }
        }),
        (
            "sealed_inputs",
            "case-one.web.1: the task tree had changed after",
            |ended| {
                if is(ended, "case-one.web.1") {
                    ended.task_tree_sha256 = Sha256Hex::of(b"changed");
                }
            },
        ),
        ("read_audit", "case-one.web.1: read ../other", |ended| {
            if is(ended, "case-one.web.1") {
                ended.trace.audit.passed = false;
                ended.trace.audit.findings.push("read ../other".to_owned());
            }
        }),
        ("isolation", "case-one.web.1: none", |ended| {
            if is(ended, "case-one.web.1") {
                ended.run.isolation = Isolation::None;
            }
        }),
        (
            "same_model_and_effort",
            "model none was asked for",
            |ended| {
                ended.trace.requested_model = None;
            },
        ),
        (
            "same_model_and_effort",
            "observed in one case: m-1, m-2",
            |ended| {
                if is(ended, "case-one.web.1") {
                    ended.trace.observed_model = Some("m-2".to_owned());
                }
            },
        ),
    ];
    for (name, problem, bend) in cases {
        assert_control_fails(&ended(bend), name, problem);
    }
}

#[test]
fn pairs_that_did_not_start_together_fail() {
    let script = Script {
        one_by_one: true,
        ..Script::default()
    };
    assert_control_fails(
        &summary(&script),
        "schedule_kept",
        "had ended before the other",
    );
    let script = Script {
        started: Box::new(|started| {
            if started.trial.to_string() == "case-one.web.1" {
                started.launch = 2;
            }
        }),
        ended: Box::new(|ended| {
            if is(ended, "case-one.web.1") {
                ended.run.launch = 2;
            }
        }),
        ..Script::default()
    };
    assert_control_fails(&summary(&script), "schedule_kept", "launches 2 and 1");
}

#[test]
fn a_sequential_schedule_is_kept_one_by_one_alone() {
    let sequential = |text: String| text.replace("\"paired\"", "\"sequential\"");
    let script = Script {
        suite: Box::new(sequential),
        ..Script::default()
    };
    assert_eq!(summary(&script).exit_code(), 0);
}

#[test]
fn tree_changes_and_another_renderer_fail_their_controls() {
    let started = Script {
        started: Box::new(|started| started.task_tree_sha256 = Sha256Hex::of(b"x")),
        ..Script::default()
    };
    assert_control_fails(&summary(&started), "sealed_inputs", "before launch");
    let judged = Script {
        judged: Box::new(|judged| judged.task_tree_sha256 = Sha256Hex::of(b"x")),
        ..Script::default()
    };
    assert_control_fails(&summary(&judged), "sealed_inputs", "before the checks");
    let renderer = Script {
        baseline: Box::new(|baseline| baseline.render.renderer.version = "2".to_owned()),
        ..Script::default()
    };
    assert_control_fails(&summary(&renderer), "same_renderer", "its baseline by");
}

#[test]
fn every_way_to_end_badly_fails_the_mechanical_gate_alone() {
    let cases: [(&str, BendEnd); 5] = [
        ("outcome: the agent failed: no luck", |ended| {
            ended.outcome = Outcome::AgentFailed("no luck".to_owned());
            ended.run.exit_code = Some(1);
        }),
        ("outcome: timed out", |ended| {
            ended.outcome = Outcome::TimedOut
        }),
        ("outcome: exit code 3, expected 0", |ended| {
            ended.run.exit_code = Some(3)
        }),
        ("outcome: ended by signal 9", |ended| {
            ended.run.exit_code = None;
            ended.run.signal = Some(9);
        }),
        ("pictures: there is no deck", |ended| {
            ended.artifact = Artifact::Missing
        }),
    ];
    for (reason, bend) in cases {
        let summary = ended(move |ended| {
            if is(ended, "case-one.web.1") {
                bend(ended);
            }
        });
        assert_fails(&summary, &["mechanical_checks"]);
        let gate = &summary.gates[1];
        assert!(gate.detail()[0].contains(reason), "{:?}", gate.detail());
    }
}

#[test]
fn a_check_that_fails_or_cannot_be_told_fails_the_mechanical_gate_alone() {
    for status in [CheckStatus::Fail, CheckStatus::Error] {
        let script = Script {
            judged: Box::new(move |judged| {
                if judged.trial.to_string() == "case-two.slides.1" {
                    judged.checks[1].status = status;
                    judged.checks[1].reason = "a stray word".to_owned();
                }
            }),
            ..Script::default()
        };
        let summary = summary(&script);
        assert_fails(&summary, &["mechanical_checks"]);
        assert_eq!(
            summary.gates[1].detail(),
            ["case-two.slides.1: revision_fidelity: a stray word"]
        );
    }
}

#[test]
fn a_deck_without_a_slide_fails_the_mechanical_gate_alone() {
    let script = Script {
        judged: Box::new(|judged| {
            if judged.trial.to_string() == "case-two.slides.1" {
                let render = judged.render.as_mut().unwrap();
                render.slides.clear();
                render.sha256 = Sha256Hex::of(b"");
            }
        }),
        ..Script::default()
    };
    let summary = summary(&script);
    assert_fails(&summary, &["mechanical_checks"]);
    assert_eq!(
        summary.gates[1].detail(),
        ["case-two.slides.1: pictures: there is no slide"]
    );
    assert_eq!(summary.comparisons.len(), 3);
}

#[test]
fn checks_that_are_not_the_declared_ones_make_the_evidence_unusable() {
    let refused = |bend: fn(&mut crate::experiment::records::TrialJudged)| {
        let lab = Lab::run(&Script {
            judged: Box::new(bend),
            response: Box::new(|_, _, _| false),
            ..Script::default()
        });
        summarize(&lab.root).unwrap_err().to_string()
    };
    let error = refused(|judged| drop(judged.checks.pop()));
    assert!(
        error.contains("journal.jsonl`: found no check `"),
        "{error}"
    );
    let error = refused(|judged| judged.checks[0].name = "not_blank".to_owned());
    assert!(error.contains("found the check `not_blank`"), "{error}");
    let error = refused(|judged| judged.checks.push(judged.checks[0].clone()));
    assert!(error.contains("each declared check once"), "{error}");
}

#[test]
fn reviews_fail_their_gate_alone() {
    let cases: [(&str, BendLabel); 2] = [
        (
            "the candidate scores 2, the baseline 3",
            |response, label| {
                response["labels"][label]["dimensions"]["design"]["score"] = json!(2);
            },
        ),
        ("the candidate is not acceptable", |response, label| {
            response["labels"][label]["dimensions"]["design"]["pass"] = json!(false);
        }),
    ];
    for (reason, bend) in cases {
        let script = Script {
            response: Box::new(move |trial, candidate, response| {
                if trial.to_string() == "case-one.web.1" {
                    bend(response, candidate.as_str());
                }
                true
            }),
            ..Script::default()
        };
        let summary = summary(&script);
        assert_fails(&summary, &["semantic_non_regression"]);
        let detail = summary.gates[2].detail();
        assert!(
            detail.len() == 1 && detail[0].contains(reason),
            "{detail:?}"
        );
    }
}

#[test]
fn a_missing_review_fails_its_gate_alone() {
    let script = Script {
        response: Box::new(|trial, _, _| trial.to_string() != "case-two.web.1"),
        ..Script::default()
    };
    let summary = summary(&script);
    assert_fails(&summary, &["semantic_non_regression"]);
    assert_eq!(
        summary.gates[2].detail(),
        ["case-two.web.1: no human review"]
    );
    assert!(summary.to_text().contains("no human review"));
}

#[test]
fn each_figure_fails_its_gate_alone() {
    let tokens = ended(|ended| {
        ended.usage.input_tokens = Some(601);
        ended.usage.total_tokens = Some(701);
    });
    assert_fails(&tokens, &["median_token_improvement"]);
    let duration = ended(|ended| {
        ended.run.duration_ms = 42_001;
        ended.run.ended_at = "2026-01-02T03:04:47Z".to_owned();
    });
    assert_fails(&duration, &["median_duration_improvement"]);
    let reason = duration.gates[4].reason();
    assert!(
        reason.starts_with("30.0 % is less than 30 % (in full: "),
        "{reason}"
    );
    let ratio = ended(|ended| {
        if is(ended, "case-two.web.1") {
            ended.usage.input_tokens = Some(500);
            ended.usage.total_tokens = Some(600);
        }
    });
    assert_fails(&ratio, &["token_ratio:case-two"]);
    let ratio = ended(|ended| {
        if is(ended, "case-one.web.1") {
            ended.run.duration_ms = 33_000;
        }
    });
    assert_fails(&ratio, &["duration_ratio:case-one"]);
}

#[test]
fn unknown_usage_fails_as_unknown() {
    let summary = ended(|ended| {
        if is(ended, "case-one.web.1") {
            ended.usage.total_tokens = None;
        }
    });
    assert_fails(
        &summary,
        &["median_token_improvement", "token_ratio:case-one"],
    );
    for gate in summary.gates.iter().filter(|gate| !gate.passed()) {
        assert!(gate.reason().starts_with("unknown: "), "{}", gate.reason());
    }
}

#[test]
fn gated_arms_alone_count_for_the_medians() {
    let only = |text: String| {
        text.replace("[gates]", "[gates]\nimprovement_arms = [\"web\"]")
            .replace("max_token_ratio = \"1.05\"", "max_token_ratio = \"007.50\"")
    };
    let script = Script {
        suite: Box::new(only),
        ended: Box::new(|ended| {
            if ended.trial.arm.as_str() == "slides" {
                ended.usage.input_tokens = Some(900);
                ended.usage.total_tokens = Some(1000);
            }
        }),
        ..Script::default()
    };
    let summary = summary(&script);
    assert_eq!(summary.exit_code(), 0, "{}", summary.to_text());
    let gated: Vec<_> = summary.cases[0].arms.iter().map(|arm| arm.gated).collect();
    assert_eq!(gated, [true, false]);
    assert_eq!(
        summary.gates[3].detail(),
        ["case-one.web: 0.5", "case-two.web: 0.5"]
    );
}

#[test]
fn repetitions_have_a_median_and_all_their_ratios() {
    let twice = |text: String| text.replace("repetitions = 1", "repetitions = 2");
    let script = Script {
        suite: Box::new(twice),
        ended: Box::new(|ended| {
            if ended.trial.repetition == 2 && ended.trial.arm.as_str() == "web" {
                ended.usage.input_tokens = Some(401);
                ended.usage.total_tokens = Some(501);
            }
        }),
        ..Script::default()
    };
    let summary = summary(&script);
    assert_eq!(summary.exit_code(), 0, "{}", summary.to_text());
    let case = &summary.cases[0];
    assert_eq!(case.arms[0].tokens.median.exact.as_deref(), Some("500.5"));
    let ratios: Vec<_> = case.ratios[0]
        .tokens
        .by_repetition
        .iter()
        .map(FigureText::shown)
        .collect();
    assert_eq!(ratios, ["1.0000", "1.0020"]);
    assert_eq!(
        case.ratios[0].tokens.of_medians.exact.as_deref(),
        Some("1.001")
    );
}

#[test]
fn a_scripted_reviewer_is_called_so() {
    let scripted = |text: String| {
        text.replace("[\"human\"]", "[\"scripted\"]")
            .replace("[\"model\", \"scripted\"]", "[\"model\"]")
    };
    let script = Script {
        suite: Box::new(scripted),
        response: Box::new(|_, _, response| {
            response["reviewer"]["type"] = json!("scripted");
            true
        }),
        ..Script::default()
    };
    let summary = summary(&script);
    assert_eq!(summary.exit_code(), 0, "{}", summary.to_text());
    assert_eq!(summary.scripted_reviews, 4);
    let limits = summary.not_entitled_to_say.join("\n");
    assert!(
        limits.contains("4 reviews are by a scripted reviewer"),
        "{limits}"
    );
    assert!(limits.contains("no person reviewed it"), "{limits}");
    assert!(summary.to_text().contains("scripted r. meier"));
}

#[test]
fn the_limits_name_recorded_times_and_unseen_models() {
    let summary = ended(|ended| {
        ended.run.timing = Timing::Recorded;
        ended.trace.observed_model = None;
    });
    assert_eq!(summary.exit_code(), 0, "{}", summary.to_text());
    let limits = summary.not_entitled_to_say.join("\n");
    for limit in [
        "the times of 4 of 4 trials are those of recordings",
        "Which model ran in 4 of 4 trials",
        "the isolation of 4 of 4 trials is `audited`",
        "each cell is one run",
    ] {
        assert!(limits.contains(limit), "{limit}: {limits}");
    }
}

#[test]
fn every_form_names_the_failed_gate() {
    let summary = ended(|ended| {
        if is(ended, "case-one.web.1") {
            ended.outcome = Outcome::AgentFailed("<b>|x\u{7}".to_owned());
        }
    });
    assert!(
        summary
            .to_text()
            .starts_with("FAIL  lab: 1 of 9 gates does not hold: mechanical_checks\n")
    );
    let markdown = summary.to_markdown();
    assert!(
        markdown.contains("| FAIL | mechanical\\_checks |"),
        "{markdown}"
    );
    assert!(markdown.contains("&lt;b&gt;\\|x"), "{markdown}");
    let junit = summary.to_junit();
    assert!(junit.contains("tests=\"9\" failures=\"1\""), "{junit}");
    assert!(
        !junit.contains('\u{7}') && !junit.contains("<b>"),
        "{junit}"
    );
}

/// Prints the summary's hash in a process with an environment of its own.
#[test]
#[ignore = "run by the test below, which sets the experiment's place"]
fn print_the_hash() {
    let root = std::env::var_os("DECKPROOF_TEST_EXPERIMENT").unwrap();
    let bytes = summarize(Path::new(&root)).unwrap().to_bytes().unwrap();
    let folder = std::env::var_os("DECKPROOF_TEST_OUT").unwrap();
    fs_err::write(folder, bytes).unwrap();
}

#[test]
fn folders_time_zones_and_locales_change_no_byte() {
    let lab = Lab::good();
    let copy = lab.copy();
    let expected = summarize(&lab.root).unwrap().to_bytes().unwrap();
    for (root, zone, locale) in [
        (&lab.root, "Pacific/Kiritimati", "de_DE.UTF-8"),
        (&copy.root, "America/St_Johns", "C"),
    ] {
        let out = lab.beside("out.json");
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "summary::tests::print_the_hash", "--ignored"])
            .env("DECKPROOF_TEST_EXPERIMENT", root)
            .env("DECKPROOF_TEST_OUT", &out)
            .envs([("TZ", zone), ("LANG", locale), ("LC_ALL", locale)])
            .current_dir(lab.beside(""))
            .output()
            .unwrap();
        assert!(status.status.success(), "{status:?}");
        assert_eq!(fs_err::read(&out).unwrap(), expected);
    }
}
