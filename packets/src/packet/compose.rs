// SPDX-License-Identifier: MIT OR Apache-2.0
//! From what a comparison has to the files of its packet.

use std::path::Path;

use crate::hash::Sha256Hex;
use crate::json::{self, Arena, Limits};
use crate::mapping::{Label, PacketId};
use crate::relpath::RelPath;

use super::contents::{Contents, Files};
use super::document::{AssetName, ByLabel, FileEntry, Form, PacketDocument, PacketSchema};
use super::error::PacketError;
use super::page::{self, PageDocument, PageTexts};
use super::{CANVAS, form, layout};

/// Most bytes of one document: the brief, the prompt, the requirements, an amendment.
const MAX_DOCUMENT: usize = 1 << 20;
/// Most bytes of all documents together.
const MAX_DOCUMENTS: usize = 4 << 20;

/// All that goes into a packet. Nothing in it may name the case, an arm or the newer deck.
#[derive(Debug, Clone)]
pub struct PacketInput {
    /// The packet's id.
    pub id: PacketId,
    /// The mapping's commitment.
    pub commitment: Sha256Hex,
    /// Each label's pictures in slide order, as the one encoder wrote them.
    pub pictures: ByLabel<Vec<Vec<u8>>>,
    /// The neutral requirements, as JSON.
    pub requirements: Vec<u8>,
    /// The brief, as Markdown.
    pub brief: Vec<u8>,
    /// The amendments in numeric order.
    pub amendments: Vec<Document>,
    /// The source assets in the suite's order.
    pub assets: Vec<Asset>,
    /// The review prompt, as Markdown.
    pub prompt: Vec<u8>,
    /// What is asked.
    pub form: Form,
    /// What kind of job the decks did, in words for the reviewer.
    pub mode: String,
}

/// A text of the suite's author.
#[derive(Debug, Clone)]
pub struct Document {
    /// How it is written.
    pub kind: DocumentKind,
    /// Its bytes, UTF-8.
    pub bytes: Vec<u8>,
}

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// JSON.
    Json,
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
}

impl DocumentKind {
    /// The kind of a file whose name ends so, without the dot.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "json" => Some(Self::Json),
            "md" => Some(Self::Markdown),
            "txt" => Some(Self::Text),
            _ => None,
        }
    }

    /// How such a file's name ends, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Markdown => "md",
            Self::Text => "txt",
        }
    }
}

/// A source asset. Both decks of a comparison have the same ones.
#[derive(Debug, Clone)]
pub struct Asset {
    /// What the requirements call it: a file name without folders; empty when they do not.
    pub name: String,
    /// How its name ends, without the dot: lower-case letters and digits, at most eight.
    pub extension: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The files of the packet that is to lie at `folder`.
pub(super) fn compose(folder: &Path, input: &PacketInput) -> Result<Contents, PacketError> {
    let mut files = Files::new();
    add_pictures(&mut files, input)?;
    let assets = add_assets(&mut files, input)?;
    let texts = add_documents(&mut files, input, assets)?;
    let form = form::form(&input.id, &input.form).map_err(unwritable)?;
    let page = page::page(&texts).map_err(unwritable)?;
    let mut entries: Vec<FileEntry> = files
        .iter()
        .map(|(path, bytes)| entry(path, bytes))
        .collect();
    for (name, blank) in [(layout::PAGE, &page), (layout::RESPONSE, &form)] {
        entries.push(entry(&path(name)?, blank.bytes()));
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let bytes = json::pretty(&document(input, texts, entries)?).map_err(unwritable)?;
    let packet_sha256 = Sha256Hex::of(&bytes);
    files.insert(path(layout::PACKET)?, bytes);
    files.insert(path(layout::PAGE)?, page.stamped(&packet_sha256));
    files.insert(path(layout::RESPONSE)?, form.stamped(&packet_sha256));
    let origin = folder.display().to_string();
    Ok(Contents {
        origin,
        id: None,
        files,
        empty: None,
    })
}

fn document(
    input: &PacketInput,
    texts: PageTexts,
    files: Vec<FileEntry>,
) -> Result<PacketDocument, PacketError> {
    let stamped = layout::STAMPED
        .map(path)
        .into_iter()
        .collect::<Result<_, _>>()?;
    Ok(PacketDocument {
        schema: PacketSchema::V1,
        packet: input.id.clone(),
        commitment: input.commitment.clone(),
        mode: texts.mode,
        canvas: CANVAS,
        slides: texts.slides,
        form: texts.form,
        assets: texts.assets,
        stamped,
        files,
    })
}

/// What `packet.json` says of a file.
pub(super) fn entry(path: &RelPath, bytes: &[u8]) -> FileEntry {
    FileEntry {
        path: path.clone(),
        bytes: bytes.len() as u64,
        sha256: Sha256Hex::of(bytes),
    }
}

fn add_pictures(files: &mut Files, input: &PacketInput) -> Result<(), PacketError> {
    for label in Label::BOTH {
        let pictures = input.pictures.get(label);
        at_most(
            &format!("slides of {label}"),
            pictures.len(),
            layout::MAX_NUMBERED,
        )?;
        for (number, bytes) in (1..).zip(pictures) {
            files.insert(path(&layout::picture(label, number))?, bytes.clone());
        }
    }
    Ok(())
}

fn add_assets(files: &mut Files, input: &PacketInput) -> Result<Vec<AssetName>, PacketError> {
    at_most("assets", input.assets.len(), layout::MAX_ASSETS)?;
    let mut names = Vec::new();
    for (number, asset) in (1..).zip(&input.assets) {
        let what = format!("asset {number}");
        if !layout::is_extension(&asset.extension) {
            let found = format!("the extension `{}`", asset.extension.escape_debug());
            let expected = "one to eight lower-case letters and digits";
            return Err(fault(&what, found, expected));
        }
        if asset
            .name
            .contains(|c: char| c.is_control() || c == '/' || c == '\\')
        {
            let found = format!("the name `{}`", asset.name.escape_debug());
            return Err(fault(&what, found, "a file name without folders"));
        }
        let path = path(&layout::asset(number, &asset.extension))?;
        files.insert(path.clone(), asset.bytes.clone());
        let name = asset.name.clone();
        names.push(AssetName { path, name });
    }
    Ok(names)
}

/// Adds the texts and gives them to the page.
fn add_documents(
    files: &mut Files,
    input: &PacketInput,
    assets: Vec<AssetName>,
) -> Result<PageTexts, PacketError> {
    at_most("amendments", input.amendments.len(), layout::MAX_NUMBERED)?;
    strict(layout::REQUIREMENTS, &input.requirements)?;
    let mut add = |name: &str, bytes: &[u8]| -> Result<String, PacketError> {
        let text = text(name, bytes)?;
        files.insert(path(name)?, bytes.to_vec());
        Ok(text)
    };
    let mut amendments = Vec::new();
    for (number, document) in (1..).zip(&input.amendments) {
        let name = layout::amendment(number, document.kind);
        if document.kind == DocumentKind::Json {
            strict(&name, &document.bytes)?;
        }
        amendments.push(PageDocument::new(
            document.kind,
            add(&name, &document.bytes)?,
        ));
    }
    let texts = PageTexts {
        packet: input.id.clone(),
        mode: input.mode.clone(),
        slides: ByLabel {
            a: input.pictures.a.len(),
            b: input.pictures.b.len(),
        },
        form: input.form.clone(),
        requirements: add(layout::REQUIREMENTS, &input.requirements)?,
        brief: add(layout::BRIEF, &input.brief)?,
        prompt: add(layout::PROMPT, &input.prompt)?,
        amendments,
        assets,
    };
    at_most("bytes of all documents", texts.bytes(), MAX_DOCUMENTS)?;
    Ok(texts)
}

fn strict(name: &str, bytes: &[u8]) -> Result<(), PacketError> {
    json::parse(name, bytes, &Limits::default(), &Arena::new())?;
    Ok(())
}

/// A document's text.
fn text(name: &str, bytes: &[u8]) -> Result<String, PacketError> {
    at_most(&format!("bytes of {name}"), bytes.len(), MAX_DOCUMENT)?;
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let found = format!("invalid UTF-8 after byte {}", error.valid_up_to());
            Err(fault(name, found, "UTF-8 text"))
        }
    }
}

fn at_most(what: &str, found: usize, limit: usize) -> Result<(), PacketError> {
    if found <= limit {
        return Ok(());
    }
    Err(fault(what, found.to_string(), &format!("at most {limit}")))
}

fn path(text: &str) -> Result<RelPath, PacketError> {
    text.parse()
        .map_err(|error: crate::relpath::BadPath| fault(text, error.to_string(), "a path"))
}

fn unwritable(error: serde_json::Error) -> PacketError {
    fault(
        "packet.json",
        error.to_string(),
        "a document that JSON can hold",
    )
}

fn fault(what: &str, found: String, expected: &str) -> PacketError {
    PacketError::Input {
        what: what.to_owned(),
        found,
        expected: expected.to_owned(),
    }
}
