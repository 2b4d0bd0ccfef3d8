// SPDX-License-Identifier: MIT OR Apache-2.0
//! Responses are filed all together or not at all, and what is left of a crash is cleared.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::*;
use crate::summary::testing::{Lab, Script};

/// A finished experiment without reviews, and a good response for each packet.
fn desk() -> (Lab, Vec<Value>) {
    let lab = Lab::run(&Script {
        response: Box::new(|_, _, _| false),
        ..Script::default()
    });
    let mappings = lab.mappings();
    let responses = mappings.iter().enumerate();
    let responses = responses
        .map(|(number, mapping)| lab.response(mapping, number))
        .collect();
    (lab, responses)
}

fn save(lab: &Lab, responses: &[Value]) -> Vec<PathBuf> {
    let numbered = responses.iter().enumerate();
    numbered
        .map(|(number, one)| lab.save(&format!("r{number}.json"), one))
        .collect()
}

fn files(lab: &Lab) -> usize {
    fs_err::read_dir(lab.path("reviews")).unwrap().count()
}

#[test]
fn responses_are_filed_and_seated() {
    let (lab, responses) = desk();
    assert!(
        status(&lab.root)
            .unwrap()
            .iter()
            .all(|one| one.missing.len() == 1)
    );
    let paths = save(&lab, &responses);
    let accepted = accept(&lab.root, &paths[..3]).unwrap();
    assert_eq!((accepted.len(), files(&lab)), (3, 3));
    let standing = status(&lab.root).unwrap();
    let missing: Vec<_> = standing.iter().map(|one| one.missing.len()).collect();
    assert_eq!(missing, [0, 0, 0, 1]);
    assert_eq!(standing[0].reviews[0].reviewer, "r. meier");
    // The whole folder again after one was added.
    let accepted = accept(&lab.root, &paths).unwrap();
    let already: Vec<_> = accepted.iter().map(|one| one.already).collect();
    assert_eq!(already, [true, true, true, false]);
    crate::verify::verify(&lab.root).unwrap();
}

#[test]
fn one_bad_response_keeps_all_out() {
    let (lab, mut responses) = desk();
    responses[3]["labels"]["A"]["dimensions"]["design"]["score"] = json!(9);
    let before = fs_err::read(lab.path("journal.jsonl")).unwrap();
    let error = accept(&lab.root, &save(&lab, &responses))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("r3.json") && error.contains("found 9"),
        "{error}"
    );
    assert_eq!(files(&lab), 0);
    assert_eq!(fs_err::read(lab.path("journal.jsonl")).unwrap(), before);
}

#[test]
fn what_cannot_be_a_response_is_refused_by_name() {
    let (lab, responses) = desk();
    let refused = |bend: &dyn Fn(&mut Value)| {
        let mut response = responses[0].clone();
        bend(&mut response);
        accept(&lab.root, &save(&lab, &[response]))
            .unwrap_err()
            .to_string()
    };
    let error = refused(&|one| one["packet"] = json!("0".repeat(32)));
    assert!(error.contains("expected one of this experiment"), "{error}");
    let error = refused(&|one| one["packet"] = json!(7));
    assert!(
        error.contains("names no packet, expected a review"),
        "{error}"
    );
    let error = refused(&|one| one["packet_sha256"] = json!("0".repeat(64)));
    assert!(error.contains("/packet_sha256"), "{error}");
    let error = refused(&|one| one["reviewer"]["thread"] = json!("thread of case-one.web.1"));
    assert!(
        error.contains("a session in which no deck was built"),
        "{error}"
    );
    let nowhere = lab.beside("nowhere.json");
    let error = accept(&lab.root, &[nowhere]).unwrap_err().to_string();
    assert!(error.contains("nowhere.json"), "{error}");
    let folder = lab.beside("suite");
    assert!(
        accept(&lab.root, &[folder])
            .unwrap_err()
            .to_string()
            .contains("no regular file")
    );
    assert_eq!(files(&lab), 0);
}

#[test]
fn no_session_judges_twice_in_one_call_or_in_two() {
    let (lab, mut responses) = desk();
    responses[1]["reviewer"]["thread"] = responses[0]["reviewer"]["thread"].clone();
    let paths = save(&lab, &responses);
    let error = accept(&lab.root, &paths[..2]).unwrap_err().to_string();
    assert!(error.contains("a session of its own"), "{error}");
    accept(&lab.root, &paths[..1]).unwrap();
    let error = accept(&lab.root, &paths[1..2]).unwrap_err().to_string();
    assert!(error.contains("a session of its own"), "{error}");
    let mut again = responses[0].clone();
    again["reviewer"]["thread"] = json!("desk-9");
    let error = accept(&lab.root, &[lab.save("again.json", &again)])
        .unwrap_err()
        .to_string();
    assert!(error.contains("has not judged this packet yet"), "{error}");
}

#[test]
fn a_changed_packet_takes_no_review() {
    let (lab, responses) = desk();
    let packet = responses[0]["packet"].as_str().unwrap();
    fs_err::write(
        lab.path(&format!("packets/{packet}/brief.md")),
        "Another brief.",
    )
    .unwrap();
    let error = accept(&lab.root, &save(&lab, &responses[..1]))
        .unwrap_err()
        .to_string();
    assert!(error.contains("brief.md` has changed"), "{error}");
}

#[test]
fn what_a_crash_left_is_an_error_until_the_next_call() {
    let (lab, responses) = desk();
    let paths = save(&lab, &responses);
    accept(&lab.root, &paths[..1]).unwrap();
    fs_err::write(lab.path("reviews/orphan.json"), "{}").unwrap();
    let error = crate::verify::verify(&lab.root).unwrap_err().to_string();
    assert!(
        error.contains("orphan.json") && error.contains("review accept"),
        "{error}"
    );
    accept(&lab.root, &paths[1..]).unwrap();
    crate::verify::verify(&lab.root).unwrap();
    assert_eq!(files(&lab), 4);
}

#[test]
fn a_new_review_takes_the_old_summary_away() {
    let (lab, responses) = desk();
    let paths = save(&lab, &responses);
    accept(&lab.root, &paths[..3]).unwrap();
    let summary = crate::summary::summarize(&lab.root).unwrap();
    crate::summary::write(&lab.root, &summary).unwrap();
    accept(&lab.root, &paths[..3]).unwrap();
    assert!(lab.path("summary.json").exists());
    accept(&lab.root, &paths).unwrap();
    assert!(!lab.path("summary.json").exists());
    assert_eq!(crate::summary::summarize(&lab.root).unwrap().exit_code(), 0);
}

#[test]
fn one_writer_at_a_time() {
    let (lab, responses) = desk();
    let paths = save(&lab, &responses);
    let held = crate::experiment::ExperimentLock::take(&lab.layout()).unwrap();
    let error = accept(&lab.root, &paths).unwrap_err().to_string();
    assert!(error.contains("run.lock` is held by another"), "{error}");
    let error = crate::verify::verify(&lab.root).unwrap_err().to_string();
    assert!(error.contains("run.lock` is held by another"), "{error}");
    drop(held);
    accept(&lab.root, &paths).unwrap();
}

#[test]
fn reviews_come_after_the_end_alone() {
    let lab = Lab::run(&Script {
        unfinished: true,
        ..Script::default()
    });
    let error = accept(&lab.root, &[lab.beside("r.json")])
        .unwrap_err()
        .to_string();
    assert!(error.contains("`deckproof execute"), "{error}");
}

#[test]
fn status_tells_no_label() {
    let (lab, responses) = desk();
    accept(&lab.root, &save(&lab, &responses)).unwrap();
    let told = format!("{:?}", status(&lab.root).unwrap());
    assert!(
        !told.contains("case-") && !told.to_lowercase().contains("candidate"),
        "{told}"
    );
}
