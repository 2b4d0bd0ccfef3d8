// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether the blind held: guesses, seats, orders, repeats and anchors, and what was set aside.
//!
//! Repeats and anchors are judged here and nowhere else: no gate sees them. What a suite demands of
//! these figures becomes a control, compared exactly; a figure that is not known keeps no limit.

use std::collections::BTreeMap;

use deckproof_packets::mapping::{Label, PacketId, Purpose};
use deckproof_reviews::review::{
    AcceptedReview, SeatId, Standing, Unblinded, non_regression, unblind,
};
use deckproof_reviews::statistics::{
    Guesses, Level, bang_index, flip_rate, james_index, krippendorff_alpha, seat_effect, shown,
};
use serde::Serialize;

use super::document::FigureText;
use crate::experiment::TrialId;
use crate::verify::{Comparison, Verified, VerifyError};

/// Whether the blind held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Blinding {
    /// Guesses where the candidate was A.
    pub guesses_at_a: GuessFigures,
    /// Guesses where the candidate was B.
    pub guesses_at_b: GuessFigures,
    /// James's index over both: 1 when nobody knows, 0.5 at chance, 0 when all guess right.
    pub james: FigureText,
    /// Whether the first label is preferred.
    pub seat_effect: SeatFigures,
    /// Preferences that turned with the order.
    pub flips: FlipFigures,
    /// Hidden repeats against the first time.
    pub repeats: RepeatFigures,
    /// Pairs that only an attentive reviewer judges right.
    pub anchors: Anchors,
    /// Krippendorff's alpha, ordinal, of the differences between candidate and baseline over the
    /// reviewers of a comparison.
    pub alpha: FigureText,
    /// Packets that were voided, oldest first.
    pub voided: Vec<VoidedPacket>,
    /// Reviews that were accepted and do not count, oldest first.
    pub withdrawn: Vec<WithdrawnReview>,
    /// Packets of required seats without a review, repeats and anchors among them.
    pub owed: Vec<String>,
}

/// Guesses with the candidate at one label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GuessFigures {
    /// Right guesses.
    pub right: usize,
    /// Wrong guesses.
    pub wrong: usize,
    /// No guess.
    pub none: usize,
    /// Bang's index: 1 when all guess right, 0 at chance, -1 when all guess wrong.
    pub bang: FigureText,
}

/// Preference for a label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeatFigures {
    /// Reviews that prefer A, by the sum of scores.
    pub prefer_a: usize,
    /// Reviews that prefer B.
    pub prefer_b: usize,
    /// Exact two-sided p of "both labels are alike".
    pub p: FigureText,
}

/// Preferences in both orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FlipFigures {
    /// Pairs judged in both orders by one seat.
    pub pairs: usize,
    /// Those whose two preferences name different decks, or a deck and a tie.
    pub flips: usize,
    /// Their share.
    pub rate: FigureText,
}

/// Repeats against the first time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RepeatFigures {
    /// Pairs judged twice by one seat.
    pub pairs: usize,
    /// Dimensions of them.
    pub dimensions: usize,
    /// Dimensions in which the same deck is better, or neither.
    pub agreeing: usize,
    /// Their share.
    pub rate: FigureText,
}

/// Anchors and who saw them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Anchors {
    /// Reviews of identical pairs.
    pub identical: usize,
    /// Those with equal scores and decisions for both labels.
    pub identical_seen: usize,
    /// Reviews of pairs with a spoilt deck.
    pub broken: usize,
    /// Those in which the spoilt deck scores lower in all.
    pub broken_seen: usize,
}

/// A voided packet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoidedPacket {
    /// The packet.
    pub packet: PacketId,
    /// Why.
    pub reason: String,
    /// The packet in its place.
    pub replacement: PacketId,
}

/// A review that does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WithdrawnReview {
    /// The review.
    pub review: String,
    /// Its packet.
    pub packet: PacketId,
    /// Whether it went with its packet.
    pub packet_voided: bool,
    /// Why.
    pub reason: String,
    /// Whether it spoke against the candidate: then it may not go unheard.
    pub against_candidate: bool,
}

/// One unblinded review with what it is a review of.
struct Judged<'a> {
    comparison: &'a Comparison,
    seat: Option<SeatId>,
    review: &'a AcceptedReview,
    unblinded: Unblinded,
}

impl Judged<'_> {
    fn purpose(&self) -> Purpose {
        self.comparison.mapping.purpose
    }

    /// The sum over dimensions of the candidate's lead.
    fn lead(&self) -> i64 {
        let dimensions = self.unblinded.dimensions.iter();
        dimensions
            .map(|one| i64::from(one.candidate.score) - i64::from(one.baseline.score))
            .sum()
    }
}

/// The figures of a verified experiment.
pub(super) fn of(verified: &Verified) -> Result<Blinding, VerifyError> {
    let mut judged = Vec::new();
    for review in &verified.reviews {
        judged.extend(unblinded(verified, review)?);
    }
    let counted: Vec<&Judged<'_>> = judged.iter().filter(|one| one.purpose().counts()).collect();
    let (at_a, at_b) = (guesses(&counted, Label::A), guesses(&counted, Label::B));
    Ok(Blinding {
        james: figure(
            james_index([at_a, at_b]).map(|one| one.index),
            "nobody was asked",
        ),
        guesses_at_a: guess_figures(at_a),
        guesses_at_b: guess_figures(at_b),
        seat_effect: seats(&counted),
        flips: flips(&judged),
        repeats: repeats(&judged),
        anchors: anchors(&judged),
        alpha: alpha(&judged),
        voided: voided(verified),
        withdrawn: withdrawn(verified)?,
        owed: owed(verified),
    })
}

fn unblinded<'a>(
    verified: &'a Verified,
    review: &'a AcceptedReview,
) -> Result<Option<Judged<'a>>, VerifyError> {
    let packet = &review.response.packet;
    let mut comparisons = verified.comparisons.iter();
    let Some(comparison) = comparisons.find(|one| one.mapping.packet == *packet) else {
        return Ok(None);
    };
    let unblinded = unblind(review, &comparison.mapping).map_err(|error| {
        let folder = verified.experiment.layout.reviews();
        VerifyError::evidence(&folder, error.to_string(), "reviews of their packets")
    })?;
    Ok(Some(Judged {
        comparison,
        seat: comparison.binding.seat,
        review,
        unblinded,
    }))
}

fn figure(value: Option<f64>, unknown: &str) -> FigureText {
    FigureText {
        display: value.map(shown),
        exact: None,
        unknown: value.is_none().then(|| unknown.to_owned()),
    }
}

fn share(part: usize, all: usize, unknown: &str) -> FigureText {
    let value = (all > 0).then(|| rate(part, all));
    FigureText {
        exact: (all > 0).then(|| format!("{part}/{all}")),
        ..figure(value, unknown)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of reviews are far below 2^53"
)]
fn rate(part: usize, all: usize) -> f64 {
    part as f64 / all as f64
}

fn guesses(counted: &[&Judged<'_>], candidate: Label) -> Guesses {
    let of = |guessed: Option<bool>| {
        let own = counted
            .iter()
            .filter(|one| one.unblinded.candidate_label == candidate);
        own.filter(|one| one.unblinded.guessed_right == guessed)
            .count()
    };
    Guesses {
        right: of(Some(true)),
        wrong: of(Some(false)),
        unknown: of(None),
    }
}

fn guess_figures(guesses: Guesses) -> GuessFigures {
    GuessFigures {
        right: guesses.right,
        wrong: guesses.wrong,
        none: guesses.unknown,
        bang: figure(bang_index(guesses).map(|one| one.index), "nobody was asked"),
    }
}

fn seats(counted: &[&Judged<'_>]) -> SeatFigures {
    let leads = |label: Label| {
        let of_label = |one: &&&Judged<'_>| match one.unblinded.candidate_label == label {
            true => one.lead() > 0,
            false => one.lead() < 0,
        };
        counted.iter().filter(of_label).count()
    };
    let (first, second) = (leads(Label::A), leads(Label::B));
    SeatFigures {
        prefer_a: first,
        prefer_b: second,
        p: figure(
            (first + second > 0).then(|| seat_effect(first, second).p),
            "no review prefers a deck",
        ),
    }
}

type Pair<'a, 'b> = (&'b Judged<'a>, &'b Judged<'a>);

/// The first time and the second of every pair that one seat judged twice for this purpose.
fn twice<'a, 'b>(judged: &'b [Judged<'a>], purpose: Purpose) -> Vec<Pair<'a, 'b>> {
    let key = |one: &Judged<'_>| (one.seat, one.comparison.trial.clone());
    let first: BTreeMap<_, _> = judged
        .iter()
        .filter(|one| one.purpose() == Purpose::Comparison)
        .map(|one| (key(one), one))
        .collect();
    let again = judged.iter().filter(|one| one.purpose() == purpose);
    again
        .filter_map(|one| Some((*first.get(&key(one))?, one)))
        .collect()
}

fn flips(judged: &[Judged<'_>]) -> FlipFigures {
    let pairs: Vec<_> = twice(judged, Purpose::OtherOrder)
        .into_iter()
        .map(|(one, other)| (one.lead(), other.lead()))
        .collect();
    let found = flip_rate(&pairs);
    FlipFigures {
        pairs: found.pairs,
        flips: found.flips,
        rate: share(
            found.flips,
            found.pairs,
            "no pair was judged in both orders",
        ),
    }
}

fn repeats(judged: &[Judged<'_>]) -> RepeatFigures {
    let pairs = twice(judged, Purpose::Repeat);
    let standings = |one: &Judged<'_>| -> BTreeMap<String, Standing> {
        let dimensions = one.unblinded.dimensions.iter();
        dimensions
            .map(|one| (one.name.clone(), one.standing))
            .collect()
    };
    let (mut dimensions, mut agreeing) = (0, 0);
    for (one, other) in &pairs {
        let (first, second) = (standings(one), standings(other));
        dimensions += first.len();
        agreeing += first
            .iter()
            .filter(|(name, had)| second.get(*name) == Some(had))
            .count();
    }
    RepeatFigures {
        pairs: pairs.len(),
        dimensions,
        agreeing,
        rate: share(agreeing, dimensions, "no pair was repeated"),
    }
}

fn anchors(judged: &[Judged<'_>]) -> Anchors {
    let of = |purpose| judged.iter().filter(move |one| one.purpose() == purpose);
    let equal = |one: &&Judged<'_>| {
        let mut dimensions = one.unblinded.dimensions.iter();
        dimensions
            .all(|one| one.standing == Standing::Tie && one.candidate.pass == one.baseline.pass)
    };
    Anchors {
        identical: of(Purpose::Identical).count(),
        identical_seen: of(Purpose::Identical).filter(equal).count(),
        broken: of(Purpose::Broken).count(),
        broken_seen: of(Purpose::Broken).filter(|one| one.lead() < 0).count(),
    }
}

fn alpha(judged: &[Judged<'_>]) -> FigureText {
    let unknown = "no comparison has two reviews, or all of them say the same";
    figure(alpha_value(judged), unknown)
}

fn alpha_value(judged: &[Judged<'_>]) -> Option<f64> {
    let mut units: BTreeMap<(&TrialId, &str), Vec<i64>> = BTreeMap::new();
    for one in judged
        .iter()
        .filter(|one| one.purpose() == Purpose::Comparison)
    {
        for dimension in &one.unblinded.dimensions {
            let lead = i64::from(dimension.candidate.score) - i64::from(dimension.baseline.score);
            let unit = (&one.comparison.trial, dimension.name.as_str());
            units.entry(unit).or_default().push(lead);
        }
    }
    let units: Vec<_> = units.into_values().collect();
    krippendorff_alpha(&units, Level::Ordinal)
}

fn voided(verified: &Verified) -> Vec<VoidedPacket> {
    let voided = verified.history.voided.iter().map(|one| &one.event);
    let voided = voided.map(|event| VoidedPacket {
        packet: event.packet.clone(),
        reason: event.reason.clone(),
        replacement: event.replacement.clone(),
    });
    voided.collect()
}

fn withdrawn(verified: &Verified) -> Result<Vec<WithdrawnReview>, VerifyError> {
    let rules = &verified.experiment.suite.review;
    let mut list = Vec::new();
    for one in &verified.set_aside {
        let Some(judged) = unblinded(verified, &one.review)? else {
            continue;
        };
        let compares = matches!(
            judged.purpose(),
            Purpose::Comparison | Purpose::OtherOrder | Purpose::Repeat
        );
        list.push(WithdrawnReview {
            review: judged.review.id.clone(),
            packet: judged.review.response.packet.clone(),
            packet_voided: one.voided,
            reason: one.reason.clone(),
            against_candidate: compares && !non_regression(&judged.unblinded, rules).passed,
        });
    }
    Ok(list)
}

/// Packets of a panel's required seats without a review that counts.
fn owed(verified: &Verified) -> Vec<String> {
    let required = &verified.experiment.suite.review.required_reviewer_types;
    let mut owed = Vec::new();
    for one in verified.comparisons.iter().filter(|one| !one.voided) {
        let packet = &one.mapping.packet;
        let Some(seat) = one
            .binding
            .seat
            .filter(|seat| required.contains(&seat.kind))
        else {
            continue;
        };
        let mut reviews = verified.reviews.iter();
        if !reviews.any(|review| review.response.packet == *packet) {
            owed.push(format!("{packet} ({seat})"));
        }
    }
    owed
}
