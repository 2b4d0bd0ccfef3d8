// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review accept` and `review status`: responses become evidence, or change nothing.
//!
//! What makes a response acceptable is in `deckproof_reviews::review`. Here are the experiment, its
//! lock and its journal. Labels stay A and B: nothing that this module says or writes tells which is
//! the candidate.

mod accept;
mod error;
pub mod run;
pub mod serve;
mod status;
mod withdraw;

#[cfg(test)]
mod panel_tests;
#[cfg(test)]
mod tests;

pub(crate) use accept::remove_derived;
pub use accept::{Accepted, accept};
pub use error::AcceptError;
pub use status::{PacketStatus, SeatedReview, status};
pub use withdraw::withdraw;
