// SPDX-License-Identifier: MIT OR Apache-2.0
//! Small metafiles for fixtures, written record by record.

/// A 24-bit bitmap of the given rows from the top, stored from the bottom: its info header and its bits.
fn bitmap(rows: &[Vec<[u8; 3]>]) -> (Vec<u8>, Vec<u8>) {
    let (w, h) = (rows[0].len() as u32, rows.len() as u32);
    let mut info = Vec::new();
    info.extend(40u32.to_le_bytes());
    info.extend(w.to_le_bytes());
    info.extend(h.to_le_bytes());
    info.extend(1u16.to_le_bytes());
    info.extend(24u16.to_le_bytes());
    info.extend([0; 24]);
    let mut bits = Vec::new();
    for row in rows.iter().rev() {
        let start = bits.len();
        for [r, g, b] in row {
            bits.extend([*b, *g, *r]);
        }
        while (bits.len() - start) % 4 != 0 {
            bits.push(0);
        }
    }
    (info, bits)
}

/// Four by four pixels: red above, blue below, a green corner at the top left.
fn flag() -> (Vec<u8>, Vec<u8>) {
    let row = |y: usize| {
        (0..4)
            .map(|x| match (x, y) {
                (0, 0) => [30, 160, 60],
                (_, 0 | 1) => [200, 40, 40],
                _ => [40, 70, 190],
            })
            .collect()
    };
    bitmap(&(0..4).map(row).collect::<Vec<Vec<[u8; 3]>>>())
}

/// An EMF with an EMF+ header comment, a filled ellipse, a dashed line, a text, and a bitmap.
pub fn emf() -> Vec<u8> {
    let mut records: Vec<Vec<u8>> = Vec::new();
    let mut add = |kind: u32, words: &[u8]| {
        let mut r = kind.to_le_bytes().to_vec();
        r.extend((words.len() as u32 + 8).to_le_bytes());
        r.extend(words);
        records.push(r);
    };
    let words = |list: &[i32]| -> Vec<u8> { list.iter().flat_map(|v| v.to_le_bytes()).collect() };
    let mut plus = words(&[28]);
    plus.extend(b"EMF+");
    plus.extend(0x4001u16.to_le_bytes());
    plus.extend(1u16.to_le_bytes());
    plus.extend(words(&[28, 16, 0, 0, 0]));
    add(70, &plus);
    add(39, &words(&[1, 0, 0x0040_80D0, 0]));
    add(37, &words(&[1]));
    add(42, &words(&[20, 20, 380, 280]));
    add(38, &words(&[2, 1, 6, 0, 0x0080_2020]));
    add(37, &words(&[2]));
    add(27, &words(&[20, 280]));
    add(54, &words(&[380, 20]));
    let mut font = words(&[3, -40, 0, 0, 0, 700, 0]);
    font.extend(words(&[0]));
    let mut name: Vec<u8> = "Arial".encode_utf16().flat_map(u16::to_le_bytes).collect();
    name.resize(64, 0);
    font.extend(name);
    add(82, &font);
    add(37, &words(&[3]));
    add(18, &words(&[1]));
    let text: Vec<u8> = "EMF text"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let mut record = words(&[0, 0, 400, 300, 1, 0, 0, 110, 120, 8, 76, 0, 0, 0, 0, 0, 0]);
    record.extend(&text);
    add(84, &record);
    let (info, bits) = flag();
    let mut record = words(&[0, 0, 0, 0, 290, 180, 0, 0, 4, 4, 80, info.len() as i32]);
    record.extend(words(&[
        80 + info.len() as i32,
        bits.len() as i32,
        0,
        0x00CC_0020,
        80,
        80,
    ]));
    record.extend(info);
    record.extend(bits);
    add(81, &record);
    add(14, &words(&[0, 16, 20]));
    let total: usize = records.iter().map(Vec::len).sum::<usize>() + 88;
    let mut out = words(&[
        1,
        88,
        0,
        0,
        400,
        300,
        0,
        0,
        10_583,
        7_938,
        0x464D_4520,
        0x1_0000,
    ]);
    out.extend(words(&[
        total as i32,
        records.len() as i32 + 1,
        0,
        0,
        0,
        0,
        1_920,
        1_440,
        508,
        381,
    ]));
    out.resize(88, 0);
    out.extend(records.into_iter().flatten());
    out
}

/// A WMF whose window goes upwards, with the top half of a bitmap drawn mirrored back, and the whole beside it.
pub fn wmf_with_bitmaps() -> Vec<u8> {
    let mut records: Vec<Vec<u16>> = Vec::new();
    let words = |bytes: &[u8]| -> Vec<u16> {
        bytes
            .chunks(2)
            .map(|c| u16::from_le_bytes([c[0], c.get(1).copied().unwrap_or(0)]))
            .collect()
    };
    let mut add = |function: u16, body: &[u16]| {
        let mut r = vec![(body.len() + 3) as u16, 0, function];
        r.extend(body);
        records.push(r);
    };
    let minus = |v: i16| (-v) as u16;
    add(0x020C, &[minus(100), 220]);
    add(0x020B, &[0, 0]);
    let (info, bits) = flag();
    let dib: Vec<u16> = words(&[info, bits].concat());
    for (x, source, height) in [(10, 2, 40), (120, 4, 80)] {
        let mut body = vec![
            0x0020,
            0x00CC,
            source,
            4,
            0,
            0,
            minus(height),
            80,
            minus(10),
            x,
        ];
        body.extend(&dib);
        add(0x0B41, &body);
    }
    add(0, &[]);
    let total: usize = records.iter().map(Vec::len).sum::<usize>() + 9;
    let mut out = vec![1, 9, 0x0300, total as u16, 0, 0, 200, 0, 0];
    out.extend(records.into_iter().flatten());
    out.into_iter().flat_map(u16::to_le_bytes).collect()
}
