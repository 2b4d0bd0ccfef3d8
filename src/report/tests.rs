// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report says what the evidence says, lets nothing of others become markup, and is the same
//! wherever it is made.

use deckproof_packets::mapping::Label;
use serde_json::json;

use super::*;
use crate::experiment::records::{CheckStatus, Outcome};
use crate::suite::Id;
use crate::summary::testing::{Lab, Script};

const HOSTILE: &str = "<script>alert('\"pwned\"')</script>&<img src=x onerror=y>";

fn written(lab: &Lab) -> String {
    let path = write(&lab.root).unwrap();
    assert_eq!(path, lab.path("report.html"));
    fs_err::read_to_string(path).unwrap()
}

/// The report with at most `most` bytes of pictures.
fn rendered(lab: &Lab, most: u64) -> String {
    let verified = verify::verify(&lab.root).unwrap();
    let summary = summary::derive(&verified).unwrap();
    String::from_utf8(render(&verified, &summary, most).unwrap()).unwrap()
}

/// Where `part` stands, which must be there.
fn at(html: &str, part: &str) -> usize {
    html.find(part).unwrap_or_else(|| panic!("no `{part}`"))
}

#[test]
fn a_good_experiment_has_every_part_in_order() {
    let lab = Lab::good();
    let html = written(&lab);
    let parts = [
        "PASS  lab: all 9 gates hold",
        "id=\"gates\"",
        "id=\"controls\"",
        "id=\"figures\"",
        "id=\"statistics\"",
        "id=\"case-case-one\"",
        "id=\"case-case-two\"",
        "id=\"renderers\"",
        "id=\"audit\"",
        "id=\"limits\"",
        "</html>",
    ];
    let places: Vec<_> = parts.iter().map(|part| at(&html, part)).collect();
    assert!(places.is_sorted(), "{places:?}");
    // Two cases, two arms, two slides, two sides.
    assert_eq!(html.matches("src=\"data:image/png;base64,").count(), 16);
    assert_eq!(html.matches("r. meier (human reviewer)").count(), 4);
    verify::verify(&lab.root).unwrap();
}

#[test]
fn what_the_summary_says_stands_in_the_report_word_for_word() {
    let lab = Lab::good();
    let html = rendered(&lab, MAX_PICTURES);
    let verified = verify::verify(&lab.root).unwrap();
    let summary = summary::derive(&verified).unwrap();
    let escaped = |text: &str| {
        let mut page = Page::default();
        page.text(text);
        String::from_utf8(page.into_bytes()).unwrap()
    };
    let claims = summary.controls.iter().map(|one| one.claim.as_str());
    let reasons = summary.gates.iter().map(|one| one.reason());
    let limits = summary.not_entitled_to_say.iter().map(String::as_str);
    let tables = summary.statistics_tables();
    assert!(tables.iter().filter(|one| !one.rows.is_empty()).count() >= 4);
    let cells = tables.iter().flat_map(|one| one.rows.iter().flatten());
    let told = claims.chain(reasons).chain(limits);
    for text in told.chain(cells.map(String::as_str)) {
        assert!(html.contains(&escaped(text)), "{text}");
    }
    assert!(summary.not_entitled_to_say.len() > 1);
    let plan = &verified.experiment.plan;
    let mut hashes = vec![&summary.journal.head, &plan.suite_sha256, &plan.lock_sha256];
    hashes.extend(plan.commitments.iter().map(|one| &one.commitment));
    hashes.extend(verified.history.packets.values());
    hashes.extend(
        verified
            .history
            .baselines
            .values()
            .map(|one| &one.render.sha256),
    );
    hashes.extend(verified.experiment.lock.files.iter().map(|one| &one.sha256));
    for hash in hashes {
        assert!(html.contains(hash.as_str()), "{hash}");
    }
}

#[test]
fn the_same_evidence_gives_the_same_bytes_in_any_folder() {
    let lab = Lab::good();
    let first = written(&lab);
    let copy = lab.copy();
    assert_eq!(written(&copy), first);
    // With a report and a summary there already, too.
    summary::write(&copy.root, &summary::summarize(&copy.root).unwrap()).unwrap();
    assert_eq!(written(&copy), first);
    verify::verify(&copy.root).unwrap();
    for root in [&lab.root, &copy.root] {
        assert!(!first.contains(root.to_str().unwrap()));
    }
}

#[test]
fn nothing_of_others_becomes_markup() {
    let script = Script {
        suite: Box::new(|text| {
            text.replace(
                "id = \"lab\"",
                &format!("id = \"lab\"\npurpose = '''{HOSTILE}'''"),
            )
        }),
        ended: Box::new(|ended| {
            ended.outcome = Outcome::AgentFailed(HOSTILE.to_owned());
            ended.usage.basis = HOSTILE.to_owned();
            ended.run.program_version = Some(HOSTILE.to_owned());
        }),
        judged: Box::new(|judged| {
            for check in &mut judged.checks {
                check.status = CheckStatus::Fail;
                check.reason = HOSTILE.to_owned();
            }
            if let Some(render) = &mut judged.render {
                render.renderer.version = HOSTILE.to_owned();
                render.renderer.flags = vec![HOSTILE.to_owned()];
            }
        }),
        response: Box::new(|_, candidate, response| {
            let design = &mut response["labels"][candidate.as_str()]["dimensions"]["design"];
            design["rationale"] = json!(format!("Margins are even: {HOSTILE}"));
            response["overall_rationale"] = json!(format!("Both tell the story: {HOSTILE}"));
            true
        }),
        ..Script::default()
    };
    let html = written(&Lab::run(&script));
    assert!(
        html.matches("&lt;script&gt;alert(&#39;&quot;pwned&quot;&#39;)")
            .count()
            >= 20
    );
    for tag in ["<script", "<img src", "onerror=y>", "'\"pwned"] {
        assert!(!html.contains(tag), "{tag}");
    }
    // Without scripts, and nothing fetched: neither links out of the page nor pictures by address.
    assert_eq!(
        html.matches("href=").count(),
        html.matches("href=\"#").count()
    );
    assert_eq!(
        html.matches(" src=").count(),
        html.matches(" src=\"data:image/png;base64,").count() + html.matches("img src=x").count()
    );
    assert!(html.contains("default-src 'none'"));
}

#[test]
fn what_agents_did_stands_at_their_trials() {
    let html = written(&Lab::good());
    assert_eq!(html.matches("<details class=\"trace\">").count(), 4);
    assert!(html.contains("case-two.slides.1: 1 call in 30.000 s, 3 events"));
    assert!(html.contains("make case-two.slides.1"));
    assert!(html.contains("completed, exit code 0"));
}

#[test]
fn every_cost_ratio_is_drawn_with_its_interval() {
    let html = written(&Lab::good());
    // Two arms with their baselines, one with the other, tokens and times.
    assert_eq!(html.matches("<rect class=\"interval faint\"").count(), 6);
    assert!(html.contains("web against slides · tokens"));
    assert!(html.contains("0.500 (0.500 to 0.500, 2 cases)"));
}

#[test]
fn a_failed_experiment_says_what_failed() {
    let script = Script {
        judged: Box::new(|judged| {
            if judged.trial.to_string() == "case-two.web.1" {
                judged.checks[0].status = CheckStatus::Fail;
                judged.checks[0].reason = "slide 2 lost its total".to_owned();
            }
        }),
        ..Script::default()
    };
    let html = written(&Lab::run(&script));
    assert!(html.contains("class=\"verdict failed\"") && html.contains("FAIL  lab: 1 of 9 gates"));
    // Under its gate and at its trial.
    assert_eq!(html.matches("slide 2 lost its total").count(), 2);
    assert!(html.contains("case-two.web.1: 1 of 2 checks pass"));
}

#[test]
fn a_scripted_reviewer_is_called_one_everywhere() {
    let script = Script {
        suite: Box::new(|text| {
            text.replace("[\"human\"]", "[\"scripted\"]")
                .replace("\"model\", \"scripted\"", "\"model\"")
        }),
        response: Box::new(|_, _, response| {
            response["reviewer"]["type"] = json!("scripted");
            true
        }),
        ..Script::default()
    };
    let html = written(&Lab::run(&script));
    assert_eq!(
        html.matches("a scripted reviewer that looked at nothing")
            .count(),
        4
    );
    assert!(html.contains("4 of 4 reviews are by a scripted reviewer"));
    assert!(!html.contains("human reviewer)"));
}

#[test]
fn nothing_unblinds_a_comparison_whose_review_is_missing() {
    let script = Script {
        response: Box::new(|trial, _, _| trial.to_string() != "case-one.web.1"),
        ..Script::default()
    };
    let lab = Lab::run(&script);
    let html = written(&lab);
    assert_eq!(html.matches("src=\"data:image/png;base64,").count(), 12);
    assert!(html.contains("case-one.web.1: no human review"));
    let mappings = lab.mappings();
    let pending = mappings
        .iter()
        .find(|one| one.trial == "case-one.web.1")
        .unwrap();
    for side in [&pending.candidate_side, &pending.baseline_side] {
        assert!(!html.contains(side.artifact_sha256.as_str()));
        assert!(!html.contains(side.render_set_sha256.as_str()));
    }
    for label in Label::BOTH {
        assert!(!html.contains(&format!("{label} of case-one.web.1")));
    }
    assert!(html.contains(&format!(
            "{} of case-two.web.1",
            mappings
                .iter()
                .find(|one| one.trial == "case-two.web.1")
                .unwrap()
                .candidate
        )));
    // What the packet is bound to is no secret.
    assert!(html.contains(pending.commitment().as_str()));
}

#[test]
fn pictures_beyond_the_limit_are_named_by_their_hash() {
    let lab = Lab::good();
    let verified = verify::verify(&lab.root).unwrap();
    let id = |name: &str| Id::new(name).unwrap();
    let baseline = &verified.history.baselines[&(id("case-one"), id("web"))].render;
    let html = rendered(&lab, baseline.slides[0].bytes);
    assert_eq!(html.matches("src=\"data:image/png;base64,").count(), 1);
    assert!(html.contains("Only the first 1 of 16 pictures"));
    assert!(html.contains(baseline.slides[1].sha256.as_str()));
    assert!(!rendered(&lab, MAX_PICTURES).contains("Only the first"));
}

#[test]
fn unknown_tokens_stay_unknown() {
    let script = Script {
        ended: Box::new(|ended| {
            let usage = &mut ended.usage;
            (usage.total_tokens, usage.input_tokens) = (None, None);
            (usage.cached_input_tokens, usage.output_tokens) = (None, None);
        }),
        ..Script::default()
    };
    let html = written(&Lab::run(&script));
    assert!(html.contains("unknown: 1 of 1 trials have no figure"));
    assert!(html.contains("class=\"verdict failed\""));
}

#[test]
fn the_report_never_lands_among_the_evidence() {
    let lab = Lab::good();
    for name in [
        "plan.json",
        "other.html",
        "reviews/report.html",
        "packets/../journal.jsonl",
    ] {
        let before = fs_err::read(lab.path(name)).ok();
        let error = write_to(&lab.root, &lab.path(name)).unwrap_err();
        assert!(
            matches!(error, ReportError::Inside { .. }),
            "{name}: {error}"
        );
        assert_eq!(fs_err::read(lab.path(name)).ok(), before);
    }
    let link = lab.beside("link");
    std::os::unix::fs::symlink(&lab.root, &link).unwrap();
    let error = write_to(&lab.root, &link.join("plan.json")).unwrap_err();
    assert!(matches!(error, ReportError::Inside { .. }), "{error}");
    write_to(&lab.root, &lab.beside("elsewhere.html")).unwrap();
    write_to(&lab.root, &link.join(REPORT_NAME)).unwrap();
    verify::verify(&lab.root).unwrap();
}

#[test]
fn evidence_that_does_not_hold_gives_no_report() {
    let unfinished = Lab::run(&Script {
        unfinished: true,
        ..Script::default()
    });
    let error = write(&unfinished.root).unwrap_err();
    assert!(
        matches!(error, ReportError::Evidence(VerifyError::Unfinished { .. })),
        "{error}"
    );
    let lab = Lab::good();
    fs_err::write(lab.path("summary.json"), "{}").unwrap();
    let error = write(&lab.root).unwrap_err();
    assert!(
        matches!(error, ReportError::Evidence(VerifyError::Summary { .. })),
        "{error}"
    );
    assert!(!lab.path(REPORT_NAME).exists());
}
