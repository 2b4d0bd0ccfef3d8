// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which required reviews are missing. Says who reviewed, never what, and never which label is new.

use std::collections::BTreeSet;
use std::path::Path;

use deckproof_packets::mapping::PacketId;
use deckproof_reviews::review::{AcceptedReview, ReviewerType};

use super::AcceptError;
use crate::experiment::Experiment;
use crate::verify::{self, History};

/// Where one packet stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketStatus {
    /// The packet.
    pub packet: PacketId,
    /// The reviews on file, oldest first.
    pub reviews: Vec<SeatedReview>,
    /// Required kinds of reviewer without a review.
    pub missing: Vec<ReviewerType>,
}

/// Who reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatedReview {
    /// Human, model or scripted.
    pub kind: ReviewerType,
    /// The reviewer's id.
    pub reviewer: String,
}

/// Where every packet of the experiment at `root` stands, in the order of ids.
///
/// # Errors
/// [`AcceptError`] when `execute` has not finished or a packet or review does not hold.
pub fn status(root: &Path) -> Result<Vec<PacketStatus>, AcceptError> {
    let experiment = Experiment::open(root)?;
    let history = History::read(&experiment)?;
    history.expect_finished(&experiment)?;
    let mut bindings = Vec::new();
    for commitment in &experiment.plan.commitments {
        let (_, mapping) = verify::read_mapping(&experiment, &history, commitment)?;
        let packet = verify::check_packet(&experiment, &history, &mapping, &BTreeSet::new())?;
        bindings.push(verify::binding(&packet, &mapping));
    }
    let (reviews, _) = verify::read_reviews(&experiment, &history, &bindings)?;
    let required = &experiment.suite.review.required_reviewer_types;
    let packets = history.packets.keys();
    Ok(packets
        .map(|id| of_packet(id, &reviews, required))
        .collect())
}

fn of_packet(id: &PacketId, reviews: &[AcceptedReview], required: &[ReviewerType]) -> PacketStatus {
    let seated = reviews.iter().filter(|one| one.response.packet == *id);
    let reviews: Vec<_> = seated
        .map(|one| SeatedReview {
            kind: one.response.reviewer.kind,
            reviewer: one.response.reviewer.id.clone(),
        })
        .collect();
    let there = |kind: &ReviewerType| reviews.iter().any(|one| one.kind == *kind);
    let missing = required
        .iter()
        .copied()
        .filter(|kind| !there(kind))
        .collect();
    PacketStatus {
        packet: id.clone(),
        reviews,
        missing,
    }
}
