// SPDX-License-Identifier: MIT OR Apache-2.0
//! The experiment directory: where everything is, what was planned, and what happened.
//!
//! [`Experiment`] is the one way to it for every command after `prepare`: it checks that the plan,
//! the sealed suite and the journal belong together before anybody uses them.

mod layout;
mod lock;
mod open;
pub mod plan;
pub mod records;

pub use layout::{Layout, TrialId};
pub use lock::{ExperimentLock, LockError};
pub use open::{Experiment, ExperimentError};
