// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sealing, hashing, task trees, the evidence journal, review packets and their private mapping.
//!
//! Everything that makes evidence evidence is here, apart from what runs agents, draws pictures or
//! judges reviews. `docs/architecture.md` shows the way of the data.

pub mod atomic;
pub mod bulk;
pub mod hash;
pub mod journal;
pub mod json;
pub mod mapping;
pub mod packet;
pub mod relpath;
pub mod store;
pub mod tree;
