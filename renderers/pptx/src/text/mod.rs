// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text: the resolved model, shaping, line breaking and placing.

pub mod breaking;
pub mod engine;
pub mod model;
pub mod place;
pub mod shape;
