// SPDX-License-Identifier: MIT OR Apache-2.0
//! The panel: how many reviewers judge every comparison, in which order and under which labels.
//!
//! A seat is one reviewer's place for the whole experiment. Every seat gets a packet of its own for
//! every comparison, so that no two reviewers share labels or order, and some packets that look the
//! same but do not count: repeats and anchors. The draw is made once and checked by whoever audits.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::mapping::{Label, Purpose, balanced_labels};
use rand::Rng;
use rand::seq::SliceRandom;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rules::ReviewerType;

/// Most seats of one type.
const MAX_SEATS: u32 = 100;
/// How often an order is shuffled again to keep packets of one comparison apart.
const SHUFFLES: usize = 50;

/// Several reviewers for each comparison, each with packets of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// How many reviewers of each type.
    pub seats: Seats,
    /// Types whose reviewers judge every comparison in both orders. Both reviews count.
    #[serde(default)]
    pub both_orders: Vec<ReviewerType>,
    /// Comparisons that a reviewer gets a second time unawares, for each hundred; rounded up.
    #[serde(default)]
    pub repeat_percent: u32,
    /// Packets that show one deck twice, for each hundred comparisons; rounded up.
    #[serde(default)]
    pub identical_percent: u32,
    /// Packets that show a spoilt deck, for each hundred comparisons; rounded up.
    #[serde(default)]
    pub broken_percent: u32,
}

/// How many reviewers of each type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Seats {
    /// Persons.
    pub human: u32,
    /// Language models.
    pub model: u32,
    /// Programs that look at nothing.
    pub scripted: u32,
}

impl Seats {
    /// The seats of `kind`.
    #[must_use]
    pub fn of(&self, kind: ReviewerType) -> u32 {
        match kind {
            ReviewerType::Human => self.human,
            ReviewerType::Model => self.model,
            ReviewerType::Scripted => self.scripted,
        }
    }

    /// Every seat, in order.
    #[must_use]
    pub fn all(&self) -> Vec<SeatId> {
        let kinds = [
            ReviewerType::Human,
            ReviewerType::Model,
            ReviewerType::Scripted,
        ];
        let of = |kind| (1..=self.of(kind)).map(move |number| SeatId { kind, number });
        kinds.into_iter().flat_map(of).collect()
    }
}

/// One reviewer's place in the experiment, such as `human-2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatId {
    /// Who may sit there.
    #[serde(rename = "type")]
    pub kind: ReviewerType,
    /// Which of them, from 1.
    pub number: u32,
}

impl std::fmt::Display for SeatId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.kind, self.number)
    }
}

/// One packet as drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Which comparison, from 0.
    pub comparison: usize,
    /// Whose packet.
    pub seat: SeatId,
    /// Its place in the order of the seat's packets, from 1.
    pub position: u32,
    /// What it is for.
    pub purpose: Purpose,
    /// The candidate's label.
    pub candidate: Label,
}

impl Panel {
    /// What is wrong with the panel, as key, found and expected. `allowed` and `required` are the
    /// suite's types of reviewers.
    pub(super) fn fault(
        &self,
        allowed: impl Fn(ReviewerType) -> bool,
        required: &[ReviewerType],
    ) -> Option<(&'static str, String, &'static str)> {
        let kinds: BTreeSet<_> = self.seats.all().iter().map(|seat| seat.kind).collect();
        for kind in &kinds {
            if !allowed(*kind) {
                let expected = "types that the suite requires or welcomes";
                return Some(("panel.seats", format!("seats of type {kind}"), expected));
            }
            if self.seats.of(*kind) > MAX_SEATS {
                let found = format!("{} seats of type {kind}", self.seats.of(*kind));
                return Some(("panel.seats", found, "at most 100"));
            }
        }
        if let Some(kind) = required.iter().find(|kind| !kinds.contains(kind)) {
            let found = format!("no seat of type {kind}");
            return Some(("panel.seats", found, "a seat of each required type"));
        }
        if let Some(kind) = self.both_orders.iter().find(|kind| !kinds.contains(kind)) {
            let found = format!("the type {kind}, which has no seat");
            return Some(("panel.both_orders", found, "types with seats"));
        }
        for (key, percent) in [
            ("panel.repeat_percent", self.repeat_percent),
            ("panel.identical_percent", self.identical_percent),
            ("panel.broken_percent", self.broken_percent),
        ] {
            if percent > 100 {
                return Some((key, percent.to_string(), "0 to 100"));
            }
        }
        None
    }

    /// How many packets of each purpose a seat gets.
    fn counts(&self, seat: SeatId, comparisons: usize) -> [(Purpose, usize); 5] {
        let share = |percent: u32| (comparisons * percent as usize).div_ceil(100);
        let turned = self.both_orders.contains(&seat.kind);
        [
            (Purpose::Comparison, comparisons),
            (Purpose::OtherOrder, if turned { comparisons } else { 0 }),
            (Purpose::Repeat, share(self.repeat_percent)),
            (Purpose::Identical, share(self.identical_percent)),
            (Purpose::Broken, share(self.broken_percent)),
        ]
    }

    /// Draws every packet of an experiment with so many comparisons.
    ///
    /// Each seat has the candidate at A as often as at B. Seats come in couples whose labels are
    /// opposite, so that each comparison is balanced over its reviewers too.
    pub fn draw(&self, comparisons: usize, rng: &mut impl Rng) -> Vec<Place> {
        let mut places = Vec::new();
        let mut labels = Vec::new();
        for (index, seat) in self.seats.all().into_iter().enumerate() {
            labels = match index % 2 {
                0 => balanced_labels(comparisons, rng),
                _ => labels.into_iter().map(Label::other).collect(),
            };
            let mut packets = self.packets(seat, &labels, rng);
            shuffle(&mut packets, rng);
            for (position, (purpose, comparison, candidate)) in (1..).zip(packets) {
                places.push(Place {
                    comparison,
                    seat,
                    position,
                    purpose,
                    candidate,
                });
            }
        }
        places
    }

    fn packets(
        &self,
        seat: SeatId,
        labels: &[Label],
        rng: &mut impl Rng,
    ) -> Vec<(Purpose, usize, Label)> {
        let mut packets = Vec::new();
        for (purpose, count) in self.counts(seat, labels.len()) {
            let own: Vec<(usize, Label)> = match purpose {
                Purpose::Comparison => labels.iter().copied().enumerate().collect(),
                Purpose::OtherOrder if count > 0 => labels
                    .iter()
                    .map(|label| label.other())
                    .enumerate()
                    .collect(),
                Purpose::OtherOrder => Vec::new(),
                _ => {
                    let mut some: Vec<usize> = (0..labels.len()).collect();
                    some.shuffle(rng);
                    let labels = balanced_labels(count, rng);
                    some.into_iter().zip(labels).collect()
                }
            };
            packets.extend(own.into_iter().map(|(at, label)| (purpose, at, label)));
        }
        packets
    }
}

/// A random order in which no comparison follows itself, where a few tries find one.
fn shuffle(packets: &mut [(Purpose, usize, Label)], rng: &mut impl Rng) {
    for _ in 0..SHUFFLES {
        packets.shuffle(rng);
        let again = |pair: &[(Purpose, usize, Label)]| match pair {
            [one, other] => one.1 == other.1,
            _ => false,
        };
        if !packets.windows(2).any(again) {
            return;
        }
    }
}

/// Whether these are the packets that the panel asks for: each seat with every comparison once, the
/// other order under the other labels, repeats and anchors at their rate, positions without a gap.
///
/// # Errors
/// What was found, and what was expected.
pub fn check_places(
    panel: &Panel,
    comparisons: usize,
    places: &[Place],
) -> Result<(), (String, String)> {
    let seats: BTreeSet<_> = panel.seats.all().into_iter().collect();
    if let Some(odd) = places.iter().find(|place| !seats.contains(&place.seat)) {
        let found = format!("a packet of the seat {}", odd.seat);
        return Err((found, "seats of the suite's panel".to_owned()));
    }
    for seat in seats {
        let own: Vec<&Place> = places.iter().filter(|place| place.seat == seat).collect();
        check_seat(panel, comparisons, seat, &own)?;
    }
    Ok(())
}

fn check_seat(
    panel: &Panel,
    comparisons: usize,
    seat: SeatId,
    own: &[&Place],
) -> Result<(), (String, String)> {
    for (purpose, expected) in panel.counts(seat, comparisons) {
        let of: Vec<usize> = own
            .iter()
            .filter(|place| place.purpose == purpose)
            .map(|place| place.comparison)
            .collect();
        let different: BTreeSet<_> = of.iter().collect();
        if of.len() != expected || different.len() != expected {
            let word = purpose.as_str();
            let found = format!(
                "{} packets for {seat} of purpose {word}, of {} comparisons",
                of.len(),
                different.len()
            );
            return Err((found, format!("{expected}, each of its own comparison")));
        }
    }
    let positions: BTreeSet<u32> = own.iter().map(|place| place.position).collect();
    let without_gap = positions
        .iter()
        .zip(1..)
        .all(|(found, next)| *found == next);
    if positions.len() != own.len() || !without_gap {
        let found = format!("packets of {seat} at other positions");
        return Err((found, "each position once, from 1".to_owned()));
    }
    check_orders(seat, own)
}

/// The other order has the other labels.
fn check_orders(seat: SeatId, own: &[&Place]) -> Result<(), (String, String)> {
    let labels = |purpose| -> BTreeMap<usize, Label> {
        let of = own.iter().filter(|place| place.purpose == purpose);
        of.map(|place| (place.comparison, place.candidate))
            .collect()
    };
    let (first, turned) = (labels(Purpose::Comparison), labels(Purpose::OtherOrder));
    let same = turned
        .iter()
        .any(|(comparison, label)| first.get(comparison) == Some(label));
    if same {
        let found = format!("one order twice for {seat}");
        return Err((found, "both orders".to_owned()));
    }
    Ok(())
}

/// Whether each seat has the candidate of its first-time comparisons at A as often as at B. Holds of
/// the first draw; a replacement's label is drawn by itself.
///
/// # Errors
/// What was found, and what was expected.
pub fn check_balance(places: &[Place]) -> Result<(), (String, String)> {
    let mut counts: BTreeMap<SeatId, [usize; 2]> = BTreeMap::new();
    for place in places.iter().filter(|place| place.purpose.is_comparison()) {
        let [a, b] = counts.entry(place.seat).or_default();
        *(if place.candidate == Label::A { a } else { b }) += 1;
    }
    match counts.iter().find(|(_, [a, b])| a.abs_diff(*b) > 1) {
        None => Ok(()),
        Some((seat, [a, b])) => Err((
            format!("{a} candidates at A and {b} at B for {seat}"),
            "as many of either".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> Panel {
        Panel {
            seats: Seats {
                human: 2,
                model: 1,
                scripted: 0,
            },
            both_orders: vec![ReviewerType::Model],
            repeat_percent: 25,
            identical_percent: 10,
            broken_percent: 10,
        }
    }

    fn drawn(comparisons: usize) -> Vec<Place> {
        panel().draw(comparisons, &mut rand::rng())
    }

    #[test]
    fn every_draw_is_what_the_panel_asks_for() {
        for comparisons in 0..12 {
            let places = drawn(comparisons);
            check_places(&panel(), comparisons, &places).unwrap();
            check_balance(&places).unwrap();
        }
        let places = drawn(8);
        assert_eq!(places.len(), 3 * (8 + 2 + 1 + 1) + 8);
    }

    #[test]
    fn couples_of_seats_have_opposite_labels() {
        let places = drawn(9);
        let label = |number, comparison| {
            let kind = ReviewerType::Human;
            let seat = SeatId { kind, number };
            let mut own = places.iter().filter(|place| place.seat == seat);
            own.find(|place| place.purpose.is_comparison() && place.comparison == comparison)
                .unwrap()
                .candidate
        };
        for comparison in 0..9 {
            assert_ne!(label(1, comparison), label(2, comparison));
        }
    }

    #[test]
    fn packets_of_one_comparison_are_kept_apart() {
        for _ in 0..20 {
            let places = drawn(8);
            let near = places
                .windows(2)
                .filter(|pair| {
                    pair[0].seat == pair[1].seat && pair[0].comparison == pair[1].comparison
                })
                .count();
            assert_eq!(near, 0);
        }
    }

    #[test]
    fn bent_draws_are_found() {
        type Bend = fn(&mut Vec<Place>);
        let bends: [(&str, Bend); 6] = [
            ("a packet less", |places| {
                places.retain(|place| place.position != 1);
            }),
            ("a packet twice", |places| places.push(places[0])),
            ("another purpose", |places| {
                let at = places.iter().position(|p| p.purpose == Purpose::Repeat);
                places[at.unwrap()].purpose = Purpose::Comparison;
            }),
            ("one order twice", |places| {
                let at = places.iter().position(|p| p.purpose == Purpose::OtherOrder);
                let place = &mut places[at.unwrap()];
                place.candidate = place.candidate.other();
            }),
            ("an unknown seat", |places| places[0].seat.number = 7),
            ("a position of another", |places| places[0].position = 2),
        ];
        for (what, bend) in bends {
            let mut places = drawn(8);
            bend(&mut places);
            assert!(check_places(&panel(), 8, &places).is_err(), "{what}");
        }
        let mut places = drawn(8);
        for place in places.iter_mut().filter(|place| place.seat.number == 1) {
            place.candidate = Label::A;
        }
        check_balance(&places).unwrap_err();
    }

    #[test]
    fn panels_that_make_no_sense_are_refused() {
        type Bend = fn(&mut Panel);
        let bends: [(&str, Bend); 5] = [
            ("panel.seats", |panel| panel.seats.scripted = 1),
            ("panel.seats", |panel| panel.seats.human = 0),
            ("panel.seats", |panel| panel.seats.human = 101),
            ("panel.both_orders", |panel| {
                panel.both_orders = vec![ReviewerType::Scripted];
            }),
            ("panel.broken_percent", |panel| panel.broken_percent = 101),
        ];
        let allowed = |kind| kind != ReviewerType::Scripted;
        assert_eq!(panel().fault(allowed, &[ReviewerType::Human]), None);
        for (key, bend) in bends {
            let mut panel = panel();
            bend(&mut panel);
            let fault = panel.fault(allowed, &[ReviewerType::Human]).unwrap();
            assert_eq!(fault.0, key);
        }
    }
}
