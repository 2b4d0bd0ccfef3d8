// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the real program the way people and scripts do. One binary, so that it is linked once.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a helper of a test may fail it, and says when it skips"
)]

mod agents;
mod bad_input;
mod by_hand;
mod demo;
mod failures;
mod killed;
mod lifecycle;
#[path = "../model_server/mod.rs"]
mod model_server;
mod rendering;
mod report;
mod seed_records;
mod support;
