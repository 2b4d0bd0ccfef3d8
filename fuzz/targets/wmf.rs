// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Windows metafile as a picture.
#![no_main]

deckproof_fuzz::part_target!(deckproof_fuzz::Slot::Metafile, raw);
