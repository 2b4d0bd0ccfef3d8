// SPDX-License-Identifier: MIT OR Apache-2.0
//! PDF to pictures that fill the canvas without being stretched.

use std::path::Path;
use std::time::Duration;

use super::tool::{Ended, Workshop};
use crate::png::{RgbImage, decode_foreign};
use crate::{CANVAS_HEIGHT, CANVAS_WIDTH, RenderError};

/// The most pages that are drawn.
const MAX_PAGES: u32 = 2000;

/// What `pdfinfo` tells.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Info {
    pages: u32,
    /// Size of the first page in points. All slides of a deck have one size.
    width: f64,
    height: f64,
}

/// How many pages a PDF has, and how many pixels each of them shall have to fit the canvas.
pub(super) struct Pages {
    pub(super) count: u32,
    width: u32,
    height: u32,
}

impl Pages {
    pub(super) fn of(
        workshop: &Workshop,
        pdf: &Path,
        limit: Duration,
    ) -> Result<Self, RenderError> {
        let name = pdf.display().to_string();
        let ended = workshop
            .run(&["pdfinfo", &name], limit)
            .map_err(|source| RenderError::io("start pdfinfo", source))?;
        let Ended::Done {
            success: true,
            stdout,
            ..
        } = &ended
        else {
            return Err(failed("pdfinfo", &ended));
        };
        let info = info(stdout).ok_or_else(|| failed("pdfinfo", &ended))?;
        if info.pages > MAX_PAGES {
            return Err(RenderError::TooManySlides {
                path: pdf.to_owned(),
                limit: MAX_PAGES,
            });
        }
        let (width, height) = fitted(info.width, info.height);
        Ok(Self {
            count: info.pages,
            width,
            height,
        })
    }

    /// Draws one page, from 1, on the canvas.
    pub(super) fn draw(
        &self,
        workshop: &Workshop,
        pdf: &Path,
        page: u32,
        limit: Duration,
    ) -> Result<RgbImage, RenderError> {
        let stem = workshop.path().join("out").join(format!("page-{page}"));
        let numbers = [page, self.width, self.height].map(|number| number.to_string());
        let [number, width, height] = &numbers;
        let (pdf_word, stem_word) = (pdf.display().to_string(), stem.display().to_string());
        let line = [
            "pdftoppm",
            "-png",
            "-singlefile",
            "-f",
            number,
            "-l",
            number,
            "-scale-to-x",
            width,
            "-scale-to-y",
            height,
            &pdf_word,
            &stem_word,
        ];
        let ended = workshop
            .run(&line, limit)
            .map_err(|source| RenderError::io("start pdftoppm", source))?;
        let picture = stem.with_extension("png");
        let bytes = fs_err::read(&picture).map_err(|_| failed("pdftoppm", &ended))?;
        // Read once, and in the way of the next page on a small disk.
        let _ = fs_err::remove_file(&picture);
        let image = decode_foreign(&bytes).map_err(|error| RenderError::ToolFailed {
            what: "pdftoppm".to_owned(),
            reason: error.to_string(),
        })?;
        Ok(image.letterboxed())
    }
}

fn failed(tool: &str, ended: &Ended) -> RenderError {
    let reason = match ended {
        Ended::TimedOut => "it did not end in time".to_owned(),
        Ended::Done { status, stderr, .. } => {
            format!(
                "{status}, {}",
                stderr
                    .split_whitespace()
                    .take(30)
                    .collect::<Vec<_>>()
                    .join(" ")
            )
        }
    };
    RenderError::ToolFailed {
        what: tool.to_owned(),
        reason,
    }
}

fn info(text: &str) -> Option<Info> {
    let field = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name))
            .map(str::trim)
    };
    let mut size = field("Page size:")?.split_whitespace();
    let width: f64 = size.next()?.parse().ok()?;
    let height: f64 = size.nth(1)?.parse().ok()?;
    let pages = field("Pages:")?.parse().ok()?;
    (width > 0.0 && height > 0.0).then_some(Info {
        pages,
        width,
        height,
    })
}

/// The largest size of the same proportions that fits the canvas, in whole pixels.
fn fitted(width: f64, height: f64) -> (u32, u32) {
    let (most_wide, most_high) = (f64::from(CANVAS_WIDTH), f64::from(CANVAS_HEIGHT));
    let scale = (most_wide / width).min(most_high / height);
    let whole = |length: f64, most: f64| {
        // Clamped to the canvas, so the conversion cannot lose anything.
        (length * scale).round().clamp(1.0, most) as u32
    };
    (whole(width, most_wide), whole(height, most_high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slides_of_every_shape_fit() {
        assert_eq!(fitted(960.0, 540.0), (1280, 720));
        assert_eq!(fitted(720.0, 540.0), (960, 720));
        assert_eq!(fitted(960.0, 400.0), (1280, 533));
        // Points are rounded in the PDF: 13.333 inches are 959.98.
        assert_eq!(fitted(959.98, 540.0), (1280, 720));
        assert_eq!(fitted(1e9, 1.0), (1280, 1));
    }

    #[test]
    fn pdfinfo_is_read_or_refused() {
        let text = "Title: x\nPages:          3\nPage size:      959.976 x 540 pts\n";
        assert_eq!(
            info(text),
            Some(Info {
                pages: 3,
                width: 959.976,
                height: 540.0
            })
        );
        assert_eq!(info("Pages: 3\n"), None);
        assert_eq!(info("Pages: 3\nPage size: 0 x 0 pts"), None);
    }
}
