// SPDX-License-Identifier: MIT OR Apache-2.0
//! A SmartArt drawing, or its data without a drawing, whichever the bytes look like.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::Diagram, xml);
