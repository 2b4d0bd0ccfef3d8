// SPDX-License-Identifier: MIT OR Apache-2.0
//! LibreOffice as anyone would call it: a deck to a PDF, the PDF to pictures of the canvas.

use std::error::Error;
use std::path::{Path, PathBuf};

use crate::measure::child;

const SOFFICE: &str = "/usr/bin/soffice";
const PDFTOPPM: &str = "/usr/bin/pdftoppm";

/// LibreOffice with a profile that is kept from deck to deck, which is in its favour.
#[derive(Debug)]
pub struct Office {
    folder: PathBuf,
}

impl Office {
    /// LibreOffice, where it is installed.
    pub fn find() -> Result<Option<Self>, Box<dyn Error>> {
        if !Path::new(SOFFICE).exists() || !Path::new(PDFTOPPM).exists() {
            return Ok(None);
        }
        let folder = std::env::temp_dir().join(format!("deckproof-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        Ok(Some(Self { folder }))
    }

    /// Processor seconds of making a PDF.
    pub fn convert(&self, deck: &Path) -> Result<f64, Box<dyn Error>> {
        let copy = self.folder.join("deck.pptx");
        std::fs::copy(deck, &copy)?;
        let profile = format!(
            "-env:UserInstallation=file://{}/profile",
            self.folder.display()
        );
        let arguments = [
            profile.as_ref(),
            "--headless".as_ref(),
            "--convert-to".as_ref(),
            "pdf".as_ref(),
            "--outdir".as_ref(),
            self.folder.as_os_str(),
            copy.as_os_str(),
        ];
        Ok(child(Path::new(SOFFICE), &arguments)?.0)
    }

    /// Processor seconds of drawing the last PDF's pages.
    pub fn pages(&self) -> Result<f64, Box<dyn Error>> {
        let (pdf, out) = (self.folder.join("deck.pdf"), self.folder.join("page"));
        let arguments = [
            "-png".as_ref(),
            "-scale-to".as_ref(),
            "1280".as_ref(),
            pdf.as_os_str(),
            out.as_os_str(),
        ];
        Ok(child(Path::new(PDFTOPPM), &arguments)?.0)
    }
}

impl Drop for Office {
    fn drop(&mut self) {
        // A folder that stays behind in the temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
