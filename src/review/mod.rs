// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review accept` and `review status`: responses become evidence, or change nothing.
//!
//! What makes a response acceptable is in `deckproof_reviews::review`. Here are the experiment, its
//! lock and its journal. Labels stay A and B: nothing that this module says or writes tells which is
//! the candidate.

mod accept;
mod error;
mod status;

#[cfg(test)]
mod tests;

pub use accept::{Accepted, accept};
pub use error::AcceptError;
pub use status::{PacketStatus, SeatedReview, status};
