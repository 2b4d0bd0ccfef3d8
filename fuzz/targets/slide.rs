// SPDX-License-Identifier: MIT OR Apache-2.0
//! A slide part.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::Slide, xml);
