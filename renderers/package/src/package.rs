// SPDX-License-Identifier: MIT OR Apache-2.0
//! The package: parts by name, read when first asked for, and the presentation they make up.

use std::borrow::Cow;
use std::sync::OnceLock;

use roxmltree::Document;

use crate::archive::{Archive, Entry};
use crate::content_types::ContentTypes;
use crate::{Limits, PackageError, Presentation, Relationships, names, presentation, xml};

const CONTENT_TYPES: &str = "[Content_Types].xml";

/// An opened PPTX package. Parts are unpacked when first asked for and kept; it can be shared between threads.
#[derive(Debug)]
pub struct Package {
    archive: Archive,
    limits: Limits,
    cells: Vec<Cell>,
    types: ContentTypes,
    presentation: Presentation,
}

/// What was read of one entry so far.
#[derive(Debug, Default)]
struct Cell {
    bytes: OnceLock<Result<Vec<u8>, PackageError>>,
    /// The part as text, where that differs from its bytes.
    text: OnceLock<Result<Option<String>, PackageError>>,
}

impl Package {
    /// Opens a package: reads the archive's directory, the content types, the presentation part and the roots of
    /// its slides, and refuses whatever breaks a rule or a limit.
    ///
    /// # Errors
    /// Any [`PackageError`]; a package that opens has a presentation whose slides all exist and parse.
    pub fn open(bytes: Vec<u8>, limits: &Limits) -> Result<Self, PackageError> {
        let archive = Archive::open(bytes, limits)?;
        let cells = archive.entries.iter().map(|_| Cell::default()).collect();
        let mut package = Self {
            archive,
            limits: limits.clone(),
            cells,
            types: ContentTypes::default(),
            presentation: Presentation::default(),
        };
        if !package.has(CONTENT_TYPES) {
            return Err(PackageError::MissingContentTypes);
        }
        package.types = ContentTypes::read(&package.document(CONTENT_TYPES)?);
        package.presentation = presentation::read(&package)?;
        Ok(package)
    }

    /// The presentation: size and slides in the order shown.
    pub fn presentation(&self) -> &Presentation {
        &self.presentation
    }

    /// The limits it was opened with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The names of all parts in the order of the archive.
    pub fn part_names(&self) -> impl Iterator<Item = &str> {
        self.archive.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Whether the package has this part. Case, percent-encoding and a leading slash do not matter.
    pub fn has(&self, part: &str) -> bool {
        self.archive.find(part).is_some()
    }

    /// The content type of a part, its own or its extension's.
    pub fn content_type(&self, part: &str) -> Option<&str> {
        self.types.of(part)
    }

    pub(crate) fn types(&self) -> &ContentTypes {
        &self.types
    }

    /// Everything that is wrong with the package, in words; empty when it is sound. See [`crate::soundness`].
    pub fn soundness(&self) -> Vec<String> {
        crate::soundness::problems(self)
    }

    fn find(&self, part: &str) -> Result<(&Entry, &Cell), PackageError> {
        let missing = || PackageError::MissingPart {
            part: part.to_owned(),
        };
        let at = self.archive.find(part).ok_or_else(missing)?;
        self.archive
            .entries
            .get(at)
            .zip(self.cells.get(at))
            .ok_or_else(missing)
    }

    /// The bytes of a part.
    ///
    /// # Errors
    /// The part is missing or cannot be unpacked.
    pub fn part(&self, part: &str) -> Result<&[u8], PackageError> {
        let (entry, cell) = self.find(part)?;
        let bytes = cell.bytes.get_or_init(|| self.archive.unpack(entry));
        bytes.as_deref().map_err(PackageError::clone)
    }

    /// The text of an XML part, decoded from UTF-8 or UTF-16, without a byte-order mark.
    ///
    /// # Errors
    /// The part is missing, cannot be unpacked, is in another encoding, too large, too deep, or has a document type.
    pub fn xml_text(&self, part: &str) -> Result<&str, PackageError> {
        let bytes = self.part(part)?;
        let (entry, cell) = self.find(part)?;
        let decode = || match xml::decode(&entry.name, bytes, &self.limits)? {
            Cow::Borrowed(text) if text.len() == bytes.len() => Ok(None),
            other => Ok(Some(other.into_owned())),
        };
        match cell.text.get_or_init(decode) {
            Ok(Some(text)) => Ok(text),
            Ok(None) => str::from_utf8(bytes).map_err(|error| PackageError::Encoding {
                part: part.to_owned(),
                detail: error.to_string(),
            }),
            Err(error) => Err(error.clone()),
        }
    }

    /// Parses an XML part. The tree is not kept: hold on to it.
    ///
    /// # Errors
    /// As [`Package::xml_text`], and when the part is not well formed.
    pub fn document(&self, part: &str) -> Result<Document<'_>, PackageError> {
        xml::parse(part, self.xml_text(part)?, &self.limits)
    }

    /// The relationships of a part, or of the package itself for the empty name; none when it has no such part.
    ///
    /// # Errors
    /// The relationships part cannot be unpacked or is no acceptable XML.
    pub fn relationships(&self, part: &str) -> Result<Relationships, PackageError> {
        let source = part.trim_start_matches('/');
        let name = names::relationships_part(source);
        if !self.has(&name) {
            return Ok(Relationships::default());
        }
        Ok(Relationships::read(source, &self.document(&name)?))
    }
}
