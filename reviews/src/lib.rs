// SPDX-License-Identifier: MIT OR Apache-2.0
//! Review records, unblinding, gates and statistics: everything that turns evidence into a verdict.
//!
//! Nothing here runs an agent, draws a picture or opens a file. Each function takes bytes or
//! figures that somebody else has verified and gives an answer that is the same on every machine.
//! [`gates`] decides, [`statistics`] only describes.

pub mod exact;
mod fields;
pub mod gates;
pub mod review;
pub mod seed;
pub mod statistics;
