// SPDX-License-Identifier: MIT OR Apache-2.0
//! The renderer itself, and who it is.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use deckproof_browser::Isolation;
use deckproof_package::{Limits, Package};

use super::office::{BINARY, SOFFICE, VERSION, to_pdf};
use super::pages::Pages;
use super::tool::{Workshop, best_level};
use crate::facts::DeckFacts;
use crate::fonts::FontSet;
use crate::{
    Deck, Diagnostic, Picture, RenderError, RenderOptions, Renderer, RendererIdentity, Rendering,
    sha256_file, sha256_hex,
};

/// Largest package read.
const MAX_PACKAGE: u64 = 512 << 20;
/// Where pictures are made from PDF.
const PDFTOPPM: &str = "/usr/bin/pdftoppm";

/// How LibreOffice is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LibreOfficeOptions {
    /// The longest that one export, or the drawing of one page, may take.
    pub limit: Duration,
}

impl Default for LibreOfficeOptions {
    fn default() -> Self {
        Self {
            limit: Duration::from_secs(120),
        }
    }
}

/// Draws PPTX decks by LibreOffice and poppler.
#[derive(Debug)]
pub struct LibreOffice {
    options: LibreOfficeOptions,
    identity: RendererIdentity,
    fontconfig: String,
    level: Isolation,
}

impl LibreOffice {
    /// Finds the programs and the fonts. Starts nothing.
    ///
    /// # Errors
    /// When LibreOffice, poppler or the fonts are absent.
    pub fn new(options: LibreOfficeOptions) -> Result<Self, RenderError> {
        present(
            SOFFICE,
            "LibreOffice (Debian's package libreoffice-impress-nogui)",
        )?;
        present(PDFTOPPM, "pdftoppm (Debian's package poppler-utils)")?;
        let fonts = FontSet::find()?;
        let level = best_level();
        Ok(Self {
            options,
            identity: identity(&fonts, level)?,
            fontconfig: fonts.fontconfig(),
            level,
        })
    }

    fn once(&self, deck: &Deck, options: &RenderOptions) -> Result<Rendering, RenderError> {
        let path = deck.entry_path();
        let bytes = package(&path)?;
        let workshop = Workshop::new(self.level, &self.fontconfig)
            .map_err(|source| RenderError::io("make LibreOffice's folder", source))?;
        let facts = options.facts.then(|| facts(&path, &bytes)).transpose()?;
        let pdf = to_pdf(&workshop, &path, &bytes, self.options.limit)?;
        let pages = Pages::of(&workshop, &pdf, self.options.limit)?;
        options.within(&path, pages.count)?;
        let selection = options.slides.as_ref();
        let wanted =
            (1..=pages.count).filter(|page| selection.is_none_or(|slides| slides.contains(*page)));
        let slides = wanted
            .map(|page| self.picture(&workshop, &pages, &pdf, &path, page))
            .collect::<Result<Vec<_>, _>>()?;
        self.rendering(&path, pages.count, slides, options)
            .map(|rendering| Rendering { facts, ..rendering })
    }

    fn picture(
        &self,
        workshop: &Workshop,
        pages: &Pages,
        pdf: &Path,
        deck: &Path,
        page: u32,
    ) -> Result<Picture, RenderError> {
        let image = pages.draw(workshop, pdf, page, self.options.limit)?;
        Picture::from_image(page, &image).map_err(|error| RenderError::BadOutput {
            path: deck.to_owned(),
            reason: format!("the picture of slide {page}: {error}"),
        })
    }

    fn rendering(
        &self,
        path: &Path,
        slide_count: u32,
        slides: Vec<Picture>,
        options: &RenderOptions,
    ) -> Result<Rendering, RenderError> {
        let path = path.to_owned();
        match (&options.slides, slides.is_empty()) {
            (Some(selection), true) => {
                let wanted = selection.to_string();
                return Err(RenderError::NoSuchSlide {
                    path,
                    wanted,
                    count: slide_count,
                });
            }
            (None, true) => {
                let reason = "LibreOffice exported no page".to_owned();
                return Err(RenderError::NoSlides { path, reason });
            }
            (_, false) => {}
        }
        let mut diagnostics = self.remarks();
        diagnostics.extend(crate::rendering::oddities(&slides));
        Ok(Rendering {
            identity: self.identity.clone(),
            slides,
            slide_count,
            diagnostics,
            compared: crate::Compared::default(),
            explanation: vec![
                "pages of the PDF that LibreOffice exports; hidden slides are not among them"
                    .to_owned(),
            ],
            facts: None,
            milliseconds: 0,
        })
    }

    fn remarks(&self) -> Vec<Diagnostic> {
        let open = self.level != Isolation::Netns;
        let remark = "LibreOffice ran with the machine's network: no namespace is possible here";
        open.then(|| Diagnostic::deck("isolation", remark))
            .into_iter()
            .collect()
    }
}

impl Renderer for LibreOffice {
    fn identity(&self) -> &RendererIdentity {
        &self.identity
    }

    fn render(&mut self, deck: &Deck, options: &RenderOptions) -> Result<Rendering, RenderError> {
        let start = Instant::now();
        let mut first = self.once(deck, options)?;
        if options.twice {
            first.compared.twice = true;
            let second = self.once(deck, options)?;
            first
                .diagnostics
                .extend(crate::rendering::differences(&first.slides, &second.slides));
        }
        first.milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(first)
    }
}

/// The package's bytes, of a regular file that begins as a package does.
fn package(path: &Path) -> Result<Vec<u8>, RenderError> {
    let bad = |found: String| RenderError::BadEntry {
        path: path.to_owned(),
        found,
        expected: "a PPTX package of at most 512 MB".to_owned(),
    };
    let metadata = match fs_err::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(RenderError::EntryMissing {
                path: path.to_owned(),
            });
        }
        Err(error) => return Err(bad(error.to_string())),
    };
    if !metadata.is_file() || metadata.len() > MAX_PACKAGE {
        return Err(bad("it is no regular file, or a larger one".to_owned()));
    }
    let mut bytes = Vec::new();
    let read = fs_err::File::open(path).and_then(|f| f.take(MAX_PACKAGE).read_to_end(&mut bytes));
    read.map_err(|error| bad(error.to_string()))?;
    if !bytes.starts_with(b"PK\x03\x04") {
        return Err(bad("it is no ZIP file".to_owned()));
    }
    Ok(bytes)
}

/// The facts, which come from the package and not from what LibreOffice drew. Unlike pictures they
/// cover hidden slides, so their numbers are places in the package.
fn facts(path: &Path, bytes: &[u8]) -> Result<DeckFacts, RenderError> {
    let bad = |reason: String| RenderError::BadOutput {
        path: path.to_owned(),
        reason,
    };
    let package = Package::open(bytes.to_vec(), &Limits::default());
    let package = package.map_err(|error| bad(error.to_string()))?;
    crate::facts::pptx::read(&package).map_err(|error| bad(error.to_string()))
}

fn present(program: &str, what: &str) -> Result<(), RenderError> {
    if Path::new(program).is_file() {
        return Ok(());
    }
    Err(RenderError::ToolMissing {
        what: what.to_owned(),
        reason: format!("no file {program}"),
    })
}

fn identity(fonts: &FontSet, level: Isolation) -> Result<RendererIdentity, RenderError> {
    let files = [SOFFICE, VERSION, BINARY, PDFTOPPM];
    let hashes = files
        .iter()
        .map(|file| sha256_file(&PathBuf::from(file)).map(|hash| format!("{hash} {file}\n")))
        .collect::<Result<String, _>>()
        .map_err(|source| RenderError::io("hash LibreOffice", source))?;
    Ok(RendererIdentity {
        name: "libreoffice".to_owned(),
        version: version(),
        executable_sha256: sha256_hex(hashes.as_bytes()),
        fonts_sha256: fonts.sha256().to_owned(),
        flags: vec![
            "pdf:impress_pdf_Export".to_owned(),
            format!("isolation={}", level.name()),
        ],
        // Fields such as today's date are drawn as of now.
        deterministic: false,
    })
}

/// The version from LibreOffice's own file; what the package manager knows is not asked.
fn version() -> String {
    let text = fs_err::read_to_string(VERSION).unwrap_or_default();
    let field = |name: &str| {
        text.lines()
            .find_map(|line| line.strip_prefix(name))
            .map(str::to_owned)
    };
    let id = field("UpdateID=").unwrap_or_default();
    let series: Vec<&str> = id.split('_').skip(1).take(1).collect();
    let build = field("buildid=").unwrap_or_else(|| "unknown".to_owned());
    format!(
        "{} build {build}",
        series.first().copied().unwrap_or("unknown")
    )
}
