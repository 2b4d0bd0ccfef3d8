// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review accept`: a response is taken whole, or refused with the place and the reason.

use std::collections::{BTreeMap, BTreeSet};

use deckproof_packets::hash::{FieldHasher, Sha256Hex};
use deckproof_packets::json::{self, Arena, JsonError, Limits, Value, ValueKind};
use deckproof_packets::mapping::Label;

use super::panel::SeatId;
use super::record::{AcceptedReview, PacketBinding};
use super::response::{LabelResponse, Response, Reviewer};
use super::rules::{ReviewRules, ReviewerType};
use super::shape;
use super::text::{TextFault, folded, identity_fault, rationale_fault};

/// Parts of keys that would say which label is which, or ask for it.
const UNBLINDING: [&str; 11] = [
    "candidate",
    "baseline",
    "mapping",
    "unblind",
    "nonce",
    "commitment",
    "regression",
    "arm",
    "trial",
    "case",
    "winner",
];

/// Sessions and names that a new review must not come from.
#[derive(Debug, Clone, Default)]
pub struct KnownThreads {
    builders: BTreeSet<String>,
    builder_models: BTreeSet<String>,
    reviewers: BTreeMap<String, String>,
    judged: BTreeSet<(String, ReviewerType, String)>,
    rationales: BTreeMap<Sha256Hex, String>,
    /// Standing reviews of packets that belong to a seat, by packet: review, seat, reviewer.
    seated: BTreeMap<String, (String, SeatId, String)>,
}

impl KnownThreads {
    /// Adds the session in which a deck was built.
    pub fn add_builder(&mut self, thread: &str, model: Option<&str>) {
        self.builders.insert(thread.to_lowercase());
        self.builder_models.extend(model.map(str::to_lowercase));
    }

    /// Adds a review that is already on file; `seat` is its packet's.
    pub fn add_review(&mut self, review: &AcceptedReview, seat: Option<SeatId>) {
        let reviewer = &review.response.reviewer;
        if let Some(seat) = seat {
            let packet = review.response.packet.as_str().to_owned();
            let one = (review.id.clone(), seat, reviewer.id.to_lowercase());
            self.seated.insert(packet, one);
        }
        self.reviewers
            .insert(reviewer.thread.to_lowercase(), review.id.clone());
        self.judged.insert(sitting(&review.response));
        self.rationales
            .insert(rationales_hash(&review.response), review.id.clone());
    }

    /// Takes a review off its packet, which may be judged anew. Its session and its reasons stay used.
    pub fn withdraw(&mut self, review: &AcceptedReview) {
        self.judged.remove(&sitting(&review.response));
        self.seated.remove(review.response.packet.as_str());
    }
}

/// Why a response is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// Not the strict JSON of a response.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A key that only somebody who knows the mapping could fill in.
    #[error(
        "{file}:{line}:{column}: the key `{key}` unblinds; a response knows labels A and B alone"
    )]
    Unblinding {
        /// The response's file.
        file: String,
        /// Line of the key's value, from 1.
        line: usize,
        /// Column of the key's value, from 1.
        column: usize,
        /// The key.
        key: String,
    },
    /// One field breaks a rule.
    #[error("{file}: {path}: found {found}, expected {expected}")]
    Field {
        /// The response's file.
        file: String,
        /// Where, as a JSON pointer.
        path: String,
        /// What stands there.
        found: String,
        /// What must stand there.
        expected: String,
    },
}

/// What every step of one validation needs.
struct Validation<'a> {
    file: &'a str,
    rules: &'a ReviewRules,
}

/// Validates a response against the suite's rules, its packet and all that is on file already.
///
/// `file` is the name for messages. The caller has re-hashed the packet before.
///
/// # Errors
/// A [`ReviewError`] that names the file and the place. Nothing is changed.
pub fn validate_response(
    file: &str,
    bytes: &[u8],
    rules: &ReviewRules,
    packet: &PacketBinding,
    known: &KnownThreads,
) -> Result<AcceptedReview, ReviewError> {
    let response = read(file, bytes, rules)?;
    let validation = Validation { file, rules };
    validation.packet(&response, packet)?;
    validation.reviewer(&response.reviewer, known)?;
    if let Some(seat) = packet.seat {
        validation.seat(&response, seat, known)?;
    }
    for label in Label::BOTH {
        validation.label(label, response.labels.get(label))?;
    }
    validation.rationale("/overall_rationale", &response.overall_rationale)?;
    validation.unused(&response, known)?;
    Ok(AcceptedReview::file(bytes, response, packet))
}

fn read(file: &str, bytes: &[u8], rules: &ReviewRules) -> Result<Response, ReviewError> {
    let limits = Limits {
        bytes: 4 << 20,
        depth: 8,
        values: 10_000,
    };
    let arena = Arena::new();
    let document = json::parse(file, bytes, &limits, &arena)?;
    refuse_unblinding(file, bytes, &document, rules)?;
    shape::check(file, &document)?;
    refuse_lists(file, bytes, &document)?;
    Ok(json::read_within(file, bytes, &limits)?)
}

/// A dimension may well be called `baseline_grid`; a key of any other name may not.
fn refuse_unblinding(
    file: &str,
    bytes: &[u8],
    value: &Value<'_, '_>,
    rules: &ReviewRules,
) -> Result<(), ReviewError> {
    for member in value.as_object().unwrap_or_default() {
        let is_dimension = rules.dimensions.iter().any(|rule| rule.name == member.key);
        let key = member.key.to_lowercase();
        let mut parts = key.split(|c: char| !c.is_alphanumeric());
        let unblinds = |part: &str| UNBLINDING.iter().any(|word| part.starts_with(word));
        if !is_dimension && parts.any(unblinds) {
            let (line, column) = member.value.place().position(bytes);
            let key = member.key.to_string();
            return Err(ReviewError::Unblinding {
                file: file.to_owned(),
                line,
                column,
                key,
            });
        }
        refuse_unblinding(file, bytes, &member.value, rules)?;
    }
    Ok(())
}

/// serde reads a list as a structure whose keys it knows; a response has no list anywhere.
fn refuse_lists(file: &str, bytes: &[u8], value: &Value<'_, '_>) -> Result<(), JsonError> {
    if let ValueKind::Array(_) = value.kind() {
        let (line, column) = value.place().position(bytes);
        return Err(JsonError {
            file: file.to_owned(),
            line,
            column,
            problem: "found a list, expected none in a response".to_owned(),
        });
    }
    let members = value.as_object().unwrap_or_default();
    members
        .iter()
        .try_for_each(|member| refuse_lists(file, bytes, &member.value))
}

impl Validation<'_> {
    fn fault(&self, path: impl Into<String>, found: String, expected: String) -> ReviewError {
        ReviewError::Field {
            file: self.file.to_owned(),
            path: path.into(),
            found,
            expected,
        }
    }

    fn packet(&self, response: &Response, packet: &PacketBinding) -> Result<(), ReviewError> {
        if response.packet != packet.packet {
            let expected = format!("the packet `{}`", packet.packet);
            return Err(self.fault("/packet", format!("`{}`", response.packet), expected));
        }
        let expected = &packet.bindings.packet_sha256;
        if response.packet_sha256 != *expected {
            let found = format!("`{}`", response.packet_sha256);
            let expected = format!("`{expected}`, the hash of the packet as it was handed out");
            return Err(self.fault("/packet_sha256", found, expected));
        }
        Ok(())
    }

    fn reviewer(&self, reviewer: &Reviewer, known: &KnownThreads) -> Result<(), ReviewError> {
        if !self.rules.allows(reviewer.kind) {
            let found = format!("a {} reviewer", reviewer.kind);
            return Err(self.fault("/reviewer/type", found, self.allowed_types()));
        }
        self.identity("/reviewer/id", &reviewer.id)?;
        self.identity("/reviewer/thread", &reviewer.thread)?;
        self.model(reviewer, known)
    }

    /// A packet of a seat is judged once, by the one reviewer who holds the seat and no other seat.
    fn seat(
        &self,
        response: &Response,
        seat: SeatId,
        known: &KnownThreads,
    ) -> Result<(), ReviewError> {
        let reviewer = &response.reviewer;
        if reviewer.kind != seat.kind {
            let found = format!("a {} reviewer", reviewer.kind);
            let expected = format!("a {} reviewer, for the packet's seat {seat}", seat.kind);
            return Err(self.fault("/reviewer/type", found, expected));
        }
        if let Some((review, _, _)) = known.seated.get(response.packet.as_str()) {
            let found = format!("the packet `{}` again", response.packet);
            let expected = format!("a packet without a review; {review} judges this one");
            return Err(self.fault("/packet", found, expected));
        }
        let id = reviewer.id.to_lowercase();
        let found = format!("`{}`", reviewer.id);
        for (_, other, holder) in known.seated.values() {
            if *other == seat && *holder != id {
                let expected = format!("`{holder}`, who holds the seat {seat}");
                return Err(self.fault("/reviewer/id", found, expected));
            }
            if *other != seat && *holder == id {
                let expected = format!("a reviewer without another seat; this one holds {other}");
                return Err(self.fault("/reviewer/id", found, expected));
            }
        }
        Ok(())
    }

    fn allowed_types(&self) -> String {
        let rules = self.rules;
        let types = rules
            .required_reviewer_types
            .iter()
            .chain(&rules.optional_reviewer_types);
        let names: Vec<&str> = types.map(|kind| kind.as_str()).collect();
        format!("one of the suite's types: {}", names.join(", "))
    }

    fn model(&self, reviewer: &Reviewer, known: &KnownThreads) -> Result<(), ReviewError> {
        let path = "/reviewer/model";
        match (reviewer.kind, &reviewer.model) {
            (ReviewerType::Model, None) => {
                Err(self.fault(path, "none".to_owned(), "the reviewer's model".to_owned()))
            }
            (ReviewerType::Model, Some(model)) => {
                self.identity(path, model)?;
                if self.rules.independent_model
                    && known.builder_models.contains(&model.to_lowercase())
                {
                    let expected = "a model that built none of the decks".to_owned();
                    return Err(self.fault(path, format!("`{model}`"), expected));
                }
                Ok(())
            }
            (_, None) => Ok(()),
            (kind, Some(model)) => {
                let expected = format!("null, since a {kind} reviewer has no model");
                Err(self.fault(path, format!("`{model}`"), expected))
            }
        }
    }

    fn identity(&self, path: &str, text: &str) -> Result<(), ReviewError> {
        identity_fault(text).map_or(Ok(()), |fault| Err(self.text_fault(path, &fault)))
    }

    fn rationale(&self, path: &str, text: &str) -> Result<(), ReviewError> {
        rationale_fault(text, self.rules.min_rationale_chars)
            .map_or(Ok(()), |fault| Err(self.text_fault(path, &fault)))
    }

    /// The fault's own words hold what was found and what was expected.
    fn text_fault(&self, path: &str, fault: &TextFault) -> ReviewError {
        let words = fault.to_string();
        let (found, expected) = words
            .split_once(", expected ")
            .unwrap_or((&words, "a text"));
        self.fault(path, found.to_owned(), expected.to_owned())
    }

    fn label(&self, label: Label, response: &LabelResponse) -> Result<(), ReviewError> {
        let path = format!("/labels/{label}/dimensions");
        for name in response.dimensions.keys() {
            if !self.rules.dimensions.iter().any(|rule| rule.name == *name) {
                let found = format!("`{}`", name.escape_debug());
                return Err(self.fault(path, found, "the suite's dimensions alone".to_owned()));
            }
        }
        let mut rationales = BTreeMap::new();
        for rule in &self.rules.dimensions {
            let name = rule.name.as_str();
            let Some(judgement) = response.dimensions.get(name) else {
                let found = format!("no dimension `{name}`");
                return Err(self.fault(path, found, "every dimension of the suite".to_owned()));
            };
            self.score(&format!("{path}/{name}/score"), judgement.score)?;
            let path = format!("{path}/{name}/rationale");
            self.rationale(&path, &judgement.rationale)?;
            if let Some(other) = rationales.insert(folded(&judgement.rationale), name) {
                let found = format!("the rationale of `{other}` again");
                return Err(self.fault(path, found, "a reason of its own".to_owned()));
            }
        }
        Ok(())
    }

    fn score(&self, path: &str, score: i32) -> Result<(), ReviewError> {
        let (min, max) = (self.rules.score_min, self.rules.score_max);
        if (min..=max).contains(&score) {
            return Ok(());
        }
        Err(self.fault(
            path,
            score.to_string(),
            format!("a score from {min} to {max}"),
        ))
    }

    fn unused(&self, response: &Response, known: &KnownThreads) -> Result<(), ReviewError> {
        let thread = response.reviewer.thread.to_lowercase();
        let found = format!("`{}`", response.reviewer.thread);
        if known.builders.contains(&thread) {
            let expected = "a session in which no deck was built".to_owned();
            return Err(self.fault("/reviewer/thread", found, expected));
        }
        if let Some(review) = known.reviewers.get(&thread) {
            let expected = format!("a session of its own; review {review} used this one");
            return Err(self.fault("/reviewer/thread", found, expected));
        }
        if known.judged.contains(&sitting(response)) {
            let found = format!("`{}`", response.reviewer.id);
            let expected = "a reviewer who has not judged this packet yet".to_owned();
            return Err(self.fault("/reviewer/id", found, expected));
        }
        if let Some(review) = known.rationales.get(&rationales_hash(response)) {
            let found = format!("every rationale of review {review} again");
            return Err(self.fault("/labels", found, "reasons of its own".to_owned()));
        }
        Ok(())
    }
}

/// One reviewer of one kind judges one packet once.
fn sitting(response: &Response) -> (String, ReviewerType, String) {
    let reviewer = &response.reviewer;
    (
        response.packet.as_str().to_owned(),
        reviewer.kind,
        reviewer.id.to_lowercase(),
    )
}

fn rationales_hash(response: &Response) -> Sha256Hex {
    let mut hasher = FieldHasher::new("deckproof.review.rationales");
    for label in Label::BOTH {
        for (name, judgement) in &response.labels.get(label).dimensions {
            hasher
                .field(name.as_bytes())
                .field(folded(&judgement.rationale).as_bytes());
        }
    }
    hasher.finish()
}
