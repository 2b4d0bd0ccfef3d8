// SPDX-License-Identifier: MIT OR Apache-2.0
//! A table style list, under a table that asks for its first style.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::TableStyles, xml);
