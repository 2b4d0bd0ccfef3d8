// SPDX-License-Identifier: MIT OR Apache-2.0
//! The made-up origin that a deck lives on: its own folder, and nothing else in the world.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use crate::hash::sha256_hex;

/// The origin. `.test` is reserved, so it can never be somebody's.
pub(super) const ORIGIN: &str = "https://deck.test";
/// Largest file served.
pub(super) const MAX_FILE: u64 = 64 << 20;
/// Most bytes served to one deck, however often it asks.
const MAX_TOTAL: u64 = 1 << 30;

/// What the origin says to a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A file of the artifact.
    Found { bytes: Vec<u8>, mime: &'static str },
    /// An address of the origin with no file behind it.
    Missing { path: String },
    /// An address elsewhere, or a path that leaves the folder.
    Refused { reason: &'static str },
}

/// A deck's folder as an origin, and what was served from it.
#[derive(Debug)]
pub(super) struct Site {
    root: PathBuf,
    served: BTreeMap<String, String>,
    total: u64,
}

impl Site {
    /// A site over a folder whose links are resolved.
    pub(super) fn new(root: &Path) -> std::io::Result<Self> {
        let root = fs_err::canonicalize(root)?;
        Ok(Self {
            root,
            served: BTreeMap::new(),
            total: 0,
        })
    }

    /// Whether a file of this path can be served.
    pub(super) fn holds(&self, path: &str) -> Result<bool, &'static str> {
        Ok(self.file(path)?.is_some())
    }

    /// SHA-256 of every file served, by its path on the origin.
    pub(super) fn served(&self) -> &BTreeMap<String, String> {
        &self.served
    }

    /// The address of a file of the deck.
    pub(super) fn url(entry: &str) -> String {
        let parts: Vec<String> = entry.split('/').map(encode).collect();
        format!("{ORIGIN}/{}", parts.join("/"))
    }

    /// The path below the root that an address of this origin means, without query and fragment.
    pub(super) fn path_of(url: &str) -> Option<String> {
        let rest = url.strip_prefix(ORIGIN)?;
        let end = rest.find(['?', '#']).unwrap_or(rest.len());
        let path = rest.get(..end)?;
        if !path.is_empty() && !path.starts_with('/') {
            return None;
        }
        decode(path.trim_start_matches('/'))
    }

    /// Answers one request.
    pub(super) fn answer(&mut self, url: &str, method: &str) -> Answer {
        let Some(path) = Self::path_of(url) else {
            return Answer::Refused {
                reason: "outside of the deck",
            };
        };
        if !matches!(method, "GET" | "HEAD") {
            return Answer::Refused {
                reason: "only reading is possible",
            };
        }
        match self.file(&path) {
            Ok(Some(bytes)) => self.serve(path, bytes),
            Ok(None) => Answer::Missing { path },
            Err(reason) => Answer::Refused { reason },
        }
    }

    fn serve(&mut self, path: String, bytes: Vec<u8>) -> Answer {
        self.total = self.total.saturating_add(bytes.len() as u64);
        if self.total > MAX_TOTAL {
            return Answer::Refused {
                reason: "more than 1 GB asked for",
            };
        }
        let mime = mime(&path);
        self.served.insert(path, sha256_hex(&bytes));
        Answer::Found { bytes, mime }
    }

    /// The bytes of a regular file inside the folder after every link is resolved; `None` when
    /// there is none, so that a deck cannot even learn what exists outside.
    fn file(&self, path: &str) -> Result<Option<Vec<u8>>, &'static str> {
        let relative = Path::new(path);
        let inside = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !inside || path.contains('\0') {
            return Err("a path that leaves the deck's folder");
        }
        let Ok(mut real) = fs_err::canonicalize(self.root.join(relative)) else {
            return Ok(None);
        };
        if !real.starts_with(&self.root) {
            return Err("a link that leaves the deck's folder");
        }
        if real.is_dir() {
            real.push("index.html");
            let Ok(index) = fs_err::canonicalize(&real) else {
                return Ok(None);
            };
            if !index.starts_with(&self.root) {
                return Err("a link that leaves the deck's folder");
            }
            real = index;
        }
        read(&real)
    }
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, &'static str> {
    // Looked at before it is opened, for opening a named pipe would wait for ever.
    if !fs_err::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    let Ok(file) = fs_err::File::open(path) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    match file.take(MAX_FILE + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > MAX_FILE => Err("a file of more than 64 MB"),
        Ok(_) => Ok(Some(bytes)),
        Err(_) => Ok(None),
    }
}

fn encode(part: &str) -> String {
    let mut text = String::with_capacity(part.len());
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Resolves `%XX`. `None` when the result is not UTF-8.
fn decode(text: &str) -> Option<String> {
    String::from_utf8(decode_bytes(text)).ok()
}

/// Resolves `%XX` into bytes.
pub(super) fn decode_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let pair = tail.split_first_chunk::<2>().filter(|_| *first == b'%');
        match pair.and_then(|(digits, after)| Some((hex(*digits)?, after))) {
            Some((byte, after)) => {
                bytes.push(byte);
                rest = after;
            }
            None => bytes.push(*first),
        }
    }
    bytes
}

fn hex(digits: [u8; 2]) -> Option<u8> {
    let text = std::str::from_utf8(&digits).ok()?;
    let plain = digits.iter().all(u8::is_ascii_hexdigit);
    plain.then(|| u8::from_str_radix(text, 16).ok()).flatten()
}

/// The media type that a file name promises. Text types carry no charset, so the document's own
/// declaration counts as it does on disk.
fn mime(path: &str) -> &'static str {
    let ending = path
        .rsplit('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    match ending.as_str() {
        "css" => "text/css",
        "js" | "mjs" | "cjs" => "text/javascript",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "bmp" => "image/bmp",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "otf" => "font/otf",
        "mp4" | "m4v" => "video/mp4",
        "webm" => "video/webm",
        "mp3" => "audio/mpeg",
        "ogg" | "oga" => "audio/ogg",
        "wav" => "audio/wav",
        "wasm" => "application/wasm",
        "xhtml" | "xht" => "application/xhtml+xml",
        "xml" => "application/xml",
        "pdf" => "application/pdf",
        "txt" | "md" | "csv" | "tsv" => "text/plain",
        "htm" | "html" => "text/html",
        // A folder is answered with its index page.
        other
            if !other.is_empty()
                && !path
                    .rsplit('/')
                    .next()
                    .is_some_and(|name| name.contains('.')) =>
        {
            "text/html"
        }
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> (tempfile::TempDir, Site) {
        let folder = tempfile::tempdir().unwrap();
        let deck = folder.path().join("deck");
        fs_err::create_dir_all(deck.join("a b")).unwrap();
        fs_err::write(deck.join("index.html"), "<p>").unwrap();
        fs_err::write(deck.join("a b/ü.css"), "x").unwrap();
        fs_err::write(folder.path().join("secret.txt"), "s").unwrap();
        let link = std::os::unix::fs::symlink::<PathBuf, PathBuf>;
        link("../secret.txt".into(), deck.join("out.txt")).unwrap();
        link("index.html".into(), deck.join("in.html")).unwrap();
        let site = Site::new(&deck).unwrap();
        (folder, site)
    }

    fn get(site: &mut Site, path: &str) -> Answer {
        site.answer(&format!("{ORIGIN}{path}"), "GET")
    }

    #[test]
    fn files_of_the_folder_are_served() {
        let (_folder, mut site) = site();
        let css = Answer::Found {
            bytes: b"x".to_vec(),
            mime: "text/css",
        };
        assert_eq!(get(&mut site, "/a%20b/%C3%BC.css?v=1#f"), css);
        assert_eq!(Site::url("a b/ü.css"), format!("{ORIGIN}/a%20b/%C3%BC.css"));
        assert!(matches!(
            get(&mut site, "/in.html"),
            Answer::Found {
                mime: "text/html",
                ..
            }
        ));
        assert_eq!(site.served().get("a b/ü.css"), Some(&sha256_hex(b"x")));
        assert_eq!(site.served().len(), 2);
    }

    #[test]
    fn nothing_outside_is_served() {
        let (_folder, mut site) = site();
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2Fsecret.txt",
            "/out.txt",
            "/%00",
            "//etc/passwd",
            "/%2Fetc/passwd",
        ] {
            let answer = get(&mut site, path);
            assert!(
                !matches!(answer, Answer::Found { .. }),
                "{path}: {answer:?}"
            );
        }
        for url in [
            "https://deck.test.evil.example/x",
            "https://deck.test:1/x",
            "file:///etc/passwd",
            "http://deck.test/index.html",
            "https://deck.test@evil.example/",
        ] {
            assert!(
                matches!(site.answer(url, "GET"), Answer::Refused { .. }),
                "{url}"
            );
        }
        assert!(matches!(
            site.answer(&Site::url("index.html"), "POST"),
            Answer::Refused { .. }
        ));
        assert_eq!(
            get(&mut site, "/none.png"),
            Answer::Missing {
                path: "none.png".into()
            }
        );
        assert!(site.served().is_empty());
    }

    #[test]
    fn a_named_pipe_is_not_waited_for() {
        let (folder, mut site) = site();
        let fifo = folder.path().join("deck/fifo");
        let made = std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap();
        assert!(made.success());
        assert_eq!(
            get(&mut site, "/fifo"),
            Answer::Missing {
                path: "fifo".into()
            }
        );
    }
}
