// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a package was refused: one variant for each thing that a person would mend differently.

use thiserror::Error;

/// A package, or a part of it, that cannot be used. Cloneable, because the outcome of reading a part is cached.
/// Messages name the part; the caller, who knows the file's path, puts it in front.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PackageError {
    /// A file of zero bytes.
    #[error("the file is empty; expected a PPTX package")]
    Empty,
    /// The file is larger than [`crate::Limits::file_bytes`].
    #[error("the file has {found} bytes; at most {limit} are read")]
    FileTooLarge {
        /// Bytes found.
        found: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// An OLE compound file that holds an encrypted package (MS-OFFCRYPTO).
    #[error(
        "the deck is encrypted with a password; expected a plain PPTX package: save it without a password"
    )]
    Encrypted,
    /// An OLE compound file that is no encrypted package: the format of PowerPoint 97-2003, for one.
    #[error(
        "the file is an OLE compound file ({found}); expected a PPTX package: save it as .pptx"
    )]
    CompoundFile {
        /// What the compound file seems to be.
        found: &'static str,
    },
    /// The first bytes are not those of a zip archive.
    #[error("the file is no zip archive (it starts with {found}); expected a PPTX package")]
    NotZip {
        /// The first bytes, escaped.
        found: String,
    },
    /// A zip archive that ends before its directory does.
    #[error("the zip archive is cut off or damaged: {detail}; make the deck again")]
    Truncated {
        /// What the zip reader found.
        detail: String,
    },
    /// A zip archive whose headers contradict each other, so that two readers would see two decks.
    #[error(
        "the zip archive is inconsistent: {detail}; make the deck again with an ordinary zip writer"
    )]
    Inconsistent {
        /// What contradicts what.
        detail: String,
    },
    /// More entries than [`crate::Limits::entries`].
    #[error("the archive has {found} entries; at most {limit} are read")]
    TooManyEntries {
        /// Entries found.
        found: usize,
        /// Entries allowed.
        limit: usize,
    },
    /// A part is larger than [`crate::Limits::part_bytes`].
    #[error("part {part:?} unpacks to {found} bytes; at most {limit} are read")]
    PartTooLarge {
        /// The part's name.
        part: String,
        /// Uncompressed bytes found.
        found: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// All parts together are larger than [`crate::Limits::total_bytes`].
    #[error("the parts unpack to {found} bytes together; at most {limit} are read")]
    TotalTooLarge {
        /// Uncompressed bytes found.
        found: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A part that unpacks to suspiciously more than it occupies: a zip bomb.
    #[error(
        "part {part:?} unpacks from {packed} to {found} bytes; at most {limit} bytes for each packed one are read"
    )]
    Ratio {
        /// The part's name.
        part: String,
        /// Compressed bytes.
        packed: u64,
        /// Uncompressed bytes.
        found: u64,
        /// Uncompressed bytes allowed for each compressed one.
        limit: u64,
    },
    /// A part name that breaks the rules of ECMA-376-2, 6.2.2.
    #[error(
        "the archive has an entry {name:?}, which {why}; expected relative names with '/' between folders"
    )]
    BadName {
        /// The entry's name.
        name: String,
        /// The rule it breaks.
        why: &'static str,
    },
    /// Two entries with one name, letters' case and percent-encoding apart.
    #[error("the archive has two entries named {name:?}; which one counts is not defined")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A symbolic link or another special file in the archive.
    #[error("entry {name:?} is a link or a special file; expected plain files")]
    SpecialFile {
        /// The entry's name.
        name: String,
    },
    /// An entry under zip encryption.
    #[error("part {part:?} is encrypted; expected a plain PPTX package")]
    EncryptedPart {
        /// The part's name.
        part: String,
    },
    /// A compression method other than stored and deflated, the two that ECMA-376-2 allows.
    #[error("part {part:?} is packed with {method}; expected \"stored\" or \"deflated\"")]
    Method {
        /// The part's name.
        part: String,
        /// The method's name.
        method: String,
    },
    /// Unpacking a part failed: bad checksum, bad stream, wrong length.
    #[error("part {part:?} cannot be unpacked: {detail}; make the deck again")]
    Unreadable {
        /// The part's name.
        part: String,
        /// What the reader found.
        detail: String,
    },
    /// A part that is asked for and absent.
    #[error("part {part:?} is missing from the package")]
    MissingPart {
        /// The part's name.
        part: String,
    },
    /// No `[Content_Types].xml`: an archive, but no package.
    #[error("the zip archive has no [Content_Types].xml; expected a PPTX package")]
    MissingContentTypes,
    /// A package whose main part is no presentation.
    #[error(
        "the package is no presentation: {found}; expected a main part of a PresentationML type"
    )]
    NotPresentation {
        /// What its main part is.
        found: String,
    },
    /// XML that is not well formed, too large, too deep or too intricate.
    #[error("part {part:?} is not acceptable XML: {detail}")]
    Xml {
        /// The part's name.
        part: String,
        /// What is wrong, with line and column where known.
        detail: String,
    },
    /// XML with a document type declaration, which can name outside files and expand without bound.
    #[error(
        "part {part:?} has a document type declaration, which Office files never have; remove it"
    )]
    Dtd {
        /// The part's name.
        part: String,
    },
    /// Bytes that are no UTF-8 or UTF-16 (the two encodings that ECMA-376-2 allows).
    #[error("part {part:?} is not in UTF-8 or UTF-16: {detail}")]
    Encoding {
        /// The part's name.
        part: String,
        /// What was found.
        detail: String,
    },
    /// The presentation part contradicts itself: a slide that does not resolve, a size of zero, …
    #[error("the presentation part {part:?} is damaged: {detail}")]
    Presentation {
        /// The part's name.
        part: String,
        /// What is wrong.
        detail: String,
    },
}
