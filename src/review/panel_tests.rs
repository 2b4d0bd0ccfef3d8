// SPDX-License-Identifier: MIT OR Apache-2.0
//! Panels: seats, repeats and anchors, packets that are voided and reviews that are withdrawn, and
//! everybody who would bend one of them.

use std::path::PathBuf;

use deckproof_packets::mapping::{Label, Mapping, Purpose};
use deckproof_reviews::review::ReviewerType;
use serde_json::{Value, json};

use super::*;
use crate::experiment::Experiment;
use crate::experiment::plan::Seat;
use crate::summary::testing::{Lab, Script};
use crate::summary::{Summary, summarize};
use crate::verify::verify;

const PANEL: &str = r#"
[review.panel]
both_orders = ["model"]
repeat_percent = 25
identical_percent = 25
broken_percent = 25
[review.panel.seats]
human = 2
model = 1
"#;

/// A suite with a panel and `more` beside it.
fn suite(more: &'static str) -> Box<dyn Fn(String) -> String> {
    Box::new(move |text| {
        text.replace(
            "required_reviewer_types = [\"human\"]\noptional_reviewer_types = [\"model\", \"scripted\"]",
            "required_reviewer_types = [\"human\", \"model\"]",
        )
        .replace("[gates]", &format!("{PANEL}{more}[gates]"))
    })
}

fn lab(more: &'static str) -> Lab {
    Lab::run(&Script {
        suite: suite(more),
        ..Script::default()
    })
}

/// A panel whose reviews are not handed in yet.
fn desk() -> (Lab, Vec<Mapping>, Vec<Value>) {
    let lab = Lab::run(&Script {
        suite: suite(""),
        response: Box::new(|_, _, _| false),
        ..Script::default()
    });
    let mappings = lab.mappings();
    let responses = mappings.iter().enumerate().map(|(number, mapping)| {
        let mut response = lab.response(mapping, number);
        lab.seat(mapping, &mut response);
        response
    });
    let responses = responses.collect();
    (lab, mappings, responses)
}

fn seat_of(lab: &Lab, mapping: &Mapping) -> Seat {
    let experiment = Experiment::open(&lab.root).unwrap();
    let commitment = experiment.plan.commitment(&mapping.packet).unwrap();
    commitment.seat.unwrap()
}

fn save(lab: &Lab, responses: &[Value]) -> Vec<PathBuf> {
    let numbered = responses.iter().enumerate();
    numbered
        .map(|(number, one)| lab.save(&format!("r{number}.json"), one))
        .collect()
}

fn refusal(lab: &Lab, response: &Value) -> String {
    let path = lab.save("one.json", response);
    accept(&lab.root, &[path]).unwrap_err().to_string()
}

fn problems(summary: &Summary, control: &str) -> Vec<String> {
    let mut controls = summary.controls.iter();
    let control = controls.find(|one| one.name == control).unwrap();
    control.problems.clone()
}

#[test]
fn a_panel_passes_and_its_anchors_are_judged_apart() {
    let lab = lab("");
    verify(&lab.root).unwrap();
    let summary = summarize(&lab.root).unwrap();
    assert_eq!(summary.failed_gates, Vec::<String>::new());
    // Four comparisons, three seats, the model's in both orders; anchors score candidates down and
    // reach no gate.
    assert_eq!(summary.comparisons.len(), 4 * 2 + 4 * 2);
    let blinding = &summary.blinding;
    assert_eq!(
        (blinding.anchors.identical, blinding.anchors.identical_seen),
        (3, 3)
    );
    assert_eq!(
        (blinding.anchors.broken, blinding.anchors.broken_seen),
        (3, 3)
    );
    assert_eq!((blinding.repeats.pairs, blinding.repeats.agreeing), (3, 6));
    assert_eq!((blinding.flips.pairs, blinding.flips.flips), (4, 0));
    assert_eq!(blinding.owed, Vec::<String>::new());
    let standing = status(&lab.root).unwrap();
    assert!(
        standing
            .iter()
            .all(|one| one.missing.is_empty() && one.reviews.len() == 1)
    );
    let order: Vec<_> = standing.iter().map(|one| one.seat.unwrap()).collect();
    assert!(order.is_sorted());
}

#[test]
fn a_dropped_packet_fails_a_control_even_if_it_is_an_anchor() {
    let (lab, mappings, responses) = desk();
    let anchor = mappings
        .iter()
        .position(|one| one.purpose == Purpose::Broken);
    let mut paths = save(&lab, &responses);
    paths.remove(anchor.unwrap());
    accept(&lab.root, &paths).unwrap();
    let summary = summarize(&lab.root).unwrap();
    assert_eq!(summary.failed_gates, ["protocol_controls"]);
    assert_eq!(problems(&summary, "panel_complete").len(), 1);
}

#[test]
fn a_dropped_comparison_fails_the_gate() {
    let (lab, mappings, responses) = desk();
    let one = mappings
        .iter()
        .position(|one| one.purpose == Purpose::OtherOrder);
    let mut paths = save(&lab, &responses);
    paths.remove(one.unwrap());
    accept(&lab.root, &paths).unwrap();
    let summary = summarize(&lab.root).unwrap();
    let failed = ["protocol_controls", "semantic_non_regression"];
    assert_eq!(summary.failed_gates, failed);
}

#[test]
fn one_reviewer_holds_one_seat_and_judges_each_packet_once() {
    let (lab, mappings, responses) = desk();
    let of = |kind, number| {
        let mut all = mappings.iter().enumerate().filter(|(_, one)| {
            let seat = seat_of(&lab, one).seat;
            (seat.kind, seat.number) == (kind, number)
        });
        [all.next().unwrap().0, all.next().unwrap().0]
    };
    let [first, second] = of(ReviewerType::Human, 1);
    let [other, _] = of(ReviewerType::Human, 2);
    accept(&lab.root, &save(&lab, &responses[first..=first])).unwrap();
    let mut bent = responses[first].clone();
    bent["reviewer"]["thread"] = json!("desk-99");
    assert!(refusal(&lab, &bent).contains("expected a packet without a review"));
    bent["reviewer"]["id"] = json!("somebody else");
    assert!(refusal(&lab, &bent).contains("expected a packet without a review"));
    let mut bent = responses[second].clone();
    bent["reviewer"]["id"] = json!("somebody else");
    assert!(refusal(&lab, &bent).contains("who holds the seat human-1"));
    let mut bent = responses[other].clone();
    bent["reviewer"]["id"] = responses[first]["reviewer"]["id"].clone();
    assert!(refusal(&lab, &bent).contains("this one holds human-1"));
    bent["reviewer"] = json!({"type": "model", "id": "x-1", "model": "m", "thread": "desk-77"});
    assert!(refusal(&lab, &bent).contains("for the packet's seat human-2"));
}

#[test]
fn a_withdrawn_review_stays_and_may_be_given_again() {
    let (lab, _, responses) = desk();
    let paths = save(&lab, &responses);
    accept(&lab.root, &paths).unwrap();
    let review = &verify(&lab.root).unwrap().reviews[0];
    let at = responses
        .iter()
        .position(|one| one["packet"] == review.response.packet.as_str());
    let mut again = responses[at.unwrap()].clone();
    let reason = "looked at the wrong screen";
    assert!(withdraw(&lab.root, &review.id, "todo").is_err());
    assert!(withdraw(&lab.root, "nothing", reason).is_err());
    withdraw(&lab.root, &review.id, reason).unwrap();
    assert!(withdraw(&lab.root, &review.id, reason).is_err());
    let summary = summarize(&lab.root).unwrap();
    assert!(!summary.passed() && problems(&summary, "reviews_kept").is_empty());
    // The same session and the same reasons stay used.
    again["reviewer"]["thread"] = json!("desk-98");
    let error = refusal(&lab, &again);
    assert!(error.contains("every rationale"), "{error}");
    for label in ["A", "B"] {
        for name in ["fidelity", "design"] {
            let reason = format!("At the right screen {label} has better {name}.");
            again["labels"][label]["dimensions"][name]["rationale"] = json!(reason);
        }
    }
    accept(&lab.root, &[lab.save("again.json", &again)]).unwrap();
    let summary = summarize(&lab.root).unwrap();
    assert_eq!(summary.failed_gates, Vec::<String>::new());
    assert_eq!(summary.blinding.withdrawn.len(), 1);
    verify(&lab.root).unwrap();
}

#[test]
fn a_review_against_the_candidate_cannot_be_taken_back() {
    let (lab, mappings, mut responses) = desk();
    let at = mappings
        .iter()
        .position(|one| one.purpose == Purpose::Comparison);
    let at = at.unwrap();
    let mut good = responses[at].clone();
    let label = mappings[at].candidate.as_str();
    responses[at]["labels"][label]["dimensions"]["design"]["score"] = json!(1);
    accept(&lab.root, &save(&lab, &responses)).unwrap();
    let reviews = verify(&lab.root).unwrap().reviews;
    let packet = &mappings[at].packet;
    let bad = reviews
        .iter()
        .find(|one| one.response.packet == *packet)
        .unwrap();
    withdraw(&lab.root, &bad.id, "did not like what it says").unwrap();
    good["reviewer"]["thread"] = json!("desk-97");
    for label in Label::BOTH {
        let reason = json!(format!("Seen again, {label} has no fault here."));
        good["labels"][label.as_str()]["dimensions"]["fidelity"]["rationale"] = reason;
    }
    accept(&lab.root, &[lab.save("good.json", &good)]).unwrap();
    let summary = summarize(&lab.root).unwrap();
    assert_eq!(summary.failed_gates, ["protocol_controls"]);
    assert_eq!(problems(&summary, "reviews_kept").len(), 1);
}

/// What the control over the blind says when all reviewers guess so, and are fooled by anchors.
fn blind(guess: fn(Label) -> Value, fooled: bool) -> Vec<String> {
    let lab = Lab::run(&Script {
        suite: suite("[review.blinding]\nmax_bang_percent = 30\nmin_anchors_percent = 80\n"),
        response: Box::new(move |_, candidate, response| {
            response["guess"] = guess(candidate);
            for label in ["A", "B"].into_iter().filter(|_| fooled) {
                for name in ["fidelity", "design"] {
                    response["labels"][label]["dimensions"][name]["score"] = json!(4);
                }
            }
            true
        }),
        ..Script::default()
    });
    problems(&summarize(&lab.root).unwrap(), "blinding")
}

#[test]
fn limits_on_the_blind_are_controls() {
    assert_eq!(blind(|_| Value::Null, false), Vec::<String>::new());
    let found = blind(|candidate| json!(candidate.as_str()), false);
    assert_eq!(found.len(), 2, "{found:?}");
    let found = blind(|_| Value::Null, true);
    assert!(
        found.len() == 1 && found[0].contains("anchors"),
        "{found:?}"
    );
}
