// SPDX-License-Identifier: MIT OR Apache-2.0
//! The presentation part: size, slide list, default text.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::Presentation, xml);
