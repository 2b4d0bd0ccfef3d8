// SPDX-License-Identifier: MIT OR Apache-2.0
//! HTML decks, drawn by headless Chromium: one exact picture per slide, the same bytes every time,
//! and nothing of the machine or the network can reach them or be reached.

mod clock;
mod contrast;
mod discover;
mod drive;
mod encoder;
mod facts;
mod fault;
mod files;
mod frameworks;
mod identity;
mod keyboard;
mod overlap;
mod page;
mod passes;
mod renderer;
mod site;
mod traffic;
mod viewer;
mod walk;

pub use frameworks::{FRAMEWORKS, Framework, frameworks_page};
pub use page::Patience;
pub use renderer::{BrowserOptions, HtmlRenderer};
