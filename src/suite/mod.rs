// SPDX-License-Identifier: MIT OR Apache-2.0
//! The suite: the contract of an experiment, as a person writes it in `suite.toml`.
//!
//! [`load`] reads it, checks every rule that spans several keys, and answers with messages that
//! point at line and column.

mod at;
mod decimal;
mod endpoint;
mod error;
mod id;
mod limits;
mod load;
mod model;
mod path;
mod rules;
mod schema;
pub mod spec;
mod statistics;

pub use at::At;
pub use decimal::Decimal;
pub use endpoint::{Endpoint, Target};
pub use error::SuiteError;
pub use id::Id;
pub use limits::TrialLimits;
pub use load::{Loaded, load, parse};
pub use model::{
    Arm, Baseline, Budget, Case, Format, Gates, HostKind, Isolation, KnownDeck, LoneReruns, Mode,
    Price, Schedule, ScheduleKind, Skill, Suite,
};
pub use path::SuitePath;
pub(crate) use rules::amendment_number;
pub use schema::json_schema;
pub use statistics::{
    CostMeasure, Family, FamilyTest, Measure, Method, NonInferiorityClaim, Statistics,
};

#[cfg(test)]
mod tests;
