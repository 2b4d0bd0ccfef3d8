// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which required reviews are missing. Says who reviewed, never what, and never which label is new.

use std::collections::BTreeSet;
use std::path::Path;

use deckproof_packets::mapping::PacketId;
use deckproof_reviews::review::{AcceptedReview, ReviewerType};

use super::AcceptError;
use crate::experiment::Experiment;
use crate::experiment::plan::{Commitment, Seat};
use crate::verify::{self, History};

/// Where one packet stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketStatus {
    /// The packet.
    pub packet: PacketId,
    /// Whose it is, with its place in that reviewer's order, where the suite has a panel.
    pub seat: Option<Seat>,
    /// Why it was voided, when it was: nobody owes a review of it.
    pub voided: Option<String>,
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
    /// The review's own id, by which it can be withdrawn.
    pub id: String,
}

/// Where every packet of the experiment at `root` stands: in the order of ids, and with a panel seat
/// by seat in the order in which each is to be judged.
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
        bindings.push(verify::binding(&experiment, &packet, &mapping));
    }
    let (filed, _) = verify::read_reviews(&experiment, &history, &bindings)?;
    let required = &experiment.suite.review.required_reviewer_types;
    let mut packets: Vec<_> = experiment
        .plan
        .commitments
        .iter()
        .filter(|one| history.packets.contains_key(&one.packet))
        .map(|one| of_packet(one, &filed.standing, required))
        .collect();
    packets.sort_by_key(|one| one.seat);
    Ok(packets)
}

fn of_packet(
    commitment: &Commitment,
    reviews: &[AcceptedReview],
    required: &[ReviewerType],
) -> PacketStatus {
    let id = &commitment.packet;
    let seated = reviews.iter().filter(|one| one.response.packet == *id);
    let reviews: Vec<_> = seated
        .map(|one| SeatedReview {
            kind: one.response.reviewer.kind,
            reviewer: one.response.reviewer.id.clone(),
            id: one.id.clone(),
        })
        .collect();
    let there = |kind: &ReviewerType| reviews.iter().any(|one| one.kind == *kind);
    let of_seat = |kind: &ReviewerType| commitment.seat.is_none_or(|one| one.seat.kind == *kind);
    let missing = match commitment.voided {
        Some(_) => Vec::new(),
        None => required
            .iter()
            .copied()
            .filter(|kind| of_seat(kind) && !there(kind))
            .collect(),
    };
    PacketStatus {
        packet: id.clone(),
        seat: commitment.seat,
        voided: commitment.voided.clone(),
        reviews,
        missing,
    }
}
