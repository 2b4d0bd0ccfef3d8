// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fonts the renderer may use: an explicit list of Debian font files, hashed into the renderer's identity.
//!
//! Nothing is discovered on the system. A file of the list that is absent makes another identity, and text that wanted
//! it draws with the next best face and says so.

pub mod catalog;
pub mod embedded;
pub mod face;
mod identity;
pub mod outline;
mod public;
pub mod select;
pub mod set;
pub mod substitute;
pub mod symbols;
