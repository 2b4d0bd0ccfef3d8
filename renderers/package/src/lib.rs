// SPDX-License-Identifier: MIT OR Apache-2.0
//! Opens PPTX packages within limits and follows their relationships.
//!
//! A deck is a file that an agent wrote, so nothing in it is trusted. This crate is the one door through which
//! the renderer, the facts and the checks see a package: what it refuses, none of them has to think about again.
//! Parts are found by following `[Content_Types].xml`, `_rels/.rels` and the presentation part (ECMA-376-2, Open
//! Packaging Conventions), never by the look of a file name in the archive.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let package = deckproof_package::Package::open(std::fs::read("deck.pptx")?, &Default::default())?;
//! for slide in &package.presentation().slides {
//!     let xml = package.document(&slide.part)?;
//!     println!("{} has {} nodes", slide.part, xml.descendants().count());
//! }
//! # Ok(())
//! # }
//! ```

mod archive;
mod content_types;
mod error;
mod limits;
mod names;
pub mod ns;
mod package;
mod presentation;
mod relationships;
pub mod soundness;
#[cfg(test)]
mod testing;
mod xml;

pub use error::PackageError;
pub use limits::Limits;
pub use package::Package;
pub use presentation::{Presentation, Slide};
pub use relationships::{Relationship, Relationships, Target};
// The tree type stands in the public interface, so users need the same version of it.
pub use roxmltree;
