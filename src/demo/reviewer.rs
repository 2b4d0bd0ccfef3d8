// SPDX-License-Identifier: MIT OR Apache-2.0
//! The demo's scripted reviewer: turns prepared judgements into ordinary responses.
//!
//! A real reviewer sees a packet and no mapping. This one is a script that knows the mapping and
//! looks at nothing; its type is `scripted` in every response, record and summary.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use deckproof_packets::mapping::{Label, Mapping};
use deckproof_packets::{atomic, json, packet};
use deckproof_reviews::review::{
    Judgement, LabelResponse, Labels, Response, ResponseSchema, Reviewer, ReviewerType,
};
use serde::Deserialize;

use crate::embedded;
use crate::experiment::{Layout, TrialId};

/// A prepared judgement, by deck and not by label.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DemoReview {
    schema: DemoReviewSchema,
    reviewer: String,
    case: String,
    arm: String,
    dimensions: BTreeMap<String, Pair>,
    overall_rationale: String,
}

#[derive(Debug, Deserialize)]
enum DemoReviewSchema {
    #[serde(rename = "deckproof.demo_review.v1")]
    V1,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    candidate: Judgement,
    baseline: Judgement,
}

/// Writes one response for each packet of the experiment into the new folder `to`.
pub(super) fn respond(layout: &Layout, to: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    fs_err::create_dir_all(to)?;
    let mut files = Vec::new();
    for (id, folder) in packet::list(&layout.packets())? {
        let mapping_file = layout.mapping(&id);
        let name = mapping_file.display().to_string();
        let mapping: Mapping = json::read(&name, &fs_err::read(&mapping_file)?)?;
        let verified = packet::verify(&folder)?;
        let review = prepared(&mapping.trial.parse()?)?;
        let response = Response {
            schema: ResponseSchema::V1,
            packet: id.clone(),
            packet_sha256: verified.packet_sha256,
            reviewer: Reviewer {
                kind: ReviewerType::Scripted,
                id: "deckproof-demo-script".to_owned(),
                model: None,
                thread: format!("demo-script-{id}"),
            },
            labels: Labels {
                a: side(&review, mapping.candidate == Label::A),
                b: side(&review, mapping.candidate == Label::B),
            },
            overall_rationale: review.overall_rationale,
            guess: None,
        };
        let path = to.join(format!("{id}.json"));
        atomic::write_new(&path, &json::pretty(&response)?, 0o644)?;
        files.push(path);
    }
    Ok(files)
}

fn prepared(trial: &TrialId) -> Result<DemoReview, Box<dyn Error>> {
    let path = format!("reviews/{}.{}.json", trial.case, trial.arm);
    let bytes = embedded::file(&path).ok_or_else(|| format!("the demo has no `{path}`"))?;
    let review: DemoReview = json::read(&path, bytes)?;
    let DemoReviewSchema::V1 = review.schema;
    let fits = review.reviewer == "scripted"
        && review.case == trial.case.as_str()
        && review.arm == trial.arm.as_str();
    if fits {
        Ok(review)
    } else {
        Err(format!("`{path}` is of another trial").into())
    }
}

fn side(review: &DemoReview, candidate: bool) -> LabelResponse {
    let judgement = |pair: &Pair| {
        if candidate {
            pair.candidate.clone()
        } else {
            pair.baseline.clone()
        }
    };
    LabelResponse {
        dimensions: review
            .dimensions
            .iter()
            .map(|(name, pair)| (name.clone(), judgement(pair)))
            .collect(),
    }
}
