// SPDX-License-Identifier: MIT OR Apache-2.0
//! Named predicates over one trial's deck, each of which can pass and can fail.

pub mod config;
pub mod evidence;

pub use config::CheckList;
pub use evidence::{Evidence, PictureFacts};
