// SPDX-License-Identifier: MIT OR Apache-2.0
//! PPTX decks by LibreOffice: the second opinion beside the native renderer.
//!
//! The way is PPTX to PDF by `soffice`, PDF to pictures by `pdftoppm`, each in a throw-away folder
//! and a process group of its own. Hidden slides are not exported, so they are neither drawn nor
//! counted.

mod office;
mod pages;
mod renderer;
mod tool;

pub use renderer::{LibreOffice, LibreOfficeOptions};
