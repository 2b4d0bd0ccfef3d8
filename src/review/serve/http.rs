// SPDX-License-Identifier: MIT OR Apache-2.0
//! As much of HTTP/1.1 as one page on one machine needs: a request of limited size, one answer, and
//! the connection is closed.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// The longest request line and header together, in bytes.
const MAX_HEAD: u64 = 16 << 10;
/// The longest body, in bytes.
pub(super) const MAX_BODY: usize = 4 << 20;
/// How long a client may take for each piece.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a browser asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub method: String,
    pub target: String,
    pub host: Option<String>,
    pub origin: Option<String>,
    pub body: Vec<u8>,
}

/// What it gets.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Response {
    pub status: u16,
    pub kind: &'static str,
    pub body: Vec<u8>,
}

impl Response {
    pub(super) fn text(status: u16, text: impl Into<String>) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            body: text.into().into_bytes(),
        }
    }
}

/// Reads one request.
pub(super) fn read(stream: &TcpStream) -> io::Result<Result<Request, Response>> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    parse(&mut BufReader::new(stream))
}

fn parse(stream: &mut impl BufRead) -> io::Result<Result<Request, Response>> {
    let Some(lines) = head(stream)? else {
        return Ok(Err(Response::text(431, "the request's head is too long")));
    };
    let bad = || Ok(Err(Response::text(400, "this is no request")));
    let mut lines = lines.into_iter();
    let first = lines.next().unwrap_or_default();
    let mut words = first.split(' ');
    let (Some(method), Some(target), Some("HTTP/1.1"), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return bad();
    };
    let mut request = Request {
        method: method.to_owned(),
        target: target.to_owned(),
        host: None,
        origin: None,
        body: Vec::new(),
    };
    let mut length = 0;
    for line in lines {
        let Some((name, value)) = line.split_once(':') else {
            return bad();
        };
        let value = value.trim().to_owned();
        let place = match name.to_ascii_lowercase().as_str() {
            "host" => &mut request.host,
            "origin" => &mut request.origin,
            "content-length" => match value.parse::<usize>() {
                Ok(bytes) => {
                    length = bytes;
                    continue;
                }
                Err(_) => return bad(),
            },
            "transfer-encoding" => return bad(),
            _ => continue,
        };
        // Of two hosts nobody knows which one counts.
        if place.replace(value).is_some() {
            return bad();
        }
    }
    if length > MAX_BODY {
        return Ok(Err(Response::text(
            413,
            format!("more than {MAX_BODY} bytes"),
        )));
    }
    request.body = vec![0; length];
    stream.read_exact(&mut request.body)?;
    Ok(Ok(request))
}

/// The lines before the first empty one; `None` when they are too long.
fn head(stream: &mut impl BufRead) -> io::Result<Option<Vec<String>>> {
    let mut limited = stream.take(MAX_HEAD);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if limited.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end_matches(['\r', '\n']) {
            "" => return Ok(Some(lines)),
            line => lines.push(line.to_owned()),
        }
    }
}

/// Writes the answer with the headers that keep the page to itself.
pub(super) fn write(mut stream: &TcpStream, response: &Response) -> io::Result<()> {
    let reason = match response.status {
        200 => "OK",
        204 => "No Content",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    };
    let head = format!(
        "HTTP/1.1 {} {reason}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\n\
         Content-Security-Policy: {POLICY}\r\n\r\n",
        response.status,
        response.kind,
        response.body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&response.body)?;
    stream.flush()
}

/// What the served page may do: as the page's own policy, and talk to whoever served it.
pub(super) const POLICY: &str = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; \
     script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Request, Response> {
        parse(&mut text.as_bytes()).unwrap()
    }

    #[test]
    fn requests_are_read() {
        let request = parsed(
            "PUT /t/draft HTTP/1.1\r\nHost: 127.0.0.1:1\r\nOrigin: http://127.0.0.1:1\r\n\
             Content-Length: 2\r\n\r\n{}more",
        )
        .unwrap();
        assert_eq!(request.body, b"{}");
        assert_eq!(request.host.unwrap(), "127.0.0.1:1");
        assert_eq!(
            (request.method, request.target),
            ("PUT".into(), "/t/draft".into())
        );
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "x".repeat(20_000));
        for (text, status) in [
            ("GET /\r\n\r\n", 400),
            ("GET / HTTP/1.0\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nnonsense\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            ("PUT / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
            ("", 431),
            (long.as_str(), 431),
        ] {
            assert_eq!(parsed(text).unwrap_err().status, status, "{text}");
        }
        let short = "PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\nx";
        assert!(parse(&mut short.as_bytes()).is_err());
    }
}
