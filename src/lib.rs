// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `deckproof` program as a library, so that its parts can be tested without a process.

pub mod checks;
pub mod clock;
pub mod experiment;
pub mod prepare;
pub mod seal;
pub mod suite;
pub mod hosts;
pub mod supervise;
