// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole reviews in a real browser, by mouse and by keyboard alone; what comes out is accepted.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod browser;
#[path = "../../../packets/tests/packets/sample.rs"]
mod sample;

use std::path::Path;

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping::{Label, Side};
use deckproof_packets::packet::{self, VerifiedPacket};
use deckproof_reviews::review::{
    AcceptedReview, Bindings, BlindingRules, DimensionRule, KnownThreads, LabelBindings,
    PacketBinding, ReviewRules, ReviewerType, validate_response,
};
use serde_json::json;

use browser::{Browser, Desk, downloaded};

/// A packet on a desk and a browser that shows its page; none where there is no browser.
fn desk() -> Option<(Browser, Desk, VerifiedPacket)> {
    desk_with(|_| {})
}

/// The same with a packet that something happened to on its way.
fn desk_with(change: impl FnOnce(&Path)) -> Option<(Browser, Desk, VerifiedPacket)> {
    let folder = tempfile::tempdir().unwrap();
    let input = sample::input();
    let verified = packet::build(folder.path(), &input).unwrap();
    let packet = folder.path().join(input.id.as_str());
    change(&packet);
    let mut browser = Browser::start(folder.path())?;
    browser.open(&packet.join("page.html"));
    Some((browser, Desk { folder }, verified))
}

/// Saves what is seen, where somebody asks for pictures to look at.
fn look(page: &mut Browser, name: &str) {
    if let Some(folder) = std::env::var_os("DECKPROOF_PICTURES") {
        page.picture(&Path::new(&folder).join(format!("{name}.png")));
    }
}

fn accepted(desk: &Desk, verified: &VerifiedPacket) -> AcceptedReview {
    let bytes = downloaded(&desk.response(verified.document.packet.as_str()));
    let form = &verified.document.form;
    let rules = ReviewRules {
        dimensions: form
            .dimensions
            .iter()
            .map(|each| DimensionRule {
                name: each.name.clone(),
                question: each.question.clone(),
                anchors: each.anchors.clone(),
            })
            .collect(),
        score_min: form.score_min,
        score_max: form.score_max,
        required_reviewer_types: vec![ReviewerType::Human],
        optional_reviewer_types: Vec::new(),
        min_rationale_chars: form.min_rationale_chars,
        score_floor: None,
        independent_model: false,
        panel: None,
        blinding: BlindingRules::default(),
    };
    let side = |render_set: &Sha256Hex| Side {
        artifact_sha256: Sha256Hex::of(b"artifact"),
        render_set_sha256: render_set.clone(),
    };
    let binding = PacketBinding {
        packet: verified.document.packet.clone(),
        bindings: Bindings {
            packet_sha256: verified.packet_sha256.clone(),
            prompt_sha256: verified.prompt_sha256.clone(),
            requirements_sha256: verified.requirements_sha256.clone(),
            labels: LabelBindings {
                a: side(&verified.render_set_sha256.a),
                b: side(&verified.render_set_sha256.b),
            },
        },
        seat: None,
    };
    let known = KnownThreads::default();
    validate_response("response.json", &bytes, &rules, &binding, &known).unwrap()
}

const REASONS: [&str; 4] = [
    "Every figure of the brief is there, \u{200b}to the sign.",
    "One figure of the second slide is not the brief's.",
    "The title says what the table shows, at once.",
    "The message of slide three has to be searched for.",
];
const COMPARED: &str = "Both are complete; A says on each slide what to see first.";

#[test]
fn a_review_by_mouse_survives_a_reload_and_is_accepted() {
    let Some((mut page, desk, verified)) = desk() else {
        return;
    };
    assert_eq!(
        page.text("byId('place').textContent"),
        "A slide 1 of 2, B slide 1 of 3"
    );
    page.wait_for(
        "[...document.querySelectorAll('#stage img')].every((it) => it.naturalWidth === 1280)",
    );
    look(&mut page, "task");
    page.click("tab.judge");
    look(&mut page, "judge");
    // Scores wait for the guess.
    assert_eq!(
        page.evaluate("byId('score.A.fidelity.4').disabled"),
        json!(true)
    );
    page.click("guess.A");
    page.click("score.A.fidelity.4");
    assert_eq!(page.evaluate("byId('guess.B').disabled"), json!(true));
    page.click("pass.A.fidelity.true");
    page.click("rationale.A.fidelity");
    page.write(REASONS[0]);
    page.reload();
    let saved =
        "[answers.guess, answers.labels.A.fidelity.score, byId('rationale.A.fidelity').value]";
    assert_eq!(page.evaluate(saved), json!(["A", 4, REASONS[0]]));
    assert_eq!(
        page.text("byId('saved').textContent"),
        "Restored from this browser"
    );
    look(&mut page, "restored");
    finish_too_early(&mut page);
    page.click("tab.judge");
    page.click("reviewer");
    page.write("R. Meier");
    for (id, reason, score, pass) in [
        ("B.fidelity", REASONS[1], 2, false),
        ("A.clarity", REASONS[2], 5, true),
        ("B.clarity", REASONS[3], 3, true),
    ] {
        page.click(&format!("score.{id}.{score}"));
        page.click(&format!("pass.{id}.{pass}"));
        page.click(&format!("rationale.{id}"));
        page.write(reason);
    }
    page.click("overall");
    page.write(COMPARED);
    let scrolled = page.evaluate("document.scrollingElement.scrollTop + document.body.scrollTop");
    assert_eq!(scrolled, json!(0), "only panels scroll");
    page.evaluate("finish()");
    look(&mut page, "finish");
    page.click("write");
    look(&mut page, "done");
    let review = accepted(&desk, &verified);
    let response = &review.response;
    assert_eq!(
        (response.guess, response.reviewer.id.as_str()),
        (Some(Label::A), "R. Meier")
    );
    assert_eq!(response.labels.b.dimensions["fidelity"].score, 2);
    assert!(!response.labels.b.dimensions["fidelity"].pass);
    // What nobody sees does not reach the response.
    let reason = &response.labels.a.dimensions["fidelity"].rationale;
    assert_eq!(*reason, REASONS[0].replace('\u{200b}', ""));
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Says what is missing and writes nothing.
fn finish_too_early(page: &mut Browser) {
    page.evaluate("finish()");
    look(page, "missing");
    let told = page.text("document.querySelector('dialog').textContent");
    assert!(told.contains("Your name is missing"), "{told}");
    assert!(told.contains("Clarity, B: the score is missing"), "{told}");
    assert!(!told.contains("Fidelity, A"), "{told}");
    page.press("Escape");
    page.wait_for("document.querySelector('dialog') === null");
}

#[test]
fn a_review_by_keyboard_alone_is_accepted() {
    let Some((mut page, desk, verified)) = desk() else {
        return;
    };
    look_around(&mut page);
    let mut reasons = REASONS.iter().chain(std::iter::once(&COMPARED));
    for _ in 0..40 {
        page.press("n");
        if page.evaluate("document.querySelector('dialog') !== null") == json!(true) {
            break;
        }
        match page.text("document.activeElement.type").as_str() {
            "radio" => {
                page.press(" ");
                page.press("ArrowRight");
            }
            "text" => {
                page.write("K. Board");
                page.press("Escape");
            }
            _ => {
                page.write(reasons.next().unwrap());
                page.press("Escape");
            }
        }
    }
    // The dialog shows the review and has the focus on its last button.
    assert_eq!(page.text("document.activeElement.id"), "write");
    page.press("Enter");
    let review = accepted(&desk, &verified);
    // Space takes the first choice, and an arrow the one after it.
    assert_eq!(review.response.guess, Some(Label::B));
    assert_eq!(review.response.labels.a.dimensions["clarity"].score, 2);
    assert!(review.response.reviewer.thread.starts_with("page-"));
    assert_eq!(page.complaints, Vec::<String>::new());
}

/// Slides, arrangements, zoom, pairing, panels and help, by keys.
fn look_around(page: &mut Browser) {
    page.press("End");
    page.press("ArrowLeft");
    page.press("ArrowRight");
    assert_eq!(
        page.text("byId('place').textContent"),
        "A has no slide 3, B slide 3 of 3"
    );
    page.press(".");
    assert_eq!(
        page.text("byId('place').textContent"),
        "A slide 2 of 2, B slide 3 of 3"
    );
    page.press(",");
    for (key, mode) in [
        ("2", "stack"),
        ("3", "slider"),
        ("4", "flicker"),
        ("5", "difference"),
        ("1", "side"),
    ] {
        page.press(key);
        assert_eq!(page.text("byId('stage').dataset.mode"), mode);
        look(page, mode);
    }
    page.press("+");
    page.press("+");
    page.press_with("ArrowRight", 8);
    let same = "panes.A.picture.style.cssText === panes.B.picture.style.cssText && view.x > 0.5 && view.zoom > 1.5";
    assert_eq!(page.evaluate(same), json!(true), "zoom and pan go in step");
    page.press("0");
    assert_eq!(page.evaluate("view.zoom"), json!(1));
    page.press("4");
    page.press(" ");
    assert_eq!(
        page.text("getComputedStyle(panes.A.port).visibility"),
        "hidden"
    );
    page.press("a");
    assert_eq!(
        page.text("getComputedStyle(panes.A.port).visibility"),
        "visible"
    );
    let before = page.text("openTab");
    page.press("]");
    assert_ne!(page.text("openTab"), before);
    page.press("?");
    assert_eq!(
        page.text("document.querySelector('dialog').getAttribute('aria-label')"),
        "Help"
    );
    page.press("Escape");
    page.wait_for("document.querySelector('dialog') === null");
}

#[test]
fn everything_that_takes_the_keyboard_has_a_name_and_author_text_stays_text() {
    let Some((mut page, _desk, _)) = desk() else {
        return;
    };
    page.resize(1920, 1080);
    page.wait_for("document.body.classList.contains('wide')");
    look(&mut page, "wide");
    let nameless = page.evaluate(
        "[...document.querySelectorAll('button, input, textarea, a, [tabindex=\"0\"]')] \
         .filter((it) => !(it.textContent.trim() || it.ariaLabel || it.getAttribute('aria-labelledby') \
           || (it.labels && it.labels.length > 0))).map((it) => it.outerHTML)",
    );
    assert_eq!(nameless, json!([]));
    let twice = page.evaluate(
        "[...document.querySelectorAll('[id]')].map((it) => it.id) \
         .filter((id, at, all) => all.indexOf(id) !== at)",
    );
    assert_eq!(twice, json!([]));
    let amendment = page.text("byId('panel.amendments').textContent");
    assert!(
        amendment.contains("Use euros, not </script> dollars."),
        "{amendment}"
    );
    let requirements = page.text("byId('panel.requirements').textContent");
    assert!(
        requirements.contains("1.50"),
        "numbers stand as they were written: {requirements}"
    );
    assert_eq!(page.complaints, Vec::<String>::new());
}

#[test]
fn saved_answers_of_another_version_or_of_a_wrong_shape_are_not_taken() {
    let Some((mut page, _desk, verified)) = desk() else {
        return;
    };
    let id = verified.document.packet.as_str();
    let hash = verified.packet_sha256.as_str();
    let mut visit = |stored: serde_json::Value| {
        let text = json!(stored.to_string());
        page.evaluate(&format!(
            "localStorage.setItem('deckproof.review.v1.{id}', {text})"
        ));
        page.reload();
        page.evaluate("[answers.reviewer, answers.labels.A.fidelity.score, byId('banners').childElementCount]")
    };
    let other = json!({"packet_sha256": "0".repeat(64), "answers": {"reviewer": "X"}});
    assert_eq!(visit(other), json!(["", null, 1]));
    let bent = json!({"packet_sha256": hash, "answers": {"reviewer": 7, "guess": "C",
        "labels": {"A": {"fidelity": {"score": 6, "pass": "yes", "rationale": null}}}}});
    assert_eq!(visit(bent), json!(["", null, 0]));
    let good = json!({"packet_sha256": hash, "answers": {"reviewer": "Y",
        "labels": {"A": {"fidelity": {"score": 5}}}}});
    assert_eq!(visit(good), json!(["Y", 5, 0]));
}

#[test]
fn a_missing_picture_is_told() {
    let remove = |packet: &Path| fs_err::remove_file(packet.join("B/slide-002.png")).unwrap();
    let Some((mut page, _desk, _)) = desk_with(remove) else {
        return;
    };
    page.evaluate("goTo(2)");
    page.wait_for("panes.B.absent.textContent.includes('B/slide-002.png cannot be shown')");
    page.evaluate("goTo(3)");
    page.wait_for("panes.B.absent.textContent === '' && panes.B.picture.naturalWidth === 1280");
}
