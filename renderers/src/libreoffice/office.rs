// SPDX-License-Identifier: MIT OR Apache-2.0
//! PPTX to PDF.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::tool::{Ended, Workshop};
use crate::RenderError;

/// Debian's real program; `/usr/bin/soffice` leads here.
pub(super) const SOFFICE: &str = "/usr/lib/libreoffice/program/soffice";
/// The file that tells its version.
pub(super) const VERSION: &str = "/usr/lib/libreoffice/program/versionrc";
/// The executable behind the script.
pub(super) const BINARY: &str = "/usr/lib/libreoffice/program/soffice.bin";

/// Exports a deck, copied into the workshop, as PDF. The deck's path serves messages alone.
pub(super) fn to_pdf(
    workshop: &Workshop,
    deck: &Path,
    bytes: &[u8],
    limit: Duration,
) -> Result<PathBuf, RenderError> {
    let io = |source| RenderError::io("prepare LibreOffice's folder", source);
    let input = workshop.path().join("deck.pptx");
    fs_err::write(&input, bytes).map_err(io)?;
    let out = workshop.make("out").map_err(io)?;
    let profile = workshop.make("profile").map_err(io)?;
    let installation = format!("-env:UserInstallation=file://{}", profile.display());
    let (out_word, input_word) = (out.display().to_string(), input.display().to_string());
    let line = [
        SOFFICE,
        &installation,
        "--headless",
        "--norestore",
        "--nolockcheck",
        "--nodefault",
        "--nologo",
        // Without it a page or a text of the name deck.pptx would be drawn as a document.
        "--infilter=Impress MS PowerPoint 2007 XML",
        "--convert-to",
        "pdf:impress_pdf_Export",
        "--outdir",
        &out_word,
        &input_word,
    ];
    let ended = workshop
        .run(&line, limit)
        .map_err(|source| RenderError::io("start soffice", source))?;
    exported(deck, &out.join("deck.pdf"), ended, limit)
}

/// The PDF, when there is one: LibreOffice answers 0 also when it could not read the deck.
fn exported(
    deck: &Path,
    pdf: &Path,
    ended: Ended,
    limit: Duration,
) -> Result<PathBuf, RenderError> {
    let path = deck.to_owned();
    let Ended::Done {
        status,
        stdout,
        stderr,
        ..
    } = ended
    else {
        let what = "LibreOffice".to_owned();
        return Err(RenderError::DeckTimeout {
            path,
            what,
            seconds: limit.as_secs(),
        });
    };
    let size = fs_err::metadata(pdf)
        .map(|metadata| metadata.len())
        .unwrap_or_default();
    if size > 0 {
        return Ok(pdf.to_owned());
    }
    let words = format!("{stdout} {stderr}");
    let words: Vec<&str> = words.split_whitespace().take(40).collect();
    let said = if words.is_empty() {
        "nothing".to_owned()
    } else {
        words.join(" ")
    };
    let reason = format!("LibreOffice made no PDF of it ({status}; it said: {said})");
    Err(RenderError::BadOutput { path, reason })
}
