// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `deckproof` program as a library, so that its parts can be tested without a process.

mod anchor;
pub mod argument;
pub mod checks;
pub mod cli;
pub mod clock;
pub mod cost;
pub mod demo;
pub mod embedded;
pub mod execute;
pub mod experiment;
pub mod hosts;
pub mod prepare;
pub mod report;
pub mod review;
mod review_form;
pub mod seal;
pub mod selfcheck;
pub mod show;
pub mod signing;
pub mod suite;
pub mod summary;
pub mod supervise;
pub mod verify;
pub mod words;
