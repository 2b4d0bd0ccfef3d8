// SPDX-License-Identifier: MIT OR Apache-2.0
//! Part names: which are allowed, when two are the same, and where a relationship's target points.
//!
//! Names are written as in the archive, without a leading slash: `ppt/slides/slide1.xml`. Two names are the same
//! part when they differ in the case of ASCII letters (ECMA-376-2, 6.2.2.3) or in percent-encoding alone.

/// The rule that an archive entry's name breaks, if it breaks one.
pub(crate) fn broken_rule(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("is empty");
    }
    if name.len() > 1024 {
        return Some("is longer than 1024 bytes");
    }
    if name.starts_with('/') {
        return Some("is absolute");
    }
    if name.contains('\\') {
        return Some("contains a backslash");
    }
    if name.chars().any(char::is_control) {
        return Some("contains a control character");
    }
    let decoded = percent_decode(name);
    let folders = decoded.trim_end_matches('/');
    if folders
        .split('/')
        .any(|segment| segment.is_empty() || segment.chars().all(|c| c == '.'))
    {
        return Some("has an empty segment or one of dots alone");
    }
    None
}

/// The key under which a part is found: percent-decoded and in lower case.
pub(crate) fn key(name: &str) -> String {
    percent_decode(name.trim_start_matches('/')).to_ascii_lowercase()
}

/// Decodes `%41` to `A`. Bytes that would not be UTF-8, control characters, and separators (`%2F`, `%5C`) stay
/// as they are, so that a decoded name has the segments of the encoded one.
pub(crate) fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&byte, tail)) = rest.split_first() {
        match (byte, tail.first().and_then(hex), tail.get(1).and_then(hex)) {
            (b'%', Some(high), Some(low)) if decodable(high * 16 + low) => {
                decoded.push(high * 16 + low);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                decoded.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}

fn decodable(byte: u8) -> bool {
    !matches!(byte, b'/' | b'\\' | b'%') && !byte.is_ascii_control()
}

fn hex(byte: &u8) -> Option<u8> {
    char::from(*byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

/// The folder of a part, with a trailing slash; empty for the root.
fn folder(part: &str) -> &str {
    part.rfind('/')
        .and_then(|at| part.get(..=at))
        .unwrap_or_default()
}

/// The name of the part that holds the relationships of `part`; of the package itself for an empty name.
pub(crate) fn relationships_part(part: &str) -> String {
    let folder = folder(part);
    let file = part.get(folder.len()..).unwrap_or_default();
    format!("{folder}_rels/{file}.rels")
}

/// Whether a part holds relationships.
pub(crate) fn is_relationships_part(part: &str) -> bool {
    relationships_source(part).is_some()
}

/// The part whose relationships `part` holds, if it holds any; empty for the package itself.
pub(crate) fn relationships_source(part: &str) -> Option<String> {
    let folder = folder(part);
    let file = part.get(folder.len()..)?.strip_suffix(".rels")?;
    Some(format!("{}{file}", folder.strip_suffix("_rels/")?))
}

/// Resolves the target of an internal relationship of `source` to a part name, or says why it cannot be.
pub(crate) fn resolve(source: &str, target: &str) -> Result<String, &'static str> {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    if target.starts_with('#') && !source.is_empty() {
        // A fragment alone is a place in the same part (RFC 3986, 4.4).
        return Ok(source.to_owned());
    }
    if path.is_empty() {
        return Err("the target names no part");
    }
    if path.contains('\\') || path.chars().any(char::is_control) {
        return Err("the target contains a backslash or a control character");
    }
    if has_scheme(path) || path.starts_with("//") {
        return Err("the target is an address but not marked as external");
    }
    let base = if path.starts_with('/') {
        ""
    } else {
        folder(source)
    };
    join(base, path)
}

/// Joins a folder and a relative path, resolving `.` and `..`.
fn join(base: &str, path: &str) -> Result<String, &'static str> {
    let mut segments: Vec<&str> = base
        .split('/')
        .filter(|segment| !segment.is_empty())
        .collect();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop().ok_or("the target leaves the package")?;
            }
            name => segments.push(name),
        }
    }
    if segments.is_empty() {
        Err("the target names no part")
    } else {
        Ok(segments.join("/"))
    }
}

/// Whether a reference starts with a scheme such as `http:` (RFC 3986, 3.1).
fn has_scheme(reference: &str) -> bool {
    let Some((scheme, _)) = reference.split_once(':') else {
        return false;
    };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_allowed() {
        for name in [
            "[Content_Types].xml",
            "ppt/slides/slide1.xml",
            "ppt/media/",
            "a b/ü.png",
            "x%20y",
        ] {
            assert_eq!(broken_rule(name), None, "{name}");
        }
    }

    #[test]
    fn names_that_two_readers_would_read_differently_are_refused() {
        for name in [
            "", "/ppt/x", "ppt\\x", "../x", "ppt/../x", "a//b", "a/./b", "a\0b", "a\nb",
            "%2e%2e/x", "a/...",
        ] {
            assert!(broken_rule(name).is_some(), "{name:?}");
        }
        assert!(broken_rule(&"a".repeat(1025)).is_some());
    }

    #[test]
    fn keys_ignore_case_and_percent_encoding() {
        assert_eq!(
            key("ppt/Media/My%20Image.PNG"),
            key("/ppt/media/my image.png")
        );
        assert_ne!(
            key("a%2Fb"),
            key("a/b"),
            "an encoded separator is no separator"
        );
        assert_eq!(
            percent_decode("%C3%BC%ff%4"),
            "%C3%BC%ff%4",
            "what is no UTF-8 stays as it is"
        );
        assert_eq!(percent_decode("%C3%BC%4"), "ü%4");
    }

    #[test]
    fn targets_resolve_relative_absolute_and_with_fragments() {
        let slide = "ppt/slides/slide1.xml";
        assert_eq!(resolve(slide, "../media/a.png").unwrap(), "ppt/media/a.png");
        assert_eq!(
            resolve(slide, "/ppt/media/a.png").unwrap(),
            "ppt/media/a.png"
        );
        assert_eq!(
            resolve(slide, "slide2.xml#x").unwrap(),
            "ppt/slides/slide2.xml"
        );
        assert_eq!(resolve(slide, "./a/../b.xml").unwrap(), "ppt/slides/b.xml");
        assert_eq!(
            resolve("", "ppt/presentation.xml").unwrap(),
            "ppt/presentation.xml"
        );
    }

    #[test]
    fn targets_that_leave_the_package_or_name_nothing_are_refused() {
        let slide = "ppt/slides/slide1.xml";
        for target in [
            "",
            "?x",
            "../../../x",
            "http://x/y",
            "file:///etc/passwd",
            "//host/x",
            "..\\x",
            "/",
            "../..",
        ] {
            assert!(resolve(slide, target).is_err(), "{target:?}");
        }
    }

    #[test]
    fn the_relationships_of_a_part_lie_beside_it() {
        assert_eq!(
            relationships_part("ppt/slides/slide1.xml"),
            "ppt/slides/_rels/slide1.xml.rels"
        );
        assert_eq!(relationships_part(""), "_rels/.rels");
        assert_eq!(relationships_source("_rels/.rels").as_deref(), Some(""));
        assert_eq!(
            relationships_source("a/_rels/b.xml.rels").as_deref(),
            Some("a/b.xml")
        );
        assert_eq!(relationships_source("a/b.xml"), None);
    }
}
