// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reviews, withdrawals, voided packets and runs of models, forged by somebody who makes the chain hold.

use super::forged::{forge, forge_plan};
use super::*;
use crate::experiment::records::{
    Audit, Object, PacketVoided, ReplyOutcome, ReviewWithdrawn, ReviewerRan, Usage,
};
use crate::suite::Isolation;

fn withdrawal(file: &str) -> Event {
    Event::ReviewWithdrawn(ReviewWithdrawn {
        file: file.parse().unwrap(),
        reason: "it did not suit me".to_owned(),
    })
}

fn ran(lab: &Lab, run: u32, outcome: ReplyOutcome) -> Event {
    let object = Object {
        sha256: lab.layout().store().put(b"log").unwrap(),
        bytes: 3,
    };
    Event::ReviewerRan(Box::new(ReviewerRan {
        packet: lab.mappings()[0].packet.clone(),
        run,
        outcome,
        host: "command".to_owned(),
        argv: Vec::new(),
        program_sha256: None,
        program_version: None,
        environment: Vec::new(),
        exit_code: Some(0),
        signal: None,
        started_at: "2026-01-02T03:04:05Z".to_owned(),
        duration_ms: 1,
        isolation: Isolation::Prevented,
        thread: "run-1".to_owned(),
        requested_model: "m-judge".to_owned(),
        observed_model: None,
        usage: Usage {
            input_tokens: None,
            cached_input_tokens: None,
            output_tokens: None,
            total_tokens: None,
            tool_calls: None,
            basis: "unknown".to_owned(),
        },
        events: object.clone(),
        stderr: object,
        audit: Audit {
            passed: true,
            findings: Vec::new(),
        },
    }))
}

fn malformed() -> ReplyOutcome {
    ReplyOutcome::Malformed("no JSON".to_owned())
}

#[test]
fn forged_records_of_reviewing_do_not_make_sense() {
    let good = good();
    let added = |what: &str, expected: &str, events: &dyn Fn(&Lab) -> Vec<Event>| {
        refused(&good, what, |lab| {
            let more = events(lab);
            forge(lab, |_, all| all.extend(more));
            expected.to_owned()
        });
    };
    added(
        "a withdrawal of nothing",
        "a review that was accepted before",
        &|_| vec![withdrawal("0000.json")],
    );
    added(
        "a review withdrawn twice",
        "each review withdrawn once",
        &|lab| {
            let file = name(&first_review(lab));
            vec![withdrawal(&file), withdrawal(&file)]
        },
    );
    added(
        "a void that the plan does not list",
        "that the plan lists",
        &|lab| {
            let mappings = lab.mappings();
            let void = Event::PacketVoided(PacketVoided {
                packet: mappings[0].packet.clone(),
                reason: "a slide named its maker".to_owned(),
                replacement: mappings[1].packet.clone(),
                plan_sha256: Sha256Hex::of(&fs_err::read(lab.path("plan.json")).unwrap()),
            });
            // As the last record it would look like a stop while the plan was rewritten.
            vec![void, withdrawal(&name(&first_review(lab)))]
        },
    );
    added("a first run called the second", "run 1", &|lab| {
        vec![ran(lab, 2, malformed())]
    });
    added(
        "asked until it suits",
        "nor after two that were no review",
        &|lab| (1..=3).map(|run| ran(lab, run, malformed())).collect(),
    );
    added("asked again after a reply", "none after a reply", &|lab| {
        let bytes = b"a response";
        let response = Object {
            sha256: lab.layout().store().put(bytes).unwrap(),
            bytes: bytes.len() as u64,
        };
        vec![
            ran(lab, 1, ReplyOutcome::Replied(response)),
            ran(lab, 2, malformed()),
        ]
    });
    refused(&good, "a run before the end", |lab| {
        let run = ran(lab, 1, malformed());
        forge(lab, |_, all| {
            let end = all
                .iter()
                .position(|event| matches!(event, Event::ExecuteFinished(_)));
            all.insert(end.unwrap(), run);
        });
        "after the end of `execute`".to_owned()
    });
}

/// Whoever edits a review and every hash of it still has to make the reviewer's own bytes.
#[test]
fn a_review_edited_with_its_record() {
    let good = good();
    refused(&good, "an edited score", |lab| {
        let path = first_review(lab);
        let file = name(&path);
        replace(&path, "\"score\": 3", "\"score\": 2");
        let hash = Sha256Hex::of(&fs_err::read(&path).unwrap());
        forge(lab, |_, events| {
            for event in events {
                if let Event::ReviewAccepted(review) = event
                    && review.file.as_str() == file
                {
                    review.sha256 = hash.clone();
                }
            }
        });
        format!("{file}`: found another response")
    });
}

#[test]
fn a_plan_with_a_draw_or_a_void_that_no_record_names() {
    let good = good();
    refused(&good, "a void without a record", |lab| {
        forge_plan(lab, |plan| {
            plan.commitments[0].voided = Some("a slide named its maker".to_owned());
        });
        "plan.json".to_owned()
    });
    refused(&good, "a packet of a panel", |lab| {
        forge_plan(lab, |plan| {
            plan.commitments[0].seat = Some(crate::experiment::plan::Seat {
                seat: deckproof_reviews::review::SeatId {
                    kind: deckproof_reviews::review::ReviewerType::Human,
                    number: 1,
                },
                position: 1,
            });
        });
        "a packet of a panel".to_owned()
    });
}
