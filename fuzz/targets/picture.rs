// SPDX-License-Identifier: MIT OR Apache-2.0
//! A raster or SVG picture.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::Picture, raw);
