// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules that every packet is held to, when it is built and when it comes back.

use std::collections::BTreeSet;

use crate::hash::Sha256Hex;
use crate::json::{self, Limits};
use crate::mapping::Label;
use crate::relpath::RelPath;

use super::compose::entry;
use super::contents::Contents;
use super::document::{ByLabel, FileEntry, PacketDocument};
use super::error::PacketError;
use super::layout::{self, Role};
use super::{CANVAS, form, picture, stamp};

/// A packet that keeps every rule, and the hashes that a review of it is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedPacket {
    /// What `packet.json` says.
    pub document: PacketDocument,
    /// SHA-256 of `packet.json`, which stands for the packet as a whole.
    pub packet_sha256: Sha256Hex,
    /// SHA-256 of the review prompt.
    pub prompt_sha256: Sha256Hex,
    /// SHA-256 of the neutral requirements.
    pub requirements_sha256: Sha256Hex,
    /// The hash of each label's render set: SHA-256 over lines `index NUL hash LF`, from 1.
    pub render_set_sha256: ByLabel<Sha256Hex>,
    /// Each label's picture hashes in slide order.
    pub pictures: ByLabel<Vec<Sha256Hex>>,
}

pub(super) fn check(contents: &Contents) -> Result<VerifiedPacket, PacketError> {
    check_with(contents, &BTreeSet::new())
}

/// As [`check`]; pictures of the hashes `decoded` are known to be sound.
pub(super) fn check_with(
    contents: &Contents,
    decoded: &BTreeSet<Sha256Hex>,
) -> Result<VerifiedPacket, PacketError> {
    let check = Check { contents };
    let bytes = check.bytes(layout::PACKET)?;
    let packet_sha256 = Sha256Hex::of(bytes);
    let document = check.document(bytes)?;
    check.id(&document)?;
    check.listing(&document)?;
    check.names(&document)?;
    check.hashes(&document, &packet_sha256)?;
    check.form(&document, &packet_sha256)?;
    let pictures = check.pictures(&document, decoded)?;
    let hash_of = |name| Ok::<_, PacketError>(Sha256Hex::of(check.bytes(name)?));
    Ok(VerifiedPacket {
        packet_sha256,
        prompt_sha256: hash_of(layout::PROMPT)?,
        requirements_sha256: hash_of(layout::REQUIREMENTS)?,
        render_set_sha256: ByLabel {
            a: render_set_sha256(&pictures.a),
            b: render_set_sha256(&pictures.b),
        },
        pictures,
        document,
    })
}

/// The hash of a render set, as product rule 7.4 has it.
fn render_set_sha256(pictures: &[Sha256Hex]) -> Sha256Hex {
    let mut lines = Vec::with_capacity(pictures.len() * 70);
    for (index, hash) in (1_usize..).zip(pictures) {
        lines.extend_from_slice(format!("{index}\0{hash}\n").as_bytes());
    }
    Sha256Hex::of(&lines)
}

struct Check<'a> {
    contents: &'a Contents,
}

impl<'a> Check<'a> {
    fn bytes(&self, name: &str) -> Result<&'a [u8], PacketError> {
        let path = name.parse::<RelPath>().ok();
        let bytes = path.and_then(|path| self.contents.files.get(&path));
        bytes
            .map(Vec::as_slice)
            .ok_or_else(|| PacketError::Missing {
                file: self.contents.name(name),
            })
    }

    /// `packet.json` is strict, in the one form of its text, and right about what never changes.
    fn document(&self, bytes: &[u8]) -> Result<PacketDocument, PacketError> {
        let file = self.contents.name(layout::PACKET);
        let limits = Limits {
            bytes: 4 << 20,
            depth: 8,
            values: 100_000,
        };
        let document: PacketDocument = json::read_within(&file, bytes, &limits)?;
        if json::pretty(&document).ok().as_deref() != Some(bytes) {
            let expected = "the one that packets are written in, to the byte";
            return Err(self.fault(layout::PACKET, "another order or spacing", expected));
        }
        if document.canvas != CANVAS {
            let found = format!("{}x{}", document.canvas.width, document.canvas.height);
            return Err(self.fault(layout::PACKET, &found, "the canvas 1280x720"));
        }
        if !document
            .stamped
            .iter()
            .map(RelPath::as_str)
            .eq(layout::STAMPED)
        {
            let found = format!("stamped {:?}", document.stamped);
            return Err(self.fault(layout::PACKET, &found, "page.html and response.json"));
        }
        match document.form.fault() {
            Some((found, expected)) => Err(self.fault(layout::PACKET, &found, expected)),
            None => Ok(document),
        }
    }

    /// Inside a zip all lies below the packet's id.
    fn id(&self, document: &PacketDocument) -> Result<(), PacketError> {
        match &self.contents.id {
            Some(id) if *id != document.packet => {
                let found = format!("the packet {}", document.packet);
                let expected = format!("{id}, as the folder in the zip is called");
                Err(self.fault(layout::PACKET, &found, &expected))
            }
            _ => Ok(()),
        }
    }

    /// Names are those that packets have, and numbers run from 1 without a gap.
    fn names(&self, document: &PacketDocument) -> Result<(), PacketError> {
        let mut counts = (ByLabel::<usize>::default(), 0, 0);
        for path in self.contents.files.keys() {
            let (count, number) = match layout::role(path) {
                None => return Err(self.extra(path)),
                Some(Role::Always) => continue,
                Some(Role::Picture(label, number)) => (counts.0.get_mut(label), number),
                Some(Role::Amendment(number)) => (&mut counts.1, number),
                Some(Role::Asset(number)) => (&mut counts.2, number),
            };
            *count += 1;
            if *count != number {
                let expected = format!("number {count} next");
                return Err(self.fault(path.as_str(), &format!("number {number}"), &expected));
            }
        }
        self.counts(document, &counts.0)
    }

    fn counts(&self, document: &PacketDocument, found: &ByLabel<usize>) -> Result<(), PacketError> {
        for label in Label::BOTH {
            let (found, stated) = (*found.get(label), *document.slides.get(label));
            if found != stated || found == 0 {
                let found = format!("{stated} slides of {label}");
                let expected = "the number of its pictures, at least one";
                return Err(self.fault(layout::PACKET, &found, expected));
            }
        }
        let assets = self
            .contents
            .files
            .keys()
            .filter(|path| path.as_str().starts_with("assets/"));
        if document.assets.iter().map(|asset| &asset.path).eq(assets) {
            return Ok(());
        }
        let expected = "one for each file in assets/, in order";
        Err(self.fault(layout::PACKET, "a list of other assets", expected))
    }

    /// The files are those that `packet.json` names, sorted, and those that every packet has.
    fn listing(&self, document: &PacketDocument) -> Result<(), PacketError> {
        layout::ALWAYS
            .iter()
            .try_for_each(|name| self.bytes(name).map(drop))?;
        let mut named = document.files.iter().map(|entry| &entry.path);
        for (path, _) in self.named() {
            match named.next() {
                Some(expected) if expected == path => {}
                Some(expected) if expected < path => return Err(self.missing(expected)),
                _ => return Err(self.extra(path)),
            }
        }
        if let Some(expected) = named.next() {
            return Err(self.missing(expected));
        }
        match self.contents.empty.clone() {
            Some(file) => Err(PacketError::Extra { file }),
            None => Ok(()),
        }
    }

    /// The files that `packet.json` names.
    fn named(&self) -> impl Iterator<Item = (&RelPath, &Vec<u8>)> {
        let files = self.contents.files.iter();
        files.filter(|(path, _)| path.as_str() != layout::PACKET)
    }

    /// Every file has the bytes that `packet.json` names.
    fn hashes(&self, document: &PacketDocument, packet: &Sha256Hex) -> Result<(), PacketError> {
        let mut pairs = document.files.iter().zip(self.named());
        pairs.try_for_each(|(expected, (_, bytes))| self.entry(expected, bytes, packet))
    }

    fn entry(
        &self,
        expected: &FileEntry,
        bytes: &[u8],
        packet: &Sha256Hex,
    ) -> Result<(), PacketError> {
        let name = expected.path.as_str();
        let found = if layout::STAMPED.contains(&name) {
            let Some(blank) = stamp::blanked(bytes, packet) else {
                let expected = format!("{packet}, once");
                return Err(self.fault(name, "another packet's hash, or none", &expected));
            };
            entry(&expected.path, &blank)
        } else {
            entry(&expected.path, bytes)
        };
        if found == *expected {
            return Ok(());
        }
        if found.sha256 == expected.sha256 {
            let stated = format!("{} bytes for `{name}`", expected.bytes);
            return Err(self.fault(layout::PACKET, &stated, &found.bytes.to_string()));
        }
        Err(PacketError::Changed {
            file: self.contents.name(name),
            found: found.sha256,
            expected: expected.sha256.clone(),
        })
    }

    /// The form asks what `packet.json` says is asked, and nothing is filled in.
    fn form(&self, document: &PacketDocument, packet: &Sha256Hex) -> Result<(), PacketError> {
        let found = self.bytes(layout::RESPONSE)?;
        let form = form::form(&document.packet, &document.form).ok();
        if form.is_some_and(|form| form.stamped(packet) == found) {
            return Ok(());
        }
        let expected = "the empty form for the dimensions in packet.json";
        Err(self.fault(layout::RESPONSE, "another form", expected))
    }

    fn pictures(
        &self,
        document: &PacketDocument,
        decoded: &BTreeSet<Sha256Hex>,
    ) -> Result<ByLabel<Vec<Sha256Hex>>, PacketError> {
        let mut hashes = ByLabel::<Vec<_>>::default();
        for label in Label::BOTH {
            for number in 1..=*document.slides.get(label) {
                let name = layout::picture(label, number);
                let bytes = self.bytes(&name)?;
                let hash = Sha256Hex::of(bytes);
                if !decoded.contains(&hash)
                    && let Some((found, expected)) = picture::fault(bytes)
                {
                    return Err(self.fault(&name, &found, expected));
                }
                hashes.get_mut(label).push(hash);
            }
        }
        Ok(hashes)
    }

    fn fault(&self, name: &str, found: &str, expected: &str) -> PacketError {
        PacketError::Content {
            file: self.contents.name(name),
            found: found.to_owned(),
            expected: expected.to_owned(),
        }
    }

    fn extra(&self, path: &RelPath) -> PacketError {
        PacketError::Extra {
            file: self.contents.name(path.as_str()),
        }
    }

    fn missing(&self, path: &RelPath) -> PacketError {
        PacketError::Missing {
            file: self.contents.name(path.as_str()),
        }
    }
}
