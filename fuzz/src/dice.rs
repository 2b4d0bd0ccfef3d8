// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random choices that repeat for a seed.

/// A small generator: the fuzzer gives the seed, so runs repeat.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    /// From the fuzzer's seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    /// A number below `n`; 0 for 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
    /// One of these.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}
