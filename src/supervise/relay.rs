// SPDX-License-Identifier: MIT OR Apache-2.0
//! The one way out of an agent's closed network: to the model service, and nowhere else.
//!
//! Inside, a helper listens on a loopback of its own (see `inside`) and passes every connection to a socket
//! in the file system. Here, outside, the supervisor answers that socket as an HTTP proxy that knows the few
//! targets the suite names. Everything else is refused and noted.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest request head, in bytes.
const HEAD_BYTES: usize = 64 << 10;
/// The most connections at one time.
const MOST_CONNECTIONS: usize = 256;
/// How long a client may take for its request head, and a target for the connection.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most refused targets that are noted.
const MOST_REFUSALS: usize = 100;

/// What a supervisor relays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Relay {
    /// Where the socket is made; its folder is made too, and removed at the end.
    pub socket: PathBuf,
    /// The `host:port` pairs that may be reached.
    pub targets: Vec<String>,
}

/// A socket that is being answered.
#[derive(Debug)]
pub(super) struct Answering {
    folder: PathBuf,
    refused: Arc<Mutex<BTreeSet<String>>>,
}

impl Answering {
    /// What was refused so far, in order of name.
    pub(super) fn refused(&self) -> Vec<String> {
        self.refused
            .lock()
            .map(|refused| refused.iter().cloned().collect())
            .unwrap_or_default()
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        // A folder that is left behind is removed by the next supervisor of this turn.
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Starts to answer `relay`.
pub(super) fn answer(relay: &Relay) -> std::io::Result<Answering> {
    let folder = relay.socket.parent().unwrap_or(Path::new("/")).to_owned();
    make_folder(&folder)?;
    let listener = UnixListener::bind(&relay.socket)?;
    let refused = Arc::new(Mutex::new(BTreeSet::new()));
    let answering = Answering {
        folder,
        refused: Arc::clone(&refused),
    };
    let targets: Arc<[String]> = relay
        .targets
        .iter()
        .map(|target| target.to_lowercase())
        .collect();
    let open = Arc::new(AtomicUsize::new(0));
    std::thread::Builder::new()
        .name("relay".into())
        .spawn(move || {
            for client in listener.incoming().flatten() {
                if open.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                    open.fetch_sub(1, Ordering::Relaxed);
                    continue;
                }
                let (targets, refused, open) = (
                    Arc::clone(&targets),
                    Arc::clone(&refused),
                    Arc::clone(&open),
                );
                let serve = move || {
                    // A connection that breaks is the agent's to notice.
                    _ = serve(client, &targets, &refused);
                    open.fetch_sub(1, Ordering::Relaxed);
                };
                _ = std::thread::Builder::new().spawn(serve);
            }
        })?;
    Ok(answering)
}

/// A folder of that name may be left from a supervisor that was killed; it is ours to remove only if it is ours.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    if let Ok(data) = std::fs::symlink_metadata(folder) {
        let ours = data.is_dir() && data.uid() == rustix::process::getuid().as_raw();
        if !ours {
            return Err(std::io::Error::other(
                "the relay's folder belongs to somebody else",
            ));
        }
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::DirBuilder::new().mode(0o700).create(folder)
}

/// The target of a request and the bytes that go to it first.
#[derive(Debug, PartialEq, Eq)]
struct Request {
    target: String,
    /// `None` for a tunnel.
    head: Option<Vec<u8>>,
}

fn serve(
    mut client: UnixStream,
    targets: &[String],
    refused: &Mutex<BTreeSet<String>>,
) -> std::io::Result<()> {
    client.set_read_timeout(Some(PATIENCE))?;
    let head = read_head(&mut client)?;
    let Some(request) = parse_head(&head) else {
        return client.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    };
    if !targets.contains(&request.target) {
        if let Ok(mut refused) = refused.lock()
            && refused.len() < MOST_REFUSALS
        {
            refused.insert(request.target.chars().take(300).collect());
        }
        return client.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    }
    let Ok(mut server) = connect(&request.target) else {
        return client.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    };
    match request.head {
        Some(head) => server.write_all(&head)?,
        None => client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?,
    }
    client.set_read_timeout(None)?;
    let (mut from_client, mut to_server) = (client.try_clone()?, server.try_clone()?);
    let up = std::thread::Builder::new().spawn(move || {
        _ = std::io::copy(&mut from_client, &mut to_server);
        _ = to_server.shutdown(std::net::Shutdown::Write);
    })?;
    let down = std::io::copy(&mut server, &mut client);
    _ = client.shutdown(std::net::Shutdown::Both);
    _ = server.shutdown(std::net::Shutdown::Both);
    _ = up.join();
    down.map(|_| ())
}

fn connect(target: &str) -> std::io::Result<TcpStream> {
    use std::net::ToSocketAddrs as _;
    let mut last = std::io::Error::other("no address");
    for address in target.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Reads up to the blank line, and no byte further: what follows a tunnel's head belongs to the tunnel.
fn read_head(client: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while head.len() < HEAD_BYTES && !head.ends_with(b"\r\n\r\n") {
        if client.read(&mut byte)? == 0 {
            break;
        }
        head.extend(byte);
    }
    Ok(head)
}

/// Understands `CONNECT host:port` and `METHOD http://host[:port]/path`.
fn parse_head(head: &[u8]) -> Option<Request> {
    let text = std::str::from_utf8(head).ok()?;
    if !text.ends_with("\r\n\r\n") {
        return None;
    }
    let (first, rest) = text.split_once("\r\n")?;
    let mut words = first.split(' ');
    let (method, aim, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() || !version.starts_with("HTTP/1.") {
        return None;
    }
    if method == "CONNECT" {
        return Some(Request {
            target: aim.to_lowercase(),
            head: None,
        });
    }
    let plain = aim.strip_prefix("http://")?;
    let at = plain.find('/').unwrap_or(plain.len());
    let (authority, path) = plain.split_at(at);
    let path = if path.is_empty() { "/" } else { path };
    let has_port = authority
        .rsplit(':')
        .next()
        .is_some_and(|port| port.parse::<u16>().is_ok());
    let port = if authority.contains(':') && has_port {
        ""
    } else {
        ":80"
    };
    Some(Request {
        target: format!("{authority}{port}").to_lowercase(),
        head: Some(format!("{method} {path} {version}\r\n{rest}").into_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn understands_tunnels_and_plain_requests() {
        let tunnel =
            parse_head(b"CONNECT API.example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        assert_eq!(
            tunnel,
            Request {
                target: "api.example.com:443".into(),
                head: None
            }
        );
        let plain =
            parse_head(b"POST http://127.0.0.1:81/v1/x?a HTTP/1.1\r\nA: b\r\n\r\n").unwrap();
        assert_eq!(plain.target, "127.0.0.1:81");
        assert_eq!(
            plain.head.unwrap(),
            b"POST /v1/x?a HTTP/1.1\r\nA: b\r\n\r\n"
        );
        assert_eq!(
            parse_head(b"GET http://a HTTP/1.1\r\n\r\n").unwrap().target,
            "a:80"
        );
    }

    #[test]
    fn refuses_what_it_does_not_understand() {
        for bad in [
            "",
            "\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET https://a/ HTTP/1.1\r\n\r\n",
            "CONNECT a:1\r\n\r\n",
            "CONNECT a:1 HTTP/1.1 x\r\n\r\n",
            "CONNECT a:1 HTTP/1.1\r\n",
        ] {
            assert_eq!(parse_head(bad.as_bytes()), None, "{bad:?}");
        }
        assert_eq!(parse_head(b"\xff\r\n\r\n"), None);
    }

    #[test]
    fn reads_no_byte_behind_the_head() {
        let mut from: &[u8] = b"CONNECT a:1 HTTP/1.1\r\n\r\nrest";
        assert!(read_head(&mut from).unwrap().ends_with(b"\r\n\r\n"));
        assert_eq!(from, b"rest");
    }
}
