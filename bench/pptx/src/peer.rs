// SPDX-License-Identifier: MIT OR Apache-2.0
//! betteroffice-pptx on the fonts that we draw with, under the names that decks ask for.

use std::error::Error;
use std::path::Path;

use betteroffice_pptx::{Presentation, RenderOptions};

use crate::measure::processor_time;

/// Families that decks name, where their substitutes are, and the files' names up to the style.
const FAMILIES: [(&str, &str, &str); 7] = [
    ("Calibri", "crosextra", "Carlito"),
    ("Cambria", "crosextra", "Caladea"),
    ("Arial", "liberation2", "LiberationSans"),
    ("Helvetica", "liberation2", "LiberationSans"),
    ("Times New Roman", "liberation2", "LiberationSerif"),
    ("Courier New", "liberation2", "LiberationMono"),
    ("Calibri Light", "crosextra", "Carlito"),
];

/// A face: family, bold, italic, its file's bytes.
type Face = (&'static str, bool, bool, Vec<u8>);

/// The fonts.
#[derive(Debug)]
pub struct Fonts(Vec<Face>);

impl Fonts {
    /// Those that are installed.
    pub fn read() -> Self {
        let mut faces = Vec::new();
        for (family, folder, file) in FAMILIES {
            for (style, bold, italic) in [
                ("Regular", false, false),
                ("Bold", true, false),
                ("Italic", false, true),
                ("BoldItalic", true, true),
            ] {
                let path = format!("/usr/share/fonts/truetype/{folder}/{file}-{style}.ttf");
                if let Ok(bytes) = std::fs::read(Path::new(&path)) {
                    faces.push((family, bold, italic, bytes));
                }
            }
        }
        Self(faces)
    }
}

/// Processor seconds of opening a deck and drawing all slides that are shown, at the size of our canvas. Registering the
/// fonts, which it asks for with every deck and we do once, is not counted.
pub fn draw(bytes: &[u8], fonts: &Fonts) -> Result<f64, Box<dyn Error>> {
    let start = processor_time();
    let mut presentation = Presentation::open(bytes)?;
    let opened = processor_time() - start;
    for (family, bold, italic, bytes) in &fonts.0 {
        presentation.register_font(family, *bold, *italic, bytes)?;
    }
    let start = processor_time();
    let size = &presentation.package().presentation;
    // Its units are pixels of 96 to the inch.
    let (width, height) = (
        size.width_emu as f32 / 9_525.0,
        size.height_emu as f32 / 9_525.0,
    );
    let options = RenderOptions {
        scale: (1_280.0 / width).min(720.0 / height),
        ..RenderOptions::default()
    };
    for (index, slide) in presentation.slides().iter().enumerate() {
        if slide.hidden != Some(true) {
            std::hint::black_box(presentation.render_png(index, &options)?);
        }
    }
    Ok(opened + processor_time() - start)
}
