// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two ends of the debugging pipe that stay on this side.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Instant;

use crate::BrowserError;

/// Longest message accepted. A full-size screenshot of noise is under 6 MB in base64.
const MAX_MESSAGE: u64 = 64 << 20;
/// Messages waiting to be handled before the browser has to wait for us.
const QUEUE: usize = 256;

#[derive(Debug)]
pub(crate) struct Pipe {
    writer: PipeWriter,
    incoming: Receiver<Vec<u8>>,
}

/// What came before the deadline.
#[derive(Debug)]
pub(crate) enum Received {
    Message(Vec<u8>),
    Nothing,
    Closed,
}

impl Pipe {
    /// Takes the writing end towards the browser and the reading end from it. The reading thread
    /// ends by itself when the browser closes its end or this value is dropped.
    pub(crate) fn new(writer: PipeWriter, reader: PipeReader) -> Result<Self, BrowserError> {
        let (sender, incoming) = sync_channel(QUEUE);
        thread::Builder::new()
            .name("browser-pipe".to_owned())
            .spawn(move || read_all(reader, &sender))
            .map_err(|source| BrowserError::io("start the pipe's reader", source))?;
        Ok(Self { writer, incoming })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.writer.write_all(bytes)
    }

    pub(crate) fn receive(&self, deadline: Instant) -> Received {
        let wait = deadline.saturating_duration_since(Instant::now());
        match self.incoming.recv_timeout(wait) {
            Ok(message) => Received::Message(message),
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Closed,
        }
    }
}

fn read_all(reader: PipeReader, sender: &SyncSender<Vec<u8>>) {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    while let Some(message) = read_one(&mut reader) {
        if sender.send(message).is_err() {
            return;
        }
    }
}

/// One message without its NUL. `None` at the end, on an error, or when it is too long.
fn read_one(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    reader.take(MAX_MESSAGE).read_until(0, &mut message).ok()?;
    (message.pop()? == 0).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::time::Duration;

    #[test]
    fn messages_end_at_nul_and_a_cut_one_is_the_end() {
        let mut bytes = Cursor::new(b"one\0\0thr".to_vec());
        assert_eq!(read_one(&mut bytes).unwrap(), b"one");
        assert_eq!(read_one(&mut bytes).unwrap(), b"");
        assert!(read_one(&mut bytes).is_none());
    }

    #[test]
    fn a_closed_pipe_is_told_from_silence() {
        let (from_browser, mut browser) = std::io::pipe().unwrap();
        let (_unread, to_browser) = std::io::pipe().unwrap();
        let pipe = Pipe::new(to_browser, from_browser).unwrap();
        let soon = || Instant::now() + Duration::from_millis(20);
        assert!(matches!(pipe.receive(soon()), Received::Nothing));
        browser.write_all(b"x\0").unwrap();
        let later = Instant::now() + Duration::from_secs(10);
        assert!(matches!(pipe.receive(later), Received::Message(m) if m == b"x"));
        drop(browser);
        assert!(matches!(pipe.receive(later), Received::Closed));
    }
}
