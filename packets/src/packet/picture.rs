// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a picture is the canvas to its last row and holds nothing but pixels.
//!
//! A PNG can carry words, times and program names in chunks that no viewer shows. Only the chunks
//! that make the picture are allowed here, and every byte between them is accounted for: checksums,
//! the compressed stream to its end, each row and its filter. (PNG, third edition, W3C 2025.)

use std::io::Read;

use super::CANVAS;

/// An uncompressed canvas is 2.8 MB, and no encoder adds more than a few per cent.
const MAX_PICTURE: usize = 4 << 20;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// 8 bits, RGB, the one compression, the one filter method, not interlaced.
const FORM: [u8; 5] = [8, 2, 0, 0, 0];
/// Filter types go from 0 to 4.
const MAX_FILTER: u8 = 4;

/// What is wrong with the picture, as (found, expected).
pub(super) fn fault(bytes: &[u8]) -> Option<(String, &'static str)> {
    if bytes.len() > MAX_PICTURE {
        return Some((format!("{} bytes", bytes.len()), "at most 4 MiB"));
    }
    inspect(bytes).err()
}

type Fault = (String, &'static str);
/// A chunk's kind, its data, and what follows it.
type Chunk<'a> = (&'a [u8; 4], &'a [u8], &'a [u8]);

fn inspect(bytes: &[u8]) -> Result<(), Fault> {
    let Some(mut rest) = bytes.strip_prefix(SIGNATURE) else {
        return Err(("no PNG signature".to_owned(), "a PNG"));
    };
    let mut stream = Vec::new();
    let mut place = 0;
    loop {
        let (kind, data, after) = chunk(rest)?;
        place = match (place, kind) {
            (0, b"IHDR") => header(data).map(|()| 1)?,
            (1 | 2, b"IDAT") => {
                stream.extend_from_slice(data);
                2
            }
            (2, b"IEND") => return end(data, after).and_then(|()| rows(&stream)),
            _ => return Err(odd_chunk(kind)),
        };
        rest = after;
    }
}

/// The first chunk's kind and data, and what follows, the checksum verified.
fn chunk(bytes: &[u8]) -> Result<Chunk<'_>, Fault> {
    let cut = || ("a PNG that is cut short".to_owned(), "a whole one");
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
    let (kind, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| cut())?;
    let (data, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
    let (sum, after) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
    let mut crc = flate2::Crc::new();
    crc.update(kind);
    crc.update(data);
    if crc.sum() != u32::from_be_bytes(*sum) {
        let found = format!("a wrong checksum of chunk {}", shown(kind));
        return Err((found, "the one of its bytes"));
    }
    Ok((kind, data, after))
}

fn header(data: &[u8]) -> Result<(), Fault> {
    let short = || ("a header of another length".to_owned(), "13 bytes");
    let (width, rest) = data.split_first_chunk::<4>().ok_or_else(short)?;
    let (height, form) = rest.split_first_chunk::<4>().ok_or_else(short)?;
    let (width, height) = (u32::from_be_bytes(*width), u32::from_be_bytes(*height));
    if (width, height) != (CANVAS.width, CANVAS.height) {
        return Err((format!("{width}x{height} pixels"), "1280x720 pixels"));
    }
    if form != FORM {
        let found = format!("a PNG of depth, colour, compression, filter, interlacing {form:?}");
        return Err((found, "8-bit RGB, not interlaced: [8, 2, 0, 0, 0]"));
    }
    Ok(())
}

fn end(data: &[u8], after: &[u8]) -> Result<(), Fault> {
    match data.len() + after.len() {
        0 => Ok(()),
        extra => Err((format!("{extra} bytes in or after IEND"), "none")),
    }
}

/// The compressed stream holds each row with a filter that exists, and ends where its last chunk
/// ends.
fn rows(stream: &[u8]) -> Result<(), Fault> {
    let damaged = |error: std::io::Error| {
        let found = format!("pixels that do not unpack ({error})");
        (found, "720 rows of 1280 pixels")
    };
    let mut inflater = flate2::bufread::ZlibDecoder::new(stream);
    let mut row = vec![0_u8; 1 + 3 * CANVAS.width as usize];
    for number in 1..=CANVAS.height {
        inflater.read_exact(&mut row).map_err(damaged)?;
        if row.first().is_none_or(|filter| *filter > MAX_FILTER) {
            return Err((format!("an unknown filter in row {number}"), "0 to 4"));
        }
    }
    let more = inflater.read(&mut row).map_err(damaged)?;
    if more != 0 || inflater.total_in() != stream.len() as u64 {
        return Err(("bytes after the last row".to_owned(), "none"));
    }
    Ok(())
}

fn odd_chunk(kind: &[u8]) -> Fault {
    let found = format!("the chunk {} out of place", shown(kind));
    (found, "IHDR, IDAT and IEND alone, in this order")
}

fn shown(kind: &[u8]) -> String {
    kind.escape_ascii().to_string()
}
