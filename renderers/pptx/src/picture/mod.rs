// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures: decoding within limits, recolouring, and encoding for the SVG.

pub mod decode;
pub mod encode;
pub mod recolor;
