// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decoding: strictly for pictures that claim to be ours, leniently for a tool's output.

use std::io::{Cursor, Read as _};

use super::{PngError, RgbImage};
use crate::{CANVAS_HEIGHT, CANVAS_WIDTH};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// An uncompressed canvas is 2.8 MB, and no encoder adds more than a few per cent.
const MAX_STRICT_BYTES: usize = 4 << 20;
/// Bound on a tool's picture: 64 million pixels, 256 MB of samples.
const MAX_FOREIGN_PIXELS: u64 = 64 << 20;
const MAX_FOREIGN_BYTES: usize = 256 << 20;
/// What shows through where a tool's picture is transparent.
const WHITE: [u8; 3] = [255; 3];

/// Decodes a picture to the last pixel, and refuses all that is not in the one spelling: another
/// size or colour type, interlacing, any ancillary chunk, bytes after IEND or after the compressed
/// stream, a wrong checksum.
///
/// # Errors
/// Says what was found and what was expected.
pub fn decode_strict(bytes: &[u8]) -> Result<RgbImage, PngError> {
    limited(bytes, MAX_STRICT_BYTES)?;
    let compressed = compressed_stream(bytes)?;
    whole_stream(&compressed)?;
    let mut decoder = ::png::Decoder::new_with_limits(
        Cursor::new(bytes),
        ::png::Limits {
            bytes: MAX_STRICT_BYTES * 2,
        },
    );
    decoder.ignore_checksums(false);
    let image = frame(decoder, CANVAS_WIDTH, CANVAS_HEIGHT)?;
    RgbImage::new(CANVAS_WIDTH, CANVAS_HEIGHT, image)
}

/// Decodes what our encoder wrote and compares it with what it was given, row by row.
///
/// # Errors
/// When it does not decode, or to other pixels.
pub fn decodes_to(bytes: &[u8], image: &RgbImage) -> Result<(), PngError> {
    let decoder = ::png::Decoder::new(Cursor::new(bytes));
    let mut reader = decoder.read_info().map_err(damaged)?;
    let size = (reader.info().width, reader.info().height);
    let mut rows = image.rows();
    let mut same = size == (image.width(), image.height());
    while let Some(row) = reader.next_row().map_err(damaged)? {
        same &= rows.next() == Some(row.data());
    }
    reader.finish().map_err(damaged)?;
    match same && rows.next().is_none() {
        true => Ok(()),
        false => Err(PngError::Damaged("it decodes to other pixels".to_owned())),
    }
}

/// Decodes what a drawing program wrote: any size within a limit, RGB or grey, alpha over white.
///
/// # Errors
/// When it is no PNG, is damaged, or is larger than 64 million pixels.
pub fn decode_foreign(bytes: &[u8]) -> Result<RgbImage, PngError> {
    limited(bytes, MAX_FOREIGN_BYTES)?;
    let limits = ::png::Limits {
        bytes: MAX_FOREIGN_BYTES,
    };
    let mut decoder = ::png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(::png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width) * u64::from(height) > MAX_FOREIGN_PIXELS {
        let expected = format!("at most {MAX_FOREIGN_PIXELS} pixels");
        return Err(PngError::Size {
            width,
            height,
            expected,
        });
    }
    let (colour, _) = reader.output_color_type();
    let interlaced = reader.info().interlaced;
    if !interlaced && matches!(colour, ::png::ColorType::Rgb | ::png::ColorType::Rgba) {
        return by_rows(reader, width, height, colour);
    }
    let mut samples = vec![0; reader.output_buffer_size().unwrap_or(0)];
    reader.next_frame(&mut samples).map_err(damaged)?;
    to_rgb(width, height, colour, samples)
}

/// The same as reading all samples first, without room for them.
fn by_rows(
    mut reader: ::png::Reader<Cursor<&[u8]>>,
    width: u32,
    height: u32,
    colour: ::png::ColorType,
) -> Result<RgbImage, PngError> {
    let mut pixels = Vec::with_capacity(width as usize * height as usize * 3);
    while let Some(row) = reader.next_row().map_err(damaged)? {
        match colour {
            ::png::ColorType::Rgba => super::image::push_over(&mut pixels, row.data(), WHITE),
            _ => pixels.extend_from_slice(row.data()),
        }
    }
    reader.finish().map_err(damaged)?;
    RgbImage::new(width, height, pixels)
}

fn to_rgb(
    width: u32,
    height: u32,
    colour: ::png::ColorType,
    samples: Vec<u8>,
) -> Result<RgbImage, PngError> {
    match colour {
        ::png::ColorType::Rgb => RgbImage::new(width, height, samples),
        ::png::ColorType::Rgba => RgbImage::from_rgba_over(width, height, &samples, WHITE),
        ::png::ColorType::Grayscale => {
            let pixels = samples.iter().flat_map(|grey| [*grey; 3]).collect();
            RgbImage::new(width, height, pixels)
        }
        ::png::ColorType::GrayscaleAlpha => {
            let (pairs, _) = samples.as_chunks::<2>();
            let rgba: Vec<u8> = pairs.iter().flat_map(|[g, a]| [*g, *g, *g, *a]).collect();
            RgbImage::from_rgba_over(width, height, &rgba, WHITE)
        }
        ::png::ColorType::Indexed => Err(PngError::Damaged("palette not expanded".to_owned())),
    }
}

fn frame(
    decoder: ::png::Decoder<Cursor<&[u8]>>,
    width: u32,
    height: u32,
) -> Result<Vec<u8>, PngError> {
    let mut reader = decoder.read_info().map_err(damaged)?;
    let info = reader.info();
    if (info.width, info.height) != (width, height) {
        let expected = format!("{width}x{height}");
        return Err(PngError::Size {
            width: info.width,
            height: info.height,
            expected,
        });
    }
    let spelling = (info.color_type, info.bit_depth, info.interlaced);
    if spelling != (::png::ColorType::Rgb, ::png::BitDepth::Eight, false) {
        let found = format!(
            "with colour {:?}, depth {:?}, interlaced {}",
            spelling.0, spelling.1, spelling.2
        );
        return Err(PngError::Form {
            found,
            expected: "8-bit RGB, not interlaced",
        });
    }
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    reader.next_frame(&mut pixels).map_err(damaged)?;
    reader.finish().map_err(damaged)?;
    Ok(pixels)
}

/// Walks the chunks: IHDR, one or more IDAT, IEND, and the end of the file.
fn compressed_stream(bytes: &[u8]) -> Result<Vec<u8>, PngError> {
    let mut rest = bytes
        .strip_prefix(SIGNATURE)
        .ok_or_else(|| PngError::Damaged("no PNG signature".to_owned()))?;
    let mut stream = Vec::new();
    let mut place = 0;
    loop {
        let (kind, data, after) = chunk(rest)?;
        place = match (place, kind) {
            (0, b"IHDR") => 1,
            (1 | 2, b"IDAT") => {
                stream.extend_from_slice(data);
                2
            }
            (2, b"IEND") => break finished(data, after).map(|()| stream),
            (_, other) => return Err(unexpected_chunk(other)),
        };
        rest = after;
    }
}

fn finished(data: &[u8], after: &[u8]) -> Result<(), PngError> {
    if data.is_empty() && after.is_empty() {
        return Ok(());
    }
    let found = format!("with {} bytes in or after IEND", data.len() + after.len());
    Err(PngError::Form {
        found,
        expected: "IEND to be empty and last",
    })
}

fn unexpected_chunk(kind: &[u8]) -> PngError {
    let found = format!(
        "with chunk {:?} out of place",
        String::from_utf8_lossy(kind)
    );
    PngError::Form {
        found,
        expected: "IHDR, IDAT, IEND and nothing else",
    }
}

/// A chunk's kind, its data, and what follows it.
type Chunk<'bytes> = (&'bytes [u8; 4], &'bytes [u8], &'bytes [u8]);

/// Splits off the first chunk. The decoder checks the checksums.
fn chunk(bytes: &[u8]) -> Result<Chunk<'_>, PngError> {
    let cut = || PngError::Damaged("cut short".to_owned());
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
    let (kind, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| cut())?;
    let (data, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
    let (_, after) = rest.split_at_checked(4).ok_or_else(cut)?;
    Ok((kind, data, after))
}

/// Nothing may hide between the end of the compressed pixels and the end of the last IDAT.
fn whole_stream(compressed: &[u8]) -> Result<(), PngError> {
    let limit = MAX_STRICT_BYTES as u64;
    let mut inflater = flate2::bufread::ZlibDecoder::new(compressed);
    let mut sink = std::io::sink();
    let inflated = std::io::copy(&mut (&mut inflater).take(limit), &mut sink)
        .map_err(|error| PngError::Damaged(error.to_string()))?;
    let expected = u64::from(CANVAS_HEIGHT) * (u64::from(CANVAS_WIDTH) * 3 + 1);
    if inflated != expected || inflater.total_in() != compressed.len() as u64 {
        let found = format!(
            "with {inflated} bytes of rows in {} of {} compressed bytes",
            inflater.total_in(),
            compressed.len()
        );
        return Err(PngError::Form {
            found,
            expected: "the rows of the canvas and nothing after",
        });
    }
    Ok(())
}

fn limited(bytes: &[u8], limit: usize) -> Result<(), PngError> {
    if bytes.len() > limit {
        return Err(PngError::TooLong {
            found: bytes.len(),
            limit,
        });
    }
    Ok(())
}

fn damaged(error: ::png::DecodingError) -> PngError {
    PngError::Damaged(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::encode;
    use super::*;

    fn white() -> Vec<u8> {
        encode(&RgbImage::filled(1280, 720, [255; 3])).unwrap()
    }

    fn foreign(width: u32, height: u32, colour: ::png::ColorType, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        encoder.set_depth(::png::BitDepth::Eight);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    fn with_chunk(bytes: &[u8], kind: &[u8; 4], data: &[u8], at: usize) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(kind);
        crc.update(data);
        let mut chunk = u32::try_from(data.len()).unwrap().to_be_bytes().to_vec();
        chunk.extend_from_slice(kind);
        chunk.extend_from_slice(data);
        chunk.extend_from_slice(&crc.sum().to_be_bytes());
        [&bytes[..at], &chunk, &bytes[at..]].concat()
    }

    #[test]
    fn every_byte_counts() {
        let bytes = white();
        assert!(decode_strict(&bytes).is_ok());
        for at in [0, 12, 18, 30, 45, bytes.len() / 2, bytes.len() - 1] {
            let mut broken = bytes.clone();
            broken[at] ^= 1;
            let decoded = decode_strict(&broken);
            assert!(decoded.is_err(), "byte {at}");
        }
        for length in [0, 8, 20, 33, 50, bytes.len() - 12, bytes.len() - 1] {
            assert!(decode_strict(&bytes[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn another_picture_is_not_the_one_that_was_encoded() {
        let image = RgbImage::filled(1280, 720, [255; 3]);
        let mut other = image.pixels().to_vec();
        if let Some(last) = other.last_mut() {
            *last = 254;
        }
        let other = RgbImage::new(1280, 720, other).unwrap();
        assert_eq!(decodes_to(&white(), &image), Ok(()));
        for wrong in [other, RgbImage::filled(1280, 719, [255; 3])] {
            let error = decodes_to(&white(), &wrong).unwrap_err();
            assert!(error.to_string().contains("other pixels"), "{error}");
        }
    }

    #[test]
    fn nothing_may_be_added() {
        let bytes = white();
        let trailing = [bytes.as_slice(), b"x"].concat();
        assert!(
            decode_strict(&trailing)
                .unwrap_err()
                .to_string()
                .contains("after IEND")
        );
        let text = with_chunk(&bytes, b"tEXt", b"who\0me", 33);
        assert!(
            decode_strict(&text)
                .unwrap_err()
                .to_string()
                .contains("tEXt")
        );
        let end = bytes.len() - 12;
        let late = with_chunk(&bytes, b"tIME", &[0; 7], end);
        assert!(
            decode_strict(&late)
                .unwrap_err()
                .to_string()
                .contains("tIME")
        );
        let hidden = with_chunk(&bytes, b"IDAT", b"hidden", end);
        assert!(
            decode_strict(&hidden)
                .unwrap_err()
                .to_string()
                .contains("nothing after")
        );
    }

    #[test]
    fn other_sizes_and_colours_are_refused() {
        let small = foreign(2, 1, ::png::ColorType::Rgb, &[0; 6]);
        assert!(decode_strict(&small).is_err());
        let alpha = foreign(1280, 720, ::png::ColorType::Rgba, &vec![9; 1280 * 720 * 4]);
        assert!(decode_strict(&alpha).is_err());
        let grey = foreign(1280, 720, ::png::ColorType::Grayscale, &vec![9; 1280 * 720]);
        assert!(decode_strict(&grey).is_err());
        assert!(decode_strict(b"GIF89a").is_err());
        assert!(matches!(
            decode_strict(&vec![0; MAX_STRICT_BYTES + 1]),
            Err(PngError::TooLong { .. })
        ));
    }

    #[test]
    fn foreign_pictures_become_rgb() {
        let grey = foreign(1, 1, ::png::ColorType::GrayscaleAlpha, &[0, 0]);
        assert_eq!(decode_foreign(&grey).unwrap().pixels(), [255, 255, 255]);
        let rgba = foreign(1, 1, ::png::ColorType::Rgba, &[1, 2, 3, 255]);
        assert_eq!(decode_foreign(&rgba).unwrap().pixels(), [1, 2, 3]);
        assert!(decode_foreign(b"no picture").is_err());
    }
}
