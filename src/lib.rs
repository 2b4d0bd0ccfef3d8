// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `deckproof` program as a library, so that its parts can be tested without a process.

pub mod supervise;
