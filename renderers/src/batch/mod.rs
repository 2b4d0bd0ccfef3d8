// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many decks in one process: what `deckproof render` and `execute` call.
//!
//! Renderers are started when the first deck needs them and serve all that follow. Several workers
//! share the decks; results come in the order of the decks whatever the number of workers, and
//! each deck's bytes depend on nothing but the deck and the renderer.

mod locate;
mod opinion;
mod renderers;
mod report;
mod write;

pub use locate::{find_deck, folder_names};
pub use opinion::{Opinion, SecondOpinion, SlideOpinion};
pub use renderers::{BatchOptions, Engine, Native, Renderers, render_decks};
pub use report::{DeckReport, Failure, SlideReport};
pub use write::{picture_name, write_pictures};
