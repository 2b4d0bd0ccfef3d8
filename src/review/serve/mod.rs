// SPDX-License-Identifier: MIT OR Apache-2.0
//! `review open`: shows one packet to one reviewer on this machine and takes the response directly.
//!
//! It listens on the loopback at a random port, answers under a random token alone, and knows no file
//! but those of the packet, which it has verified and holds in memory. Answers are kept as a draft at
//! every change, so that neither a browser nor a machine that crashes loses them.

mod http;
mod page;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use deckproof_packets::mapping::{NoRandomness, draw_id};
use deckproof_packets::packet::{self, Files, PacketError, VerifiedPacket};
use deckproof_packets::relpath::RelPath;
use deckproof_packets::{atomic, json};

use self::http::{Request, Response};
use super::{AcceptError, accept};

/// Most connections at one time.
const MOST_CONNECTIONS: usize = 32;
/// Longest draft, in bytes.
const MAX_DRAFT: usize = 2 << 20;

/// Where the response goes.
#[derive(Debug, Clone)]
pub enum Destination {
    /// Into the experiment, as `review accept` does it.
    Experiment(PathBuf),
    /// Into a file, for whoever handed the packet out.
    File(PathBuf),
}

/// A packet that cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The packet does not hold.
    #[error(transparent)]
    Packet(#[from] PacketError),
    /// No token could be drawn.
    #[error(transparent)]
    Random(#[from] NoRandomness),
    /// The system failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// One packet on a loopback port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: String,
    packet: VerifiedPacket,
    files: Files,
    draft: PathBuf,
    destination: Destination,
    filing: Mutex<()>,
    done: AtomicBool,
}

impl Server {
    /// Verifies the packet at `path` and opens a port for it. The draft is kept in `drafts`.
    ///
    /// # Errors
    /// [`ServeError`].
    pub fn open(path: &Path, drafts: &Path, destination: Destination) -> Result<Self, ServeError> {
        let (packet, files) = packet::open(path)?;
        fs_err::create_dir_all(drafts)?;
        let draft = drafts.join(format!("{}.json", packet.document.packet));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            token: draw_id()?.to_string(),
            packet,
            files,
            draft,
            destination,
            filing: Mutex::new(()),
            done: AtomicBool::new(false),
        })
    }

    /// The page's address, token included.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/{}/page.html", self.address, self.token)
    }

    /// Answers until a response was taken.
    ///
    /// # Errors
    /// When the port fails.
    pub fn run(&self) -> io::Result<()> {
        let open = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            while !self.done.load(Ordering::Acquire) {
                let (stream, from) = self.listener.accept()?;
                let full = open.load(Ordering::Relaxed) >= MOST_CONNECTIONS;
                if full || !from.ip().is_loopback() {
                    continue;
                }
                open.fetch_add(1, Ordering::Relaxed);
                let open = &open;
                scope.spawn(move || {
                    // A connection that breaks is the browser's to notice.
                    let _ = self.serve(&stream);
                    open.fetch_sub(1, Ordering::Relaxed);
                });
            }
            Ok(())
        })
    }

    fn serve(&self, stream: &TcpStream) -> io::Result<()> {
        let (response, done) = match http::read(stream)? {
            Err(refused) => (refused, false),
            Ok(request) => self.answer(&request),
        };
        http::write(stream, &response)?;
        if done {
            self.done.store(true, Ordering::Release);
            // The loop waits for a connection; this is the last one.
            TcpStream::connect(self.address)?;
        }
        Ok(())
    }

    /// The answer, and whether it is the last.
    fn answer(&self, request: &Request) -> (Response, bool) {
        let own = self.address.to_string();
        let elsewhere = request.host.as_deref() != Some(own.as_str());
        let foreign = request.origin.as_ref();
        if elsewhere || foreign.is_some_and(|origin| *origin != format!("http://{own}")) {
            // Another name for this address is how a page from elsewhere would come in.
            return (Response::text(403, "not from here"), false);
        }
        let nothing = || Response::text(404, "there is nothing here");
        let inside = request.target.strip_prefix('/');
        let inside = inside.and_then(|path| path.strip_prefix(self.token.as_str()));
        let Some(name) = inside.and_then(|path| path.strip_prefix('/')) else {
            return (nothing(), false);
        };
        match (request.method.as_str(), name) {
            ("GET", "page.html") => (self.page(), false),
            ("GET", name) => (self.file(name).unwrap_or_else(nothing), false),
            ("PUT", "draft") => (self.keep(&request.body), false),
            ("POST", "response") => self.take(&request.body),
            _ => (Response::text(405, "not in this way"), false),
        }
    }

    fn page(&self) -> Response {
        let page = "page.html".parse::<RelPath>().ok();
        let bytes = page.and_then(|path| self.files.get(&path));
        let draft = self.read_draft();
        let served = bytes.and_then(|bytes| page::served(bytes, draft.as_deref()));
        served.map_or_else(
            || Response::text(500, "the packet's page is not one that can be served"),
            |body| Response {
                status: 200,
                kind: "text/html; charset=utf-8",
                body,
            },
        )
    }

    /// Pictures and assets, and nothing that the page does not show from a file.
    fn file(&self, name: &str) -> Option<Response> {
        let path: RelPath = name.parse().ok()?;
        let (folder, _) = path.as_str().split_once('/')?;
        if !["A", "B", "assets"].contains(&folder) {
            return None;
        }
        let extension = path.name().rsplit_once('.')?.1.to_owned();
        Some(Response {
            status: 200,
            kind: page::kind(&extension),
            body: self.files.get(&path)?.clone(),
        })
    }

    /// The draft, when it is one of this very packet.
    fn read_draft(&self) -> Option<String> {
        let bytes = fs_err::read(&self.draft).ok()?;
        self.is_draft(&bytes)
            .then(|| String::from_utf8(bytes).ok())?
    }

    fn is_draft(&self, bytes: &[u8]) -> bool {
        let limits = json::Limits {
            bytes: MAX_DRAFT,
            depth: 8,
            values: 10_000,
        };
        let arena = json::Arena::new();
        let parsed = json::parse("draft", bytes, &limits, &arena).ok();
        let hash = parsed.as_ref().and_then(|draft| draft.get("packet_sha256"));
        hash.and_then(json::Value::as_str) == Some(self.packet.packet_sha256.as_str())
    }

    fn keep(&self, body: &[u8]) -> Response {
        if !self.is_draft(body) {
            return Response::text(422, "these are no answers to this packet");
        }
        match atomic::write(&self.draft, body, 0o600) {
            Ok(()) => Response::text(200, "kept"),
            Err(error) => Response::text(500, error.to_string()),
        }
    }

    fn take(&self, body: &[u8]) -> (Response, bool) {
        let Ok(_filing) = self.filing.lock() else {
            return (Response::text(500, "an earlier request failed"), false);
        };
        if self.done.load(Ordering::Acquire) {
            return (Response::text(409, "a review was handed in already"), false);
        }
        match self.file_response(body) {
            Ok(told) => {
                // What is handed in needs no draft; one that stays does no harm.
                let _ = fs_err::remove_file(&self.draft);
                (Response::text(200, told), true)
            }
            Err(error) => (Response::text(422, error.to_string()), false),
        }
    }

    fn file_response(&self, body: &[u8]) -> Result<String, AcceptError> {
        match &self.destination {
            Destination::Experiment(root) => {
                let folder = tempfile::tempdir()?;
                let name = format!("response-{}.json", self.packet.document.packet);
                let path = folder.path().join(name);
                fs_err::write(&path, body)?;
                accept(root, &[path])?;
                Ok("Your review is accepted and on file. You can close this page.".to_owned())
            }
            Destination::File(path) => {
                atomic::write_new(path, body, 0o644)?;
                let shown = path.display();
                Ok(format!(
                    "Your response is in {shown}. Hand that file back just as it is."
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::testing::{Lab, Script};

    fn request(server: &Server, method: &str, name: &str, body: &[u8]) -> Request {
        Request {
            method: method.to_owned(),
            target: format!("/{}/{name}", server.token),
            host: Some(server.address.to_string()),
            origin: None,
            body: body.to_vec(),
        }
    }

    fn served() -> (Lab, Server, serde_json::Value) {
        let lab = Lab::run(&Script {
            response: Box::new(|_, _, _| false),
            ..Script::default()
        });
        let mapping = &lab.mappings()[0];
        let response = lab.response(mapping, 0);
        let root = Destination::Experiment(lab.root.clone());
        let packet = lab.layout().packet(&mapping.packet);
        let server = Server::open(&packet, &lab.beside("drafts"), root).unwrap();
        (lab, server, response)
    }

    #[test]
    fn only_the_packet_and_only_to_this_host_and_token() {
        let (_lab, server, _) = served();
        let status = |request: &Request| server.answer(request).0.status;
        assert_eq!(status(&request(&server, "GET", "page.html", b"")), 200);
        assert_eq!(
            status(&request(&server, "GET", "A/slide-001.png", b"")),
            200
        );
        for name in [
            "",
            "packet.json",
            "response.json",
            "A/slide-099.png",
            "A/../packet.json",
            "../private",
            "A/%2e%2e/packet.json",
            "//etc/passwd",
        ] {
            assert_eq!(status(&request(&server, "GET", name, b"")), 404, "{name}");
        }
        assert_eq!(status(&request(&server, "DELETE", "draft", b"")), 405);
        let mut other = request(&server, "GET", "page.html", b"");
        other.host = Some("deckproof.example:80".to_owned());
        assert_eq!(status(&other), 403);
        other.host = None;
        assert_eq!(status(&other), 403);
        let mut other = request(&server, "PUT", "draft", b"{}");
        other.origin = Some("http://elsewhere.example".to_owned());
        assert_eq!(status(&other), 403);
        let mut other = request(&server, "GET", "page.html", b"");
        other.target = "/page.html".to_owned();
        assert_eq!(status(&other), 404);
    }

    #[test]
    fn drafts_of_this_packet_alone_are_kept_and_shown_again() {
        let (_lab, server, _) = served();
        let put = |body: &[u8]| {
            server
                .answer(&request(&server, "PUT", "draft", body))
                .0
                .status
        };
        assert_eq!(put(b"{}"), 422);
        assert_eq!(put(b"not json"), 422);
        let hash = server.packet.packet_sha256.as_str();
        let draft =
            format!("{{\"packet_sha256\":\"{hash}\",\"answers\":{{\"reviewer\":\"</script>x\"}}}}");
        assert_eq!(put(draft.as_bytes()), 200);
        let page = server
            .answer(&request(&server, "GET", "page.html", b""))
            .0
            .body;
        let page = String::from_utf8(page).unwrap();
        assert!(page.contains("\\u003c/script>x") && !page.contains("</script>x"));
        assert!(page.contains("connect-src 'self'"));
    }

    #[test]
    fn a_response_is_held_to_the_rules_and_filed_once() {
        let (lab, server, response) = served();
        let mut bad = response.clone();
        bad["labels"]["A"]["dimensions"]["design"]["score"] = serde_json::json!(9);
        let post = |body: &serde_json::Value| {
            server.answer(&request(
                &server,
                "POST",
                "response",
                body.to_string().as_bytes(),
            ))
        };
        let (refused, done) = post(&bad);
        assert_eq!((refused.status, done), (422, false));
        assert!(String::from_utf8_lossy(&refused.body).contains("found 9"));
        let (taken, done) = post(&response);
        assert_eq!((taken.status, done), (200, true));
        assert_eq!(crate::verify::verify(&lab.root).unwrap().reviews.len(), 1);
    }
}
