// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths as the seed's records hold them: text, taken apart by components, never opened.

use std::borrow::Cow;

/// The components of a path in the order of the text: `/` first when it is absolute, nothing for
/// `.` and for doubled or trailing slashes.
pub(super) fn components(path: &str) -> impl Iterator<Item = &str> {
    // A path of exactly two slashes at its head has a root of its own.
    let root = match path.bytes().take_while(|byte| *byte == b'/').count() {
        0 => None,
        2 => Some("//"),
        _ => Some("/"),
    };
    let named = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".");
    root.into_iter().chain(named)
}

/// One text for all spellings of a path: paths of equal components, and no others, have equal ones.
pub(super) fn normalized(path: &str) -> Cow<'_, str> {
    let bytes = path.as_bytes();
    let odd = |pair: &[u8]| matches!(pair, b"//" | b"/.");
    if !path.starts_with('.') && !path.ends_with('/') && !bytes.windows(2).any(odd) {
        return Cow::Borrowed(path);
    }
    let mut text = String::with_capacity(path.len());
    for part in components(path) {
        if !text.is_empty() && !text.ends_with('/') {
            text.push('/');
        }
        text.push_str(part);
    }
    Cow::Owned(text)
}

/// Whether a component climbs.
pub(super) fn climbs(path: &str) -> bool {
    path.contains("..") && components(path).any(|part| part == "..")
}

/// Whether the path begins at a root.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with('/')
}

/// Whether `inner` is `outer` or lies below it, by components.
pub(super) fn is_within(inner: &str, outer: &str) -> bool {
    let mut inner = components(inner);
    components(outer).all(|part| inner.next() == Some(part))
}

/// The last component, which a bare root does not have.
pub(super) fn name(path: &str) -> Option<&str> {
    components(path)
        .filter(|part| !part.starts_with('/'))
        .last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_follow_pure_posix_paths() {
        // Values of Python 3.11: PurePosixPath(x).parts.
        for (path, parts) in [
            ("/a/b", &["/", "a", "b"][..]),
            ("a//b/", &["a", "b"]),
            ("./a/./b", &["a", "b"]),
            ("//a", &["//", "a"]),
            ("///a", &["/", "a"]),
            ("a/../b", &["a", "..", "b"]),
            ("/", &["/"]),
            (".", &[]),
        ] {
            assert_eq!(components(path).collect::<Vec<_>>(), parts, "{path}");
        }
    }

    #[test]
    fn spellings_of_one_path_have_one_form() {
        for (path, form) in [
            ("/a/b", "/a/b"),
            ("/a/b/", "/a/b"),
            ("/a//b", "/a/b"),
            ("/a/./b", "/a/b"),
            ("/a/b/.", "/a/b"),
            ("///a", "/a"),
            ("//a", "//a"),
            ("./a", "a"),
            ("a/.b", "a/.b"),
            ("/", "/"),
            (".", ""),
        ] {
            assert_eq!(normalized(path), form, "{path}");
        }
    }

    #[test]
    fn containment_is_by_whole_components() {
        assert!(is_within("/w/a/output", "/w/a/"));
        assert!(is_within("/w/a", "/w/a"));
        assert!(!is_within("/w/ab", "/w/a"));
        assert!(!is_within("w/a", "/w/a"));
        assert!(climbs("a/../b") && !climbs("a/..b/c.."));
        assert_eq!((name("/p/clara/0.1/"), name("/")), (Some("0.1"), None));
    }
}
