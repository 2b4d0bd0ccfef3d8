// SPDX-License-Identifier: MIT OR Apache-2.0
//! From the bytes of an XML part to text that can be parsed without surprise.
//!
//! The parser itself is bounded in nodes, but takes quadratic time over the attributes of one element and over the
//! namespaces in scope, and sets no limit on depth. A quick look over the tags settles all three beforehand.

use std::borrow::Cow;

use roxmltree::{Document, ParsingOptions};

use crate::{Limits, PackageError};

/// Decodes an XML part to UTF-8 without a byte-order mark, and refuses what must not reach the parser.
pub(crate) fn decode<'a>(
    part: &str,
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<Cow<'a, str>, PackageError> {
    let text = match bytes {
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(utf16(part, rest, u16::from_be_bytes)?),
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(utf16(part, rest, u16::from_le_bytes)?),
        [0, b'<', ..] => Cow::Owned(utf16(part, bytes, u16::from_be_bytes)?),
        [b'<', 0, ..] => Cow::Owned(utf16(part, bytes, u16::from_le_bytes)?),
        [0xEF, 0xBB, 0xBF, rest @ ..] => Cow::Borrowed(utf8(part, rest)?),
        _ => Cow::Borrowed(utf8(part, bytes)?),
    };
    let found = u64::try_from(text.len()).unwrap_or(u64::MAX);
    if found > limits.xml_bytes {
        return Err(xml(
            part,
            format!("{found} bytes; at most {} are read", limits.xml_bytes),
        ));
    }
    look_over(part, &text, limits)?;
    Ok(text)
}

/// Parses text that [`decode`] accepted.
pub(crate) fn parse<'t>(
    part: &str,
    text: &'t str,
    limits: &Limits,
) -> Result<Document<'t>, PackageError> {
    let options = ParsingOptions {
        nodes_limit: limits.xml_nodes,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::DtdDetected => PackageError::Dtd {
            part: part.to_owned(),
        },
        other => xml(part, other.to_string()),
    })
}

fn xml(part: &str, detail: String) -> PackageError {
    PackageError::Xml {
        part: part.to_owned(),
        detail,
    }
}

fn encoding(part: &str, detail: String) -> PackageError {
    PackageError::Encoding {
        part: part.to_owned(),
        detail,
    }
}

fn utf16(part: &str, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, PackageError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(encoding(
            part,
            "UTF-16 with an odd number of bytes".to_owned(),
        ));
    }
    char::decode_utf16(pairs.iter().copied().map(unit))
        .collect::<Result<String, _>>()
        .map_err(|error| encoding(part, error.to_string()))
}

fn utf8<'a>(part: &str, bytes: &'a [u8]) -> Result<&'a str, PackageError> {
    let text = str::from_utf8(bytes).map_err(|error| encoding(part, error.to_string()))?;
    match declared_encoding(text) {
        Some(name) if !is_utf8_or_subset(name) && !text.is_ascii() => {
            Err(encoding(part, format!("its declaration says {name:?}")))
        }
        _ => Ok(text),
    }
}

fn is_utf8_or_subset(name: &str) -> bool {
    ["utf-8", "utf8", "us-ascii", "ascii"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// The encoding that the XML declaration names, if there is one.
fn declared_encoding(text: &str) -> Option<&str> {
    let declaration = text.strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declaration
        .split_once("encoding")?
        .1
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    value.get(1..)?.split(quote).next()
}

/// Walks over the tags alone and refuses document types, and depth, attributes and namespaces beyond the limits.
/// What is not well formed may pass: the parser refuses it next.
fn look_over(part: &str, text: &str, limits: &Limits) -> Result<(), PackageError> {
    let mut rest = text;
    let mut open: Vec<usize> = Vec::new();
    let mut in_scope = 0_usize;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        if let Some(after) = skip_non_element(part, rest)? {
            rest = after;
        } else if rest.starts_with('/') {
            in_scope -= open.pop().unwrap_or_default();
        } else {
            let tag = Tag::read(rest);
            rest = tag.after;
            in_scope += tag.namespaces;
            refuse_tag(part, &tag, open.len() + 1, in_scope, limits)?;
            if tag.closed {
                in_scope -= tag.namespaces;
            } else {
                open.push(tag.namespaces);
            }
        }
    }
    Ok(())
}

/// What follows a comment, a character data section or a processing instruction, if `rest` starts one.
fn skip_non_element<'a>(part: &str, rest: &'a str) -> Result<Option<&'a str>, PackageError> {
    let end = if rest.starts_with("!--") {
        "-->"
    } else if rest.starts_with("![CDATA[") {
        "]]>"
    } else if rest.starts_with('?') {
        "?>"
    } else if rest.starts_with('!') {
        return Err(PackageError::Dtd {
            part: part.to_owned(),
        });
    } else {
        return Ok(None);
    };
    Ok(Some(rest.split_once(end).map_or("", |(_, after)| after)))
}

fn refuse_tag(
    part: &str,
    tag: &Tag<'_>,
    depth: usize,
    in_scope: usize,
    limits: &Limits,
) -> Result<(), PackageError> {
    if depth > limits.xml_depth {
        return Err(xml(
            part,
            format!("elements nest deeper than {} levels", limits.xml_depth),
        ));
    }
    if tag.attributes > limits.xml_attributes {
        return Err(xml(
            part,
            format!(
                "an element has more than {} attributes",
                limits.xml_attributes
            ),
        ));
    }
    if in_scope > limits.xml_namespaces {
        return Err(xml(
            part,
            format!(
                "more than {} namespaces are in scope",
                limits.xml_namespaces
            ),
        ));
    }
    Ok(())
}

/// A start tag or an empty-element tag, counted but not understood.
struct Tag<'a> {
    after: &'a str,
    attributes: usize,
    namespaces: usize,
    closed: bool,
}

impl<'a> Tag<'a> {
    /// Reads from behind `<` to behind the `>` that ends the tag.
    fn read(text: &'a str) -> Self {
        let mut tag = Self {
            after: "",
            attributes: 0,
            namespaces: 0,
            closed: false,
        };
        let mut quote = None;
        let mut word = 0;
        for (at, byte) in text.bytes().enumerate() {
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'>') => {
                    tag.after = text.get(at + 1..).unwrap_or_default();
                    tag.closed = at > 0 && text.as_bytes().get(at - 1) == Some(&b'/');
                    return tag;
                }
                (None, b'=') => {
                    tag.attributes += 1;
                    tag.namespaces += usize::from(
                        text.get(word..at)
                            .is_some_and(|name| name.starts_with("xmlns")),
                    );
                }
                // White space may stand between a name and its equals sign, so a word starts at a name alone.
                (None, b' ' | b'\t' | b'\r' | b'\n') if starts_name(text, at + 1) => word = at + 1,
                _ => {}
            }
        }
        tag
    }
}

fn starts_name(text: &str, at: usize) -> bool {
    text.get(at..)
        .is_some_and(|next| next.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(bytes: &[u8]) -> Result<String, PackageError> {
        let limits = Limits::default();
        let text = decode("x.xml", bytes, &limits)?;
        parse("x.xml", &text, &limits)?;
        Ok(text.into_owned())
    }

    fn units(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn utf8_and_utf16_are_read_with_and_without_marks() {
        let text = r#"<a b="ü𝄞"/>"#;
        assert_eq!(accept(text.as_bytes()).unwrap(), text);
        assert_eq!(accept(format!("\u{FEFF}{text}").as_bytes()).unwrap(), text);
        assert_eq!(accept(&units(text, u16::to_le_bytes)).unwrap(), text);
        assert_eq!(accept(&units(text, u16::to_be_bytes)).unwrap(), text);
        assert_eq!(
            accept(&units(&format!("\u{FEFF}{text}"), u16::to_le_bytes)).unwrap(),
            text
        );
        assert_eq!(
            accept(&units(&format!("\u{FEFF}{text}"), u16::to_be_bytes)).unwrap(),
            text
        );
        assert!(accept(br#"<?xml version="1.0" encoding="US-ASCII"?><a/>"#).is_ok());
        assert!(
            accept(br#"<?xml version='1.0' encoding = 'windows-1252'?><a/>"#).is_ok(),
            "all of it is ASCII"
        );
    }

    #[test]
    fn other_encodings_are_refused() {
        for bytes in [
            b"<a>\xFF</a>".as_slice(),
            b"\xFE\xFF\0<\0a\0",
            b"\xFF\xFE<\0\0\xD8<\0",
            "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>ü</a>".as_bytes(),
        ] {
            assert!(
                matches!(accept(bytes), Err(PackageError::Encoding { .. })),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn document_types_are_refused() {
        for text in [
            "<!DOCTYPE a><a/>",
            "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        ] {
            assert_eq!(
                accept(text.as_bytes()),
                Err(PackageError::Dtd {
                    part: "x.xml".into()
                }),
                "{text}"
            );
        }
    }

    #[test]
    fn depth_attributes_and_namespaces_have_limits() {
        let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert!(accept(nested(200).as_bytes()).is_ok());
        assert!(
            accept(nested(201).as_bytes())
                .unwrap_err()
                .to_string()
                .contains("200 levels")
        );
        assert!(accept("<a>".repeat(1_000_000).as_bytes()).is_err());
        let many = |n: usize| {
            format!(
                "<a{}/>",
                (0..n).map(|i| format!(" a{i}='='")).collect::<String>()
            )
        };
        assert!(accept(many(500).as_bytes()).is_ok());
        assert!(
            accept(many(501).as_bytes())
                .unwrap_err()
                .to_string()
                .contains("500 attributes")
        );
        let scoped = |n: usize| {
            let opening: String = (0..n)
                .map(|i| format!("<a  xmlns:n{i} = 'u{i}' b='1'><b xmlns:c='d'/>"))
                .collect();
            opening + &"</a>".repeat(n)
        };
        assert!(
            accept(scoped(150).as_bytes()).is_ok(),
            "{:?}",
            accept(scoped(150).as_bytes())
        );
        let limits = Limits {
            xml_namespaces: 100,
            ..Limits::default()
        };
        assert!(
            decode("x.xml", scoped(150).as_bytes(), &limits)
                .unwrap_err()
                .to_string()
                .contains("100 namespaces")
        );
        assert!(decode("x.xml", scoped(99).as_bytes(), &limits).is_ok());
    }

    #[test]
    fn tags_in_comments_data_and_instructions_do_not_count() {
        let inner = format!("<!--{0}--><![CDATA[{0}]]><?x {0}?>", "<a>".repeat(300));
        assert!(accept(format!("<r>{inner}</r>").as_bytes()).is_ok());
        assert!(
            accept(b"<r><!--").is_err() && accept(b"<r a='").is_err() && accept(b"</r>").is_err()
        );
    }

    #[test]
    fn sizes_have_limits() {
        let limits = Limits {
            xml_bytes: 10,
            xml_nodes: 3,
            ..Limits::default()
        };
        assert!(decode("x.xml", b"<abcdefgh/>", &limits).is_err());
        assert!(parse("x.xml", "<a>b<c/>d</a>", &limits).is_err());
    }
}
