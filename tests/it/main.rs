// SPDX-License-Identifier: MIT OR Apache-2.0
//! Drives the real program the way people and scripts do. One binary, so that it is linked once.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a helper of a test may fail it, and says when it skips"
)]

mod adversary;
mod agents;
mod bad_input;
#[path = "../../reviews/tests/page/browser.rs"]
#[allow(
    dead_code,
    reason = "what whole reviews need beside what is needed here"
)]
mod browser;
mod by_hand;
mod demo;
mod endings;
mod failures;
mod killed;
mod levels;
mod lifecycle;
#[path = "../model_server/mod.rs"]
mod model_server;
#[path = "../real_agents/mod.rs"]
mod real_agents;
mod rendering;
mod report;
mod reviewing;
mod seed_records;
mod selfcheck;
mod support;
