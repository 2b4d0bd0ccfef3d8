// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names that a packet's files have. There are no others, so that no name can say anything.

use crate::mapping::Label;
use crate::relpath::RelPath;

use super::compose::DocumentKind;

/// What `packet.json` is called.
pub(super) const PACKET: &str = "packet.json";
/// The page that a person reviews with.
pub(super) const PAGE: &str = "page.html";
/// The empty response.
pub(super) const RESPONSE: &str = "response.json";
/// The neutral requirements.
pub(super) const REQUIREMENTS: &str = "requirements.json";
/// The brief.
pub(super) const BRIEF: &str = "brief.md";
/// The review prompt.
pub(super) const PROMPT: &str = "prompt.md";
/// The names that every packet has.
pub(super) const ALWAYS: [&str; 6] = [BRIEF, PACKET, PAGE, PROMPT, REQUIREMENTS, RESPONSE];
/// The files that carry the packet's hash, sorted.
pub(super) const STAMPED: [&str; 2] = [PAGE, RESPONSE];

/// Most slides of a deck and most amendments: what three digits can number.
pub(super) const MAX_NUMBERED: usize = 999;
/// Most assets: what two digits can number.
pub(super) const MAX_ASSETS: usize = 99;

/// What a file of a packet is, told by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// One of the six that every packet has.
    Always,
    /// A slide of a label, by number from 1.
    Picture(Label, usize),
    /// An amendment, by number from 1.
    Amendment(usize),
    /// A source asset, by number from 1.
    Asset(usize),
}

/// The role of `path`, or `None` when no file of a packet is called so.
pub(super) fn role(path: &RelPath) -> Option<Role> {
    let path = path.as_str();
    if ALWAYS.contains(&path) {
        return Some(Role::Always);
    }
    let (folder, name) = path.split_once('/')?;
    let (stem, extension) = name.split_once('.')?;
    match folder {
        "A" | "B" if extension == "png" => {
            let label = if folder == "A" { Label::A } else { Label::B };
            Some(Role::Picture(label, number(stem, "slide-", 3)?))
        }
        "amendments" => {
            DocumentKind::from_extension(extension)?;
            Some(Role::Amendment(number(stem, "amendment-", 3)?))
        }
        "assets" if is_extension(extension) => Some(Role::Asset(number(stem, "asset-", 2)?)),
        _ => None,
    }
}

/// The path of a slide's picture.
pub(super) fn picture(label: Label, number: usize) -> String {
    format!("{label}/slide-{number:03}.png")
}

/// The path of an amendment.
pub(super) fn amendment(number: usize, kind: DocumentKind) -> String {
    format!("amendments/amendment-{number:03}.{}", kind.extension())
}

/// The path of an asset.
pub(super) fn asset(number: usize, extension: &str) -> String {
    format!("assets/asset-{number:02}.{extension}")
}

/// Whether `text` may end an asset's name: up to eight lower-case letters and digits.
pub(super) fn is_extension(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=8).contains(&text.len()) && text.bytes().all(plain)
}

fn number(stem: &str, prefix: &str, digits: usize) -> Option<usize> {
    let text = stem.strip_prefix(prefix)?;
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse().ok())??;
    (number > 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_roles_agree() {
        let role_of = |path: &str| role(&path.parse().unwrap());
        for (path, expected) in [
            (picture(Label::A, 1), Role::Picture(Label::A, 1)),
            (picture(Label::B, 999), Role::Picture(Label::B, 999)),
            (amendment(2, DocumentKind::Json), Role::Amendment(2)),
            (asset(10, "jpeg"), Role::Asset(10)),
            ("page.html".to_owned(), Role::Always),
        ] {
            assert_eq!(role_of(&path), Some(expected), "{path}");
        }
        for odd in [
            "A/slide-1.png",
            "A/slide-000.png",
            "A/slide-0001.png",
            "A/slide-+01.png",
            "C/slide-001.png",
            "A/slide-001.jpg",
            "A/slide-001.png/x",
            "amendments/amendment-001.exe",
            "assets/asset-01.PNG",
            "assets/asset-01.a.b",
            "assets/new.png",
            "notes.md",
            "A",
        ] {
            assert_eq!(role_of(odd), None, "{odd}");
        }
    }
}
