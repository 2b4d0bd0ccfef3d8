// SPDX-License-Identifier: MIT OR Apache-2.0
//! Little-endian reads that cannot go out of bounds: what is not there reads as zero.

/// Bytes with positions.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    fn take<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.0.get(at..at.checked_add(N)?)?.try_into().ok()
    }
    /// Unsigned, 32 bits.
    pub fn u32(&self, at: usize) -> u32 {
        self.take(at).map_or(0, u32::from_le_bytes)
    }
    /// Signed, 32 bits.
    pub fn i32(&self, at: usize) -> i32 {
        self.take(at).map_or(0, i32::from_le_bytes)
    }
    /// Unsigned, 16 bits.
    pub fn u16(&self, at: usize) -> u16 {
        self.take(at).map_or(0, u16::from_le_bytes)
    }
    /// Signed, 16 bits.
    pub fn i16(&self, at: usize) -> i16 {
        self.take(at).map_or(0, i16::from_le_bytes)
    }
    /// A float; not finite reads as zero.
    pub fn f32(&self, at: usize) -> f64 {
        let v = self.take(at).map_or(0.0, f32::from_le_bytes);
        if v.is_finite() { f64::from(v) } else { 0.0 }
    }
    /// A byte.
    pub fn u8(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }
    /// A part.
    pub fn part(&self, at: usize, len: usize) -> &'a [u8] {
        self.0
            .get(at..at.saturating_add(len).min(self.0.len()))
            .unwrap_or_default()
    }
    /// The length.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}
