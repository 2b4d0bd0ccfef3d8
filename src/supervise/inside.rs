// SPDX-License-Identifier: MIT OR Apache-2.0
//! The helper inside an agent's closed network: it listens on the loopback there, passes connections to the
//! relay's socket, and runs the agent beside it. It has no rights that the agent has not.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The first word of the helper's arguments, in the place of a job file.
pub(super) const INSIDE: &str = "--inside";

/// The port of the proxy inside.
pub(super) const PROXY_PORT: u16 = 7777;

/// What the helper is to do.
#[derive(Debug, PartialEq, Eq)]
struct Inside {
    socket: PathBuf,
    /// Ports of the loopback that lead to the same ports outside, for programs that use no proxy there.
    forwards: Vec<u16>,
    argv: Vec<String>,
}

/// The arguments that [`main`] understands.
pub(super) fn arguments(socket: &Path, targets: &[String], argv: &[String]) -> Vec<String> {
    let mut words = vec![INSIDE.to_owned(), socket.display().to_string()];
    words.extend(
        targets
            .iter()
            .filter_map(|target| loopback_port(target))
            .map(|port| port.to_string()),
    );
    words.push("--".to_owned());
    words.extend(argv.iter().cloned());
    words
}

fn loopback_port(target: &str) -> Option<u16> {
    let (host, port) = target.rsplit_once(':')?;
    matches!(host, "127.0.0.1" | "localhost")
        .then(|| port.parse().ok())
        .flatten()
}

fn parse(words: &[String]) -> Option<Inside> {
    let (socket, rest) = words.split_first()?;
    let end = rest.iter().position(|word| word == "--")?;
    let ports = rest.get(..end)?.iter().map(|word| word.parse().ok());
    Some(Inside {
        socket: PathBuf::from(socket),
        forwards: ports.collect::<Option<Vec<u16>>>()?,
        argv: rest
            .get(end + 1..)
            .filter(|argv| !argv.is_empty())?
            .to_vec(),
    })
}

/// Runs the agent that `words` name and returns its exit code (128 and the signal, when one ended it).
pub(super) fn main(words: &[String]) -> u8 {
    let Some(inside) = parse(words) else {
        eprintln!("deckproof helper: the arguments are not those of a supervisor");
        return 2;
    };
    match run(&inside) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("deckproof helper: {error}");
            126
        }
    }
}

fn run(inside: &Inside) -> std::io::Result<u8> {
    listen(PROXY_PORT, inside.socket.clone(), None)?;
    for port in &inside.forwards {
        let hello = format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n");
        listen(*port, inside.socket.clone(), Some(hello))?;
    }
    let mut words = inside.argv.iter();
    let program = words.next().map_or("", String::as_str);
    let status = Command::new(program).args(words).spawn()?.wait()?;
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(255))
}

fn listen(port: u16, socket: PathBuf, hello: Option<String>) -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    std::thread::Builder::new()
        .name(format!("port {port}"))
        .spawn(move || {
            for client in listener.incoming().flatten() {
                let (socket, hello) = (socket.clone(), hello.clone());
                // A connection that breaks is the agent's to notice.
                _ = std::thread::Builder::new()
                    .spawn(move || pass(client, &socket, hello.as_deref()));
            }
        })?;
    Ok(())
}

fn pass(mut client: TcpStream, socket: &Path, hello: Option<&str>) -> std::io::Result<()> {
    let mut relay = UnixStream::connect(socket)?;
    if let Some(hello) = hello {
        relay.write_all(hello.as_bytes())?;
        let mut answer = Vec::new();
        let mut byte = [0];
        while !answer.ends_with(b"\r\n\r\n") && relay.read(&mut byte)? > 0 {
            answer.extend(byte);
        }
        if !answer.starts_with(b"HTTP/1.1 200") {
            return client.shutdown(std::net::Shutdown::Both);
        }
    }
    let (mut from_client, mut to_relay) = (client.try_clone()?, relay.try_clone()?);
    let up = std::thread::Builder::new().spawn(move || {
        _ = std::io::copy(&mut from_client, &mut to_relay);
        _ = to_relay.shutdown(std::net::Shutdown::Write);
    })?;
    let down = std::io::copy(&mut relay, &mut client);
    _ = client.shutdown(std::net::Shutdown::Both);
    _ = up.join();
    down.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        let targets = ["127.0.0.1:81", "localhost:82", "api.example.com:443"].map(str::to_owned);
        let argv = ["/bin/agent", "--", "x"].map(str::to_owned);
        let words = arguments(Path::new("/tmp/d/s"), &targets, &argv);
        let (first, rest) = words.split_first().unwrap();
        assert_eq!(first, INSIDE);
        let expected = Inside {
            socket: "/tmp/d/s".into(),
            forwards: vec![81, 82],
            argv: argv.to_vec(),
        };
        assert_eq!(parse(rest), Some(expected));
    }

    #[test]
    fn refuses_other_arguments() {
        for words in [
            vec![],
            vec!["s"],
            vec!["s", "--"],
            vec!["s", "x", "--", "a"],
            vec!["--", "a"],
        ] {
            let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
            assert_eq!(parse(&words), None, "{words:?}");
        }
    }
}
