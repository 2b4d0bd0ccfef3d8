// SPDX-License-Identifier: MIT OR Apache-2.0
//! A layout or a master part, whichever the bytes look like.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::LayoutOrMaster, xml);
