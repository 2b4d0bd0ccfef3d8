// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reference pictures: half the canvas, so that they are small, and every change still shows.

use std::path::{Path, PathBuf};

use deckproof_pptx::{CANVAS_H, CANVAS_W};

/// Values may differ by this much before they count.
const SOFT: u8 = 2;

/// Reads a reference: half size, indexed or RGB.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(fs_err::read(path).ok()?));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().ok()?;
    let mut data = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut data).ok()?;
    data.truncate(info.buffer_size());
    Some(data)
}

fn write(path: &Path, rgb: &[u8], w: u32, h: u32) {
    let mut palette: Vec<[u8; 3]> = rgb.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    palette.sort_unstable();
    palette.dedup();
    let mut out = Vec::new();
    let mut e = png::Encoder::new(&mut out, w, h);
    e.set_depth(png::BitDepth::Eight);
    e.set_compression(png::Compression::High);
    if palette.len() <= 256 {
        e.set_color(png::ColorType::Indexed);
        e.set_palette(palette.concat());
        let data: Vec<u8> = rgb
            .chunks_exact(3)
            .map(|p| {
                palette
                    .binary_search(&[p[0], p[1], p[2]])
                    .expect("in the palette") as u8
            })
            .collect();
        e.write_header()
            .expect("header")
            .write_image_data(&data)
            .expect("pixels");
    } else {
        e.set_color(png::ColorType::Rgb);
        e.write_header()
            .expect("header")
            .write_image_data(rgb)
            .expect("pixels");
    }
    fs_err::write(path, out).expect("written");
}

/// Half the canvas, each pixel the mean of four: small enough to keep, and every change still shows.
pub fn half(rgb: &[u8]) -> Vec<u8> {
    let (w, h) = (CANVAS_W as usize, CANVAS_H as usize);
    let mut out = Vec::with_capacity(rgb.len() / 4);
    for y in 0..h / 2 {
        for x in 0..w / 2 {
            for c in 0..3 {
                let at =
                    |dx: usize, dy: usize| u32::from(rgb[((y * 2 + dy) * w + x * 2 + dx) * 3 + c]);
                out.push(((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4) as u8);
            }
        }
    }
    out
}

/// Writes a reference.
pub fn save(path: &Path, half: &[u8]) {
    write(path, half, CANVAS_W / 2, CANVAS_H / 2);
}

/// What is wrong with a picture; a mismatch leaves expected | got | difference in the target folder.
pub fn compare(name: &str, reference: &Path, got: &[u8]) -> Option<String> {
    let Some(want) = read(reference) else {
        return Some(format!("{name}: no reference"));
    };
    let off = if want.len() == got.len() {
        let pairs = want.iter().zip(got);
        pairs.filter(|(a, b)| a.abs_diff(**b) > SOFT).count()
    } else {
        got.len()
    };
    (off > 0).then(|| {
        let report = report(name, &want, got);
        format!("{name}: {off} values differ: {}", report.display())
    })
}

fn report(name: &str, want: &[u8], got: &[u8]) -> PathBuf {
    let (w, h) = (CANVAS_W / 2, CANVAS_H / 2);
    let mut data = Vec::new();
    let row = w as usize * 3;
    for y in 0..h as usize {
        let (a, b) = (&want[y * row..(y + 1) * row], &got[y * row..(y + 1) * row]);
        data.extend(a);
        data.extend(b);
        data.extend(
            a.iter()
                .zip(b)
                .map(|(a, b)| 255 - a.abs_diff(*b).saturating_mul(4)),
        );
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pptx-fixtures");
    fs_err::create_dir_all(&dir).expect("a folder");
    let path = dir.join(format!("{name}.png"));
    write(&path, &data, w * 3, h);
    path
}
