// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reviews: from the bytes that a reviewer hands in to an outcome that a gate can use.
//!
//! A response is judged with its labels A and B alone. [`validate_response`] files it or refuses it
//! whole; [`unblind`] applies the mapping, and nothing before it knows one.

mod accept;
mod blinding;
mod outcome;
mod panel;
mod record;
mod response;
mod rules;
mod shape;
mod text;

#[cfg(test)]
mod tests;

pub use accept::{KnownThreads, ReviewError, validate_response};
pub use blinding::BlindingRules;
pub use outcome::{
    Comparison, DimensionOutcome, Outcome, Standing, UnblindError, Unblinded, non_regression,
    semantic_failures, unblind,
};
pub use panel::{Panel, Place, SeatId, Seats, check_balance, check_places};
pub use record::{AcceptedReview, Bindings, LabelBindings, PacketBinding, ReviewSchema};
pub use response::{Judgement, LabelResponse, Labels, Response, ResponseSchema, Reviewer};
pub use rules::{DimensionRule, ReviewRules, ReviewerType, RulesError};
pub(crate) use text::placeholder;
pub use text::{TextFault, identity_fault, rationale_fault};
