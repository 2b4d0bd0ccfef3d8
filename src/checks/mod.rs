// SPDX-License-Identifier: MIT OR Apache-2.0
//! Named predicates over one trial's deck, each of which can pass and can fail.

pub mod config;

pub use config::CheckList;
