// SPDX-License-Identifier: MIT OR Apache-2.0
//! A chart part of the extended kinds (waterfall, treemap and so on).
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::Chart, xml);
