// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole packages: the archive, its parts' names and relationships, soundness, and the pictures.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|bytes: &[u8]| deckproof_fuzz::package(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    deckproof_fuzz::mutate::package(data, size, max_size, seed)
});
