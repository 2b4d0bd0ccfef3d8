// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts: the resolved model, number formats, axis scales, and their layout to paths and text.

pub mod axes;
pub mod bars;
pub mod boxes;
pub mod data_table;
pub mod extras;
pub mod frame;
pub mod hierarchy;
pub mod labels;
pub mod legend;
pub mod levels;
pub mod lines;
pub mod model;
pub mod number;
pub mod radar;
pub mod radial;
pub mod scale;
pub mod words;
