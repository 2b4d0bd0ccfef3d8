// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets through their public face: built, tampered with, exported, and searched for leaks.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod build;
mod export;
mod leaks;
mod predictors;
mod sample;
mod tampering;
