// SPDX-License-Identifier: MIT OR Apache-2.0
//! A good response is filed and unblinded; every way to bend one is refused with its place.

use deckproof_packets::hash::Sha256Hex;
use deckproof_packets::mapping::{Label, Mapping, MappingSchema, Purpose, Side};
use serde_json::{Value, json};

use super::*;

const PACKET: &str = "00112233445566778899aabbccddeeff";

fn hash(text: &str) -> Sha256Hex {
    Sha256Hex::of(text.as_bytes())
}

fn side(name: &str) -> Side {
    Side {
        artifact_sha256: hash(&format!("artifact {name}")),
        render_set_sha256: hash(name),
    }
}

fn rules() -> ReviewRules {
    let dimension = |name: &str| DimensionRule {
        name: name.to_owned(),
        question: None,
        anchors: [("1".to_owned(), "unusable".to_owned())].into(),
    };
    ReviewRules {
        dimensions: vec![dimension("fidelity"), dimension("baseline_grid")],
        score_min: 1,
        score_max: 5,
        required_reviewer_types: vec![ReviewerType::Human],
        optional_reviewer_types: vec![ReviewerType::Model],
        min_rationale_chars: 12,
        score_floor: None,
        independent_model: false,
        panel: None,
        blinding: BlindingRules::default(),
    }
}

fn packet() -> PacketBinding {
    PacketBinding {
        packet: PACKET.parse().unwrap(),
        bindings: Bindings {
            packet_sha256: hash("packet"),
            prompt_sha256: hash("prompt"),
            requirements_sha256: hash("requirements"),
            labels: LabelBindings {
                a: side("a"),
                b: side("b"),
            },
        },
        seat: None,
    }
}

fn mapping(candidate: Label) -> Mapping {
    let (left, right) = (side("a"), side("b"));
    let (candidate_side, baseline_side) = if candidate == Label::A {
        (left, right)
    } else {
        (right, left)
    };
    Mapping {
        schema: MappingSchema::V1,
        purpose: Purpose::Comparison,
        packet: PACKET.parse().unwrap(),
        trial: "t".to_owned(),
        candidate,
        candidate_side,
        baseline_side,
        nonce: hash("nonce"),
    }
}

fn response() -> Value {
    let label = |score: i32| {
        json!({"dimensions": {
            "fidelity": {"score": score, "pass": true, "rationale": "All the figures agree."},
            "baseline_grid": {"score": 3, "pass": true, "rationale": "The lines sit on one grid."},
        }})
    };
    json!({
        "schema": "deckproof.response.v1",
        "packet": PACKET,
        "packet_sha256": hash("packet"),
        "reviewer": {"type": "human", "id": "r. meier", "model": null, "thread": "desk-1"},
        "labels": {"A": label(4), "B": label(2)},
        "overall_rationale": "Both tell the story, A with better figures.",
        "guess": "A",
    })
}

fn accept(response: &Value) -> Result<AcceptedReview, ReviewError> {
    accept_knowing(response, &rules(), &KnownThreads::default())
}

fn accept_knowing(
    response: &Value,
    rules: &ReviewRules,
    known: &KnownThreads,
) -> Result<AcceptedReview, ReviewError> {
    let bytes = serde_json::to_vec(response).unwrap();
    validate_response("r.json", &bytes, rules, &packet(), known)
}

fn changed(path: &str, value: Value) -> Value {
    let mut response = response();
    *response.pointer_mut(path).unwrap() = value;
    response
}

fn added(path: &str, key: &str, value: Value) -> Value {
    let mut response = response();
    response
        .pointer_mut(path)
        .unwrap()
        .as_object_mut()
        .unwrap()
        .insert(key.to_owned(), value);
    response
}

fn refusal(response: &Value) -> String {
    accept(response).unwrap_err().to_string()
}

#[test]
fn a_good_response_is_filed_with_its_bindings() {
    let review = accept(&response()).unwrap();
    assert_eq!(review.bindings, packet().bindings);
    assert!(!review.is_scripted());
    let bytes = serde_json::to_vec(&review).unwrap();
    assert_eq!(
        AcceptedReview::read("reviews/x.json", &bytes).unwrap(),
        review
    );
    let text = String::from_utf8(bytes).unwrap();
    assert!(!text.contains("candidate"), "{text}");
}

#[test]
fn a_filed_review_with_another_response_is_refused() {
    let mut review = accept(&response()).unwrap();
    review.response_sha256 = hash("other");
    let error = AcceptedReview::read("x", &serde_json::to_vec(&review).unwrap()).unwrap_err();
    assert!(error.problem.starts_with("found the id"), "{error}");
}

#[test]
fn every_bent_field_is_refused_with_its_place() {
    let rationale = "/labels/A/dimensions/fidelity/rationale";
    for (path, value, expected) in [
        (
            "/schema",
            json!("deckproof.response.v2"),
            "expected `deckproof.response.v1`",
        ),
        (
            "/packet",
            json!("00112233445566778899aabbccddee00"),
            "/packet: found",
        ),
        ("/packet", json!("p"), "expected a packet id"),
        (
            "/packet_sha256",
            json!(hash("other")),
            "/packet_sha256: found",
        ),
        (
            "/packet_sha256",
            json!(hash("packet").as_str().to_uppercase()),
            "lower-case",
        ),
        (
            "/reviewer/type",
            json!("scripted"),
            "/reviewer/type: found a scripted reviewer",
        ),
        (
            "/reviewer/type",
            json!("model"),
            "/reviewer/model: found none",
        ),
        (
            "/reviewer/model",
            json!("m-1"),
            "a human reviewer has no model",
        ),
        ("/reviewer/id", json!("<your id>"), "the placeholder"),
        ("/reviewer/id", json!("TODO"), "the placeholder"),
        ("/reviewer/id", json!(" "), "white space"),
        ("/reviewer/id", json!("meier "), "white space"),
        (
            "/reviewer/id",
            json!("mei\u{200b}er"),
            "invisible character U+200B",
        ),
        ("/reviewer/thread", json!(""), "no letter or digit"),
        ("/reviewer/thread", json!("x".repeat(201)), "201 characters"),
        (
            "/labels/A/dimensions/fidelity/score",
            json!(6),
            "found 6, expected a score from 1 to 5",
        ),
        (
            "/labels/B/dimensions/fidelity/score",
            json!(0),
            "/labels/B/dimensions/fidelity/score",
        ),
        (
            "/labels/A/dimensions/fidelity/score",
            json!(4.0),
            "expected a whole number of the scale",
        ),
        (
            "/labels/A/dimensions/fidelity/score",
            json!("4"),
            "expected a whole number of the scale",
        ),
        (
            "/labels/A/dimensions/fidelity/pass",
            json!(1),
            "expected true or false",
        ),
        (rationale, json!("."), "no letter or digit"),
        (rationale, json!("   "), "no letter or digit"),
        (
            rationale,
            json!("good"),
            "4 letters and digits, expected at least 12",
        ),
        (
            rationale,
            json!("aaaaaaaaaaaaaaaaaaaa"),
            "1 different letters",
        ),
        (
            rationale,
            json!("[why, in your own words]"),
            "the placeholder",
        ),
        (
            rationale,
            json!("The  lines sit on ONE grid!"),
            "a reason of its own",
        ),
        ("/labels/A/dimensions", json!({}), "no dimension `fidelity`"),
        ("/labels/A", json!([{}]), "found a list"),
        (
            "/overall_rationale",
            json!("n/a"),
            "/overall_rationale: found",
        ),
        (
            "/guess",
            json!("C"),
            "expected `A`, `B`, or null for no guess",
        ),
    ] {
        let message = refusal(&changed(path, value));
        assert!(message.contains(expected), "{path}: {message}");
        assert!(message.starts_with("r.json:"), "{message}");
    }
}

#[test]
fn extra_keys_are_refused_and_unblinding_ones_by_name() {
    for key in [
        "candidate_label",
        "baseline",
        "Mapping",
        "case_id",
        "overall_non_regression",
    ] {
        for path in [
            "",
            "/reviewer",
            "/labels",
            "/labels/A",
            "/labels/A/dimensions",
        ] {
            let message = refusal(&added(path, key, json!("A")));
            assert!(message.contains("unblinds"), "{path}/{key}: {message}");
        }
    }
    assert!(refusal(&added("", "more", json!(1))).contains("the unknown key `more`"));
    assert!(refusal(&added("/labels", "C", json!({}))).contains("the unknown key `C`"));
    let extra = json!({"score": 3, "pass": true, "rationale": "Colours are calm and even."});
    let message = refusal(&added("/labels/B/dimensions", "colour", extra));
    assert!(
        message.contains("expected the suite's dimensions alone"),
        "{message}"
    );
}

#[test]
fn duplicate_keys_and_nesting_are_refused() {
    let good = serde_json::to_string(&response()).unwrap();
    let twice = good.replacen("\"guess\":\"A\"", "\"guess\":\"A\",\"guess\":\"B\"", 1);
    assert_ne!(twice, good);
    let cut = good.split_at(good.len() - 1).0.to_owned();
    for text in [twice, good.clone() + " x", "[".repeat(100_000), cut] {
        let known = KnownThreads::default();
        let result = validate_response("r", text.as_bytes(), &rules(), &packet(), &known);
        assert!(
            result.is_err(),
            "{}",
            text.chars().take(80).collect::<String>()
        );
    }
}

#[test]
fn sessions_reviewers_and_rationales_are_used_once() {
    let mut known = KnownThreads::default();
    known.add_builder("Thread-Of-Builder", Some("big-model"));
    let builder = changed("/reviewer/thread", json!("thread-of-builder"));
    let error = accept_knowing(&builder, &rules(), &known)
        .unwrap_err()
        .to_string();
    assert!(error.contains("no deck was built"), "{error}");

    known.add_review(&accept(&response()).unwrap(), None);
    let mut again = response();
    let error = accept_knowing(&again, &rules(), &known)
        .unwrap_err()
        .to_string();
    assert!(error.contains("a session of its own"), "{error}");
    again["reviewer"]["thread"] = json!("desk-2");
    let error = accept_knowing(&again, &rules(), &known)
        .unwrap_err()
        .to_string();
    assert!(error.contains("has not judged this packet"), "{error}");
    again["reviewer"]["id"] = json!("a. other");
    let error = accept_knowing(&again, &rules(), &known)
        .unwrap_err()
        .to_string();
    assert!(error.contains("every rationale of review"), "{error}");
    again["labels"]["B"]["dimensions"]["fidelity"]["rationale"] = json!("Two figures are wrong.");
    assert!(accept_knowing(&again, &rules(), &known).is_ok());
}

#[test]
fn a_model_may_have_to_be_independent() {
    let mut known = KnownThreads::default();
    known.add_builder("t", Some("Big-Model"));
    let mut response = response();
    response["reviewer"] = json!({"type": "model", "id": "m", "model": "big-model", "thread": "u"});
    assert!(accept_knowing(&response, &rules(), &known).is_ok());
    let strict = ReviewRules {
        independent_model: true,
        ..rules()
    };
    let error = accept_knowing(&response, &strict, &known)
        .unwrap_err()
        .to_string();
    assert!(error.contains("built none of the decks"), "{error}");
}

#[test]
fn a_scripted_reviewer_is_called_so_everywhere() {
    let rules = ReviewRules {
        required_reviewer_types: vec![ReviewerType::Scripted],
        ..rules()
    };
    let response = changed("/reviewer/type", json!("scripted"));
    let review = accept_knowing(&response, &rules, &KnownThreads::default()).unwrap();
    assert!(review.is_scripted());
    assert!(
        serde_json::to_string(&review)
            .unwrap()
            .contains("\"type\":\"scripted\"")
    );
    let unblinded = unblind(&review, &mapping(Label::B)).unwrap();
    assert_eq!(unblinded.reviewer_type, ReviewerType::Scripted);
    let comparison = Comparison {
        name: "c".to_owned(),
        expected: vec![ReviewerType::Scripted],
        reviews: vec![unblinded],
    };
    let failures = semantic_failures(&[comparison], &rules);
    let expected =
        "c: scripted reviewer r. meier: fidelity: the candidate scores 2, the baseline 4";
    assert_eq!(failures, [expected]);
}

#[test]
fn unblinding_decides_who_wins() {
    let review = accept(&response()).unwrap();
    let as_a = unblind(&review, &mapping(Label::A)).unwrap();
    let outcome = non_regression(&as_a, &rules());
    assert!(outcome.passed);
    assert_eq!((outcome.wins, outcome.ties, outcome.losses), (1, 1, 0));
    assert_eq!(as_a.guessed_right, Some(true));
    let as_b = unblind(&review, &mapping(Label::B)).unwrap();
    let outcome = non_regression(&as_b, &rules());
    assert!(!outcome.passed);
    assert_eq!(
        outcome.failures,
        ["fidelity: the candidate scores 2, the baseline 4"]
    );
    assert_eq!(as_b.guessed_right, Some(false));
}

#[test]
fn a_mapping_of_something_else_is_refused() {
    let review = accept(&response()).unwrap();
    let other = Mapping {
        packet: "0".repeat(32).parse().unwrap(),
        ..mapping(Label::A)
    };
    assert!(matches!(
        unblind(&review, &other),
        Err(UnblindError::OtherPacket { .. })
    ));
    let swapped = Mapping {
        candidate: Label::B,
        ..mapping(Label::A)
    };
    assert!(matches!(
        unblind(&review, &swapped),
        Err(UnblindError::OtherSides { .. })
    ));
}

#[test]
fn passing_needs_the_pass_the_floor_and_every_dimension() {
    let unacceptable = changed("/labels/A/dimensions/fidelity/pass", json!(false));
    let unblinded = unblind(&accept(&unacceptable).unwrap(), &mapping(Label::A)).unwrap();
    assert_eq!(
        non_regression(&unblinded, &rules()).failures,
        ["fidelity: the candidate is not acceptable"]
    );
    let good = unblind(&accept(&response()).unwrap(), &mapping(Label::A)).unwrap();
    let floor = ReviewRules {
        score_floor: Some(4),
        ..rules()
    };
    let failures = non_regression(&good, &floor).failures;
    assert_eq!(
        failures,
        ["baseline_grid: the candidate scores 3, below the floor of 4"]
    );
    let mut partly = good.clone();
    partly.dimensions.pop();
    assert_eq!(
        non_regression(&partly, &rules()).failures,
        ["fidelity: not judged"]
    );
}

#[test]
fn a_missing_required_review_is_a_failure() {
    let comparison = Comparison {
        name: "q:html".to_owned(),
        expected: vec![ReviewerType::Human],
        reviews: Vec::new(),
    };
    assert_eq!(
        semantic_failures(&[comparison], &rules()),
        ["q:html: no human review"]
    );
    assert!(semantic_failures(&[], &rules()).is_empty());
}

#[test]
fn rules_are_checked_before_anybody_is_held_to_them() {
    assert_eq!(rules().check(), Ok(()));
    let named = |name: &str| {
        let mut rules = rules();
        rules.dimensions[1].name = name.to_owned();
        rules
    };
    let anchored = |score: &str| {
        let mut rules = rules();
        rules.dimensions[0]
            .anchors
            .insert(score.to_owned(), "words".to_owned());
        rules
    };
    for (bad, key) in [
        (
            ReviewRules {
                dimensions: vec![],
                ..rules()
            },
            "dimensions",
        ),
        (named("fidelity"), "dimensions"),
        (named("Fidelity"), "dimensions.name"),
        (named(""), "dimensions.name"),
        (anchored("6"), "dimensions.fidelity.anchors"),
        (anchored("02"), "dimensions.fidelity.anchors"),
        (
            ReviewRules {
                score_min: 5,
                ..rules()
            },
            "score_min",
        ),
        (
            ReviewRules {
                score_floor: Some(6),
                ..rules()
            },
            "score_floor",
        ),
        (
            ReviewRules {
                required_reviewer_types: vec![],
                ..rules()
            },
            "required_reviewer_types",
        ),
        (
            ReviewRules {
                optional_reviewer_types: vec![ReviewerType::Human],
                ..rules()
            },
            "required_reviewer_types",
        ),
    ] {
        assert_eq!(bad.check().unwrap_err().key, key);
    }
}

#[test]
fn rules_have_a_schema_and_refuse_unknown_keys() {
    let schema = serde_json::to_value(schemars::schema_for!(ReviewRules)).unwrap();
    assert_eq!(schema["additionalProperties"], json!(false));
    let mut rules = serde_json::to_value(rules()).unwrap();
    assert!(serde_json::from_value::<ReviewRules>(rules.clone()).is_ok());
    rules["weights"] = json!({});
    assert!(serde_json::from_value::<ReviewRules>(rules).is_err());
}
