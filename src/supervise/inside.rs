// SPDX-License-Identifier: MIT OR Apache-2.0
//! The helper inside an agent's namespaces. It listens on a closed network's loopback and passes connections to
//! the relay's socket, puts Landlock around the agent, and runs it. It has no rights that the agent was not given.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use rustix::process::{Resource, Rlimit};

use super::landlock::{self, Rules};
use super::syscalls;

/// The first word of the helper's arguments, in the place of a job file.
pub(super) const INSIDE: &str = "--inside";

/// The port of the proxy inside.
pub(super) const PROXY_PORT: u16 = 7777;

/// What the helper is to do.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Inside {
    /// The socket of the relay, when there is one.
    pub(super) relay: Option<PathBuf>,
    /// Ports of the loopback that lead to the same ports outside, for programs that use no proxy there.
    pub(super) forwards: Vec<u16>,
    /// What Landlock lets the agent do; version 0 is no Landlock.
    pub(super) rules: Rules,
    /// How many processes of the agent's user there may be; the kernel counts those inside alone.
    pub(super) processes: Option<u64>,
    /// The agent.
    pub(super) argv: Vec<String>,
}

impl Inside {
    /// The arguments that [`main`] understands.
    pub(super) fn arguments(&self) -> Vec<String> {
        let mut words = vec![INSIDE.to_owned()];
        let mut push = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
        if let Some(socket) = &self.relay {
            push("--relay", socket.display().to_string());
        }
        for port in &self.forwards {
            push("--forward", port.to_string());
        }
        if self.rules.version > 0 {
            push("--landlock", self.rules.version.to_string());
        }
        if let Some(processes) = self.processes {
            push("--processes", processes.to_string());
        }
        for (flag, paths) in [
            ("--read", &self.rules.readable),
            ("--use", &self.rules.usable),
            ("--write", &self.rules.writable),
        ] {
            for path in paths {
                push(flag, path.display().to_string());
            }
        }
        words.push("--".to_owned());
        words.extend(self.argv.iter().cloned());
        words
    }
}

/// The ports of those `targets` that are this machine's own.
pub(super) fn loopback_ports(targets: &[String]) -> Vec<u16> {
    let port = |target: &String| {
        let (host, port) = target.rsplit_once(':')?;
        matches!(host, "127.0.0.1" | "localhost")
            .then(|| port.parse().ok())
            .flatten()
    };
    targets.iter().filter_map(port).collect()
}

fn parse(words: &[String]) -> Option<Inside> {
    let mut inside = Inside::default();
    let mut rest = words.iter();
    loop {
        let flag = rest.next()?.as_str();
        if flag == "--" {
            break;
        }
        let value = rest.next()?;
        match flag {
            "--relay" if inside.relay.is_none() => inside.relay = Some(value.into()),
            "--forward" => inside.forwards.push(value.parse().ok()?),
            "--landlock" if inside.rules.version == 0 => {
                inside.rules.version = value.parse().ok().filter(|version| *version > 0)?;
            }
            "--processes" if inside.processes.is_none() => {
                inside.processes = Some(value.parse().ok()?);
            }
            "--read" => inside.rules.readable.push(value.into()),
            "--use" => inside.rules.usable.push(value.into()),
            "--write" => inside.rules.writable.push(value.into()),
            _ => return None,
        }
    }
    inside.argv = rest.cloned().collect();
    (!inside.argv.is_empty()).then_some(inside)
}

/// Runs the agent that `words` name and returns its exit code (128 and the signal, when one ended it).
pub(super) fn main(words: &[String]) -> u8 {
    let Some(inside) = parse(words) else {
        eprintln!("deckproof helper: the arguments are not those of a supervisor");
        return 2;
    };
    match run(inside) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("deckproof helper: {error}");
            126
        }
    }
}

fn run(inside: Inside) -> std::io::Result<u8> {
    let Inside {
        relay,
        forwards,
        rules,
        processes,
        argv,
    } = inside;
    if let Some(processes) = processes {
        limit_processes(processes)?;
    }
    let mut words = argv.iter();
    let mut command = Command::new(words.next().map_or("", String::as_str));
    command.args(words);
    let Some(socket) = relay else {
        restrict(&rules)?;
        // Only a failure comes back.
        return Err(command.exec());
    };
    listen(PROXY_PORT, socket.clone(), None)?;
    for port in forwards {
        let hello = format!("CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n");
        listen(port, socket.clone(), Some(hello))?;
    }
    let status = start_apart(rules, command)?.wait()?;
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    Ok(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(255))
}

/// Starts the agent from a thread of its own: rules bind the thread that takes them and what it starts, and those
/// that pass connections have to stay outside, where the agent can neither stop nor look into them.
fn start_apart(rules: Rules, mut command: Command) -> std::io::Result<Child> {
    let starter = std::thread::Builder::new()
        .name("starter".into())
        .spawn(move || restrict(&rules).and_then(|()| command.spawn()))?;
    starter
        .join()
        .unwrap_or_else(|_| Err(std::io::Error::other("the agent's starter broke")))
}

/// The kernel keeps this limit for every user but the machine's root.
fn limit_processes(most: u64) -> std::io::Result<()> {
    let now = rustix::process::getrlimit(Resource::Nproc);
    let most = now.maximum.map_or(most, |hard| hard.min(most));
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    Ok(rustix::process::setrlimit(Resource::Nproc, limit)?)
}

fn restrict(rules: &Rules) -> std::io::Result<()> {
    if rules.version > 0 {
        landlock::restrict(rules)
            .map_err(|error| std::io::Error::other(format!("Landlock: {error}")))?;
    }
    syscalls::restrict().map_err(std::io::Error::other)
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
        let inside = Inside {
            relay: Some("/tmp/d/s".into()),
            forwards: vec![81, 82],
            rules: Rules {
                version: 6,
                readable: vec!["/usr".into(), "/a b".into()],
                usable: vec!["/dev".into()],
                writable: vec!["/work".into()],
            },
            processes: Some(9),
            argv: ["/bin/agent", "--", "--read"].map(str::to_owned).to_vec(),
        };
        let plain = Inside {
            argv: vec!["/bin/agent".into()],
            ..Inside::default()
        };
        for inside in [inside, plain] {
            let words = inside.arguments();
            let (first, rest) = words.split_first().unwrap();
            assert_eq!(first, INSIDE);
            assert_eq!(parse(rest), Some(inside));
        }
    }

    #[test]
    fn knows_the_ports_of_this_machine() {
        let targets = ["127.0.0.1:81", "localhost:82", "api.example.com:443"].map(str::to_owned);
        assert_eq!(loopback_ports(&targets), [81, 82]);
    }

    #[test]
    fn refuses_other_arguments() {
        for words in [
            "",
            "s",
            "--",
            "--relay s --",
            "--relay",
            "--relay s --relay s -- a",
            "--forward x -- a",
            "--landlock 0 -- a",
            "--landlock x -- a",
            "--other x -- a",
            "x -- a",
        ] {
            let words: Vec<String> = words.split_ascii_whitespace().map(str::to_owned).collect();
            assert_eq!(parse(&words), None, "{words:?}");
        }
    }
}
