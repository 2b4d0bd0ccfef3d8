// SPDX-License-Identifier: MIT OR Apache-2.0
//! A theme part, under shapes that point into its style matrices.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::Theme, xml);
