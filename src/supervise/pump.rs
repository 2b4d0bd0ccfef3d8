// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies one output stream of an agent into its log, byte for byte and up to a limit.
//!
//! The agent gets a pipe and not the file itself: what it has once said it cannot truncate or rewrite.

use std::fs::File;
use std::io::{PipeReader, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};

/// A stream being copied.
#[derive(Debug)]
pub(super) struct Pump {
    from: Option<PipeReader>,
    to: File,
    left: u64,
}

/// What a round of copying came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// More may come.
    Open,
    /// The stream ended.
    Closed,
    /// The stream went over its limit; nothing more of it is kept.
    Over,
}

impl Pump {
    /// Copies `from` into `to`, at most `limit` bytes.
    pub(super) fn new(from: PipeReader, to: File, limit: u64) -> std::io::Result<Self> {
        rustix::io::ioctl_fionbio(&from, true)?;
        Ok(Self {
            from: Some(from),
            to,
            left: limit,
        })
    }

    /// The descriptor to wait for, while the stream is open.
    pub(super) fn waits_for(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().map(AsFd::as_fd)
    }

    /// Copies what is there now, at most a few megabytes so that the caller can look at its clock.
    pub(super) fn copy(&mut self) -> std::io::Result<Flow> {
        let mut buffer = [0; 64 << 10];
        for _ in 0..64 {
            let Some(from) = &mut self.from else {
                return Ok(Flow::Closed);
            };
            let count = match from.read(&mut buffer) {
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    return Ok(Flow::Open);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let flow = self.keep(buffer.get(..count).unwrap_or_default())?;
            if flow != Flow::Open {
                self.from = None;
                return Ok(flow);
            }
        }
        Ok(Flow::Open)
    }

    fn keep(&mut self, bytes: &[u8]) -> std::io::Result<Flow> {
        let fitting = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        self.to
            .write_all(bytes.get(..fitting).unwrap_or_default())?;
        self.left -= fitting as u64;
        Ok(match bytes.len() {
            0 => Flow::Closed,
            count if count > fitting => Flow::Over,
            _ => Flow::Open,
        })
    }

    /// Puts the log on the disk.
    pub(super) fn finish(self) -> std::io::Result<()> {
        self.to.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pumped(limit: u64, sent: &[u8], close: bool) -> (Flow, Vec<u8>) {
        let (from, mut sender) = std::io::pipe().unwrap();
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut pump = Pump::new(from, log.reopen().unwrap(), limit).unwrap();
        sender.write_all(sent).unwrap();
        let held = Some(sender).filter(|_| !close);
        let flow = pump.copy().unwrap();
        drop(held);
        pump.finish().unwrap();
        (flow, std::fs::read(log.path()).unwrap())
    }

    #[test]
    fn keeps_every_byte_to_the_end() {
        assert_eq!(
            pumped(100, b"a\0\xff\n", true),
            (Flow::Closed, b"a\0\xff\n".to_vec())
        );
        assert_eq!(pumped(100, b"part", false), (Flow::Open, b"part".to_vec()));
        assert_eq!(pumped(100, b"", true), (Flow::Closed, vec![]));
    }

    #[test]
    fn stops_at_the_limit() {
        assert_eq!(pumped(3, b"abcd", false), (Flow::Over, b"abc".to_vec()));
        assert_eq!(pumped(4, b"abcd", true), (Flow::Closed, b"abcd".to_vec()));
    }
}
