// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fonts that a deck carries in itself: `p:embeddedFontLst` and its `.fntdata` parts.
//!
//! A part is an Embedded OpenType container (W3C submission, 2008) or a bare font file. The container's data may be
//! masked byte by byte, which is undone, or packed with MicroType Express, which is not: such a font is named in a
//! diagnostic and its stand-in is used. Only a font that parses and has outlines is ever used.

use skrifa::{FontRef, MetadataProvider};

/// Most bytes of one embedded font.
const MAX_BYTES: usize = 16 << 20;

/// A font of the deck itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedded {
    /// Family as the deck names it.
    pub name: String,
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// An OpenType or TrueType file.
    pub bytes: Vec<u8>,
}

/// Why an embedded font is not used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EmbeddedError {
    /// The container ends too early or contradicts itself.
    #[error("its container is damaged")]
    Damaged,
    /// The data are packed.
    #[error("it is packed with MicroType Express, which is not read")]
    Packed,
    /// What is inside is no font.
    #[error("it does not parse as a font with outlines")]
    NotAFont,
    /// Too many bytes.
    #[error("it has {found} bytes; at most {MAX_BYTES} are read")]
    TooLarge {
        /// Bytes found.
        found: usize,
    },
}

/// The font file in a part.
///
/// # Errors
/// When the container is damaged or packed, or holds no font.
pub fn unpack(part: &[u8]) -> Result<Vec<u8>, EmbeddedError> {
    if part.len() > MAX_BYTES {
        return Err(EmbeddedError::TooLarge { found: part.len() });
    }
    if usable(part) {
        return Ok(part.to_vec());
    }
    let word = |at: usize| {
        let four = part.get(at..at + 4)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    let (size, flags) = (word(4), word(12));
    let magic = part.get(34..36) == Some(&[0x4C, 0x50]);
    let (Some(size), Some(flags), true) = (size, flags, magic) else {
        return Err(EmbeddedError::Damaged);
    };
    let from = part.len().checked_sub(size as usize).filter(|f| *f >= 36);
    let mut font = from
        .and_then(|f| part.get(f..))
        .ok_or(EmbeddedError::Damaged)?
        .to_vec();
    if flags & 0x1000_0000 != 0 {
        font.iter_mut().for_each(|b| *b ^= 0x50);
    }
    if flags & 0x4 != 0 {
        return Err(EmbeddedError::Packed);
    }
    if usable(&font) {
        Ok(font)
    } else {
        Err(EmbeddedError::NotAFont)
    }
}

fn usable(bytes: &[u8]) -> bool {
    FontRef::new(bytes)
        .is_ok_and(|f| f.charmap().has_map() && f.outline_glyphs().iter().next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn font() -> Option<Vec<u8>> {
        std::fs::read("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf").ok()
    }

    fn container(font: &[u8], flags: u32) -> Vec<u8> {
        let mut out = vec![0u8; 120];
        out[4..8].copy_from_slice(&(font.len() as u32).to_le_bytes());
        out[12..16].copy_from_slice(&flags.to_le_bytes());
        out[34..36].copy_from_slice(&[0x4C, 0x50]);
        out.extend(font);
        out
    }

    #[test]
    fn plain_masked_and_bare_fonts_are_read() {
        let Some(f) = font() else { return };
        let masked: Vec<u8> = f.iter().map(|b| b ^ 0x50).collect();
        assert_eq!(unpack(&f).as_ref(), Ok(&f));
        assert_eq!(unpack(&container(&f, 0)).as_ref(), Ok(&f));
        assert_eq!(unpack(&container(&masked, 0x1000_0000)).as_ref(), Ok(&f));
    }

    #[test]
    fn what_is_packed_damaged_or_no_font_is_refused() {
        assert_eq!(unpack(&container(&[1; 40], 4)), Err(EmbeddedError::Packed));
        assert_eq!(
            unpack(&container(&[1; 40], 0)),
            Err(EmbeddedError::NotAFont)
        );
        assert_eq!(unpack(b"short"), Err(EmbeddedError::Damaged));
        let mut lying = container(&[1; 40], 0);
        lying[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(unpack(&lying), Err(EmbeddedError::Damaged));
        let large = vec![0; MAX_BYTES + 1];
        assert!(matches!(
            unpack(&large),
            Err(EmbeddedError::TooLarge { .. })
        ));
    }
}
